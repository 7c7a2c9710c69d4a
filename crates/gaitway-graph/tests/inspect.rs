//! What inspection says must agree with the graph.

mod common;

use common::graph;
use gaitway_graph::UNLABELLED;
use gaitway_graph::inspect::{
    component_shares, distance_histogram, label_links, layout, threshold_curve, write_dot,
    write_graphml,
};

#[test]
fn curves_grow_with_the_threshold() {
    let (graph, _) = graph();
    let points = threshold_curve(&graph, &[1.0, 3.0, 6.0, 10.0, 15.0]).expect("a curve");
    assert!(
        points.is_sorted_by(|a, b| a.largest_share <= b.largest_share + 0.02),
        "{points:?}"
    );
    assert!(points[4].largest_share > 0.5 && points[4].mean_transition_s.is_some());
    let here = points.iter().find(|p| p.cm == 6.0).expect("asked for");
    assert_eq!(
        (here.transitions, here.edges),
        (graph.transition_count(), graph.edge_count())
    );
    assert!(threshold_curve(&graph, &[99.0]).is_err());
}

#[test]
fn histogram_and_links_count_everything() {
    let (graph, account) = graph();
    let histogram = distance_histogram(&graph, 30);
    assert_eq!(
        histogram.candidates.iter().sum::<usize>(),
        account.candidates
    );
    assert_eq!(
        histogram.transitions.iter().sum::<usize>(),
        account.transitions
    );
    let links = label_links(&graph);
    let walk = links
        .iter()
        .find(|l| l.from == "walk" && l.to == "walk")
        .expect("walk leads to walk");
    assert!(walk.transitions > 0 && walk.shortest_s == Some(0.0));
    assert!(
        links
            .iter()
            .all(|l| l.cheapest_cm.is_some() == (l.transitions > 0))
    );
    let shares = component_shares(&graph);
    let names: Vec<&str> = shares.iter().map(|s| s.label.as_str()).collect();
    assert_eq!(names, [UNLABELLED, "run", "walk"]);
    for share in shares {
        let told = account
            .labels
            .iter()
            .find(|l| l.label == share.label)
            .expect("accounted for");
        assert!(
            (share.kept_seconds - told.kept_seconds).abs() < 1e-9,
            "{share:?} {told:?}"
        );
    }
}

#[test]
fn the_drawing_covers_every_clip() {
    let (graph, account) = graph();
    let drawing = layout(&graph, 50);
    assert_eq!(drawing.lanes.len(), account.clips);
    for lane in &drawing.lanes {
        let mut at = 0.0;
        for stretch in &lane.stretches {
            assert!(
                (stretch.start_s - at).abs() < 1e-9 && stretch.end_s > stretch.start_s,
                "{}",
                lane.clip
            );
            at = stretch.end_s;
        }
        assert!((at - lane.seconds).abs() < 1e-9);
    }
    let kept: f64 = drawing
        .lanes
        .iter()
        .flat_map(|l| &l.stretches)
        .filter(|s| s.kept)
        .map(|s| s.end_s - s.start_s)
        .sum();
    assert!((kept - account.kept_seconds).abs() < 1e-9);
    assert!(
        drawing.arcs.len() == 50
            && drawing
                .arcs
                .is_sorted_by(|a, b| a.distance_cm <= b.distance_cm)
    );
}

#[test]
fn exports_name_every_node_and_edge() {
    let (graph, _) = graph();
    let (mut dot, mut xml) = (Vec::new(), Vec::new());
    write_dot(&graph, &mut dot).expect("written");
    write_graphml(&graph, &mut xml).expect("written");
    let (dot, xml) = (
        String::from_utf8(dot).expect("text"),
        String::from_utf8(xml).expect("text"),
    );
    assert_eq!(dot.matches(" -> ").count(), graph.edge_count());
    assert_eq!(dot.matches('{').count(), dot.matches('}').count());
    assert_eq!(xml.matches("<edge ").count(), graph.edge_count());
    assert_eq!(xml.matches("<node ").count(), graph.node_count());
    assert!(xml.ends_with("</graphml>\n") && xml.contains("data/walk1"));
}
