//! Laws of sources and timelines.
#![allow(missing_docs, clippy::print_stdout)]

use std::sync::Arc;

use gaitway_core::mirror::{MirrorMap, Mirrored, mirror};
use gaitway_core::source::bake;
use gaitway_core::testing::{performed_clips, swinging_clip};
use gaitway_core::{Clip, Planar, Pose, PoseSource, edit, fk};
use gaitway_runtime::timeline::{
    Blend, Join, Span, Timeline, TimelineError, TimelinePlayer, Track,
};

fn piece(source: usize, first: f64, start: f64, frames: f64) -> Span {
    Span {
        origin: start,
        end: start + frames,
        length: frames,
        from: Track::new(source, first, 1.0, Planar::IDENTITY),
        to: None,
        join: Join::None,
        tag: 0,
    }
}

/// All poses of a timeline.
fn played(timeline: Timeline) -> Vec<Pose> {
    let timeline = Arc::new(timeline);
    let mut player = TimelinePlayer::new(timeline.clone());
    let one = |frame: usize| {
        let at = timeline.span_at(frame as f64);
        let mut pose = player.pose();
        player.pose_into(at, frame as f64 - timeline.spans()[at].origin, &mut pose);
        pose
    };
    (0..timeline.frame_count()).map(one).collect()
}

fn timeline(clips: &[Clip]) -> Timeline {
    let mut out = Timeline::new(clips[0].skeleton().clone(), clips[0].rate_hz()).expect("a rate");
    for clip in clips {
        out.add_source(Arc::new(clip.clone())).expect("one body");
    }
    out
}

#[test]
fn a_source_gives_its_own_frames_to_the_bit() {
    let clip = performed_clips(60.0, &["walk_left"]).remove(0);
    let map = Arc::new(MirrorMap::new(clip.skeleton(), &[&clip]));
    let view = Mirrored::new(Arc::new(clip.clone()), map.clone());
    let twice = Mirrored::new(Arc::new(view.clone()), map.clone());
    let baked = mirror(&clip, &map);
    let mut pose = Pose::new(clip.joint_count(), clip.moving_joints().into());
    let mut room = pose.clone();
    for (source, expected) in [
        (&clip as &dyn PoseSource, &clip),
        (&view as &dyn PoseSource, &baked),
    ] {
        assert_eq!(&bake(source, clip.name()).expect("a clip"), expected);
        for frame in 0..clip.frame_count() {
            source.sample(frame as f64, &mut pose, &mut room);
            assert_eq!(pose.root, expected.root()[frame]);
            assert_eq!(pose.rotations, expected.frame_rotations(frame));
            let mask = expected.contacts().map_or(0, |c| c.mask(frame));
            assert_eq!(source.contacts_at(frame as f64), mask);
            let mut words = Vec::new();
            source.labels_at(frame as f64, &mut |l| words.push(l.to_owned()));
            assert_eq!(words, expected.labels().at(frame).collect::<Vec<_>>());
        }
        // Beyond both ends it holds.
        source.sample(-3.0, &mut pose, &mut room);
        assert_eq!(pose.root, expected.root()[0]);
        source.sample(1e9, &mut pose, &mut room);
        assert_eq!(pose.root, expected.root()[expected.frame_count() - 1]);
    }
    let back = bake(&twice, clip.name()).expect("a clip");
    let (a, b) = (fk::world_points(&clip), fk::world_points(&back));
    for frame in 0..clip.frame_count() {
        let far = (0..a.point_count()).map(|p| a.at(frame, p).distance(b.at(frame, p)));
        assert!(far.fold(0.0, f64::max) < 1e-5);
    }
}

#[test]
fn a_timeline_of_one_piece_is_the_clip() {
    let clip = swinging_clip("a", 100, 60.0);
    let mut line = timeline(std::slice::from_ref(&clip));
    line.push(piece(0, 10.0, 0.0, 80.0)).expect("a span");
    for (k, pose) in played(line).iter().enumerate() {
        assert_eq!(pose.root, clip.root()[10 + k]);
        assert_eq!(pose.rotations, clip.frame_rotations(10 + k));
    }
}

