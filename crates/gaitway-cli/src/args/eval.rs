//! Arguments of `eval`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use gaitway::eval::connectivity::{BOUND_TIMES, Form};

use super::{count, count_from, number};

/// Shown below the help.
pub const EXAMPLES: &str = "\
Examples:
  gaitway eval g.gway
  gaitway eval plain.gway better.gway --threshold 2,3 --form decay
  gaitway eval g.gway --threshold 1x,2x --visible           # in multiples of the distance at which joins begin to be seen, measured
  gaitway eval g.gway --threshold built --form blend --curves line,s,figure8 --make 50
  gaitway eval g.gway --threshold 3 --form cut --plot reach.png --show reach
  gaitway eval a.gway b.gway --json > measures.json

Forms, which are never mixed: `cut` (a join takes one frame, the papers' convention), `decay` (the same, and no second join until \
the jump has faded, 0.2 s), `bounded` (the same, and the √D of the joins in any half second add up to no more than --bound thresholds) and `blend` (what the graph plays, its transitions as long as they last). Measures are explained in the \
book's chapter on connectivity.";

/// A threshold as typed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ThresholdArg {
    /// Centimetres.
    Cm(f64),
    /// A multiple of the visible one.
    Visible(f64),
    /// The graph's own.
    Built,
}

/// A form as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormArg {
    /// A join takes one frame.
    Cut,
    /// The same, and no second join while the jump fades.
    Decay,
    /// The same, and what ways jump in half a second keeps a bound.
    Bounded,
    /// What the graph plays.
    Blend,
}

impl FormArg {
    /// As the library takes it.
    pub fn form(self) -> Form {
        match self {
            Self::Cut => Form::Cut,
            Self::Decay => Form::Decay,
            Self::Bounded => Form::Bounded,
            Self::Blend => Form::Blend,
        }
    }
}

/// A plot as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EvalPlotArg {
    /// The largest component against the threshold.
    Component,
    /// Mean time between frames against the threshold.
    Time,
    /// Local maneuverability against the threshold.
    Lm,
    /// Who reaches whom, at the first threshold and in the first form.
    Reach,
}

/// Arguments of `eval`.
#[derive(Debug, Args)]
pub struct EvalArgs {
    /// Graphs, side by side; later ones are also measured over the frames of the first one's largest component.
    #[arg(value_name = "G.gway", required = true)]
    pub graphs: Vec<PathBuf>,
    /// Thresholds: cm, multiples of the visible one as 1.5x, or `built` for those of the graph itself.
    #[arg(long, value_name = "CM,…", value_delimiter = ',', default_value = "1,2,3,4,6,10", value_parser = threshold)]
    pub threshold: Vec<ThresholdArg>,
    /// What a join costs: cut, decay, bounded (whose searches take much longer), blend, or several of them.
    #[arg(
        long,
        value_name = "FORM,…",
        value_delimiter = ',',
        default_value = "cut,decay,blend"
    )]
    pub form: Vec<FormArg>,
    /// Join only where a whole window of frames was compared, not near the ends of clips (in all forms but `blend`).
    #[arg(long)]
    pub no_ends: bool,
    /// What ways of the form `bounded` may jump in half a second, in thresholds.
    #[arg(long, value_name = "TIMES", default_value_t = BOUND_TIMES, value_parser = bound_times)]
    pub bound: f64,
    /// Follow these curves with each graph as it stands: line, circle, figure8, zigzag, spiral, s, hello, or all.
    #[arg(long, value_name = "CURVE,…", value_delimiter = ',')]
    pub curves: Vec<String>,
    /// Make this many quickest ways of each graph as it stands into motion, between the same captured frames in all graphs, and tell what is
    /// seen: feet that slide, joints that jump, contacts that differ.
    #[arg(long, value_name = "N", value_parser = some_count)]
    pub make: Option<usize>,
    /// Put segments of each graph as it stands into a square room of this side in metres, with four pillars, and see how soon other
    /// behaviours are reached there.
    #[arg(long, value_name = "M", value_parser = room_side)]
    pub room: Option<f64>,
    /// Measure on these graphs at which distance joins begin to be seen (else 3.7 cm).
    #[arg(long)]
    pub visible: bool,
    /// Frames that are searched from (default: all where that is soon done, else 512).
    #[arg(long, value_name = "N", value_parser = some_count)]
    pub samples: Option<usize>,
    /// Quickest ways that are looked at for what they sum up; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = way_count)]
    pub ways: usize,
    /// What is drawn at random is drawn by it.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// All numbers as JSON.
    #[arg(long)]
    pub json: bool,
    /// Draw it: .svg or .png.
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// What to draw: of one graph a line per form, of several a line per graph in the first form.
    #[arg(long, default_value = "component")]
    pub show: EvalPlotArg,
}

fn threshold(text: &str) -> Result<ThresholdArg, String> {
    let text = text.trim();
    if text == "built" {
        return Ok(ThresholdArg::Built);
    }
    let expected = "centimetres above 0, at most 1000, a multiple as 1.5x, or `built`";
    let holds = |v: f64| v > 0.0 && v <= 1000.0;
    let found = |e: String| {
        e.split(", found")
            .next()
            .map_or(String::new(), str::to_owned)
            + &format!(", found `{text}`")
    };
    match text.strip_suffix('x') {
        Some(times) => number(times, expected, holds).map(ThresholdArg::Visible),
        None => number(text, expected, holds).map(ThresholdArg::Cm),
    }
    .map_err(found)
}

fn room_side(text: &str) -> Result<f64, String> {
    number(text, "metres from 2 to 100", |v| (2.0..=100.0).contains(&v))
}

fn bound_times(text: &str) -> Result<f64, String> {
    // Below 1 joins at the threshold itself would be left out.
    number(text, "thresholds from 1 to 100", |v| {
        (1.0..=100.0).contains(&v)
    })
}

fn some_count(text: &str) -> Result<usize, String> {
    count(text, 1_000_000)
}

fn way_count(text: &str) -> Result<usize, String> {
    count_from(0, text, 1_000_000)
}
