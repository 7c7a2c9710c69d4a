//! Every verb and flag, defined once; help, completions and manual pages come from here.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use gaitway::io::{ReadOptions, Unit, UpAxis, parse_unit};

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
    #[arg(long, global = true, value_name = "N", value_parser = positive_count)]
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
    /// Convert motion between formats; cut, mirror, resample on the way.
    #[command(after_help = "Examples:\n  gaitway convert walk.bvh walk.glb\n  \
                            gaitway convert walk.bvh turn.bvh --cut 1.5..4 --mirror\n  \
                            gaitway convert captures/ out/ --to glb --out-fps 60")]
    Convert(ConvertArgs),
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
    #[command(after_help = "Examples:\n  gaitway build captures/ -o g.gway --labels labels.csv\n  \
                            gaitway build more/ --into g.gway\n  \
                            gaitway build --rethreshold g.gway --threshold 8")]
    Build(BuildArgs),
    /// Show what a motion graph holds: labels, components, what was lost and why.
    #[command(after_help = "Examples:\n  gaitway inspect g.gway\n  gaitway inspect g.gway --plot g.svg\n  \
                            gaitway inspect g.gway --plot curve.svg --show curves")]
    Inspect(InspectArgs),
    /// Wander through a graph at random, or find a seamless loop in it.
    #[command(after_help = "Examples:\n  gaitway walk g.gway --seconds 60 --label walk -o walk.bvh\n  \
                            gaitway walk g.gway --loop --label run -o run-loop.glb")]
    Walk(WalkArgs),
    /// Go from one moment of a clip to another by the shortest way.
    #[command(after_help = "Example:\n  gaitway connect g.gway --from walk_01@1.5 --to sneak_02@3 -o way.bvh")]
    Connect(ConnectArgs),
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
    #[arg(long, value_name = "HZ", value_parser = positive_number)]
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
    /// Keep frames in which the root drops to the origin.
    #[arg(long)]
    pub keep_dropouts: bool,
    /// The ASF skeleton for AMC files (default: the one beside each).
    #[arg(long, value_name = "FILE.asf")]
    pub skeleton: Option<PathBuf>,
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
            skeleton: self.skeleton.clone(),
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

/// Arguments of `info`.
#[derive(Debug, Args)]
pub struct InfoArgs {
    /// Files, folders, or @list.txt.
    #[arg(required = true, value_name = "FILE")]
    pub inputs: Vec<String>,
    /// One JSON row per clip, for machines.
    #[arg(long)]
    pub json: bool,
    /// How to read.
    #[command(flatten)]
    pub read: ReadArgs,
}

/// Arguments of `convert`.
#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// A file, `file.glb#Animation`, a folder, or @list.txt.
    #[arg(value_name = "IN")]
    pub input: String,
    /// A file (bvh, glb, gltf, npz, amc), or a folder with --to.
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// The format to write when OUT is a folder.
    #[arg(long, value_name = "FORMAT", value_parser = ["bvh", "glb", "gltf", "npz", "amc"])]
    pub to: Option<String>,
    /// Resample to this rate.
    #[arg(long, value_name = "HZ", value_parser = positive_number)]
    pub out_fps: Option<f64>,
    /// Keep only these seconds, e.g. 1.5..4, ..4 or 2.. (counted from the first frame kept).
    #[arg(long, value_name = "A..B", value_parser = parse_range)]
    pub cut: Option<SecondsRange>,
    /// Swap left and right.
    #[arg(long)]
    pub mirror: bool,
    /// Take travel and turning out, for engines that move the character themselves.
    #[arg(long)]
    pub in_place: bool,
    /// Move travel that sits on another joint to the root.
    #[arg(long)]
    pub root_motion: bool,
    /// Unit to write, where the format leaves it open (default: the source's, else cm).
    #[arg(long, value_name = "UNIT", value_parser = parse_unit)]
    pub out_units: Option<Unit>,
    /// Up axis to write, where the format leaves it open (default: the source's).
    #[arg(long, value_name = "AXIS")]
    pub out_up: Option<UpArg>,
    /// How to read.
    #[command(flatten)]
    pub read: ReadArgs,
}