/// The clip's two halves, the second entered by a cut where the first is played to its end.
fn rejoined(clip: &Clip, at: usize, fade: f64) -> Vec<Pose> {
    let count = clip.frame_count();
    let halves = [
        edit::cut(clip, 0..at).with_name("first"),
        edit::cut(clip, at..count).with_name("second"),
    ];
    let mut line = timeline(&halves);
    let (a, rest) = (at as f64, (count - at) as f64 - fade);
    line.push(piece(0, 0.0, 0.0, a)).expect("a span");
    line.push(Span {
        origin: a,
        end: a + fade,
        length: fade,
        from: Track::new(0, a, 1.0, Planar::IDENTITY),
        to: Some(Track::new(1, 0.0, 1.0, Planar::IDENTITY)),
        join: Join::Cut,
        tag: 0,
    })
    .expect("a span");
    line.push(piece(1, fade, a + fade, rest)).expect("a span");
    played(line)
}

/// How far the rejoined clip is from the clip at worst: metres of the root, radians of a joint.
fn worst(clip: &Clip, at: usize) -> (f64, f32) {
    let back = rejoined(clip, at, 60.0);
    assert_eq!(back.len(), clip.frame_count());
    let (mut place, mut turn) = (0.0_f64, 0.0_f32);
    for (f, pose) in back.iter().enumerate() {
        place = place.max(pose.root.distance(clip.root()[f]));
        for (q, p) in pose.rotations.iter().zip(clip.frame_rotations(f)) {
            turn = turn.max(q.angle_between(*p));
        }
    }
    (place, turn)
}

#[test]
fn a_clip_cut_in_two_and_joined_by_a_cut_is_given_back() {
    let smooth = swinging_clip("swing", 300, 120.0);
    for at in [6, 30, 77, 101, 160, 235] {
        let (place, turn) = worst(&smooth, at);
        assert!(place < 1e-4 && turn < 2e-3, "{at}: {place} m, {turn} rad");
    }
    // Where a foot strikes the floor five frames do not tell what the sixth does; elsewhere they do.
    for clip in performed_clips(120.0, &["walk_normal_01", "sneak_01", "run_01"]) {
        let places = (20..clip.frame_count() - 70).step_by(7);
        let (mut roots, mut turns): (Vec<f64>, Vec<f32>) =
            places.map(|at| worst(&clip, at)).unzip();
        roots.sort_by(f64::total_cmp);
        turns.sort_by(f32::total_cmp);
        let middle = roots.len() / 2;
        println!(
            "{}: root {:.1e} m in the median, {:.1e} at worst; a joint {:.4} and {:.4} rad",
            clip.name(),
            roots[middle],
            roots[roots.len() - 1],
            turns[middle],
            turns[turns.len() - 1]
        );
        assert!(roots[middle] < 1e-4 && roots[roots.len() - 1] < 5e-3);
        assert!(turns[middle] < 0.02);
    }
}

