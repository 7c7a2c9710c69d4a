//! Characters: bodies of the user's own that motion is put on, and motion that was put on them.

mod put;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gaitway_core::{Clip, ground};
use gaitway_io::gltf::Character;
use gaitway_io::{FileInfo, Import, ReadError, ReadOptions, read_character, read_file, read_rest};
use gaitway_retarget::Body;

use super::library::{Finding, clip_id};
use super::recent::Recent;
use super::studio::Studio;
use crate::error::{ApiError, ApiResult};

pub use put::{Drag, Kept, Motion, Put, Shape};

/// In place of a character's id: the body that the motion has, to be changed. No file gives a character this id.
pub const OWN: &str = "own";

/// A body that motion is put on.
#[derive(Clone, Debug, PartialEq)]
pub struct CharacterEntry {
    /// Stable: made from the name of its file.
    pub id: String,
    /// The file's, without its ending.
    pub name: String,
    /// Name of its file, never an absolute path.
    pub file: String,
    /// bvh, glb, gltf or fbx.
    pub format: String,
    /// Names of its joints.
    pub joints: Vec<String>,
    /// Whether a mesh comes along.
    pub mesh: bool,
    /// Whether it has motion of its own.
    pub moves: bool,
    /// What was found when it was read.
    pub warnings: Vec<Finding>,
    /// Where it lies.
    pub path: PathBuf,
    /// Its body: one frame.
    pub body: Arc<Clip>,
}

/// A character as it was read.
pub struct Figure {
    /// Its own first motion, or the one frame it stands in; travel on the root.
    pub clip: Clip,
    /// How its file is written.
    pub info: FileInfo,
    /// The file held whole, where it has a mesh to move.
    pub whole: Option<Character>,
    moves: bool,
}

impl std::fmt::Debug for Figure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Figure").field(&self.clip.name()).finish()
    }
}

/// Endings of files that can be characters.
const ENDINGS: [&str; 4] = ["bvh", "glb", "gltf", "fbx"];

fn ending(path: &Path) -> String {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    extension.to_ascii_lowercase()
}

/// Whether a file's ending is one a character may have.
pub fn may_be_character(path: &Path) -> bool {
    ENDINGS.contains(&ending(path).as_str())
}

/// Whether a file is one that may hold a mesh.
pub fn may_have_mesh(path: &Path) -> bool {
    matches!(ending(path).as_str(), "glb" | "gltf")
}

fn read(path: &Path) -> Result<(Figure, Vec<Finding>), ReadError> {
    // Mended: a leap in a frame would be a pose of the body.
    let options = ReadOptions {
        repair_spikes: true,
        ..ReadOptions::default()
    };
    let mut warnings = Vec::new();
    let whole = match may_have_mesh(path) {
        true => Some(read_character(path)?),
        false => None,
    };
    let import: Import = match &whole {
        None => first(path, read_file(path, &options)?)?,
        Some(character) => {
            warnings.extend(character.warnings().iter().map(Finding::from));
            // As the file poses it, where it stands so: what an animation shows of soles is a guess.
            let posed = read_rest(path, character, &options);
            let stands = posed.as_ref().is_ok_and(|p| {
                let clip = ground::travel_to_root(&p.clip);
                Body::of_clip(&clip, None).is_ok_and(|b| b.stands())
            });
            // An animation that cannot be read is no reason to refuse the body.
            let own = || read_file(path, &options).ok()?.into_iter().next();
            match (!stands).then(own).flatten() {
                Some(import) => import,
                None => posed?,
            }
        }
    };
    warnings.extend(import.warnings.iter().map(Finding::from));
    let figure = Figure {
        moves: whole.as_ref().is_none_or(|c| c.animations() > 0),
        clip: ground::travel_to_root(&import.clip),
        info: import.source,
        whole: whole.filter(Character::has_mesh),
    };
    Ok((figure, warnings))
}

fn first(path: &Path, clips: Vec<Import>) -> Result<Import, ReadError> {
    clips.into_iter().next().ok_or_else(|| {
        ReadError::content(path.display().to_string(), "there is no skeleton in it")
            .with_hint("a character is a rigged GLB or glTF, or a BVH or FBX file with a body")
    })
}

impl CharacterEntry {
    /// Reads a file as a character.
    ///
    /// # Errors
    /// Where and why the file holds no body.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        let (figure, warnings) = read(path)?;
        let text = |p: Option<&std::ffi::OsStr>| -> String {
            p.unwrap_or_default().to_string_lossy().into_owned()
        };
        let file = text(path.file_name());
        Ok(Self {
            id: clip_id(&file),
            name: text(path.file_stem()),
            format: ending(path),
            joints: figure.clip.skeleton().names().to_vec(),
            body: Arc::new(gaitway_core::edit::cut(&figure.clip, 0..1)),
            mesh: figure.whole.is_some(),
            moves: figure.moves,
            warnings,
            path: path.to_owned(),
            file,
        })
    }
}

/// Characters of a folder that is the project's own; notes tell of those that cannot be read.
pub fn characters_in(folder: &Path, notes: &mut Vec<String>) -> Vec<CharacterEntry> {
    let list = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = list.map(|f| f.path()).collect();
    files.retain(|f| f.is_file() && may_be_character(f));
    files.sort();
    let mut out = Vec::new();
    for path in files {
        match CharacterEntry::read(&path) {
            Ok(entry) => out.push(entry),
            Err(error) => notes.push(error.to_string()),
        }
    }
    out
}

/// What is held in memory: a few characters, and motion that was put on them.
#[derive(Debug)]
pub struct CharacterCache {
    figures: Recent<Figure>,
    put: Recent<Put>,
}

impl Default for CharacterCache {
    fn default() -> Self {
        Self {
            figures: Recent::new(4, |_| 1),
            put: Recent::new(256 << 20, |p| p.bytes),
        }
    }
}

impl CharacterCache {
    /// Forgets a character and all that was put on it.
    pub fn forget(&self, id: &str) {
        self.figures.forget_one(id);
        self.put.forget(&format!("{id}?"));
    }
}

impl Studio {
    /// A character of the project.
    ///
    /// # Errors
    /// When there is none of this id.
    pub fn character(&self, id: &str) -> ApiResult<Arc<CharacterEntry>> {
        let found = self.read().characters.get(id).cloned();
        found.ok_or_else(|| {
            ApiError::not_found(format!("character `{id}`"))
                .hint("it may have been removed; the library has the list (/api/characters)")
        })
    }

    /// A character's body and mesh. Reads files: not for the threads that serve.
    ///
    /// # Errors
    /// When there is none of this id, or its file cannot be read any more.
    pub fn figure(&self, id: &str) -> ApiResult<Arc<Figure>> {
        let entry = self.character(id)?;
        let read = || Ok::<_, ApiError>(read(&entry.path)?.0);
        self.characters.figures.get(id, read)
    }
}
