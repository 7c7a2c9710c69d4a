//! The clips graphs are built from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gaitway_core::performer::library;
use gaitway_core::{Clip, ClipSet};
use gaitway_io::{Labels, ReadOptions, read_file};

/// Clips of one body.
pub struct Set {
    pub name: String,
    pub clips: ClipSet,
}

/// Folders of the data, and the rate where the header's is wrong.
const FOLDERS: [(&str, &str, Option<f64>); 10] = [
    ("CMU 16", "cmu-bvh/16", None),
    ("CMU 143", "cmu-bvh/143", Some(60.0)),
    ("LAFAN1", "lafan1-bvh", None),
    ("CMU 69", "cmu-bvh/69", None),
    ("CMU 83", "cmu-bvh/83", None),
    ("CMU 127", "cmu-bvh/127", None),
    ("CMU 135", "cmu-bvh/135", None),
    ("CMU 35", "cmu-bvh/35", None),
    ("CMU 02", "cmu-bvh/02", None),
    ("CMU 77", "cmu-bvh/77", Some(60.0)),
];

pub fn read(data: &Path, only: Option<&str>) -> Vec<Set> {
    let mut out = Vec::new();
    let csv = data.join("labels-gaitway.csv");
    for (name, folder, fps) in FOLDERS {
        if only.is_some_and(|o| o != name) {
            continue;
        }
        let labels = match name.starts_with("CMU") {
            true => Labels::from_csv_file(&csv).expect("the data has labels"),
            false => Labels::none(),
        };
        let files = files(&data.join(folder));
        let clips = labels.label(clips(data, &files, fps)).expect("labels fit");
        out.push(Set {
            name: name.to_owned(),
            clips: ClipSet::new(clips).expect("one body"),
        });
    }
    if only.is_none_or(|o| o == "performer") {
        let takes = library(1, 60.0)
            .expect("a rate")
            .into_iter()
            .map(|t| t.clip);
        out.push(Set {
            name: "performer".to_owned(),
            clips: ClipSet::new(takes.collect()).expect("one body"),
        });
    }
    out
}

/// The subjects of `cmu-wide` with at least three clips of one body.
pub fn wide(data: &Path) -> Vec<Set> {
    let mut subjects: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for folder in std::fs::read_dir(data.join("cmu-wide"))
        .into_iter()
        .flatten()
        .flatten()
    {
        let list = files(&folder.path());
        let name = folder.file_name().to_string_lossy().into_owned();
        subjects.entry(name).or_default().extend(list);
    }
    let sixty = ["75", "77", "93", "103", "106", "139", "141", "143"];
    let set = |(name, files): (String, Vec<PathBuf>)| {
        if files.len() < 3 {
            return None;
        }
        let fps = sixty.contains(&name.as_str()).then_some(60.0);
        let clips = ClipSet::new(clips(data, &files, fps)).ok()?;
        Some(Set { name, clips })
    };
    subjects.into_iter().filter_map(set).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|e| e.path()).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "bvh"));
    files.sort();
    files
}

fn clips(data: &Path, files: &[PathBuf], source_fps: Option<f64>) -> Vec<Clip> {
    let options = ReadOptions {
        source_fps,
        // As `build` reads.
        repair_spikes: true,
        ..ReadOptions::default()
    };
    let one = |path: &PathBuf| {
        let name = path.strip_prefix(data).unwrap_or(path).with_extension("");
        let import = read_file(path, &options).expect("the data reads").remove(0);
        import.clip.with_name(name.display().to_string())
    };
    files.iter().map(one).collect()
}
