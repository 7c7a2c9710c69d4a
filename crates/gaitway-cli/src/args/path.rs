//! Arguments of `path`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use gaitway::core::limits;
use gaitway::synth::SynthError;
use gaitway::synth::search::{BnbOptions, Epsilons};

use super::graph::MakeArgs;
use super::{count, number, positive_count, positive_number};

/// Shown below the help.
pub const EXAMPLES: &str = "\
Examples:
  gaitway path g.gway figure8 -o eight.bvh --plot eight.svg
  gaitway path g.gway curve.json --style walk@0..50%,sneak@50%.. -o way.glb --page way.html
  gaitway path g.gway line --style walk,pick-up@5 -o pick.bvh --gif pick.gif
  gaitway path g.gway line --duration 9 --arrive 3@4 -o on-time.bvh   # 4 m after 3 s, the end after 9 s
  gaitway path g.gway map.svg --scale 0.01 --obstacles rooms.json -o round.bvh
  gaitway path g.gway s --alternatives 3 -o s.bvh              # s-01.bvh is the best, then s-02.bvh, s-03.bvh
  gaitway path g.gway line --count 5 -o crowd.bvh              # five people, one after another: crowd-01-at-0.00s.bvh, …
  gaitway path g.gway line --count 5 -o crowd.bvh --scene crowd.glb   # and all five in one file
  gaitway path g.gway a.csv b.csv c.csv -o crossing.bvh        # one on each path, at the same time
  gaitway path g.gway s -o a.bvh --report a.json && gaitway path g.gway s --again 2..4 --from a.json --seed 1 -o b.bvh
  gaitway path g.gway s --search bnb --bite 120 --keep 30 -o s.bvh   # the paper's search, n = 120, m = 30
  gaitway path g.gway line --scale 0.3 --search ara -o short.bvh      # and how much cheaper any walk could be
  gaitway path g.gway --end sit@3,4,90 --style walk -o sit.bvh --play-out   # and get up again, if the clip does
  gaitway path g.gway --end sit@3,4,90 -o sit.bvh              # to sit at x 3, z 4, facing 90 degrees to the left of z";

/// Arguments of `path`.
#[derive(Debug, Args)]
pub struct PathArgs {
    /// A graph.
    #[arg(value_name = "G.gway")]
    pub graph: PathBuf,
    /// A file (JSON, CSV or SVG), or a curve: line, circle, figure8, zigzag, spiral, s, hello. Several make a crowd. None with
    /// --end.
    #[arg(value_name = "PATH")]
    pub paths: Vec<String>,
    /// Metres per unit of the path.
    #[arg(long, value_name = "F", default_value_t = 1.0, value_parser = positive_number)]
    pub scale: f64,
    /// Lead the path back to where it began.
    #[arg(long)]
    pub closed: bool,
    /// What is done where: walk@0..4,sneak@4..9 in metres, walk@0..50%,sneak@50%.., an action at a point: pick-up@6.5, whose
    /// event happens there. Where nothing is said, the path is walked in the manner of its start: the graph's most common
    /// label of going forward, without actions, stairs, or ways sideways and backwards; `any` lets anything be played.
    #[arg(long, value_name = "STYLES")]
    pub style: Option<String>,
    /// How long all of it lasts, in seconds. What the search leaves is taken out by playing up to a tenth slower or faster; what is
    /// missed by more than that is told.
    #[arg(long, value_name = "S", value_parser = positive_number)]
    pub duration: Option<f64>,
    /// When places are reached: 3.5@4,8@50%, in seconds, and metres or per cent of the path.
    #[arg(long, value_name = "S@PLACE")]
    pub arrive: Option<String>,
    /// How fast pieces are walked, in m/s: 1.2, or 1.2@0..4,2@4.. as with --style.
    #[arg(long, value_name = "M/S@FROM..TO")]
    pub speed: Option<String>,
    /// What must not be entered: JSON list of circle, box, polygon.
    #[arg(long, value_name = "F.json")]
    pub obstacles: Option<PathBuf>,
    /// Begin at this place with this heading (degrees, 0 along z, positive to the left).
    #[arg(long, value_name = "X,Z,HEADING", value_parser = parse_place, allow_hyphen_values = true)]
    pub start: Option<[f64; 3]>,
    /// End with this label, its event (the seat, the hand at the thing, the apex, the strike) at this place with this heading;
    /// or in this clip, its first frame there. Instead of a PATH, and without --closed, --scale, --bend, --corridor, --duration,
    /// --arrive, --speed, --count and --page, which say something about a path; --style holds on the way there. Who was to sit or stand is left sitting or standing: see --play-out.
    #[arg(long, value_name = "CLIP|LABEL@X,Z,HEADING", value_parser = parse_end,
          conflicts_with_all = ["paths", "bend", "count", "corridor", "page", "closed", "scale", "duration", "arrive", "speed"])]
    pub end: Option<EndArg>,
    /// With --end: play what follows as well, where a label that lasts (sit, stand, wait) goes on to something else: getting up
    /// again.
    #[arg(long)]
    pub play_out: bool,
    /// Never play this clip.
    #[arg(long, value_name = "CLIP")]
    pub forbid: Vec<String>,
    /// Never take this transition: two moments as a report's `from` and `to` name them.
    #[arg(long, value_name = "CLIP@S,CLIP@S", value_parser = super::parse_pair)]
    pub forbid_transition: Vec<(String, String)>,
    /// Stay this near to the path, in metres.
    #[arg(long, value_name = "M", value_parser = corridor_metres)]
    pub corridor: Option<f64>,
    /// How many people, who do not walk through each other and keep right where they come towards one another. OUT gets a number and
    /// the second at which each sets out: crowd-03-at-4.50s.bvh (default: one per PATH).
    #[arg(long, value_name = "K", value_parser = people)]
    pub count: Option<usize>,
    /// Write everybody into one file as well, each from when they set out: .glb, or .zip for a BVH file each and scene.json with
    /// names and seconds.
    #[arg(long, value_name = "FILE", conflicts_with = "end")]
    pub scene: Option<PathBuf>,
    /// How many different motions, the best first; OUT gets a number.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = alternatives, conflicts_with = "count")]
    pub alternatives: usize,
    /// Another seed gives another walk than seed 0, where there is one for what being 5 cm off the path costs; where there is none it is
    /// said. Two other seeds may agree: --alternatives gives walks that all differ.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// What is kept of a motion made before.
    #[command(flatten)]
    pub again: AgainArgs,
    /// How it is searched.
    #[command(flatten)]
    pub search: SearchArgs,
    /// What is drawn.
    #[command(flatten)]
    pub show: ShowArgs,
    /// How the walk becomes a motion.
    #[command(flatten)]
    pub make: MakeArgs,
}

