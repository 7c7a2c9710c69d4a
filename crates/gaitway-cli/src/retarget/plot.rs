//! Both bodies at rest, side by side, with their roles in colours.

use std::path::Path;

use gaitway::core::PointIdx;
use gaitway::eval::draw::bodies::{Bone, StickBody, bodies};
use gaitway::retarget::{Body, Part, Role};

use super::super::CliError;
use super::super::render::{self, write_scene};

/// Writes the picture.
pub fn plot(path: &Path, both: [(&String, &Body); 2]) -> Result<(), CliError> {
    let sticks: Vec<StickBody> = both
        .iter()
        .map(|(name, body)| stick(&render::title(name), body))
        .collect();
    let groups = [
        "trunk",
        "neck and head",
        "left arm",
        "left leg",
        "right arm",
        "right leg",
    ];
    let scene =
        bodies("who follows whom", &sticks, &groups).map_err(|e| CliError::new(e.to_string()))?;
    write_scene(path, &scene)
}

/// The number of a role's colour among the groups above.
fn group(role: Role) -> usize {
    let left = role.side == Some(gaitway::retarget::RoleSide::Left);
    match role.part {
        Part::Hips | Part::Spine => 0,
        Part::Neck | Part::Head => 1,
        Part::Shoulder | Part::UpperArm | Part::Forearm | Part::Hand => {
            if left {
                2
            } else {
                4
            }
        }
        Part::Thigh | Part::Shank | Part::Foot | Part::Toe => {
            if left {
                3
            } else {
                5
            }
        }
    }
}

fn stick(name: &str, body: &Body) -> StickBody {
    let skeleton = &body.skeleton;
    let bones = (0..skeleton.point_count() as u32)
        .map(PointIdx)
        .filter_map(|point| {
            let parent = skeleton.point_parent(point)?;
            let joint = skeleton.point_joint(point);
            // A bone is turned by the joint it begins at.
            let role = body
                .roles
                .role_of(parent)
                .or_else(|| body.roles.role_of(joint));
            Some(Bone {
                from: body.places[parent.index()],
                to: body.places[point.index()],
                group: role.map(group),
            })
        });
    let joints = skeleton
        .joints()
        .map(|j| (body.place(j), body.roles.role_of(j).map(group)));
    StickBody {
        name: name.to_owned(),
        bones: bones.collect(),
        joints: joints.collect(),
    }
}
