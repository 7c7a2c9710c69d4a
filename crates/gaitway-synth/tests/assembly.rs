//! Laws of assembly: what is copied stays the same to the bit, what is blended goes on smoothly.
#![allow(clippy::print_stdout)] // What was measured stands in the log.

mod common;

use common::{
    blended, graph_of, jumps, longest_stretch, performed_clips, performer, quantile, real,
};
use gaitway_core::resample::resample;
use gaitway_core::testing::swinging_clip;
use gaitway_core::{Clip, Planar, TranslationTrack, edit, fk};
use gaitway_graph::{LabelId, MotionGraph, TransitionKind};
use gaitway_synth::{
    AssembleOptions, Blend, Motion, RandomWalk, SynthError, Walk, WalkPlayer, assemble, random_walk,
};
use glam::Vec3;

fn made(graph: &MotionGraph, walk: &Walk, options: &AssembleOptions) -> Motion {
    assemble(graph, walk, options).expect("a motion")
}

fn seconds(seconds: f64, seed: u64) -> RandomWalk {
    RandomWalk {
        seconds,
        seed,
        ..RandomWalk::default()
    }
}

fn check_stretches(graph: &MotionGraph) -> usize {
    let mut found = 0;
    for clip in graph.clip_ids() {
        let Some(walk) = longest_stretch(graph, clip) else {
            continue;
        };
        let info = graph.clip_info(clip);
        if (info.rate_hz() - graph.output_rate_hz()).abs() > 1e-9 {
            continue;
        }
        let at = |n| info.source_boundary(graph.node(n).boundary);
        let range = at(walk.start())..at(walk.end(graph));
        let expected = edit::cut(&graph.clip(clip).expect("a clip"), range.clone());
        let motion = made(graph, &walk, &AssembleOptions::default());
        assert_eq!(motion.clip, expected.clone().with_name("walk"));
        for (f, o) in motion.origin.iter().enumerate() {
            assert_eq!(o.clip, clip);
            assert!((o.seconds - (range.start + f) as f64 / info.rate_hz()).abs() < 1e-9);
        }
        // Placed elsewhere it is the clip moved, to the bit as well.
        let placed = AssembleOptions {
            world_from_start: Planar::new(1.0, 3.0, -4.0),
            ..AssembleOptions::default()
        };
        let moved = expected.moved(placed.world_from_start).with_name("walk");
        assert_eq!(made(graph, &walk, &placed).clip, moved);
        found += 1;
    }
    found
}

#[test]
fn a_walk_along_a_clip_is_the_clip_bit_for_bit() {
    assert!(check_stretches(performer()) >= 5);
}

#[test]
fn a_walk_along_a_real_clip_is_the_clip_bit_for_bit() {
    if let Some(graph) = real("subject-16-walk-run-jump.txt", None, 8.0) {
        assert!(check_stretches(&graph) >= 5);
    }
}

#[test]
fn blending_equal_motions_changes_nothing() {
    let clips = vec![
        swinging_clip("a", 480, 120.0),
        swinging_clip("b", 480, 120.0),
    ];
    let graph = graph_of(clips, 4.0);
    let equal = graph.edges().find(|&e| {
        let t = graph.transition(e);
        t.is_some_and(|t| t.from_frame == t.to_frame && t.from_clip != t.to_clip)
    });
    let edge = equal.expect("a clip meets its copy");
    let original = graph
        .clip(graph.node(graph.from(edge)).clip)
        .expect("a clip");
    let walk = Walk::new(&graph, graph.from(edge), vec![edge]).expect("one edge");
    let first = graph.source_range(edge).1.start;
    for blend in [Blend::Centered, Blend::StartEnd, Blend::Inertialized] {
        let options = AssembleOptions {
            blend,
            ..AssembleOptions::default()
        };
        let motion = made(&graph, &walk, &options);
        for f in 0..motion.clip.frame_count() {
            let off = motion.clip.root()[f].distance(original.root()[first + f]);
            assert!(off < 1e-6, "{blend:?}, frame {f}: {off} m");
            let here = motion.clip.frame_rotations(f);
            for (a, b) in here.iter().zip(original.frame_rotations(first + f)) {
                assert!(a.dot(*b).abs() > 1.0 - 1e-6, "{blend:?}, frame {f}");
            }
        }
    }
}

