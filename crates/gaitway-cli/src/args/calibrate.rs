//! The verb about markers and sensors.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use gaitway::io::{Unit, parse_unit};

use super::{UpArg, non_negative, percent, positive_count, source_rate};

/// Examples of `calibrate`.
pub const EXAMPLES: &str = "Examples:\n  gaitway calibrate trial.c3d -o body.bvh --report r.json --plot joints.png\n  \
    gaitway calibrate walk.c3d --skeleton body.bvh -o walk.bvh\n  \
    gaitway calibrate pelvis.traj thigh.traj shank.traj -o leg.bvh\n  \
    gaitway calibrate walk.bvh --virtual sensors --noise 3,0.6";

/// Arguments of `calibrate`.
#[derive(Debug, Args)]
pub struct CalibrateArgs {
    /// Markers (.c3d, .trc; several files: trials of one person, which tell the body together), sensors (.csv, .npz, or text of 4 × 4
    /// matrices, one sensor a file), or with --virtual a clip.
    #[arg(required = true, value_name = "IN")]
    pub inputs: Vec<PathBuf>,
    /// The skeleton and its motion: .bvh, .glb, .gltf or .npz.
    #[arg(short, long, value_name = "OUT")]
    pub out: Option<PathBuf>,
    /// A body that is known already (its file of motion): lengths are its own, only motion and where markers sit are found.
    #[arg(long, value_name = "BODY")]
    pub skeleton: Option<PathBuf>,
    /// Write what was found as JSON: bodies, joints, how sure they are, where markers and sensors sit.
    #[arg(long, value_name = "R.json")]
    pub report: Option<PathBuf>,
    /// Print the report as JSON.
    #[arg(long)]
    pub json: bool,
    /// Draw the residual of every joint: .svg or .png.
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Names of bodies as CSV (body,name); a body is named by its name so far, or by one of its markers or sensors.
    #[arg(long, value_name = "TABLE.csv")]
    pub names: Option<PathBuf>,
    /// The body everything hangs on, by its name or one of its markers or sensors.
    #[arg(long, value_name = "BODY")]
    pub root: Option<String>,
    /// How many bodies markers sit on (default: by their names where these are of a common set, else found).
    #[arg(long, value_name = "N", value_parser = positive_count)]
    pub bodies: Option<usize>,
    /// Group markers by how they move, whatever they are called.
    #[arg(long)]
    pub by_motion: bool,
    /// Markers that are not on the body: NAME,NAME.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub without: Vec<String>,
    /// Keep frames in which joints are somewhere else for a frame or two; they are mended otherwise, as `build` does.
    #[arg(long)]
    pub keep_spikes: bool,
    /// White noise of sensors as millimetres and degrees per axis, such as 3,0.6 (default: measured); with --virtual, what is added.
    #[arg(long, value_name = "MM,DEG", value_parser = parse_noise)]
    pub noise: Option<NoiseArg>,
    /// Frames a second, over what the files say.
    #[arg(long, value_name = "HZ", value_parser = source_rate)]
    pub source_fps: Option<f64>,
    /// Length of one unit of markers, over the file's: m, cm, mm, inch, or metres as a number.
    #[arg(long, value_name = "UNIT", value_parser = parse_unit)]
    pub units: Option<Unit>,
    /// The axis that points up, over what the file says.
    #[arg(long, value_name = "AXIS")]
    pub up: Option<UpArg>,
    /// Test data with truth.
    #[command(flatten)]
    pub test: VirtualArgs,
}

/// Test data with truth.
#[derive(Debug, Args)]
#[command(next_help_heading = "Test data")]
pub struct VirtualArgs {
    /// Put sensors or markers on the body of a clip, calibrate them, and tell how far that is from the truth.
    #[arg(long = "virtual", value_name = "KIND")]
    pub kind: Option<VirtualArg>,
    /// How far every third one slips at some moment, mm.
    #[arg(long, value_name = "MM", value_parser = non_negative, default_value_t = 0.0, requires = "kind")]
    pub slip: f64,
    /// Samples that are not seen, e.g. 5%.
    #[arg(long, value_name = "PERCENT", value_parser = most_dropouts, default_value = "0%", requires = "kind")]
    pub dropouts: f64,
    /// Pairs of markers that exchange their labels, each from some moment on.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "kind")]
    pub swaps: usize,
    /// How far metal bends the field, mm.
    #[arg(long, value_name = "MM", value_parser = non_negative, default_value_t = 0.0, requires = "kind")]
    pub metal: f64,
    /// How far skin moves over bone as joints turn, mm.
    #[arg(long, value_name = "MM", value_parser = non_negative, default_value_t = 0.0, requires = "kind")]
    pub tissue: f64,
    /// Another seed puts them elsewhere.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "kind")]
    pub seed: u64,
    /// Also write the virtual data: sensors as .csv, markers as .trc.
    #[arg(long, value_name = "FILE", requires = "kind")]
    pub data_out: Option<PathBuf>,
}

/// What is put on a clip's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum VirtualArg {
    /// A sensor on every joint.
    Sensors,
    /// Four markers on every body of some length.
    Markers,
}

/// Noise as typed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoiseArg {
    /// Of places, metres.
    pub place_m: f64,
    /// Of rotations, radians.
    pub turn_rad: f64,
}

fn parse_noise(text: &str) -> Result<NoiseArg, String> {
    let wrong = || format!("expected millimetres and degrees such as 3,0.6, found `{text}`");
    let (mm, degrees) = text.split_once(',').unwrap_or((text, "0"));
    let number = |t: &str| t.trim().parse::<f64>().ok();
    let mm = number(mm)
        .filter(|v| (0.0..=1000.0).contains(v))
        .ok_or_else(wrong)?;
    let degrees = number(degrees)
        .filter(|v| (0.0..=30.0).contains(v))
        .ok_or_else(wrong)?;
    Ok(NoiseArg {
        place_m: mm / 1e3,
        turn_rad: degrees.to_radians(),
    })
}

fn most_dropouts(text: &str) -> Result<f64, String> {
    percent(text, 90.0)
}
