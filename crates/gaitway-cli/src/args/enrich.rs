//! Arguments of `enrich`.

use std::path::PathBuf;

use clap::Args;

use super::{count, number};

/// Shown below the help.
pub const EXAMPLES: &str = "\
Examples:
  gaitway enrich g.gway -o better.gway
  gaitway enrich g.gway -o better.gway --steps 7            # finer, and several times as long
  gaitway eval g.gway better.gway --threshold built --form blend   # what it brought

Clips are cut where contacts change, segments with the same contacts are interpolated, and of all that only what shortens ways between \
captured frames is kept. What comes out is an ordinary graph: walk, path, connect and the studio take it as any other. It pays where thresholds are \
low: a graph that holds together already gains little. A minute or two of clips take seconds with 3 steps, and time grows with the square of both. \
Ctrl-C keeps what was compared, and the same command goes on from there. The book's chapter on connectivity says how it works.";

/// Arguments of `enrich`.
#[derive(Debug, Args)]
pub struct EnrichArgs {
    /// The graph to connect better.
    #[arg(value_name = "G.gway")]
    pub graph: PathBuf,
    /// Where the better graph goes.
    #[arg(short, long, value_name = "W.gway")]
    pub out: PathBuf,
    /// How many motions are put between two segments, evenly from the one to the other: 1 to 63.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = steps)]
    pub steps: usize,
    /// The largest jump of a join, in cm (the distance of frames that `build --threshold` speaks of), up to the graph's ceiling. Joins keep to the
    /// graph's own thresholds as well.
    #[arg(long, value_name = "CM", default_value_t = 3.0, value_parser = threshold)]
    pub threshold: f64,
    /// How much more a way is charged for interpolated frames that no earlier way has used, 1 to 1000: 1 keeps all that best ways need, more keeps
    /// less.
    #[arg(long, value_name = "TIMES", default_value_t = 5.0, value_parser = mu)]
    pub mu: f64,
    /// How a join gets from one clip into another: by a jump that fades over a quarter of a second, or within a frame, as in the paper (to
    /// measure and compare; what is played then jumps).
    #[arg(long, value_name = "FORM", default_value = "fading", value_parser = ["fading", "frame"])]
    pub form: String,
    /// Also interpolate segments whose contacts before or after differ: more pairs, most of them too short to be entered and left.
    #[arg(long)]
    pub any_neighbours: bool,
    /// What came of it as JSON.
    #[arg(long)]
    pub json: bool,
    /// The same, written to a file.
    #[arg(long, value_name = "FILE.json")]
    pub report: Option<PathBuf>,
}

fn steps(text: &str) -> Result<usize, String> {
    count(text, 63)
}

fn threshold(text: &str) -> Result<f64, String> {
    number(text, "centimetres above 0, at most 1000", |v| {
        v > 0.0 && v <= 1000.0
    })
}

fn mu(text: &str) -> Result<f64, String> {
    number(text, "a number from 1 to 1000", |v| {
        (1.0..=1000.0).contains(&v)
    })
}