/// Jumps at the borders of transitions against those inside clips, all at one rate.
fn borders(graph: &MotionGraph, blend: Blend, name: &str) {
    let clips = graph.clip_ids().map(|c| graph.clip(c).expect("a clip"));
    let inside: Vec<common::Jumps> = clips.map(|c| jumps(&c)).collect();
    let changes: Vec<f64> = inside.iter().flat_map(|j| j.change.clone()).collect();
    let steps: Vec<f64> = inside.iter().flat_map(|j| j.step.clone()).collect();
    let (mut step, mut change, mut excess) = (Vec::new(), Vec::new(), Vec::new());
    for seed in 0..8 {
        let walk = random_walk(graph, &seconds(60.0, seed)).expect("a walk");
        let options = AssembleOptions {
            blend,
            ..AssembleOptions::default()
        };
        let motion = made(graph, &walk, &options);
        let found = jumps(&motion.clip);
        let frame = |s: f64| (s * motion.clip.rate_hz()).round() as usize;
        // Those cut off by the walk's end have no border there.
        let whole = motion
            .transitions
            .iter()
            .filter(|m| frame(m.end_s) + 1 < found.step.len());
        for mark in whole {
            let (start, end) = (frame(mark.start_s), frame(mark.end_s));
            let left = graph.source_range(mark.edge).1.start;
            let to = graph.node(graph.to(mark.edge));
            let arrives = graph.clip_info(to.clip).source_boundary(to.boundary);
            // What each of the two motions does by itself, `k` frames into the transition (from −1).
            let own = |k: i64| {
                let at = |clip: gaitway_graph::ClipId, f: i64| {
                    let list = &inside[clip.index()].change;
                    usize::try_from(f)
                        .ok()
                        .and_then(|f| list.get(f))
                        .copied()
                        .unwrap_or(0.0)
                };
                let from = at(mark.from.clip, left as i64 + k);
                let into = at(mark.to.clip, arrives as i64 - (end - start) as i64 + k);
                (from, into)
            };
            for border in [start, end] {
                step.push(found.step[border]);
                for f in [border.saturating_sub(1), border] {
                    let (from, into) = own(f as i64 - start as i64);
                    let expected = match (blend, border == start) {
                        (Blend::Inertialized, _) => from.max(into),
                        (_, true) => from,
                        (_, false) => into,
                    };
                    change.push(found.change[f]);
                    excess.push(found.change[f] - expected);
                }
            }
        }
    }
    let max = |v: &[f64]| v.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (usual, rough) = (quantile(&changes, 0.5), quantile(&changes, 0.99));
    println!(
        "{name} {blend:?}, {} borders: step max {:.3} m/s, inside {:.3}; change of velocity p99 {:.4} max {:.4} m/s per frame, inside p50 {usual:.4} p99 {rough:.4} max {:.4}; beyond the clips' own at the same frames p99 {:.4} max {:.4}",
        step.len(),
        max(&step),
        max(&steps),
        quantile(&change, 0.99),
        max(&change),
        max(&changes),
        quantile(&excess, 0.99),
        max(&excess)
    );
    assert!(step.len() > 100);
    assert!(max(&step) <= max(&steps), "steps at borders");
    assert!(
        max(&change) <= max(&changes),
        "changes of velocity at borders"
    );
    assert!(quantile(&change, 0.99) <= rough);
    // Blends add less at a border than clips do by themselves in half of their frames; an inertialized switch
    // trades one motion's acceleration for the other's at once, which clips do now and then.
    let bar = if blend == Blend::Inertialized {
        rough
    } else {
        usual
    };
    assert!(max(&excess) <= bar, "a border adds {}", max(&excess));
}

const BLENDS: [Blend; 3] = [Blend::Centered, Blend::StartEnd, Blend::Inertialized];

#[test]
fn borders_are_as_smooth_as_performed_clips() {
    let graph = blended(performed_clips(), 8.0);
    BLENDS.iter().for_each(|&b| borders(&graph, b, "performer"));
}

