//! The graphs that paths are followed on.

use gaitway_core::performer::library;
use gaitway_core::{Clip, ClipSet};
use gaitway_graph::{BuildOptions, GraphBuilder, MotionGraph, Thresholds};
use gaitway_io::{Labels, ReadOptions, read_file};

pub struct Set {
    pub name: &'static str,
    /// A list in the data folder's `sets`, a file below the data folder, or nothing for the performer.
    pub from: &'static str,
    pub source_fps: Option<f64>,
    pub cm: f64,
    pub label: Option<&'static str>,
    pub mirrored: bool,
    /// Trade-off, short cuts and crowds are measured on it.
    pub studied: bool,
}

const PLAIN: Set = Set {
    name: "",
    from: "",
    source_fps: None,
    cm: 10.0,
    label: None,
    mirrored: false,
    studied: false,
};

pub const SETS: &[Set] = &[
    Set {
        name: "LAFAN1",
        from: "lafan1-bvh/walk4_subject1.bvh",
        ..PLAIN
    },
    Set {
        name: "CMU 69",
        from: "subject-69-walk-turn-pick.txt",
        label: Some("walk"),
        ..PLAIN
    },
    Set {
        name: "CMU 143",
        studied: true,
        from: "subject-143-many-behaviours.txt",
        source_fps: Some(60.0),
        label: Some("walk"),
        ..PLAIN
    },
    Set {
        name: "performer",
        label: Some("walk"),
        ..PLAIN
    },
    Set {
        name: "CMU 16",
        from: "subject-16-walk-run-jump.txt",
        label: Some("walk"),
        ..PLAIN
    },
    Set {
        name: "LAFAN1 mirrored",
        from: "lafan1-bvh/walk4_subject1.bvh",
        mirrored: true,
        ..PLAIN
    },
    Set {
        name: "CMU 69 mirrored",
        from: "subject-69-walk-turn-pick.txt",
        label: Some("walk"),
        mirrored: true,
        ..PLAIN
    },
    Set {
        name: "CMU 143 mirrored",
        from: "subject-143-many-behaviours.txt",
        source_fps: Some(60.0),
        label: Some("walk"),
        mirrored: true,
        ..PLAIN
    },
    Set {
        name: "performer mirrored",
        label: Some("walk"),
        mirrored: true,
        ..PLAIN
    },
    Set {
        name: "CMU 16 mirrored",
        from: "subject-16-walk-run-jump.txt",
        label: Some("walk"),
        mirrored: true,
        ..PLAIN
    },
];

impl Set {
    /// The graph; nothing without the data folder.
    pub fn graph(&self) -> Result<Option<MotionGraph>, Box<dyn std::error::Error>> {
        let mut labels = None;
        let clips: Vec<Clip> = if self.from.is_empty() {
            library(1, 60.0)?.into_iter().map(|t| t.clip).collect()
        } else {
            let Some(data) = gaitway_core::testing::data_dir() else {
                return Ok(None);
            };
            let file = if self.from.ends_with(".txt") {
                format!("@{}", data.join("sets").join(self.from).display())
            } else {
                data.join(self.from).display().to_string()
            };
            let options = ReadOptions {
                source_fps: self.source_fps,
                ..ReadOptions::default()
            };
            let mut clips = Vec::new();
            for input in gaitway_io::expand(&[file])? {
                clips.extend(
                    read_file(&input.path, &options)?
                        .into_iter()
                        .map(|i| i.clip),
                );
            }
            if self.label.is_some() {
                labels = Some(Labels::from_csv_file(&data.join("labels-gaitway.csv"))?);
            }
            clips
        };
        let clips = match labels {
            Some(labels) => labels.label(clips)?,
            None => clips,
        };
        let mut builder =
            GraphBuilder::new(ClipSet::new(clips)?).thresholds(Thresholds::cm(self.cm));
        if self.mirrored {
            builder = builder.options(BuildOptions {
                with_mirrored: true,
                ..BuildOptions::default()
            });
        }
        Ok(Some(builder.build(&mut ())?.0))
    }
}
