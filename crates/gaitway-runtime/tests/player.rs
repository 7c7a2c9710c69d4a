//! Laws of playing tick by tick.

use std::sync::Arc;

use gaitway_core::testing::swinging_clip;
use gaitway_core::{Planar, Pose};
use gaitway_runtime::timeline::{Blend, Join, Span, TimelineError, Track};
use gaitway_runtime::{Player, Timeline, TimelinePlayer};
use proptest::prelude::*;

/// A piece, a blend, a piece, a cut, a piece: 3 seconds at 60 Hz, moved to somewhere.
fn timeline(place: Planar) -> Arc<Timeline> {
    let a = Arc::new(swinging_clip("a", 200, 60.0));
    let b = Arc::new(swinging_clip("b", 260, 60.0));
    let mut out = Timeline::new(a.skeleton().clone(), 60.0).expect("a rate");
    let a = out.add_source(a).expect("the same body");
    let b = out.add_source(b).expect("the same body");
    let track = |source, first| Track::new(source, first, 1.0, place);
    let rows = [
        (0.0, 50.0, track(a, 0.0), None, Join::None),
        (
            50.0,
            80.0,
            track(a, 50.0),
            Some(track(b, 7.0)),
            Join::Blend(Blend::Centered),
        ),
        (80.0, 120.0, track(b, 37.0), None, Join::None),
        (
            120.0,
            150.0,
            track(b, 77.0),
            Some(track(a, 20.0)),
            Join::Cut,
        ),
        (150.0, 180.0, track(a, 50.0), None, Join::None),
    ];
    for (k, (origin, end, from, to, join)) in rows.into_iter().enumerate() {
        let length = end - origin;
        let tag = k as u32;
        out.push(Span {
            origin,
            end,
            length,
            from,
            to,
            join,
            tag,
        })
        .expect("a span");
    }
    Arc::new(out)
}

/// All frames, as whoever writes a file takes them.
fn frames(timeline: &Arc<Timeline>) -> Vec<Pose> {
    let mut player = TimelinePlayer::new(timeline.clone());
    let one = |frame: usize| {
        let at = timeline.span_at(frame as f64);
        let mut pose = player.pose();
        player.pose_into(at, frame as f64 - timeline.spans()[at].origin, &mut pose);
        pose
    };
    (0..timeline.frame_count()).map(one).collect()
}

fn distance(a: &Pose, b: &Pose) -> f64 {
    let turns = a.rotations.iter().zip(&b.rotations);
    let turned = turns.map(|(p, q)| f64::from((*p - *q).length().min((*p + *q).length())));
    a.root.distance(b.root) + turned.fold(0.0, f64::max)
}

#[test]
fn at_its_own_rate_it_gives_the_frames() {
    let timeline = timeline(Planar::new(0.4, 1.0, -2.0));
    let frames = frames(&timeline);
    let mut player = Player::new(timeline);
    assert_eq!(player.pose(), &frames[0]);
    for (k, frame) in frames.iter().enumerate().skip(1) {
        let tick = player.tick(1.0 / 60.0);
        assert!(distance(player.pose(), frame) < 1e-5, "frame {k}");
        assert!(!tick.over && !tick.next);
        let expected = [(50, 0), (80, 1), (120, 2), (150, 3), (180, 4)];
        let tag = expected.iter().find(|(end, _)| k < *end).map(|e| e.1);
        assert_eq!(Some(tick.tag), tag, "frame {k}");
    }
    assert!(player.tick(1.0 / 60.0).over);
    assert!((player.seconds() - 3.0).abs() < 1e-9);
    assert_eq!(player.seconds_left(), 0.0);
}

#[test]
fn one_timeline_after_another_loses_no_time() {
    let (first, second) = (
        timeline(Planar::IDENTITY),
        timeline(Planar::new(1.0, 5.0, 0.0)),
    );
    let expected = frames(&second);
    let mut player = Player::new(first);
    player.queue(second).expect("the same body");
    assert!((player.seconds_left() - 6.0).abs() < 1e-9);
    // Ends 5 frames into the second, over its border in one tick.
    let ticks: Vec<bool> = [1.7, 0.9, 0.4 + 5.0 / 60.0]
        .map(|dt| player.tick(dt).next)
        .into();
    assert_eq!(ticks, [false, false, true]);
    assert!(distance(player.pose(), &expected[5]) < 1e-5);
    assert!((player.seconds() - 3.0 - 5.0 / 60.0).abs() < 1e-9);
    assert!(player.tick(100.0).over);
    assert!(distance(player.pose(), &expected[179]) < 1e-5);
}

#[test]
fn no_time_holds_still_and_another_body_is_refused() {
    let mut player = Player::new(timeline(Planar::IDENTITY));
    player.tick(0.5);
    let held = player.pose().clone();
    for dt in [0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        player.tick(dt);
        assert_eq!(player.pose(), &held, "{dt}");
    }
    player.seek(f64::NAN);
    assert_eq!(player.seconds(), 0.0);
    player.seek(0.5);
    assert!(distance(player.pose(), &held) < 1e-6);
    let mut other = gaitway_core::Skeleton::builder();
    other.root("hips", gaitway_core::glam::Vec3::ZERO);
    let other = Timeline::new(other.build().expect("a body").shared(), 60.0).expect("a rate");
    assert_eq!(player.queue(Arc::new(other)), Err(TimelineError::Skeleton));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn how_time_is_cut_up_does_not_matter(cuts in prop::collection::vec(0.0..0.2_f64, 1..20)) {
        let timeline = timeline(Planar::IDENTITY);
        let mut slow = Player::new(timeline.clone());
        for dt in &cuts {
            slow.tick(*dt);
        }
        let mut quick = Player::new(timeline);
        let tick = quick.tick(cuts.iter().sum());
        prop_assert!(distance(slow.pose(), quick.pose()) < 1e-4);
        prop_assert_eq!(tick.over, quick.seconds_left() == 0.0);
    }
}
