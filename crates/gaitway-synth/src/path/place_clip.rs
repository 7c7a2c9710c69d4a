//! To end in a clip, or in any clip of a label, at a place and heading.                [Kovar04] section 4.2.2
//!
//!   cost = Σ_frames ‖P_w(s) − P(s)‖² + c₁ (θ′ − θ)² + c₂ ((x′₀ − x₀)² + (z′₀ − z₀)²)
//!
//! The paper asks for the second part alone and gets a character that dithers: nothing says what to do on the way. Here a
//! curve from start to target says it (a cubic that leaves and arrives in the right headings), and any clip of a label
//! will do where the user does not mind which.

use gaitway_core::Planar;
use gaitway_core::ground::facing;
use gaitway_core::planar::wrap_angle;
use gaitway_graph::{ClipId, EdgeId, MotionGraph, NodeId};
use glam::DVec2;

use super::Path;
use super::edge_paths::{EdgePaths, Turn, apply};
use super::follow::{SEARCHES, default_budget};
use super::objective::{PathProblem, PathState};
use super::options::{PathOptions, Start};
use super::reach::metres_to;
use crate::search::{
    Ask, BeamOptions, Budget, Control, DeadEnd, DeadEnds, Estimate, Explain, GraphProblem, Guide,
    Key, Layers, SearchEnd, Step, beam_search, watched,
};
use crate::walk::find_label;
use crate::{SynthError, Walk};

/// What the search may spend at least: a near place needs as many tries as a far one to be met.
const LEAST: u64 = 2_000_000;

/// Which clip is wanted.
#[derive(Clone, Debug, PartialEq)]
pub enum Wanted {
    /// This one, by name or a unique suffix.
    Clip(String),
    /// Any with this label in its frames.
    Label(String),
}

/// A clip to end in, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaceWish {
    /// Which.
    pub wanted: Wanted,
    /// Where the root is in the clip's first frame (of the label's first frame), x and z in metres.
    pub at: DVec2,
    /// Where the body faces then, radians.
    pub heading: f64,
    /// Where the character starts and faces; the origin, facing the target, where not given.
    pub start: Option<(DVec2, f64)>,
    /// c₁: per radian squared; default 6.
    pub per_rad2: f64,
    /// c₂: per metre squared; default 20.
    pub per_m2: f64,
    /// How many different walks to return at most; default 3.
    pub alternatives: usize,
    /// Same seed, same walks.
    pub seed: u64,
}

impl PlaceWish {
    /// A clip at a place and heading, the rest by default.
    pub fn new(wanted: Wanted, at: DVec2, heading: f64) -> Self {
        Self {
            wanted,
            at,
            heading,
            start: None,
            per_rad2: 6.0,
            per_m2: 20.0,
            alternatives: 3,
            seed: 0,
        }
    }
}

/// A walk that ends in the clip wanted.
#[derive(Clone, Debug)]
pub struct PlacedClip {
    /// To the end of what the graph keeps of the clip.
    pub walk: Walk,
    /// What carries its first clip into the world.
    pub world_from_start: Planar,
    /// The clip it ends in.
    pub clip: ClipId,
    /// How far from the wanted place the clip came to lie, metres.
    pub place_error_m: f64,
    /// How far off the wanted heading, radians, without sign.
    pub heading_error_rad: f64,
    /// Cost of the search.
    pub cost: f64,
    /// Edges tried.
    pub expansions: u64,
    /// What ended the search.
    pub search: SearchEnd,
}

/// A clip that would do: where its root is at the moment that is to be placed, and its latest entry.
#[derive(Clone, Copy, Debug)]
struct Anchor {
    at: [f64; 2],
    facing: f64,
    /// Entering after this boundary is too late.
    latest: u32,
}

struct PlaceProblem<'g> {
    path: PathProblem<'g>,
    graph: &'g MotionGraph,
    anchors: Vec<Option<Anchor>>,
    wish: PlaceWish,
    to_clip: Vec<f64>,
}

#[derive(Clone, Copy)]
struct PlaceState {
    along: PathState,
    done: bool,
}

