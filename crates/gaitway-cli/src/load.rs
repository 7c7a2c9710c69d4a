//! Reading what the user pointed at, with a bar that shows how far it is.

use gaitway::core::{WarningCode, Warnings};
use gaitway::io::set::{FileClip, FileContent, FileRead, SetError, clips_of, read_files};
use gaitway::io::{Import, expand_telling};

use super::args::ReadArgs;
use super::term::Term;
use super::{CliError, calibrate, files};

/// Reads all inputs, keeping going where one fails.
pub fn load_all(
    arguments: &[String],
    read: &ReadArgs,
    term: &mut Term,
) -> Result<Vec<FileRead>, CliError> {
    if let Some(skeleton) = &read.skeleton {
        files::must_be_file(
            skeleton,
            "--skeleton takes the ASF file of AMC files, or the body of AMASS files",
        )?;
    }
    let mut warnings = Warnings::new();
    let inputs = expand_telling(arguments, &mut warnings)?;
    for warning in &warnings {
        term.say(&format!("warning: {}", warning.message));
    }
    let bar = term.progress(inputs.len() as u64, "reading");
    let loaded = read_files(inputs, &read.options(), &|| bar.inc(1));
    bar.finish_and_clear();
    Ok(loaded)
}

/// Reads inputs that must all be clips.
pub fn load_clips(
    arguments: &[String],
    read: &ReadArgs,
    term: &mut Term,
) -> Result<Vec<FileClip>, CliError> {
    let loaded = load_all(arguments, read, term)?;
    clips_told(loaded, read, term)
}

/// Reads inputs that must all be clips; where all are markers, skeletons and motions are found in them.
pub fn load_or_calibrate(
    arguments: &[String],
    read: &ReadArgs,
    term: &mut Term,
) -> Result<Vec<FileClip>, CliError> {
    let loaded = load_all(arguments, read, term)?;
    let loaded = calibrate::markers_as_clips(loaded, !read.repair_spikes, term)?;
    clips_told(loaded, read, term)
}

/// Reads inputs, and goes on where some cannot be read: they are told, and what the verb ends with then is beside the clips; nothing
/// with --skip-bad.
pub fn load_readable(
    arguments: &[String],
    read: &ReadArgs,
    term: &mut Term,
) -> Result<(Vec<FileClip>, Option<CliError>), CliError> {
    let loaded = load_all(arguments, read, term)?;
    let count = loaded.len();
    let failed = |f: &FileRead| matches!(f.content, FileContent::Failed(_));
    let bad = loaded.iter().filter(|f| failed(f)).count();
    if read.skip_bad || bad == 0 || bad == count {
        return Ok((clips_told(loaded, read, term)?, None));
    }
    let mut good = Vec::with_capacity(count - bad);
    for file in loaded {
        match file.content {
            FileContent::Failed(error) => term.error(&error.into()),
            _ => good.push(file),
        }
    }
    Ok((clips_told(good, read, term)?, Some(unreadable(bad, count))))
}

/// What a verb ends with when it was left without some of its files.
pub fn unreadable(bad: usize, of: usize) -> CliError {
    CliError::new(format!("{bad} of {of} files could not be read"))
        .with_hint("--skip-bad goes on without them")
}

fn clips_told(
    loaded: Vec<FileRead>,
    read: &ReadArgs,
    term: &mut Term,
) -> Result<Vec<FileClip>, CliError> {
    let of = loaded.len();
    let mut warnings = Warnings::new();
    let clips = clips_of(loaded, &read.options(), read.skip_bad, &mut warnings);
    for warning in &warnings {
        let grave = warning.code != WarningCode::MarkersOnly;
        let lead = if grave { "warning: " } else { "" };
        term.say(&format!("{lead}{}", warning.message));
    }
    let errors = match clips {
        Err(SetError::Files { errors, files }) if errors.len() == 1 && files == 1 => {
            return Err(errors
                .into_iter()
                .next()
                .map_or_else(|| CliError::new("nothing could be read"), CliError::from));
        }
        Err(SetError::Files { errors, .. }) => errors,
        other => return other.map_err(CliError::from),
    };
    let count = errors.len();
    for error in errors {
        term.error(&error.into());
    }
    Err(unreadable(count, of))
}

/// What to type to mean one clip: its file, and its animation where the file holds several.
pub fn typed_name(file: &FileClip) -> String {
    let input = &file.input;
    match &file.import.source.animation {
        Some(animation) => format!("{}#{animation}", input.path.display()),
        None => input.path.display().to_string(),
    }
}

/// Reads one argument that must mean one clip.
pub fn load_one(argument: &str, read: &ReadArgs, term: &mut Term) -> Result<Import, CliError> {
    let mut clips = load_clips(&[argument.to_owned()], read, term)?;
    if clips.len() > 1 {
        return Err(
            CliError::new(format!("{argument}: holds {} clips", clips.len()))
                .with_hint(format!("name one: {}", some_names(&clips))),
        );
    }
    match clips.pop() {
        Some(file) => {
            for warning in &file.import.warnings {
                term.warn(argument, warning);
            }
            Ok(file.import)
        }
        None => Err(CliError::new(format!("{argument}: holds no animation"))),
    }
}

/// A few of many names.
pub fn some_names(clips: &[FileClip]) -> String {
    const SHOWN: usize = 5;
    let mut names: Vec<String> = clips.iter().take(SHOWN).map(typed_name).collect();
    if clips.len() > SHOWN {
        names.push("…".to_owned());
    }
    names.join(", ")
}
