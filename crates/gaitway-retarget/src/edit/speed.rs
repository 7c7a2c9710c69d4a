//! Faster or slower, all of a clip or in part.
//!
//! With v(s) how fast the clip is played where it is at s, the time at which s is reached is t(s) = ∫ ds / v(s). Frames of the result are at whole steps of t. Where
//! parts begin and end v goes over smoothly.

use gaitway_core::{
    Clip, ContactTrack, LabelMoment, LabelSpan, LabelTrack, Pose, PoseSource, TranslationTrack,
};

use super::{EditError, EditStep, Pace, times};

/// Over how long the speed changes from one to another, seconds of the clip, half before and half after.
const EASE_S: f64 = 0.4;

pub(super) fn change(clip: &Clip, paces: &[Pace]) -> Result<(Clip, EditStep), EditError> {
    let (frames, rate) = (clip.frame_count(), clip.rate_hz());
    for pace in paces {
        times("speed", pace.times)?;
        if let Some((a, b)) = pace.span
            && !(a.is_finite() && b.is_finite() && a >= 0.0 && b > a && a <= clip.seconds())
        {
            return Err(EditError::Time {
                what: format!("speed from {a} to {b} s"),
                seconds: clip.seconds(),
            });
        }
    }
    let words: Vec<String> = paces.iter().map(words).collect();
    let mut step = EditStep::new("speed", words.join(", "));
    if frames < 2 || paces.iter().all(|p| p.times == 1.0) {
        return Ok((clip.clone(), step));
    }
    let speed: Vec<f64> = (0..frames).map(|f| at(paces, f as f64 / rate)).collect();
    let mut reached = vec![0.0; frames];
    for f in 1..frames {
        // The mean slowness over a frame.
        reached[f] = reached[f - 1] + 0.5 * (1.0 / speed[f - 1] + 1.0 / speed[f]);
    }
    let end = reached[frames - 1];
    let count = (end + 1e-6).floor() as usize + 1;
    let place = |n: usize| {
        let t = n as f64;
        let k = reached.partition_point(|&r| r <= t).clamp(1, frames - 1);
        let (a, b) = (reached[k - 1], reached[k]);
        (k - 1) as f64 + ((t - a) / (b - a)).clamp(0.0, 1.0)
    };
    let places: Vec<f64> = (0..count).map(place).collect();
    let made = sampled(clip, &places, &reached)?;
    step.notes.push(format!(
        "{:.2} s before, {:.2} s now",
        clip.seconds(),
        made.seconds()
    ));
    Ok((made, step))
}

fn words(pace: &Pace) -> String {
    match pace.span {
        Some((a, b)) => format!("{}@{a}..{b}", pace.times),
        None => pace.times.to_string(),
    }
}

/// How fast a clip is played at a second of its own.
fn at(paces: &[Pace], s: f64) -> f64 {
    paces.iter().fold(1.0, |v: f64, pace| {
        let Some((a, b)) = pace.span else {
            return pace.times;
        };
        let ease = EASE_S.min(b - a);
        let smooth = |u: f64| {
            let u = u.clamp(0.0, 1.0);
            u * u * (3.0 - 2.0 * u)
        };
        let share = smooth((s - a) / ease + 0.5) * smooth((b - s) / ease + 0.5);
        // Between two speeds by their ratio: half as fast is as far from 1 as twice as fast.
        v * (pace.times / v).powf(share)
    })
}

/// The clip at places in its own frames, on a clock of whole frames.
fn sampled(clip: &Clip, places: &[f64], reached: &[f64]) -> Result<Clip, EditError> {
    let joints = clip.joint_count();
    let moving: std::sync::Arc<[_]> = PoseSource::moving_joints(clip).into();
    let mut pose = Pose::new(joints, moving.clone());
    let mut between = Pose::new(joints, moving.clone());
    let mut root = Vec::with_capacity(places.len());
    let mut rotations = Vec::with_capacity(places.len() * joints);
    let mut tracks: Vec<TranslationTrack> = moving
        .iter()
        .map(|&joint| TranslationTrack {
            joint,
            values: Vec::with_capacity(places.len()),
        })
        .collect();
    for &place in places {
        clip.sample(place, &mut pose, &mut between);
        root.push(pose.root);
        rotations.extend_from_slice(&pose.rotations);
        for track in &mut tracks {
            track
                .values
                .push(pose.translation(clip.skeleton(), track.joint));
        }
    }
    let frame = |f: usize| match reached.get(f) {
        Some(&t) => (t.round() as usize).min(places.len()),
        None => places.len(),
    };
    let spans = clip.labels().spans().iter().map(|s| LabelSpan {
        start: frame(s.start),
        end: frame(s.end),
        label: s.label.clone(),
    });
    let moments = clip.labels().moments().iter().map(|m| LabelMoment {
        frame: frame(m.frame).min(places.len().saturating_sub(1)),
        label: m.label.clone(),
    });
    let labels = LabelTrack::new(spans.collect()).with_moments(moments.collect());
    let contacts = clip.contacts().map(|track| {
        let mut out = ContactTrack::new(track.points().to_vec(), places.len());
        for (n, &place) in places.iter().enumerate() {
            out.set_mask(
                n,
                track.mask((place.round() as usize).min(track.frame_count().saturating_sub(1))),
            );
        }
        out
    });
    let made = Clip::new(
        clip.name(),
        clip.skeleton().clone(),
        clip.rate_hz(),
        root,
        rotations,
    )?
    .with_translations(tracks)?
    .with_labels(labels)
    .with_contacts(contacts)?;
    Ok(made)
}
