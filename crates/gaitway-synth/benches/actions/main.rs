//! Writes `docs/results/actions.md`: run by `benches/actions.sh`.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod asks;

use std::fmt::Write as _;
use std::path::{Path as FilePath, PathBuf};

use gaitway_core::performer::library;
use gaitway_core::{Clip, ClipSet};
use gaitway_graph::{BuildOptions, GraphBuilder, MotionGraph};
use gaitway_io::{Labels, ReadOptions, read_file};
use gaitway_synth::SynthError;
use gaitway_synth::path::{
    PathOptions, PathRequest, PlaceRequest, PlaceWish, Wanted, named_curve, parse_styles,
    plan_path, plan_place,
};
use gaitway_synth::report::{ACTION_OFF_DEG, ACTION_OFF_M, ActionRow};
use gaitway_synth::search::Control;
use glam::DVec2;

use asks::{At, PEOPLE, Person};

type Any = Box<dyn std::error::Error>;

fn main() -> Result<(), Any> {
    let args: Vec<String> = std::env::args().collect();
    let value = |flag: &str| {
        let at = args.iter().position(|a| a == flag)?;
        args.get(at + 1).cloned()
    };
    let Some(data) = std::env::var_os("GAITWAY_DATA").map(PathBuf::from) else {
        eprintln!("skipped: GAITWAY_DATA names no folder of clips");
        return Ok(());
    };
    let only = value("--only");
    let mut page = String::from(include_str!("head.md"));
    let (mut asked, mut happened, mut as_asked) = (0, 0, 0);
    for person in &PEOPLE {
        if only.as_deref().is_some_and(|o| !person.name.contains(o)) {
            continue;
        }
        let graph = graph(person, &data)?;
        let _ = writeln!(page, "\n## {}\n\n{ROW}", person.name);
        for (label, at) in person.asks {
            let found = ask(&graph, label, at)?;
            let near = found.as_ref().is_ok_and(within);
            asked += 1;
            happened += usize::from(found.as_ref().is_ok_and(|r| r.happened));
            as_asked += usize::from(near);
            let line = row(label, at, &found, near);
            eprintln!("{}: {line}", person.name);
            let _ = writeln!(page, "{line}");
        }
    }
    let _ = writeln!(
        page,
        "\n**Of {asked} asked for, {happened} happen, {as_asked} within 30 cm and 15°.**"
    );
    match value("--out") {
        Some(path) => std::fs::write(path, page)?,
        None => println!("{page}"),
    }
    Ok(())
}

const ROW: &str = "| asked | as asked | at s | off m | off ° | clip, or why not |\n| --- | --- | --- | --- | --- | --- |";

fn within(row: &ActionRow) -> bool {
    let near = row.off_m.is_some_and(|m| m <= ACTION_OFF_M);
    row.happened && near && row.off_deg.is_some_and(|d| d <= ACTION_OFF_DEG)
}

fn row(label: &str, at: &At, found: &Result<ActionRow, String>, near: bool) -> String {
    let asked = match at {
        At::Place(x, z, deg) => format!("`--end {label}@{x},{z},{deg}`"),
        At::Along(curve, m) => format!("`{curve} --style {label}@{m}`"),
    };
    let yes = if near { "yes" } else { "no" };
    match found {
        Ok(row) if row.happened => format!(
            "| {asked} | {yes} | {:.1} | {:.2} | {:.0} | {} |",
            row.time_s.unwrap_or(0.0),
            row.off_m.unwrap_or(0.0),
            row.off_deg.unwrap_or(0.0),
            row.clip
                .as_deref()
                .and_then(|c| c.rsplit('/').next())
                .unwrap_or("")
        ),
        Ok(row) => {
            let why = row.reason.as_deref().unwrap_or("");
            format!("| {asked} | {yes} | – | – | – | {why} |")
        }
        Err(why) => format!("| {asked} | {yes} | – | – | – | {why} |"),
    }
}

/// What came of one action, or why there is no motion.
fn ask(graph: &MotionGraph, label: &str, at: &At) -> Result<Result<ActionRow, String>, Any> {
    match *at {
        At::Place(x, z, degrees) => {
            let wanted = Wanted::Label(label.to_owned());
            let wish = PlaceWish {
                alternatives: 1,
                ..PlaceWish::new(wanted, DVec2::new(x, z), degrees.to_radians())
            };
            let request = PlaceRequest::new(wish);
            let edges = PathRequest::new(named_curve("line", 1.0)?).edge_paths(graph)?;
            match plan_place(graph, &edges, &request, Control::default()) {
                Ok(mut motions) => Ok(motions
                    .swap_remove(0)
                    .action
                    .ok_or_else(|| "nothing is known of it".to_owned())),
                Err(SynthError::NoWalk { reason }) => Ok(Err(reason)),
                Err(other) => Ok(Err(other.to_string())),
            }
        }
        At::Along(curve, metres) => {
            let request = PathRequest {
                options: PathOptions {
                    styles: parse_styles(&format!("{label}@{metres}"))?,
                    ..PathOptions::default()
                },
                ..PathRequest::new(named_curve(curve, 1.0)?)
            };
            match plan_path(graph, &request) {
                Ok(mut motions) => {
                    let mut report = motions.swap_remove(0).report;
                    match report.reason.take() {
                        Some(why) => Ok(Err(why)),
                        None => Ok(report.actions.pop().ok_or_else(|| "not asked".to_owned())),
                    }
                }
                Err(other) => Ok(Err(other.to_string())),
            }
        }
    }
}

fn graph(person: &Person, data: &FilePath) -> Result<MotionGraph, Any> {
    let clips = match person.folder {
        Some(folder) => real(person, &data.join(folder), data)?,
        None => library(1, 60.0)?.into_iter().map(|t| t.clip).collect(),
    };
    let options = BuildOptions {
        with_mirrored: true,
        ..BuildOptions::default()
    };
    let builder = GraphBuilder::new(ClipSet::new(clips)?).options(options);
    Ok(builder.build(&mut ())?.0)
}

fn real(person: &Person, folder: &FilePath, data: &FilePath) -> Result<Vec<Clip>, Any> {
    let read = ReadOptions {
        source_fps: person.source_fps,
        ..ReadOptions::default()
    };
    let mut clips = Vec::new();
    for input in gaitway_io::expand(&[folder.display().to_string()])? {
        clips.extend(read_file(&input.path, &read)?.into_iter().map(|i| i.clip));
    }
    let mut labels = Labels::from_csv_file(&data.join("labels-gaitway.csv"))?;
    for (pattern, label) in person.names {
        labels = labels.with_pattern(*pattern, *label);
    }
    Ok(labels.label(clips)?)
}
