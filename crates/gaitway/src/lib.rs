//! Gaitway turns folders of motion capture into clean, continuous human motion.
//!
//! This crate is all of Gaitway under one name, as a library. By default it brings no web server, no command line and nothing
//! that needs a C compiler; two features add what not everybody needs: `fbx` (reading FBX, by a library in C) and `draw`
//! (pictures: SVG, PNG, GIF, pages). The program `gaitway` is in the crate `gaitway-cli`.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`core`] | skeletons, clips, poses on demand, contacts, the performer |
//! | [`io`] | files of all formats, one by one or as a set; labels |
//! | [`calibrate`] | skeletons and motion from markers and sensors |
//! | [`retarget`] | motion of one body on another |
//! | [`dynamics`] | bodies with mass: torques, ground forces, costs |
//! | [`metric`] | distances between frames, and where motions meet |
//! | [`graph`] | motion graphs: built, kept in a file, accounted for |
//! | [`synth`] | walks, searches, motion along paths, planted feet |
//! | [`runtime`] | timelines, and a player that ticks |
//! | [`eval`] | quality numbers; with the feature `draw` pictures |
//! | [`fuzzing`] | whole verbs on any bytes, for fuzzing |
//!
//! ```no_run
//! use gaitway::prelude::*;
//!
//! let clips = read_set(["captures/"], &SetOptions::default())?;
//! let (graph, account) = GraphBuilder::from_files(clips)?.build(&mut ())?;
//! println!("{:.0} of {:.0} s can be used", account.kept_seconds, account.seconds);
//! let motions = plan_path(&graph, &PathRequest::new(named_curve("figure8", 1.0)?))?;
//! write_file("figure8.glb".as_ref(), motions[0].require_clip()?, &WriteOptions::default())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod fuzzing;
mod path_text;

pub use gaitway_calibrate as calibrate;
pub use gaitway_core as core;
pub use gaitway_dynamics as dynamics;
pub use gaitway_eval as eval;
pub use gaitway_graph as graph;
pub use gaitway_io as io;
pub use gaitway_metric as metric;
pub use gaitway_retarget as retarget;
pub use gaitway_runtime as runtime;
pub use gaitway_synth as synth;

pub use path_text::{PathTextError, parse_path, parse_path_of, read_path};

pub mod prelude {
    //! What most programs use: `use gaitway::prelude::*;`.

    pub use crate::core::{
        Clip, ClipSet, Planar, Pose, PoseSource, Skeleton, Warning, WarningCode, Warnings,
    };
    pub use crate::eval::{Quality, QualityOptions, quality};
    pub use crate::graph::{Account, BuildOptions, GraphBuilder, MotionGraph, Thresholds};
    pub use crate::io::{
        Labels, ReadOptions, ReadSet, SetOptions, WriteOptions, read_file, read_set, write_file,
    };
    pub use crate::retarget::{Body, Onto, PeopleOptions, RetargetOptions, on_one_body, retarget};
    pub use crate::runtime::{Player, Timeline};
    pub use crate::synth::cleanup::{PlantOptions, plant_feet};
    pub use crate::synth::path::{
        Obstacle, Path, PathMotion, PathOptions, PathRequest, named_curve, parse_styles, plan_path,
    };
    pub use crate::synth::{
        AssembleOptions, Motion, RandomWalk, Walk, assemble, connect, find_loop, random_walk,
    };
}

/// Programs of the README and the book are compiled by the tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/book/guides/from-rust.md")]
    struct FromRust;
}
