//! `gaitway clean`: planted feet on any clip, or on a folder of them.

mod folder;

use std::fmt::Write;
use std::path::Path;

use gaitway::core::contacts::ContactRow;
use gaitway::core::{Clip, ground};
use gaitway::eval::draw::axes::Axis;
use gaitway::eval::draw::chart::{Chart, Mark, Series};
use gaitway::eval::quality::{Quality, QualityOptions, feet_words_changed, quality, trace};
use gaitway::io::{Import, WriteOptions, write_file};
use gaitway::synth::cleanup::{PlantError, PlantOptions, Planted, plant_feet};
use serde_json::{Value, json};

use super::args::CleanArgs;
use super::load::load_one;
use super::quality::{given_contacts, read_contacts};
use super::render::{self, write_bytes};
use super::spikes;
use super::term::Term;
use super::{CliError, Outcome, files};

/// Runs the verb: one clip to a file, or with `--to` many to a folder.
pub fn run(args: &CleanArgs, term: &mut Term) -> Result<Outcome, CliError> {
    if let Some(extension) = &args.to {
        return folder::run(args, extension, term);
    }
    if Path::new(&args.input).is_dir() || args.input.starts_with('@') {
        return Err(
            CliError::new(format!("{} is more than one file", args.input)).with_hint(format!(
                "name one, or clean all into a folder: gaitway clean {} -o cleaned --to bvh",
                args.input
            )),
        );
    }
    let outputs = [Some(&args.out), args.report.as_ref(), args.plot.as_ref()];
    files::check_outputs(outputs)?;
    render::check_picture(args.plot.as_deref())?;
    files::keep_inputs(outputs, &[args.input.as_ref()])?;
    let rows = args
        .contacts
        .as_ref()
        .map(|path| read_contacts(path))
        .transpose()?;
    let import = load_one(&args.input, &args.read.mending(), term)?;
    let cleaned = cleaned(&import, &args.input, rows.as_deref(), args)?;
    let write = WriteOptions {
        source: Some(&import.source),
        ..WriteOptions::default()
    };
    for warning in &write_file(&args.out, &cleaned.planted.clip, &write)? {
        term.warn(&args.out.display().to_string(), warning);
    }
    let report = cleaned.report(&args.input, &args.out, &import, args);
    let text = serde_json::to_string_pretty(&report).map_err(|e| CliError::new(e.to_string()))?;
    if let Some(path) = &args.report {
        write_bytes(path, text.as_bytes())?;
    }
    if let Some(path) = &args.plot {
        plot(path, &cleaned.clip, &cleaned.planted, &args.input)?;
        term.say(&format!("wrote {}", path.display()));
    }
    if args.json {
        term.json(&text)?;
    } else {
        term.out(&words(&cleaned))?;
    }
    term.say(&format!("wrote {}", args.out.display()));
    Ok(Outcome::Done)
}

/// A clip with its feet planted, and numbers of before and after.
struct Cleaned {
    /// As it was read, with its travel on the root.
    clip: Clip,
    planted: Planted,
    before: Quality,
    after: Quality,
}

fn cleaned(
    import: &Import,
    name: &str,
    rows: Option<&[ContactRow]>,
    args: &CleanArgs,
) -> Result<Cleaned, CliError> {
    let clip = ground::travel_to_root(&import.clip);
    let contacts = given_contacts(&clip, rows)?;
    let options = PlantOptions {
        max_stretch: args.max_stretch,
        ..PlantOptions::default()
    };
    let planted =
        plant_feet(&clip, contacts.as_ref(), &options).map_err(|e| plant_error(name, e))?;
    let numbers = |c| quality(c, planted.clip.contacts(), &QualityOptions::default());
    let (before, after) = (numbers(&clip), numbers(&planted.clip));
    Ok(Cleaned {
        clip,
        planted,
        before,
        after,
    })
}

