//! Drawings of `eval`.

use std::path::Path;

use gaitway::eval::connectivity::{Form, Measures};
use gaitway::eval::draw::axes::Axis;
use gaitway::eval::draw::chart::{Chart, Mark, Marker, Series};
use gaitway::eval::draw::reach::{ReachPanel, reach_picture};

use super::super::args::{EvalArgs, EvalPlotArg};
use super::super::render::{title, write_scene};
use super::{CliError, Graded, Measured};

/// Draws what is asked for.
pub fn write(
    path: &Path,
    all: &[Graded],
    visible_cm: f64,
    args: &EvalArgs,
) -> Result<(), CliError> {
    let scene = match args.show {
        EvalPlotArg::Component => {
            let y = "share of captured frames";
            let share = |m: &Measures| Some(m.component.share);
            chart(all, visible_cm, "The largest component", y, false, &share).draw(1000, 560)
        }
        EvalPlotArg::Time => {
            let mean = |m: &Measures| m.mean_time.map(|t| t.seconds);
            chart(
                all,
                visible_cm,
                "Mean time between frames",
                "seconds",
                true,
                &mean,
            )
            .draw(1000, 560)
        }
        EvalPlotArg::Lm => {
            let lm = |m: &Measures| m.maneuverability.as_ref().map(|l| l.lm_s);
            chart(
                all,
                visible_cm,
                "Local maneuverability",
                "seconds",
                true,
                &lm,
            )
            .draw(1000, 560)
        }
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
    let no_line = "a curve needs several thresholds, as --threshold 1,2,3,4,6, and LM labels, as from `build --labels`";
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

/// Something against the threshold: of one graph a line per form, of several a line per graph in the first form.
fn chart(
    all: &[Graded],
    visible_cm: f64,
    what: &str,
    y: &str,
    shared: bool,
    value: &dyn Fn(&Measures) -> Option<f64>,
) -> Chart {
    let line = |name: String, of: Form, rows: &[Measured]| {
        // What is measured over the frames of the first graph's component, where that is known: each over its own compares other things.
        let own = rows.iter().filter(|r| r.measures.form == of);
        let mut points: Vec<(f64, f64)> = own
            .filter_map(|r| {
                let same = r.same.as_ref().filter(|_| shared);
                Some((
                    r.measures.threshold_cm?,
                    value(same.unwrap_or(&r.measures))?,
                ))
            })
            .collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Series::line(name, points).with_mark(Mark::DottedLine)
    };
    let first = all.first().map_or(&[][..], |g| &g.rows);
    let mut forms: Vec<Form> = first.iter().map(|r| r.measures.form).collect();
    forms.dedup();
    let (of, series): (String, Vec<Series>) = match all {
        [one] => (
            title(&one.file),
            forms
                .iter()
                .map(|&f| line(f.name().to_owned(), f, first))
                .collect(),
        ),
        several => {
            let form = forms.first().copied().unwrap_or_default();
            let lines = several.iter().map(|g| line(title(&g.file), form, &g.rows));
            let over = match shared {
                true => ", over the frames of the first one's component",
                false => "",
            };
            (format!("form {}{over}", form.name()), lines.collect())
        }
    };
    let axis = |name: &str| Axis {
        name: name.to_owned(),
        ..Axis::default()
    };
    Chart {
        title: format!("{what}, {of}"),
        x: axis("threshold, cm"),
        y: axis(y),
        series,
        markers: vec![Marker {
            x: visible_cm,
            name: format!("joins begin to be seen: {visible_cm:.1} cm"),
        }],
    }
}
