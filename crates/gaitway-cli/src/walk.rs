//! `gaitway walk`: random walks and seamless loops.

use gaitway::eval::quality::{QualityOptions, feet_words, quality};
use gaitway::graph::MotionGraph;
use gaitway::synth::motion::finish_loop;
use gaitway::synth::{
    Loop, LoopOptions, LoopScope, RandomWalk, STRAIGHT_RAD, SynthError, Wandering, find_label,
    find_loop, take_out_net, wander,
};
use serde_json::json;

use super::args::WalkArgs;
use super::build::load_graph;
use super::make::{self, is_answer, synth_error};
use super::term::Term;
use super::{CliError, Outcome};

/// Runs the verb: exit code 1 when the label or clip allows no such walk.
pub fn run(args: &WalkArgs, term: &mut Term) -> Result<Outcome, CliError> {
    make::check_outputs(&args.make, &args.graph)?;
    if args.looped && !args.keep_travel && args.make.onto.is_some() {
        let what = "--onto with --loop: feet of a loop on the spot slide, and none could be planted on another body";
        return Err(CliError::new(what).with_hint("--keep-travel leaves the way in"));
    }
    let graph = load_graph(&args.graph)?;
    let result = if args.looped {
        loop_once(&graph, args, term)
    } else {
        at_random(&graph, args, term)
    };
    match result {
        Err(Stop::Walk(error)) if is_answer(&error) => {
            term.fail(&error.to_string());
            if let SynthError::NoLoop { min_s, max_s, .. } = error {
                let (min_s, max_s) = (min_s / 2.0, (2.0 * max_s).min(60.0));
                term.say(&format!("hint: --length {min_s}..{max_s} allows others"));
            }
            Ok(Outcome::Failed)
        }
        Err(Stop::Walk(error)) => Err(synth_error(error)),
        Err(Stop::Other(error)) => Err(error),
        Ok(outcome) => Ok(outcome),
    }
}

/// Why there is no motion.
enum Stop {
    Walk(SynthError),
    Other(CliError),
}

impl From<SynthError> for Stop {
    fn from(error: SynthError) -> Self {
        Self::Walk(error)
    }
}

impl From<CliError> for Stop {
    fn from(error: CliError) -> Self {
        Self::Other(error)
    }
}

/// The same way round this often running is worth a word.
const OFTEN: usize = 4;

fn at_random(graph: &MotionGraph, args: &WalkArgs, term: &mut Term) -> Result<Outcome, Stop> {
    let options = RandomWalk {
        seconds: args.seconds,
        label: args
            .label
            .as_deref()
            .map(|l| find_label(graph, l))
            .transpose()?,
        seed: args.seed,
        start: args
            .start
            .as_deref()
            .map(|p| make::moment(graph, p))
            .transpose()?,
        any_height: args.any_height,
        ..RandomWalk::default()
    };
    let found = wander(graph, &options)?;
    let motion = make::motion(graph, &found.walk, &args.make, term)?;
    let extra = json!({
        "seed": args.seed,
        "label": args.label,
        "region_s": found.region_s,
        "climbing_s": found.climbing_s,
        "repeats": found.repeats,
    });
    let done = make::write_motion(graph, &motion, extra, &args.make, term)?;
    if !args.make.json {
        say_wandering(&found, args, term);
    }
    Ok(done)
}

fn say_wandering(found: &Wandering, args: &WalkArgs, term: &mut Term) {
    let whole = match &args.label {
        Some(label) => format!("`{label}`"),
        None => "the graph".to_owned(),
    };
    if found.climbs {
        term.say(&format!(
            "note: it climbs what is not there any more: nothing of {whole} on level ground goes on for ever"
        ));
    } else if found.climbing_s > 0.05 {
        term.say(&format!(
            "note: it keeps to level ground: {:.1} s of {whole} that climb are left out (--any-height takes them)",
            found.climbing_s
        ));
    }
    if found.repeats.times >= OFTEN {
        let there = match found.region_s < 2.0 * found.repeats.seconds {
            true => format!("{whole} has nothing else to play"),
            false => format!(
                "{whole} has {:.1} s to play, and few ways on from there",
                found.region_s
            ),
        };
        term.say(&format!(
            "note: the same {:.1} s come round {} times running: {there} (`gaitway inspect` says how soon walks have seen each label)",
            found.repeats.seconds, found.repeats.times
        ));
    }
}

