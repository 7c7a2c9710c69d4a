//! `gaitway quality`: numbers one can gate a build on.

use std::path::Path;

use gaitway::core::contacts::{self, ContactOptions, ContactRow};
use gaitway::core::text::shown;
use gaitway::core::{Clip, ContactTrack, Warning, WarningCode, Warnings};
use gaitway::eval::draw::axes::Axis;
use gaitway::eval::draw::chart::{Chart, Series};
use gaitway::eval::quality::{Quality, QualityLimits, QualityOptions, quality, table, trace};
use gaitway::io::set::FileClip;
use gaitway::io::{Import, Input, parse_contacts};
use rayon::prelude::*;

use super::args::QualityArgs;
use super::load::load_readable;
use super::term::{Term, table as columns};
use super::{CliError, Outcome, files, render};

/// Runs the verb: exit code 1 when a bar is exceeded.
pub fn run(args: &QualityArgs, term: &mut Term) -> Result<Outcome, CliError> {
    files::check_outputs([args.plot.as_ref()])?;
    render::check_picture(args.plot.as_deref())?;
    let rows = args
        .contacts
        .as_ref()
        .map(|path| read_contacts(path))
        .transpose()?;
    let (clips, unreadable) = load_readable(&args.inputs, &args.read, term)?;
    warn(&clips, term);
    let measured: Vec<Result<Quality, CliError>> = clips
        .par_iter()
        .map(|f| measure(&f.input, &f.import, rows.as_deref(), args))
        .collect();
    let list: Vec<Quality> = measured.into_iter().collect::<Result<_, _>>()?;
    if args.json {
        let text = serde_json::to_string_pretty(&list).map_err(|e| CliError::new(e.to_string()))?;
        term.json(&text)?;
    } else {
        term.out(&words(&list, args.events))?;
    }
    if let Some(path) = &args.plot {
        plot(path, &clips, rows.as_deref())?;
        term.say(&format!("wrote {}", path.display()));
    }
    if let Some(path) = &args.contacts
        && !clips
            .iter()
            .any(|f| given_contacts(&f.import.clip, rows.as_deref()).is_ok_and(|t| t.is_some()))
    {
        return Err(CliError::new(format!(
            "{}: no row names any of the given files",
            path.display()
        ))
        .with_hint("the first column is a file's name as it lies, such as walk_01.bvh"));
    }
    let limits = limits(args);
    let mut outcome = Outcome::Done;
    for quality in &list {
        for bar in limits.check(quality) {
            term.fail(&bar.message);
            outcome = Outcome::Failed;
        }
    }
    // What could not be looked at is worse than what was found wanting.
    unreadable.map_or(Ok(outcome), Err)
}

/// What was found in the frames themselves: it explains pops that no cleanup made.
fn warn(clips: &[FileClip], term: &mut Term) {
    let pops = |import: &Import| {
        let mut out = Warnings::new();
        let about = |w: &&Warning| matches!(w.code, WarningCode::Spikes | WarningCode::JointFlip);
        for warning in import.warnings.iter().filter(about) {
            out.add(warning.code, warning.message.clone());
        }
        out
    };
    let told: Vec<(&str, Warnings)> = clips
        .iter()
        .map(|f| (f.import.clip.name(), pops(&f.import)))
        .collect();
    term.warn_all(told.iter().map(|(name, warnings)| (*name, warnings)));
}

fn measure(
    input: &Input,
    import: &Import,
    rows: Option<&[ContactRow]>,
    args: &QualityArgs,
) -> Result<Quality, CliError> {
    let file = match &import.source.animation {
        Some(animation) => format!("{}#{animation}", input.path.display()),
        None => input.path.display().to_string(),
    };
    let given = given_contacts(&import.clip, rows)?;
    let options = QualityOptions {
        file,
        loop_seam: args.looped,
        ..QualityOptions::default()
    };
    Ok(quality(&import.clip, given.as_ref(), &options))
}

