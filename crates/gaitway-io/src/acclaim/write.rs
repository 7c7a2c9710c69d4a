//! The AMC writer: a clip on the joints of an ASF, as the channels that ASF has.
//!
//! Unit and axes are the ASF's: both are found by laying the clip's rest offsets over the ASF's. What the
//! channels cannot hold (turns about an axis a bone lacks, translations) is left out and told, worst first.

use std::io::Write;

use glam::{DQuat, DVec3};

use gaitway_core::{Clip, JointIdx, WarningCode, Warnings};

use super::channels::{BonePose, Dof};
use super::skeleton::AcclaimSkeleton;
use crate::error::WriteError;
use crate::raw::UpAxis;

/// How an AMC is written.
#[derive(Clone, Debug, PartialEq)]
pub struct AmcWriteOptions {
    /// Angles in radians instead of degrees.
    pub radians: bool,
    /// Digits after the point. Six keep 10⁻⁶ degrees and, in CMU's unit, less than 10⁻⁴ mm.
    pub decimals: usize,
}

impl Default for AmcWriteOptions {
    fn default() -> Self {
        Self {
            radians: false,
            decimals: 6,
        }
    }
}

/// Turns smaller than this are not worth a word, in radians: 0.01°.
const TOLD_TURN: f64 = 0.01 * std::f64::consts::PI / 180.0;
/// Shifts smaller than this are not worth a word, in metres.
const TOLD_SHIFT_M: f64 = 1e-4;

/// Writes a clip as a motion of a skeleton it was read with (or one of the same joints), and returns what
/// the channels could not hold.
///
/// # Errors
/// When the clip's joints are not the skeleton's, or the sink takes no more.
pub fn write_amc(
    sink: &mut dyn Write,
    clip: &Clip,
    skeleton: &AcclaimSkeleton,
    options: &AmcWriteOptions,
) -> Result<Warnings, WriteError> {
    let joints = match_joints(clip, skeleton)?;
    let fit = Fit::new(clip, skeleton, &joints);
    let mut warnings = Warnings::new();
    fit.tell_offsets(clip, skeleton, &joints, &mut warnings);
    let mut writer = FrameWriter {
        clip,
        skeleton,
        options,
        joints: &joints,
        fit,
        near: vec![None; joints.len()],
        turn_lost: vec![0.0; joints.len()],
        shift_lost: vec![0.0; joints.len()],
    };
    writer.write(sink).map_err(|source| WriteError::Io {
        file: clip.name().to_owned(),
        source,
    })?;
    writer.tell(&mut warnings);
    Ok(warnings)
}

/// The clip's joint for each of the skeleton's.
fn match_joints(clip: &Clip, skeleton: &AcclaimSkeleton) -> Result<Vec<JointIdx>, WriteError> {
    let body = clip.skeleton();
    let cannot = |message: String| WriteError::CannotHold {
        file: clip.name().to_owned(),
        message,
        hint: Some("write the motion with the ASF it was read with".to_owned()),
    };
    let mut out = Vec::with_capacity(skeleton.joint_count());
    for joint in 0..skeleton.joint_count() {
        let name = skeleton.joint_name(joint);
        let found = if joint == 0 {
            Some(JointIdx::ROOT)
        } else {
            let same = |j: &JointIdx| body.name(*j).eq_ignore_ascii_case(name);
            body.find(name).or_else(|| body.joints().find(same))
        };
        let found = found.ok_or_else(|| cannot(format!("the clip has no joint `{name}`")))?;
        let parent = skeleton.joint_parent(joint).map(|p| out[p]);
        if body.parent(found) != parent {
            return Err(cannot(format!(
                "`{name}` hangs on another joint in the ASF"
            )));
        }
        out.push(found);
    }
    if let Some(extra) = body.joints().find(|j| !out.contains(j)) {
        let name = body.name(extra);
        return Err(cannot(format!("the ASF has no bone `{name}`")));
    }
    Ok(out)
}

/// From the clip's metres and axes to the file's.
struct Fit {
    unit_m: f64,
    clip_from_file: DQuat,
}

