//! Motion on a character: what was mapped, kept and changed; its frames; files of it.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use gaitway_io::{WriteOptions, write_file};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::ask::OnParams;
use super::view::{OnCharacter, view};
use crate::error::{ApiError, ApiResult, ErrorReply};
use crate::extract::{Id, Params};
use crate::project::CharacterRoles;
use crate::routes::clips::{ClipView, FrameRange, made_view};
use crate::routes::export::written;
use crate::routes::{Attachment, Binary, Shared, heavy};
use crate::state::{Motion, OWN, Shape, Studio, labels_of, slug};
use crate::wire::gwmo::{self, Extra};

/// Motion on a character: which joint follows which, what was kept, how much was changed. Takes a moment the first time.
#[utoipa::path(get, operation_id = "on_character", path = "/api/characters/{id}/on", tag = "project", params(("id" = String, Path), OnParams),
    responses((status = 200, body = OnCharacter), (status = 404, body = ErrorReply), (status = 422, body = ErrorReply)))]
pub async fn on(
    State(studio): State<Shared>,
    Id(id): Id,
    Params(asked): Params<OnParams>,
) -> ApiResult<Json<OnCharacter>> {
    let (motion, shape) = (asked.motion()?, asked.shape()?);
    heavy(&studio, move |studio| {
        let put = studio.put_on(&id, &motion, &shape)?;
        Ok(Json(view(studio, &id, &motion, &shape, &put)?))
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
    /// Times as tall as the body is; 1 unless given.
    taller: Option<f64>,
    /// Legs times as long.
    legs: Option<f64>,
    /// Arms times as long.
    arms: Option<f64>,
    /// Joints dragged to places at times, in metres of the motion: `RightHand@1.2=0.4,1.3,2`, several with `;` between them.
    drags: Option<String>,
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
        taller: asked.taller,
        legs: asked.legs,
        arms: asked.arms,
        drags: asked.drags,
    };
    let (motion, shape) = (on.motion()?, on.shape()?);
    heavy(&studio, move |studio| {
        let put = studio.put_on(&id, &motion, &shape)?;
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
    #[param(inline, required = true, value_type = OnFormat)]
    format: String,
    /// A clip, by id.
    clip: Option<String>,
    /// Or a result, by id.
    result: Option<String>,
    /// Which of the result's motions; the first unless given.
    member: Option<usize>,
    /// Times as tall as the body is; 1 unless given.
    taller: Option<f64>,
    /// Legs times as long.
    legs: Option<f64>,
    /// Arms times as long.
    arms: Option<f64>,
    /// Joints dragged to places at times, in metres of the motion: `RightHand@1.2=0.4,1.3,2`, several with `;` between them.
    drags: Option<String>,
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
        taller: asked.taller,
        legs: asked.legs,
        arms: asked.arms,
        drags: asked.drags,
    };
    let (motion, shape) = (on.motion()?, on.shape()?);
    heavy(&studio, move |studio| {
        let name = match id.as_str() {
            OWN => String::new(),
            _ => format!("-on-{}", slug(&studio.character(&id)?.name, 40)),
        };
        let bytes = bytes(studio, &id, &motion, &shape, format)?;
        let source = match &motion {
            Motion::Clip(clip) => studio.entry(clip)?.name.clone(),
            Motion::Result(result, member) => format!("{result}-{member}"),
        };
        let name = match format {
            OnFormat::Map => "roles.toml".to_owned(),
            _ => format!("{}{name}.{}", slug(&source, 60), format.extension()),
        };
        Ok(Attachment { name, bytes })
    })
    .await
}

fn bytes(
    studio: &Studio,
    id: &str,
    motion: &Motion,
    shape: &Shape,
    format: OnFormat,
) -> ApiResult<Vec<u8>> {
    let put = studio.put_on(id, motion, shape)?;
    let figure = match id {
        OWN => None,
        _ => Some(studio.figure(id)?),
    };
    match format {
        OnFormat::Map => {
            let roles = match id {
                OWN => CharacterRoles::default(),
                _ => studio.roles_of(&*studio.character(id)?),
            };
            Ok(roles.toml().into_bytes())
        }
        OnFormat::Report => {
            let report = serde_json::json!({ "retarget": put.report, "edit": put.edited });
            serde_json::to_vec_pretty(&report).map_err(ApiError::internal)
        }
        OnFormat::Glb | OnFormat::Bvh | OnFormat::Npz => {
            let options = WriteOptions {
                source: figure.as_ref().map(|f| &f.info),
                onto: match format {
                    OnFormat::Glb => figure.as_ref().and_then(|f| f.whole.as_ref()),
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

/// Makes a clip of motion on a character: it joins the library as an upload would.
#[utoipa::path(post, operation_id = "make_clip_on_character", path = "/api/characters/{id}/clip", tag = "project", params(("id" = String, Path), OnParams),
    responses((status = 201, body = ClipView), (status = 404, body = ErrorReply), (status = 409, body = ErrorReply), (status = 422, body = ErrorReply)))]
pub async fn make(
    State(studio): State<Shared>,
    Id(id): Id,
    Params(asked): Params<OnParams>,
) -> ApiResult<(StatusCode, Json<ClipView>)> {
    studio.read().not_demo()?;
    let (motion, shape) = (asked.motion()?, asked.shape()?);
    heavy(&studio, move |studio| {
        let put = studio.put_on(&id, &motion, &shape)?;
        let (source, labels) = match &motion {
            Motion::Clip(clip) => {
                let entry = studio.entry(clip)?;
                (entry.name.clone(), studio.read().labels(&entry))
            }
            Motion::Result(result, _) => (result.clone(), labels_of(&put.loaded.clip)),
        };
        let name = match id.as_str() {
            OWN => format!("{source}_edited"),
            _ => format!("{source}_on_{}", studio.character(&id)?.name),
        };
        let made = studio.keep_clip(&name, &put.loaded.clip, labels)?;
        Ok((StatusCode::CREATED, Json(made_view(studio, &made)?)))
    })
    .await
}
