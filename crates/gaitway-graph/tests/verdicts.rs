//! Why candidates are transitions or not: against the graph itself, and each reason against its own definition.

mod common;

use std::collections::{HashMap, HashSet};

use common::{build, graph_with};
use gaitway_core::testing::performed_clips;
use gaitway_graph::{
    BuildOptions, CandidateId, ContactRule, EdgeId, EndCandidateId, MotionGraph, Thresholds,
    TransitionKind, Transitions, Verdict, Via,
};

/// The edge of every candidate that has one, by the candidate and the way it goes.
fn edges_by_via(graph: &MotionGraph) -> HashMap<(u8, u32), EdgeId> {
    let transitions = graph
        .edges()
        .filter_map(|e| Some((e, graph.transition(e)?)));
    transitions
        .map(|(e, t)| match t.via {
            Via::Candidate { id, reversed } => ((u8::from(reversed), id.0), e),
            Via::End(id) => ((2, id.0), e),
        })
        .collect()
}

fn ends(graph: &MotionGraph) -> impl Iterator<Item = EndCandidateId> {
    (0..graph.end_candidates().len() as u32).map(EndCandidateId)
}

#[test]
fn what_is_in_the_graph_is_in_and_nothing_else() {
    for transitions in [Transitions::Blend, Transitions::Auto, Transitions::Cut] {
        let (graph, _) = graph_with(transitions);
        let (verdicts, edges) = (graph.verdicts().expect("verdicts"), edges_by_via(&graph));
        let check = |key: (u8, u32), verdict: Verdict| match edges.get(&key) {
            Some(&edge) => assert_eq!(verdict, Verdict::In(edge), "{key:?}"),
            None => assert!(!matches!(verdict, Verdict::In(_)), "{key:?} {verdict:?}"),
        };
        for k in 0..graph.candidates().len() as u32 {
            check((0, k), verdicts.forward(CandidateId(k)));
            check((1, k), verdicts.back(CandidateId(k)));
        }
        ends(&graph).for_each(|id| check((2, id.0), verdicts.end(id)));
        assert_eq!(
            graph.end_candidates().is_empty(),
            transitions == Transitions::Blend
        );
    }
}

#[test]
fn near_an_end_the_threshold_is_stricter() {
    let (graph, _) = graph_with(Transitions::Auto);
    let verdicts = graph.verdicts().expect("verdicts");
    let whole = f64::from(2 * graph.half_window() + 1);
    let mut above = 0;
    for id in ends(&graph) {
        let c = graph.end_candidates().get(id);
        let limit = 6.0 * (f64::from(c.frames) / whole).sqrt();
        assert!((graph.end_threshold_cm(id) - limit).abs() < 1e-9);
        match verdicts.end(id) {
            Verdict::Above { threshold_cm } => {
                above += 1;
                assert!(c.distance_cm() > threshold_cm, "{c:?} {threshold_cm}");
                assert!((threshold_cm - limit).abs() < 1e-9);
            }
            _ => assert!(c.distance_cm() <= limit + 1e-9, "{c:?} {limit}"),
        }
    }
    assert!(above > 0, "some lie above");
    // Near enough for whole windows, and out all the same.
    assert!(ends(&graph).any(|id| {
        let cm = graph.end_candidates().get(id).distance_cm();
        cm < 6.0 && matches!(verdicts.end(id), Verdict::Above { .. })
    }));
}

#[test]
fn what_is_thinned_is_there_without_thinning() {
    let (graph, _) = graph_with(Transitions::Auto);
    let verdicts = graph.verdicts().expect("verdicts");
    let thinned: Vec<_> = ends(&graph)
        .filter(|&id| verdicts.end(id) == Verdict::Thinned)
        .collect();
    assert!(!thinned.is_empty());
    let all = BuildOptions {
        thin_s: 0.0,
        ..graph.options().clone()
    };
    let (all, _) = graph.rethreshold(&Thresholds::cm(6.0), &all).expect("cut");
    let verdicts = all.verdicts().expect("verdicts");
    for id in thinned {
        let now = verdicts.end(id);
        assert!(
            matches!(now, Verdict::In(_) | Verdict::Pruned(_)),
            "{now:?}"
        );
    }
}

#[test]
fn the_contact_rule_is_named() {
    // Steps, so that contacts change, and not in time with one another.
    let walks = performed_clips(30.0, &["walk_"]);
    for contacts in [ContactRule::Same, ContactRule::Change] {
        let (mut forbidden, mut allowed) = (0, 0);
        let options = BuildOptions {
            contacts,
            ..BuildOptions::default()
        };
        let (graph, _) = build(walks.clone(), Thresholds::cm(15.0), options);
        let verdicts = graph.verdicts().expect("verdicts");
        let standing = |clip, frame: u32| {
            let source = graph.source(clip).expect("frames");
            source.contact_mask(graph.clip_info(clip).source_frame(frame))
        };
        for id in ends(&graph) {
            let (group, c) = (
                graph.end_candidates().group_of(id),
                graph.end_candidates().get(id),
            );
            // Changes of contact within a third of the half window of a frame.
            let changes = |clip, frame: u32| {
                let reach = graph.half_window().div_ceil(3);
                let last = (frame + reach).min(graph.clip_info(clip).working_frames() - 1);
                let steps = (frame.saturating_sub(reach)..last)
                    .map(|f| (standing(clip, f), standing(clip, f + 1)));
                steps.filter(|s| s.0 != s.1).collect::<HashSet<_>>()
            };
            let alike = match contacts {
                ContactRule::Same => standing(group.a, c.i) == standing(group.b, c.j),
                _ => !changes(group.a, c.i).is_disjoint(&changes(group.b, c.j)),
            };
            match verdicts.end(id) {
                Verdict::Above { .. } => {}
                Verdict::Contacts => {
                    forbidden += 1;
                    assert!(c.distance_cm() <= graph.end_threshold_cm(id) + 1e-9);
                    assert!(!alike, "{contacts:?} {c:?}");
                }
                other => {
                    allowed += 1;
                    assert!(alike, "{contacts:?} {c:?} {other:?}");
                }
            }
        }
        assert!(
            forbidden > 0 && allowed > 0,
            "{contacts:?}: {forbidden}, {allowed}"
        );
    }
}

#[test]
fn what_would_be_is_what_is() {
    for transitions in [Transitions::Auto, Transitions::Cut] {
        let (graph, _) = graph_with(transitions);
        let mut seen = 0;
        for t in graph.edges().filter_map(|e| graph.transition(e)) {
            match t.via {
                Via::End(id) => {
                    seen += 1;
                    assert_eq!(graph.end_transition(id).expect("a cut"), t);
                }
                Via::Candidate { .. } => {
                    let way = graph
                        .transition_kind_at(t.to_clip, t.to_frame)
                        .expect("a way");
                    assert_eq!(way, (t.kind, t.frames));
                }
            }
        }
        assert!(seen > 0);
        let (cuts, half) = (transitions == Transitions::Cut, graph.half_window());
        let way = graph.transition_kind_at(graph.clip_ids().next().expect("a clip"), half);
        assert_eq!(way.expect("a way").0 == TransitionKind::Cut, cuts);
    }
}