impl Fit {
    /// The clip's bones over the ASF's give the unit, the turn that lays the offsets best over one another
    /// gives the axes.
    fn new(clip: &Clip, skeleton: &AcclaimSkeleton, joints: &[JointIdx]) -> Self {
        let pairs: Vec<(DVec3, DVec3)> = (1..joints.len())
            .map(|j| {
                let in_clip = clip.skeleton().offset(joints[j]).as_dvec3();
                (in_clip, skeleton.joint_offset(j))
            })
            .collect();
        let (ours, theirs) = pairs.iter().fold((0.0, 0.0), |(a, b), (x, y)| {
            (a + x.length(), b + y.length())
        });
        let measured = if theirs > 0.0 && ours > 0.0 {
            ours / theirs
        } else {
            1.0
        };
        // Offsets are single precision: where they agree, the file's own figure is the better one.
        let unit_m = (skeleton.unit_m)
            .filter(|said| theirs == 0.0 || (measured / said - 1.0).abs() < 1e-3)
            .unwrap_or(measured);
        let misfit = |turn: DQuat| -> f64 {
            let off = |(ours, theirs): &(DVec3, DVec3)| ours.distance(turn * *theirs * unit_m);
            pairs.iter().map(off).sum()
        };
        let mut best = (f64::INFINITY, DQuat::IDENTITY);
        for up in [UpAxis::Y, UpAxis::Z, UpAxis::X] {
            let turn = up.to_y_up().as_dquat().normalize();
            // Ties (a body of no size) go to the first, no turn at all.
            if misfit(turn) + 1e-12 < best.0 {
                best = (misfit(turn), turn);
            }
        }
        Self {
            unit_m,
            clip_from_file: best.1,
        }
    }

    fn point(&self, in_clip: DVec3) -> DVec3 {
        self.clip_from_file.inverse() * in_clip / self.unit_m
    }

    fn rotation(&self, in_clip: DQuat) -> DQuat {
        let back = self.clip_from_file.inverse();
        (back * in_clip.normalize() * self.clip_from_file).normalize()
    }

    fn tell_offsets(
        &self,
        clip: &Clip,
        skeleton: &AcclaimSkeleton,
        joints: &[JointIdx],
        warnings: &mut Warnings,
    ) {
        let off = |j: &usize| {
            let ours = self.point(clip.skeleton().offset(joints[*j]).as_dvec3());
            ours.distance(skeleton.joint_offset(*j)) * self.unit_m
        };
        let apart = (1..joints.len()).map(|j| (j, off(&j)));
        let apart: Vec<_> = apart.filter(|(_, m)| *m > TOLD_SHIFT_M).collect();
        if let Some((joint, metres)) = worst(&apart) {
            let message = format!(
                "{} joints rest elsewhere in the ASF (`{}` by {:.1} mm); the ASF's bones hold",
                apart.len(),
                skeleton.joint_name(joint),
                metres * 1000.0
            );
            warnings.add(WarningCode::CannotHold, message);
        }
    }
}

fn worst(of: &[(usize, f64)]) -> Option<(usize, f64)> {
    of.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1))
}

struct FrameWriter<'a> {
    clip: &'a Clip,
    skeleton: &'a AcclaimSkeleton,
    options: &'a AmcWriteOptions,
    joints: &'a [JointIdx],
    fit: Fit,
    /// The values of the frame before, so that angles stay continuous.
    near: Vec<Option<Vec<f64>>>,
    /// The largest turn (radians) and shift (file unit) per joint that had no channel.
    turn_lost: Vec<f64>,
    shift_lost: Vec<f64>,
}

