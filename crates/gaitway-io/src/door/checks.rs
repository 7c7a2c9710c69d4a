//! A look at the data itself: dropouts, flips, noise, repeats, bones of no length, clips of no length.

use gaitway_core::rotation::angle_between;
use gaitway_core::spikes::{self, Lapse, Spike, SpikeKind};
use gaitway_core::{Clip, JointIdx, WarningCode, Warnings};

/// A clip shorter than this cannot hold a window of half a second around a frame and one step.
const SHORT_S: f64 = 1.0;

/// Why a lapse is left, and what is done about it.
const TOO_LONG: &str = "too long to say what belongs there, so they stay as they are; a graph lets no transition touch them (`convert --cut A..B` keeps only the \
     seconds from A to B)";

/// What looks have in common.
pub(super) struct Checks<'a> {
    /// The number that the clip's first frame has in its file.
    pub first_frame: usize,
    /// Whether spikes and lapses are mended.
    pub repair: bool,
    pub warnings: &'a mut Warnings,
}

impl Checks<'_> {
    /// Frames where the root lies at the origin although it is far from it before or after: the solver lost the body. Unless they
    /// shall be kept, they are filled on a straight line between the neighbours; at an end of the clip, where there is one neighbour, by
    /// its place, and only a few of them.
    pub fn mend_dropouts(&mut self, clip: Clip, keep: bool) -> Clip {
        /// Longer than this, in seconds, nobody stays where the neighbour is.
        const LONGEST_END_S: f64 = 0.1;
        let spans = spikes::dropouts(&clip);
        if spans.is_empty() {
            return clip;
        }
        let count: usize = spans.iter().map(ExactSizeIterator::len).sum();
        let first = self.first_frame + spans[0].start;
        let what = format!("the root lies at the origin in {count} frames (first: {first})");
        if keep {
            let message = format!("{what}; kept as asked");
            self.warnings.add(WarningCode::RootDropout, message);
            return clip;
        }
        let (frames, rate) = (clip.frame_count(), clip.rate_hz());
        let mut parts = clip.into_parts();
        let mut left = 0;
        for span in spans {
            let inside = span.start > 0 && span.end < frames;
            if !inside && span.len() as f64 / rate > LONGEST_END_S {
                left += span.len();
                continue;
            }
            let before = span.start.checked_sub(1).map(|f| parts.root[f]);
            let after = parts.root.get(span.end).copied();
            let Some((a, b)) = before.or(after).zip(after.or(before)) else {
                continue;
            };
            let steps = (span.len() + 1) as f64;
            for (k, f) in span.enumerate() {
                parts.root[f] = a.lerp(b, (k + 1) as f64 / steps);
            }
        }
        let done = match (left, count - left) {
            (0, _) => "filled from the frames around (--keep-dropouts keeps them)".to_owned(),
            (left, filled) => format!(
                "{filled} filled from the frames around, {left} at an end of the clip left, where nothing says what belongs there; \
                 a graph lets no transition touch them (`convert --cut A..B` keeps only the seconds from A to B)"
            ),
        };
        self.warnings
            .add(WarningCode::RootDropout, format!("{what}; {done}"));
        parts
            .build()
            .expect("places between two finite places are finite")
    }

    /// Frames in which joints are somewhere else, mended where asked; what was found.
    pub fn mend_spikes(&mut self, clip: Clip) -> (Clip, Vec<Spike>) {
        let Some(mended) = spikes::repair(&clip) else {
            return (clip, Vec::new());
        };
        let found = mended.spikes;
        let what = self.in_words(&clip, &found);
        let done = if self.repair {
            "filled from the frames around (--keep-spikes keeps them)"
        } else {
            "left as they are (--repair-spikes mends them, as `clean` and `build` do)"
        };
        self.warnings.add_value(
            WarningCode::Spikes,
            format!("joints are somewhere else for a frame or two: {what}; {done}"),
            "spikes",
            found.len() as f64,
        );
        (if self.repair { mended.clip } else { clip }, found)
    }

    /// Stretches in which joints stand still to the bit and then leap, filled where asked and where they are short; what was found.
    pub fn fill_lapses(&mut self, clip: Clip) -> (Clip, Vec<Lapse>) {
        let Some(mut bridged) = spikes::bridge(&clip) else {
            return (clip, Vec::new());
        };
        let found: Vec<Spike> = bridged.lapses.iter().map(|l| l.at.clone()).collect();
        let what = self.in_words(&clip, &found);
        let short = bridged.lapses.iter().filter(|l| l.filled).count();
        let done = match (self.repair, short, found.len() - short) {
            (true, _, 0) => "filled from the frames around (--keep-spikes keeps them)".to_owned(),
            (true, 0, _) => format!("left: {TOO_LONG}"),
            (true, short, long) => {
                format!("{short} filled from the frames around, {long} left: {TOO_LONG}")
            }
            (false, 0, _) => format!("left as they are: {TOO_LONG}"),
            (false, short, _) => format!(
                "left as they are (--repair-spikes fills {short} of {}, as `clean` and `build` do)",
                found.len()
            ),
        };
        self.warnings.add_value(
            WarningCode::FrozenJoints,
            format!("joints stand still to the bit and then leap: {what}; {done}"),
            "lapses",
            found.len() as f64,
        );
        if !self.repair {
            bridged.lapses.iter_mut().for_each(|l| l.filled = false);
            return (clip, bridged.lapses);
        }
        (bridged.clip, bridged.lapses)
    }

    /// Each stretch of frames once, with what leaps farthest in it.
    fn in_words(&self, clip: &Clip, found: &[Spike]) -> String {
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
                self.first_frame + spike.frames.start,
                spike.frames.start as f64 / clip.rate_hz(),
            );
            let more = match others {
                0 => String::new(),
                n => format!(" and {n} more"),
            };
            let long = match spike.frames.len() {
                n if n > 3 => format!(" after {n} frames"),
                _ => String::new(),
            };
            format!("`{name}`{more} by {size:.1}{unit}{long} at frame {frame} ({time:.3} s)")
        };
        let shown: Vec<String> = stretches.iter().take(SHOWN).map(one).collect();
        let rest = match stretches.len().saturating_sub(SHOWN) {
            0 => String::new(),
            n => format!(" and {n} more times"),
        };
        format!("{}{rest}", shown.join(", "))
    }

    /// Everything that is told and left alone. Gives back the joints whose rotations are noise.
    pub fn look(&mut self, clip: &Clip) -> Vec<JointIdx> {
        bones_of_no_length(clip, self.warnings);
        let noise = jumps(clip, self.first_frame, self.warnings);
        repeated_frames(clip, self.first_frame, self.warnings);
        if clip.seconds() < SHORT_S {
            self.warnings.add(
            WarningCode::ShortClip,
            format!(
                "{:.2} s is too short for a blend with other motion; it can be joined at its ends",
                clip.seconds()
            ),
        );
        }
        noise
    }
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
fn jumps(clip: &Clip, first_frame: usize, warnings: &mut Warnings) -> Vec<JointIdx> {
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
        let (name, frame) = (&flips[0].0, first_frame + flips[0].1);
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

fn repeated_frames(clip: &Clip, first_frame: usize, warnings: &mut Warnings) {
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
                "{} frames repeat the one before to the bit (first: {})",
                repeated.len(),
                first_frame + first
            ),
        );
    }
}
