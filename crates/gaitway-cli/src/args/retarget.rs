//! Arguments of `retarget`.

use std::path::PathBuf;

use clap::Args;

use super::edit::keep;
use super::{KeepArg, ReadArgs};

/// What `--help` ends with.
pub const EXAMPLES: &str = "Examples:\n  gaitway retarget walk.bvh --to character.glb -o walk-character.glb\n  \
    gaitway retarget walk.bvh --to other.bvh -o walk-other.bvh --report r.json --plot bodies.svg\n  \
    gaitway retarget walk.bvh --to other.bvh -o out.bvh --map roles.toml\n  \
    gaitway retarget push.bvh --to other.bvh -o out.bvh --keep RightHand@1..2=cart.csv\n  \
    gaitway retarget captures/ --to other.bvh -o out --to-format bvh";

/// Arguments of `retarget`.
#[derive(Debug, Args)]
pub struct RetargetArgs {
    /// A motion file (or `file.glb#Animation`), or - for standard input; with --to-format also a folder or @list.txt.
    #[arg(value_name = "IN")]
    pub input: String,
    /// The body to put it on: any file with a skeleton (bvh, amc, glb, gltf, fbx). Its motion is not used.
    #[arg(long, value_name = "BODY")]
    pub to: String,
    /// The motion to write: .bvh, .glb, .gltf or .npz; with --to-format the folder to write to.
    #[arg(short, long, value_name = "OUT")]
    pub out: PathBuf,
    /// Put every clip of IN on the body, into the folder OUT, in this format.
    #[arg(long, value_name = "FORMAT", value_parser = ["bvh", "glb", "gltf", "npz"], conflicts_with = "plot")]
    pub to_format: Option<String>,
    /// Which joint is what, where it was not found: TOML with [roles], [source] or [target], e.g. LeftFoot = "foot_l".
    #[arg(long, value_name = "ROLES.toml")]
    pub map: Option<PathBuf>,
    /// Write what was mapped, kept and changed as JSON.
    #[arg(long, value_name = "R.json")]
    pub report: Option<PathBuf>,
    /// Print the report as JSON.
    #[arg(long)]
    pub json: bool,
    /// Draw both bodies at rest, roles in colours: .svg or .png.
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Seconds between the knots of the change: more is smoother, less keeps more.
    #[arg(long, value_name = "S", default_value = "0.2", value_parser = knots)]
    pub knots: f64,
    /// A joint of the body kept on something for a while, in metres of the world, which does not grow with the body: a table of t,x,y,z rows, a joint of another clip (FILE:JOINT), or a place.
    #[arg(long, value_name = "JOINT@A..B=THING", value_parser = keep, conflicts_with_all = ["to_format", "no_solve"])]
    pub keep: Vec<KeepArg>,
    /// Hands that are together in IN need not be so on the body.
    #[arg(long, conflicts_with = "no_solve")]
    pub free_hands: bool,
    /// Copy angles and scale travel, and leave it at that: feet slide.
    #[arg(long, conflicts_with = "knots")]
    pub no_solve: bool,
    /// How to read.
    #[command(flatten)]
    pub read: ReadArgs,
}

fn knots(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(v) if (0.02..=2.0).contains(&v) => Ok(v),
        _ => Err("a number of seconds from 0.02 to 2".to_owned()),
    }
}
