//! `gaitway calibrate`: from markers and sensors to a skeleton and its motion.

mod files;
mod words;

use std::path::Path;

use gaitway::calibrate::virtual_data::{self, TruthReport, VirtualOptions};
use gaitway::calibrate::{
    CalibrateError, Calibration, MarkerOptions, Noise, SensorOptions, calibrate_markers,
    calibrate_sensors,
};
use gaitway::core::JointIdx;
use gaitway::eval::draw::bars::{BarRow, bars};
use gaitway::io::markers::write_trc;
use gaitway::io::output::write_atomic;
use gaitway::io::sensors::write_table;
use gaitway::io::{Format, WriteError, WriteOptions, clip_id, write_file};
use serde_json::Value;

use super::args::{CalibrateArgs, ReadArgs, VirtualArg};
use super::load::load_one;
use super::term::Term;
use super::{CliError, Outcome, files as user_files, render};

pub use files::markers_as_clips;

/// Runs the verb.
pub fn run(args: &CalibrateArgs, term: &mut Term) -> Result<Outcome, CliError> {
    let outputs = [
        args.out.as_ref(),
        args.report.as_ref(),
        args.plot.as_ref(),
        args.test.data_out.as_ref(),
    ];
    user_files::check_outputs(outputs)?;
    render::check_picture(args.plot.as_deref())?;
    let mut inputs: Vec<&Path> = args.inputs.iter().map(|p| p.as_path()).collect();
    inputs.extend(args.skeleton.as_deref());
    user_files::keep_inputs(outputs, &inputs)?;
    let file = args.inputs[0].display().to_string();
    let (found, truth) = match args.test.kind {
        Some(kind) => on_virtual(args, kind, term)?,
        None => (on_files(args, term)?, None),
    };
    for warning in &found.warnings {
        term.warn(&file, warning);
    }
    let report = report(&file, &found, truth.as_ref());
    let text = serde_json::to_string_pretty(&report).map_err(|e| CliError::new(e.to_string()))?;
    if args.json {
        term.json(&text)?;
    } else {
        term.out(&words::words(&found, truth.as_ref()))?;
    }
    if let Some(path) = &args.out {
        for warning in &write_file(path, &found.clip, &WriteOptions::default())? {
            term.warn(&file, warning);
        }
        term.say(&format!("wrote {}", path.display()));
    }
    if let Some(path) = &args.report {
        render::write_bytes(path, text.as_bytes())?;
        term.say(&format!("wrote {}", path.display()));
    }
    if let Some(path) = &args.plot {
        plot(path, &found, &file)?;
        term.say(&format!("wrote {}", path.display()));
    }
    Ok(Outcome::Done)
}

fn on_files(args: &CalibrateArgs, term: &mut Term) -> Result<Calibration, CliError> {
    let first = &args.inputs[0];
    let name = clip_id(first);
    let extension = first.extension().and_then(|e| e.to_str()).unwrap_or("");
    match Format::from_extension(extension) {
        Some(Format::C3d | Format::Trc) => {
            let markers = files::read_marker_files(args)?;
            let options = marker_options(args, term)?;
            calibrate_markers(&name, &markers, &options).map_err(|e| told(first, e))
        }
        Some(format) if format != Format::Npz => Err(CliError::new(format!(
            "{}: {} files have a skeleton already",
            first.display(),
            format.as_str()
        ))
        .with_hint("calibrate CLIP --virtual sensors puts sensors on it and finds it again")),
        _ => {
            if let Some(body) = &args.skeleton {
                return Err(CliError::new(format!(
                    "--skeleton {}: motion on a known body is found from markers",
                    body.display()
                ))
                .with_hint("leave it out: sensors say how every body is turned themselves"));
            }
            let clip = files::read_sensor_files(args)?;
            let options = sensor_options(args)?;
            calibrate_sensors(&name, &clip, &options).map_err(|e| told(first, e))
        }
    }
}

