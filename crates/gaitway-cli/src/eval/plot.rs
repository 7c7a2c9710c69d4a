//! Drawings of `eval`.

use std::path::Path;

use gaitway::eval::connectivity::Measures;
use gaitway::eval::draw::axes::Axis;
use gaitway::eval::draw::chart::{Chart, Mark, Marker, Series};
use gaitway::eval::draw::reach::{ReachPanel, reach_picture};

use super::super::args::{EvalArgs, EvalPlotArg};
use super::super::render::{title, write_scene};
use super::{CliError, Graded};

/// Draws what is asked for.
pub fn write(
    path: &Path,
    all: &[Graded],
    visible_cm: f64,
    args: &EvalArgs,
) -> Result<(), CliError> {
    let scene = match args.show {
        EvalPlotArg::Component => component(all, visible_cm).draw(1000, 560),
        EvalPlotArg::Time => time(all, visible_cm).draw(1000, 560),
        EvalPlotArg::Reach => {
            let titles: Vec<String> = all.iter().map(reach_title).collect();
            let panels: Vec<ReachPanel<'_>> = all
                .iter()
                .zip(&titles)
                .filter_map(|(g, title)| {
                    let row = g.rows.first()?;
                    Some(ReachPanel {
                        title,
                        frames: &row.frames,
                        closure: &row.measures.closure,
                    })
                })
                .collect();
            reach_picture(&panels)
        }
    };
    let no_line = "one threshold and `built` are no curve: give several, as --threshold 1,2,3,4,6";
    let scene = scene.map_err(|e| CliError::new(e.to_string()).with_hint(no_line))?;
    write_scene(path, &scene)
}

fn reach_title(graded: &Graded) -> String {
    let row = graded.rows.first().map(|r| &r.measures);
    let at = row
        .and_then(|m| m.threshold_cm)
        .map_or("as built".to_owned(), |cm| format!("{cm:.1} cm"));
    format!(
        "{}: {} at {at}",
        title(&graded.file),
        row.map_or("", |m| m.form.name())
    )
}

/// A line per graph and form.
fn lines(all: &[Graded], what: &str, y: &dyn Fn(&Measures) -> Option<f64>) -> Vec<Series> {
    let mut out: Vec<Series> = Vec::new();
    for graded in all {
        let mut forms: Vec<_> = graded.rows.iter().map(|r| r.measures.form).collect();
        forms.dedup();
        for form in forms {
            let own = graded
                .rows
                .iter()
                .map(|r| &r.measures)
                .filter(|m| m.form == form);
            let points = own.filter_map(|m| Some((m.threshold_cm?, y(m)?)));
            let mut points: Vec<(f64, f64)> = points.collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            let name = format!("{}, {}{what}", title(&graded.file), form.name());
            out.push(Series::line(name, points).with_mark(Mark::DottedLine));
        }
    }
    out
}

fn chart(title: &str, y: &str, visible_cm: f64, series: Vec<Series>) -> Chart {
    let axis = |name: &str| Axis {
        name: name.to_owned(),
        ..Axis::default()
    };
    Chart {
        title: title.to_owned(),
        x: axis("threshold, cm"),
        y: axis(y),
        series,
        markers: vec![Marker {
            x: visible_cm,
            name: format!("cuts begin to be seen: {visible_cm:.1} cm"),
        }],
    }
}

fn component(all: &[Graded], visible_cm: f64) -> Chart {
    let series = lines(all, "", &|m| Some(m.component.share));
    chart(
        "The largest component",
        "share of captured frames",
        visible_cm,
        series,
    )
}

fn time(all: &[Graded], visible_cm: f64) -> Chart {
    let mut series = lines(all, ": between frames", &|m| m.mean_time.map(|t| t.seconds));
    series.extend(lines(all, ": LM", &|m| {
        m.maneuverability.as_ref().map(|l| l.lm_s)
    }));
    chart("How long it takes", "seconds", visible_cm, series)
}
