//! Clips that the studio makes itself: of markers, or on another body.

use std::sync::Arc;

use gaitway_core::Clip;
use gaitway_io::{Input, WriteOptions, write_file};

use super::clips::{ClipView, views};
use crate::error::{ApiError, ApiResult, Code};
use crate::project::Readings;
use crate::state::{ProjectPart, Studio, import_uploads, slug};

/// The most clips that are made of one thing.
const MOST_MADE: usize = 99;

/// Writes the motion among the uploads, under a name that nothing has yet, and takes it into the library.
///
/// # Errors
/// When there are too many already, or it cannot be written.
pub fn keep(studio: &Studio, name: &str, clip: &Clip) -> ApiResult<ClipView> {
    let stem: String = name.replace('/', "_");
    let names = std::iter::once(stem.clone()).chain((2..=MOST_MADE).map(|k| format!("{stem}_{k}")));
    let free = |name: &String| {
        let path = studio.folder.clips().join(format!("{name}.bvh"));
        let taken = studio.read().clips.values().any(|c| c.name == *name);
        (!taken && !path.exists()).then_some(path)
    };
    let path = { names }.find_map(|n| free(&n)).ok_or_else(|| {
        ApiError::new(
            Code::Conflict,
            format!(
                "{MOST_MADE} clips were made of `{}` already",
                slug(&stem, 60)
            ),
        )
        .hint("remove some of them from the library")
    })?;
    write_file(&path, clip, &WriteOptions::default())
        .map_err(|e| ApiError::internal(e.to_string()))?;
    let kept = read_back(studio, path.clone());
    if kept.is_err() {
        let _ = std::fs::remove_file(&path);
    }
    kept
}

fn read_back(studio: &Studio, path: std::path::PathBuf) -> ApiResult<ClipView> {
    let table = studio.read().project.reading.clone();
    let readings = Readings {
        folder: &studio.folder,
        table: &table,
    };
    let input = Input {
        path,
        fps: None,
        animation: None,
    };
    let read = import_uploads(vec![input], &readings);
    if let Some(error) = read.bad.into_iter().next() {
        return Err(error.into());
    }
    let made = read.clips.into_iter().next();
    let made = Arc::new(made.ok_or_else(|| ApiError::internal("the clip made holds no motion"))?);
    studio.change(&[ProjectPart::Clips], |inner| {
        if inner.clips.contains_key(&made.id) {
            return Err(ApiError::new(Code::Conflict, "somebody else was quicker")
                .hint("press the button again"));
        }
        inner.project.removed.retain(|n| *n != made.name);
        inner.clips.insert(made.id.clone(), made.clone());
        Ok(())
    })?;
    let inner = studio.read();
    let mut list = views(&inner, std::iter::once(made.as_ref()));
    list.pop()
        .ok_or_else(|| ApiError::internal("the clip made is gone again"))
}
