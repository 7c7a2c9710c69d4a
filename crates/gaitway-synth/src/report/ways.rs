//! Quickest ways of a graph made into motion, between the same moments in several graphs.

use std::sync::atomic::{AtomicBool, Ordering};

use gaitway_core::contacts::{self, ContactOptions, GlideKind, NearTransitions};
use gaitway_core::fk;
use gaitway_core::random::SplitMix64;
use gaitway_graph::{MotionGraph, inspect};
use serde::Serialize;

use crate::motion::plant;
use crate::{AssembleOptions, ClipTime, ConnectBy, Motion, SynthError, assemble, connect};

/// About to play a captured frame, told so that several graphs know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The clip's name.
    pub clip: String,
    /// The frame, at the working rate.
    pub frame: u32,
}

/// Pairs of moments that the largest components of all these graphs hold, as the graphs stand, drawn by seed; none where they
/// have fewer than two in common. Frames are the same where clips have the same name and as many frames at one working rate.
pub fn same_moments(graphs: &[&MotionGraph], count: usize, seed: u64) -> Vec<[Moment; 2]> {
    let Some((first, others)) = graphs.split_first() else {
        return Vec::new();
    };
    let mut held = held(first);
    for other in others {
        let theirs = self::held(other);
        let same_rate = other.working_rate_hz() == first.working_rate_hz();
        for (name, frames) in &mut held {
            let same = theirs
                .iter()
                .find(|(n, f)| n == name && f.len() == frames.len());
            match same.filter(|_| same_rate) {
                Some((_, own)) => frames.iter_mut().zip(own).for_each(|(f, o)| *f &= o),
                None => frames.fill(false),
            }
        }
    }
    let moments: Vec<Moment> = held
        .iter()
        .flat_map(|(name, frames)| {
            let inside = (0..).zip(frames).filter(|(_, held)| **held);
            inside.map(|(frame, _)| Moment {
                clip: name.clone(),
                frame,
            })
        })
        .collect();
    if moments.len() < 2 {
        return Vec::new();
    }
    let mut random = SplitMix64::new(seed);
    let mut below = |n: usize| ((random.unit() * n as f64) as usize).min(n - 1);
    let pair = |_| {
        // The second is another than the first.
        let (a, b) = (below(moments.len()), below(moments.len() - 1));
        [a, b + usize::from(b >= a)].map(|k| moments[k].clone())
    };
    (0..count).map(pair).collect()
}

/// Captured clips by name, and which of their frames are played within the largest component.
fn held(graph: &MotionGraph) -> Vec<(String, Vec<bool>)> {
    let info = |c| graph.clip_info(c);
    let bare = |c| {
        (
            info(c).name().to_owned(),
            vec![false; info(c).working_frames() as usize],
        )
    };
    let mut out: Vec<(String, Vec<bool>)> = graph.captured_ids().map(bare).collect();
    let (_, nodes) = inspect::largest_component(graph);
    for edge in graph.edges().filter(|&e| !graph.is_transition(e)) {
        let ends = [graph.from(edge), graph.to(edge)];
        if ends.iter().any(|n| nodes.binary_search(&n.0).is_err()) {
            continue;
        }
        let [from, to] = ends.map(|n| graph.node(n));
        if let Some((_, frames)) = out.get_mut(from.clip.index()) {
            frames[from.boundary as usize..to.boundary as usize].fill(true);
        }
    }
    out
}

/// What quickest ways look like once they are motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MadeWays {
    /// Ways made.
    pub ways: usize,
    /// Their seconds, all together.
    pub seconds: f64,
    /// Transitions a second.
    pub transitions_per_s: f64,
    /// Feet that slide low over the floor, a second.
    pub slides_per_s: f64,
    /// Those within 0.4 s of a transition, a second of such time.
    pub slides_near_per_s: f64,
}

