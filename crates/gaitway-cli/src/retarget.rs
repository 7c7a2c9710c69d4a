//! `gaitway retarget`: a clip, or a folder of them, on another body.

mod folder;
mod plot;

use std::path::Path;
use std::time::Instant;

use gaitway::core::{Clip, ground};
use gaitway::io::gltf::Character;
use gaitway::io::{FileInfo, Import, WriteOptions, write_file};
use gaitway::retarget::align::MappedRole;
use gaitway::retarget::{
    Body, Edited, Edits, OverrideError, Part, Report, RetargetOptions, Retargeted, RoleOverrides,
    SolveOptions, edit, retarget,
};
use serde_json::{Value, json};

use super::args::RetargetArgs;
use super::edit::{edit_error, keeps, kept_files, missed, words as edit_words};
use super::load::load_one;
use super::render::{self, write_bytes};
use super::term::{Term, table};
use super::{CliError, Outcome, files, onto};

/// Runs the verb: one clip to a file, or with `--to-format` many to a folder.
pub fn run(args: &RetargetArgs, term: &mut Term) -> Result<Outcome, CliError> {
    if let Some(extension) = &args.to_format {
        return folder::run(args, extension, term);
    }
    if Path::new(&args.input).is_dir() || args.input.starts_with('@') {
        let message = format!("{} is more than one file", args.input);
        let hint = format!(
            "name one, or put all on the body, into a folder: gaitway retarget {} --to {} -o out --to-format bvh",
            args.input, args.to
        );
        return Err(CliError::new(message).with_hint(hint));
    }
    let outputs = [Some(&args.out), args.report.as_ref(), args.plot.as_ref()];
    files::check_outputs(outputs)?;
    render::check_picture(args.plot.as_deref())?;
    let mut inputs: Vec<&Path> = vec![args.input.as_ref(), args.to.as_ref()];
    inputs.extend(kept_files(&args.keep));
    files::keep_inputs(outputs, &inputs)?;
    let stage = Stage::read(args, term)?;
    let import = load_one(&args.input, &args.read.mending(), term)?;
    let (source, done) = stage.put(&import, &args.input)?;
    let kept = stage.keep(args, &done.clip, term)?;
    let clip = kept.as_ref().map_or(&done.clip, |k| &k.clip);
    for warning in &stage.write(&args.out, clip)? {
        term.warn(&args.out.display().to_string(), warning);
    }
    let mut report = report(&args.input, &args.to, &args.out, &done.report);
    if let (Some(kept), Some(rows)) = (&kept, report.as_object_mut()) {
        rows.insert("keep".to_owned(), json!(kept.report));
    }
    let text = serde_json::to_string_pretty(&report).map_err(|e| CliError::new(e.to_string()))?;
    if let Some(path) = &args.report {
        write_bytes(path, text.as_bytes())?;
    }
    if let Some(path) = &args.plot {
        plot::plot(path, [(&args.input, &source), (&args.to, &stage.target)])?;
        term.say(&format!("wrote {}", path.display()));
    }
    if args.json {
        term.json(&text)?;
    } else {
        term.out(&words(&done.report))?;
        if let Some(kept) = &kept {
            term.out(&edit_words(&kept.report))?;
        }
    }
    term.say(&format!("wrote {}", args.out.display()));
    if kept.is_some_and(|k| missed(&k.report, term)) {
        return Ok(Outcome::Failed);
    }
    Ok(Outcome::Done)
}

/// The body to put clips on, and how.
struct Stage {
    target: Body,
    /// Where the body came from, to write in its manner.
    info: FileInfo,
    /// The body's own mesh, where the output can show it.
    character: Option<Character>,
    source_roles: RoleOverrides,
    target_roles: RoleOverrides,
    map: String,
    options: RetargetOptions,
}

impl Stage {
    fn read(args: &RetargetArgs, term: &mut Term) -> Result<Self, CliError> {
        let map = args
            .map
            .as_ref()
            .map_or(String::new(), |p| p.display().to_string());
        let text = match &args.map {
            Some(path) => files::read_text(
                path,
                "--map takes TOML: [roles] and lines such as LeftFoot = \"foot_l\"",
            )?,
            None => String::new(),
        };
        let given = |tables: &[&str]| {
            RoleOverrides::parse(&text, tables).map_err(|e| map_error(&map, &e.to_string()))
        };
        let (source_roles, target_roles) =
            (given(&["roles", "source"])?, given(&["roles", "target"])?);
        let import = onto::body(&args.to, term)?;
        let out = args.to_format.as_deref();
        let out = out.or(args.out.extension().and_then(|e| e.to_str()));
        let character = onto::character(&args.to, out, term)?;
        let clip = ground::travel_to_root(&import.clip);
        let target = Body::of_clip(&clip, Some(&target_roles))
            .map_err(|e| map_error(&map, &e.to_string()))?;
        let solve = SolveOptions {
            knots_s: args.knots,
            ..SolveOptions::default()
        };
        Ok(Self {
            target,
            info: import.source,
            character,
            source_roles,
            target_roles,
            map,
            options: match args.no_solve {
                true => RetargetOptions::default(),
                false => RetargetOptions {
                    solve: Some(solve),
                    free_hands: args.free_hands,
                    ..RetargetOptions::planted()
                },
            },
        })
    }

