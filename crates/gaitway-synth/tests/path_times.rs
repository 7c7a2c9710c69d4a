//! When a walk is where and how fast: wishes kept on the finished motion, or told.
#![allow(missing_docs)]

mod common;

use common::paths::{walker, walking};
use gaitway_synth::path::{
    PathMotion, PathOptions, PathRequest, Times, named_curve, parse_arrivals, parse_speeds,
    plan_path,
};

fn planned(curve: &str, times: Times) -> PathMotion {
    let request = PathRequest {
        options: PathOptions {
            times,
            ..walking("walk")
        },
        expansions: Some(150_000),
        ..PathRequest::new(named_curve(curve, 0.6).expect("a curve"))
    };
    plan_path(walker(), &request).expect("a plan").remove(0)
}

fn lasts(duration_s: f64) -> Times {
    Times {
        duration_s: Some(duration_s),
        ..Times::default()
    }
}

#[test]
fn a_duration_near_the_own_pace_is_kept_to_the_frame() {
    for curve in ["line", "s", "circle"] {
        let own = planned(curve, Times::default());
        let seconds = own.report.seconds;
        assert!(own.motion.as_ref().is_some_and(|m| m.times.is_none()));
        for part in [0.92, 1.0, 1.08] {
            let one = planned(curve, lasts(part * seconds));
            let row = one.report.constraints.iter().find(|c| c.what == "duration");
            assert!(row.is_some_and(|r| r.kept), "{curve} × {part}: {row:?}");
            assert_eq!(one.report.status, "Solved", "{curve} × {part}");
            let off = (one.report.seconds - part * seconds).abs();
            assert!(off < 0.05, "{curve} × {part}: {off} s off");
            // Feet that stand go on standing, whatever the clock does.
            let clip = one.clip().expect("frames");
            let contacts = clip.contacts().expect("planted feet");
            let numbers = gaitway_eval::quality(clip, Some(contacts), &Default::default());
            let skate = numbers.skate_cm_s.mean.expect("feet");
            assert!(skate < 0.1, "{curve} × {part}: {skate} cm/s");
        }
    }
}

#[test]
fn what_is_far_from_the_own_pace_is_told() {
    let own = planned("line", Times::default()).report.seconds;
    for part in [0.4, 3.0] {
        let one = planned("line", lasts(part * own));
        let row = one.report.constraints.iter().find(|c| c.what == "duration");
        let row = row.expect("a row");
        assert!(!row.kept, "{row:?}");
        let number = row.number.expect("numbers");
        assert!((number.found - number.asked).abs() > number.within);
        assert_eq!(one.report.status, "ConstraintMissed");
        let word = if part < 1.0 { "late" } else { "early" };
        assert!(row.words().contains(word), "{}", row.words());
    }
}

#[test]
fn places_are_reached_when_they_are_asked_for() {
    let own = planned("s", Times::default());
    let (seconds, length) = (own.report.seconds, own.report.path_m);
    let pace = length / seconds;
    // The first half a little faster, the second a little slower.
    let half = 0.5 * length / (1.07 * pace);
    let all = half + 0.5 * length / (0.93 * pace);
    let times = Times {
        duration_s: Some(all),
        arrivals: parse_arrivals(&format!("{half}@50%")).expect("a wish"),
        ..Times::default()
    };
    let one = planned("s", times);
    let rows: Vec<_> = one.report.constraints.iter().collect();
    for what in ["arrival", "duration"] {
        let row = rows.iter().find(|c| c.what == what).expect("a row");
        assert!(row.kept, "{row:?}");
        // The numbers say the same as the words.
        let number = row.number.expect("numbers");
        assert!(row.found.starts_with(&format!("{:.2} s", number.found)));
        assert!((number.found - number.asked).abs() <= number.within);
        let to_m = if what == "arrival" { 0.5 } else { 1.0 } * length;
        assert!((number.to_m - to_m).abs() < 0.01, "{number:?}");
    }
    assert!(rows.iter().all(|c| c.what != "end" || c.number.is_none()));
}

#[test]
fn a_speed_is_kept_where_clips_are_near_it() {
    let own = planned("line", Times::default());
    let pace = own.report.path_m / own.report.seconds;
    let times = Times {
        speeds: parse_speeds(&format!("{:.2}", 0.95 * pace)).expect("a wish"),
        ..Times::default()
    };
    let one = planned("line", times);
    let row = one.report.constraints.iter().find(|c| c.what == "speed");
    assert!(row.is_some_and(|r| r.kept), "{row:?}");
}

/// Labels, contacts, origins and transitions go with the frames that they are of.
#[test]
fn what_is_known_of_frames_goes_with_them() {
    let own = planned("line", Times::default());
    let one = planned("line", lasts(0.93 * own.report.seconds));
    let motion = one.motion.as_ref().expect("a motion");
    let clip = &motion.clip;
    assert_eq!(motion.origin.len(), clip.frame_count());
    assert!(
        clip.labels()
            .spans()
            .iter()
            .all(|s| s.end <= clip.frame_count())
    );
    for mark in &motion.transitions {
        assert!(mark.start_s <= mark.t && mark.t <= mark.end_s);
        assert!(mark.end_s <= clip.seconds() + 0.1);
    }
}
