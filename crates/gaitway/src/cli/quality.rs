//! `gaitway quality`: numbers one can gate a build on.

use gaitway::core::ContactTrack;
use gaitway::core::contacts::{self, ContactOptions, ContactRow};
use gaitway::eval::quality::{Quality, QualityLimits, QualityOptions, quality, table};
use gaitway::io::{Import, Input};
use rayon::prelude::*;

use super::args::QualityArgs;
use super::load::load_clips;
use super::term::{Term, table as columns};
use super::{CliError, Outcome};

/// Runs the verb: exit code 1 when a bar is exceeded.
pub fn run(args: &QualityArgs, term: &mut Term) -> Result<Outcome, CliError> {
    let rows = args
        .contacts
        .as_ref()
        .map(|path| read_contacts(path))
        .transpose()?;
    let clips = load_clips(&args.inputs, &args.read, term)?;
    let measured: Vec<Result<Quality, CliError>> = clips
        .par_iter()
        .map(|(input, import)| measure(input, import, rows.as_deref(), args))
        .collect();
    let list: Vec<Quality> = measured.into_iter().collect::<Result<_, _>>()?;
    if args.json {
        let text = serde_json::to_string_pretty(&list).map_err(|e| CliError::new(e.to_string()))?;
        term.out(&(text + "\n"))?;
    } else {
        term.out(&words(&list, args.events))?;
    }
    let limits = limits(args);
    let mut outcome = Outcome::Done;
    for quality in &list {
        for bar in limits.check(quality) {
            term.fail(&format!("{}: {}", quality.file, bar.message));
            outcome = Outcome::Failed;
        }
    }
    Ok(outcome)
}

fn measure(
    input: &Input,
    import: &Import,
    rows: Option<&[ContactRow]>,
    args: &QualityArgs,
) -> Result<Quality, CliError> {
    let file = match import.clip.name().rsplit_once('#') {
        Some((_, animation)) => format!("{}#{animation}", input.path.display()),
        None => input.path.display().to_string(),
    };
    let given: Option<ContactTrack> = rows
        .map(|rows| {
            let detected = contacts::detect(&import.clip, &ContactOptions::default()).ok();
            contacts::override_contacts(&import.clip, detected.map(|d| d.track).as_ref(), rows)
        })
        .transpose()
        .map_err(|e| CliError::new(e.to_string()))?
        .flatten();
    let options = QualityOptions {
        file,
        loop_seam: args.looped,
        ..QualityOptions::default()
    };
    Ok(quality(&import.clip, given.as_ref(), &options))
}

fn read_contacts(path: &std::path::Path) -> Result<Vec<ContactRow>, CliError> {
    let file = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| CliError::new(format!("{file}: {e}")))?;
    contacts::parse_csv(&text).map_err(|e| {
        CliError::new(format!("{file}:{e}")).with_hint("rows are file,joint,start_s,end_s")
    })
}

fn limits(args: &QualityArgs) -> QualityLimits {
    QualityLimits {
        max_skate: args.max_skate,
        max_plant: args.max_plant,
        max_accel: args.max_accel,
        max_stretch: args.max_stretch.map(|share| 1.0 + share),
        max_penetration: args.max_penetration,
        ..QualityLimits::default()
    }
}

fn words(list: &[Quality], events: bool) -> String {
    let table = table(list);
    let header: Vec<&str> = table.header.iter().map(String::as_str).collect();
    let mut out = columns(&header, &table.rows);
    if !events {
        return out;
    }
    for quality in list {
        out.push_str(&format!("\n{}\n", quality.file));
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
