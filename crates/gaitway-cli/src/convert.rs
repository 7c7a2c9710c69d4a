//! `gaitway convert`: between formats, with edits on the way.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gaitway::core::{Clip, edit};
use gaitway::io::output::AtomicFolder;
use gaitway::io::set::FileClip;
use gaitway::io::{
    Format, Import, Input, WriteOptions, acclaim, clip_id, gltf, is_standard_input, read_character,
    write_file,
};

use super::args::ConvertArgs;
use super::load::{load_clips, some_names};
use super::term::Term;
use super::{CliError, Outcome, files};

/// Runs the verb.
pub fn run(args: &ConvertArgs, term: &mut Term) -> Result<Outcome, CliError> {
    if is_standard_input(&args.output) {
        return to_standard_output(args, term);
    }
    let clips = load_clips(std::slice::from_ref(&args.input), &args.read, term)?;
    let jobs = plan(args, clips)?;
    refuse_overwriting_inputs(&jobs)?;
    refuse_overwriting_character(args, &jobs)?;
    let several = jobs.len() > 1;
    // A folder that is not there yet appears when all that belongs in it is written.
    let folder = match args.to {
        Some(_) if is_folder(args) => Some(AtomicFolder::new(&args.output)?),
        _ => {
            files::check_outputs([Some(&args.output)])?;
            None
        }
    };
    let bar = term.progress(jobs.len() as u64, "writing");
    let skeleton = amc_skeleton(args)?;
    let character = character(args)?;
    term.warn_all(jobs.iter().map(|(i, _, _)| (i.clip.name(), &i.warnings)));
    let mut told = String::new();
    for (import, _, target) in &jobs {
        let clip = edited(&import.clip, args)?;
        let file = place(folder.as_ref(), &args.output, target)?;
        let options = WriteOptions {
            source: Some(&import.source),
            unit_m: args.out_units.as_ref().map(|u| u.metres),
            up: args.out_up.map(|u| u.axis()),
            skeleton: skeleton.clone(),
            onto: character.as_ref(),
            keep_animations: args.keep_animations,
            format: poses(args),
        };
        let written = write_file(&file, &clip, &options).map_err(|e| {
            // A user never asked for the name a file has while its folder is being made.
            CliError::from(e).with_name(&file.display().to_string(), &target.display().to_string())
        });
        for warning in &written? {
            term.warn(&target.display().to_string(), warning);
        }
        bar.inc(1);
        if !several {
            let (frames, seconds) = (clip.frame_count(), clip.seconds());
            let rate = clip.rate_hz();
            told = format!(
                "wrote {}: {frames} frames, {seconds:.2} s at {rate} Hz",
                target.display()
            );
        }
    }
    bar.finish_and_clear();
    folder.map_or(Ok(()), AtomicFolder::finish)?;
    if !several {
        term.say(&told);
    } else {
        term.say(&format!(
            "wrote {} clips to {}",
            jobs.len(),
            args.output.display()
        ));
    }
    Ok(Outcome::Done)
}

/// Writes one clip to standard output, by way of a file: nothing comes out where it cannot be written whole.
fn to_standard_output(args: &ConvertArgs, term: &mut Term) -> Result<Outcome, CliError> {
    let Some(extension) = args
        .to
        .as_deref()
        .filter(|e| ["bvh", "glb", "npz", "amass"].contains(e))
    else {
        return Err(CliError::new(
            "OUT is standard output, and its format is not said, or is several files",
        )
        .with_hint("add --to bvh (glb, npz or amass)"));
    };
    let character = character(args)?;
    let clips = load_clips(std::slice::from_ref(&args.input), &args.read, term)?;
    let [file] = <[FileClip; 1]>::try_from(clips).map_err(|clips| several_clips(args, &clips))?;
    let name = format!("gaitway-{}.{extension}", std::process::id());
    let target = std::env::temp_dir().join(name);
    let options = WriteOptions {
        source: Some(&file.import.source),
        unit_m: args.out_units.as_ref().map(|u| u.metres),
        up: args.out_up.map(|u| u.axis()),
        skeleton: None,
        onto: character.as_ref(),
        keep_animations: args.keep_animations,
        format: poses(args),
    };
    let clip = edited(&file.import.clip, args)?;
    let warnings = write_file(&target, &clip, &options)?;
    let bytes = std::fs::read(&target);
    // What is left in the folder for such files is swept by the system.
    let _ = std::fs::remove_file(&target);
    for warning in &warnings {
        term.warn("standard output", warning);
    }
    let failed = |e: std::io::Error| CliError::new(format!("standard output: {e}"));
    term.bytes(&bytes.map_err(failed)?)?;
    Ok(Outcome::Done)
}

