//! Motion on a character: what was mapped, kept and changed; its frames; files of it.

use axum::Json;
use axum::extract::State;
use gaitway_io::{WriteOptions, write_file};
use gaitway_retarget::align::MappedRole;
use gaitway_retarget::report::Change;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::error::{ApiError, ApiResult, ErrorReply};
use crate::extract::{Id, Params};
use crate::routes::clips::FrameRange;
use crate::routes::export::written;
use crate::routes::{Attachment, Binary, Shared, heavy};
use crate::state::{CharacterEntry, Kept, Motion, Put, Studio, slug};
use crate::wire::gwmo::{self, Extra};

/// What is put on the character.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct OnParams {
    /// A clip, by id.
    clip: Option<String>,
    /// Or a result, by id.
    result: Option<String>,
    /// Which of the result's motions; the first unless given.
    member: Option<usize>,
}

impl OnParams {
    fn motion(&self) -> ApiResult<Motion> {
        match (&self.clip, &self.result) {
            (Some(clip), None) => Ok(Motion::Clip(clip.clone())),
            (None, Some(result)) => Ok(Motion::Result(result.clone(), self.member.unwrap_or(0))),
            _ => Err(ApiError::bad("expected a clip or a result")
                .field("clip")
                .hint("clip=ID of the library, or result=ID with member=N")),
        }
    }
}

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
    /// The command line that does the same.
    command: String,
}

fn view(studio: &Studio, entry: &CharacterEntry, motion: &Motion, put: &Put) -> OnCharacter {
    let report = &put.report;
    OnCharacter {
        roles: report.roles.iter().map(RoleRow::from).collect(),
        source_joints: put.source_joints.clone(),
        target_joints: entry.joints.clone(),
        source_confidence: report.source_confidence,
        target_confidence: report.target_confidence,
        notes: report.notes.clone(),
        scale: report.scale,
        seconds: report.seconds,
        kept: put.kept.iter().map(KeptSpan::from).collect(),
        change: ChangeView::from(&report.change),
        floor_m: put.loaded.floor_m,
        command: command(studio, entry, motion),
    }
}

/// As one would type it beside the files; of a result, beside what was taken home.
fn command(studio: &Studio, entry: &CharacterEntry, motion: &Motion) -> String {
    let file = match motion {
        Motion::Clip(id) => studio.entry(id).map(|e| e.file.clone()).unwrap_or_default(),
        Motion::Result(id, member) => {
            format!("{}-{}", slug(id, 60), crate::jobs::file_name(*member))
        }
    };
    let given = studio.read().project.characters.contains_key(&entry.file);
    let map = if given { " --map roles.toml" } else { "" };
    let ending = if entry.mesh { "glb" } else { "bvh" };
    format!(
        "gaitway retarget {file} --to {}{map} -o out.{ending}",
        entry.file
    )
}

/// Motion on a character: which joint follows which, what was kept, how much was changed. Takes a moment the first time.
#[utoipa::path(get, operation_id = "on_character", path = "/api/characters/{id}/on", tag = "project", params(("id" = String, Path), OnParams),
    responses((status = 200, body = OnCharacter), (status = 404, body = ErrorReply), (status = 422, body = ErrorReply)))]
pub async fn on(
    State(studio): State<Shared>,
    Id(id): Id,
    Params(asked): Params<OnParams>,
) -> ApiResult<Json<OnCharacter>> {
    let motion = asked.motion()?;
    heavy(&studio, move |studio| {
        let entry = studio.character(&id)?;
        let put = studio.put_on(&id, &motion)?;
        Ok(Json(view(studio, &entry, &motion, &put)))
    })
    .await
}

/// Which frames.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct OnFrames {
    /// A clip, by id.
    clip: Option<String>,
    /// Or a result, by id.
    result: Option<String>,
    /// Which of the result's motions; the first unless given.
    member: Option<usize>,
    /// The first frame; 0 unless given.
    from: Option<usize>,
    /// How many; 4096 unless given, at most 16384.
    count: Option<usize>,
}

/// Frames of motion on a character as GWMO.
#[utoipa::path(get, operation_id = "on_character_motion", path = "/api/characters/{id}/on/motion", tag = "project", params(("id" = String, Path), OnFrames),
    responses((status = 200, content_type = "application/octet-stream"), (status = 404, body = ErrorReply), (status = 422, body = ErrorReply)))]