    fn put(&self, import: &Import, name: &str) -> Result<(Body, Retargeted), CliError> {
        let clip = ground::travel_to_root(&import.clip);
        let began = Instant::now();
        let told = |e: OverrideError| map_error(&self.map, &e.to_string());
        let bodies = [&**clip.skeleton(), &*self.target.skeleton];
        self.source_roles.check(&bodies).map_err(told)?;
        let source = Body::of_clip(&clip, Some(&self.source_roles)).map_err(told)?;
        let mut done = retarget(&clip, &source, &self.target, &self.options)
            .map_err(|e| CliError::new(format!("{name}: {e}")))?;
        let work = began.elapsed().as_secs_f64();
        done.report.times_real_time = (work > 0.0).then(|| (done.report.seconds / work).round());
        Ok((source, done))
    }

    /// What is kept on things, by the solver that edits: feet stay where they were put.
    fn keep(
        &self,
        args: &RetargetArgs,
        clip: &Clip,
        term: &mut Term,
    ) -> Result<Option<Edited>, CliError> {
        if args.keep.is_empty() {
            return Ok(None);
        }
        let edits = Edits {
            holds: keeps(&args.keep, term)?,
            roles: Some(self.target_roles.clone()),
            ..Edits::default()
        };
        let done = edit(clip, &edits).map_err(|e| edit_error(&args.to, 1.0, e))?;
        Ok(Some(done))
    }

    fn write(&self, path: &Path, clip: &Clip) -> Result<gaitway::core::Warnings, CliError> {
        let options = WriteOptions {
            source: Some(&self.info),
            onto: self.character.as_ref(),
            ..WriteOptions::default()
        };
        Ok(write_file(path, clip, &options)?)
    }
}

fn map_error(file: &str, message: &str) -> CliError {
    CliError::new(format!("{file}: {message}"))
        .with_hint("`gaitway info FILE --joints` lists joints; roles are Hips, Spine, Neck, Head and, with Left or Right before them, Shoulder, UpperArm, Forearm, Hand, Thigh, Shank, Foot, Toe")
}

fn report(file: &str, to: &str, out: &Path, report: &Report) -> Value {
    json!({
        "file": file,
        "to": to,
        "out": out.display().to_string(),
        "retarget": report,
    })
}

fn words(report: &Report) -> String {
    let rows: Vec<Vec<String>> = report
        .roles
        .iter()
        .map(|r| {
            let joints = |names: &[String]| {
                if names.is_empty() {
                    "-".to_owned()
                } else {
                    names.join(" ")
                }
            };
            vec![
                r.role.name(),
                joints(&r.source),
                joints(&r.target),
                format!("{:.2}", r.confidence),
                r.note.clone(),
            ]
        })
        .collect();
    let mut out = table(&["role", "source", "target", "confidence", "note"], &rows);
    for note in &report.notes {
        out += &format!("note: {note}\n");
    }
    out += &kept(report);
    out
}

/// What was kept and what it took, in a line or two.
fn kept(report: &Report) -> String {
    let change = &report.change;
    let both =
        |r: &MappedRole| r.role.part == Part::Thigh && !r.source.is_empty() && !r.target.is_empty();
    let mut out = match report.roles.iter().any(both) {
        true => format!(
            "legs are {:.3} times as long, and so is the way\n",
            report.scale
        ),
        false => format!(
            "there are no legs to compare: the way is {:.3} times as long, as the bodies are large, and nothing stands\n",
            report.scale
        ),
    };
    if report.constraints == 0 {
        return out;
    }
    out += &format!(
        "{} constraints: {:.1} mm off at most as copied, {:.2} mm now; joints turned by {:.1}° (95 %), {:.1}° at most, the root moved by up to {:.1} cm\n",
        report.constraints,
        report.before_mm[0],
        report.after_mm[0],
        change.p95_deg,
        change.max_deg,
        change.root_max_cm
    );
    if let Some(most) = change.most.first().filter(|m| m.deg > 15.0) {
        out += &format!(
            "look at {:.2} s: {} is turned by {:.0}° there\n",
            most.at_s, most.joint, most.deg
        );
    }
    out
}
