//! The figure of a skeleton as a skinned mesh, so that any viewer shows a person.
//!
//! What the figure is made of is for [`gaitway_core::figure`] to say; here it becomes triangles.

mod mesh;
mod tube;

pub(super) use mesh::Body;