impl Cleaned {
    fn report(&self, name: &str, out: &Path, import: &Import, args: &CleanArgs) -> Value {
        json!({
            "file": name,
            "out": out.display().to_string(),
            "spikes": spikes::rows(import),
            "lapses": spikes::lapses(import),
            "spikes_repaired": !args.read.keep_spikes,
            "cleanup": self.planted.report,
            "before": self.before,
            "after": self.after,
        })
    }
}

/// How far planted points stray on the floor: a web before, a point after.
fn plot(path: &Path, before: &Clip, planted: &Planted, input: &str) -> Result<(), CliError> {
    let Some(contacts) = planted.clip.contacts().or(before.contacts()) else {
        return Ok(());
    };
    let join = |clip: &Clip| {
        trace::stray_traces(clip, contacts)
            .into_iter()
            .flat_map(|(_, curve)| curve)
            .collect::<Vec<_>>()
    };
    let axis = |name: &str| Axis {
        name: name.to_owned(),
        ..Axis::default()
    };
    let chart = Chart {
        title: format!("{}: how far planted points stray", render::title(input)),
        x: axis("x from the plant's mean, mm"),
        y: axis("z, mm"),
        series: vec![
            Series::line("before", join(before)),
            Series::line("after", join(&planted.clip)).with_mark(Mark::Dot),
        ],
        markers: Vec::new(),
    };
    let scene = chart
        .draw(760, 720)
        .map_err(|e| CliError::new(e.to_string()))?;
    render::write_scene(path, &scene)
}

/// A body that is moved by more than this is told with the moment, metres: no capture is as far off, so that either the ground was
/// not level or a plant is not one.
const FAR_MOVED_M: f64 = 0.1;

/// When, how far and which way the body is moved most.
fn most_moved(before: &Clip, after: &Clip) -> String {
    let moved = |f: usize| after.root()[f] - before.root()[f];
    let frames = 0..before.frame_count().min(after.frame_count());
    let most = frames.max_by(|&a, &b| moved(a).length().total_cmp(&moved(b).length()));
    let Some(at) = most else {
        return String::new();
    };
    let by = moved(at);
    let way = match by.y {
        up if up > 0.7 * by.length() => "up",
        up if up < -0.7 * by.length() => "down",
        _ => "sideways",
    };
    format!(
        "look at {:.2} s: the body is moved {way} by {:.0} mm there; the floor is taken as level, so a step, a slope or a seat \
         that a foot stood on becomes floor\n",
        at as f64 / before.rate_hz(),
        1000.0 * by.length()
    )
}

fn words(cleaned: &Cleaned) -> String {
    let report = &cleaned.planted.report;
    let mut out = format!(
        "{} plants held, {} not; worst plant {:.2} mm; root moved {:.1} mm on average, {:.1} at \
         most; pelvis tilted by up to {:.1}°; legs stretched by up to {:.1} %, in {:.0} % of the frames\n",
        report.plants.len(),
        report.skipped.len(),
        1000.0 * report.worst_residual_m,
        1000.0 * report.root_moved_mean_m,
        1000.0 * report.root_moved_max_m,
        report.tilt_max_deg,
        100.0 * (report.stretch_max - 1.0).max(0.0),
        100.0 * report.stretched_frames
    );
    if report.root_moved_max_m > FAR_MOVED_M {
        out += &most_moved(&cleaned.clip, &cleaned.planted.clip);
    }
    let feet = feet_words_changed(&cleaned.before, &cleaned.after);
    let _ = writeln!(out, "{feet}");
    for knee in &report.overextended {
        let frames = if knee.frames == 1 { "frame" } else { "frames" };
        let _ = writeln!(
            out,
            "{} was captured bending backwards in {} {frames}, by up to {:.0}°: straightened",
            knee.joint, knee.frames, knee.most_deg
        );
    }
    out
}

/// The cleanup's error as a person reads it.
pub fn plant_error(what: &str, error: PlantError) -> CliError {
    let out = CliError::new(format!("{what}: {error}"));
    match error {
        PlantError::Contacts(_) | PlantError::NoLegs { .. } => out.with_hint(
            "name the plants yourself with --contacts FILE.csv (file,joint,start_s,end_s)",
        ),
        _ => out,
    }
}
