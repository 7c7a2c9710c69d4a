use super::*;
use crate::fk::world_points;
use crate::source::bake;
use crate::testing::{Walker, swinging_clip, walking_clip};
use crate::{Clip, ContactTrack};
use proptest::prelude::*;

fn between(weight: f64, knots: Vec<[usize; 2]>) -> Interpolated {
    let a = Arc::new(swinging_clip("a", 90, 60.0));
    let b = Arc::new(swinging_clip("b", 120, 60.0));
    Interpolated::new(a, b, Interpolation { knots, weight }).expect("they go together")
}

#[test]
fn the_ends_are_the_originals() {
    let knots = vec![[10, 20], [21, 40], [40, 65]];
    let clip = swinging_clip("x", 120, 60.0);
    let first = bake(&between(1.0, knots.clone()), "first").expect("a clip");
    assert_eq!(first.frame_count(), 31);
    for f in 0..31 {
        assert_eq!(first.root()[f], clip.root()[10 + f]);
        assert_eq!(first.frame_rotations(f), clip.frame_rotations(10 + f));
    }
    let made = between(0.0, knots);
    let (second, onto) = (
        bake(&made, "second").expect("a clip"),
        made.first_from_second(),
    );
    assert_eq!(second.frame_count(), 46);
    let turn = onto.rotation().as_quat();
    for f in 0..46 {
        assert!(second.root()[f].distance(onto.apply(clip.root()[20 + f])) < 1e-12);
        let (made, own) = (second.frame_rotations(f), clip.frame_rotations(20 + f));
        assert_eq!(made[1..], own[1..]);
        assert!(made[0].angle_between(turn * own[0]) < 1e-3);
    }
}

#[test]
fn a_source_with_itself_changes_nothing() {
    let clip = Arc::new(swinging_clip("a", 90, 60.0));
    let how = Interpolation {
        knots: vec![[5, 5], [30, 30], [59, 59]],
        weight: 0.37,
    };
    let same = Interpolated::new(clip.clone(), clip.clone(), how).expect("they go together");
    let made = bake(&same, "same").expect("a clip");
    assert_eq!(made.root(), &clip.root()[5..60]);
    assert_eq!(made.frame_rotations(20), clip.frame_rotations(25));
}

/// Two walks of different speed and cadence, with their contacts, and the frames at which the left foot comes down.
fn walks(speeds: [f64; 2]) -> [(Arc<Clip>, Vec<usize>); 2] {
    speeds.map(|speed| {
        let walker = Walker {
            speed,
            cycle_s: 1.3 / speed.sqrt(),
            rate_hz: 60.0,
            seconds: 5.0,
            noise: 0.0,
            ..Walker::default()
        };
        let clip = walking_clip(&walker);
        let track = clip.contacts().expect("contacts");
        let left = track
            .points()
            .iter()
            .position(|p| p.name.starts_with("left"));
        let bit = 1 << left.expect("a left foot");
        let down = |f: usize| track.mask(f) & bit != 0;
        let strikes = (1..clip.frame_count())
            .filter(|&f| down(f) && !down(f - 1))
            .collect();
        (Arc::new(clip), strikes)
    })
}

fn knots(a: &[usize], b: &[usize]) -> Vec<[usize; 2]> {
    a.iter().zip(b).map(|(&a, &b)| [a, b]).collect()
}

/// Metres a second of points that stand, in the mean, over frames in which the heavier source says so in all of five.
fn slide(clip: &Clip) -> f64 {
    let (points, track) = (world_points(clip), clip.contacts().expect("contacts"));
    let (mut sum, mut count) = (0.0, 0);
    for (bit, point) in track.points().iter().enumerate() {
        let stands = |f: usize| track.mask(f) >> bit & 1 == 1;
        for f in 3..clip.frame_count() - 3 {
            if (f - 3..=f + 3).all(stands) {
                let [a, b] = [f, f + 1].map(|f| points.at(f, point.point.index()));
                sum += (b - a).with_y(0.0).length() * clip.rate_hz();
                count += 1;
            }
        }
    }
    sum / f64::from(count.max(1))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn what_stands_stays_where_it_is(weight in 0.05_f64..0.95, slow in 0.7_f64..1.1, faster in 1.0_f64..1.5) {
        let [(a, left), (b, right)] = walks([slow, slow * faster]);
        let knots = knots(&left, &right);
        prop_assume!(knots.len() > 2);
        let own = slide(&a).max(slide(&b));
        let made = Interpolated::new(a, b, Interpolation { knots, weight }).expect("they go together");
        let made = bake(&made, "made").expect("a clip");
        prop_assert!(slide(&made) < own + 0.03, "{} over {own}", slide(&made));
        // Nothing leaps.
        let steps = made.root().windows(2).map(|r| r[1].distance(r[0]) * 60.0);
        let fastest = steps.fold(0.0, f64::max);
        prop_assert!(fastest < 2.5 * slow * faster, "{fastest} m/s");
    }
}

