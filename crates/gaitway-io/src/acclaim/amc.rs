//! The AMC reader: keywords, then frames, each a number alone in its line and a line of values per bone.
//!
//! A bone that no frame lists keeps its rest pose, told. One that some frames lack is an error in a
//! `:FULLY-SPECIFIED` file, since then the file is damaged; elsewhere it keeps its last values, told. A last
//! frame that is cut short is dropped, told. Numbers of frames must rise; where they skip, it is told.

use std::collections::HashMap;

use glam::{DQuat, DVec3};

use gaitway_core::{WarningCode, Warnings};

use super::channels::Dof;
use super::skeleton::AcclaimSkeleton;
use crate::error::ReadError;
use crate::lines::{Line, Lines, Word};
use crate::raw::{RawClip, RawTrack};

/// The rate taken when a file gives none, as the format allows: that of most of the CMU database.
pub const ASSUMED_RATE_HZ: f64 = 120.0;

/// A clip may take this many times the bytes of its text; a skeleton of thousands of bones under a motion
/// that lists none of them shall not.
const MOST_GROWTH: usize = 64;

/// Reads a motion of a skeleton. `file` is the name errors give.
///
/// # Errors
/// When the text is no motion of this skeleton: the place, what was expected there and what was found.
pub fn read_amc(
    file: &str,
    bytes: &[u8],
    skeleton: &AcclaimSkeleton,
) -> Result<RawClip, ReadError> {
    let mut reader = Reader::new(file, bytes, skeleton);
    for line in Lines::new(bytes) {
        let mut words = line.words(|b| b.is_ascii_whitespace() || b == 0);
        let Some(first) = words.next() else { continue };
        let read = if first.bytes[0] == b':' {
            reader.keyword(&first, words.next())
        } else if first.bytes.iter().all(u8::is_ascii_digit) {
            match words.next() {
                None => reader.begin_frame(&first),
                Some(extra) => Err(extra.unexpected(file, "a frame number alone in its line")),
            }
        } else {
            reader.bone(&first, words)
        };
        match read {
            Ok(()) => {}
            // A file that ends within a line was cut there: the frames before are good.
            Err(_) if reader.frames > 0 && reader.is_cut_at(&line, bytes) => {
                reader.is_cut = true;
                break;
            }
            Err(error) => return Err(error),
        }
    }
    reader.finish()
}

struct Reader<'a> {
    file: &'a str,
    skeleton: &'a AcclaimSkeleton,
    by_name: HashMap<Vec<u8>, usize>,
    most_bytes: usize,
    fully_specified: bool,
    radians: bool,
    rate_hz: Option<f64>,
    /// Number and line of the frame being read.
    current: Option<(u64, usize)>,
    skipped: u64,
    is_cut: bool,
    /// Finished frames.
    frames: usize,
    /// Values of the current frame per joint, and where each joint's begin.
    values: Vec<f64>,
    starts: Vec<usize>,
    /// The last frame (counted from 1) that listed the joint; 0 for none yet.
    seen: Vec<usize>,
    held: usize,
    out: RawClip,
    /// Place in `out.translations` of joints that move.
    track_of: Vec<Option<usize>>,
}

impl<'a> Reader<'a> {
    fn new(file: &'a str, bytes: &[u8], skeleton: &'a AcclaimSkeleton) -> Self {
        let joints = skeleton.joint_count();
        let mut starts = vec![0];
        for joint in 0..joints {
            starts.push(starts[joint] + skeleton.channels(joint).dof.len());
        }
        let (translations, track_of) = moving_joints(skeleton);
        Self {
            file,
            skeleton,
            by_name: skeleton.by_name(),
            most_bytes: bytes.len().saturating_mul(MOST_GROWTH) + (1 << 20),
            fully_specified: false,
            radians: !skeleton.degrees,
            rate_hz: None,
            current: None,
            skipped: 0,
            is_cut: false,
            frames: 0,
            values: vec![0.0; starts[joints]],
            starts,
            seen: vec![0; joints],
            held: 0,
            out: RawClip {
                joints: skeleton.joints(),
                end_sites: skeleton.end_sites(),
                unit_m: skeleton.unit_m,
                translations,
                warnings: skeleton.warnings.clone(),
                ..RawClip::default()
            },
            track_of,
        }
    }

