//! `gaitway edit`: a clip changed as little as what is asked for needs.

mod keep;

use std::path::Path;

use gaitway::core::{Clip, ground};
use gaitway::eval::quality::{QualityOptions, feet_words_changed, quality};
use gaitway::io::gltf::Character;
use gaitway::io::{Import, WriteOptions, write_file};
use gaitway::retarget::edit::{EditReport, Hold, Style};
use gaitway::retarget::{EditError, Edits, RoleOverrides, edit};
use glam::DVec2;
use serde_json::json;

use super::args::EditArgs;
use super::load::load_one;
use super::path::path_of;
use super::render::write_bytes;
use super::term::{Term, table};
use super::{CliError, Outcome, files, onto};

use keep::place;
pub(super) use keep::{keeps, kept_files, missed};

/// Runs the verb: exit code 1 when a joint cannot get where it shall be.
pub fn run(args: &EditArgs, term: &mut Term) -> Result<Outcome, CliError> {
    if Path::new(&args.input).is_dir() || args.input.starts_with('@') {
        return Err(
            CliError::new(format!("{} is more than one file", args.input))
                .with_hint("name one clip of the folder or list: an edit is of one clip"),
        );
    }
    let outputs = [Some(&args.out), args.report.as_ref()];
    files::check_outputs(outputs)?;
    let mut inputs: Vec<&Path> = vec![args.input.as_ref()];
    for file in [&args.style_from, &args.style_of, &args.path]
        .into_iter()
        .flatten()
    {
        inputs.push(file.as_ref());
    }
    inputs.extend(kept_files(&args.keep));
    files::keep_inputs(outputs, &inputs)?;
    let edits = asked(args, term)?;
    let import = load_one(&args.input, &args.read.mending(), term)?;
    let clip = ground::travel_to_root(&import.clip);
    let done = edit(&clip, &edits).map_err(|e| edit_error(&args.input, args.scale, e))?;
    write(args, &import, &done.clip, term)?;
    let file = |f: &str| QualityOptions {
        file: f.to_owned(),
        ..QualityOptions::default()
    };
    let before = quality(&clip, None, &file(&args.input));
    let after = quality(&done.clip, None, &file(&args.out.display().to_string()));
    let report = json!({
        "file": args.input,
        "out": args.out.display().to_string(),
        "edit": done.report,
        "before": before,
        "after": after,
    });
    let text = serde_json::to_string_pretty(&report).map_err(|e| CliError::new(e.to_string()))?;
    if let Some(path) = &args.report {
        write_bytes(path, text.as_bytes())?;
    }
    if args.json {
        term.json(&text)?;
    } else {
        term.out(&words(&done.report))?;
        term.say(&feet_words_changed(&before, &after));
    }
    term.say(&format!("wrote {}", args.out.display()));
    if missed(&done.report, term) {
        return Ok(Outcome::Failed);
    }
    Ok(Outcome::Done)
}

/// Writes what came of it; a character keeps its mesh, unless its bones are of other lengths now.
fn write(args: &EditArgs, import: &Import, clip: &Clip, term: &mut Term) -> Result<(), CliError> {
    let out = args.out.extension().and_then(|e| e.to_str());
    let mut character = onto::character(&args.input, out, term)?.filter(Character::has_mesh);
    if character.is_some() && clip.skeleton().offsets() != import.clip.skeleton().offsets() {
        term.say("note: bones have other lengths now, so the character's mesh is left out: a plain body is written");
        character = None;
    }
    let options = WriteOptions {
        source: Some(&import.source),
        onto: character.as_ref(),
        ..WriteOptions::default()
    };
    for warning in &write_file(&args.out, clip, &options)? {
        term.warn(&args.out.display().to_string(), warning);
    }
    Ok(())
}

