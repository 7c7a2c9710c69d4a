//! BVH, the Biovision hierarchy: text, a tree of joints with channel lists, then one line of numbers a frame.
//!
//! There is no standard, so this is what we take it to mean:
//! - Rotation channels are intrinsic and apply in the order listed, in degrees; any number of them.
//! - Position channels stand for the translation in the parent's frame, wherever they are in the list. On a
//!   root they replace OFFSET. On other joints they replace it where within 1 % of it in the first frame, else
//!   they add to it; where at least half of the joints that can tell replace it, all of them do, because one
//!   program writes one way ([`PositionMode`]).
//! - An axis without a position channel keeps OFFSET's value.
//! - Several roots come under one made by us, which stays at the origin.
//! - Unit and up axis are not said in the file; the door finds them. It also makes repeated names unique.
//!
//! [`read`] gives beside the clip a [`BvhLayout`], so that [`write`](write()) can give back what the source had.

mod angles;
mod decode;
mod hierarchy;
mod layout;
mod motion;
mod number;
mod plan;
mod rate;
mod read;
mod solve;
mod text;
mod write;

pub use layout::{BvhJoint, BvhLayout, Channel, Indent, PositionMode};
pub use read::read;
pub use write::{BvhWriteOptions, write};
