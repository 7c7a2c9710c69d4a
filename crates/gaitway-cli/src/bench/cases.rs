//! What is measured, and on what.

use std::hint::black_box;
use std::time::Instant;

use gaitway::core::contacts::{ContactOptions, detect};
use gaitway::core::performer::{self, Move, Performer, Script};
use gaitway::core::{Clip, ClipSet};
use gaitway::graph::{BuildOptions, GraphBuilder, MotionGraph, Transitions};
use gaitway::metric::{
    MarkerSet, MetricOptions, PointCloud, Skipping, WeightPreset, candidates_between, peak,
};
use gaitway::synth::cleanup::{PlantOptions, plant_feet};
use gaitway::synth::path::{
    EdgePaths, Followed, Path, PathOptions, Search, default_budget, follow_path, named_curve,
    parse_styles,
};
use gaitway::synth::report::path_report;
use gaitway::synth::search::BnbOptions;
use gaitway::synth::{AssembleOptions, Motion, assemble};
use serde_json::{Value, json};

use super::super::CliError;
use super::super::make::synth_error;

/// The suite, in the order of the line of data.
pub const NAMES: [&str; 8] = [
    "contacts",
    "candidates",
    "graph",
    "graph-ends",
    "path-beam",
    "path-bnb",
    "assemble",
    "clean",
];
/// Working rate of the distance, as `build` has it.
const WORKING_HZ: f64 = 30.0;
/// Steps of the walk that the kernel compares with itself: a bit over 200 s.
const STEPS: usize = 420;

/// What everything is measured on: the performer's library at 60 Hz, its graph of blends, and a path through it.
pub struct Material {
    clips: ClipSet,
    graph: MotionGraph,
    path: Path,
    options: PathOptions,
}

/// One measurement.
pub struct Row {
    name: &'static str,
    seconds: f64,
    threads: usize,
    /// Nothing where what was made is not what was asked for: how fast it was made says nothing then.
    ratio: Option<f64>,
    of: &'static str,
    on: String,
    /// Fields beside those that all rows have.
    more: Value,
}

impl Row {
    /// For people.
    pub fn cells(&self) -> Vec<String> {
        let ratio = match self.ratio {
            None => "–".to_owned(),
            Some(r) if r < 10.0 => format!("{r:.2}"),
            Some(r) => format!("{r:.0}"),
        };
        vec![
            self.name.to_owned(),
            format!("{:.4}", self.seconds),
            self.threads.to_string(),
            ratio,
            self.of.to_owned(),
            self.on.clone(),
        ]
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let mut row = json!({
            "name": self.name,
            "seconds": self.seconds,
            "threads": self.threads,
            "ratio": self.ratio,
            "of": self.of,
            "on": self.on,
        });
        if let (Value::Object(row), Value::Object(more)) = (&mut row, &self.more) {
            row.extend(more.clone());
        }
        row
    }
}

fn built(clips: &ClipSet, transitions: Transitions) -> Result<MotionGraph, CliError> {
    let options = BuildOptions {
        transitions,
        ..BuildOptions::default()
    };
    let builder = GraphBuilder::new(clips.clone()).options(options);
    Ok(builder.build(&mut ()).map_err(wrong)?.0)
}

fn wrong(e: impl std::fmt::Display) -> CliError {
    CliError::new(e.to_string())
}

impl Material {
    /// Performs and builds.
    pub fn new() -> Result<Self, CliError> {
        let takes = performer::library(1, 60.0).map_err(wrong)?;
        let clips = ClipSet::new(takes.into_iter().map(|t| t.clip).collect()).map_err(wrong)?;
        let graph = built(&clips, Transitions::Blend)?;
        Ok(Self {
            clips,
            graph,
            path: named_curve("figure8", 1.0).map_err(wrong)?,
            options: PathOptions {
                styles: parse_styles("walk").map_err(wrong)?,
                ..PathOptions::default()
            },
        })
    }

    fn seconds(&self) -> f64 {
        self.clips.clips().iter().map(Clip::seconds).sum()
    }

    fn all(&self) -> String {
        format!(
            "{} clips, {:.0} s, 60 Hz",
            self.clips.clips().len(),
            self.seconds()
        )
    }

    fn follow(&self, edges: &EdgePaths, search: Search) -> Result<Followed, CliError> {
        let budget = default_budget(&self.path);
        let control = Default::default();
        follow_path(
            &self.graph,
            edges,
            &self.path,
            &self.options,
            search,
            &budget,
            control,
        )
        .map_err(synth_error)
    }

    fn edges(&self) -> Result<EdgePaths, CliError> {
        EdgePaths::new(
            &self.graph,
            &self.options.naturalness,
            self.options.smooth_arc,
        )
        .map_err(synth_error)
    }

    fn motion(&self, followed: &Followed) -> Result<Motion, CliError> {
        let walk = followed.walk.as_ref();
        let walk = walk.ok_or_else(|| wrong("no walk round the figure eight"))?;
        let options = AssembleOptions {
            world_from_start: followed.world_from_start,
            ..AssembleOptions::default()
        };
        assemble(&self.graph, walk, &options).map_err(synth_error)
    }
}

/// The median of several runs, in seconds, and what the last one made.
fn median<T>(
    runs: usize,
    mut work: impl FnMut() -> Result<T, CliError>,
) -> Result<(f64, T), CliError> {
    let mut times = Vec::with_capacity(runs);
    let mut once = || {
        let start = Instant::now();
        let made = black_box(work()?);
        times.push(start.elapsed().as_secs_f64());
        Ok::<T, CliError>(made)
    };
    let mut made = once()?;
    for _ in 1..runs {
        made = once()?;
    }
    times.sort_by(f64::total_cmp);
    Ok((times[times.len() / 2].max(1e-9), made))
}