/// Makes the quickest ways between moments into motion, feet planted, and counts feet that slide. `on_made` sees every motion
/// before its feet are planted.
///
/// # Errors
/// When the graph's frames are damaged, or `on_made` says so.
pub fn make_ways(
    graph: &MotionGraph,
    pairs: &[[Moment; 2]],
    stop: &AtomicBool,
    on_made: &mut dyn FnMut(&Motion) -> Result<(), SynthError>,
) -> Result<MadeWays, SynthError> {
    let mut out = MadeWays::default();
    let (mut transitions, mut slides, mut near_slides, mut near_s) = (0, 0, 0, 0.0);
    for [from, to] in pairs {
        let (Some(from), Some(to)) = (at(graph, from), at(graph, to)) else {
            continue;
        };
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let walk = match connect(graph, from, to, ConnectBy::Time) {
            Ok(walk) => walk,
            Err(SynthError::NotConnected { .. }) => continue,
            Err(error) => return Err(error),
        };
        let mut motion = assemble(graph, &walk, &AssembleOptions::default())?;
        on_made(&motion)?;
        plant(graph, &mut motion);
        let (clip, times) = (&motion.clip, motion.transition_times());
        out.ways += 1;
        out.seconds += clip.seconds();
        transitions += times.len();
        let near = NearTransitions::new(&times, clip.seconds());
        near_s += near.seconds();
        let Ok(found) = contacts::detect(clip, &ContactOptions::default()) else {
            continue;
        };
        for glide in contacts::glides(&fk::world_points(clip), &found, clip.rate_hz()) {
            if glide.kind == GlideKind::Slide {
                slides += 1;
                near_slides += usize::from(near.has(glide.middle_s(clip.rate_hz())));
            }
        }
    }
    let per = |n: usize, s: f64| if s > 0.0 { n as f64 / s } else { 0.0 };
    out.transitions_per_s = per(transitions, out.seconds);
    out.slides_per_s = per(slides, out.seconds);
    out.slides_near_per_s = per(near_slides, near_s);
    Ok(out)
}

fn at(graph: &MotionGraph, moment: &Moment) -> Option<ClipTime> {
    let clip = graph
        .captured_ids()
        .find(|&c| graph.clip_info(c).name() == moment.clip)?;
    let seconds = graph.clip_info(clip).seconds_at(moment.frame);
    Some(ClipTime { clip, seconds })
}

#[cfg(test)]
mod tests {
    use super::*;
    use gaitway_core::ClipSet;
    use gaitway_core::testing::swinging_clip;
    use gaitway_graph::{GraphBuilder, Thresholds};

    fn graph(clips: &[&str], cm: f64) -> MotionGraph {
        let clips = clips.iter().map(|n| swinging_clip(n, 240, 60.0)).collect();
        let clips = ClipSet::new(clips).expect("one body");
        let builder = GraphBuilder::new(clips).thresholds(Thresholds::cm(cm));
        builder.build(&mut ()).expect("built").0
    }

    #[test]
    fn moments_are_held_by_all_graphs_and_differ() {
        let (both, one) = (graph(&["a", "b"], 5.0), graph(&["b"], 5.0));
        let pairs = same_moments(&[&both, &one], 50, 1);
        assert_eq!(pairs.len(), 50);
        assert_eq!(pairs, same_moments(&[&both, &one], 50, 1), "drawn by seed");
        let held = held(&one);
        for [from, to] in &pairs {
            assert_ne!(from, to);
            for m in [from, to] {
                assert_eq!(m.clip, "b");
                assert!(held[0].1[m.frame as usize]);
            }
        }
        assert!(same_moments(&[&both, &graph(&["c"], 5.0)], 50, 1).is_empty());
        assert!(same_moments(&[], 50, 1).is_empty());
    }

    #[test]
    fn every_way_between_moments_of_the_component_is_made_and_seen() {
        let graph = graph(&["a", "b"], 5.0);
        let pairs = same_moments(&[&graph], 20, 7);
        let (mut seen, mut seconds) = (0, 0.0);
        let mut on_made = |motion: &Motion| {
            seen += 1;
            seconds += motion.clip.seconds();
            Ok(())
        };
        let made = make_ways(&graph, &pairs, &AtomicBool::new(false), &mut on_made);
        let made = made.expect("the graph is whole");
        assert_eq!((made.ways, seen), (20, 20));
        assert!((made.seconds - seconds).abs() < 1e-9 && made.transitions_per_s > 0.0);
        let stopped = make_ways(&graph, &pairs, &AtomicBool::new(true), &mut |_| Ok(()));
        assert_eq!(stopped.expect("the graph is whole").ways, 0);
    }
}