#[test]
fn borders_are_as_smooth_as_captured_clips() {
    if let Some(graph) = real("subject-16-walk-run-jump.txt", None, 8.0) {
        let clips = graph.clip_ids().map(|c| graph.clip(c).expect("a clip"));
        let graph = blended(clips.collect(), 8.0);
        BLENDS.iter().for_each(|&b| borders(&graph, b, "16"));
    }
}

#[test]
fn an_hour_keeps_the_body_and_the_floor() {
    let graph = performer();
    let walk = random_walk(graph, &seconds(3600.0, 5)).expect("a walk");
    assert!((walk.seconds(graph) - 3600.0).abs() < 0.05);
    let lowest = |clip: &Clip| {
        let places = fk::world_points(clip);
        places
            .places()
            .iter()
            .map(|p| p.y)
            .fold(f64::INFINITY, f64::min)
    };
    let clips = graph.clip_ids().map(|c| graph.clip(c).expect("a clip"));
    let floor = clips.map(|c| lowest(&c)).fold(f64::INFINITY, f64::min);

    let skeleton = graph.skeleton();
    let mut player = WalkPlayer::new(graph, &walk, &AssembleOptions::default()).expect("a player");
    let (mut pose, mut scratch) = (player.pose(), fk::FkScratch::new(skeleton));
    let (mut stretch, mut low, mut frames) = (0.0_f32, f64::INFINITY, 0);
    let mut last = None;
    while let Some(shown) = player.next_into(&mut pose) {
        frames += 1;
        assert!(pose.root.is_finite());
        for q in &pose.rotations {
            assert!((q.length_squared() - 1.0).abs() < 1e-5);
        }
        if shown.frame % 8 == 0 {
            scratch.solve_pose(skeleton, &pose.rotations);
            for joint in skeleton.joints().skip(1) {
                let parent = skeleton.parent(joint).expect("not the root");
                let here = scratch.from_root[joint.index()];
                let bone = here.distance(scratch.from_root[parent.index()]);
                stretch = stretch.max((bone - skeleton.offset(joint).length()).abs());
            }
            let y = scratch
                .from_root
                .iter()
                .map(|p| p.y)
                .fold(f32::INFINITY, f32::min);
            low = low.min(pose.root.y + f64::from(y));
        }
        if shown.transition.is_none() {
            last = Some((shown, pose.root));
        }
    }
    assert_eq!(frames, player.frame_count());
    assert!(stretch < 1e-5, "bones stretch by {stretch} m");
    assert!(low > floor - 0.03, "{low} m below a floor of {floor} m");
    // The last clip lies where its transform says, kilometres out, to a micrometre.
    let (shown, root) = last.expect("a piece");
    let info = graph.clip_info(shown.origin.clip);
    let frame = (shown.origin.seconds * info.rate_hz()).round() as usize;
    let recorded = graph.clip(shown.origin.clip).expect("a clip").root()[frame];
    if shown.frame + 1 == frames {
        assert!(player.world_from_end().apply(recorded).distance(root) < 1e-6);
    }
    println!(
        "hour: {frames} frames, stretch {stretch:.1e} m, lowest {low:.4} m (clips {floor:.4} m), {:.0} m out",
        root.length()
    );
}

#[test]
fn the_same_walk_gives_the_same_motion_and_seeking_changes_nothing() {
    let graph = performer();
    let walk = random_walk(graph, &seconds(20.0, 3)).expect("a walk");
    for blend in BLENDS {
        let options = AssembleOptions {
            blend,
            ..AssembleOptions::default()
        };
        let motion = made(graph, &walk, &options);
        assert_eq!(motion, made(graph, &walk, &options));
        let mut player = WalkPlayer::new(graph, &walk, &options).expect("a player");
        let mut pose = player.pose();
        for frame in [700, 3, 1100, 451, 452, 0] {
            player.seek(frame);
            let shown = player.next_into(&mut pose).expect("a frame");
            assert_eq!(shown.frame, frame);
            assert_eq!(pose.root, motion.clip.root()[frame]);
            assert_eq!(pose.rotations, motion.clip.frame_rotations(frame));
            assert_eq!(shown.origin, motion.origin[frame]);
        }
    }
}