/// Contacts a table gives for a clip; points it does not name are detected. `None` where it has no row for the clip.
pub fn given_contacts(
    clip: &Clip,
    rows: Option<&[ContactRow]>,
) -> Result<Option<ContactTrack>, CliError> {
    let Some(rows) = rows else { return Ok(None) };
    let detected = contacts::detect(clip, &ContactOptions::default())
        .ok()
        .map(|d| d.track);
    contacts::override_contacts(clip, detected.as_ref(), rows)
        .map_err(|e| CliError::new(e.to_string()))
}

/// Reads a table of plants.
pub fn read_contacts(path: &Path) -> Result<Vec<ContactRow>, CliError> {
    const ROWS: &str = "--contacts takes a CSV table with rows of file,joint,start_s,end_s";
    let text = files::read_text(path, ROWS)?;
    parse_contacts(&path.display().to_string(), &text)
        .map_err(|e| CliError::new(e.to_string()).with_hint(ROWS))
}

/// How fast planted points slide, over time.
fn plot(path: &Path, clips: &[FileClip], rows: Option<&[ContactRow]>) -> Result<(), CliError> {
    let [FileClip { input, import, .. }] = clips else {
        return Err(CliError::new(format!(
            "--plot draws one clip, and {} were given",
            clips.len()
        ))
        .with_hint("give one file, or leave --plot out"));
    };
    let clip = &import.clip;
    let contacts = match given_contacts(clip, rows)?.or_else(|| clip.contacts().cloned()) {
        Some(track) => track,
        None => {
            let detected = contacts::detect(clip, &ContactOptions::default());
            detected
                .map_err(|e| CliError::new(format!("{}: {e}", input.path.display())))?
                .track
        }
    };
    let series = trace::slide_traces(clip, &contacts)
        .into_iter()
        .map(|(name, curve)| Series::line(name, curve));
    let chart = Chart {
        title: format!(
            "{}: how fast planted feet slide",
            render::title(&input.path.to_string_lossy())
        ),
        x: Axis {
            name: "seconds".to_owned(),
            ..Axis::default()
        },
        y: Axis {
            name: "cm/s".to_owned(),
            ..Axis::default()
        },
        series: series.collect(),
        markers: Vec::new(),
    };
    let scene = chart
        .draw(1200, 480)
        .map_err(|e| CliError::new(e.to_string()))?;
    render::write_scene(path, &scene)
}

fn limits(args: &QualityArgs) -> QualityLimits {
    QualityLimits {
        max_skate: args.max_skate,
        max_skate_p95: args.max_skate_p95,
        max_plant: args.max_plant,
        max_glide: args.max_glide,
        max_glides: args.max_glides,
        max_slide: args.max_slide,
        max_slides: args.max_slides,
        max_accel: args.max_accel,
        max_angular_accel: args.max_angular_accel,
        max_knee_velocity: args.max_knee,
        max_stretch: args.max_stretch.map(|share| 100.0 * share),
        max_penetration: args.max_penetration,
        max_feet_penetration: args.max_feet_penetration,
        max_float: args.max_float,
        max_seam: args.max_seam,
    }
}

fn words(list: &[Quality], events: bool) -> String {
    let table = table(list);
    let header: Vec<&str> = table.header.iter().map(String::as_str).collect();
    let mut out = columns(&header, &table.rows);
    for quality in list {
        if let Some(seam) = &quality.loop_seam {
            out.push_str(&format!(
                "{}: from the last frame to the first: {:.2} cm, {:.2} m/s\n",
                shown(&quality.file),
                seam.position_cm,
                seam.velocity_m_s
            ));
        }
    }
    if !events {
        return out;
    }
    for quality in list {
        out.push_str(&format!("\n{}\n", shown(&quality.file)));
        let rows: Vec<Vec<String>> = quality
            .events
            .iter()
            .map(|e| {
                let value = format!("{:.2} {}", e.value, e.unit);
                let times = (format!("{:.3}", e.start_s), format!("{:.3}", e.end_s));
                vec![e.kind.clone(), e.point.clone(), times.0, times.1, value]
            })
            .collect();
        out.push_str(&columns(
            &["event", "where", "from s", "to s", "worst"],
            &rows,
        ));
    }
    out
}