/// A part of a motion made before, searched again.
#[derive(Debug, Args)]
#[command(next_help_heading = "Changing a part")]
pub struct AgainArgs {
    /// Search these seconds of a motion again and keep the rest; --seed chooses among other ways.
    #[arg(long, value_name = "FROM..TO", value_parser = parse_seconds, requires = "from",
          conflicts_with_all = ["end", "count", "alternatives"])]
    pub again: Option<(f64, f64)>,
    /// The motion it is about: the report that --report wrote, for the same graph and path.
    #[arg(long, value_name = "REPORT.json", requires = "again")]
    pub from: Option<PathBuf>,
    /// Which of the report's motions, from 1; the others of a crowd keep to their ways and are walked round.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = positive_count, requires = "again")]
    pub person: usize,
}

/// How a walk is searched.
#[derive(Debug, Args)]
#[command(next_help_heading = "Searching")]
pub struct SearchArgs {
    /// Which search: beam (global, the default), bnb (the paper's branch and bound) or ara (the beam, and then a proof of how much
    /// cheaper any walk could be: the report's bound; for paths of a few metres).
    #[arg(long, value_name = "SEARCH", default_value = "beam", value_parser = ["beam", "bnb", "ara"])]
    pub search: String,
    /// Searches that share the budget, each with a seed of its own, on as many threads as there are; the best walk of any
    /// is made better by all (default: 2). The same on any number of threads. For beam along a PATH.
    #[arg(long, alias = "starts", value_name = "N", value_parser = searches)]
    pub searches: Option<usize>,
    /// How many edges may be tried, by all searches together (default: by the path's length, for each search, and as much again for
    /// searches that look further ahead where a walk is far off its path).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=1_000_000_000_000))]
    pub expansions: Option<u64>,
    /// Stop the search after this many seconds; results then depend on the machine.
    #[arg(long, value_name = "S", value_parser = positive_number)]
    pub max_time: Option<f64>,
    /// With --search bnb: frames (at 30 a second) that are searched at once, a bite; the paper's n (default: 90).
    #[arg(long, value_name = "FRAMES", value_parser = bite_frames)]
    pub bite: Option<u32>,
    /// With --search bnb: frames of a bite that are kept before the next is searched; the paper's m (default: 30, or all of a
    /// shorter bite).
    #[arg(long, value_name = "FRAMES", value_parser = bite_frames)]
    pub keep: Option<u32>,
    /// With --search bnb: end a bite at the first walk that costs less than this, in m² summed over frames; the paper's ε
    /// (default: 0, the best is looked for).
    #[arg(long, value_name = "COST", value_parser = cost)]
    pub good_enough: Option<f64>,
    /// With --search bnb: draw by --seed among this many best walks of each bite; the paper's r (default: 1, or 5 with a
    /// --seed).
    #[arg(long, value_name = "R", value_parser = drawn_from)]
    pub draw_from: Option<usize>,
    /// With --search ara: by how much what is still to be paid is overrated, falling: 10..1, 10,3,1 or 1 (default: 1, the bound
    /// rises soonest). It ends when the walk is proven to cost at most the last times the best.
    #[arg(long, value_name = "E", value_parser = epsilons)]
    pub epsilon: Option<Epsilons>,
    /// Measure the walk by the root's own way, sway included, as the paper does: it then cuts corners and drifts on long paths.
    #[arg(long)]
    pub short_cuts: bool,
    /// Weigh everything beside nearness (transitions, facing, speed) this much: 0 is as near as can be, 8 is calm.
    #[arg(long, value_name = "F", default_value_t = 1.0, value_parser = naturalness)]
    pub natural: f64,
    /// Take out what error is left by bending the motion by at most this, in metres.
    #[arg(long, value_name = "M", value_parser = bend_metres)]
    pub bend: Option<f64>,
}