pub async fn motion(
    State(studio): State<Shared>,
    Id(id): Id,
    Params(asked): Params<OnFrames>,
) -> ApiResult<Binary> {
    let frames = FrameRange {
        from: asked.from,
        count: asked.count,
    };
    let range = frames.range()?;
    let on = OnParams {
        clip: asked.clip,
        result: asked.result,
        member: asked.member,
    };
    let motion = on.motion()?;
    heavy(&studio, move |studio| {
        let put = studio.put_on(&id, &motion)?;
        let extra = Extra {
            floor_m: put.loaded.floor_m,
            ..Extra::default()
        };
        Ok(Binary(gwmo::encode(&put.loaded.clip, range, extra)))
    })
    .await
}

/// Which file.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct OnExport {
    /// glb (with the character's mesh where it has one), bvh, npz, report or map (the roles as TOML).
    #[param(inline, value_type = OnFormat)]
    format: String,
    /// A clip, by id.
    clip: Option<String>,
    /// Or a result, by id.
    result: Option<String>,
    /// Which of the result's motions; the first unless given.
    member: Option<usize>,
}

/// What can be taken home of motion on a character.
#[derive(Clone, Copy, Debug, ToSchema)]
#[schema(rename_all = "lowercase")]
enum OnFormat {
    Glb,
    Bvh,
    Npz,
    Report,
    Map,
}

impl OnFormat {
    fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "glb" => Self::Glb,
            "bvh" => Self::Bvh,
            "npz" => Self::Npz,
            "report" => Self::Report,
            "map" => Self::Map,
            _ => return None,
        })
    }

    fn extension(self) -> &'static str {
        match self {
            Self::Glb => "glb",
            Self::Bvh => "bvh",
            Self::Npz => "npz",
            Self::Report => "json",
            Self::Map => "toml",
        }
    }
}

/// Downloads motion on a character as a file.
#[utoipa::path(get, operation_id = "export_on_character", path = "/api/characters/{id}/on/export", tag = "project", params(("id" = String, Path), OnExport),
    responses((status = 200, content_type = "application/octet-stream"), (status = 400, body = ErrorReply), (status = 404, body = ErrorReply), (status = 422, body = ErrorReply)))]
pub async fn export(
    State(studio): State<Shared>,
    Id(id): Id,
    Params(asked): Params<OnExport>,
) -> ApiResult<Attachment> {
    let format = OnFormat::from_name(&asked.format).ok_or_else(|| {
        ApiError::bad("expected glb, bvh, npz, report or map")
            .field("format")
            .hint("glb has the character's mesh, bvh its skeleton alone, npz arrays")
    })?;
    let on = OnParams {
        clip: asked.clip,
        result: asked.result,
        member: asked.member,
    };
    let motion = on.motion()?;
    heavy(&studio, move |studio| {
        let entry = studio.character(&id)?;
        let bytes = bytes(studio, &id, &motion, format)?;
        let source = match &motion {
            Motion::Clip(clip) => studio.entry(clip)?.name.clone(),
            Motion::Result(result, member) => format!("{result}-{member}"),
        };
        let name = match format {
            OnFormat::Map => "roles.toml".to_owned(),
            _ => format!(
                "{}-on-{}.{}",
                slug(&source, 60),
                slug(&entry.name, 40),
                format.extension()
            ),
        };
        Ok(Attachment { name, bytes })
    })
    .await
}

fn bytes(studio: &Studio, id: &str, motion: &Motion, format: OnFormat) -> ApiResult<Vec<u8>> {
    let entry = studio.character(id)?;
    let put = studio.put_on(id, motion)?;
    match format {
        OnFormat::Map => {
            let given = studio.read().project.characters.get(&entry.file).cloned();
            Ok(given.unwrap_or_default().toml().into_bytes())
        }
        OnFormat::Report => serde_json::to_vec_pretty(&put.report).map_err(ApiError::internal),
        OnFormat::Glb | OnFormat::Bvh | OnFormat::Npz => {
            let figure = studio.figure(id)?;
            let options = WriteOptions {
                source: Some(&figure.info),
                onto: match format {
                    OnFormat::Glb => figure.whole.as_ref(),
                    _ => None,
                },
                ..WriteOptions::default()
            };
            written(studio, format.extension(), |path| {
                write_file(path, &put.loaded.clip, &options).map(|_| ())
            })
        }
    }
}
