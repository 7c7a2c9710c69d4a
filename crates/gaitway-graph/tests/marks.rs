//! Labels with `=` say of whom a frame is: they can be asked for, and nothing else goes by them.

use gaitway_core::testing::swinging_clip;
use gaitway_core::{Clip, ClipSet, LabelSpan, LabelTrack};
use gaitway_graph::{GraphBuilder, LabelId, MotionGraph, Thresholds};

fn labelled(name: &str, frames: usize, labels: &[&str]) -> Clip {
    let spans = labels.iter().map(|l| LabelSpan {
        start: 0,
        end: frames,
        label: (*l).to_owned(),
    });
    swinging_clip(name, frames, 60.0).with_labels(LabelTrack::new(spans.collect()))
}

fn graph(labels: [&[&str]; 2], thresholds: Thresholds) -> MotionGraph {
    let clips = vec![labelled("a", 240, labels[0]), labelled("b", 300, labels[1])];
    let builder = GraphBuilder::new(ClipSet::new(clips).expect("one body"));
    builder
        .thresholds(thresholds)
        .build(&mut ())
        .expect("a graph")
        .0
}

#[test]
fn a_mark_does_not_change_what_is_kept() {
    for thresholds in [Thresholds::cm(6.0), Thresholds::Auto] {
        let plain = graph([&["walk"], &["walk"]], thresholds.clone());
        let marked = graph([&["walk", "person=1"], &["walk", "person=2"]], thresholds);
        assert_eq!(plain.node_count(), marked.node_count());
        assert_eq!(plain.transition_count(), marked.transition_count());
        let walk = |g: &MotionGraph| g.labels().find("walk").expect("a label");
        let own = |g: &MotionGraph| g.thresholds().get(walk(g), walk(g));
        assert_eq!(own(&plain), own(&marked));
        let one = marked.labels().find("person=1").expect("a mark");
        assert!(marked.labels().is_mark(one) && !marked.labels().is_action(one));
        assert_eq!(
            marked
                .thresholds()
                .get(one, one)
                .filter(|_| marked.thresholds().auto),
            None
        );
    }
}

#[test]
fn frames_with_nothing_but_marks_are_unlabelled() {
    let plain = graph([&[], &[]], Thresholds::cm(6.0));
    let marked = graph([&["person=1"], &["person=2"]], Thresholds::cm(6.0));
    assert_eq!(plain.node_count(), marked.node_count());
    assert_eq!(plain.transition_count(), marked.transition_count());
    for edge in marked.edges() {
        assert!(marked.edge_labels(edge).contains(LabelId::UNLABELLED));
    }
    assert!(marked.labels().find("person=2").is_some());
}
