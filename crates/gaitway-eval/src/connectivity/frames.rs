//! The frames of a graph and how one gets from each to others.
//!
//! A node is a moment: about to play a frame of a clip. Going on as recorded takes one frame; what a join takes is its [`Form`].

use super::arcs::{Arc, Arcs, NEVER};
use super::bend::STRETCH_S;
use super::bound::Bound;
use super::form::{DECAY_S, Form, FrameOptions};
use super::joins::{EachJoin, Join, joins_below};
use super::search::Search;
use gaitway_graph::{ClipId, GraphError, LabelSet, MotionGraph, Recipe, Thresholds};

/// The frames of one clip.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipFrames {
    /// The clip's name.
    pub name: String,
    /// Its first frame among all.
    pub first: u32,
    /// How many it has, at the working rate.
    pub count: u32,
    /// Captured, or seen in a mirror; not interpolated.
    pub original: bool,
}

/// The moments of a graph under one threshold and the ways between them.
#[derive(Clone, Debug)]
pub struct FrameGraph {
    /// What a join costs.
    pub form: Form,
    /// The threshold in centimetres; `None`: the graph's own.
    pub threshold_cm: Option<f64>,
    /// Frames a second.
    pub rate_hz: f64,
    /// By clip.
    pub clips: Vec<ClipFrames>,
    /// Labels of every frame.
    pub labels: Vec<LabelSet>,
    /// The frame that a node is about to play; [`NEVER`] at the end of a clip.
    pub shows: Vec<u32>,
    /// The first so many nodes are moments at which nothing fades.
    pub free: u32,
    /// From moment to moment.
    pub arcs: Arcs,
    /// Joins among the arcs.
    pub joins: usize,
    /// What a way may jump in a stretch of time.
    pub bound: Option<Bound>,
}

impl FrameGraph {
    /// The graph in a form, at a threshold.
    ///
    /// # Errors
    /// When the threshold lies above the graph's ceiling, or frames are needed and damaged.
    pub fn new(graph: &MotionGraph, options: &FrameOptions) -> Result<Self, GraphError> {
        let cm = options
            .threshold_cm
            .unwrap_or_else(|| graph.thresholds().default_cm);
        // Says so where a threshold lies above the ceiling, for all forms alike.
        Thresholds::cm(cm).matrix(graph.labels(), graph.options().metric.ceiling_cm)?;
        let mut out = Self::bare(graph, options.form, options.threshold_cm);
        let each = |give: &mut dyn FnMut(Join)| {
            joins_below(graph, cm, options.ends, &mut |j| {
                // Nothing is shown of a clip that is entered at its end.
                if j.to.1 < graph.clip_info(j.to.0).working_frames() {
                    give(j);
                }
            });
        };
        match options.form {
            Form::Cut => out.cuts(&each),
            Form::Decay => out.decaying(&each),
            Form::Bounded => {
                out.decaying(&each);
                out.bound = Some(Bound {
                    frames: out.stretch(),
                    cm: options.bound_times * cm,
                });
            }
            Form::Blend => match options.threshold_cm {
                Some(cm) => {
                    let at = graph.rethreshold_quick(&Thresholds::cm(cm), graph.options())?;
                    out.blends(&at);
                }
                None => out.blends(graph),
            },
        }
        Ok(out)
    }

    /// Frames over which what ways jump is summed.
    pub(super) fn stretch(&self) -> u32 {
        (STRETCH_S * self.rate_hz).round().max(1.0) as u32
    }

