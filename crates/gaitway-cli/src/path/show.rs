//! The plot of motions along paths, and numbers along the way.

use gaitway::core::ground::smooth_ground_path;
use gaitway::eval::draw::path::charts::PathTrace;
use gaitway::eval::draw::path::{OnPath, PathPicture};
use gaitway::graph::MotionGraph;
use gaitway::synth::path::{Obstacle, Path, PathMotion, PathOptions, PathRequest};
use gaitway::synth::report::{ErrorStats, PathPlot, path_plot, working_roots};

/// Seconds over which speed is measured: about a step, so that it does not show every push of a foot.
const SPEED_S: f64 = 0.6;

/// What the plot shows.
pub fn picture<'a>(
    graph: &MotionGraph,
    request: &PathRequest,
    motions: &'a [PathMotion],
) -> PathPicture<'a> {
    of_paths(graph, request, &request.paths, motions)
}

/// The same of one motion, with its own path only.
pub fn alone<'a>(
    graph: &MotionGraph,
    request: &PathRequest,
    motion: &'a PathMotion,
) -> PathPicture<'a> {
    let path = std::slice::from_ref(path_of(request, motion));
    of_paths(graph, request, path, std::slice::from_ref(motion))
}

/// The path that a motion follows.
pub fn path_of<'a>(request: &'a PathRequest, motion: &PathMotion) -> &'a Path {
    &request.paths[motion.walk.path]
}

fn of_paths<'a>(
    graph: &MotionGraph,
    request: &PathRequest,
    paths: &[Path],
    motions: &'a [PathMotion],
) -> PathPicture<'a> {
    let moment = moment(motions);
    let people = motions.iter().enumerate().filter_map(|(k, m)| {
        // Who has no walk is not there.
        m.has_walk().then_some(())?;
        let mut person = person(graph, request, m)?;
        if motions.len() > 1 {
            // Many rings on many ways would hide everything else.
            person.transitions.clear();
            let share = (k + 1) as f64 / (motions.len() + 1) as f64;
            person.frames = Some(frames_at(m, moment, share));
        }
        Some(person)
    });
    let obstacles = request.options.obstacles.iter();
    let even = |p: &Path| p.sampled(((p.length() / 0.02) as usize).clamp(2, 20_000));
    PathPicture {
        targets: paths.iter().map(even).collect(),
        people: people.collect(),
        obstacles: obstacles.map(Obstacle::outline).collect(),
        called: moment.is_none().then_some("motions"),
        ..PathPicture::default()
    }
}

/// The second of a crowd's clock that a picture shows: when most people are under way. `None` where there is no crowd.
pub fn moment(motions: &[PathMotion]) -> Option<f64> {
    let crowd = motions.iter().any(|m| m.walk.start_s.is_some());
    crowd.then(|| busiest(motions))
}

/// The second at which most people of a crowd are under way.
fn busiest(motions: &[PathMotion]) -> f64 {
    let span = |m: &PathMotion| {
        let from = m.walk.start_s.unwrap_or(0.0);
        (from, from + m.report.seconds)
    };
    let under_way = |s: f64| {
        motions
            .iter()
            .filter(|m| (span(m).0..=span(m).1).contains(&s))
            .count()
    };
    let middles = motions.iter().map(|m| (span(m).0 + span(m).1) / 2.0);
    middles
        .fold((0.0, 0), |best, s| {
            let count = under_way(s);
            if count > best.1 { (s, count) } else { best }
        })
        .0
}

/// The frame of a person at a second of the crowd's clock, or at a share of an alternative, so that they stand apart.
fn frames_at(planned: &PathMotion, moment: Option<f64>, share: f64) -> Vec<usize> {
    let Some(motion) = &planned.motion else {
        return Vec::new();
    };
    let clip = &motion.clip;
    let at = match (moment, planned.walk.start_s) {
        (Some(s), Some(start)) => (s - start) * clip.rate_hz(),
        _ => clip.frame_count() as f64 * share,
    };
    let inside = (0.0..clip.frame_count() as f64).contains(&at);
    inside.then_some(at as usize).into_iter().collect()
}

