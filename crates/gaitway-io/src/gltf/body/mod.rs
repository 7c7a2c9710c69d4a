//! A body of simple shapes around a skeleton, so that any viewer shows a person.
//!
//! Limbs are tapered capsules that share a radius where they meet, the trunk is one tube that bends with the
//! spine, feet and hands are rounded boxes, the head an egg. Sizes are parts of the body's height H, taken
//! from the legs (hip to ankle is 0.49 H in anthropometric tables). What is no person gets a capsule per bone.

mod bind;
mod figure;
mod foot;
mod mesh;
mod trunk;
mod tube;

pub(super) use bind::Bind;
pub(super) use mesh::Body;