/// Work on one thread, whatever the machine has.
fn alone<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, CliError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    Ok(pool.map_err(wrong)?.install(work))
}

/// Measures one of [`NAMES`].
pub fn measure(name: &'static str, material: &Material, runs: usize) -> Result<Row, CliError> {
    match name {
        "candidates" => candidates(runs),
        "graph" => graph(name, material, Transitions::Blend, runs),
        "graph-ends" => graph(name, material, Transitions::Auto, runs),
        "path-beam" => alone(|| path(name, material, Search::default(), runs))?,
        "path-bnb" => alone(|| path(name, material, Search::Bnb(BnbOptions::default()), runs))?,
        "assemble" => alone(|| assembling(material, runs))?,
        "clean" => alone(|| cleaning(material, runs))?,
        _ => alone(|| contacts(material, runs))?,
    }
}

const PLAYBACK: &str = "× faster than it plays";

/// The kernel on one long walk against itself, by the count of five multiply-adds a marker and pair.
fn candidates(runs: usize) -> Result<Row, CliError> {
    let script = Script::new("long walk", [Move::walk(STEPS, 1.3), Move::Stop]);
    let take = Performer::new(7)
        .perform(&script.at_rate(WORKING_HZ))
        .map_err(wrong)?;
    let markers = MarkerSet::preset(WeightPreset::Uniform);
    let cloud = PointCloud::from_clip(&take.clip, &markers, WORKING_HZ).map_err(wrong)?;
    let options = MetricOptions {
        // Every pair is to be compared, since it is the comparing that is measured.
        skipping: Skipping::Off,
        ..MetricOptions::default()
    };
    let threads = rayon::current_num_threads();
    let (seconds, found) = median(runs, || {
        candidates_between(&cloud, &cloud, &options).map_err(wrong)
    })?;
    let (best, _) = peak::cores(threads);
    let pairs = found.pairs as f64 / seconds;
    let ratio = pairs * 5.0 * cloud.marker_count() as f64 / best;
    Ok(Row {
        name: "candidates",
        seconds,
        threads,
        ratio: Some(ratio),
        of: "of the multiply-add peak",
        on: format!(
            "{} frames, {} markers, {:.0} million pairs/s",
            cloud.frame_count(),
            cloud.marker_count(),
            pairs / 1e6
        ),
        more: json!({ "pairs_per_s": pairs, "peak_multiply_adds_per_s": best }),
    })
}

/// Whole builds: with blends alone, or as `build` does by default, with cuts at the ends of clips.
fn graph(
    name: &'static str,
    material: &Material,
    transitions: Transitions,
    runs: usize,
) -> Result<Row, CliError> {
    let (seconds, graph) = median(runs, || built(&material.clips, transitions))?;
    Ok(Row {
        name,
        seconds,
        threads: rayon::current_num_threads(),
        ratio: Some(material.seconds() / seconds),
        of: PLAYBACK,
        on: material.all(),
        more: json!({ "transitions": graph.transition_count() }),
    })
}

fn path(
    name: &'static str,
    material: &Material,
    search: Search,
    runs: usize,
) -> Result<Row, CliError> {
    let edges = material.edges()?;
    let (seconds, followed) = median(runs, || material.follow(&edges, search))?;
    let motion = material.motion(&followed)?;
    let made = Some(&motion);
    let (graph, path, options) = (&material.graph, &material.path, &material.options);
    let report = path_report(graph, path, options, &followed, made);
    let rms = report.path_error_m.rms;
    Ok(Row {
        name,
        seconds,
        threads: 1,
        ratio: (report.status == "Solved").then(|| motion.clip.seconds() / seconds),
        of: PLAYBACK,
        on: format!(
            "figure8, {}, {:.1} s of motion, {:.1} cm RMS",
            report.status,
            motion.clip.seconds(),
            100.0 * rms
        ),
        more: json!({
            "status": report.status,
            "expansions": followed.found.expansions,
            "rms_m": rms,
            "complete": followed.found.complete,
        }),
    })
}

fn assembling(material: &Material, runs: usize) -> Result<Row, CliError> {
    let followed = material.follow(&material.edges()?, Search::default())?;
    let (seconds, motion) = median(runs, || material.motion(&followed))?;
    Ok(Row {
        name: "assemble",
        seconds,
        threads: 1,
        ratio: Some(motion.clip.seconds() / seconds),
        of: PLAYBACK,
        on: format!("figure8, {:.1} s of motion", motion.clip.seconds()),
        more: json!({}),
    })
}

fn cleaning(material: &Material, runs: usize) -> Result<Row, CliError> {
    let followed = material.follow(&material.edges()?, Search::default())?;
    let motion = material.motion(&followed)?;
    let (seconds, _) = median(runs, || {
        plant_feet(&motion.clip, None, &PlantOptions::default()).map_err(wrong)
    })?;
    Ok(Row {
        name: "clean",
        seconds,
        threads: 1,
        ratio: Some(motion.clip.seconds() / seconds),
        of: PLAYBACK,
        on: format!("figure8, {:.1} s of motion", motion.clip.seconds()),
        more: json!({}),
    })
}

fn contacts(material: &Material, runs: usize) -> Result<Row, CliError> {
    let options = ContactOptions::default();
    let (seconds, _) = median(runs, || {
        for clip in material.clips.clips() {
            black_box(detect(clip, &options).map_err(wrong)?);
        }
        Ok(())
    })?;
    Ok(Row {
        name: "contacts",
        seconds,
        threads: 1,
        ratio: Some(material.seconds() / seconds),
        of: PLAYBACK,
        on: material.all(),
        more: json!({}),
    })
}
