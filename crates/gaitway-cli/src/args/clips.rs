//! Verbs about clips.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use gaitway::io::{Unit, parse_unit};

use super::{
    ReadArgs, SecondsRange, UpArg, any_stretch, leg_stretch, non_negative, parse_range,
    positive_count, rate,
};

/// Arguments of `info`.
#[derive(Debug, Args)]
pub struct InfoArgs {
    /// Files, folders, @list.txt, or - for standard input.
    #[arg(required = true, value_name = "FILE")]
    pub inputs: Vec<String>,
    /// One JSON row per clip, for machines.
    #[arg(long)]
    pub json: bool,
    /// Also list the joints of every body, each below the one it hangs on; in JSON as `joint_names`.
    #[arg(long)]
    pub joints: bool,
    /// How to read.
    #[command(flatten)]
    pub read: ReadArgs,
}

/// Arguments of `convert`.
#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// A file, `file.glb#Animation`, - for standard input, a folder, or @list.txt.
    #[arg(value_name = "IN")]
    pub input: String,
    /// A file (bvh, glb, gltf, npz, amc), a folder with --to, or - for standard output in the format of --to.
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// The format to write when OUT is a folder. `amass` makes of OUT.npz, or of a folder, poses of SMPL's body models.
    #[arg(long, value_name = "FORMAT", value_parser = ["bvh", "glb", "gltf", "npz", "amc", "amass"])]
    pub to: Option<String>,
    /// A rigged file whose mesh shall move, skin, materials and all (OUT is .glb or .gltf); its skeleton must be the clip's.
    #[arg(long, value_name = "HERO.glb")]
    pub onto: Option<PathBuf>,
    /// Keep the animations that the file of --onto has, beside the clip.
    #[arg(long, requires = "onto")]
    pub keep_animations: bool,
    /// Resample to this rate.
    #[arg(long, value_name = "HZ", value_parser = rate)]
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
    /// Move travel that sits on other joints of the trunk to the root, all of it or what a root that travels itself leaves.
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

/// Arguments of `clean`.
#[derive(Debug, Args)]
pub struct CleanArgs {
    /// A motion file (or `file.glb#Animation`), or - for standard input; with --to also a folder or @list.txt.
    #[arg(value_name = "IN")]
    pub input: String,
    /// The motion to write: .bvh, .glb, .gltf or .npz; with --to the folder to write to.
    #[arg(short, long, value_name = "OUT")]
    pub out: PathBuf,
    /// Clean every clip of IN into the folder OUT, in this format.
    #[arg(long, value_name = "FORMAT", value_parser = ["bvh", "glb", "gltf", "npz"], conflicts_with = "plot")]
    pub to: Option<String>,
    /// Plants of the feet as CSV (file,joint,start_s,end_s); points it does not name are detected.
    #[arg(long, value_name = "FILE.csv")]
    pub contacts: Option<PathBuf>,
    /// Write what was done as JSON: spikes mended, plants held, root moved, legs stretched.
    #[arg(long, value_name = "R.json")]
    pub report: Option<PathBuf>,
    /// Print the report as JSON.
    #[arg(long)]
    pub json: bool,
    /// Draw how far planted points stray on the floor, before and after: .svg or .png.
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// How much longer than it is a leg may be made, in per cent of its length.
    #[arg(long, value_name = "PERCENT", default_value = "3%", value_parser = leg_stretch)]
    pub max_stretch: f64,
    /// How to read.
    #[command(flatten)]
    pub read: ReadArgs,
}

/// Arguments of `quality`.
#[derive(Debug, Args)]
pub struct QualityArgs {
    /// Files, folders, @list.txt, or - for standard input.
    #[arg(required = true, value_name = "FILE")]
    pub inputs: Vec<String>,
    /// One JSON row per clip, for machines.
    #[arg(long)]
    pub json: bool,
    /// Plants of the feet as CSV (file,joint,start_s,end_s); points it does not name are detected.
    #[arg(long, value_name = "FILE.csv")]
    pub contacts: Option<PathBuf>,
    /// Also measure the seam from the last frame to the first.
    #[arg(long = "loop")]
    pub looped: bool,
    /// List feet that slide, toes that pass low, jolts, sinking and floating with their times, worst first.
    #[arg(long)]
    pub events: bool,
    /// Draw how fast planted feet slide over time (one clip): .svg or .png.
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Exit 1 when planted feet slide faster than this on average, in cm/s.
    #[arg(long, value_name = "CM_S", value_parser = non_negative)]
    pub max_skate: Option<f64>,
    /// Exit 1 when the 95th percentile of sliding is above this, in cm/s.
    #[arg(long, value_name = "CM_S", value_parser = non_negative)]
    pub max_skate_p95: Option<f64>,
    /// Exit 1 when a planted point strays farther than this from its plant's mean, in cm.
    #[arg(long, value_name = "CM", value_parser = non_negative)]
    pub max_plant: Option<f64>,
    /// Exit 1 when a toe glides farther than this over the floor without being lifted, in cm.
    #[arg(long, value_name = "CM", value_parser = non_negative)]
    pub max_glide: Option<f64>,
    /// Exit 1 when toes glide more often than this a second.
    #[arg(long, value_name = "PER_S", value_parser = non_negative)]
    pub max_glides: Option<f64>,
    /// Exit 1 when a foot slides farther than this over the floor, in cm; toes that pass low in a swing do not count.
    #[arg(long, value_name = "CM", value_parser = non_negative)]
    pub max_slide: Option<f64>,
    /// Exit 1 when feet slide over the floor more often than this a second.
    #[arg(long, value_name = "PER_S", value_parser = non_negative)]
    pub max_slides: Option<f64>,
    /// Exit 1 when a joint accelerates more than this, in m/s².
    #[arg(long, value_name = "M_S2", value_parser = non_negative)]
    pub max_accel: Option<f64>,
    /// Exit 1 when a joint's turn accelerates more than this, in rad/s².
    #[arg(long, value_name = "RAD_S2", value_parser = non_negative)]
    pub max_angular_accel: Option<f64>,
    /// Exit 1 when a knee turns faster than this, in rad/s.
    #[arg(long, value_name = "RAD_S", value_parser = non_negative)]
    pub max_knee: Option<f64>,
    /// Exit 1 when a limb is longer than at rest by more than this, in per cent, e.g. 3%.
    #[arg(long, value_name = "PERCENT", value_parser = any_stretch)]
    pub max_stretch: Option<f64>,
    /// Exit 1 when any point of the body is deeper than this below the lowest floor, in cm.
    #[arg(long, value_name = "CM", value_parser = non_negative)]
    pub max_penetration: Option<f64>,
    /// Exit 1 when a foot is deeper than this below the level it is on, in cm; hands, knees and backs do not count.
    #[arg(long, value_name = "CM", value_parser = non_negative)]
    pub max_feet_penetration: Option<f64>,
    /// Exit 1 when a standing body is higher than this above the floor, in cm.
    #[arg(long, value_name = "CM", value_parser = non_negative)]
    pub max_float: Option<f64>,
    /// Exit 1 when a joint is farther than this from closing a loop, in cm (with --loop).
    #[arg(long, value_name = "CM", value_parser = non_negative, requires = "looped")]
    pub max_seam: Option<f64>,
    /// How to read.
    #[command(flatten)]
    pub read: ReadArgs,
}

/// Arguments of `render`.
#[derive(Debug, Args)]
pub struct RenderArgs {
    /// A motion file (or `file.glb#Animation`), or - for standard input.
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
    /// Frames a second of a GIF (at most 30).
    #[arg(long, value_name = "HZ", value_parser = rate)]
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
