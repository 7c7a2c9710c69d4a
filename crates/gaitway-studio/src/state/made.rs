//! Clips that the studio makes itself: of markers, or on other bodies.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gaitway_core::Clip;
use gaitway_io::{Input, WriteOptions, write_file};
use tempfile::TempDir;

use super::edits::{ClipEdits, ContactRowJson, ContactsEdit, LabelsEdit, check_labels};
use super::events::ProjectPart;
use super::import::import_uploads;
use super::library::{ClipEntry, Source, slug};
use super::studio::{Inner, Studio};
use crate::error::{ApiError, ApiResult, Code};
use crate::project::{Readings, UPLOAD};
use crate::wire::gwmo::LabelSeconds;

/// The most clips that are made of one thing.
const MOST_MADE: usize = 99;
/// Files that are read back at once: their frames are in memory together.
const AT_ONCE: usize = 16;

/// A clip that was made and is not in the library yet.
#[derive(Debug)]
pub struct Made {
    /// Its file, called after it.
    pub path: PathBuf,
    /// Its labels.
    pub labels: Vec<LabelSeconds>,
    /// Its contacts, where those it was made from were set by hand.
    pub contacts: Option<Vec<ContactRowJson>>,
}

impl Made {
    /// Writes a clip into a folder that nobody looks into.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(folder: &Path, name: &str, clip: &Clip) -> ApiResult<Self> {
        let path = folder.join(format!("{name}.bvh"));
        write_file(&path, clip, &WriteOptions::default())
            .map_err(|e| ApiError::internal(e.to_string()))?;
        Ok(Self {
            path,
            labels: Vec::new(),
            contacts: None,
        })
    }
}

