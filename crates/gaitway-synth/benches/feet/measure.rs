//! Quality of captured clips before and after planting.

use std::fmt::Write;
use std::path::Path;

use gaitway_core::{Clip, ContactTrack, fk};
use gaitway_eval::{Quality, QualityOptions, quality};
use gaitway_io::{ReadOptions, read_file};
use gaitway_synth::cleanup::{PlantOptions, Planted, SkipReason, plant_feet};

/// Clips that make one row.
pub struct Set {
    pub name: &'static str,
    pub clips: Vec<Clip>,
}

/// Folders of the data and how the table calls them.
const SETS: [(&str, &str, Option<f64>); 11] = [
    ("CMU 16", "cmu-bvh/16", None),
    ("CMU 69", "cmu-bvh/69", None),
    ("CMU 143", "cmu-bvh/143", Some(60.0)),
    ("LAFAN1", "lafan1-bvh", None),
    ("Bandai-Namco", "bandai-namco-bvh", None),
    ("PFNN", "pfnn-bvh", None),
    ("CMU 02 *", "cmu-bvh/02", None),
    ("CMU 35 *", "cmu-bvh/35", None),
    ("CMU 83 *", "cmu-bvh/83", None),
    ("CMU 127 *", "cmu-bvh/127", None),
    ("CMU 135 *", "cmu-bvh/135", None),
];

/// Reads the clips; `only`: those whose name contains it.
pub fn sets(data: &Path, only: Option<&str>) -> Vec<Set> {
    let mut out = Vec::new();
    for (name, folder, source_fps) in SETS {
        let Ok(entries) = std::fs::read_dir(data.join(folder)) else {
            continue;
        };
        let mut files: Vec<_> = entries.flatten().map(|e| e.path()).collect();
        files.retain(|p| p.extension().is_some_and(|e| e == "bvh"));
        files.retain(|p| only.is_none_or(|o| p.to_string_lossy().contains(o)));
        files.sort();
        let options = ReadOptions {
            source_fps,
            ..ReadOptions::default()
        };
        let read = |p: &std::path::PathBuf| {
            let clips = read_file(p, &options).expect("the data reads");
            clips.into_iter().next().expect("a clip").clip
        };
        let clips: Vec<Clip> = files.iter().map(read).collect();
        if !clips.is_empty() {
            out.push(Set { name, clips });
        }
    }
    out
}

/// One clip, before and after.
pub struct Row {
    seconds: f64,
    plants: usize,
    conflicts: usize,
    held: [Quality; 2],
    found: [Quality; 2],
    planted: Planted,
    /// The most that planting again, with the contacts that are held, moves a joint, in metres.
    again: f64,
}

/// Measures a motion; its own contacts where it has any.
pub fn row(clip: &Clip, options: &PlantOptions) -> Row {
    let planted = plant_feet(clip, None, options).expect("captured clips have feet");
    let mut track = ContactTrack::new(
        planted.clip.contacts().expect("detected").points().to_vec(),
        clip.frame_count(),
    );
    for plant in &planted.report.plants {
        let named = |p: &gaitway_core::ContactPoint| p.name == plant.point;
        let point = track.points().iter().position(named).expect("its own name");
        (plant.start..plant.end).for_each(|f| track.set(f, point, true));
    }
    let bare = planted
        .clip
        .clone()
        .with_contacts(None)
        .expect("none fits all");
    let source = clip.clone().with_contacts(None).expect("none fits all");
    let again = plant_feet(&planted.clip, None, options).expect("planted clips have feet");
    let options = QualityOptions::default();
    let conflict = |s: &&gaitway_synth::cleanup::SkippedPlant| s.reason == SkipReason::Conflict;
    Row {
        seconds: clip.seconds(),
        plants: planted.report.plants.len(),
        conflicts: planted.report.skipped.iter().filter(conflict).count(),
        held: [clip, &bare].map(|c| quality(c, Some(&track), &options)),
        found: [&source, &bare].map(|c| quality(c, None, &options)),
        again: apart(&planted.clip, &again.clip),
        planted,
    }
}

/// The largest distance between two clips' points, in metres.
fn apart(a: &Clip, b: &Clip) -> f64 {
    let (a, b) = (fk::world_points(a), fk::world_points(b));
    let both = a.places().iter().zip(b.places());
    both.map(|(p, q)| p.distance(*q)).fold(0.0, f64::max)
}

/// Mean over rows, each by its seconds.
fn mean(rows: &[Row], value: impl Fn(&Row) -> Option<f64>) -> f64 {
    let (mut sum, mut weight) = (0.0, 0.0);
    for r in rows {
        if let Some(v) = value(r) {
            sum += v * r.seconds;
            weight += r.seconds;
        }
    }
    sum / weight
}

fn worst(rows: &[Row], value: impl Fn(&Row) -> Option<f64>) -> f64 {
    rows.iter().filter_map(value).fold(0.0, f64::max)
}

