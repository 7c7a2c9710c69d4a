//! One function per verb for fuzzing: any bytes in, no panic, and what comes out is a motion. `fuzz/` calls these, and so do the test
//! that replays its corpus and the long run on stable (`examples/fuzz`). Readers have theirs in [`crate::io::fuzzing`] and
//! [`crate::graph::fuzzing`].

use std::sync::OnceLock;

use crate::core::testing::performed_clips;
use crate::core::{Clip, ClipSet, ground, limits};
use crate::eval::{QualityLimits, QualityOptions, quality};
use crate::graph::{BuildOptions, GraphBuilder, MotionGraph, Thresholds};
use crate::io::door::{Layout, admit};
use crate::io::{Format, Labels, ReadOptions, bvh};
use crate::synth::cleanup::{PlantOptions, plant_feet};
use crate::synth::path::{
    PathOptions, PathRequest, Start, parse_obstacles, parse_styles, plan_path_with,
};
use crate::synth::search::Control;

/// A line between the parts of an input.
pub const BETWEEN: &str = "\n----\n";
/// Frames times joints of what is looked at: what takes long finds little.
const MOST_POSES: usize = 20_000;

/// What the path verb searches: a few of the performer's walks.
fn walks() -> &'static MotionGraph {
    static GRAPH: OnceLock<MotionGraph> = OnceLock::new();
    GRAPH.get_or_init(|| {
        let clips = performed_clips(30.0, &["walk_normal", "walk_left", "walk_right", "pick"]);
        let set = ClipSet::new(clips).expect("the performer has one body");
        let built = GraphBuilder::new(set).build(&mut ());
        built.expect("a graph of the performer's walks").0
    })
}

/// Any bytes as a path, obstacles, styles and numbers (start x, z, heading in degrees; corridor; bend; people), all but the first
/// where wanted.
pub fn path(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut parts = text.split(BETWEEN);
    let Ok(path) = crate::parse_path(parts.next().unwrap_or(""), 1.0) else {
        return;
    };
    // Long ones only take long.
    if path.length() > 30.0 {
        return;
    }
    let (Ok(obstacles), Ok(styles)) = (
        parse_obstacles(parts.next().filter(|t| !t.is_empty()).unwrap_or("[]")),
        parse_styles(parts.next().unwrap_or("")),
    ) else {
        return;
    };
    let numbers: Vec<f64> = parts
        .next()
        .unwrap_or("")
        .split(',')
        .filter_map(|n| n.trim().parse().ok())
        .collect();
    let start = match numbers.get(..3) {
        Some([x, z, degrees]) => Start::At {
            x: *x,
            z: *z,
            heading: degrees.to_radians(),
        },
        _ => Start::Best,
    };
    let request = PathRequest {
        options: PathOptions {
            obstacles,
            styles,
            start,
            corridor_m: numbers.get(3).copied(),
            ..PathOptions::default()
        },
        bend_m: numbers.get(4).copied(),
        people: numbers.get(5).map_or(1, |n| (*n as usize).min(3)),
        expansions: Some(3_000),
        searches: 1,
        ..PathRequest::new(path)
    };
    static EDGES: OnceLock<crate::synth::path::EdgePaths> = OnceLock::new();
    let usual = PathRequest::new(request.paths[0].clone());
    let edges = EDGES.get_or_init(|| usual.edge_paths(walks()).expect("whole frames"));
    let Ok(motions) = plan_path_with(walks(), edges, &request, Control::default()) else {
        return;
    };
    for motion in motions {
        if let Some(clip) = motion.clip() {
            is_motion(clip);
        }
        let row = motion.row("fuzz", None).to_string();
        assert!(row.len() > 2 && !row.contains("NaN"));
    }
}

/// Any bytes as a BVH file whose feet are planted.
pub fn clean(bytes: &[u8]) {
    let Some(clip) = clip("clean", bytes) else {
        return;
    };
    let clip = ground::travel_to_root(&clip);
    if let Ok(planted) = plant_feet(&clip, None, &PlantOptions::default()) {
        assert_eq!(planted.clip.frame_count(), clip.frame_count());
        is_motion(&planted.clip);
    }
    let numbers = quality(&clip, None, &QualityOptions::default());
    let _ = QualityLimits {
        max_skate: Some(1.0),
        ..QualityLimits::default()
    }
    .check(&numbers);
}

/// Any bytes as BVH files with a table of labels after them, built into a graph, which is written and read again.
pub fn build(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let parts: Vec<&str> = text.split(BETWEEN).take(5).collect();
    let clips = parts.iter().enumerate().filter_map(|(k, part)| {
        let name = format!("clip{k}");
        clip(&name, part.as_bytes())
    });
    let clips: Vec<Clip> = clips.collect();
    if clips
        .iter()
        .map(|c| c.frame_count() * c.joint_count())
        .sum::<usize>()
        > MOST_POSES
    {
        return;
    }
    let last = parts.last().copied().unwrap_or("");
    let labels = Labels::from_csv(last, "labels.csv", "").unwrap_or_default();
    let Ok(clips) = labels.label(clips) else {
        return;
    };
    let Some(first) = ClipSet::group(clips).into_iter().next() else {
        return;
    };
    let Ok(set) = ClipSet::new(first) else {
        return;
    };
    let builder = GraphBuilder::new(set)
        .options(BuildOptions::default())
        .thresholds(Thresholds::cm(12.0));
    if let Ok((graph, account)) = builder.build(&mut ()) {
        assert!(account.kept_seconds <= account.seconds + 1e-6);
        let bytes = graph.to_bytes().expect("whole frames");
        let again = MotionGraph::from_bytes(&bytes).expect("what we wrote");
        assert_eq!(again.edge_count(), graph.edge_count());
    }
}

fn clip(name: &str, bytes: &[u8]) -> Option<Clip> {
    let (raw, _) = bvh::read("fuzz.bvh", bytes).ok()?;
    if raw.rotations.len() > MOST_POSES {
        return None;
    }
    let options = ReadOptions {
        repair_spikes: true,
        ..ReadOptions::default()
    };
    let name = name.to_owned();
    let import = admit("fuzz.bvh", name, Format::Bvh, raw, Layout::Plain, &options).ok()?;
    limits::clip(&import.clip).expect("what is inside keeps the limits");
    Some(import.clip)
}

fn is_motion(clip: &Clip) {
    assert!(clip.root().iter().all(|p| p.is_finite()));
    assert!(clip.rotations().iter().all(|q| q.is_finite()));
    // A walk may begin at the last place there is.
    let most = 2.0 * limits::FARTHEST_M;
    assert!(clip.root().iter().all(|p| p.abs().max_element() <= most));
}
