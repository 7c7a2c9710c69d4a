//! The vocabulary of Gaitway: skeletons, clips and what can be done to them.
//!
//! Inside Gaitway everything is in metres, seconds and radians, right-handed, Y up, with the
//! ground in the XZ plane, and every rotation is a unit quaternion. Readers convert at the door.
//! With no rotation a body faces +Z and its left is +X.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`skeleton`] | joints, rest offsets, end sites |
//! | [`clip`] | recorded motion as arrays, with label and contact tracks |
//! | [`clip_set`] | clips that share one skeleton |
//! | [`source`] | where poses come from: clips, mirrored views, interpolations |
//! | [`fk`] | forward kinematics of a frame or a whole clip |
//! | [`figure`] | a body of simple shapes around a skeleton, for meshes and drawings |
//! | [`ik`] | two-bone inverse kinematics |
//! | [`rotation`] | slerp, Euler angles of every order, angles between rotations |
//! | [`planar`] | rigid motions of the ground plane |
//! | [`resample`], [`edit`], [`mirror`], [`interpolate`] | motion from motion: rate, cut, left and right, between two |
//! | [`anatomy`] | which joint is a foot, a knee, a hip: by name and by geometry |
//! | [`contacts`] | which points of the feet stand on what, and when |
//! | [`events`] | when and where what a label names happens: the seat taken, the hand at the thing, the apex, the strike |
//! | [`ground`] | floor height, facing, travel on another joint than the root |
//! | [`limits`] | what places, lengths, rates and counts may be |
//! | [`spikes`] | frames that capture got wrong, found and mended |
//! | [`performer`] | procedural sample clips with exact ground truth |
//! | [`text`] | text from files, as it may be shown |
//! | [`warning`] | what was found and repaired, told and never printed |
//!
//! ```
//! use gaitway_core::{Clip, Skeleton, fk};
//! use glam::{DVec3, Quat, Vec3};
//!
//! let mut skeleton = Skeleton::builder();
//! let hips = skeleton.root("Hips", Vec3::ZERO);
//! let knee = skeleton.joint("Knee", hips, Vec3::new(0.0, -0.4, 0.0));
//! skeleton.end_site(knee, Vec3::new(0.0, -0.4, 0.0));
//! let skeleton = skeleton.build()?.shared();
//! let clip = Clip::new("stand", skeleton, 60.0, vec![DVec3::Y; 2], vec![Quat::IDENTITY; 4])?;
//! let points = fk::world_points(&clip);
//! assert!((points.at(1, 2).y - 0.2).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod anatomy;
pub mod clip;
mod clip_files;
pub mod clip_set;
pub mod contacts;
pub mod duplicates;
pub mod edit;
pub mod events;
pub mod figure;
pub mod fk;
pub mod ground;
pub mod ik;
pub mod interpolate;
pub mod limits;
pub mod mirror;
pub mod performer;
pub mod planar;
mod pose;
pub mod random;
pub mod resample;
pub mod retime;
pub mod rotation;
pub mod skeleton;
pub mod source;
pub mod spikes;
pub mod testing;
pub mod text;
pub mod tracks;
pub mod warning;

pub use clip::{Clip, ClipError, TranslationTrack};
pub use clip_files::{ClipFiles, Provenance};
pub use clip_set::{ClipSet, ClipSetError};
pub use planar::Planar;
pub use pose::Pose;
pub use skeleton::{EndSite, JointIdx, PointIdx, Skeleton, SkeletonBuilder, SkeletonError};
pub use source::PoseSource;
pub use tracks::{ContactPoint, ContactTrack, LabelMoment, LabelSpan, LabelTrack, is_mark};
pub use warning::{Warning, WarningCode, Warnings};

pub use glam;
