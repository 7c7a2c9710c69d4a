//! A look at the data itself: dropouts, flips, noise, repeats, bones of no length, clips of no length.

use gaitway_core::rotation::angle_between;
use gaitway_core::spikes::{self, Spike, SpikeKind};
use gaitway_core::{Clip, JointIdx, WarningCode, Warnings};
use glam::DVec3;

/// A clip shorter than this cannot hold a window of half a second around a frame and one step.
const SHORT_S: f64 = 1.0;

/// Frames where the root falls to the origin although it is far from it before and after: the solver lost
/// the body. Filled on a straight line between the neighbours unless they shall be kept.
pub(super) fn mend_dropouts(clip: Clip, keep: bool, warnings: &mut Warnings) -> Clip {
    /// From this far off, the exact origin is no place a body passes through.
    const FAR_M: f64 = 0.3;
    let root = clip.root();
    let lost = |f: usize| root[f].length() < 1e-9;
    let mut spans = Vec::new();
    let mut frame = 0;
    while frame < root.len() {
        let start = frame;
        while frame < root.len() && lost(frame) {
            frame += 1;
        }
        let inside = start > 0 && frame < root.len();
        if frame > start
            && inside
            && root[start - 1].length() > FAR_M
            && root[frame].length() > FAR_M
        {
            spans.push(start..frame);
        }
        frame = frame.max(start + 1);
    }
    if spans.is_empty() {
        return clip;
    }
    let count: usize = spans.iter().map(ExactSizeIterator::len).sum();
    let first = spans[0].start;
    let what = format!("the root drops to the origin in {count} frames (first: {first})");
    if keep {
        warnings.add(WarningCode::RootDropout, format!("{what}; kept as asked"));
        return clip;
    }
    warnings.add(
        WarningCode::RootDropout,
        format!("{what}; filled from the frames around (--keep-dropouts keeps them)"),
    );
    let mut parts = clip.into_parts();
    for span in spans {
        let (a, b): (DVec3, DVec3) = (parts.root[span.start - 1], parts.root[span.end]);
        let steps = (span.len() + 1) as f64;
        for (k, f) in span.enumerate() {
            parts.root[f] = a.lerp(b, (k + 1) as f64 / steps);
        }
    }
    parts
        .build()
        .expect("places between two finite places are finite")
}

/// Frames in which joints are somewhere else, mended where asked; what was found.
pub(super) fn mend_spikes(clip: Clip, repair: bool, warnings: &mut Warnings) -> (Clip, Vec<Spike>) {
    let Some(mended) = spikes::repair(&clip) else {
        return (clip, Vec::new());
    };
    let found = mended.spikes;
    let what = in_words(&clip, &found);
    let done = if repair {
        "filled from the frames around (--keep-spikes keeps them)"
    } else {
        "left as they are (--repair-spikes mends them, as `clean` and `build` do)"
    };
    warnings.add_value(
        WarningCode::Spikes,
        format!("{what}; {done}"),
        "spikes",
        found.len() as f64,
    );
    (if repair { mended.clip } else { clip }, found)
}