/// Arguments of `quality`.
#[derive(Debug, Args)]
pub struct QualityArgs {
    /// Files, folders, or @list.txt.
    #[arg(required = true, value_name = "FILE")]
    pub inputs: Vec<String>,
    /// One JSON row per clip, for machines.
    #[arg(long)]
    pub json: bool,
    /// Plants of the feet as CSV (file,joint,start_s,end_s) instead of detecting them.
    #[arg(long, value_name = "FILE.csv")]
    pub contacts: Option<PathBuf>,
    /// Also measure the seam from the last frame to the first.
    #[arg(long = "loop")]
    pub looped: bool,
    /// List every plant of a foot with its times and slide.
    #[arg(long)]
    pub events: bool,
    /// Exit 1 when planted feet slide faster than this on average, in cm/s.
    #[arg(long, value_name = "CM_S", value_parser = non_negative)]
    pub max_skate: Option<f64>,
    /// Exit 1 when a planted point strays farther than this from its plant's mean, in cm.
    #[arg(long, value_name = "CM", value_parser = non_negative)]
    pub max_plant: Option<f64>,
    /// Exit 1 when a joint accelerates more than this, in m/s².
    #[arg(long, value_name = "M_S2", value_parser = non_negative)]
    pub max_accel: Option<f64>,
    /// Exit 1 when a limb is stretched by more than this share, e.g. 0.03.
    #[arg(long, value_name = "RATIO", value_parser = non_negative)]
    pub max_stretch: Option<f64>,
    /// Exit 1 when a foot sinks deeper than this below the floor, in cm.
    #[arg(long, value_name = "CM", value_parser = non_negative)]
    pub max_penetration: Option<f64>,
    /// How to read.
    #[command(flatten)]
    pub read: ReadArgs,
}

/// Arguments of `render`.
#[derive(Debug, Args)]
pub struct RenderArgs {
    /// A motion file (or `file.glb#Animation`).
    #[arg(value_name = "FILE")]
    pub input: String,
    /// The picture: .png, .svg, or .gif for an animation.
    #[arg(short, long, value_name = "OUT")]
    pub out: PathBuf,
    /// Where to look from.
    #[arg(long, default_value = "side")]
    pub view: ViewArg,
    /// How to draw the body.
    #[arg(long, default_value = "solid")]
    pub style: StyleArg,
    /// How many poses a strobe sheet shows (default: as many as fit).
    #[arg(long, value_name = "N", value_parser = positive_count)]
    pub poses: Option<usize>,
    /// Width in pixels.
    #[arg(long, value_name = "PX", value_parser = positive_count)]
    pub width: Option<usize>,
    /// Height in pixels.
    #[arg(long, value_name = "PX", value_parser = positive_count)]
    pub height: Option<usize>,
    /// Frames a second of a GIF (at most 50).
    #[arg(long, value_name = "HZ", value_parser = positive_number)]
    pub out_fps: Option<f64>,
    /// Show only these seconds, e.g. 1.5..4.
    #[arg(long, value_name = "A..B", value_parser = parse_range)]
    pub cut: Option<SecondsRange>,
    /// How to read.
    #[command(flatten)]
    pub read: ReadArgs,
}

/// A view as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ViewArg {
    /// Across the direction of travel.
    Side,
    /// Towards the face.
    Front,
    /// From above, with the path on the ground.
    Top,
    /// From a raised corner, in perspective.
    ThreeQuarter,
}

/// A style as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StyleArg {
    /// Lines and joints.
    Stick,
    /// Shaded limbs.
    Solid,
    /// Bright points on dark.
    Points,
}

/// Arguments of `demo`.
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// Folder for the results.
    #[arg(long, value_name = "DIR", default_value = "gaitway-demo")]
    pub out: PathBuf,
    /// Another seed gives another performance.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// Arguments of `distance`.
#[derive(Debug, Args)]
pub struct DistanceArgs {
    /// A clip.
    #[arg(value_name = "A")]
    pub a: String,
    /// Another clip of the same skeleton, or the same again.
    #[arg(value_name = "B")]
    pub b: String,
    /// Write the whole grid as NPY: √D in cm, f32, frames of A × frames of B.
    #[arg(long, value_name = "FILE.npy")]
    pub npy: Option<PathBuf>,
    /// Draw the grid as a heat map with its minima.
    #[arg(long, value_name = "FILE.png")]
    pub plot: Option<PathBuf>,
    /// Minima as JSON.
    #[arg(long)]
    pub json: bool,
    /// How frames are compared.
    #[command(flatten)]
    pub metric: MetricArgs,
    /// How to read.
    #[command(flatten)]
    pub read: ReadArgs,
}

