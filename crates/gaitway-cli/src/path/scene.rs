//! `--scene`: everybody in one file, each from when they set out.

use std::path::Path;

use gaitway::io::{OnStage, WriteOptions, write_scene};

use super::super::CliError;
use super::super::args::PathArgs;
use super::super::term::Term;
use super::Done;

/// Refuses a file that holds no scene, before anything is searched.
pub fn check(args: &PathArgs) -> Result<(), CliError> {
    let Some(file) = &args.scene else {
        return Ok(());
    };
    let extension = file.extension().and_then(|e| e.to_str()).unwrap_or("");
    if ["glb", "zip"].contains(&extension.to_ascii_lowercase().as_str()) {
        return Ok(());
    }
    Err(CliError::new(format!(
        "--scene: expected a file that ends in .glb or .zip, found `{}`",
        file.display()
    ))
    .with_hint(
        "--scene crowd.glb for everybody in one scene, --scene crowd.zip for a BVH file each",
    ))
}

/// Writes those who have a walk.
pub fn write(done: &Done<'_>, args: &PathArgs, term: &mut Term) -> Result<(), CliError> {
    let Some(file) = &args.scene else {
        return Ok(());
    };
    let people: Vec<OnStage<'_>> = done
        .each()
        .filter(|(m, _)| m.has_walk())
        .filter_map(|(m, out)| {
            Some(OnStage {
                name: stem(out),
                clip: m.clip()?,
                start_s: m.walk.start_s.unwrap_or(0.0),
            })
        })
        .collect();
    if people.is_empty() {
        return Ok(());
    }
    write_scene(file, &people, &WriteOptions::default())?;
    let count = super::counted(people.len(), "motion");
    term.say(&format!("wrote {}: {count}", file.display()));
    Ok(())
}

/// As their own file is called.
fn stem(file: &Path) -> String {
    let stem = file.file_stem().and_then(|s| s.to_str());
    stem.unwrap_or("motion").to_owned()
}