#[test]
fn contacts_change_over_after_the_middle_and_labels_are_joined() {
    let graph = performer();
    let walk = random_walk(graph, &seconds(120.0, 8)).expect("a walk");
    let motion = made(graph, &walk, &AssembleOptions::default());
    let rate = motion.clip.rate_hz();
    let contacts = motion
        .clip
        .contacts()
        .expect("the performer knows its contacts");
    let sources: Vec<_> = graph
        .clip_ids()
        .map(|c| graph.source(c).expect("a source"))
        .collect();
    let mut player = WalkPlayer::new(graph, &walk, &AssembleOptions::default()).expect("a player");
    let mut pose = player.pose();
    let mut seen = 0;
    while let Some(shown) = player.next_into(&mut pose) {
        let info = graph.clip_info(shown.origin.clip);
        let frame = (shown.origin.seconds * info.rate_hz()).round() as usize;
        assert_eq!(
            contacts.mask(shown.frame),
            sources[shown.origin.clip.index()].contact_mask(frame)
        );
        let mark = shown.transition.map(|t| motion.transitions[t]);
        if let Some(mark) = mark {
            // A blend up to its middle frame, a cut never.
            let before = shown.frame as f64 <= mark.t * rate + 1e-6;
            let left = before && mark.kind == TransitionKind::Blend;
            let clip = if left { mark.from.clip } else { mark.to.clip };
            assert_eq!(shown.origin.clip, clip);
            seen += 1;
        }
        let words: Vec<&str> = graph.labels().names_of(shown.labels);
        let mut track: Vec<&str> = motion.clip.labels().at(shown.frame).collect();
        track.sort_unstable();
        assert_eq!(
            track,
            words
                .iter()
                .filter(|w| **w != "unlabelled")
                .copied()
                .collect::<Vec<_>>()
        );
        for label in info.labels().at(frame) {
            let label = graph.labels().find(label).expect("known");
            assert!(shown.labels.contains(label));
        }
        assert!(!shown.labels.is_empty() || shown.labels.contains(LabelId::UNLABELLED));
    }
    assert!(seen > 100);
    let rows = motion.transition_rows(graph);
    assert!(
        rows.iter()
            .all(|r| r.from.contains('@') && r.distance_cm <= 8.0)
    );
    assert!(rows.windows(2).all(|w| w[0].t < w[1].t));
}

#[test]
fn rates_mix_and_change() {
    let clips = vec![
        swinging_clip("fast", 600, 120.0),
        swinging_clip("slow", 250, 50.0),
        swinging_clip("odd", 300, 59.94),
    ];
    let graph = blended(clips, 5.0);
    assert_eq!(graph.output_rate_hz(), 120.0);
    let walk = random_walk(&graph, &seconds(30.0, 2)).expect("a walk");
    let motion = made(&graph, &walk, &AssembleOptions::default());
    let used: std::collections::BTreeSet<u32> = motion.origin.iter().map(|o| o.clip.0).collect();
    assert_eq!(used.len(), 3, "all three rates are played");
    let length = walk.seconds(&graph) * 120.0;
    assert!((motion.clip.frame_count() as f64 - length).abs() <= 1.0);
    // Interpolated 50 Hz has corners that 120 Hz has not, but nothing leaps: the body strolls at 1.2 m/s and swings.
    let found = jumps(&motion.clip);
    assert!(
        found.step.iter().all(|&v| v < 6.0),
        "{}",
        quantile(&found.step, 1.0)
    );
    for rate in [30.0, 240.0] {
        let options = AssembleOptions {
            out_fps: Some(rate),
            ..AssembleOptions::default()
        };
        let other = made(&graph, &walk, &options);
        assert_eq!(other.clip.rate_hz(), rate);
        assert_eq!(other.origin.len(), other.clip.frame_count());
        assert!((other.clip.seconds() - motion.clip.seconds()).abs() < 1.5 / rate);
        // The same motion at the same times, to what a filter of the lower rate may take.
        for f in 0..other.clip.frame_count() {
            let at = (f as f64 * 120.0 / rate).round() as usize;
            if let Some(place) = motion.clip.root().get(at) {
                assert!(place.distance(other.clip.root()[f]) < 0.02);
            }
        }
    }
}