/// How frames are compared.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Comparing")]
pub struct MetricArgs {
    /// Working rate.
    #[arg(long, value_name = "HZ", default_value_t = 30.0, value_parser = positive_number)]
    pub fps: f64,
    /// Window in seconds.
    #[arg(long, value_name = "S", default_value_t = 0.5, value_parser = positive_number)]
    pub window: f64,
    /// Weights over the window: box, triangle or gaussian.
    #[arg(long, value_name = "KERNEL", default_value = "triangle", value_parser = ["box", "triangle", "gaussian"])]
    pub kernel: String,
    /// Marker weights: uniform, limbs, no-fingers, or a file with a joint name and a weight per line.
    #[arg(long, value_name = "PRESET|FILE", default_value = "no-fingers")]
    pub weights: String,
    /// Meetings above this are not looked at, in cm.
    #[arg(long, value_name = "CM", default_value_t = 15.0, value_parser = non_negative)]
    pub ceiling: f64,
    /// Compare places as they are, without moving one clip onto the other.
    #[arg(long)]
    pub fixed_place: bool,
}

/// Arguments of `build`.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("threshold-choice").multiple(false))]
pub struct BuildArgs {
    /// Files, folders, or @list.txt.
    #[arg(value_name = "INPUT", required_unless_present = "rethreshold", conflicts_with = "rethreshold")]
    pub inputs: Vec<String>,
    /// The graph to write.
    #[arg(short, long, value_name = "G.gway", required_unless_present_any = ["into", "rethreshold"])]
    pub out: Option<PathBuf>,
    /// Add the clips to this graph; only new pairs are compared.
    #[arg(long, value_name = "G.gway", conflicts_with = "rethreshold")]
    pub into: Option<PathBuf>,
    /// Change the thresholds of this graph; nothing is compared again.
    #[arg(long, value_name = "G.gway")]
    pub rethreshold: Option<PathBuf>,
    /// What is done when: CSV with file,label,start_s,end_s.
    #[arg(long, value_name = "F.csv")]
    pub labels: Option<PathBuf>,
    /// Label clips whose name holds a word or fits a pattern with *: `--label-names walk=walk`.
    #[arg(long, value_name = "PATTERN=LABEL", value_parser = parse_pattern)]
    pub label_names: Vec<(String, String)>,
    /// One threshold for all labels, in cm.
    #[arg(long, value_name = "CM", value_parser = non_negative, group = "threshold-choice")]
    pub threshold: Option<f64>,
    /// Thresholds per ordered pair of labels.
    #[arg(long, value_name = "F.toml", group = "threshold-choice")]
    pub thresholds: Option<PathBuf>,
    /// Choose thresholds from the data (the default).
    #[arg(long, group = "threshold-choice")]
    pub auto: bool,
    /// Also use every clip with left and right swapped.
    #[arg(long)]
    pub with_mirrored: bool,
    /// Which foot contacts may meet in a transition.
    #[arg(long, value_name = "RULE", default_value = "any", value_parser = ["any", "same", "change"])]
    pub contacts: String,
    /// Longest way between components that is kept, in seconds.
    #[arg(long, value_name = "S", default_value_t = 10.0, value_parser = non_negative)]
    pub bridge: f64,
    /// Keep transitions that nearly repeat one another.
    #[arg(long)]
    pub keep_all_transitions: bool,
    /// Write the account as JSON.
    #[arg(long, value_name = "R.json")]
    pub report: Option<PathBuf>,
    /// Print the account as JSON.
    #[arg(long)]
    pub json: bool,
    /// How frames are compared.
    #[command(flatten)]
    pub metric: MetricArgs,
    /// How to read.
    #[command(flatten)]
    pub read: ReadArgs,
}

/// Arguments of `inspect`.
#[derive(Debug, Args)]
pub struct InspectArgs {
    /// A graph.
    #[arg(value_name = "G.gway")]
    pub graph: PathBuf,
    /// The account as JSON, with labels, links and threshold curves.
    #[arg(long)]
    pub json: bool,
    /// Check every byte against the file's checksums.
    #[arg(long)]
    pub verify: bool,
    /// Draw it: .svg or .png.
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// What to draw.
    #[arg(long, default_value = "graph")]
    pub show: PlotArg,
    /// Write the graph for Graphviz.
    #[arg(long, value_name = "FILE.dot")]
    pub dot: Option<PathBuf>,
    /// Write the graph as GraphML.
    #[arg(long, value_name = "FILE.graphml")]
    pub graphml: Option<PathBuf>,
}

