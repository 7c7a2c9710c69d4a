//! `--end`: a clip, or any clip of a label, at a place and heading.

use gaitway::core::edit;
use gaitway::eval::draw::path::{OnPath, PathPicture};
use gaitway::graph::MotionGraph;
use gaitway::io::{WriteOptions, write_file};
use gaitway::synth::path::{
    EdgePaths, Obstacle, PathOptions, PlaceWish, PlacedClip, Wanted, place_clip,
};
use gaitway::synth::search::Control;
use gaitway::synth::{AssembleOptions, Motion, assemble};
use glam::DVec2;
use serde_json::{Value, json};

use super::super::args::{EndArg, PathArgs};
use super::super::make::{self, synth_error};
use super::super::render::title;
use super::super::term::Term;
use super::super::{CliError, Outcome, interrupt};
use super::{ask, follow};

/// Searches, makes and writes; exit code 1 when the clip cannot be reached there.
pub fn run(
    graph: &MotionGraph,
    edges: &EdgePaths,
    options: &PathOptions,
    end: &EndArg,
    args: &PathArgs,
    term: &mut Term,
) -> Result<Outcome, CliError> {
    let [x, z, degrees] = end.at;
    let wanted = match graph.labels().find(&end.what) {
        Some(_) => Wanted::Label(end.what.clone()),
        None => Wanted::Clip(end.what.clone()),
    };
    let wish = PlaceWish {
        start: args
            .start
            .map(|[x, z, degrees]| (DVec2::new(x, z), degrees.to_radians())),
        alternatives: args.alternatives,
        seed: args.seed,
        ..PlaceWish::new(wanted, DVec2::new(x, z), degrees.to_radians())
    };
    let budget = ask::place_budget(args);
    let control = Control {
        cancel: Some(interrupt::flag()),
        ..Control::default()
    };
    let found = place_clip(graph, edges, &wish, options, budget, control).map_err(synth_error)?;
    if found.is_empty() {
        let reason = format!("{} could not be entered near the place wanted", end.what);
        super::write_report(
            args,
            vec![json!({ "status": "NoWalk", "reason": reason })],
            term,
        )?;
        term.fail(&format!("no walk: {reason}"));
        return Ok(Outcome::Failed);
    }
    let mut rows = Vec::new();
    let mut motions = Vec::new();
    for (k, placed) in found.iter().enumerate() {
        let (row, motion) = one(graph, (placed, &wish.wanted), (k, found.len()), args, term)?;
        rows.push(row);
        motions.push(motion);
    }
    super::write_report(args, rows, term)?;
    pictures(graph, options, &wish, &motions, args, term)?;
    Ok(Outcome::Done)
}

fn one(
    graph: &MotionGraph,
    (placed, wanted): (&PlacedClip, &Wanted),
    (k, count): (usize, usize),
    args: &PathArgs,
    term: &mut Term,
) -> Result<(Value, Motion), CliError> {
    let file = ask::numbered(&args.make.out, k, count);
    let assemble_options = AssembleOptions {
        world_from_start: placed.world_from_start,
        ..make::options(&args.make)
    };
    let mut motion = assemble(graph, &placed.walk, &assemble_options).map_err(synth_error)?;
    make::plant(graph, &mut motion, &args.make, term);
    if let Wanted::Label(label) = wanted {
        end_with(&mut motion, label);
    }
    for warning in &write_file(&file, &motion.clip, &WriteOptions::default())? {
        term.warn(&file.display().to_string(), warning);
    }
    let name = file.display().to_string();
    let clip = graph.clip_info(placed.clip).name();
    if !args.make.json {
        term.say(&format!(
            "{name}: {:.2} s, ends in {clip} {:.1} cm and {:.1}° off, {} transitions",
            motion.clip.seconds(),
            100.0 * placed.place_error_m,
            placed.heading_error_rad.to_degrees(),
            motion.transitions.len(),
        ));
    }
    let row = json!({
        "status": "Solved",
        "search": placed.search,
        "file": name,
        "clip": clip,
        "seconds": motion.clip.seconds(),
        "frames": motion.clip.frame_count(),
        "place_error_m": placed.place_error_m,
        "heading_error_rad": placed.heading_error_rad,
        "cost": placed.cost,
        "expansions": placed.expansions,
        "transitions": motion.transition_rows(graph),
        "quality": follow::quality_of(graph, &motion, &name)?,
    });
    Ok((row, motion))
}

fn pictures(
    graph: &MotionGraph,
    options: &PathOptions,
    wish: &PlaceWish,
    motions: &[Motion],
    args: &PathArgs,
    term: &mut Term,
) -> Result<(), CliError> {
    if let Some(file) = &args.show.plot {
        let what = args.end.as_ref().map_or("", |e| e.what.as_str());
        let picture = PathPicture {
            title: format!(
                "{}: {what} at a place",
                title(&args.graph.to_string_lossy())
            ),
            people: motions.iter().map(|m| person(graph, m, what)).collect(),
            called: Some("motions"),
            obstacles: options.obstacles.iter().map(Obstacle::outline).collect(),
            goal: Some((wish.at.to_array(), wish.heading)),
            ..PathPicture::default()
        };
        super::plot(args, picture)?;
        term.say(&format!("wrote {}", file.display()));
    }
    if let Some(file) = &args.show.gif {
        for (k, motion) in motions.iter().enumerate() {
            super::gif(&ask::numbered(file, k, motions.len()), motion, term)?;
        }
    }
    Ok(())
}

/// Where a label was wanted, the motion ends with it: what the clip does afterwards was not asked for.
fn end_with(motion: &mut Motion, label: &str) {
    let last = motion.clip.labels().spans().iter().rev();
    let Some(end) = last.filter(|s| s.label == label).map(|s| s.end).max() else {
        return;
    };
    if end < motion.clip.frame_count() {
        let seconds = end as f64 / motion.clip.rate_hz();
        motion.clip = edit::cut(&motion.clip, 0..end);
        motion.origin.truncate(end);
        motion.transitions.retain(|t| t.t < seconds);
    }
}

/// A motion, with what was wanted marked on its way: the label's runs, or the clip it ends in.
fn person<'a>(graph: &MotionGraph, motion: &'a Motion, what: &str) -> OnPath<'a> {
    let clip = &motion.clip;
    let each = (clip.rate_hz() / graph.working_rate_hz()).max(1.0);
    let place = |f: usize| (f as f64 / each) as usize;
    let count = place(clip.frame_count().saturating_sub(1)) + 1;
    let ground = |f: usize| {
        let p = clip.root()[f.min(clip.frame_count().saturating_sub(1))];
        [p.x, p.z]
    };
    let spans = clip.labels().spans().iter();
    let mut runs: Vec<(usize, usize)> = spans
        .filter(|s| s.label == what)
        .map(|s| (s.start, s.end))
        .collect();
    if let (true, Some(last)) = (runs.is_empty(), motion.origin.last()) {
        let own = motion.origin.iter().rev();
        let frames = own.take_while(|o| o.clip == last.clip).count();
        runs.push((clip.frame_count() - frames, clip.frame_count()));
    }
    OnPath {
        way: (0..count)
            .map(|k| ground((k as f64 * each) as usize))
            .collect(),
        styles: runs
            .into_iter()
            .map(|(from, to)| (place(from), place(to), what.to_owned()))
            .collect(),
        transitions: motion
            .transitions
            .iter()
            .map(|t| ground((t.t * clip.rate_hz()).round() as usize))
            .collect(),
        clip: Some(clip),
        frames: None,
    }
}