/// Where a file is written while its folder is being made; folders in between are made.
pub fn place(
    folder: Option<&AtomicFolder>,
    output: &Path,
    target: &Path,
) -> Result<PathBuf, CliError> {
    let below = target.strip_prefix(output).ok();
    match folder.zip(below) {
        Some((folder, below)) => Ok(folder.file(below)?),
        None => Ok(target.to_path_buf()),
    }
}

/// Which clip goes where. All names are settled before anything is written.
fn plan(args: &ConvertArgs, clips: Vec<FileClip>) -> Result<Vec<Job>, CliError> {
    let out = &args.output;
    if !is_folder(args) {
        return match <[_; 1]>::try_from(clips) {
            Ok([file]) => Ok(vec![(file.import, file.input.path, out.clone())]),
            Err(clips) if clips.is_empty() => {
                Err(CliError::new(format!("{}: holds no animation", args.input)))
            }
            Err(clips) => Err(several_clips(args, &clips)),
        };
    }
    let Some(extension) = args.to.as_deref() else {
        return Err(
            CliError::new(format!("{} is a folder or has no extension", out.display()))
                .with_hint("name a file such as out.glb, or add --to glb"),
        );
    };
    let extension = if extension == "amass" {
        "npz"
    } else {
        extension
    };
    targets(&args.input, out, extension, clips)
}

/// Whether OUT holds many files. Poses of a body model are the one format whose files another has the name of.
fn is_folder(args: &ConvertArgs) -> bool {
    let out = &args.output;
    let named = poses(args).is_some() && out.extension().is_some_and(|e| e == "npz");
    out.is_dir() || out.extension().is_none() || args.to.is_some() && !named
}

/// The format that an extension does not say.
fn poses(args: &ConvertArgs) -> Option<Format> {
    (args.to.as_deref() == Some("amass")).then_some(Format::Amass)
}

/// A clip, the file it was read from, and the one it goes to.
pub type Job = (Import, PathBuf, PathBuf);

/// Where clips go below a folder: as they lie below the input folder.
pub fn targets(
    input: &str,
    out: &Path,
    extension: &str,
    clips: Vec<FileClip>,
) -> Result<Vec<Job>, CliError> {
    let base = PathBuf::from(input);
    let mut taken = std::collections::HashSet::new();
    clips
        .into_iter()
        .map(|FileClip { input, import, .. }| {
            let target = out.join(format!(
                "{}.{extension}",
                target_name(&base, &input, &import)
            ));
            match taken.insert(target.clone()) {
                true => Ok((import, input.path, target)),
                false => Err(CliError::new(format!(
                    "two clips would be written to {}",
                    target.display()
                ))),
            }
        })
        .collect()
}

fn several_clips(args: &ConvertArgs, clips: &[FileClip]) -> CliError {
    CliError::new(format!(
        "{} holds {} clips and {} is one file",
        args.input,
        clips.len(),
        args.output.display()
    ))
    .with_hint(format!(
        "name one ({}), or give a folder and --to FORMAT",
        some_names(clips)
    ))
}

/// Where a clip goes below the output folder: as it lies below the input folder.
fn target_name(base: &Path, input: &Input, import: &Import) -> String {
    let inside = input
        .path
        .strip_prefix(base)
        .ok()
        .filter(|p| !p.as_os_str().is_empty());
    let file = inside.map_or_else(
        || input.path.file_name().map(PathBuf::from),
        |p| Some(p.to_path_buf()),
    );
    let id = clip_id(&file.unwrap_or_default());
    match &import.source.animation {
        // Names inside files may hold anything; in a file name only the tame part is kept.
        Some(animation) => {
            let tame = |c: char| {
                if c.is_alphanumeric() || "-_. ".contains(c) {
                    c
                } else {
                    '_'
                }
            };
            let tame: String = animation.chars().map(tame).collect();
            format!("{id}-{}", shortened(&tame))
        }
        None => id,
    }
}