impl FrameWriter<'_> {
    fn write(&mut self, sink: &mut dyn Write) -> std::io::Result<()> {
        let angles = if self.options.radians {
            ":RADIANS"
        } else {
            ":DEGREES"
        };
        writeln!(sink, "# {:.6} frames a second", self.clip.rate_hz())?;
        writeln!(sink, ":FULLY-SPECIFIED\n{angles}")?;
        let mut line = String::new();
        for frame in 0..self.clip.frame_count() {
            writeln!(sink, "{}", frame + 1)?;
            let places: Vec<DVec3> = (0..self.joints.len())
                .map(|j| self.shift(frame, j))
                .collect();
            for joint in 0..self.joints.len() {
                line.clear();
                self.bone_line(frame, joint, &places, &mut line);
                sink.write_all(line.as_bytes())?;
            }
        }
        Ok(())
    }

    /// How far a joint is from its rest place, in the parent's axes and the file's unit.
    fn shift(&self, frame: usize, joint: usize) -> DVec3 {
        let ours = self.joints[joint];
        if joint == 0 {
            return self.fit.point(self.clip.root()[frame]) - self.skeleton.root.position;
        }
        (self.clip.translation_track(ours)).map_or(DVec3::ZERO, |track| {
            let rest = self.clip.skeleton().offset(ours).as_dvec3();
            self.fit.point(track.values[frame].as_dvec3() - rest)
        })
    }

    fn bone_line(&mut self, frame: usize, joint: usize, shifts: &[DVec3], line: &mut String) {
        use std::fmt::Write as _;
        let channels = self.skeleton.channels(joint);
        let rotation = self.clip.rotation(frame, self.joints[joint]).as_dquat();
        let taken = self.taken_by_parent(joint, shifts);
        let pose = BonePose {
            translation: shifts[joint] - taken,
            rotation: self.fit.rotation(rotation),
            stretch: self.stretch(joint, shifts),
        };
        let values = channels.values(&pose, self.near[joint].as_deref());
        let held = channels.pose(&values);
        let turn = turn_between(held.rotation, pose.rotation);
        self.turn_lost[joint] = self.turn_lost[joint].max(turn);
        let shift = held.translation.distance(pose.translation);
        self.shift_lost[joint] = self.shift_lost[joint].max(shift);
        if channels.dof.is_empty() {
            return;
        }
        line.push_str(self.skeleton.joint_name(joint));
        for (dof, value) in channels.dof.iter().zip(&values) {
            let is_angle = matches!(dof, Dof::Rotate(_)) && !self.options.radians;
            let printed = if is_angle { value.to_degrees() } else { *value };
            // Writing to a string cannot fail; + 0.0 spares readers a negative zero.
            let _ = write!(line, " {:.*}", self.options.decimals, printed + 0.0);
        }
        line.push('\n');
        self.near[joint] = Some(values);
    }

    /// A bone's stretch: how far its first child has moved along it.
    fn stretch(&self, joint: usize, shifts: &[DVec3]) -> f64 {
        if joint == 0 || !self.skeleton.bones[joint - 1].dof.contains(&Dof::Length) {
            return 0.0;
        }
        // Bones come depth first: the first child, where there is one, is the next joint.
        let child = Some(joint + 1)
            .filter(|&c| c < shifts.len() && self.skeleton.joint_parent(c) == Some(joint));
        child.map_or(0.0, |c| {
            shifts[c].dot(self.skeleton.bones[joint - 1].direction)
        })
    }

    /// The part of a joint's shift that its parent's stretch makes.
    fn taken_by_parent(&self, joint: usize, shifts: &[DVec3]) -> DVec3 {
        match self.skeleton.joint_parent(joint) {
            None | Some(0) => DVec3::ZERO,
            Some(p) => self.skeleton.bones[p - 1].direction * self.stretch(p, shifts),
        }
    }

    fn tell(&self, warnings: &mut Warnings) {
        let over = |lost: &[f64], least: f64| -> Vec<(usize, f64)> {
            let all = lost.iter().copied().enumerate();
            all.filter(|(_, v)| *v > least).collect()
        };
        let turns = over(&self.turn_lost, TOLD_TURN);
        if let Some((joint, angle)) = worst(&turns) {
            let message = format!(
                "{} joints turn about axes their bones lack in the ASF, worst `{}` by {:.2}°; the nearest \
                 turn was written",
                turns.len(),
                self.skeleton.joint_name(joint),
                angle.to_degrees()
            );
            warnings.add(WarningCode::CannotHold, message);
        }
        let shifts = over(&self.shift_lost, TOLD_SHIFT_M / self.fit.unit_m);
        if let Some((joint, shift)) = worst(&shifts) {
            let message = format!(
                "the ASF has no channels for the translations of {} joints, worst `{}` by {:.1} mm; they \
                 were left out",
                shifts.len(),
                self.skeleton.joint_name(joint),
                shift * self.fit.unit_m * 1000.0
            );
            warnings.add(WarningCode::CannotHold, message);
        }
    }
}

fn turn_between(a: DQuat, b: DQuat) -> f64 {
    let d = a.inverse() * b;
    2.0 * DVec3::new(d.x, d.y, d.z).length().atan2(d.w.abs())
}
