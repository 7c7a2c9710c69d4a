//! A motion along a path as part of a page: pictures, charts, numbers against their bars.

use gaitway::eval::draw::bars::{BarRow, bars};
use gaitway::eval::draw::chart::Chart;
use gaitway::eval::draw::page::{Image, Page};
use gaitway::eval::draw::path::charts::CHART;
use gaitway::eval::draw::path::{PathView, path_picture};
use gaitway::eval::draw::{DrawError, Scene};
use gaitway::eval::quality::{PathFigures, Quality, bar_rows};
use gaitway::graph::MotionGraph;
use gaitway::synth::path::{PathMotion, PathRequest};

use super::super::CliError;
use super::{quality_of, show};

fn wrong(error: DrawError) -> CliError {
    CliError::new(error.to_string())
}

fn svg(scene: &Scene) -> Image {
    Image::svg(scene.to_svg())
}

fn png(scene: &Scene) -> Result<Image, CliError> {
    Ok(Image::png(scene.to_png().map_err(wrong)?))
}

/// Adds all that there is to say about one motion.
pub fn sections(
    page: Page,
    graph: &MotionGraph,
    request: &PathRequest,
    planned: &PathMotion,
) -> Result<Page, CliError> {
    if planned.motion.is_none() {
        let reason = planned.report.reason.as_deref().unwrap_or("no walk");
        return Ok(page.paragraph(format!("There is no motion: {reason}.")));
    }
    let page = slant(page, graph, request, planned)?;
    let page = map(page, graph, request, planned)?;
    let page = charts(page, graph, request, planned)?;
    let page = numbers(page, graph, request, planned)?;
    Ok(transitions(page, planned))
}

fn slant(
    page: Page,
    graph: &MotionGraph,
    request: &PathRequest,
    planned: &PathMotion,
) -> Result<Page, CliError> {
    let mut picture = show::alone(graph, request, planned);
    picture.view = PathView::Slant;
    let scene = path_picture(&picture).map_err(wrong)?;
    let words = format!(
        "{:.1} s along {:.1} m of path.",
        planned.report.seconds,
        show::path_of(request, planned).length()
    );
    Ok(page.figure(png(&scene)?, "the motion along the path, at a slant", words))
}

/// The map of a motion.
pub fn map(
    page: Page,
    graph: &MotionGraph,
    request: &PathRequest,
    planned: &PathMotion,
) -> Result<Page, CliError> {
    let picture = show::alone(graph, request, planned);
    let scene = path_picture(&picture).map_err(wrong)?;
    Ok(page.figure(
        png(&scene)?,
        "the motion along the path, from above",
        "From above, in metres. Each ring is a transition from one clip into another.",
    ))
}

/// Error, speed and transitions along the way.
pub fn charts(
    page: Page,
    graph: &MotionGraph,
    request: &PathRequest,
    planned: &PathMotion,
) -> Result<Page, CliError> {
    let Some(trace) = show::trace(graph, request, planned) else {
        return Ok(page);
    };
    let draw = |chart: &Chart| chart.draw(CHART.0, CHART.1).map_err(wrong);
    let report = &planned.report;
    let mut page = page
        .figure(
            svg(&draw(&trace.error_chart())?),
            "distance from the path over the metres walked",
            format!(
                "The hips are {:.1} cm from the path on average and {:.1} cm at most. They sway by a few centimetres with every \
                 step even on a straight line.",
                100.0 * report.path_error_m.mean,
                100.0 * report.path_error_m.max
            ),
        )
        .figure(
            svg(&draw(&trace.speed_chart())?),
            "speed over time",
            "Speed over the ground, averaged over a step.",
        );
    if !trace.transitions_cm.is_empty() {
        page = page.figure(
            svg(&draw(&trace.transition_chart())?),
            "transitions over time, by distance",
            format!(
                "{} transitions, {:.2} a second. The height is how far apart the two bodies are over half a second, root \
                 mean square over all joints.",
                report.transitions.len(),
                report.transitions_per_s
            ),
        );
    }
    Ok(page)
}

/// Numbers against their bars.
pub fn numbers(
    page: Page,
    graph: &MotionGraph,
    request: &PathRequest,
    planned: &PathMotion,
) -> Result<Page, CliError> {
    let Some(motion) = &planned.motion else {
        return Ok(page);
    };
    let quality = quality_of(graph, motion, "")?;
    let mut rows = against_bars(planned, &quality);
    if let Some(free) = show::free_error_m(graph, request, planned) {
        rows[0].name = "distance from the path where it is free, RMS".to_owned();
        rows[0].value = Some(100.0 * free);
    }
    let scene = bars("Numbers against the bars they must stay below", &rows).map_err(wrong)?;
    Ok(page.figure(
        svg(&scene),
        "quality numbers as bars",
        "Green that ends before the black line is good enough to use as it is.",
    ))
}

fn against_bars(planned: &PathMotion, q: &Quality) -> Vec<BarRow> {
    let report = &planned.report;
    let path = PathFigures {
        rms_m: report.path_error_m.rms,
        transitions_per_s: report.transitions_per_s,
        facing_within_30_deg: report.facing_error_rad.within_30_deg,
    };
    bar_rows(q, Some(&path))
}

/// The list of transitions.
pub fn transitions(page: Page, planned: &PathMotion) -> Page {
    const MOST: usize = 40;
    let list = &planned.report.transitions;
    if list.is_empty() {
        return page;
    }
    let rows: Vec<Vec<String>> = list
        .iter()
        .take(MOST)
        .map(|t| {
            vec![
                format!("{:.2}", t.t),
                t.kind.to_owned(),
                t.from.clone(),
                t.to.clone(),
                format!("{:.1}", t.distance_cm),
            ]
        })
        .collect();
    page.table(
        &["at second", "how", "leaves", "enters", "distance cm"],
        &rows,
    )
}
