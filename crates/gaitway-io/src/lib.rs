//! Motion files: one module per format, one door for all of them.
//!
//! A format module only parses: it turns bytes into [`RawClip`]s in the file's own unit and axes, or says
//! where and why it cannot. [`door`] then does what every format needs alike: unit, up axis, rate, T-pose,
//! checks; each finding goes to the clip's [`Warnings`](gaitway_core::Warnings).
//!
//! ```no_run
//! use gaitway_io::{ReadOptions, read_file};
//! for import in read_file("walk.bvh".as_ref(), &ReadOptions::default())? {
//!     assert!(import.clip.frame_count() > 0);
//! }
//! # Ok::<(), gaitway_io::ReadError>(())
//! ```

pub mod acclaim;
pub mod amass;
pub mod bvh;
mod bytes;
pub mod contacts;
pub mod curve;
pub mod door;
pub mod error;
#[cfg(feature = "fbx")]
pub mod fbx;
pub mod files;
#[doc(hidden)]
pub mod fuzzing;
pub mod gltf;
pub mod inputs;
pub mod labels;
mod lines;
pub mod markers;
mod nodes;
pub mod npz;
pub mod output;
pub mod raw;
pub mod scene;
pub mod sensors;
pub mod set;

pub use bytes::{Bytes, is_standard_input, special, standard_input};
pub use contacts::{ContactsError, parse_contacts, read_contacts};
pub use curve::{Curve, parse_curve, read_curve};
pub use door::{FileInfo, Import, Layout, ReadOptions, Unit, parse_unit, pool_rates};
pub use error::{Place, ReadError, WriteError};
pub use files::{
    WriteOptions, clip_id, format_of, read_character, read_file, read_markers, read_rest,
    write_file,
};
pub use inputs::{Input, InputError, expand, expand_telling};
pub use labels::{LabelRow, Labels, LabelsError};
pub use markers::MarkerClip;
pub use raw::{Format, RawClip, RawJoint, RawTrack, UpAxis};
pub use scene::{OnStage, write_scene};
pub use sensors::{SensorClip, SensorPose, read_sensors};
pub use set::{ReadSet, SetClip, SetError, SetOptions, read_set};
