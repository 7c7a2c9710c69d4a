//! Standing feet that a transition would have to move.

use gaitway_core::Clip;
use gaitway_core::testing::{ANKLE_HEIGHT, FootPose, clip_from_feet};
use gaitway_graph::{EdgeId, MotionGraph};
use gaitway_synth::{ConnectBy, FeetApart, connect, parse_clip_time};
use glam::DVec3;

use crate::common::graph_of;

/// Someone who stands and sways, the left foot some way ahead of the right one.
fn standing(name: &str, ahead: f64) -> Clip {
    let clip = clip_from_feet(
        name,
        360,
        60.0,
        move |t| DVec3::new(0.02 * (2.0 * t).sin(), 0.76, 0.5 * ahead),
        move |t, side| FootPose {
            ankle: DVec3::new(
                if side == 0 { 0.1 } else { -0.1 },
                // Now and then the left foot taps, so that there is something to tell standing from.
                ANKLE_HEIGHT
                    + if side == 0 {
                        0.06 * (t - 5.0).clamp(0.0, 0.5)
                    } else {
                        0.0
                    },
                if side == 0 { ahead } else { 0.0 },
            ),
            pitch: 0.0,
        },
    );
    let track = gaitway_core::contacts::detect(&clip, &Default::default());
    let track = track.expect("feet").track;
    clip.with_contacts(Some(track)).expect("fits")
}

fn graph() -> MotionGraph {
    graph_of(
        vec![standing("a", 0.0), standing("b", 0.0), standing("c", 0.2)],
        15.0,
    )
}

fn between(graph: &MotionGraph, e: EdgeId) -> Option<(String, String)> {
    let t = graph.transition(e)?;
    let name = |c| graph.clip_info(c).name().to_owned();
    Some((name(t.from_clip), name(t.to_clip)))
}

#[test]
fn feet_that_stand_alike_cost_nothing_and_feet_apart_what_they_are_apart() {
    let graph = graph();
    let feet = FeetApart::new(&graph);
    let (mut alike, mut apart) = (0, 0);
    for edge in graph.edges() {
        let Some((from, to)) = between(&graph, edge) else {
            assert_eq!(feet.metres(edge), 0.0);
            continue;
        };
        let far = (from == "c") != (to == "c");
        if far {
            // The alignment shares 20 cm out between the feet; 3 cm of each are free.
            assert!(
                (0.05..0.2).contains(&feet.metres(edge)),
                "{}",
                feet.metres(edge)
            );
            apart += 1;
        } else {
            assert!(
                feet.metres(edge) < 0.02,
                "{from} {to} {}",
                feet.metres(edge)
            );
            alike += 1;
        }
        assert!((feet.as_distance_cm(edge) - 50.0 * feet.metres(edge)).abs() < 1e-9);
    }
    assert!(alike > 0 && apart > 0, "{alike} {apart}");
}

#[test]
fn connections_by_cost_keep_off_transitions_that_move_feet() {
    let graph = graph();
    let feet = FeetApart::new(&graph);
    let place = |text: &str| parse_clip_time(&graph, text).expect("a place");
    let walk = connect(&graph, place("a@1"), place("b@3"), ConnectBy::Cost).expect("a way");
    assert!(walk.transition_count(&graph) > 0);
    assert!(walk.edges().iter().all(|&e| feet.metres(e) < 0.02));
}
