//! Which axis points up. Where a format does not say, the body does: over a clip, heads are above feet.

use gaitway_core::anatomy::{Side, side_of, words};
use gaitway_core::{WarningCode, Warnings};
use glam::{DVec3, Quat, Vec3};

use crate::{RawClip, UpAxis};

/// The user's word, then the file's, then the body's.
pub(super) fn choose(raw: &RawClip, asked: Option<UpAxis>, warnings: &mut Warnings) -> UpAxis {
    let (axis, why) = match (asked, raw.up) {
        (Some(axis), _) => (axis, "as asked".to_owned()),
        (None, Some(axis)) => (axis, "as the file says".to_owned()),
        (None, None) => by_body(raw, warnings),
    };
    if axis != UpAxis::Y {
        let name = axis.as_str().to_uppercase();
        warnings.add(
            WarningCode::UpAxisTurned,
            format!("{name} points up ({why}); turned to Y up (--up says otherwise)"),
        );
    }
    axis
}

fn by_body(raw: &RawClip, warnings: &mut Warnings) -> (UpAxis, String) {
    let Some(rise) = feet_to_head(raw) else {
        return (UpAxis::Y, String::new());
    };
    let up = [UpAxis::X, UpAxis::Y, UpAxis::Z];
    let largest = (0..3)
        .max_by(|&a, &b| rise[a].abs().total_cmp(&rise[b].abs()))
        .unwrap_or(1);
    let total = rise.length();
    // A body that lies, crawls or tumbles gives no clear answer; Y is the custom then.
    if total < 1e-9 || rise[largest].abs() < 0.8 * total {
        return (UpAxis::Y, String::new());
    }
    if rise[largest] < 0.0 {
        warnings.add(
            WarningCode::Unusual,
            format!(
                "the head is below the feet along {}; read as it is",
                "XYZ".as_bytes()[largest] as char
            ),
        );
        return (UpAxis::Y, String::new());
    }
    let share = 100.0 * rise[largest] / total;
    (
        up[largest],
        format!("from feet to head, {share:.0} % of the way is along it"),
    )
}

/// Mean way from the feet to the head, in the file's axes, over a sample of frames.
fn feet_to_head(raw: &RawClip) -> Option<DVec3> {
    const SAMPLE: usize = 32;
    let is = |name: &str, part: &str| words(name).iter().any(|w| w == part);
    let head = raw
        .joints
        .iter()
        .rposition(|j| is(&j.name, "head") || is(&j.name, "neck"))?;
    let foot = |side: Side| {
        raw.joints.iter().position(|j| {
            side_of(&j.name) == Some(side) && (is(&j.name, "foot") || is(&j.name, "ankle"))
        })
    };
    let feet = [foot(Side::Left)?, foot(Side::Right)?];
    let joints = raw.joints.len();
    let frames = raw.root.len();
    let mut sum = DVec3::ZERO;
    let mut places = vec![Vec3::ZERO; joints];
    let mut turns = vec![Quat::IDENTITY; joints];
    for frame in (0..frames).step_by((frames / SAMPLE).max(1)) {
        for (j, joint) in raw.joints.iter().enumerate() {
            let local = raw.rotations[frame * joints + j];
            let Some(p) = joint.parent else {
                turns[j] = local;
                continue;
            };
            turns[j] = turns[p] * local;
            places[j] = places[p] + turns[p] * joint.offset.as_vec3();
        }
        let low = (places[feet[0]] + places[feet[1]]) * 0.5;
        sum += (places[head] - low).as_dvec3();
    }
    Some(sum)
}