const HEAD: &str = "| clips | plants | skate on enforced plants, cm/s | worst enforced plant, mm | skate re-detected, cm/s (worst clip) \
| longest stretch, % | frames stretched, % | acceleration, mean (worst clip) | root moved, mean (most), mm | feet in the floor, mean of clips (worst), mm | planted again, mm | split |\n\
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |";

/// The names of the columns.
pub fn head(page: &mut String) {
    let _ = writeln!(page, "{HEAD}");
}

/// The table; `each`: a line per clip, too.
pub fn table(page: &mut String, sets: &[Set], each: bool) {
    head(page);
    let mut over = [Vec::new(), Vec::new(), Vec::new()];
    let mut clips = 0;
    for set in sets {
        let rows: Vec<Row> = set
            .clips
            .iter()
            .map(|c| row(c, &PlantOptions::default()))
            .collect();
        if each {
            for (clip, row) in set.clips.iter().zip(&rows) {
                line(page, clip.name(), std::slice::from_ref(row));
                events(page, row);
            }
        }
        line(page, set.name, &rows);
        clips += rows.len();
        for (clip, row) in set.clips.iter().zip(&rows) {
            let name = clip.name().rsplit('/').next().unwrap_or_default();
            if accel(row).is_some_and(|a| a > 1.1) {
                over[0].push(name);
            }
            if row.found[1].skate_cm_s.mean.is_some_and(|v| v > 0.2) {
                over[1].push(name);
            }
            if row.found[1].penetration_cm.feet.is_some_and(|v| v > 0.2) {
                over[2].push(name);
            }
        }
    }
    let list = |names: &[&str]| match names {
        [] => "none".to_owned(),
        names => format!("{} ({})", names.len(), names.join(", ")),
    };
    let _ = writeln!(
        page,
        "\nThe bars: on enforced plants 0.1 cm/s and 2 mm; re-detected 0.2 cm/s; stretch 3 %, none in 95 % of the frames; \
         acceleration 1.1; root 20 mm on average; planted again 0.1 mm. Clip by clip, of {clips}: above 1.1 in acceleration {}; \
         above 0.2 cm/s re-detected {}; with a foot more than 2 mm in the floor {}.",
        list(&over[0]),
        list(&over[1]),
        list(&over[2]),
    );
}

/// The 99.9th percentile of acceleration, after over before.
fn accel(row: &Row) -> Option<f64> {
    Some(row.found[1].accel_m_s2.p999? / row.found[0].accel_m_s2.p999?)
}

/// One line of the table.
pub fn line(page: &mut String, name: &str, rows: &[Row]) {
    let held = |i: usize| mean(rows, |r| r.held[i].skate_cm_s.mean);
    let moved = |i: usize| 10.0 * worst(rows, |r| r.held[i].worst_plant_cm);
    let found = |i: usize| mean(rows, |r| r.found[i].skate_cm_s.mean);
    let report = |r: &Row| r.planted.report.clone();
    let clip_mean = |i: usize| {
        let depths = rows.iter().filter_map(|r| r.found[i].penetration_cm.feet);
        10.0 * depths.sum::<f64>() / rows.len() as f64
    };
    let _ = writeln!(
        page,
        "| {name} | {} | {:.2} → {:.3} | {:.1} → {:.2} | {:.2} → {:.3} ({:.2}) | {:.2} | {:.1} | {:.2} ({:.2}) | {:.1} ({:.0}) | {:.1} ({:.0}) → {:.2} ({:.1}) | {:.3} | {} |",
        rows.iter().map(|r| r.plants).sum::<usize>(),
        held(0),
        held(1),
        moved(0),
        moved(1),
        found(0),
        found(1),
        worst(rows, |r| r.found[1].skate_cm_s.mean),
        100.0 * (worst(rows, |r| Some(report(r).stretch_max)) - 1.0),
        100.0 * mean(rows, |r| Some(report(r).stretched_frames)),
        mean(rows, accel),
        worst(rows, accel),
        1000.0 * mean(rows, |r| Some(report(r).root_moved_mean_m)),
        1000.0 * worst(rows, |r| Some(report(r).root_moved_max_m)),
        clip_mean(0),
        10.0 * worst(rows, |r| r.found[0].penetration_cm.feet),
        clip_mean(1),
        10.0 * worst(rows, |r| r.found[1].penetration_cm.feet),
        1000.0 * worst(rows, |r| Some(r.again)),
        rows.iter().map(|r| r.conflicts).sum::<usize>(),
    );
}

/// What to look at in the cleaned clip: joints that accelerate more than the captured ones.
fn events(page: &mut String, row: &Row) {
    let options = QualityOptions {
        source_accel_p999: row.found[0].accel_m_s2.p999,
        most_events: 4,
        ..QualityOptions::default()
    };
    let cleaned = quality(&row.planted.clip, None, &options);
    for e in cleaned.events {
        let _ = writeln!(
            page,
            "  {} {:.3}..{:.3} s {} {:.1} {}",
            e.kind, e.start_s, e.end_s, e.point, e.value, e.unit
        );
    }
}