/// How a walk becomes a motion.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Making")]
pub struct MakeArgs {
    /// The motion to write: .bvh, .glb, .gltf or .npz.
    #[arg(short, long, value_name = "OUT")]
    pub out: PathBuf,
    /// Rate of the motion (default: the highest source rate in the graph).
    #[arg(long, value_name = "HZ", value_parser = positive_number)]
    pub out_fps: Option<f64>,
    /// How transitions are blended.
    #[arg(long, value_name = "BLEND", default_value = "centered", value_parser = ["centered", "start-end", "inertialized"])]
    pub blend: String,
    /// Write where the motion came from and its transitions as JSON.
    #[arg(long, value_name = "R.json")]
    pub report: Option<PathBuf>,
    /// Print the report as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `walk`.
#[derive(Debug, Args)]
pub struct WalkArgs {
    /// A graph.
    #[arg(value_name = "G.gway")]
    pub graph: PathBuf,
    /// How long.
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = positive_number)]
    pub seconds: f64,
    /// Stay with what carries this label.
    #[arg(long, value_name = "LABEL")]
    pub label: Option<String>,
    /// Where to begin, e.g. walk_01@1.5.
    #[arg(long, value_name = "CLIP@S", conflicts_with = "looped")]
    pub start: Option<String>,
    /// Same seed, same walk.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Find the most seamless loop instead, of --label or --clip.
    #[arg(long = "loop")]
    pub looped: bool,
    /// With --loop: within this clip.
    #[arg(long, value_name = "CLIP", requires = "looped", conflicts_with = "label")]
    pub clip: Option<String>,
    /// With --loop: shortest and longest, in seconds.
    #[arg(long, value_name = "A..B", requires = "looped", value_parser = parse_range)]
    pub length: Option<SecondsRange>,
    /// With --loop: keep the travel, instead of looping on the spot.
    #[arg(long, requires = "looped")]
    pub keep_travel: bool,
    /// How the walk becomes a motion.
    #[command(flatten)]
    pub make: MakeArgs,
}

/// Arguments of `connect`.
#[derive(Debug, Args)]
pub struct ConnectArgs {
    /// A graph.
    #[arg(value_name = "G.gway")]
    pub graph: PathBuf,
    /// Where to begin, e.g. walk_01@1.5.
    #[arg(long, value_name = "CLIP@S")]
    pub from: String,
    /// Where to end.
    #[arg(long, value_name = "CLIP@S")]
    pub to: String,
    /// What makes a way short: time, or cost (distances of its transitions).
    #[arg(long, value_name = "MEASURE", default_value = "time", value_parser = ["time", "cost"])]
    pub by: String,
    /// How the walk becomes a motion.
    #[command(flatten)]
    pub make: MakeArgs,
}

/// A plot as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlotArg {
    /// Clips as lanes, transitions as arcs.
    Graph,
    /// Connectivity against the threshold.
    Curves,
    /// How labels lead to one another.
    Labels,
    /// How distances are spread.
    Distances,
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
            .filter(|v| v.is_finite() && *v >= 0.0)
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
        return Err(format!("`{text}` ends before it starts"));
    }
    Ok(SecondsRange { start, end })
}

fn parse_pattern(text: &str) -> Result<(String, String), String> {
    match text.rsplit_once('=') {
        Some((pattern, label)) if !pattern.is_empty() && !label.is_empty() => {
            Ok((pattern.to_owned(), label.to_owned()))
        }
        _ => Err(format!("expected PATTERN=LABEL, found `{text}`")),
    }
}

fn positive_number(text: &str) -> Result<f64, String> {
    let number = text
        .parse::<f64>()
        .ok()
        .filter(|v| v.is_finite() && *v > 0.0);
    number.ok_or_else(|| format!("expected a number above 0, found `{text}`"))
}

fn non_negative(text: &str) -> Result<f64, String> {
    let number = text
        .parse::<f64>()
        .ok()
        .filter(|v| v.is_finite() && *v >= 0.0);
    number.ok_or_else(|| format!("expected a number of 0 or more, found `{text}`"))
}

fn positive_count(text: &str) -> Result<usize, String> {
    let number = text.parse::<usize>().ok().filter(|v| *v > 0);
    number.ok_or_else(|| format!("expected a whole number above 0, found `{text}`"))
}
