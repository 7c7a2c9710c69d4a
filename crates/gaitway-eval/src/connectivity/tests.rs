//! Measures against plain enumeration on small random graphs.

use gaitway_graph::{ClipId, LabelId, LabelSet, LabelTable};
use proptest::prelude::*;

use super::arcs::tests::all_pairs;
use super::joins::Join;
use super::*;

/// Clips of a few frames, half of them of either label, with joins between.
#[derive(Clone, Debug)]
struct Small {
    counts: Vec<u32>,
    joins: Vec<(usize, u32, usize, u32, u8)>,
}

fn smalls() -> impl Strategy<Value = Small> {
    prop::collection::vec(3_u32..9, 1..4).prop_flat_map(|counts| {
        let clips = counts.len();
        let join = (0..clips, 0_u32..9, 0..clips, 0_u32..9, 0_u8..5);
        (Just(counts), prop::collection::vec(join, 0..8))
            .prop_map(|(counts, joins)| Small { counts, joins })
    })
}

fn labels() -> LabelTable {
    LabelTable::new(["walk", "run"].map(str::to_owned)).expect("two labels")
}

impl Small {
    fn each(&self, give: &mut dyn FnMut(Join)) {
        for &(a, i, b, j, cm) in &self.joins {
            let (i, j) = (i % self.counts[a], j % self.counts[b]);
            // As in graphs: no clip is joined to what it plays anyway, and none is entered at its end.
            if a == b && i.abs_diff(j) < 2 || j + 1 == self.counts[b] {
                continue;
            }
            give(Join {
                from: (ClipId(a as u32), i),
                to: (ClipId(b as u32), j + 1),
                cm: f32::from(cm),
            });
        }
    }

    fn graph(&self, form: Form) -> FrameGraph {
        let table = labels();
        let of = |name: &str| LabelSet::of(table.find(name).unwrap_or(LabelId::UNLABELLED));
        let (mut clips, mut shows, mut frames) = (Vec::new(), Vec::new(), 0);
        let mut labels = Vec::new();
        for (k, &count) in self.counts.iter().enumerate() {
            clips.push(ClipFrames {
                name: k.to_string(),
                first: frames,
                count,
                original: true,
            });
            shows.extend(frames..frames + count);
            shows.push(NEVER);
            frames += count;
            labels.extend((0..count).map(|f| of(["walk", "run"][usize::from(f * 2 > count)])));
        }
        let mut out = FrameGraph {
            form,
            threshold_cm: Some(5.0),
            // Two frames to fade.
            rate_hz: 10.0,
            free: shows.len() as u32,
            clips,
            labels,
            shows,
            arcs: Arcs::default(),
            joins: 0,
            bound: None,
        };
        match form {
            Form::Decay => out.decaying(&|give| self.each(give)),
            Form::Bounded => {
                out.decaying(&|give| self.each(give));
                out.bound = Some(Bound { frames: 5, cm: 6.0 });
            }
            _ => out.cuts(&|give| self.each(give)),
        }
        out
    }
}

/// Frames between frames, plainly.
fn times(graph: &FrameGraph) -> Vec<Vec<Option<u32>>> {
    let list: Vec<Arc> = (0..graph.arcs.ends.len())
        .map(|e| {
            let [from, to] = graph.arcs.ends[e];
            (from, to, graph.arcs.frames[e], graph.arcs.cm[e])
        })
        .collect();
    let pairs = all_pairs(graph.arcs.nodes(), &list);
    let frames = graph.frame_count();
    let mut out = vec![vec![None; frames]; frames];
    for (a, row) in out.iter_mut().enumerate() {
        let from = &pairs[graph.node_of(a as u32) as usize];
        for (node, &shown) in graph.shows.iter().enumerate().filter(|s| *s.1 != NEVER) {
            let cell: &mut Option<u32> = &mut row[shown as usize];
            if let Some((time, _)) = from[node] {
                *cell = Some(cell.map_or(time, |t| t.min(time)));
            }
        }
    }
    out
}

fn all(graph: &FrameGraph, samples: Option<usize>) -> Measures {
    let options = MeasureOptions {
        samples,
        ways: 50,
        seed: 3,
    };
    measure(graph, &labels(), None, &options, &mut |_, _| true).expect("nobody stops it")
}

