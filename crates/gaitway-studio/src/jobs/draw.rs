//! A result drawn as an animation: seconds of work, with word of how far it is, and an end to it where asked for.

use std::cell::Cell;
use std::time::{Duration, Instant};

use gaitway_eval::draw::path::film::path_film;
use gaitway_eval::draw::path::{OnPath, PathPicture, PathView};
use gaitway_eval::draw::{self, DrawError, RenderOptions, View, Watch};
use gaitway_synth::path::Obstacle;

use super::job::{Job, Stop};
use super::results::ResultFile;
use super::run::Done;
use crate::error::{ApiError, ApiResult};
use crate::project::write_bytes;
use crate::state::Studio;

/// The longest animation, in seconds: about ten megabytes.
const LONGEST_GIF_S: f64 = 60.0;

/// The least time between two words about progress.
const TELL_EVERY: Duration = Duration::from_millis(150);

/// Draws one of the motions, or everybody in one picture, and keeps the file beside the result.
pub fn draw(studio: &Studio, job: &Job, id: &str, member: Option<usize>) -> Result<Done, Stop> {
    let result = studio.result(id)?;
    let told: Cell<Option<Instant>> = Cell::new(None);
    let watch = |part: f64| {
        if told.get().is_none_or(|t| t.elapsed() >= TELL_EVERY) {
            told.set(Some(Instant::now()));
            job.set(|v| {
                v.part = part;
                v.message = "drawing".to_owned();
            });
            studio.tell_job(job);
        }
        !job.cancelled()
    };
    let bytes = match drawn_gif(studio, &result, member, &watch)? {
        Err(DrawError::Stopped) => return Err(Stop::Cancelled),
        Err(error) => return Err(Stop::Failed(error.to_string())),
        Ok(bytes) => bytes,
    };
    let file = studio.folder.result(id).join(file_name(member));
    write_bytes(&file, &bytes).map_err(ApiError::from)?;
    Ok(Done {
        message: format!("{:.1} MB", bytes.len() as f64 / 1e6),
        result: Some(id.to_owned()),
    })
}

/// What the animation is called beside its result.
pub fn file_name(member: Option<usize>) -> String {
    member.map_or_else(|| "everybody.gif".to_owned(), |k| format!("motion-{k}.gif"))
}

/// Draws one of the motions, or everybody in one picture.
///
/// # Errors
/// When the frames cannot be read; inside, when they cannot be drawn.
pub fn drawn_gif(
    studio: &Studio,
    result: &ResultFile,
    member: Option<usize>,
    watch: Watch<'_>,
) -> ApiResult<Result<Vec<u8>, DrawError>> {
    let options = RenderOptions {
        view: View::ThreeQuarter,
        max_seconds: LONGEST_GIF_S,
        title: Some(String::new()),
        ..RenderOptions::default()
    };
    if let Some(member) = member {
        let loaded = studio.result_motion(&result.id, member)?;
        let film = draw::animate(&loaded.clip, &options);
        return Ok(film.and_then(|a| a.to_gif_watched(watch)));
    }
    let loaded = (0..result.members.len())
        .map(|k| studio.result_motion(&result.id, k))
        .collect::<ApiResult<Vec<_>>>()?;
    let people = loaded.iter().zip(&result.members).map(|(l, m)| OnPath {
        way: m.way.clone(),
        clip: Some(&l.clip),
        ..OnPath::default()
    });
    let shown = PathPicture {
        title: String::new(),
        targets: match result.target.is_empty() {
            true => Vec::new(),
            false => vec![result.target.clone()],
        },
        people: people.collect(),
        obstacles: outlines(result),
        view: PathView::Slant,
        ..PathPicture::default()
    };
    let starts: Vec<f64> = result
        .members
        .iter()
        .map(|m| m.start_s.unwrap_or(0.0))
        .collect();
    let film = path_film(&shown, &starts, &options);
    Ok(film.and_then(|f| f.to_gif_watched(watch)))
}

/// What was in the way, as it is drawn.
pub fn outlines(result: &ResultFile) -> Vec<Vec<[f64; 2]>> {
    let all = result.obstacles.iter();
    all.map(|o| Obstacle::from(o).outline()).collect()
}
