//! Reading what the user pointed at: in parallel, with evidence pooled over all of it.

use gaitway::core::{Clip, WarningCode, twins};
use gaitway::io::{Format, Import, Input, MarkerClip, ReadError, ReadOptions};
use gaitway::io::{expand, pool_rates, read_file, read_markers};
use rayon::prelude::*;

use super::args::ReadArgs;
use super::term::Term;
use super::{CliError, files};

/// What came of one file.
pub enum Loaded {
    /// Its clips.
    Clips(Vec<Import>),
    /// Its markers.
    Markers(Box<MarkerClip>),
    /// Why it could not be read.
    Failed(ReadError),
}

/// Reads all inputs, keeping going where one fails.
pub fn load_all(
    arguments: &[String],
    read: &ReadArgs,
    term: &mut Term,
) -> Result<Vec<(Input, Loaded)>, CliError> {
    if let Some(skeleton) = &read.skeleton {
        files::must_be_file(skeleton, "--skeleton takes the ASF file of AMC files")?;
    }
    let inputs = expand(arguments)?;
    let bar = term.progress(inputs.len() as u64, "reading");
    let options = read.options();
    let mut loaded: Vec<(Input, Loaded)> = inputs
        .into_par_iter()
        .map(|input| {
            let result = load(&input, &options);
            bar.inc(1);
            (input, result)
        })
        .collect();
    bar.finish_and_clear();
    pool_evidence(&mut loaded);
    Ok(loaded)
}

/// Reads inputs that must all be clips.
pub fn load_clips(
    arguments: &[String],
    read: &ReadArgs,
    term: &mut Term,
) -> Result<Vec<(Input, Import)>, CliError> {
    let mut out = Vec::new();
    let mut bad: Vec<ReadError> = Vec::new();
    let mut markers: Vec<String> = Vec::new();
    for (input, loaded) in load_all(arguments, read, term)? {
        match loaded {
            Loaded::Clips(imports) => out.extend(imports.into_iter().map(|i| (input.clone(), i))),
            Loaded::Failed(error) => bad.push(error),
            Loaded::Markers(_) => markers.push(input.path.display().to_string()),
        }
    }
    // Markers beside clips are no mistake; markers alone are.
    if let Some(file) = markers.first() {
        if out.is_empty() && bad.is_empty() {
            let message = format!("{file}: holds marker trajectories and no skeleton");
            return Err(CliError::new(message).with_hint("`gaitway info` shows what is in it"));
        }
        let n = markers.len();
        term.say(&format!(
            "passed over {n} marker files without a skeleton ({file}{})",
            if n > 1 { ", …" } else { "" }
        ));
    }
    if read.skip_bad && !out.is_empty() {
        for error in bad.drain(..) {
            term.say(&format!("warning: passed over: {error}"));
        }
    }
    let count = bad.len();
    let mut bad = bad.into_iter();
    let Some(first) = bad.next() else {
        return Ok(out);
    };
    if count == 1 && arguments.len() == 1 && out.is_empty() {
        return Err(first.into());
    }
    for error in std::iter::once(first).chain(bad) {
        term.error(&error.into());
    }
    Err(CliError::new(format!("{count} files could not be read"))
        .with_hint("--skip-bad goes on without them"))
}

/// What to type to mean one clip: its file, and its animation where the file holds several.
pub fn typed_name(input: &Input, import: &Import) -> String {
    match import.clip.name().rsplit_once('#') {
        Some((_, animation)) => format!("{}#{animation}", input.path.display()),
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
        Some((_, import)) => {
            for warning in &import.warnings {
                term.warn(argument, warning);
            }
            Ok(import)
        }
        None => Err(CliError::new(format!("{argument}: holds no animation"))),
    }
}

/// A few of many names.
pub fn some_names(clips: &[(Input, Import)]) -> String {
    const SHOWN: usize = 5;
    let mut names: Vec<String> = clips
        .iter()
        .take(SHOWN)
        .map(|(n, i)| typed_name(n, i))
        .collect();
    if clips.len() > SHOWN {
        names.push("…".to_owned());
    }
    names.join(", ")
}

fn load(input: &Input, options: &ReadOptions) -> Loaded {
    let mut options = options.clone();
    options.source_fps = options.source_fps.or(input.fps);
    let extension = input
        .path
        .extension()
        .and_then(|e| e.to_str())
        .unwrap_or("");
    if matches!(
        Format::from_extension(extension),
        Some(Format::C3d | Format::Trc)
    ) {
        return match read_markers(&input.path) {
            Ok(markers) => Loaded::Markers(Box::new(markers)),
            Err(error) => Loaded::Failed(error),
        };
    }
    match read_file(&input.path, &options) {
        Ok(imports) => pick(input, imports),
        Err(error) => Loaded::Failed(error),
    }
}

/// The animation that `file#name` means, or all of them.
fn pick(input: &Input, imports: Vec<Import>) -> Loaded {
    let Some(wanted) = &input.animation else {
        return Loaded::Clips(imports);
    };
    let suffix = format!("#{wanted}");
    let own = |i: &Import| i.clip.name().rsplit_once('#').map(|(_, n)| n.to_owned());
    let names: Vec<String> = imports.iter().filter_map(own).collect();
    match imports
        .into_iter()
        .find(|i| i.clip.name().ends_with(&suffix))
    {
        Some(import) => Loaded::Clips(vec![import]),
        None => {
            let file = input.path.display().to_string();
            let error = ReadError::content(file, format!("holds no animation `{wanted}`"));
            let hint = match names.as_slice() {
                [] => "it holds none; name the file alone".to_owned(),
                names => format!("it holds {}", names.join(", ")),
            };
            Loaded::Failed(error.with_hint(hint))
        }
    }
}

/// What only shows over all clips together: rates against gravity, and clips that are there twice.
fn pool_evidence(loaded: &mut [(Input, Loaded)]) {
    let mut all: Vec<Import> = Vec::new();
    let mut counts = Vec::with_capacity(loaded.len());
    for (_, item) in loaded.iter_mut() {
        if let Loaded::Clips(clips) = item {
            counts.push(clips.len());
            all.append(clips);
        } else {
            counts.push(0);
        }
    }
    pool_rates(&mut all);
    tell_twins(&mut all);
    let mut rest = all.into_iter();
    for ((_, item), count) in loaded.iter_mut().zip(counts) {
        if let Loaded::Clips(clips) = item {
            clips.extend(rest.by_ref().take(count));
        }
    }
}

/// Warns on every clip whose motion an earlier one has.
fn tell_twins(all: &mut [Import]) {
    let clips: Vec<&Clip> = all.iter().map(|i| &i.clip).collect();
    for (k, twin) in twins::earlier_twins(&clips).into_iter().enumerate() {
        if let Some(twin) = twin {
            let message = format!("has the same frames as {}", all[twin].clip.name());
            all[k].warnings.add(WarningCode::IdenticalClips, message);
        }
    }
}