impl PlaceProblem<'_> {
    /// What a clip under way would be off by: metres, radians.
    fn error(&self, anchor: &Anchor, world: &Turn) -> (f64, f64) {
        let p = apply(world, anchor.at);
        let theta = world[1].atan2(world[0]);
        let off = DVec2::from_array(p).distance(self.wish.at);
        (
            off,
            wrap_angle(anchor.facing + theta - self.wish.heading).abs(),
        )
    }

    /// The anchor of the clip an edge enters in time.
    fn entered(&self, edge: EdgeId) -> Option<&Anchor> {
        let to = self.graph.node(self.graph.to(edge));
        let anchor = self.anchors[to.clip.index()].as_ref()?;
        let enters = self.graph.is_transition(edge) && to.boundary <= anchor.latest;
        enters.then_some(anchor)
    }
}

impl GraphProblem for PlaceProblem<'_> {
    type State = PlaceState;

    fn graph(&self) -> &MotionGraph {
        self.graph
    }

    fn node(&self, s: &PlaceState) -> NodeId {
        s.along.node
    }

    fn start_states(&self) -> Vec<PlaceState> {
        let starts = self.path.start_states().into_iter();
        starts
            .map(|along| PlaceState { along, done: false })
            .collect()
    }

    fn step(&self, from: &PlaceState, edge: EdgeId, ask: Ask) -> Result<Step<PlaceState>, DeadEnd> {
        let step = self.path.step(&from.along, edge, ask)?;
        let mut cost = step.cost;
        let mut state = PlaceState {
            along: step.state,
            done: false,
        };
        if let Some(anchor) = self.entered(edge) {
            let (metres, radians) = self.error(anchor, &step.state.world);
            // Far off it only passes through.
            if metres < 2.0 && radians < 1.0 {
                cost += self.wish.per_m2 * metres * metres + self.wish.per_rad2 * radians * radians;
                state.done = true;
            }
        }
        if !state.done && state.along.arc() > self.path.path().length() + 3.0 {
            return Err(DeadEnd::Other);
        }
        Ok(Step {
            state,
            cost,
            frames: step.frames,
        })
    }

    fn is_goal(&self, s: &PlaceState) -> bool {
        s.done
    }

    fn placement(&self, start: &PlaceState) -> Planar {
        start.along.world_from_clip()
    }
}

impl Layers for PlaceProblem<'_> {
    fn progress(&self, s: &PlaceState) -> f64 {
        s.along.arc()
    }

    fn progress_at_goal(&self) -> f64 {
        self.path.path().length()
    }
}

impl Key for PlaceProblem<'_> {
    fn key(&self, s: &PlaceState) -> u64 {
        self.path.key(&s.along)
    }
}

impl Estimate for PlaceProblem<'_> {}

impl Guide for PlaceProblem<'_> {
    fn guide(&self, s: &PlaceState) -> f64 {
        let late = s.along.arc() + self.to_clip[s.along.node.index()] - self.path.path().length();
        let late = late.clamp(0.0, 10.0);
        self.path.guide(&s.along) + 8.0 * late * late
    }
}

impl Explain for PlaceProblem<'_> {
    fn explain(&self, _: &DeadEnds<PlaceState>) -> String {
        "the clip could not be entered near the place wanted".to_owned()
    }
}

