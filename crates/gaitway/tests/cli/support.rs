//! The real binary in a fresh folder.

use std::path::PathBuf;
use std::process::{Command, Output};

use gaitway_core::testing::swinging_clip;
use gaitway_io::{WriteOptions, write_file};
use serde_json::Value;

/// A fresh folder to run in.
pub struct Place {
    pub folder: tempfile::TempDir,
}

impl Place {
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn clip(&self, name: &str, frames: usize) {
        let clip = swinging_clip(name, frames, 60.0);
        write_file(&self.path(name), &clip, &WriteOptions::default()).expect("written");
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.run_in("", arguments)
    }

    pub fn run_in(&self, folder: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gaitway"));
        command.current_dir(self.path(folder)).args(arguments);
        command.output().expect("the binary runs")
    }

    pub fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(arguments);
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            text(&output.stderr)
        );
        serde_json::from_slice(&output.stdout).expect("JSON on standard output")
    }
}

/// Bytes as words.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