impl Studio {
    /// A folder for clips that are being made; what a killed server leaves in it goes with the next.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn making_folder(&self) -> ApiResult<TempDir> {
        tempfile::Builder::new()
            .prefix(UPLOAD)
            .tempdir_in(self.folder.path())
            .map_err(|e| ApiError::internal(e.to_string()))
    }

    /// A name that no clip, no file and none of `taken` has yet: the one asked for, or with a number.
    ///
    /// # Errors
    /// When there are too many already.
    pub fn free_name(&self, name: &str, taken: &BTreeSet<String>) -> ApiResult<String> {
        let stem = name.replace(['/', '#'], "_");
        let numbered = (2..=MOST_MADE).map(|k| format!("{stem}_{k}"));
        let mut names = std::iter::once(stem.clone()).chain(numbered);
        let inner = self.read();
        let free = |name: &String| {
            let path = self.folder.clips().join(format!("{name}.bvh"));
            let known = inner.clips.values().any(|c| c.name == *name);
            !known && !taken.contains(name) && !path.exists()
        };
        names.find(free).ok_or_else(|| {
            let what = format!(
                "{MOST_MADE} clips were made of `{}` already",
                slug(&stem, 60)
            );
            ApiError::new(Code::Conflict, what).hint("remove some of them from the library")
        })
    }

    /// Takes one clip into the library, under a name that nothing has yet.
    ///
    /// # Errors
    /// When there are too many already, or it cannot be written.
    pub fn keep_clip(
        &self,
        name: &str,
        clip: &Clip,
        labels: Vec<LabelSeconds>,
    ) -> ApiResult<Arc<ClipEntry>> {
        let folder = self.making_folder()?;
        let name = self.free_name(name, &BTreeSet::new())?;
        let made = Made {
            labels,
            ..Made::write(folder.path(), &name, clip)?
        };
        let kept = self.keep_clips(vec![made], |_| Ok(()))?;
        let first = kept.into_iter().next();
        first.ok_or_else(|| ApiError::internal("the clip made is gone again"))
    }

    /// Takes clips that were made into the library, all or none; `also` changes what goes with them.
    ///
    /// # Errors
    /// When one of them cannot be read back, or its name was taken in the meantime.
    pub fn keep_clips(
        &self,
        made: Vec<Made>,
        also: impl FnOnce(&mut Inner) -> ApiResult<()>,
    ) -> ApiResult<Vec<Arc<ClipEntry>>> {
        let entries = self.read_back(&made)?;
        let mut moved = Vec::new();
        let parts = [
            ProjectPart::Clips,
            ProjectPart::Labels,
            ProjectPart::Contacts,
        ];
        let kept = self.change(&parts, |inner| {
            also(inner)?;
            let mut kept = Vec::with_capacity(made.len());
            for (made, mut entry) in made.into_iter().zip(entries) {
                let to = self.home_of(&made.path);
                if inner.clips.contains_key(&entry.id) || to.exists() {
                    return Err(ApiError::new(Code::Conflict, "somebody else was quicker")
                        .hint("press the button again"));
                }
                std::fs::rename(&made.path, &to)
                    .map_err(|e| ApiError::internal(format!("{}: {e}", to.display())))?;
                moved.push(to.clone());
                if let Source::File { path, .. } = &mut entry.source {
                    *path = to;
                }
                inner.project.removed.retain(|n| *n != entry.name);
                // A clip of this name that was there once may have left something behind.
                inner.edits.0.remove(&entry.name);
                let rows = check_labels(made.labels, entry.seconds())?;
                let edits = ClipEdits {
                    labels: (!rows.is_empty()).then_some(LabelsEdit { revision: 1, rows }),
                    contacts: made.contacts.map(|rows| ContactsEdit {
                        revision: 1,
                        detected: false,
                        rows,
                    }),
                };
                if edits != ClipEdits::default() {
                    inner.edits.0.insert(entry.name.clone(), edits);
                }
                let entry = Arc::new(entry);
                inner.clips.insert(entry.id.clone(), entry.clone());
                kept.push(entry);
            }
            Ok(kept)
        });
        if kept.is_err() {
            // What cannot be deleted shows up as a clip next time, which is where the user will see it.
            moved.iter().for_each(|m| drop(std::fs::remove_file(m)));
        }
        kept
    }

    /// After clips were taken out: their frames go from memory, and an upload's file once no other clip is in it.
    pub fn forget_clips(&self, gone: &[Arc<ClipEntry>]) {
        for entry in gone {
            self.cache.forget(&format!("clip/{}", entry.id));
            let Source::File { path, .. } = &entry.source else {
                continue;
            };
            let shared =
                |e: &ClipEntry| matches!(&e.source, Source::File { path: p, .. } if p == path);
            if entry.uploaded && !self.read().clips.values().any(|e| shared(e)) {
                // A file that cannot be deleted shows up again next time, which is where the user will see it.
                let _ = std::fs::remove_file(path);
            }
        }
    }

    fn home_of(&self, path: &Path) -> PathBuf {
        self.folder
            .clips()
            .join(path.file_name().unwrap_or_default())
    }

    /// The clips as the library reads them.
    fn read_back(&self, made: &[Made]) -> ApiResult<Vec<ClipEntry>> {
        let table = self.read().project.reading.clone();
        let readings = Readings {
            folder: &self.folder,
            table: &table,
        };
        let mut out = Vec::with_capacity(made.len());
        for some in made.chunks(AT_ONCE) {
            let input = |m: &Made| Input {
                path: m.path.clone(),
                fps: None,
                animation: None,
            };
            let read = import_uploads(some.iter().map(input).collect(), &readings);
            if let Some(error) = read.bad.into_iter().next() {
                return Err(error.into());
            }
            let mut clips = read.clips;
            for one in some {
                let own = |e: &ClipEntry| matches!(&e.source, Source::File { path, .. } if *path == one.path);
                let at = clips.iter().position(own);
                let at = at.ok_or_else(|| ApiError::internal("the clip made holds no motion"))?;
                out.push(clips.swap_remove(at));
            }
        }
        Ok(out)
    }
}