/// A name that a file system takes: long ones are cut, and told apart by a hash of the whole.
fn shortened(name: &str) -> String {
    /// Names of files have 255 bytes on the usual systems; the clip's own and an extension need some.
    const LONGEST: usize = 120;
    if name.len() <= LONGEST {
        return name.to_owned();
    }
    let end = (0..=LONGEST).rev().find(|&k| name.is_char_boundary(k));
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| {
        (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{}-{:08x}", &name[..end.unwrap_or(0)], hash >> 32)
}

/// The edits, in the order a person would expect: cut what was recorded, then change it, then resample. How sides are mirrored is
/// seen on all that was recorded, so that comes before the cut.
fn edited(clip: &Clip, args: &ConvertArgs) -> Result<Clip, CliError> {
    let mirrored = edit::Changes {
        mirror: args.mirror,
        ..edit::Changes::default()
    };
    let mut out = changed(clip, &mirrored)?;
    if let Some(range) = args.cut {
        let frames = range.frames(out.rate_hz(), out.frame_count());
        if frames.is_empty() {
            return Err(
                CliError::new(format!("{}: --cut keeps nothing", clip.name()))
                    .with_hint(format!("the clip lasts {:.2} s", out.seconds())),
            );
        }
        out = edit::cut(&out, frames);
    }
    let rest = edit::Changes {
        mirror: false,
        root_motion: args.root_motion,
        in_place: args.in_place,
        rate_hz: args.out_fps,
    };
    changed(&out, &rest)
}

fn changed(clip: &Clip, changes: &edit::Changes) -> Result<Clip, CliError> {
    changes.apply(clip).map_err(|e| {
        let wrong = CliError::new(format!("{}: {e}", clip.name()));
        match e {
            edit::ChangeError::Flood { .. } => wrong.with_hint(
                "--out-fps takes up to 1000 times the source's rate; is --source-fps right?",
            ),
            edit::ChangeError::Clip(_) => wrong,
        }
    })
}

/// An output over one of its own inputs would lose what was captured.
pub fn refuse_overwriting_inputs(jobs: &[Job]) -> Result<(), CliError> {
    for (_, _, target) in jobs {
        let Ok(there) = target.canonicalize() else {
            continue;
        };
        if jobs
            .iter()
            .any(|(_, source, _)| source.canonicalize().is_ok_and(|s| s == there))
        {
            return Err(CliError::new(format!(
                "{} is an input and would be overwritten",
                target.display()
            ))
            .with_hint("write to another file"));
        }
    }
    Ok(())
}

fn refuse_overwriting_character(args: &ConvertArgs, jobs: &[Job]) -> Result<(), CliError> {
    let same = |onto: &PathBuf| {
        let onto = onto.canonicalize().ok()?;
        let mut targets = jobs.iter().map(|(_, _, target)| target);
        targets.find(|t| t.canonicalize().is_ok_and(|t| t == onto))
    };
    match args.onto.as_ref().and_then(same) {
        None => Ok(()),
        Some(target) => Err(CliError::new(format!(
            "{} is the character and would be overwritten",
            target.display()
        ))
        .with_hint("write to another file")),
    }
}

/// The character to move, where the user named one.
fn character(args: &ConvertArgs) -> Result<Option<gltf::Character>, CliError> {
    let Some(path) = &args.onto else {
        return Ok(None);
    };
    let out = args.output.extension().and_then(|e| e.to_str());
    let format = args.to.as_deref().or(out).and_then(Format::from_extension);
    if !matches!(format, Some(Format::Glb | Format::Gltf)) {
        return Err(
            CliError::new("--onto: a character is written as .glb or .gltf")
                .with_hint("name a file such as out.glb, or add --to glb"),
        );
    }
    files::must_be_file(path, "--onto takes a rigged .glb or .gltf file")?;
    Ok(Some(read_character(path)?))
}

/// The ASF to write an AMC for, where the user named one.
fn amc_skeleton(args: &ConvertArgs) -> Result<Option<Arc<acclaim::AcclaimSkeleton>>, CliError> {
    let writes_amc = args.to.as_deref() == Some("amc")
        || args
            .output
            .extension()
            .and_then(|e| e.to_str())
            .and_then(Format::from_extension)
            == Some(Format::Amc);
    match &args.read.skeleton {
        Some(path) if writes_amc => {
            let bytes = gaitway::io::Bytes::of(path)?;
            Ok(Some(Arc::new(acclaim::read_asf(
                &path.display().to_string(),
                &bytes,
            )?)))
        }
        _ => Ok(None),
    }
}