/// Pictures of what came of it.
#[derive(Debug, Args)]
#[command(next_help_heading = "Showing")]
pub struct ShowArgs {
    /// Draw path and motion: .svg or .png.
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// From where the plot is seen.
    #[arg(long, value_name = "VIEW", default_value = "map")]
    pub plot_view: PathViewArg,
    /// Draw the motion as an animation, as `render` does; a crowd in one, everybody on their way.
    #[arg(long, value_name = "FILE.gif")]
    pub gif: Option<PathBuf>,
    /// Write a page with pictures, charts and numbers.
    #[arg(long, value_name = "FILE.html")]
    pub page: Option<PathBuf>,
}

/// From where a path is seen, as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PathViewArg {
    /// From above, to scale.
    Map,
    /// From above at a slant: people are seen as people.
    Slant,
}

/// Where to end, and in what.
#[derive(Clone, Debug, PartialEq)]
pub struct EndArg {
    /// A clip or a label.
    pub what: String,
    /// x, z, heading in degrees.
    pub at: [f64; 3],
}

fn people(text: &str) -> Result<usize, String> {
    count(text, limits::MOST_PEOPLE)
}

fn alternatives(text: &str) -> Result<usize, String> {
    count(text, limits::MOST_ALTERNATIVES)
}

fn bite_frames(text: &str) -> Result<u32, String> {
    let most = BnbOptions::LONGEST_BITE;
    count(text, most as usize).map(|n| n as u32)
}

fn epsilons(text: &str) -> Result<Epsilons, String> {
    text.parse().map_err(|e: SynthError| e.to_string())
}

fn drawn_from(text: &str) -> Result<usize, String> {
    count(text, BnbOptions::MOST_BEST)
}

fn cost(text: &str) -> Result<f64, String> {
    number(text, "a cost from 0 to 1000000", |v| {
        (0.0..=1e6).contains(&v)
    })
}

fn corridor_metres(text: &str) -> Result<f64, String> {
    number(text, "metres above 0, at most 1000", |v| {
        v > 0.0 && v <= 1000.0
    })
}

fn bend_metres(text: &str) -> Result<f64, String> {
    number(text, "metres from 0 to 1000", |v| {
        (0.0..=1000.0).contains(&v)
    })
}

fn naturalness(text: &str) -> Result<f64, String> {
    number(text, "a number from 0 to 1000", |v| {
        (0.0..=1000.0).contains(&v)
    })
}

/// Each has memory of its own: more than this would ask for too much of it on long paths.
fn searches(text: &str) -> Result<usize, String> {
    count(text, 8)
}

/// What a place and a heading may be, in words.
fn place_words() -> String {
    let (far, turn) = (limits::FARTHEST_M, limits::MOST_DEGREES);
    format!("in metres (at most {far}) and degrees (at most {turn})")
}

fn parse_place(text: &str) -> Result<[f64; 3], String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|t| t.trim().parse()).collect();
    match numbers.map(<[f64; 3]>::try_from) {
        Ok(Ok([x, z, turn]))
            if limits::places([x, z]).is_ok() && turn.abs() <= limits::MOST_DEGREES =>
        {
            Ok([x, z, turn])
        }
        _ => Err(format!(
            "expected X,Z,HEADING {}, found `{text}`",
            place_words()
        )),
    }
}

fn parse_seconds(text: &str) -> Result<(f64, f64), String> {
    let wrong = || format!("expected FROM..TO in seconds, found `{text}`");
    let (from, to) = text.split_once("..").ok_or_else(wrong)?;
    let number = |t: &str| t.trim().parse::<f64>().ok().filter(|v| v.is_finite());
    match (number(from), number(to)) {
        (Some(from), Some(to)) if from >= 0.0 && to > from => Ok((from, to)),
        _ => Err(wrong()),
    }
}

fn parse_end(text: &str) -> Result<EndArg, String> {
    let end = match text.rsplit_once('@') {
        Some((what, at)) if !what.trim().is_empty() => parse_place(at).ok().map(|at| EndArg {
            what: what.trim().to_owned(),
            at,
        }),
        _ => None,
    };
    end.ok_or_else(|| {
        format!(
            "expected CLIP|LABEL@X,Z,HEADING {}, as in sit@3,4,90, found `{text}`",
            place_words()
        )
    })
}
