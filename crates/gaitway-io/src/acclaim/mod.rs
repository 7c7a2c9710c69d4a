//! Acclaim motion: a skeleton in an ASF file, the motion in AMC files beside it.
//!
//! An Acclaim *bone* begins where its parent ends and turns itself about its beginning; so each bone
//! becomes a joint at its parent's tip, and the tip of a bone without children becomes an end site. With
//! C the bone's `axis` frame and M the product of its channels about fixed axes, first channel first,
//!
//!   local rotation = C · M · C⁻¹,     M = R_last · … · R_first
//!
//! so that all rest rotations are identities: zero angles give the ASF's own pose. One unit of length is
//! 1/`length` inch, with `length` from `:units`. See [`channels`] for the equations and their inverse.
//!
//! Where programs disagree we do as follows. The three numbers of `axis` and `orientation` are angles about
//! x, y and z, and the letters say which turns first. The root's `position` is added to its translation and
//! its `orientation` turns the body before the motion does (a warning says so unless both are zero). Bone
//! translations (`tx ty tz`) are along the axes of C, `l` is added to the bone's length.
//!
//! Checked by: the BVH twins of the CMU clips.

mod amc;
mod asf;
mod bonedata;
pub mod channels;
mod find;
mod hierarchy;
mod skeleton;
mod write;

pub use amc::{ASSUMED_RATE_HZ, read_amc};
pub use asf::read_asf;
pub use channels::Dof;
pub use find::find_asf;
pub use skeleton::{AcclaimBone, AcclaimRoot, AcclaimSkeleton};
pub use write::{AmcWriteOptions, write_amc};