proptest! {
    #[test]
    fn times_and_reach_are_those_of_enumeration(small in smalls(), decay in any::<bool>()) {
        let graph = small.graph(if decay { Form::Decay } else { Form::Cut });
        let found = all(&graph, None);
        let times = times(&graph);
        let frames = graph.frame_count();
        let reached = times.iter().flatten().filter(|t| t.is_some()).count();
        prop_assert!((found.reach - reached as f64 / (frames * frames) as f64).abs() < 1e-12);
        prop_assert_eq!(found.reach_error, 0.0);
        let inside: Vec<usize> = (0..frames).filter(|&f| found.inside[f]).collect();
        prop_assert_eq!(inside.len(), found.component.frames);
        let pairs = || inside.iter().flat_map(|&a| inside.iter().map(move |&b| (a, b))).filter(|(a, b)| a != b);
        let known: Vec<f64> = pairs().filter_map(|(a, b)| times[a][b]).map(f64::from).collect();
        let mean = (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64 / graph.rate_hz);
        match (found.mean_time, mean) {
            (Some(found), Some(mean)) => {
                prop_assert!((found.seconds - mean).abs() < 1e-9);
                prop_assert!(found.exact && found.error_s == 0.0);
            }
            (found, mean) => prop_assert_eq!(found.map(|m| m.seconds), mean),
        }
        // Within a component of cuts everybody reaches everybody.
        if !decay {
            prop_assert!(pairs().all(|(a, b)| times[a][b].is_some()));
            let mutual = |a: usize| (0..frames).filter(|&b| a != b && times[a][b].is_some() && times[b][a].is_some()).count();
            let largest = (0..frames).map(mutual).max().unwrap_or(0);
            prop_assert!(found.component.frames == largest + 1 || largest == 0 && found.component.frames <= 1);
        }
        prop_assert!(found.component.share <= found.coverage + 1e-12);
        prop_assert!(found.coverage <= 1.0 - found.dead_ends + 1e-12);
    }

    #[test]
    fn maneuverability_is_that_of_enumeration(small in smalls(), decay in any::<bool>()) {
        let graph = small.graph(if decay { Form::Decay } else { Form::Cut });
        let found = all(&graph, None);
        let times = times(&graph);
        let table = labels();
        let frames = graph.frame_count();
        let inside = &found.inside;
        // Places at which something is left or entered.
        let mut branch = vec![false; frames];
        small.each(&mut |j| {
            branch[(graph.clips[j.from.0.index()].first + j.from.1) as usize] = true;
            branch[(graph.clips[j.to.0.index()].first + j.to.1) as usize] = true;
        });
        let to_label = |f: usize, label: LabelId| {
            (0..frames).filter(|&g| inside[g] && graph.labels[g].contains(label)).filter_map(|g| times[f][g]).min()
        };
        let mut lms = Vec::new();
        for label in table.ids().filter(|l| (0..frames).any(|f| inside[f] && graph.labels[f].contains(*l))) {
            let mut terms = Vec::new();
            for clip in &graph.clips {
                let mut length = 0;
                for f in clip.first..clip.first + clip.count {
                    if length > 0 && branch[f as usize] {
                        if let Some(t) = to_label(f as usize, label) {
                            terms.push(0.5 * f64::from(length) + f64::from(t));
                        }
                        length = 0;
                    }
                    length = if inside[f as usize] { length + 1 } else { 0 };
                }
            }
            if !terms.is_empty() {
                lms.push(terms.iter().sum::<f64>() / terms.len() as f64 / graph.rate_hz);
            }
        }
        match &found.maneuverability {
            Some(m) => {
                let mean = lms.iter().sum::<f64>() / lms.len() as f64;
                prop_assert!((m.lm_s - mean).abs() < 1e-9, "{} {}", m.lm_s, mean);
                let from_all = |l: LabelId| {
                    let from = (0..frames).filter(|&f| inside[f]).filter_map(|f| to_label(f, l));
                    let all: Vec<f64> = from.map(f64::from).collect();
                    (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64 / graph.rate_hz)
                };
                let each: Vec<f64> = table.ids().filter_map(from_all).collect();
                let mean = each.iter().sum::<f64>() / each.len() as f64;
                prop_assert!((m.lm_from_frames_s.expect("a label is inside") - mean).abs() < 1e-9);
                for p in &m.pairs {
                    let from = table.find(&p.from).expect("known");
                    let to = table.find(&p.to).expect("known");
                    let own = (0..frames).filter(|&f| inside[f] && graph.labels[f].contains(from));
                    let own: Vec<f64> = own.filter_map(|f| to_label(f, to)).map(f64::from).collect();
                    let least = own.iter().copied().reduce(f64::min).map(|t| t / graph.rate_hz);
                    prop_assert_eq!(p.minimum_s, least);
                    prop_assert!(p.minimum_s <= p.mean_s.map(|m| m + 1e-12));
                }
            }
            None => prop_assert!(lms.is_empty()),
        }
    }

    /// While a jump fades nothing else is left, so quickest ways take at least as long, and joins lie apart.
    #[test]
    fn fading_jumps_only_slow_ways_down(small in smalls()) {
        let (quick, slow) = (small.graph(Form::Cut), small.graph(Form::Decay));
        let (a, b) = (times(&quick), times(&slow));
        for (a, b) in a.iter().flatten().zip(b.iter().flatten()) {
            prop_assert!(b.is_none() || a <= b, "{:?} {:?}", a, b);
        }
        prop_assert!(all(&slow, None).component.frames <= all(&quick, None).component.frames);
        let mut search = Quickest::new(&slow.arcs);
        for source in 0..slow.free {
            search.from(std::iter::once(source));
            for target in 0..slow.arcs.nodes() as u32 {
                let way = search.way(target);
                let (mut now, mut last) = (0, None);
                for e in way {
                    if slow.is_join(e as usize) {
                        prop_assert!(last.is_none_or(|l| now > l + 2), "{:?} {}", last, now);
                        last = Some(now);
                    }
                    now += slow.arcs.frames[e as usize];
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn components_grow_with_the_threshold(small in smalls(), decay in any::<bool>()) {
        let form = if decay { Form::Decay } else { Form::Cut };
        let mut before = 0;
        for cm in 0..5 {
            let joins = small.joins.iter().copied().filter(|j| j.4 <= cm).collect();
            let below = Small { joins, ..small.clone() };
            let frames = all(&below.graph(form), None).component.frames;
            prop_assert!(frames >= before, "{} after {}", frames, before);
            before = frames;
        }
    }

    #[test]
    fn a_bound_is_kept_and_only_slows_ways_down(small in smalls()) {
        let (free, bounded) = (small.graph(Form::Decay), small.graph(Form::Bounded));
        let (mut a, mut b) = (free.search(&free.arcs), bounded.search(&bounded.arcs));
        for source in 0..free.free {
            a.from(std::iter::once(source));
            b.from(std::iter::once(source));
            prop_assert!(a.time().iter().zip(b.time()).all(|(a, b)| a <= b));
        }
        let (free, bounded) = (all(&free, None), all(&bounded, None));
        prop_assert_eq!(&free.inside, &bounded.inside);
        prop_assert!(bounded.reach <= free.reach);
        if let Some(bend) = bounded.bend {
            prop_assert!(bend.half_second_cm.max <= 6.0);
        }
    }
}

#[test]
fn a_sample_says_how_far_it_may_be_off() {
    // Two rings of different size, joined: sources differ in how far all others are.
    let small = Small {
        counts: vec![40, 90],
        joins: vec![
            (0, 38, 0, 0, 1),
            (1, 88, 1, 0, 1),
            (0, 20, 1, 10, 2),
            (1, 50, 0, 5, 2),
        ],
    };
    let graph = FrameGraph {
        rate_hz: 30.0,
        ..small.graph(Form::Cut)
    };
    let exact = all(&graph, None);
    let (whole, mut outside) = (exact.mean_time.expect("a component"), 0);
    for seed in 0..40 {
        let options = MeasureOptions {
            samples: Some(40),
            ways: 0,
            seed,
        };
        let found = measure(&graph, &labels(), None, &options, &mut |_, _| true).expect("measured");
        let mean = found.mean_time.expect("a component");
        assert!(!mean.exact && mean.error_s > 0.0);
        outside += usize::from((mean.seconds - whole.seconds).abs() > 2.0 * mean.error_s);
    }
    assert!(outside <= 6, "{outside} of 40 lie more than two errors off");
    assert_eq!(all(&graph, Some(10_000)), exact, "more than all is all");
}

#[test]
fn it_stops_when_told() {
    let small = Small {
        counts: vec![8],
        joins: vec![(0, 6, 0, 0, 1)],
    };
    let graph = small.graph(Form::Cut);
    let options = MeasureOptions::default();
    let stopped = measure(&graph, &labels(), None, &options, &mut |_, _| false);
    assert!(matches!(stopped, Err(EvalError::Stopped)));
}

#[test]
fn a_clip_without_joins_is_all_dead_end() {
    let small = Small {
        counts: vec![8, 5],
        joins: Vec::new(),
    };
    for form in [Form::Cut, Form::Decay] {
        let found = all(&small.graph(form), None);
        assert_eq!((found.component.frames, found.components), (0, 0));
        assert_eq!((found.dead_ends, found.coverage), (1.0, 0.0));
        assert_eq!((found.mean_time, found.bend), (None, None));
        assert!(found.maneuverability.is_none());
        // Only forward, only within a clip.
        assert!((found.reach - (36.0 + 15.0) / 169.0).abs() < 1e-12);
    }
}
