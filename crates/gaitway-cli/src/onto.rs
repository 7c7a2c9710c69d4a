//! The user's own body: what a motion is put on when it is made.

use std::path::Path;

use gaitway::core::{Clip, Warning, WarningCode, Warnings, ground};
use gaitway::io::gltf::Character;
use gaitway::io::{
    FileInfo, Format, Import, ReadOptions, WriteOptions, read_character, read_rest, write_file,
};
use gaitway::retarget::{Body, Report, RetargetOptions, retarget};
use serde_json::{Value, json};

use super::CliError;
use super::args::ReadArgs;
use super::load::load_clips;
use super::term::Term;

/// A body from a file. A character that stands as its file poses it is taken so, whatever its own animations do: soles and headings of feet read off a run are a guess. Else it is the first animation's, since only the
/// skeleton counts. What is odd about the file is told.
pub fn body(argument: &str, term: &mut Term) -> Result<Import, CliError> {
    let path = Path::new(argument);
    let posed = is_gltf(path).then(|| read_character(path).ok()).flatten();
    let posed = posed.map(|c| read_rest(path, &c, &ReadOptions::default()));
    let stands = |import: &Import| {
        let clip = ground::travel_to_root(&import.clip);
        Body::of_clip(&clip, None).is_ok_and(|b| b.stands())
    };
    let import = match posed {
        Some(Ok(import)) if stands(&import) => import,
        posed => match (
            load_clips(&[argument.to_owned()], &ReadArgs::default(), term),
            posed,
        ) {
            (Ok(clips), _) => clips.into_iter().next().map(|f| f.import).ok_or_else(|| {
                CliError::new(format!("{argument}: holds no skeleton"))
                    .with_hint("a body is any file with a skeleton: bvh, amc, glb, gltf or fbx")
            })?,
            (Err(_), Some(Ok(import))) => import,
            (Err(error), _) => return Err(error),
        },
    };
    let odd = |w: &&Warning| w.code == WarningCode::UnitImplausible;
    for warning in import.warnings.iter().filter(odd) {
        term.warn(argument, warning);
    }
    Ok(import)
}

fn is_gltf(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str());
    let format = extension.and_then(Format::from_extension);
    matches!(format, Some(Format::Glb | Format::Gltf))
}

/// The mesh of a body, where its file has one and the output can show it.
pub fn character(
    argument: &str,
    out: Option<&str>,
    term: &mut Term,
) -> Result<Option<Character>, CliError> {
    let shows = matches!(
        out.and_then(Format::from_extension),
        Some(Format::Glb | Format::Gltf)
    );
    let path = Path::new(argument.split_once('#').map_or(argument, |a| a.0));
    if !shows || !is_gltf(path) {
        return Ok(None);
    }
    let character = read_character(path)?;
    for warning in character.warnings() {
        term.warn(argument, warning);
    }
    Ok(Some(character))
}

/// A body that motion is put on.
pub struct Onto {
    name: String,
    body: Body,
    info: FileInfo,
    character: Option<Character>,
}

impl Onto {
    /// The body that was asked for, where one was.
    pub fn read(
        wanted: Option<&String>,
        out: &Path,
        term: &mut Term,
    ) -> Result<Option<Self>, CliError> {
        let Some(wanted) = wanted else {
            return Ok(None);
        };
        let import = body(wanted, term)?;
        let clip = ground::travel_to_root(&import.clip);
        let body =
            Body::of_clip(&clip, None).map_err(|e| CliError::new(format!("{wanted}: {e}")))?;
        Ok(Some(Self {
            name: wanted.clone(),
            body,
            info: import.source,
            character: character(wanted, out.extension().and_then(|e| e.to_str()), term)?,
        }))
    }

    /// A motion on it.
    pub fn put(&self, clip: &Clip) -> Result<(Clip, Report), CliError> {
        let clip = ground::travel_to_root(clip);
        let source = Body::of_clip(&clip, None).map_err(|e| CliError::new(e.to_string()))?;
        let done = retarget(&clip, &source, &self.body, &RetargetOptions::planted())
            .map_err(|e| CliError::new(format!("{}: {e}", self.name)))?;
        Ok((done.clip, done.report))
    }

    fn write(&self, path: &Path, clip: &Clip) -> Result<Warnings, CliError> {
        let options = WriteOptions {
            source: Some(&self.info),
            onto: self.character.as_ref(),
            ..WriteOptions::default()
        };
        Ok(write_file(path, clip, &options)?)
    }

    /// What a report says of it.
    pub fn row(&self, report: &Report) -> Value {
        json!({ "body": self.name, "retarget": report })
    }

    /// In a line, with what there is to note.
    pub fn say(&self, report: &Report, term: &mut Term) {
        term.say(&format!(
            "on the body of {}: legs and way {:.3} times as long; joints turned by {:.1}° (95 %); feet within {:.2} mm",
            self.name, report.scale, report.change.p95_deg, report.after_mm[0]
        ));
        for note in &report.notes {
            term.say(&format!("note: {note}"));
        }
    }

    /// What makes a path as long on this body as it was drawn.
    pub fn scale_hint(&self, report: &Report, scale: f64, term: &mut Term) {
        if (report.scale - 1.0).abs() > 0.02 {
            let by = scale / report.scale;
            term.say(&format!(
                "hint: the path is {:.3} times as long as it was drawn; --scale {by:.3} makes it as long on this body",
                report.scale
            ));
        }
    }
}

/// Writes a motion as it is, or on the body that was asked for: then what was written comes back.
pub fn write(
    onto: Option<&Onto>,
    path: &Path,
    clip: &Clip,
    term: &mut Term,
) -> Result<Option<(Clip, Report)>, CliError> {
    let (done, warnings) = match onto {
        None => (None, write_file(path, clip, &WriteOptions::default())?),
        Some(onto) => {
            let (clip, report) = onto.put(clip)?;
            let warnings = onto.write(path, &clip)?;
            (Some((clip, report)), warnings)
        }
    };
    let name = path.display().to_string();
    for warning in &warnings {
        term.warn(&name, warning);
    }
    Ok(done)
}
