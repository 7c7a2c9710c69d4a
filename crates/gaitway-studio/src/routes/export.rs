//! Files to keep: the same bytes the command line writes.

use gaitway_core::Clip;
use gaitway_eval::draw::path::{OnPath, PathPicture, path_picture};
use gaitway_eval::draw::{self, RenderOptions, Scene, View};
use gaitway_io::{WriteOptions, write_file};
use gaitway_synth::path::Obstacle;
use utoipa::ToSchema;

use super::Attachment;
use crate::error::{ApiError, ApiResult};
use crate::jobs::{MemberFile, ResultFile, file_name};
use crate::project::EXPORT;
use crate::state::{Studio, slug};

/// The longest animation, in seconds: about ten megabytes.
const LONGEST_GIF_S: f64 = 60.0;

/// What can be taken home.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema)]
#[schema(as = ExportFormat, rename_all = "lowercase")]
pub enum Format {
    /// Text that every tool reads.
    Bvh,
    /// For engines and viewers.
    Glb,
    /// Arrays.
    Npz,
    /// A picture.
    Png,
    /// A picture in lines.
    Svg,
    /// An animation.
    Gif,
    /// Numbers as JSON.
    Report,
    /// The path asked for.
    Path,
    /// The obstacles.
    Obstacles,
    /// The report of what it was changed from.
    Before,
}

impl Format {
    /// The format of a word.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "bvh" => Self::Bvh,
            "glb" => Self::Glb,
            "npz" => Self::Npz,
            "png" => Self::Png,
            "svg" => Self::Svg,
            "gif" => Self::Gif,
            "report" => Self::Report,
            "path" => Self::Path,
            "obstacles" => Self::Obstacles,
            "before" => Self::Before,
            _ => return None,
        })
    }

    fn extension(self) -> &'static str {
        match self {
            Self::Bvh => "bvh",
            Self::Glb => "glb",
            Self::Npz => "npz",
            Self::Png => "png",
            Self::Svg => "svg",
            Self::Gif => "gif",
            Self::Report | Self::Path | Self::Obstacles | Self::Before => "json",
        }
    }
}

/// Makes a file of a result. Takes seconds for an animation.
///
/// # Errors
/// When there is no such result or motion, or it cannot be drawn.
pub fn export(studio: &Studio, id: &str, member: usize, format: Format) -> ApiResult<Attachment> {
    let result = studio.result(id)?;
    let file = result
        .members
        .get(member)
        .ok_or_else(|| ApiError::no_motion(id, member))?;
    let bytes = match format {
        Format::Path => studio.result_text(id, "path.json")?,
        Format::Obstacles => studio.result_text(id, "obstacles.json")?,
        Format::Before => studio.result_text(id, "before.json")?,
        Format::Report => serde_json::to_vec_pretty(&file.report).map_err(ApiError::internal)?,
        _ => {
            let loaded = studio.result_motion(id, member)?;
            let clip = &loaded.clip;
            match format {
                Format::Png => picture(&result, file, clip)?
                    .to_png()
                    .map_err(ApiError::unprocessable)?,
                Format::Svg => picture(&result, file, clip)?.to_svg().into_bytes(),
                Format::Gif => gif(clip)?,
                _ => written(studio, clip, format)?,
            }
        }
    };
    Ok(Attachment {
        name: name(id, member, format),
        bytes,
    })
}

/// What the file is called: those a command needs beside it as the command says, the rest by their result.
fn name(id: &str, member: usize, format: Format) -> String {
    match format {
        Format::Path => "path.json".to_owned(),
        Format::Obstacles => "obstacles.json".to_owned(),
        Format::Before => "before.json".to_owned(),
        Format::Report => format!("{}-report.json", slug(id, 60)),
        _ => {
            let stem = file_name(member);
            let stem = stem.trim_end_matches(".bvh");
            format!("{}-{stem}.{}", slug(id, 60), format.extension())
        }
    }
}

/// Through the writers of files, by way of a temporary one.
fn written(studio: &Studio, clip: &Clip, format: Format) -> ApiResult<Vec<u8>> {
    let folder = tempfile::Builder::new()
        .prefix(EXPORT)
        .tempdir_in(studio.folder.path())
        .map_err(|e| ApiError::internal(e.to_string()))?;
    let path = folder.path().join(format!("motion.{}", format.extension()));
    write_file(&path, clip, &WriteOptions::default())?;
    std::fs::read(&path).map_err(|e| ApiError::internal(e.to_string()))
}

fn picture(result: &ResultFile, file: &MemberFile, clip: &Clip) -> ApiResult<Scene> {
    if result.target.is_empty() {
        let options = RenderOptions {
            view: View::Top,
            ..RenderOptions::default()
        };
        return draw::still(clip, &options).map_err(ApiError::unprocessable);
    }
    let ground = |t: f64| {
        let last = clip.frame_count().saturating_sub(1);
        let at = ((t * clip.rate_hz()).round().max(0.0) as usize).min(last);
        clip.root().get(at).map_or([0.0; 2], |p| [p.x, p.z])
    };
    let obstacles = result.obstacles.iter().map(|o| Obstacle::from(o).outline());
    let shown = PathPicture {
        title: String::new(),
        targets: vec![result.target.clone()],
        people: vec![OnPath {
            way: file.way.clone(),
            transitions: file.transitions.iter().map(|m| ground(m.t)).collect(),
            clip: Some(clip),
            ..OnPath::default()
        }],
        obstacles: obstacles.collect(),
        ..PathPicture::default()
    };
    path_picture(&shown).map_err(ApiError::unprocessable)
}

fn gif(clip: &Clip) -> ApiResult<Vec<u8>> {
    let options = RenderOptions {
        view: View::ThreeQuarter,
        max_seconds: LONGEST_GIF_S,
        title: Some(String::new()),
        ..RenderOptions::default()
    };
    let drawn = draw::animate(clip, &options).and_then(|a| a.to_gif());
    drawn.map_err(ApiError::unprocessable)
}
