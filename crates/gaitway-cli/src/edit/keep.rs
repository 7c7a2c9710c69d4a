//! What joints are kept on: places, tables, joints of other clips. `edit` and `retarget` take them alike.

use std::path::Path;

use gaitway::core::PointIdx;
use gaitway::core::fk::FkScratch;
use gaitway::retarget::edit::{EditReport, Hold, Place};
use glam::DVec3;

use super::super::args::{KeepArg, KeptOn, PlaceArg, ReadArgs};
use super::super::load::load_one;
use super::super::term::Term;
use super::super::{CliError, files};

/// The most rows of a table that a joint is kept on.
const MOST_ROWS: usize = 1_000_000;

/// Files that joints are kept on.
pub fn kept_files(keeps: &[KeepArg]) -> impl Iterator<Item = &Path> {
    keeps.iter().filter_map(|keep| match &keep.on {
        KeptOn::Table(file) => Some(file.as_path()),
        KeptOn::Joint(file, _) => Some(file.as_ref()),
        KeptOn::Place(_) => None,
    })
}

/// From arguments to what the library holds.
pub fn keeps(keeps: &[KeepArg], term: &mut Term) -> Result<Vec<Hold>, CliError> {
    let mut out = Vec::with_capacity(keeps.len());
    for keep in keeps {
        let on = match &keep.on {
            KeptOn::Place(p) => place(*p),
            KeptOn::Table(file) => Place::Along(rows(file)?),
            KeptOn::Joint(file, joint) => Place::Along(of_joint(file, joint, term)?),
        };
        out.push(Hold {
            joint: keep.joint.clone(),
            from_s: keep.span.0,
            to_s: keep.span.1,
            place: on,
        });
    }
    Ok(out)
}

pub(super) fn place(p: PlaceArg) -> Place {
    match p {
        PlaceArg::At(p) => Place::At(p),
        PlaceArg::By(p) => Place::By(p),
    }
}

/// Whether a joint is not where it shall be; the first that is not is told.
pub fn missed(report: &EditReport, term: &mut Term) -> bool {
    let held = |what: &str| what == "drag" || what == "keep";
    let missed = report
        .asked
        .iter()
        .find(|s| held(s.what) && s.left_mm.is_some_and(|mm| mm > 1.0));
    if let Some(step) = missed {
        term.fail(&format!("{}: {}", step.asked, step.notes.join("; ")));
        term.say(
            "hint: a place within the body's reach, or one that is nearer to where the joint is",
        );
    }
    missed.is_some()
}

/// Rows of t,x,y,z.
fn rows(file: &Path) -> Result<Vec<(f64, DVec3)>, CliError> {
    let text = files::read_text(
        file,
        "--keep takes a table with rows of t,x,y,z: seconds and metres",
    )?;
    let hint = "rows are t,x,y,z: seconds that rise, and metres; # begins a comment";
    let mut out: Vec<(f64, DVec3)> = Vec::new();
    for (n, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.split('#').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let numbers: Option<Vec<f64>> = line
            .split([',', ';', '\t'])
            .map(|t| t.trim().parse::<f64>().ok().filter(|v| v.is_finite()))
            .collect();
        let wrong = |what: String| {
            CliError::new(format!("{}:{}: {what}", file.display(), n + 1)).with_hint(hint)
        };
        match numbers.as_deref() {
            // The first row may name the columns.
            None if out.is_empty() && line.chars().any(char::is_alphabetic) => {}
            Some(&[t, x, y, z]) if out.last().is_none_or(|l| t > l.0) => {
                out.push((t, DVec3::new(x, y, z)))
            }
            Some(&[t, ..]) if out.last().is_some_and(|l| t <= l.0) => {
                return Err(wrong(format!(
                    "expected a time after the row before, found {t}"
                )));
            }
            _ => return Err(wrong("expected four numbers, t,x,y,z".to_owned())),
        }
        if out.len() > MOST_ROWS {
            return Err(wrong(format!("expected at most {MOST_ROWS} rows")));
        }
    }
    match out.is_empty() {
        true => Err(CliError::new(format!("{}: holds no rows", file.display())).with_hint(hint)),
        false => Ok(out),
    }
}

/// Where a joint of another clip is, frame by frame.
fn of_joint(file: &str, joint: &str, term: &mut Term) -> Result<Vec<(f64, DVec3)>, CliError> {
    let import = load_one(file, &ReadArgs::default(), term)?;
    let clip = &import.clip;
    let found = clip.skeleton().find(joint).ok_or_else(|| {
        let names: Vec<&str> = clip
            .skeleton()
            .names()
            .iter()
            .take(8)
            .map(String::as_str)
            .collect();
        CliError::new(format!("{file}: no joint is called `{joint}`"))
            .with_hint(format!("it has {}, …", names.join(", ")))
    })?;
    let mut scratch = FkScratch::new(clip.skeleton());
    let at = |f: usize| {
        scratch.solve(clip, f);
        let place = clip.root()[f] + scratch.from_root[PointIdx::from(found).index()].as_dvec3();
        (f as f64 / clip.rate_hz(), place)
    };
    Ok((0..clip.frame_count()).map(at).collect())
}