    fn keyword(&mut self, word: &Word<'_>, value: Option<Word<'_>>) -> Result<(), ReadError> {
        if self.current.is_some() {
            return Err(word.unexpected(self.file, "a bone or a frame number"));
        }
        if word.is(":fully-specified") {
            self.fully_specified = true;
        } else if word.is(":degrees") {
            self.radians = false;
        } else if word.is(":radians") {
            self.radians = true;
        } else if word.is(":samples-per-second") {
            const EXPECTED: &str = "a rate in frames a second";
            let value = value.ok_or_else(|| {
                ReadError::syntax(self.file, word.line.end(), EXPECTED, "the end of the line")
            })?;
            let rate = value.number().filter(|r| *r > 0.0);
            self.rate_hz = Some(rate.ok_or_else(|| value.unexpected(self.file, EXPECTED))?);
        } else if [":bonedata", ":hierarchy", ":root", ":units"]
            .iter()
            .any(|w| word.is(w))
        {
            return Err(word
                .unexpected(self.file, "a motion")
                .with_hint("this is a skeleton (ASF); give a motion (AMC) that belongs to it"));
        } else {
            super::asf::unknown(word, "the motion", &mut self.out.warnings);
        }
        Ok(())
    }

    fn begin_frame(&mut self, word: &Word<'_>) -> Result<(), ReadError> {
        let number = (std::str::from_utf8(word.bytes).ok())
            .and_then(|t| t.parse::<u64>().ok())
            .ok_or_else(|| word.unexpected(self.file, "a frame number"))?;
        if let Some((last, begun)) = self.current {
            if let Some(joint) = self.lacking() {
                let name = self.skeleton.joint_name(joint);
                let expected = format!("`{name}` of frame {last}, which begins in line {begun}");
                return Err(word
                    .unexpected(self.file, expected)
                    .with_hint("a `:FULLY-SPECIFIED` motion lists every bone in every frame"));
            }
            self.end_frame()?;
            if number <= last {
                let expected = format!("a frame number above {last}");
                return Err(word.unexpected(self.file, expected));
            }
            self.skipped += number - last - 1;
        }
        self.current = Some((number, word.line.number));
        Ok(())
    }