#[test]
fn another_rate_is_what_resampling_the_clip_gives() {
    let graph = performer();
    let clip = graph.find_clip("walk_normal_02").expect("a clip");
    let walk = longest_stretch(graph, clip).expect("kept");
    let at_source = made(graph, &walk, &AssembleOptions::default()).clip;
    for rate in [24.0, 30.0, 60.0, 90.0, 120.0] {
        let options = AssembleOptions {
            out_fps: Some(rate),
            ..AssembleOptions::default()
        };
        let motion = made(graph, &walk, &options).clip;
        let expected = resample(&at_source, rate).expect("a clip");
        if rate <= 60.0 {
            assert_eq!(motion, expected);
            continue;
        }
        // Upwards the walk plays to the end of its last frame, a resampled clip to its beginning.
        let count = expected.frame_count();
        assert!((count..count + 2).contains(&motion.frame_count()));
        for f in 0..count {
            assert!(motion.root()[f].distance(expected.root()[f]) < 1e-9);
            let turned = motion
                .frame_rotations(f)
                .iter()
                .zip(expected.frame_rotations(f));
            turned.for_each(|(a, b)| assert!(a.dot(*b).abs() > 1.0 - 1e-5));
            let labels = |c: &Clip| c.labels().at(f).map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(labels(&motion), labels(&expected));
        }
    }
}

#[test]
fn translation_tracks_are_copied_and_blended_with_rest_offsets() {
    let plain = swinging_clip("plain", 400, 60.0);
    let chest = plain.skeleton().find("Chest").expect("a chest");
    let rest = plain.skeleton().offset(chest);
    let wave = |f: usize| rest + Vec3::new(0.0, 0.02 * (f as f32 * 0.05).sin(), 0.01);
    let track = TranslationTrack {
        joint: chest,
        values: (0..400).map(wave).collect(),
    };
    let moving = swinging_clip("moving", 400, 60.0);
    let moving = moving.with_translations(vec![track]).expect("a track");
    let graph = graph_of(vec![plain, moving], 6.0);
    assert!(check_stretches(&graph) == 2);
    let walk = random_walk(&graph, &seconds(30.0, 1)).expect("a walk");
    for blend in BLENDS {
        let options = AssembleOptions {
            blend,
            ..AssembleOptions::default()
        };
        let motion = made(&graph, &walk, &options);
        let values = &motion
            .clip
            .translation_track(chest)
            .expect("a track")
            .values;
        let plain = graph.find_clip("plain").expect("a clip");
        let all_plain = motion.origin.iter().all(|o| o.clip == plain);
        assert!(!all_plain, "both clips are played");
        for pair in values.windows(2) {
            assert!((pair[0] - rest).length() < 0.031);
            assert!(pair[0].distance(pair[1]) < 0.004, "{blend:?}: a leap");
        }
    }
}

#[test]
fn impossible_things_are_errors() {
    let graph = performer();
    let walk = random_walk(graph, &seconds(2.0, 1)).expect("a walk");
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
        let options = AssembleOptions {
            out_fps: Some(rate),
            ..AssembleOptions::default()
        };
        assert!(matches!(
            assemble(graph, &walk, &options),
            Err(SynthError::Options { .. })
        ));
    }
    let nothing = Walk::new(graph, walk.start(), Vec::new()).expect("an empty walk");
    let made = assemble(graph, &nothing, &AssembleOptions::default());
    assert!(matches!(made, Err(SynthError::EmptyWalk)));
    let edges = vec![walk.edges()[0], walk.edges()[0]];
    assert!(matches!(
        Walk::new(graph, walk.start(), edges),
        Err(SynthError::DoesNotMeet { .. })
    ));
    // A walk of another graph.
    let small = graph_of(vec![swinging_clip("a", 240, 60.0)], 6.0);
    assert!(assemble(&small, &walk, &AssembleOptions::default()).is_err());
    let far = gaitway_graph::EdgeId(u32::MAX);
    assert!(matches!(
        Walk::new(graph, walk.start(), vec![far]),
        Err(SynthError::NotInGraph { .. })
    ));
}