fn on_virtual(
    args: &CalibrateArgs,
    kind: VirtualArg,
    term: &mut Term,
) -> Result<(Calibration, Option<TruthReport>), CliError> {
    let first = &args.inputs[0];
    let read = ReadArgs {
        source_fps: args.source_fps,
        units: args.units.clone(),
        up: args.up,
        ..ReadArgs::default()
    };
    let import = load_one(&first.display().to_string(), &read, term)?;
    let clip = import.clip;
    let test = &args.test;
    let options = VirtualOptions {
        place_noise_m: args.noise.map_or(0.0, |n| n.place_m),
        turn_noise_rad: args.noise.map_or(0.0, |n| n.turn_rad),
        slip_m: test.slip / 1e3,
        dropouts: test.dropouts,
        swaps: test.swaps,
        metal_m: test.metal / 1e3,
        tissue_m: test.tissue / 1e3,
        seed: test.seed,
        ..VirtualOptions::default()
    };
    let name = format!("{}-{}", clip_id(first), "virtual");
    let skeleton = clip.skeleton().clone();
    let joint_of = |name: &str| -> Option<JointIdx> {
        let bare = name.rsplit_once('-').map_or(name, |n| n.0);
        skeleton.find(name).or_else(|| skeleton.find(bare))
    };
    let found = match kind {
        VirtualArg::Sensors => {
            let data = virtual_data::sensors(&clip, &options);
            write_data(args, term, "csv", |sink| write_table(sink, &data))?;
            let noise = None;
            let options = SensorOptions {
                noise,
                ..sensor_options(args)?
            };
            calibrate_sensors(&name, &data, &options)
        }
        VirtualArg::Markers => {
            let data = virtual_data::markers(&clip, &options);
            write_data(args, term, "trc", |sink| write_trc(sink, &data))?;
            calibrate_markers(&name, &data, &marker_options(args, term)?)
        }
    }
    .map_err(|e| told(first, e))?;
    let truth = virtual_data::compare(&found, &clip, joint_of);
    Ok((found, Some(truth)))
}

/// Writes virtual data, where that is asked for: sensors as CSV, markers as TRC.
fn write_data(
    args: &CalibrateArgs,
    term: &mut Term,
    ending: &str,
    write: impl Fn(&mut dyn std::io::Write) -> std::io::Result<()>,
) -> Result<(), CliError> {
    let Some(path) = &args.test.data_out else {
        return Ok(());
    };
    let given = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    if !given.eq_ignore_ascii_case(ending) {
        return Err(CliError::new(format!(
            "--data-out {}: expected a name that ends in .{ending}",
            path.display()
        ))
        .with_hint("virtual sensors are written as .csv, virtual markers as .trc"));
    }
    write_atomic(path, |sink| {
        write(sink).map_err(|source| WriteError::Io {
            file: path.display().to_string(),
            source,
        })
    })?;
    term.say(&format!("wrote {}", path.display()));
    Ok(())
}

fn sensor_options(args: &CalibrateArgs) -> Result<SensorOptions, CliError> {
    Ok(SensorOptions {
        noise: args.noise.map(|n| Noise {
            place_m: n.place_m,
            turn_rad: n.turn_rad,
        }),
        root: args.root.clone(),
        names: files::names(args)?,
        keep_spikes: args.keep_spikes,
        ..SensorOptions::default()
    })
}

fn marker_options(args: &CalibrateArgs, term: &mut Term) -> Result<MarkerOptions, CliError> {
    let skeleton = match &args.skeleton {
        Some(path) => {
            let body = load_one(&path.display().to_string(), &ReadArgs::default(), term)?;
            Some(body.clip.skeleton().clone())
        }
        None => None,
    };
    Ok(MarkerOptions {
        without: args.without.clone(),
        bodies: args.bodies,
        by_names: !args.by_motion,
        root: args.root.clone(),
        names: files::names(args)?,
        skeleton,
        keep_spikes: args.keep_spikes,
        ..MarkerOptions::default()
    })
}

/// The library's error with the file it is about.
pub fn told(file: &Path, error: CalibrateError) -> CliError {
    let out = CliError::new(format!("{}: {error}", file.display()));
    match error.hint() {
        Some(hint) => out.with_hint(hint),
        None => out,
    }
}

fn report(file: &str, found: &Calibration, truth: Option<&TruthReport>) -> Value {
    let mut report = found.report();
    report["file"] = file.into();
    if let Some(truth) = truth {
        report["truth"] = serde_json::to_value(truth).unwrap_or_default();
    }
    report
}

/// What a joint's residual should stay below, millimetres: skin moves by about as much.
const RESIDUAL_MM: f64 = 15.0;

fn plot(path: &Path, found: &Calibration, file: &str) -> Result<(), CliError> {
    let rows: Vec<BarRow> = found
        .joints
        .iter()
        .map(|j| BarRow {
            name: format!("{} ({}, {})", j.name, j.kind, j.confidence),
            value: Some(j.residual_mm),
            bar: RESIDUAL_MM,
            unit: "mm".to_owned(),
        })
        .collect();
    let title = format!("{}: residual of every joint", render::title(file));
    let scene = bars(&title, &rows).map_err(|e| CliError::new(e.to_string()))?;
    render::write_scene(path, &scene)
}
