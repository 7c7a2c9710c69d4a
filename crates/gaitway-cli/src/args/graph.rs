//! Verbs about where clips meet, graphs, and motion made from them.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{
    ReadArgs, SecondsRange, bridge_seconds, ceiling_cm, coarse_step, motion_seconds, non_negative,
    parse_pair, parse_pattern, parse_range, rate, window_seconds, working_rate,
};

/// Arguments of `distance`.
#[derive(Debug, Args)]
pub struct DistanceArgs {
    /// A clip.
    #[arg(value_name = "A")]
    pub a: String,
    /// Another clip of the same skeleton, or the same again.
    #[arg(value_name = "B")]
    pub b: String,
    /// Look at every N-th frame first: faster, may miss minima, and says how many of a sample it missed.
    #[arg(long, value_name = "N", value_parser = coarse_step)]
    pub coarse: Option<usize>,
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
    /// Working rate [default: 30, or as the graph was built].
    #[arg(long, value_name = "HZ", value_parser = working_rate)]
    pub fps: Option<f64>,
    /// Window in seconds [default: 0.5, or as the graph was built].
    #[arg(long, value_name = "S", value_parser = window_seconds)]
    pub window: Option<f64>,
    /// Weights over the window: box, triangle or gaussian.
    #[arg(long, value_name = "KERNEL", default_value = "triangle", value_parser = ["box", "triangle", "gaussian"])]
    pub kernel: String,
    /// Marker weights: uniform, limbs, no-fingers, or a file with a joint name and a weight per line.
    #[arg(long, value_name = "PRESET|FILE", default_value = "no-fingers")]
    pub weights: String,
    /// Meetings above this are not looked at, in cm.
    #[arg(long, value_name = "CM", default_value_t = 15.0, value_parser = ceiling_cm)]
    pub ceiling: f64,
    /// Compare places as they are, without moving one clip onto the other.
    #[arg(long)]
    pub fixed_place: bool,
}

impl MetricArgs {
    /// The working rate, in Hz.
    pub fn rate_hz(&self) -> f64 {
        self.fps.unwrap_or(30.0)
    }

    /// The window, in seconds.
    pub fn window_s(&self) -> f64 {
        self.window.unwrap_or(0.5)
    }
}

/// Arguments of `build`.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("threshold-choice").multiple(false))]
pub struct BuildArgs {
    /// Files, folders, or @list.txt.
    #[arg(
        value_name = "INPUT",
        required_unless_present = "rethreshold",
        conflicts_with = "rethreshold"
    )]
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
    /// Of clips of several bodies, take those of this clip's body.
    #[arg(long, value_name = "CLIP", conflicts_with_all = ["into", "rethreshold"])]
    pub skeleton_of: Option<String>,
    /// Of clips of several bodies, take those of the body with the most frames.
    #[arg(long, conflicts_with_all = ["into", "rethreshold", "skeleton_of"])]
    pub largest_group: bool,
    /// Put clips of all bodies on this one: a clip among the inputs, another file with a skeleton, or `largest`. Each clip is marked with a
    /// label, person=FOLDER.
    #[arg(long, value_name = "BODY", conflicts_with_all = ["into", "rethreshold", "skeleton_of", "largest_group"])]
    pub retarget_to: Option<String>,
    /// Take clips whose motion is there already, in the graph or among the inputs.
    #[arg(long)]
    pub allow_duplicates: bool,
    /// What is done when: CSV with file,label,start_s,end_s, and @, the second at which an action happens, where wanted.
    #[arg(long, value_name = "F.csv")]
    pub labels: Option<PathBuf>,
    /// Label clips whose file name fits a pattern with * and ?, e.g. 'walk*=walk'.
    #[arg(long, value_name = "PATTERN=LABEL", value_parser = parse_pattern)]
    pub label_names: Vec<(String, String)>,
    /// One threshold for all labels, in cm.
    #[arg(long, value_name = "CM", value_parser = non_negative, group = "threshold-choice")]
    pub threshold: Option<f64>,
    /// Thresholds per ordered pair of labels.
    #[arg(long, value_name = "F.toml", group = "threshold-choice")]
    pub thresholds: Option<PathBuf>,
    /// With --rethreshold or --into: raise the graph's thresholds that are lower than this, in cm; others stay.
    #[arg(long, value_name = "CM", value_parser = non_negative, group = "threshold-choice")]
    pub at_least: Option<f64>,
    /// Choose thresholds from the data (the default for new graphs; others keep theirs).
    #[arg(long, group = "threshold-choice")]
    pub auto: bool,
    /// Also use every clip with left and right swapped.
    #[arg(long)]
    pub with_mirrored: bool,
    /// How transitions get from clip to clip: blend (both play for half a second), cut (one is left at once, and the jump fades
    /// over half a second of the other), or auto: blends, and cuts at the ends of clips, where no blend fits. [default: auto, or
    /// as the graph was built]
    #[arg(long, value_name = "HOW", value_parser = ["auto", "blend", "cut"])]
    pub transitions: Option<String>,
    /// Which foot contacts may meet in a transition.
    #[arg(long, value_name = "RULE", default_value = "any", value_parser = ["any", "same", "change"])]
    pub contacts: String,
    /// Never compare clips of one label, folder or name with those of another, e.g. football,ballet.
    #[arg(long, value_name = "A,B", value_parser = parse_pair)]
    pub keep_apart: Vec<(String, String)>,
    /// Longest way between components that is kept, in seconds.
    #[arg(long, value_name = "S", default_value_t = 10.0, value_parser = bridge_seconds)]
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
    #[arg(long, value_name = "HZ", value_parser = rate)]
    pub out_fps: Option<f64>,
    /// How transitions are blended.
    #[arg(long, value_name = "BLEND", default_value = "centered", value_parser = ["centered", "start-end", "inertialized"])]
    pub blend: String,
    /// Leave the feet as the blends made them.
    #[arg(long)]
    pub no_clean: bool,
    /// Put the motion on this body when it is made: any file with a skeleton; of a rigged .glb the mesh comes along where OUT is a .glb.
    /// The way is as long as its legs are.
    #[arg(long, value_name = "BODY")]
    pub onto: Option<String>,
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
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = motion_seconds)]
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
    #[arg(
        long,
        value_name = "CLIP",
        requires = "looped",
        conflicts_with = "label"
    )]
    pub clip: Option<String>,
    /// With --loop: shortest and longest, in seconds.
    #[arg(long, value_name = "A..B", requires = "looped", value_parser = parse_range)]
    pub length: Option<SecondsRange>,
    /// With --loop: keep the travel, instead of looping on the spot.
    #[arg(long, requires = "looped")]
    pub keep_travel: bool,
    /// Also climb: stairs and platforms that were there when the clips were captured.
    #[arg(long, conflicts_with = "looped")]
    pub any_height: bool,
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
    /// What makes a way short: time, or cost (distances of its transitions, and how far standing feet are apart in them).
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
