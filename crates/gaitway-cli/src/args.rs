//! Every verb and flag, defined once; help, completions and manual pages come from here.

mod bench;
mod calibrate;
mod clips;
mod edit;
mod enrich;
mod eval;
mod graph;
mod path;
mod retarget;
mod studio;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use gaitway::core::limits::{self, FASTEST_HZ, SLOWEST_HZ};
use gaitway::io::{Format, ReadOptions, Unit, UpAxis, parse_unit};

pub use bench::BenchArgs;
pub use calibrate::{CalibrateArgs, VirtualArg};
pub use clips::{
    CleanArgs, ConvertArgs, DemoArgs, InfoArgs, QualityArgs, RenderArgs, StyleArg, ViewArg,
};
pub use edit::{EditArgs, KeepArg, KeptOn, PlaceArg};
pub use enrich::EnrichArgs;
pub use eval::{EvalArgs, EvalPlotArg, ThresholdArg};
pub use graph::{
    BuildArgs, ConnectArgs, DistanceArgs, InspectArgs, MakeArgs, MetricArgs, PlotArg, WalkArgs,
};
pub use path::{EndArg, PathArgs, PathViewArg, SearchArgs};
pub use retarget::RetargetArgs;
pub use studio::StudioArgs;

/// Motion graphs: from folders of motion capture to clean, continuous human motion.
#[derive(Debug, Parser)]
#[command(
    name = "gaitway",
    version,
    arg_required_else_help = true,
    max_term_width = 100
)]
#[command(after_help = "First time here? `gaitway demo` needs no file and ends with pictures.")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
    /// Say nothing but results and errors.
    #[arg(long, global = true)]
    pub quiet: bool,
    /// How many threads to use (default: all cores). Results are the same with any number.
    #[arg(long, global = true, value_name = "N", value_parser = thread_count)]
    pub threads: Option<usize>,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Show what motion files hold: skeleton, rate, frames, unit, floor, and what was repaired.
    #[command(
        after_help = "Examples:\n  gaitway info walk.bvh\n  gaitway info captures/ --json\n  \
                            gaitway info @sets/walks.txt"
    )]
    Info(InfoArgs),
    /// Find a skeleton and its motion in markers or sensors.
    #[command(after_help = calibrate::EXAMPLES)]
    Calibrate(Box<CalibrateArgs>),
    /// Convert motion between formats; cut, mirror, resample on the way.
    #[command(after_help = "Examples:\n  gaitway convert walk.bvh walk.glb\n  \
                            gaitway convert walk.bvh turn.bvh --cut 1.5..4 --mirror\n  \
                            gaitway convert captures/ out/ --to glb --out-fps 60")]
    Convert(ConvertArgs),
    /// Plant the feet of a clip: what should stand, stands.
    #[command(
        after_help = "Examples:\n  gaitway clean walk.bvh -o clean.bvh --report r.json\n  \
                            gaitway clean walk.bvh -o clean.bvh --contacts plants.csv\n  \
                            gaitway clean captures/ -o cleaned --to bvh"
    )]
    Clean(CleanArgs),
    /// Put motion on another body: angles copied, travel scaled, feet where they should stand.
    #[command(after_help = retarget::EXAMPLES)]
    Retarget(RetargetArgs),
    /// Change motion gently: taller, a joint dragged, a way led along a curve, another speed or manner; feet stay where they stand.
    #[command(after_help = edit::EXAMPLES)]
    Edit(Box<EditArgs>),
    /// Measure motion: sliding feet, jolts, stretched limbs, sinking through the floor.
    #[command(after_help = "Examples:\n  gaitway quality walk.bvh\n  \
                            gaitway quality out/*.bvh --json --max-skate 0.5")]
    Quality(QualityArgs),
    /// Draw motion: a strobe sheet, a view from above, or an animated GIF.
    #[command(after_help = "Examples:\n  gaitway render walk.bvh -o walk.png\n  \
                            gaitway render walk.bvh -o walk.gif --style points\n  \
                            gaitway render walk.bvh -o path.svg --view top")]
    Render(RenderArgs),
    /// Try everything on built-in motion: no file, no download.
    #[command(after_help = "Example:\n  gaitway demo --out demo && open demo/index.html")]
    Demo(DemoArgs),
    /// Compare two clips frame by frame and find where they could be joined.
    #[command(
        after_help = "Examples:\n  gaitway distance walk.bvh turn.bvh --plot heat.png\n  \
                            gaitway distance walk.bvh walk.bvh --json"
    )]
    Distance(DistanceArgs),
    /// Build a motion graph from clips, or change one.
    #[command(
        after_help = "Examples:\n  gaitway build captures/ -o g.gway --labels labels.csv\n  \
                            gaitway build more/ --into g.gway\n  \
                            gaitway build @people.txt -o g.gway --retarget-to largest\n  \
                            gaitway build --rethreshold g.gway --threshold 8"
    )]
    Build(BuildArgs),
    /// Show what a motion graph holds: labels, components, what was lost and why.
    #[command(
        after_help = "Examples:\n  gaitway inspect g.gway\n  gaitway inspect g.gway --plot g.svg\n  \
                            gaitway inspect g.gway --plot curve.svg --show curves"
    )]
    Inspect(InspectArgs),
    /// Connect a graph better: interpolated motion where it shortens ways between captured frames.
    #[command(after_help = enrich::EXAMPLES)]
    Enrich(EnrichArgs),
    /// Measure how well connected and how steerable graphs are, side by side.
    #[command(after_help = eval::EXAMPLES)]
    Eval(EvalArgs),
    /// Wander through a graph at random, or find a seamless loop in it.
    #[command(
        after_help = "Examples:\n  gaitway walk g.gway --seconds 60 --label walk -o walk.bvh\n  \
                            gaitway walk g.gway --loop --label run -o run-loop.glb\n  \
                            gaitway walk g.gway --seconds 20 --to hero.glb -o hero-walks.glb",
        mut_arg("onto", |a| a.visible_alias("to"))
    )]
    Walk(WalkArgs),
    /// Go from one moment of a clip to another by the shortest way.
    #[command(
        after_help = "Example:\n  gaitway connect g.gway --from walk_01@1.5 --to sneak_02@3 -o way.bvh"
    )]
    Connect(ConnectArgs),
    /// Follow a path on the ground, in styles, round obstacles, alone or as a crowd; or end in a clip at a place.
    #[command(after_help = path::EXAMPLES, mut_arg("onto", |a| a.visible_alias("to")))]
    Path(Box<PathArgs>),
    /// See a graph, tune it, sketch a path and watch the motion, in a browser on this machine.
    #[command(
        after_help = "Examples:\n  gaitway studio\n  gaitway studio g.gway --open\n  \
                            gaitway studio captures/ --project my-project\n  \
                            gaitway studio --bind 0.0.0.0 --token a-long-random-word\n\n\
                            Projects lie side by side in one folder, gaitway-studio/ unless --projects or --project names another. The demo is one of \
                            them, and keeps to itself. The page makes, opens and copies projects there and nowhere else."
    )]
    Studio(StudioArgs),
    /// Measure how fast this machine does it: the distance kernel, graphs, searches, feet, each as a ratio.
    #[command(
        after_help = "Examples:\n  gaitway bench\n  gaitway bench --only path-beam --runs 20 --json"
    )]
    Bench(BenchArgs),
    /// Print completions for a shell.
    #[command(
        after_help = "Example:\n  gaitway completions bash > ~/.local/share/bash-completion/completions/gaitway"
    )]
    Completions(CompletionsArgs),
    /// Print the manual page, or write one per verb.
    #[command(after_help = "Example:\n  gaitway man --out man1/")]
    Man(ManArgs),
}

/// What the user knows better than the file.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Reading")]
pub struct ReadArgs {
    /// Frames a second, over the file's header.
    #[arg(long, value_name = "HZ", value_parser = source_rate)]
    pub source_fps: Option<f64>,
    /// Length of one unit: m, cm, mm, dm, inch, foot, cmu, or metres as a number.
    #[arg(long, value_name = "UNIT", value_parser = parse_unit)]
    pub units: Option<Unit>,
    /// The axis that points up in the file.
    #[arg(long, value_name = "AXIS")]
    pub up: Option<UpArg>,
    /// Keep a first frame that looks like a T-pose put in by a converter.
    #[arg(long)]
    pub keep_first_frame: bool,
    /// Keep frames in which the root lies at the origin and is far from it before or after.
    #[arg(long)]
    pub keep_dropouts: bool,
    /// Mend frames in which joints are somewhere else for a frame or two, or stand still for up to 0.2 s and then leap; the
    /// default of verbs that make motion: `clean`, `build`, `retarget`, `edit`.
    #[arg(long)]
    pub repair_spikes: bool,
    /// Keep such frames as they are; the default of everything else.
    #[arg(long, conflicts_with = "repair_spikes")]
    pub keep_spikes: bool,
    /// Go on without files that cannot be read; they are told, and the exit code is that of the rest.
    #[arg(long)]
    pub skip_bad: bool,
    /// The format of what is read, where neither its name nor its first bytes say: bvh, amc, gltf, glb, fbx, c3d, trc, amass.
    #[arg(long, value_name = "FORMAT", value_parser = read_format)]
    pub format: Option<Format>,
    /// The ASF skeleton for AMC files (default: the one beside each); the body for AMASS files: a motion file with SMPL's joints, or an
    /// NPZ file with the array `joints`.
    #[arg(long, value_name = "FILE")]
    pub skeleton: Option<PathBuf>,
    /// How tall the person of AMASS files is, in metres, where no --skeleton says (default: 1.7).
    #[arg(long, value_name = "M", value_parser = body_height)]
    pub body_height: Option<f64>,
}

impl ReadArgs {
    /// As the library takes it.
    pub fn options(&self) -> ReadOptions {
        ReadOptions {
            source_fps: self.source_fps,
            unit: self.units.clone(),
            up: self.up.map(UpArg::axis),
            keep_first_frame: self.keep_first_frame,
            keep_dropouts: self.keep_dropouts,
            repair_spikes: self.repair_spikes,
            format: self.format,
            skeleton: self.skeleton.clone(),
            height_m: self.body_height,
        }
    }

    /// For verbs that make motion of what they read: spikes are mended unless they shall be kept.
    pub fn mending(&self) -> Self {
        Self {
            repair_spikes: !self.keep_spikes,
            ..self.clone()
        }
    }
}

/// An up axis as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum UpArg {
    /// +X
    X,
    /// +Y
    Y,
    /// +Z
    Z,
}

impl UpArg {
    /// As the library takes it.
    pub fn axis(self) -> UpAxis {
        match self {
            Self::X => UpAxis::X,
            Self::Y => UpAxis::Y,
            Self::Z => UpAxis::Z,
        }
    }
}

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell.
    pub shell: clap_complete::Shell,
}

/// Arguments of `man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Folder for one page per verb; without it the main page is printed.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// A range of seconds, open where nothing was said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SecondsRange {
    start: f64,
    end: Option<f64>,
}

impl SecondsRange {
    /// Both ends; what is open is as far as it can be.
    pub fn ends(self, open_end: f64) -> (f64, f64) {
        (self.start, self.end.unwrap_or(open_end))
    }

    /// As frames at a rate.
    pub fn frames(self, rate_hz: f64, count: usize) -> std::ops::Range<usize> {
        let frame = |s: f64| ((s * rate_hz).round() as usize).min(count);
        frame(self.start)..self.end.map_or(count, frame)
    }
}

fn parse_range(text: &str) -> Result<SecondsRange, String> {
    let wrong = || format!("expected seconds as A..B, A.. or ..B, found `{text}`");
    let (a, b) = text.split_once("..").ok_or_else(wrong)?;
    let number = |t: &str| {
        t.trim()
            .parse::<f64>()
            .ok()
            .filter(|v| (0.0..=HUGE).contains(v))
    };
    let start = if a.trim().is_empty() {
        0.0
    } else {
        number(a).ok_or_else(wrong)?
    };
    let end = if b.trim().is_empty() {
        None
    } else {
        Some(number(b).ok_or_else(wrong)?)
    };
    if end.is_some_and(|e| e <= start) {
        return Err(format!("expected an end after the start, found `{text}`"));
    }
    Ok(SecondsRange { start, end })
}

fn parse_pair(text: &str) -> Result<(String, String), String> {
    match text.split_once(',') {
        Some((a, b)) if !a.trim().is_empty() && !b.trim().is_empty() => {
            Ok((a.trim().to_owned(), b.trim().to_owned()))
        }
        _ => Err(format!(
            "expected two labels or names as A,B, found `{text}`"
        )),
    }
}

fn parse_pattern(text: &str) -> Result<(String, String), String> {
    match text.rsplit_once('=') {
        Some((pattern, label)) if !pattern.is_empty() && !label.is_empty() => {
            Ok((pattern.to_owned(), label.to_owned()))
        }
        _ => Err(format!("expected PATTERN=LABEL, found `{text}`")),
    }
}

/// More than anything asked for can be: a billion metres, seconds, centimetres, …
const HUGE: f64 = 1e9;

/// A number that keeps a rule, or what was expected.
fn number(text: &str, expected: &str, holds: impl Fn(f64) -> bool) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|v| v.is_finite());
    number
        .filter(|v| v.abs() <= HUGE && holds(*v))
        .ok_or_else(|| format!("expected {expected}, found `{text}`"))
}

/// A whole number in a range, or what was expected.
fn count(text: &str, most: usize) -> Result<usize, String> {
    count_from(1, text, most)
}

fn count_from(least: usize, text: &str, most: usize) -> Result<usize, String> {
    let number = text.trim().parse::<usize>().ok();
    number
        .filter(|v| (least..=most).contains(v))
        .ok_or_else(|| format!("expected a whole number from {least} to {most}, found `{text}`"))
}

fn positive_number(text: &str) -> Result<f64, String> {
    number(text, "a number above 0, at most 1e9", |v| v > 0.0)
}

fn non_negative(text: &str) -> Result<f64, String> {
    number(text, "a number from 0 to 1e9", |v| v >= 0.0)
}

fn rate(text: &str) -> Result<f64, String> {
    number(text, "1 to 1000 frames a second", |v| {
        (1.0..=1000.0).contains(&v)
    })
}

fn source_rate(text: &str) -> Result<f64, String> {
    let expected = format!("{SLOWEST_HZ} to {FASTEST_HZ} frames a second");
    number(text, &expected, |v| limits::rate(v).is_ok())
}

fn motion_seconds(text: &str) -> Result<f64, String> {
    let most = limits::LONGEST_MOTION_S;
    let expected = format!("seconds above 0, at most {most} (three hours)");
    number(text, &expected, |v| v > 0.0 && v <= most)
}

/// Captured motion says nothing at more than 240 frames a second that it does not say at 30.
fn working_rate(text: &str) -> Result<f64, String> {
    number(text, "1 to 240 frames a second", |v| {
        (1.0..=240.0).contains(&v)
    })
}

/// A ceiling of nothing leaves nothing; one of ten metres leaves everything.
fn ceiling_cm(text: &str) -> Result<f64, String> {
    number(text, "centimetres above 0, at most 1000", |v| {
        v > 0.0 && v <= 1000.0
    })
}

fn bridge_seconds(text: &str) -> Result<f64, String> {
    number(text, "seconds from 0 to 3600", |v| {
        (0.0..=3600.0).contains(&v)
    })
}

fn window_seconds(text: &str) -> Result<f64, String> {
    number(text, "seconds above 0, at most 10", |v| {
        v > 0.0 && v <= 10.0
    })
}

/// Per cent as typed, with its sign: 0.03, 1.03 and 3 would each be a guess. As a share, 0.03.
fn percent(text: &str, most: f64) -> Result<f64, String> {
    let expected = format!("per cent from 0% to {most}%, such as 3%");
    match text.trim().strip_suffix('%') {
        Some(value) => number(value, &expected, |v| (0.0..=most).contains(&v))
            .map(|v| v / 100.0)
            .map_err(|_| format!("expected {expected}, found `{text}`")),
        None => Err(format!("expected {expected}, found `{text}`")),
    }
}

/// A leg half as long again is no leg.
fn leg_stretch(text: &str) -> Result<f64, String> {
    percent(text, 50.0)
}

fn any_stretch(text: &str) -> Result<f64, String> {
    percent(text, 1000.0)
}

fn read_format(text: &str) -> Result<Format, String> {
    Format::from_extension(text)
        .filter(|f| *f != Format::Npz)
        .ok_or_else(|| {
            format!("expected bvh, amc, gltf, glb, fbx, c3d, trc or amass, found `{text}`")
        })
}

fn body_height(text: &str) -> Result<f64, String> {
    let height = text
        .parse()
        .map_err(|_| format!("expected metres, found `{text}`"))?;
    gaitway::io::amass::Body::of_height(height).map(|_| height)
}

fn positive_count(text: &str) -> Result<usize, String> {
    count(text, 1_000_000)
}

fn thread_count(text: &str) -> Result<usize, String> {
    count(text, 1024)
}

fn run_count(text: &str) -> Result<usize, String> {
    count(text, 10_000)
}

/// Every frame is not coarse.
fn coarse_step(text: &str) -> Result<usize, String> {
    count_from(2, text, 1000)
}