    /// Quickest ways of this form along its arcs, or along the same the other way round.
    pub(super) fn search<'a>(&self, arcs: &'a Arcs) -> Search<'a> {
        Search::new(arcs, self.bound)
    }

    /// Clips and moments without any way.
    fn bare(graph: &MotionGraph, form: Form, threshold_cm: Option<f64>) -> Self {
        let (mut clips, mut labels, mut shows) = (Vec::new(), Vec::new(), Vec::new());
        for id in graph.clip_ids() {
            let info = graph.clip_info(id);
            let (first, count) = (labels.len() as u32, info.working_frames());
            clips.push(ClipFrames {
                name: info.name().to_owned(),
                first,
                count,
                original: !matches!(info.recipe(), Some(Recipe::Interpolation { .. })),
            });
            labels.extend((0..count).map(|f| info.labels_at(f)));
            shows.extend(first..first + count);
            shows.push(NEVER);
        }
        Self {
            form,
            threshold_cm,
            rate_hz: graph.working_rate_hz(),
            free: shows.len() as u32,
            clips,
            labels,
            shows,
            arcs: Arcs::default(),
            joins: 0,
            bound: None,
        }
    }

    /// The node before a frame of a clip, or after its last.
    pub fn node(&self, clip: ClipId, boundary: u32) -> u32 {
        // Every clip before has a node more than frames.
        self.clips[clip.index()].first + clip.0 + boundary
    }

    /// The node at which nothing fades before a frame.
    pub fn node_of(&self, frame: u32) -> u32 {
        let clip = self.clips.partition_point(|c| c.first <= frame) as u32 - 1;
        frame + clip
    }

    /// Whether an arc is a join, not a clip that goes on.
    pub fn is_join(&self, arc: usize) -> bool {
        let [from, to] = self.arcs.ends[arc];
        // No clip is joined to its own next frame: frames within a window of each other are no candidates.
        from < self.free && to != from + 1
    }

    /// How many frames there are.
    pub fn frame_count(&self) -> usize {
        self.labels.len()
    }

    /// How many frames are captured: they come first.
    pub fn captured_count(&self) -> usize {
        let captured = self.clips.iter().take_while(|c| c.original);
        captured.map(|c| c.count as usize).sum()
    }

    /// Whether each frame is captured.
    pub fn original(&self) -> Vec<bool> {
        let of = |c: &ClipFrames| std::iter::repeat_n(c.original, c.count as usize);
        self.clips.iter().flat_map(of).collect()
    }

    /// As recorded, from moment to moment.
    fn recorded(&self, give: &mut dyn FnMut(Arc)) {
        for (k, clip) in self.clips.iter().enumerate() {
            let first = self.node(ClipId(k as u32), 0);
            (first..first + clip.count).for_each(|n| give((n, n + 1, 1, 0.0)));
        }
    }

    /// A join takes the frame at which it leaves; `each` hands over the joins, the same whenever it is asked.
    pub(super) fn cuts(&mut self, each: &EachJoin<'_>) {
        let mut joins = 0;
        each(&mut |_| joins += 1);
        self.joins = joins;
        let arcs = Arcs::collect(self.shows.len(), |give| {
            self.recorded(give);
            each(&mut |j| {
                let [from, to] = [j.from, j.to].map(|at| self.node(at.0, at.1));
                give((from, to, 1, j.cm));
            });
        });
        self.arcs = arcs;
    }

    /// Every place that is entered gets a chain of moments of its own, from which nothing is left but the last into the open.
    pub(super) fn decaying(&mut self, each: &EachJoin<'_>) {
        let fades = (DECAY_S * self.rate_hz).round().max(1.0) as u32;
        let mut chains = std::collections::BTreeMap::new();
        let mut joins = 0;
        each(&mut |j| {
            joins += 1;
            chains.entry(self.node(j.to.0, j.to.1)).or_insert(0);
        });
        self.joins = joins;
        for (&entered, first) in &mut chains {
            *first = self.shows.len() as u32;
            // A clip that ends while the jump fades leads nowhere.
            let shown = (entered..entered + fades).map(|n| self.shows[n as usize]);
            let shown: Vec<u32> = shown.take_while(|&f| f != NEVER).collect();
            self.shows.extend(shown);
        }
        let arcs = Arcs::collect(self.shows.len(), |give| {
            self.recorded(give);
            let mut after = chains.values().skip(1).copied();
            for (&entered, &first) in &chains {
                let next = after.next().unwrap_or(self.shows.len() as u32);
                (first + 1..next).for_each(|n| give((n - 1, n, 1, 0.0)));
                if first + fades == next {
                    give((next - 1, entered + fades, 1, 0.0));
                }
            }
            each(&mut |j| {
                let entered = self.node(j.to.0, j.to.1);
                give((self.node(j.from.0, j.from.1), chains[&entered], 1, j.cm));
            });
        });
        self.arcs = arcs;
    }

    fn blends(&mut self, graph: &MotionGraph) {
        self.joins = graph.transition_count();
        let arcs = Arcs::collect(self.shows.len(), |give| {
            for edge in graph.edges() {
                let [from, to] = [graph.from(edge), graph.to(edge)].map(|n| graph.node(n));
                match graph.transition(edge) {
                    Some(t) => give((
                        self.node(from.clip, from.boundary),
                        self.node(to.clip, to.boundary),
                        t.frames.max(1),
                        t.distance_cm() as f32,
                    )),
                    None => (from.boundary..to.boundary).for_each(|b| {
                        let node = self.node(from.clip, b);
                        give((node, node + 1, 1, 0.0));
                    }),
                }
            }
        });
        self.arcs = arcs;
    }
}
