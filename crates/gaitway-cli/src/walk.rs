//! `gaitway walk`: random walks and seamless loops.

use gaitway::graph::MotionGraph;
use gaitway::synth::motion::finish_loop;
use gaitway::synth::{
    LoopOptions, LoopScope, RandomWalk, SynthError, find_label, find_loop, random_walk,
    take_out_net,
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
    let graph = load_graph(&args.graph)?;
    let result = if args.looped {
        loop_once(&graph, args, term)
    } else {
        wander(&graph, args, term)
    };
    match result {
        Err(Stop::Walk(error)) if is_answer(&error) => {
            term.fail(&error.to_string());
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

fn wander(graph: &MotionGraph, args: &WalkArgs, term: &mut Term) -> Result<Outcome, Stop> {
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
        ..RandomWalk::default()
    };
    let walk = random_walk(graph, &options)?;
    let motion = make::motion(graph, &walk, &args.make, term)?;
    let extra = json!({ "seed": args.seed, "label": args.label });
    Ok(make::write_motion(graph, &motion, extra, &args.make, term)?)
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
    let found = find_loop(
        graph,
        &LoopOptions {
            within,
            min_s,
            max_s,
            ..defaults
        },
    )?;
    let finished = finish_loop(graph, &found, &make::options(&args.make))?;
    make::say_not_planted(finished.not_planted.as_deref(), term);
    let mut motion = finished.motion;
    if !args.keep_travel {
        motion.clip = take_out_net(&motion.clip, found.net).map_err(SynthError::Clip)?;
    }
    let extra = json!({
        "loop": {
            "seconds": found.seconds,
            "distance_cm": found.distance_cm,
            "turn_rad": found.net.theta,
            "travel_m": found.net.x.hypot(found.net.z),
            "on_the_spot": !args.keep_travel,
            "complete": found.complete,
        },
    });
    Ok(make::write_motion(graph, &motion, extra, &args.make, term)?)
}