fn person<'a>(
    graph: &MotionGraph,
    request: &PathRequest,
    planned: &'a PathMotion,
) -> Option<OnPath<'a>> {
    let (walk, motion) = (planned.graph_walk()?, planned.motion.as_ref()?);
    let plot = path_plot(graph, path_of(request, planned), walk, motion);
    Some(OnPath {
        styles: style_runs(&plot, &request.options),
        way: plot.result,
        transitions: plot.transitions,
        interpolated: plot.interpolated,
        clip: Some(&motion.clip),
        frames: None,
    })
}

/// The runs of those labels that were asked for.
fn style_runs(plot: &PathPlot, options: &PathOptions) -> Vec<(usize, usize, String)> {
    let asked = |name: &String| options.styles.iter().any(|s| s.label == *name);
    let runs = plot
        .labels
        .iter()
        .flat_map(|(a, b, names)| names.iter().map(move |n| (*a, *b, n.clone())));
    let mut runs: Vec<_> = runs.filter(|r| asked(&r.2)).collect();
    runs.sort_by_key(|r| r.0);
    runs
}

/// Error, speed and transitions of one motion along its path.
pub fn trace(
    graph: &MotionGraph,
    request: &PathRequest,
    planned: &PathMotion,
) -> Option<PathTrace> {
    let (walk, motion) = (planned.graph_walk()?, planned.motion.as_ref()?);
    let (clip, path) = (&motion.clip, path_of(request, planned));
    let places = working_roots(graph, walk, motion);
    let mut gone = Vec::with_capacity(places.len());
    let mut sum = 0.0;
    for (k, p) in places.iter().enumerate() {
        sum += p.distance(places[k.saturating_sub(1)]);
        gone.push(sum);
    }
    let error_cm = places
        .iter()
        .zip(&gone)
        .map(|(p, &m)| (m, 100.0 * path.distance(*p)));
    let way = smooth_ground_path(clip, SPEED_S);
    let rate = clip.rate_hz();
    let every = (clip.frame_count() / 800).max(1);
    let speed = (1..way.len().saturating_sub(1)).step_by(every);
    let plot = path_plot(graph, path, walk, motion);
    let mut styles: Vec<(f64, f64, String)> = Vec::new();
    // A label that a blend brings along for a few frames is no change of style.
    let least = (0.4 * graph.working_rate_hz()) as usize;
    for (start, end, name) in style_runs(&plot, &request.options) {
        if end - start < least {
            continue;
        }
        if styles.last().is_none_or(|s| s.2 != name) {
            let metres = gone.get(start).copied().unwrap_or(0.0);
            styles.push((metres, start as f64 / graph.working_rate_hz(), name));
        }
    }
    Some(PathTrace {
        error_cm: error_cm.collect(),
        speed_m_s: speed
            .map(|f| {
                (
                    f as f64 / rate,
                    way[f + 1].distance(way[f - 1]) * rate / 2.0,
                )
            })
            .collect(),
        transitions_cm: motion
            .transitions
            .iter()
            .map(|t| (t.t, t.distance_cm))
            .collect(),
        styles,
    })
}

/// The error over those places that no obstacle is near: a detour is no fault. `None` where nothing stands about.
pub fn free_error_m(
    graph: &MotionGraph,
    request: &PathRequest,
    planned: &PathMotion,
) -> Option<f64> {
    /// Metres over which a detour is eased in and out.
    const EASED_M: f64 = 2.5;
    let (options, path) = (&request.options, path_of(request, planned));
    if options.obstacles.is_empty() {
        return None;
    }
    let (walk, motion) = (planned.graph_walk()?, planned.motion.as_ref()?);
    let clear = options.body_radius_m + options.margin_m + EASED_M;
    let errors: Vec<f64> = working_roots(graph, walk, motion)
        .into_iter()
        .filter(|p| options.obstacles.iter().all(|o| o.distance(*p) > clear))
        .map(|p| path.distance(p))
        .collect();
    (!errors.is_empty()).then(|| ErrorStats::of(&errors).rms)
}