    fn bone<'w>(
        &mut self,
        name: &Word<'w>,
        mut words: impl Iterator<Item = Word<'w>>,
    ) -> Result<(), ReadError> {
        let file = self.file;
        if self.current.is_none() {
            return Err(name.unexpected(file, "a keyword or the number of the first frame"));
        }
        let lower = name.bytes.to_ascii_lowercase();
        let Some(&joint) = self.by_name.get(&lower) else {
            return Err(name
                .unexpected(file, "`root` or a bone of the skeleton")
                .with_hint("is this the skeleton (ASF) that belongs to the motion?"));
        };
        let frame = self.frames + 1;
        if std::mem::replace(&mut self.seen[joint], frame) == frame {
            return Err(name.unexpected(file, "each bone once in a frame"));
        }
        let dof = self.skeleton.channels(joint).dof;
        for (i, channel) in dof.iter().enumerate() {
            let Some(word) = words.next() else {
                let place = name.line.end();
                let found = count_of_values(i);
                return Err(ReadError::syntax(file, place, values_of(dof), found));
            };
            let value = word.number().ok_or_else(|| {
                word.unexpected(file, format!("a number for {}", channel.as_str()))
            })?;
            let is_angle = matches!(channel, Dof::Rotate(_)) && !self.radians;
            let scale = if is_angle {
                std::f64::consts::PI / 180.0
            } else {
                1.0
            };
            self.values[self.starts[joint] + i] = value * scale;
        }
        if let Some(extra) = words.next() {
            let found = count_of_values(dof.len() + 1 + words.count());
            return Err(ReadError::syntax(
                file,
                extra.place(),
                values_of(dof),
                found,
            ));
        }
        Ok(())
    }

    /// A joint that the frame being read should list and does not.
    fn lacking(&self) -> Option<usize> {
        let frame = self.frames + 1;
        (0..self.seen.len())
            .filter(|_| self.fully_specified)
            .find(|&joint| self.seen[joint] != 0 && self.seen[joint] != frame)
    }

    fn end_frame(&mut self) -> Result<(), ReadError> {
        let joints = self.skeleton.joint_count();
        let frame_bytes = joints * size_of::<glam::Quat>() + size_of::<DVec3>();
        if (self.frames + 1).saturating_mul(frame_bytes) > self.most_bytes {
            let message = format!(
                "the skeleton has {joints} joints, far more than the motion's frames have values"
            );
            return Err(ReadError::content(self.file, message)
                .with_hint("is this the skeleton (ASF) that belongs to the motion?"));
        }
        self.frames += 1;
        let mut stretch = vec![0.0; joints];
        for joint in 0..joints {
            let channels = self.skeleton.channels(joint);
            let has_gap = self.seen[joint] != self.frames && self.seen[joint] != 0;
            self.held += usize::from(has_gap && !channels.dof.is_empty());
            let pose = channels.pose(&self.values[self.starts[joint]..self.starts[joint + 1]]);
            stretch[joint] = pose.stretch;
            let rotation: DQuat = pose.rotation;
            self.out.rotations.push(rotation.as_quat().normalize());
            let Some(parent) = self.skeleton.joint_parent(joint) else {
                self.out
                    .root
                    .push(self.skeleton.root.position + pose.translation);
                continue;
            };
            if let Some(track) = self.track_of[joint] {
                let along = match parent {
                    0 => DVec3::ZERO,
                    p => self.skeleton.bones[p - 1].direction * stretch[parent],
                };
                let place = self.skeleton.joint_offset(joint) + along + pose.translation;
                self.out.translations[track].values.push(place.as_vec3());
            }
        }
        Ok(())
    }

    /// Whether the text ends with this line, without a line end.
    fn is_cut_at(&self, line: &Line<'_>, text: &[u8]) -> bool {
        line.bytes.as_ptr_range().end == text.as_ptr_range().end
    }

    fn finish(mut self) -> Result<RawClip, ReadError> {
        let in_file = self.frames + usize::from(self.current.is_some());
        if self.current.is_some() {
            if self.frames > 0 && (self.is_cut || self.lacking().is_some()) {
                let message = format!("frame {in_file}, the last, is cut short and was dropped");
                self.out.warnings.add(WarningCode::PartialFrame, message);
                // What it listed does not count as seen.
                let frame = self.frames + 1;
                self.seen
                    .iter_mut()
                    .filter(|s| **s == frame)
                    .for_each(|s| *s -= 1);
            } else {
                self.end_frame()?;
            }
        }
        if self.frames == 0 {
            return Err(ReadError::content(self.file, "the motion has no frames")
                .with_hint("frames begin with their number alone in a line"));
        }
        self.out.frames_in_file = in_file;
        self.out.rate_hz = self.rate_hz.unwrap_or(ASSUMED_RATE_HZ);
        self.tell();
        Ok(self.out)
    }

    fn tell(&mut self) {
        let absent: Vec<&str> = (0..self.seen.len())
            .filter(|&j| self.seen[j] == 0 && !self.skeleton.channels(j).dof.is_empty())
            .map(|j| self.skeleton.joint_name(j))
            .collect();
        let warnings: &mut Warnings = &mut self.out.warnings;
        if self.rate_hz.is_none() {
            let message = format!("the file gives no rate; {ASSUMED_RATE_HZ} Hz was assumed");
            let field = "assumed_rate_hz";
            warnings.add_value(WarningCode::Unusual, message, field, ASSUMED_RATE_HZ);
        }
        if self.skipped > 0 {
            let message = format!(
                "frame numbers skip {} frames; the frames after follow without a pause",
                self.skipped
            );
            warnings.add(WarningCode::Unusual, message);
        }
        if self.held > 0 {
            let message = format!("{} missing bone lines keep the last values", self.held);
            warnings.add(WarningCode::GapsFilled, message);
        }
        if !absent.is_empty() {
            let message = format!(
                "no frame lists {} bones that can move; they keep their rest pose: {}",
                absent.len(),
                absent[..absent.len().min(8)].join(", ")
            );
            warnings.add(WarningCode::Unusual, message);
        }
        let stretched_tips = (self.skeleton.end_sites().iter())
            .filter(|(j, _)| self.skeleton.channels(*j).dof.contains(&Dof::Length))
            .count();
        if stretched_tips > 0 {
            let message =
                format!("the tips of {stretched_tips} bones that stretch were kept fixed");
            warnings.add(WarningCode::LeftOut, message);
        }
    }
}

/// Empty tracks for joints with translations of their own or below a bone that stretches.
fn moving_joints(skeleton: &AcclaimSkeleton) -> (Vec<RawTrack>, Vec<Option<usize>>) {
    let mut tracks = Vec::new();
    let mut place_of = |joint: usize| {
        // The root moves by itself.
        let above = skeleton.channels(skeleton.joint_parent(joint)?).dof;
        let own = skeleton.channels(joint).dof;
        let slides = own.iter().any(|d| matches!(d, Dof::Translate(_)));
        (slides || above.contains(&Dof::Length)).then(|| {
            let values = Vec::new();
            tracks.push(RawTrack { joint, values });
            tracks.len() - 1
        })
    };
    let track_of = (0..skeleton.joint_count()).map(&mut place_of).collect();
    (tracks, track_of)
}

fn values_of(dof: &[Dof]) -> String {
    let names: Vec<&str> = dof.iter().map(|d| d.as_str()).collect();
    match dof.len() {
        0 => "no values (the bone has no channels)".to_owned(),
        1 => format!("1 value ({})", names[0]),
        n => format!("{n} values ({})", names.join(" ")),
    }
}

fn count_of_values(count: usize) -> String {
    match count {
        0 => "none".to_owned(),
        n => n.to_string(),
    }
}
