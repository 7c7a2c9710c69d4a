//! `gaitway info`: what a file holds, and what was found and repaired.

use gaitway::core::text::shown;
use gaitway::core::{Skeleton, Warning, Warnings, clip_set, ground, mirror::MirrorMap};
use gaitway::io::set::{FileContent, FileRead};
use gaitway::io::{Import, MarkerClip, UpAxis, clip_id};
use rayon::prelude::*;
use serde_json::{Map, Value, json};

use super::args::InfoArgs;
use super::fold::fold;
use super::load::{load_all, unreadable};
use super::term::{Term, table};
use super::{CliError, Outcome};

/// Runs the verb. A file that cannot be read is a row of its own as JSON, told with the errors, and an error at the end.
pub fn run(args: &InfoArgs, term: &mut Term) -> Result<Outcome, CliError> {
    let loaded = load_all(&args.inputs, &args.read, term)?;
    let mut rows: Vec<Vec<Value>> = loaded.par_iter().map(rows_of).collect();
    name_bodies(&loaded, &mut rows, args.joints);
    let rows: Vec<Value> = rows.into_iter().flatten().collect();
    if args.json {
        let text = serde_json::to_string_pretty(&rows).map_err(|e| CliError::new(e.to_string()))?;
        term.json(&text)?;
    } else {
        term.out(&words(&rows))?;
        if args.joints {
            term.out(&trees(&loaded))?;
        }
    }
    let count = loaded.len();
    let mut errors: Vec<_> = loaded
        .into_iter()
        .filter_map(|f| match f.content {
            FileContent::Failed(error) => Some(error),
            _ => None,
        })
        .collect();
    let bad = errors.len();
    if args.read.skip_bad && bad < count {
        for error in errors {
            term.say(&format!("warning: passed over: {error}"));
        }
        return Ok(Outcome::Done);
    }
    if bad == 1 && count == 1 {
        return errors.pop().map_or(Ok(Outcome::Done), |e| Err(e.into()));
    }
    for error in errors {
        term.error(&error.into());
    }
    match bad {
        0 => Ok(Outcome::Done),
        _ => Err(unreadable(bad, count)),
    }
}

/// The joints of every body, each below the one it hangs on.
fn trees(files: &[FileRead]) -> String {
    let imports = files.iter().filter_map(|f| match &f.content {
        FileContent::Clips(imports) => Some(imports),
        _ => None,
    });
    let clips: Vec<_> = imports.flatten().map(|i| &i.clip).collect();
    let mut out = String::new();
    for body in clip_set::bodies(&clips) {
        let Some(clip) = body.clips.first().map(|&k| clips[k]) else {
            continue;
        };
        out += &format!(
            "\njoints of skeleton {} ({}):\n",
            body.id,
            shown(clip.name())
        );
        let skeleton = clip.skeleton();
        for joint in skeleton.joints() {
            let above = std::iter::successors(skeleton.parent(joint), |&p| skeleton.parent(p));
            let deep = "  ".repeat(above.count() + 1);
            out += &format!("{deep}{}\n", shown(skeleton.name(joint)));
        }
    }
    out
}

/// Writes into every row of a clip which body it is of, as `build` groups them, and what its joints are called, where that is asked for.
fn name_bodies(files: &[FileRead], rows: &mut [Vec<Value>], joints: bool) {
    let mut clips = Vec::new();
    let mut cells = Vec::new();
    for (file, rows) in files.iter().zip(rows) {
        if let FileContent::Clips(imports) = &file.content {
            clips.extend(imports.iter().map(|i| &i.clip));
            cells.extend(rows.iter_mut());
        }
    }
    for body in clip_set::bodies(&clips) {
        for k in body.clips {
            cells[k]["skeleton"] = body.id.clone().into();
            if joints {
                cells[k]["joint_names"] = json!(clips[k].skeleton().names());
            }
        }
    }
}

fn rows_of(read: &FileRead) -> Vec<Value> {
    let file = read.input.path.display().to_string();
    match &read.content {
        FileContent::Clips(imports) => imports.iter().map(|i| clip_row(&file, i)).collect(),
        FileContent::Markers(markers) => vec![marker_row(&file, markers)],
        FileContent::Failed(error) => {
            let mut row = json!({ "file": file, "error": error.to_string() });
            if let Some(hint) = error.hint() {
                row["hint"] = hint.into();
            }
            vec![row]
        }
    }
}

