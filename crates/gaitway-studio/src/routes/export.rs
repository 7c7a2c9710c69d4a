//! Files to keep: the same bytes the command line writes.

use std::path::Path;

use gaitway_core::Clip;
use gaitway_core::edit::Changes;
use gaitway_eval::draw::path::{OnPath, PathPicture, path_picture};
use gaitway_eval::draw::{self, RenderOptions, Scene, View};
use gaitway_io::{OnStage, UpAxis, WriteError, WriteOptions, write_file, write_scene};
use utoipa::ToSchema;

use super::Attachment;
use crate::error::{ApiError, ApiResult};
use crate::jobs::{MemberFile, ResultFile, drawn_gif, file_name, gif_name, outlines};
use crate::project::EXPORT;
use crate::state::{Studio, slug};
use crate::wire::gwmo::InterpolatedSpan;

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

/// How a file of frames is to be: what `convert` offers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner {
    /// About the motion.
    pub changes: Changes,
    /// Metres per unit of a BVH file.
    pub unit_m: Option<f64>,
    /// Up in a BVH file.
    pub up: Option<UpAxis>,
}

impl Manner {
    fn of(&self, clip: &Clip) -> ApiResult<Clip> {
        self.changes.apply(clip).map_err(|e| {
            ApiError::bad(e.to_string())
                .field("fps")
                .hint("frames a second: 24, 30 and 60 are usual")
        })
    }

    fn write(&self) -> WriteOptions<'static> {
        WriteOptions {
            unit_m: self.unit_m,
            up: self.up,
            ..WriteOptions::default()
        }
    }
}

/// Makes a file of one motion of a result, or of all of them where `who` is nobody in particular. Takes seconds for an animation.
///
/// # Errors
/// When there is no such result or motion, or it cannot be drawn.
pub fn export(
    studio: &Studio,
    id: &str,
    who: Option<usize>,
    format: Format,
    manner: &Manner,
) -> ApiResult<Attachment> {
    let result = studio.result(id)?;
    let Some(member) = who else {
        return everybody(studio, &result, format, manner);
    };
    let file = result
        .members
        .get(member)
        .ok_or_else(|| ApiError::no_motion(id, member))?;
    let bytes = match format {
        Format::Path => studio.result_text(id, "path.json")?,
        Format::Obstacles => studio.result_text(id, "obstacles.json")?,
        Format::Before => studio.result_text(id, "before.json")?,
        Format::Report => serde_json::to_vec_pretty(&file.report).map_err(ApiError::internal)?,
        Format::Gif => gif(studio, &result, Some(member))?,
        _ => {
            let loaded = studio.result_motion(id, member)?;
            let clip = &loaded.clip;
            match format {
                Format::Png => picture(&result, file, clip)?
                    .to_png()
                    .map_err(ApiError::unprocessable)?,
                Format::Svg => picture(&result, file, clip)?.to_svg().into_bytes(),
                _ => {
                    let clip = manner.of(clip)?;
                    written(studio, format.extension(), |path| {
                        write_file(path, &clip, &manner.write()).map(|_| ())
                    })?
                }
            }
        }
    };
    Ok(Attachment {
        name: name(id, member, format),
        bytes,
    })
}

/// All motions of a result in one file.
fn everybody(
    studio: &Studio,
    result: &ResultFile,
    format: Format,
    manner: &Manner,
) -> ApiResult<Attachment> {
    let extension = match format {
        Format::Glb => "glb",
        Format::Bvh => "zip",
        Format::Gif => "gif",
        _ => {
            return Err(
                ApiError::bad("only glb, gif and bvh (as a zip file) hold everybody")
                    .field("everybody")
                    .hint("leave it out and name a member for any other format"),
            );
        }
    };
    let bytes = if format == Format::Gif {
        gif(studio, result, None)?
    } else {
        let clips = (0..result.members.len())
            .map(|k| manner.of(&studio.result_motion(&result.id, k)?.clip))
            .collect::<ApiResult<Vec<Clip>>>()?;
        let people: Vec<OnStage<'_>> = clips
            .iter()
            .zip(&result.members)
            .enumerate()
            .map(|(k, (clip, member))| OnStage {
                name: stage_name(k, member.start_s),
                clip,
                start_s: member.start_s.unwrap_or(0.0),
            })
            .collect();
        written(studio, extension, |path| {
            write_scene(path, &people, &manner.write())
        })?
    };
    Ok(Attachment {
        name: format!("{}-everybody.{extension}", slug(&result.id, 60)),
        bytes,
    })
}

/// Who somebody is in a scene: as the command line names the files of a crowd.
fn stage_name(member: usize, start_s: Option<f64>) -> String {
    let number = member + 1;
    match start_s {
        Some(start) => format!("person-{number:02}-at-{start:.2}s"),
        None => format!("motion-{number:02}"),
    }
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
pub fn written(
    studio: &Studio,
    extension: &str,
    write: impl FnOnce(&Path) -> Result<(), WriteError>,
) -> ApiResult<Vec<u8>> {
    let folder = tempfile::Builder::new()
        .prefix(EXPORT)
        .tempdir_in(studio.folder.path())
        .map_err(|e| ApiError::internal(e.to_string()))?;
    let path = folder.path().join(format!("motion.{extension}"));
    write(&path)?;
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
    let way = |s: &InterpolatedSpan| {
        let [from, to] = [s.start_s, s.end_s].map(|t| (t * clip.rate_hz()).round() as usize);
        let run = clip.root().get(from..to).unwrap_or_default();
        run.iter().map(|p| [p.x, p.z]).collect()
    };
    let shown = PathPicture {
        title: String::new(),
        targets: vec![result.target.clone()],
        people: vec![OnPath {
            way: file.way.clone(),
            transitions: file.transitions.iter().map(|m| ground(m.t)).collect(),
            interpolated: file.interpolated.iter().map(way).collect(),
            clip: Some(clip),
            ..OnPath::default()
        }],
        obstacles: outlines(result),
        ..PathPicture::default()
    };
    path_picture(&shown).map_err(ApiError::unprocessable)
}

/// The animation as it was drawn by a job, or drawn now.
fn gif(studio: &Studio, result: &ResultFile, member: Option<usize>) -> ApiResult<Vec<u8>> {
    let file = studio.folder.result(&result.id).join(gif_name(member));
    match std::fs::read(file) {
        Ok(bytes) => Ok(bytes),
        Err(_) => drawn_gif(studio, result, member, &|_| true)?.map_err(ApiError::unprocessable),
    }
}