#[test]
fn beyond_the_ends_it_goes_on() {
    let [(a, left), (b, right)] = walks([0.9, 1.2]);
    let how = |knots| Interpolation { knots, weight: 0.5 };
    let all = knots(&left, &right);
    let whole = Interpolated::new(a.clone(), b.clone(), how(all.clone())).expect("whole");
    let part = Interpolated::new(a, b, how(all[..2].to_vec()))
        .expect("part")
        .reaching(12);
    assert!(part.has(-1.0) && !part.has(-500.0));
    let mut poses = [
        Pose::new(part.skeleton().joint_count(), Vec::new().into()),
        Pose::default(),
    ];
    poses[1] = poses[0].clone();
    for f in 0..part.frame_count() - 5 {
        part.beyond(f as isize, &mut poses[0]);
        whole.frame_into(f, &mut poses[1]);
        assert!(poses[0].root.distance(poses[1].root) < 0.02, "frame {f}");
    }
    let mut last = poses[0].root;
    for f in 0..8 {
        part.beyond((part.frame_count() - 5 + f) as isize, &mut poses[0]);
        assert!(poses[0].root.distance(last) < 0.06);
        last = poses[0].root;
    }
}

#[test]
fn labels_are_those_of_both() {
    let label = |clip: Clip, spans: &[(usize, usize, &str)]| {
        let spans = spans.iter().map(|&(start, end, label)| LabelSpan {
            start,
            end,
            label: label.into(),
        });
        Arc::new(clip.with_labels(LabelTrack::new(spans.collect())))
    };
    let a = label(
        swinging_clip("a", 90, 60.0),
        &[(0, 90, "walk"), (20, 40, "turn")],
    );
    let b = label(
        swinging_clip("b", 90, 60.0),
        &[(0, 50, "walk"), (0, 90, "sneak")],
    );
    let how = Interpolation {
        knots: vec![[0, 0], [80, 80]],
        weight: 0.5,
    };
    let made = Interpolated::new(a, b, how).expect("they go together");
    let spans = made.labels().spans();
    assert_eq!(spans.len(), 1, "{spans:?}");
    assert_eq!(
        (spans[0].start, spans[0].end, &*spans[0].label),
        (0, 50, "walk")
    );
}

#[test]
fn what_does_not_fit_is_refused() {
    let clip = Arc::new(swinging_clip("a", 30, 60.0));
    let with = |knots: Vec<[usize; 2]>, weight: f64| {
        Interpolated::new(clip.clone(), clip.clone(), Interpolation { knots, weight }).err()
    };
    assert!(matches!(
        with(vec![[5, 5], [31, 9]], 0.5),
        Some(InterpolationError::Knot { .. })
    ));
    assert!(matches!(
        with(vec![[5, 5], [9, 5]], 0.5),
        Some(InterpolationError::Knot { .. })
    ));
    assert_eq!(
        with(vec![[5, 5]], 0.5),
        Some(InterpolationError::FewKnots(1))
    );
    let told = with(vec![[0, 0], [9, 9]], f64::NAN).map(|e| e.to_string());
    assert!(told.is_some_and(|t| t.contains("weight")));
    let track = ContactTrack::new(Vec::new(), 30);
    let other = swinging_clip("b", 30, 60.0).with_contacts(Some(track));
    let other = Arc::new(other.expect("a mask per frame"));
    let how = Interpolation {
        knots: vec![[0, 0], [9, 9]],
        weight: 0.5,
    };
    let refused = Interpolated::new(clip, other, how).err();
    assert_eq!(refused, Some(InterpolationError::Contacts));
}