/// Each stretch of frames once, with what leaps farthest in it.
fn in_words(clip: &Clip, found: &[Spike]) -> String {
    /// The JSON of `clean` has all of them.
    const SHOWN: usize = 4;
    let mut stretches: Vec<(&Spike, usize)> = Vec::new();
    // A turn of a degree is about as much as a place of a centimetre.
    let weight = |s: &Spike| s.measure().0;
    for spike in found {
        match stretches.last_mut() {
            Some((worst, others)) if worst.frames.end > spike.frames.start => {
                *others += 1;
                if weight(spike) > weight(worst) {
                    *worst = spike;
                }
            }
            _ => stretches.push((spike, 0)),
        }
    }
    let one = |(spike, others): &(&Spike, usize)| {
        let (size, unit) = spike.measure();
        let unit = if spike.kind == SpikeKind::Rotation {
            "°"
        } else {
            unit
        };
        let name = clip.skeleton().name(spike.joint);
        let (frame, time) = (
            spike.frames.start,
            spike.frames.start as f64 / clip.rate_hz(),
        );
        let more = match others {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        format!("`{name}`{more} by {size:.1}{unit} at frame {frame} ({time:.3} s)")
    };
    let shown: Vec<String> = stretches.iter().take(SHOWN).map(one).collect();
    let rest = match stretches.len().saturating_sub(SHOWN) {
        0 => String::new(),
        n => format!(" and {n} more times"),
    };
    format!(
        "joints are somewhere else for a frame or two: {}{rest}",
        shown.join(", ")
    )
}

/// Everything that is told and left alone. Gives back the joints whose rotations are noise.
pub(super) fn look(clip: &Clip, warnings: &mut Warnings) -> Vec<JointIdx> {
    bones_of_no_length(clip, warnings);
    let noise = jumps(clip, warnings);
    repeated_frames(clip, warnings);
    if clip.seconds() < SHORT_S {
        warnings.add(
            WarningCode::ShortClip,
            format!(
                "{:.2} s is too short for a blend with other motion; it can be joined at its ends",
                clip.seconds()
            ),
        );
    }
    noise
}

fn bones_of_no_length(clip: &Clip, warnings: &mut Warnings) {
    let skeleton = clip.skeleton();
    let none: Vec<&str> = skeleton
        .joints()
        .skip(1)
        .filter(|&j| skeleton.bone_length(j) < 1e-5 && clip.translation_track(j).is_none())
        .map(|j| skeleton.name(j))
        .collect();
    if !none.is_empty() {
        let message = format!("{} bones have no length: {}", none.len(), none.join(", "));
        warnings.add(WarningCode::ZeroLengthBones, message);
    }
}

/// Jumps no body can make, and noise: joints that jump all the time.
fn jumps(clip: &Clip, warnings: &mut Warnings) -> Vec<JointIdx> {
    /// Faster than any joint turns, degrees a second: a pitcher's shoulder reaches about 7,000 for an instant, but
    /// not from one frame to the next and back.
    const FASTEST: f64 = 8000.0;
    /// More than this many jumps a second are no accident.
    const NOISE_PER_S: f64 = 1.0;
    let (frames, skeleton) = (clip.frame_count(), clip.skeleton());
    let limit = (FASTEST / clip.rate_hz()).clamp(45.0, 150.0).to_radians();
    // |dot| below this is an angle beyond the limit: cheap enough to look at every joint of every frame.
    let least_dot = (limit / 2.0).cos() as f32;
    let mut noise = Vec::new();
    let mut flips: Vec<(String, usize)> = Vec::new();
    for joint in skeleton.joints() {
        let apart = |f: &usize| {
            let (a, b) = (clip.rotation(f - 1, joint), clip.rotation(*f, joint));
            a.dot(b).abs() < least_dot && angle_between(a, b) > limit
        };
        let leaps: Vec<usize> = (1..frames).filter(apart).collect();
        if leaps.len() >= 3 && leaps.len() as f64 / clip.seconds() > NOISE_PER_S {
            noise.push(joint);
        } else if let Some(&first) = leaps.first() {
            flips.push((skeleton.name(joint).to_owned(), first));
        }
    }
    if !noise.is_empty() {
        let names: Vec<&str> = noise.iter().map(|&j| skeleton.name(j)).collect();
        warnings.add(
            WarningCode::NoiseJoints,
            format!(
                "{} joints flip all the time and carry noise: {}",
                names.len(),
                names.join(", ")
            ),
        );
    }
    if !flips.is_empty() {
        let (name, frame) = &flips[0];
        let list: Vec<&str> = flips.iter().map(|(n, _)| n.as_str()).collect();
        warnings.add(
            WarningCode::JointFlip,
            format!(
                "joints leap farther in a frame than a body turns ({}); first `{name}` at frame {frame}; left as \
                 they are (`convert --cut A..B` keeps only the seconds from A to B)",
                list.join(", ")
            ),
        );
    }
    noise
}

fn repeated_frames(clip: &Clip, warnings: &mut Warnings) {
    let same = |f: usize| {
        clip.root()[f] == clip.root()[f - 1]
            && clip.frame_rotations(f) == clip.frame_rotations(f - 1)
            && clip
                .translations()
                .iter()
                .all(|t| t.values[f] == t.values[f - 1])
    };
    let repeated: Vec<usize> = (1..clip.frame_count()).filter(|&f| same(f)).collect();
    if let Some(first) = repeated.first() {
        warnings.add(
            WarningCode::DuplicateFrames,
            format!(
                "{} frames repeat the one before to the bit (first: {first})",
                repeated.len()
            ),
        );
    }
}
