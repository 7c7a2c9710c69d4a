//! What lies in a folder, to the byte.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

#[derive(Default)]
pub struct Tree {
    /// By name from the folder on; folders without a file do not show.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Files that hold times: they differ from run to run.
    varying: BTreeSet<String>,
}

impl Tree {
    pub fn of(folder: &Path) -> Self {
        let mut tree = Self::default();
        tree.add(folder, folder);
        tree
    }

    fn add(&mut self, home: &Path, folder: &Path) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                self.add(home, &path);
                continue;
            }
            let name = path.strip_prefix(home).expect("below").to_string_lossy();
            let bytes = std::fs::read(&path).expect("readable");
            self.files.insert(name.into_owned(), bytes);
        }
    }

    /// Marks what two undisturbed runs do not agree on: reports and the demo's page, with times in them, and nothing else.
    pub fn with_varying(mut self, other: &Self) -> Self {
        assert!(self.files.keys().eq(other.files.keys()));
        for (name, bytes) in &self.files {
            if other.files[name] != *bytes {
                let told = name.ends_with(".json") || name == "demo/index.html";
                assert!(told, "{name} differs from run to run");
                self.varying.insert(name.clone());
            }
        }
        self
    }

    /// Whether a file may differ, and is whole all the same.
    pub fn varies(&self, name: &str, bytes: &[u8]) -> bool {
        let whole = match name.ends_with(".json") {
            true => serde_json::from_slice::<serde_json::Value>(bytes).is_ok(),
            false => bytes.trim_ascii_end().ends_with(b"</html>"),
        };
        self.varying.contains(name) && whole
    }
}

/// Names that a killed run may leave: parts, and the journal of a build.
pub fn is_leftover(name: &str) -> bool {
    name.split('/').any(|part| {
        (part.starts_with(".gaitway-") && part.ends_with(".part")) || part.ends_with(".journal")
    })
}

/// All such names in a folder; parts in parts count once.
pub fn leftovers(folder: &Path) -> Vec<String> {
    let mut out = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(at) = folders.pop() {
        for entry in std::fs::read_dir(&at).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if is_leftover(&name) {
                out.push(name);
            } else if entry.path().is_dir() {
                folders.push(entry.path());
            }
        }
    }
    out
}