fn clip_row(file: &str, import: &Import) -> Value {
    let (clip, source) = (&import.clip, &import.source);
    let skeleton = clip.skeleton();
    let travel = ground::travel_joint(clip);
    let way = ground::smooth_ground_path(&ground::travel_to_root(clip), 0.5);
    let path_m: f64 = way.windows(2).map(|w| w[0].distance(w[1])).sum();
    let labels: std::collections::BTreeSet<&str> = clip
        .labels()
        .spans()
        .iter()
        .map(|s| s.label.as_str())
        .collect();
    json!({
        "file": file,
        "clip": clip.name(),
        "format": source.format.as_str(),
        "joints": skeleton.joint_count(),
        "end_sites": skeleton.end_sites().len(),
        "frames": clip.frame_count(),
        "frames_in_file": source.frames_in_file,
        "rate_hz": clip.rate_hz(),
        "seconds": clip.seconds(),
        "unit": source.unit.name,
        "unit_m": source.unit.metres,
        "up_axis": source.up_axis.as_str(),
        "floor_m": ground::floor_height(clip),
        "path_m": path_m,
        "travel_joint": skeleton.name(travel),
        "mirror_pairs": pair_count(skeleton),
        "labels": labels,
        "contacts": clip.contacts().is_some(),
        "warnings": warnings(&import.warnings),
    })
}

fn pair_count(skeleton: &Skeleton) -> usize {
    MirrorMap::new(skeleton, &[]).pairs().len()
}

fn marker_row(file: &str, markers: &MarkerClip) -> Value {
    let samples = (markers.frames * markers.marker_count()).max(1) as f64;
    let up = markers.up.or_else(|| markers.guess_up());
    json!({
        "file": file,
        "clip": clip_id(file.as_ref()),
        "format": if file.to_ascii_lowercase().ends_with("trc") { "trc" } else { "c3d" },
        "joints": 0,
        "end_sites": 0,
        "markers": markers.marker_count(),
        "frames": markers.frames,
        "frames_in_file": markers.frames_in_file,
        "rate_hz": markers.rate_hz,
        "seconds": markers.seconds(),
        "unit": markers.unit,
        "unit_m": markers.unit_m,
        "up_axis": up.map(UpAxis::as_str),
        "visible": 1.0 - markers.gap_count() as f64 / samples,
        "warnings": warnings(&markers.warnings),
    })
}

fn warnings(list: &Warnings) -> Vec<Value> {
    let row = |w: &Warning| {
        let mut row = Map::new();
        row.insert("code".into(), w.code.as_str().into());
        row.insert("message".into(), w.message.clone().into());
        if let Some((field, value)) = w.value {
            row.insert(field.into(), value.into());
        }
        Value::Object(row)
    };
    list.iter().map(row).collect()
}

/// The rows for people: a table, then findings, each with the files it concerns.
fn words(rows: &[Value]) -> String {
    let text = |row: &Value, field: &str| row[field].as_str().unwrap_or("-").to_owned();
    let count = |row: &Value, field: &str| {
        row[field]
            .as_u64()
            .map_or("-".to_owned(), |n| n.to_string())
    };
    let number = |row: &Value, field: &str, digits: usize| {
        row[field]
            .as_f64()
            .map_or("-".to_owned(), |v| format!("{v:.digits$}"))
    };
    let header = [
        "clip", "format", "skeleton", "joints", "frames", "rate Hz", "seconds", "unit", "up",
        "floor m", "path m", "notes",
    ];
    let good = rows.iter().filter(|r| r.get("error").is_none());
    let cells: Vec<Vec<String>> = good
        .map(|row| {
            let body = match row["markers"].as_u64() {
                Some(markers) => format!("{markers} markers"),
                None => format!("{}+{}", count(row, "joints"), count(row, "end_sites")),
            };
            vec![
                text(row, "clip"),
                text(row, "format"),
                text(row, "skeleton"),
                body,
                count(row, "frames"),
                number(row, "rate_hz", 2),
                number(row, "seconds", 2),
                text(row, "unit"),
                text(row, "up_axis"),
                number(row, "floor_m", 3),
                number(row, "path_m", 2),
                row["warnings"].as_array().map_or(0, Vec::len).to_string(),
            ]
        })
        .collect();
    let mut out = if cells.is_empty() {
        String::new()
    } else {
        table(&header, &cells)
    };
    out.push_str(&findings(rows));
    out
}

/// Findings, those that say the same joined into one.
fn findings(rows: &[Value]) -> String {
    let text = |value: &'_ Value| shown(value.as_str().unwrap_or("")).into_owned();
    let all: Vec<[String; 3]> = rows
        .iter()
        .flat_map(|row| {
            let warnings = row["warnings"].as_array().into_iter().flatten();
            warnings.map(|w| [text(&w["code"]), text(&w["message"]), text(&row["clip"])])
        })
        .collect();
    fold(
        all.iter()
            .map(|[code, message, clip]| (code.as_str(), message.as_str(), clip.as_str())),
    )
}
