//! Motion on a character, in numbers.

use gaitway_retarget::align::MappedRole;
use gaitway_retarget::edit::ChangedSpan;
use gaitway_retarget::report::Change;
use serde::Serialize;
use utoipa::ToSchema;

use super::command;
use crate::error::ApiResult;
use crate::state::{Kept, Motion, Put, Shape, Studio};

/// Who has a role.
#[derive(Debug, Serialize, ToSchema)]
pub struct RoleRow {
    /// LeftFoot.
    role: String,
    /// Joints of the source; none where it lacks the role.
    source: Vec<String>,
    /// Joints of the character.
    target: Vec<String>,
    /// From 0 to 1, the smaller of both.
    confidence: f64,
    /// What it was found by, or what is done for want of it.
    note: String,
}

impl From<&MappedRole> for RoleRow {
    fn from(row: &MappedRole) -> Self {
        Self {
            role: row.role.name(),
            source: row.source.clone(),
            target: row.target.clone(),
            confidence: row.confidence,
            note: row.note.clone(),
        }
    }
}

/// A span over which something is kept.
#[derive(Debug, Serialize, ToSchema)]
pub struct KeptSpan {
    /// What: left_heel.
    name: String,
    start_s: f64,
    /// Exclusive.
    end_s: f64,
    /// How far off it was with angles copied.
    before_mm: f64,
    /// And is now.
    left_mm: f64,
}

impl From<&Kept> for KeptSpan {
    fn from(kept: &Kept) -> Self {
        Self {
            name: kept.name.clone(),
            start_s: kept.start_s,
            end_s: kept.end_s,
            before_mm: kept.before_mm,
            left_mm: kept.left_mm,
        }
    }
}

/// Where a joint was changed most.
#[derive(Debug, Serialize, ToSchema)]
pub struct MostChanged {
    joint: String,
    at_s: f64,
    deg: f64,
}

/// How much was changed beyond copied angles.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChangeView {
    /// Degrees that 95 % of all joints in all frames stay below.
    p95_deg: f64,
    max_deg: f64,
    /// How far the root was moved at most.
    root_max_cm: f64,
    /// Worst first, one row per joint.
    most: Vec<MostChanged>,
}

impl From<&Change> for ChangeView {
    fn from(change: &Change) -> Self {
        let most = change.most.iter().map(|m| MostChanged {
            joint: m.joint.clone(),
            at_s: m.at_s,
            deg: m.deg,
        });
        Self {
            p95_deg: change.p95_deg,
            max_deg: change.max_deg,
            root_max_cm: change.root_max_cm,
            most: most.collect(),
        }
    }
}

/// Motion on a character, in numbers.
#[derive(Debug, Serialize, ToSchema)]
pub struct OnCharacter {
    /// Role by role.
    roles: Vec<RoleRow>,
    /// Names of the source's joints.
    source_joints: Vec<String>,
    /// Names of the character's.
    target_joints: Vec<String>,
    /// How sure the source's roles are, from 0 to 1.
    source_confidence: f64,
    target_confidence: f64,
    /// What is not as in other bodies, and what was done instead.
    notes: Vec<String>,
    /// The character's legs over the source's.
    scale: f64,
    seconds: f64,
    /// What was kept: feet that stand, the floor.
    kept: Vec<KeptSpan>,
    change: ChangeView,
    /// Height of its floor, which players put at 0.
    floor_m: f64,
    /// What was changed after that; null where nothing was asked for.
    #[schema(required)]
    edited: Option<EditedView>,
    /// The command lines that do the same, one after the other.
    commands: Vec<String>,
}

/// A stretch in which something was changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChangedView {
    start_s: f64,
    end_s: f64,
    /// The joint that is turned most there.
    joint: String,
    deg: f64,
    /// How far the root is moved at most.
    root_cm: f64,
}

impl From<&ChangedSpan> for ChangedView {
    fn from(span: &ChangedSpan) -> Self {
        Self {
            start_s: span.start_s,
            end_s: span.end_s,
            joint: span.joint.clone(),
            deg: span.deg,
            root_cm: span.root_cm,
        }
    }
}

/// What lengths and drags came to.
#[derive(Debug, Serialize, ToSchema)]
pub struct EditedView {
    /// Where anything is otherwise: everywhere, where lengths are.
    spans: Vec<ChangedView>,
    /// Where drags change it.
    dragged: Vec<ChangedView>,
    /// What is left of each thing that was asked for.
    left_mm: Vec<f64>,
    notes: Vec<String>,
    /// How tall the body is now.
    height_m: f64,
}

/// All of it in numbers.
///
/// # Errors
/// When the character is gone.
pub fn view(
    studio: &Studio,
    id: &str,
    motion: &Motion,
    shape: &Shape,
    put: &Put,
) -> ApiResult<OnCharacter> {
    let report = &put.report;
    let edited = put.edited.as_ref().map(|edited| EditedView {
        spans: edited.spans.iter().map(ChangedView::from).collect(),
        dragged: put.dragged.iter().map(ChangedView::from).collect(),
        left_mm: edited.asked.iter().filter_map(|s| s.left_mm).collect(),
        notes: edited.asked.iter().flat_map(|s| s.notes.clone()).collect(),
        height_m: edited.height_m[1],
    });
    Ok(OnCharacter {
        roles: report.roles.iter().map(RoleRow::from).collect(),
        source_joints: put.source_joints.clone(),
        target_joints: put.loaded.clip.skeleton().names().to_vec(),
        source_confidence: report.source_confidence,
        target_confidence: report.target_confidence,
        notes: report.notes.clone(),
        scale: report.scale,
        seconds: report.seconds,
        kept: put.kept.iter().map(KeptSpan::from).collect(),
        change: ChangeView::from(&report.change),
        edited,
        floor_m: put.loaded.floor_m,
        commands: command::lines(studio, id, motion, shape)?,
    })
}