/// Walks that end in a clip at a place and heading, the best first; none where the clip cannot be reached there.
///
/// # Errors
/// When the clip or label is not in the graph, a number is not finite, or an option cannot be.
pub fn place_clip(
    graph: &MotionGraph,
    edges: &EdgePaths,
    wish: &PlaceWish,
    options: &PathOptions,
    budget: Option<Budget>,
    control: Control<'_>,
) -> Result<Vec<PlacedClip>, SynthError> {
    let anchors = anchors(graph, &wish.wanted)?;
    let (from, heading) = wish.start.unwrap_or_else(|| {
        (
            DVec2::ZERO,
            gaitway_core::planar::heading_of(wish.at.x, wish.at.y),
        )
    });
    let path = way(from, heading, wish.at, wish.heading)?;
    let start = Start::At {
        x: from.x,
        z: from.y,
        heading,
    };
    let asked = PathOptions {
        start,
        styles: Vec::new(),
        ..options.clone()
    };
    let along = PathProblem::new(graph, edges, &path, &asked)?.without_end();
    let mut problem = PlaceProblem {
        path: along,
        graph,
        anchors,
        wish: wish.clone(),
        to_clip: Vec::new(),
    };
    let may = |e: EdgeId| !problem.path.is_forbidden(e);
    problem.to_clip = metres_to(
        graph,
        edges,
        |e| may(e) && problem.entered(e).is_some(),
        may,
    );
    let usual = default_budget(&path).expansions / SEARCHES as u64;
    let mut out: Vec<PlacedClip> = Vec::new();
    for k in 0..wish.alternatives.clamp(1, 100) as u64 {
        let seed = if k == 0 {
            wish.seed
        } else {
            wish.seed.wrapping_add(k * 7919)
        };
        let beam = BeamOptions {
            seed,
            ..BeamOptions::default()
        };
        // The first is the one that is wanted. Alternatives shall differ, and with much to spend all find the same.
        let most = if k == 0 { usual.max(LEAST) } else { usual };
        let budget = budget.unwrap_or_else(|| Budget::expansions(most));
        let found = watched(&problem, control, |c| {
            beam_search(&problem, &beam, &budget, c)
        });
        let (Some(start), Some(end), true) = (found.start, found.end, found.complete) else {
            continue;
        };
        let clip = graph.node(end.along.node).clip;
        let Some(anchor) = &problem.anchors[clip.index()] else {
            continue;
        };
        let (place_error_m, heading_error_rad) = problem.error(anchor, &end.along.world);
        let mut all = found.actions.clone();
        play_on(graph, &mut all, end.along.node);
        let walk = Walk::new(graph, start.along.node, all)?;
        if out.iter().any(|o| o.walk == walk) {
            continue;
        }
        out.push(PlacedClip {
            walk,
            world_from_start: start.along.world_from_clip(),
            clip,
            place_error_m,
            heading_error_rad,
            cost: found.cost,
            expansions: found.expansions,
            search: found.search,
        });
    }
    out.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    Ok(out)
}

/// The rest of a clip, as far as the graph keeps it.
fn play_on(graph: &MotionGraph, edges: &mut Vec<EdgeId>, mut node: NodeId) {
    while let Some(piece) = graph.out_edges(node).find(|&e| !graph.is_transition(e)) {
        edges.push(piece);
        node = graph.to(piece);
    }
}

fn anchors(graph: &MotionGraph, wanted: &Wanted) -> Result<Vec<Option<Anchor>>, SynthError> {
    let anchor = |clip: ClipId, boundary: u32| -> Result<Anchor, SynthError> {
        let played = graph.clip(clip)?;
        let info = graph.clip_info(clip);
        let f = info.source_frame(boundary);
        let p = played.root()[f];
        let ahead = (info.working_frames() - boundary) / 3;
        Ok(Anchor {
            at: [p.x, p.z],
            facing: facing(&played)[f],
            latest: boundary + ahead,
        })
    };
    let mut out = vec![None; graph.clip_count()];
    match wanted {
        Wanted::Clip(name) => {
            let clip = graph
                .find_clip(name)
                .ok_or_else(|| SynthError::UnknownClip { clip: name.clone() })?;
            out[clip.index()] = Some(anchor(clip, 0)?);
        }
        Wanted::Label(name) => {
            let label = find_label(graph, name)?;
            for clip in graph.clip_ids() {
                let runs = graph.clip_info(clip).label_runs();
                let mut begin = 0;
                for run in runs {
                    if run.labels.contains(label) {
                        out[clip.index()] = Some(anchor(clip, begin)?);
                        break;
                    }
                    begin = run.end;
                }
            }
        }
    }
    Ok(out)
}

/// A cubic from one place and heading to another.
fn way(from: DVec2, leave: f64, to: DVec2, arrive: f64) -> Result<Path, SynthError> {
    let reach = from.distance(to).max(0.5);
    let direction = |h: f64| DVec2::new(h.sin(), h.cos()) * reach;
    let (a, b) = (direction(leave), direction(arrive));
    let at = |t: f64| {
        let (t2, t3) = (t * t, t * t * t);
        from * (2.0 * t3 - 3.0 * t2 + 1.0)
            + a * (t3 - 2.0 * t2 + t)
            + to * (3.0 * t2 - 2.0 * t3)
            + b * (t3 - t2)
    };
    Ok(Path::new(
        (0..=100).map(|k| at(f64::from(k) / 100.0)).collect(),
        false,
    )?)
}