fn loop_once(graph: &MotionGraph, args: &WalkArgs, term: &mut Term) -> Result<Outcome, Stop> {
    let within = match (&args.clip, &args.label) {
        (Some(name), _) => LoopScope::Clip(
            graph
                .find_clip(name)
                .ok_or_else(|| SynthError::UnknownClip { clip: name.clone() })?,
        ),
        (None, Some(label)) => LoopScope::Label(find_label(graph, label)?),
        (None, None) => LoopScope::Graph,
    };
    let defaults = LoopOptions::default();
    let (min_s, max_s) = args.length.map_or((defaults.min_s, defaults.max_s), |l| {
        l.ends(defaults.max_s.max(60.0))
    });
    let options = LoopOptions {
        within,
        min_s,
        max_s,
        ..defaults
    };
    let (found, compromise) = best_loop(graph, options, args.keep_travel)?;
    let finished = finish_loop(graph, &found, &make::options(&args.make))?;
    make::say_not_planted(finished.not_planted.as_deref(), term);
    let mut motion = finished.motion;
    let measured = QualityOptions {
        transitions: Some(motion.transition_times()),
        ..QualityOptions::default()
    };
    let travelling = quality(&motion.clip, None, &measured);
    if !args.keep_travel {
        motion.clip = take_out_net(&motion.clip, found.net).map_err(SynthError::Clip)?;
    }
    let extra = json!({
        "loop": {
            "seconds": found.seconds,
            "distance_cm": found.distance_cm,
            "turn_rad": found.net.theta,
            "travel_m": found.travel_m,
            "on_the_spot": !args.keep_travel,
            "complete": found.complete,
            "compromise": compromise,
            "skate_cm_s": travelling.skate_cm_s,
            "glides": travelling.glides,
        },
    });
    let said = feet_words(&travelling);
    let feet = match args.keep_travel {
        true => said,
        false => said.replacen("feet:", "feet, before the travel was taken out:", 1),
    };
    let done = make::write_told(graph, &motion, Some(feet), extra, &args.make, term)?;
    if !args.make.json {
        term.say(&loop_words(&found, compromise, args.keep_travel));
    }
    Ok(done)
}

/// A loop on the spot gets on by this part of the way it walks: the feet of one that goes round or out and back would slide every way.
const STRAIGHT_PART: f64 = 0.85;

/// The best loop, and what it is not, where nothing better was found: on the spot it goes straight, and it goes about as fast as what it
/// is made of.
fn best_loop(
    graph: &MotionGraph,
    options: LoopOptions,
    keep_travel: bool,
) -> Result<(Loop, Option<&'static str>), SynthError> {
    let tries = [
        (Some(STRAIGHT_RAD), options.least_pace, None),
        (
            None,
            options.least_pace,
            Some(
                "only loops that turn, or go out and back, were found there (--keep-travel leaves the way in; --length asks for others)",
            ),
        ),
        (
            None,
            0.0,
            Some("only loops that hardly get on were found there"),
        ),
    ];
    let first = usize::from(keep_travel);
    let mut last = None;
    for (max_turn_rad, least_pace, compromise) in &tries[first..] {
        let options = LoopOptions {
            max_turn_rad: *max_turn_rad,
            least_pace: *least_pace,
            least_straight: if max_turn_rad.is_some() {
                STRAIGHT_PART
            } else {
                0.0
            },
            ..options
        };
        match find_loop(graph, &options) {
            Err(error @ SynthError::NoLoop { .. }) => last = Some(error),
            // A loop that travels may turn: that is no compromise.
            found if keep_travel && *least_pace > 0.0 => return Ok((found?, None)),
            found => return Ok((found?, *compromise)),
        }
    }
    Err(last.unwrap_or(SynthError::EmptyGraph))
}

fn loop_words(found: &Loop, compromise: Option<&str>, keep_travel: bool) -> String {
    let turn = gaitway::core::planar::wrap_angle(found.net.theta).to_degrees();
    // Rounded to nothing, a turn to the right is none.
    let turn = turn.round() + 0.0;
    let travel = found.travel_m;
    let mut out = format!("loop: once round it goes {travel:.2} m and turns by {turn:.0}°");
    if !keep_travel {
        out.push_str(", taken out evenly: on the spot feet slide under the body by as much");
    }
    if let Some(what) = compromise {
        out.push_str(&format!("; {what}"));
    }
    out
}
