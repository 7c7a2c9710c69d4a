use super::*;
use crate::performer::library;
use crate::{LabelMoment, LabelTrack};

#[test]
fn words_of_labels_name_kinds() {
    for (label, kind) in [
        ("sit", Some(EventKind::Sit)),
        ("pick-up", Some(EventKind::PickUp)),
        ("Jump Kick", Some(EventKind::Kick)),
        ("step-over", Some(EventKind::StepOver)),
        ("turn-left", Some(EventKind::Turn)),
        ("stop", Some(EventKind::Still)),
        ("stand", Some(EventKind::Still)),
        // What is done comes before standing to do it.
        ("stand-kick", Some(EventKind::Kick)),
        ("walk", None),
        ("martial", None),
        // Not a word of its own.
        ("website", None),
    ] {
        assert_eq!(EventKind::of_label(label), kind, "{label}");
    }
}

#[test]
fn each_run_near_the_best_has_one_best_frame() {
    let part = signal::Part::Pelvis;
    let hits: Vec<Option<Hit>> = [0.0, 0.8, 1.0, 0.9, 0.0, 0.0, 0.0, 0.75, 0.3, 0.9, 0.0]
        .map(|metres| (metres > 0.5).then_some(Hit { metres, part }))
        .to_vec();
    assert_eq!(best_of_runs(&hits, 1), vec![2, 7, 9]);
    assert_eq!(best_of_runs(&hits, 2), vec![2, 9]);
    assert!(best_of_runs(&[None, None], 1).is_empty());
}

#[test]
fn walking_has_no_event_and_a_moment_written_down_overrules() {
    let takes = library(1, 30.0).expect("performer");
    let walk = takes
        .iter()
        .find(|t| t.clip.name().contains("walk_"))
        .expect("a walk");
    let clip = &walk.clip;
    let usual = Usual::of(takes.iter().map(|t| &t.clip));
    let all = 0..clip.frame_count();
    for label in ["sit", "pick-up", "jump", "kick", "step-over", "walk"] {
        let found = events_in(clip, all.clone(), label, &usual);
        assert!(found.is_empty(), "{label}: {found:?}");
    }
    let track = LabelTrack::whole("sit", clip.frame_count()).with_moments(vec![
        LabelMoment {
            frame: 7,
            label: "sit".to_owned(),
        },
        LabelMoment {
            frame: 9,
            label: "jump".to_owned(),
        },
    ]);
    let marked = clip.clone().with_labels(track);
    let found = events_in(&marked, all, "sit", &usual);
    assert_eq!(found.len(), 1);
    assert!(found[0].given && found[0].frame == 7);
}

#[test]
fn a_take_that_is_unusual_throughout_has_no_moment_of_its_own() {
    let takes = library(1, 30.0).expect("performer");
    let usual = Usual::of(takes.iter().map(|t| &t.clip));
    let sneak = takes.iter().find(|t| t.clip.name().contains("sneak"));
    let clip = &sneak.expect("a sneak").clip;
    let found = events_in(clip, 0..clip.frame_count(), "sneak", &usual);
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn sitting_lasts_and_standing_is_found_where_the_body_is_still() {
    let takes = library(1, 60.0).expect("performer");
    let usual = Usual::of(takes.iter().map(|t| &t.clip));
    let sit = takes.iter().find(|t| t.clip.name().contains("sit_"));
    let clip = &sit.expect("a sit").clip;
    let finder = EventFinder::new(clip);
    let all = 0..clip.frame_count();
    let seated = finder.events_in(all.clone(), "sit", &usual);
    let event = seated.first().expect("somebody sits");
    let lasts = finder.lasts(event.frame, EventKind::Sit, &usual);
    assert!(
        lasts.contains(&event.frame) && lasts.len() > 30,
        "{lasts:?}"
    );
    assert!(lasts.end < all.end, "and gets up again");
    let speed = |f: usize| (clip.root()[f] - clip.root()[f - 1]).length() * clip.rate_hz();
    for still in finder.events_in(all, "stop", &usual) {
        let now = speed(still.frame.max(1));
        assert!(now < 0.3, "{now} m/s");
    }
}