#[test]
fn a_cut_starts_where_the_other_was_and_ends_with_nothing_left() {
    let (a, b) = (swinging_clip("a", 90, 60.0), swinging_clip("b", 200, 60.0));
    // The second is turned, and a hand's breadth from where the first is left.
    let (left, entered) = (a.root()[60], Planar::new(0.7, 0.0, 0.0).apply(b.root()[33]));
    let onto = Planar::new(0.7, left.x - entered.x + 0.1, left.z - entered.z);
    let mut line = timeline(&[a.clone(), b.clone()]);
    line.push(piece(0, 0.0, 0.0, 60.0)).expect("a span");
    let to = Track::new(1, 33.0, 1.0, onto);
    line.push(Span {
        origin: 60.0,
        end: 90.0,
        length: 30.0,
        from: Track::new(0, 60.0, 1.0, Planar::IDENTITY),
        to: Some(to),
        join: Join::Cut,
        tag: 0,
    })
    .expect("a span");
    let last = Span {
        from: Track::new(1, 63.0, 1.0, onto),
        ..piece(1, 0.0, 90.0, 100.0)
    };
    line.push(last).expect("a span");
    let poses = played(line);
    let moved = b.moved(onto);
    assert!(poses[60].root.distance(a.root()[60]) < 1e-9);
    for j in 0..a.joint_count() {
        assert!(poses[60].rotations[j].angle_between(a.frame_rotations(60)[j]) < 2e-3);
    }
    for (f, pose) in poses.iter().enumerate().skip(90) {
        assert!(pose.root.distance(moved.root()[33 + f - 60]) < 1e-12);
    }
    // Place and velocity go on through the cut: from frame to frame the velocity changes by no more than the two fades ask for.
    // That of 0.1 m over 30 frames bends by 5.8 · 0.1 / 30² at most, that of a velocity over its ten frames by 0.4 of it.
    let step = |f: usize| poses[f + 1].root - poses[f].root;
    let differed = 1.2 / 60.0 * 2.0 * 0.35_f64.sin();
    for f in 56..92 {
        assert!(
            step(f).distance(step(f + 1)) < 0.4 * differed + 7e-4,
            "frame {f}"
        );
    }
}

#[test]
fn spans_that_cannot_be_are_refused() {
    let clip = swinging_clip("a", 100, 60.0);
    let refused = |span: Span| timeline(std::slice::from_ref(&clip)).push(span).err();
    let back = refused(piece(0, 0.0, 0.0, -5.0));
    assert!(matches!(back, Some(TimelineError::Length { span: 0, .. })));
    assert!(refused(piece(0, 0.0, 0.0, f64::NAN)).is_some());
    let missing = refused(piece(3, 0.0, 0.0, 5.0));
    assert!(matches!(
        missing,
        Some(TimelineError::Source {
            source_number: 3,
            ..
        })
    ));
    let alone = Span {
        join: Join::Blend(Blend::Centered),
        ..piece(0, 0.0, 0.0, 5.0)
    };
    assert!(matches!(refused(alone), Some(TimelineError::Join { .. })));
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
        let line = Timeline::new(clip.skeleton().clone(), rate);
        assert!(matches!(line.err(), Some(TimelineError::Rate(_))));
    }
    let other = performed_clips(30.0, &["walk_normal_01"]).remove(0);
    let mut line = timeline(std::slice::from_ref(&clip));
    assert_eq!(
        line.add_source(Arc::new(other)),
        Err(TimelineError::Skeleton)
    );
}

#[test]
fn halves_that_share_frames_are_joined_to_the_bit_of_rounding() {
    for clip in performed_clips(60.0, &["run_01", "walk_left"]) {
        let (at, count) = (clip.frame_count() / 2, clip.frame_count());
        // The first ends where the second has been going on for ten frames.
        let halves = [edit::cut(&clip, 0..at), edit::cut(&clip, at - 10..count)];
        let mut line = timeline(&halves);
        let (a, fade) = (at as f64, 30.0);
        line.push(piece(0, 0.0, 0.0, a)).expect("a span");
        line.push(Span {
            origin: a,
            end: a + fade,
            length: fade,
            from: Track::new(0, a, 1.0, Planar::IDENTITY),
            to: Some(Track::new(1, 10.0, 1.0, Planar::IDENTITY)),
            join: Join::Cut,
            tag: 0,
        })
        .expect("a span");
        for (f, pose) in played(line).iter().enumerate() {
            assert!(pose.root.distance(clip.root()[f]) < 1e-12);
            for (q, p) in pose.rotations.iter().zip(clip.frame_rotations(f)) {
                assert!(q.angle_between(*p) < 1e-3, "frame {f}");
                assert!((*q - *p).length() < 1e-6 || (*q + *p).length() < 1e-6);
            }
        }
    }
}