/// From arguments to the library's edits.
fn asked(args: &EditArgs, term: &mut Term) -> Result<Edits, CliError> {
    let mut holds: Vec<Hold> = Vec::new();
    for drag in &args.drag {
        holds.push(Hold {
            joint: drag.joint.clone(),
            from_s: drag.at_s,
            to_s: drag.at_s,
            place: place(drag.place),
        });
    }
    holds.extend(keeps(&args.keep, term)?);
    let mut read = |file: &String| -> Result<Clip, CliError> {
        let import = load_one(file, &args.read.mending(), term)?;
        Ok(ground::travel_to_root(&import.clip))
    };
    let style = match (&args.style_from, &args.style_of) {
        (Some(from), Some(of)) => Some(Style {
            from: read(from)?,
            of: read(of)?,
            amount: args.amount,
        }),
        _ => None,
    };
    let roles = match &args.map {
        Some(path) => {
            let text = files::read_text(
                path,
                "--map takes TOML: [roles] and lines such as LeftFoot = \"foot_l\"",
            )?;
            let given = RoleOverrides::parse(&text, &["roles", "source"]);
            Some(given.map_err(|e| CliError::new(format!("{}: {e}", path.display())))?)
        }
        None => None,
    };
    let edits = Edits {
        style,
        taller: args.taller,
        legs: args.legs.unwrap_or(1.0),
        arms: args.arms.unwrap_or(1.0),
        path: args
            .path
            .as_ref()
            .map(|p| curve(p, args.scale))
            .transpose()?,
        holds,
        speed: args.speed.clone(),
        spread_s: args.spread,
        roles,
    };
    let nothing = edits.style.is_none()
        && edits.taller.is_none()
        && args.legs.is_none()
        && args.arms.is_none()
        && edits.path.is_none()
        && edits.holds.is_empty()
        && edits.speed.is_empty();
    if nothing {
        return Err(CliError::new("nothing is asked for").with_hint(
            "--taller 10%, --legs 5%, --drag RightHand@1.2=+0,0.15,0, --path s, --speed 1.2: `gaitway edit --help` lists them",
        ));
    }
    Ok(edits)
}

/// A curve by name or from a file, as points.
fn curve(name: &str, scale: f64) -> Result<Vec<DVec2>, CliError> {
    let path = path_of(name, scale)?;
    let steps = ((path.length() / 0.02).ceil() as usize).clamp(2, 1_000_000);
    let at = |k: usize| path.at(path.length() * k as f64 / steps as f64);
    Ok((0..=steps).map(at).collect())
}

/// What is wrong with an edit of a file, with what to try; `scale` is that of its curve.
pub(super) fn edit_error(file: &str, scale: f64, error: EditError) -> CliError {
    let out = CliError::new(format!("{file}: {error}"));
    match error {
        EditError::Joint { .. } => out.with_hint("`gaitway info FILE --joints` lists joints; roles such as LeftHand, RightFoot and Head will do as well"),
        EditError::PathLength { curve_m, clip_m } => {
            let fits = scale * clip_m / curve_m;
            out.with_hint(format!("--scale {fits:.4} makes the curve as long as the way; `gaitway path` makes longer motion of many clips"))
        }
        EditError::Style(_) => out.with_hint("`gaitway retarget STYLE --to IN -o OUT` puts a clip on this body first"),
        EditError::Roles(_) => out.with_hint("`gaitway info FILE --joints` lists joints"),
        _ => out,
    }
}

/// What was asked, what is left of it, and what it changed.
pub(super) fn words(report: &EditReport) -> String {
    let number = |v: Option<f64>| v.map_or("-".to_owned(), |v| format!("{v:.2}"));
    let rows: Vec<Vec<String>> = report
        .asked
        .iter()
        .map(|s| {
            let change = s.change.as_ref();
            vec![
                s.what.to_owned(),
                s.asked.clone(),
                number(s.before_mm),
                number(s.left_mm),
                number(change.map(|c| c.max_deg)),
                number(change.map(|c| c.root_max_cm)),
            ]
        })
        .collect();
    let mut out = table(
        &[
            "what",
            "asked",
            "off mm",
            "now",
            "turned by up to °",
            "root moved cm",
        ],
        &rows,
    );
    for note in report.asked.iter().flat_map(|s| &s.notes) {
        out += &format!("note: {note}\n");
    }
    const SHOWN: usize = 8;
    for span in report.spans.iter().take(SHOWN) {
        out += &format!(
            "changed from {:.2} to {:.2} s: {} by up to {:.1}°, the root by {:.1} cm\n",
            span.start_s, span.end_s, span.joint, span.deg, span.root_cm
        );
    }
    match report.spans.len() {
        0 => out += "no pose was changed\n",
        n if n > SHOWN => out += &format!("and in {} more stretches\n", n - SHOWN),
        _ => {}
    }
    out
}
