//! What `calibrate` reads, and what it makes of files of markers for verbs that need clips.

use std::path::{Path, PathBuf};

use gaitway::calibrate::{BodyReport, Calibration, MarkerOptions, calibrate_markers, join_trials};
use gaitway::io::sensors::{join, read_sensors};
use gaitway::io::set::{FileContent, FileRead};
use gaitway::io::{
    FileInfo, Format, Import, Layout, MarkerClip, SensorClip, Unit, UpAxis, clip_id, read_markers,
};

use super::told;
use crate::CliError;
use crate::args::{CalibrateArgs, UpArg};
use crate::files;
use crate::term::Term;

const NAMES_ARE: &str = "--names takes a CSV table with rows of body,name";

/// One trial of markers, or several of one person as one.
pub fn read_marker_files(args: &CalibrateArgs) -> Result<MarkerClip, CliError> {
    let read = |path: &PathBuf| read_marker_file(path, args);
    let mut trials: Vec<MarkerClip> = args.inputs.iter().map(read).collect::<Result<_, _>>()?;
    if trials.len() == 1 {
        return Ok(trials.remove(0));
    }
    let all: Vec<&MarkerClip> = trials.iter().collect();
    join_trials(&all).map_err(|e| told(&args.inputs[0], e))
}

/// Markers as the user says they are.
fn read_marker_file(path: &Path, args: &CalibrateArgs) -> Result<MarkerClip, CliError> {
    let mut markers = read_markers(path)?;
    if let Some(rate) = args.source_fps {
        markers.rate_hz = rate;
    }
    if let Some(unit) = &args.units {
        let scale = unit.metres / markers.unit_m;
        for place in &mut markers.positions {
            *place *= scale;
        }
        markers.unit_m = unit.metres;
        markers.unit.clone_from(&unit.name);
    }
    if let Some(up) = args.up {
        markers.up = Some(UpArg::axis(up));
    }
    Ok(markers)
}

/// Sensors of all files beside one another.
pub fn read_sensor_files(args: &CalibrateArgs) -> Result<SensorClip, CliError> {
    let mut clips = Vec::new();
    for path in &args.inputs {
        let mut clip = read_sensors(path, args.source_fps)?;
        // Sensors are taken for Y up; another axis is turned there.
        if let Some(up) = args.up.map(UpArg::axis).filter(|u| *u != UpAxis::Y) {
            let turn = up.to_y_up().as_dquat();
            for pose in clip.poses.iter_mut().flatten() {
                pose.place = turn * pose.place;
                pose.turn = turn * pose.turn;
            }
        }
        clips.push((path.display().to_string(), clip));
    }
    Ok(join(clips)?)
}

/// The table of names.
pub fn names(args: &CalibrateArgs) -> Result<Vec<(String, String)>, CliError> {
    let Some(path) = &args.names else {
        return Ok(Vec::new());
    };
    let text = files::read_text(path, NAMES_ARE)?;
    let mut out = Vec::new();
    for (k, line) in text.lines().enumerate() {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with('#') || line == "body,name" {
            continue;
        }
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        match cells.as_slice() {
            [body, name] if !body.is_empty() && !name.is_empty() => {
                out.push(((*body).to_owned(), (*name).to_owned()));
            }
            _ => {
                let what = format!(
                    "{}:{}: expected body,name, found `{line}`",
                    path.display(),
                    k + 1
                );
                return Err(CliError::new(what).with_hint(NAMES_ARE));
            }
        }
    }
    Ok(out)
}

/// Files of markers alone as clips, for verbs that need clips: all trials together give the body, and each moves on it. Anything else is left as
/// it is.
pub fn markers_as_clips(
    mut loaded: Vec<FileRead>,
    keep_spikes: bool,
    term: &mut Term,
) -> Result<Vec<FileRead>, CliError> {
    let trials: Vec<&MarkerClip> = loaded.iter().filter_map(markers_of).collect();
    if trials.is_empty() || trials.len() < loaded.len() {
        return Ok(loaded);
    }
    let mut options = MarkerOptions {
        keep_spikes,
        ..MarkerOptions::default()
    };
    if trials.len() > 1 {
        let first = loaded[0].input.path.clone();
        let all = join_trials(&trials).map_err(|e| told(&first, e))?;
        let found = calibrate_markers("body", &all, &options).map_err(|e| told(&first, e))?;
        term.say(&format!(
            "a body of {} joints found in {} trials of markers",
            found.bodies.len(),
            trials.len()
        ));
        options.groups = groups(&found);
        options.skeleton = Some(found.clip.skeleton().clone());
    }
    for file in &mut loaded {
        let path = file.input.path.clone();
        let Some(markers) = markers_of(file) else {
            continue;
        };
        let found =
            calibrate_markers(&clip_id(&path), markers, &options).map_err(|e| told(&path, e))?;
        term.say(&format!(
            "{}: a body of {} joints, on which the motion keeps to within {:.1} mm of the markers (`gaitway calibrate` says more)",
            path.display(),
            found.bodies.len(),
            found.fit.residual_mm
        ));
        let format = match path.extension().and_then(|e| e.to_str()) {
            Some(e) if e.eq_ignore_ascii_case("trc") => Format::Trc,
            _ => Format::C3d,
        };
        let source = FileInfo {
            format,
            animation: None,
            frames_in_file: markers.frames_in_file,
            first_frame: 0,
            header_rate_hz: markers.rate_hz,
            unit: Unit {
                name: markers.unit.clone(),
                metres: markers.unit_m,
            },
            up_axis: markers.up.unwrap_or(UpAxis::Y),
            noise_joints: Vec::new(),
            layout: Layout::Plain,
        };
        let warnings = found.warnings;
        file.content = FileContent::Clips(vec![Import {
            clip: found.clip,
            source,
            warnings,
            spikes: found.spikes,
            lapses: found.lapses,
        }]);
    }
    Ok(loaded)
}

fn markers_of(file: &FileRead) -> Option<&MarkerClip> {
    match &file.content {
        FileContent::Markers(markers) => Some(markers),
        _ => None,
    }
}

/// Which body each marker sits on.
fn groups(found: &Calibration) -> Vec<(String, String)> {
    let on = |body: &BodyReport| {
        let name = body.name.clone();
        let markers = body.seen_by.clone().into_iter();
        markers.map(move |m| (m, name.clone())).collect::<Vec<_>>()
    };
    found.bodies.iter().flat_map(on).collect()
}
