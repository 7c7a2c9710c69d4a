//! People with enough clips for a graph.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gaitway_core::ClipFiles;
use gaitway_io::ReadOptions;
use gaitway_io::set::{SetOptions, read_set};

/// Fewer clips make no graph.
const LEAST_CLIPS: usize = 3;

/// All clips of one subject, whichever folder they are in.
pub struct Person {
    pub name: String,
    /// None of the clips is in `cmu-bvh`, on which constants were chosen.
    pub wide_only: bool,
    pub files: ClipFiles,
}

/// Subjects captured at 60 Hz whose files say 120.
const SIXTY: [&str; 8] = ["75", "77", "93", "103", "106", "139", "141", "143"];

/// People in the order of their numbers; `only` names some of them, parted by commas.
pub fn read(data: &Path, only: Option<&str>) -> impl Iterator<Item = Person> {
    let mut subjects: BTreeMap<u32, (String, bool, Vec<PathBuf>)> = BTreeMap::new();
    for folder in ["cmu-bvh", "cmu-wide"] {
        for entry in std::fs::read_dir(data.join(folder))
            .into_iter()
            .flatten()
            .flatten()
        {
            let name = entry.file_name().to_string_lossy().into_owned();
            let Ok(number) = name.parse() else { continue };
            let subject = subjects.entry(number).or_insert((name, true, Vec::new()));
            subject.1 &= folder == "cmu-wide";
            subject.2.extend(files(&entry.path()));
        }
    }
    let only: Option<Vec<String>> = only.map(|o| o.split(',').map(str::to_owned).collect());
    let wanted = move |name: &String| only.as_ref().is_none_or(|o| o.contains(name));
    subjects
        .into_values()
        .filter(move |(name, _, files)| files.len() >= LEAST_CLIPS && wanted(name))
        .filter_map(|(name, wide_only, files)| {
            let options = SetOptions {
                read: ReadOptions {
                    source_fps: SIXTY.contains(&name.as_str()).then_some(60.0),
                    repair_spikes: true,
                    ..ReadOptions::default()
                },
                ..SetOptions::default()
            };
            let paths = files.iter().map(|f| f.to_string_lossy());
            let files = read_set(paths, &options).ok()?.into();
            Some(Person {
                name,
                wide_only,
                files,
            })
        })
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|e| e.path()).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "bvh"));
    files.sort();
    files
}
