//! Converters like to put a T-pose before the capture. It is not motion: one frame later the body is
//! somewhere else. It is dropped, and told.

use gaitway_core::anatomy::Anatomy;
use gaitway_core::rotation::angle_between;
use gaitway_core::{Clip, JointIdx, WarningCode, Warnings, edit, fk};
use glam::{Quat, Vec3};

/// Drops frame 0 where it is a T-pose, unless it shall be kept.
pub(super) fn drop_t_pose(clip: Clip, keep: bool, warnings: &mut Warnings) -> Clip {
    let Some(evidence) = t_pose_evidence(&clip) else {
        return clip;
    };
    if keep {
        warnings.add(
            WarningCode::TPoseKept,
            format!("frame 0 looks like a T-pose ({evidence}); kept as asked"),
        );
        return clip;
    }
    warnings.add(
        WarningCode::TPoseDropped,
        format!(
            "frame 0 is a T-pose ({evidence}), not motion; dropped (--keep-first-frame keeps it)"
        ),
    );
    edit::cut(&clip, 1..clip.frame_count())
}

/// Why frame 0 is a T-pose, or `None` when it is not.
fn t_pose_evidence(clip: &Clip) -> Option<String> {
    let jump = leap_from_first(clip.rotations(), clip.joint_count())?;
    let degrees = jump.to_degrees();
    let turned = |f: usize| {
        let still = |q: &&Quat| angle_between(**q, Quat::IDENTITY) > 0.1_f64.to_radians();
        clip.frame_rotations(f).iter().filter(still).count()
    };
    if turned(0) == 0 {
        return Some(format!(
            "no joint is turned, and the next frame turns them by {degrees:.0}° on average"
        ));
    }
    arms_spread(clip, 0).then(|| {
        format!("the arms are stretched out level, and the next frame turns joints by {degrees:.0}° on average")
    })
}

/// How far all joints turn on average from frame 0 to the next, where that is no motion: 2° or more, and five times what is
/// usual. The median, because noisy fingers make single frames leap.
pub(super) fn leap_from_first(rotations: &[Quat], joints: usize) -> Option<f64> {
    let frames = rotations.len() / joints.max(1);
    if frames < 3 {
        return None;
    }
    let frame = |f: usize| &rotations[f * joints..(f + 1) * joints];
    let mean_turn = |f: usize| {
        let pairs = frame(f).iter().zip(frame(f + 1));
        pairs.map(|(a, b)| angle_between(*a, *b)).sum::<f64>() / joints as f64
    };
    let jump = mean_turn(0);
    let mut others: Vec<f64> = (1..frames - 1).take(240).map(mean_turn).collect();
    others.sort_by(f64::total_cmp);
    let usual = others[others.len() / 2];
    (jump >= 2_f64.to_radians() && jump >= 5.0 * usual).then_some(jump)
}

/// Whether both arms are straight and level (within 15°), pointing away from one another.
fn arms_spread(clip: &Clip, frame: usize) -> bool {
    let Some(arms) = Anatomy::of(clip.skeleton()).both_arms() else {
        return false;
    };
    let mut scratch = fk::FkScratch::new(clip.skeleton());
    scratch.solve(clip, frame);
    let place = |j: JointIdx| scratch.from_root[j.index()];
    let [left, right] = arms.map(|a| (place(a.wrist) - place(a.shoulder)).normalize_or_zero());
    let level = |v: Vec3| v != Vec3::ZERO && v.y.abs() < 15_f32.to_radians().sin();
    level(left) && level(right) && left.dot(right) < -0.9
}
