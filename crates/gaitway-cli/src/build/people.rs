//! `build --retarget-to`: people of different sizes on one body.

use gaitway::core::{Clip, ClipFiles};
use gaitway::io::ReadSet;
use gaitway::retarget::{Onto, PeopleError, PeopleOptions, Person, on_one_body};

use super::super::args::{BuildArgs, ReadArgs};
use super::super::load::load_clips;
use super::super::term::{Term, table};
use super::{CliError, bodies};

/// Puts everybody on the body that is asked for, and says who.
pub fn put(
    args: &BuildArgs,
    wanted: &str,
    set: ReadSet,
    term: &mut Term,
) -> Result<ClipFiles, CliError> {
    let onto = onto(wanted, &set, term)?;
    let options = PeopleOptions {
        skip_bad: args.read.skip_bad,
        ..PeopleOptions::default()
    };
    let (files, people) = on_one_body(set, &onto, &options).map_err(|e| {
        let hint = match &e {
            PeopleError::Target { .. } => "--retarget-to takes a body with two legs: one of the inputs, another file, or `largest`",
            _ => "--skip-bad builds without such clips; `gaitway retarget CLIP --to BODY -o OUT` shows how joints are understood",
        };
        CliError::new(e.to_string()).with_hint(hint)
    })?;
    if !args.json {
        term.list(&words(&people));
        let notes = people.iter().flat_map(|p| {
            p.notes
                .iter()
                .map(|n| format!("note: {}: {n}", p.names.join(", ")))
        });
        notes.for_each(|n| term.say(&n));
    }
    Ok(files)
}

/// The body: `largest`, one of the inputs, or a file.
fn onto(wanted: &str, set: &ReadSet, term: &mut Term) -> Result<Onto, CliError> {
    let refused = |e: &dyn std::fmt::Display| CliError::new(format!("--retarget-to {wanted}: {e}"));
    if wanted == "largest" {
        let clips: Vec<Clip> = set.clips.iter().map(|c| c.clip.clone()).collect();
        return Onto::largest(&clips).ok_or_else(|| refused(&"there are no clips"));
    }
    if let Some(at) = bodies::named(&set.clips, wanted).first() {
        let clip = &set.clips[*at];
        return Onto::of_clip(clip.clip.name(), &clip.clip, None).map_err(|e| refused(&e));
    }
    let loaded = load_clips(&[wanted.to_owned()], &ReadArgs::default(), term).map_err(|e| match std::path::Path::new(wanted).exists() {
        true => e,
        false => refused(&"neither a clip among the inputs nor a file").with_hint("`gaitway info INPUT` shows clips and their skeletons; `largest` takes the body with the most frames"),
    })?;
    let first = loaded
        .into_iter()
        .next()
        .ok_or_else(|| refused(&"holds no skeleton"))?;
    // Never a path of this machine: the graph file holds it.
    let name = std::path::Path::new(wanted)
        .file_name()
        .map_or(wanted.into(), |n| n.to_string_lossy().into_owned());
    Onto::of_clip(name, &first.import.clip, None).map_err(|e| refused(&e))
}

fn words(people: &[Person]) -> String {
    let row = |p: &Person| {
        let number = |v: String| if p.own { "-".to_owned() } else { v };
        vec![
            p.names.join(", "),
            p.skeleton.clone(),
            p.clips.len().to_string(),
            number(format!("{:.3}", p.scale)),
            number(format!("{:.2}", p.confidence)),
            number(format!("{:.2}", p.left_mm)),
            number(format!("{:.1}", p.turned_p95_deg)),
        ]
    };
    let rows: Vec<Vec<String>> = people.iter().map(row).collect();
    table(
        &[
            "person",
            "skeleton",
            "clips",
            "legs ×",
            "confidence",
            "left mm",
            "turned ° (95 %)",
        ],
        &rows,
    )
}
