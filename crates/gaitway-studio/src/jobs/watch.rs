//! What a search says while it runs, passed on to the pages.

use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use gaitway_synth::path::EdgePaths;
use gaitway_synth::search::{BestSoFar, SearchProgress};
use gaitway_synth::{AssembleOptions, assemble};

use super::job::{Best, Job};
use super::members::marks;
use super::results::{every_step, ground_path_of};
use crate::error::ApiResult;
use crate::state::{Event, GraphState, Studio};
use crate::wire::gwmo::{self, Extra};

/// The least time between two words about progress.
const TELL_EVERY: Duration = Duration::from_millis(100);
/// The most frames of a best so far that are shown.
const MOST_SHOWN: usize = 16384;

/// Passes on how a search goes.
pub struct Watch<'a> {
    studio: &'a Studio,
    job: &'a Job,
    state: &'a Arc<GraphState>,
    edges: &'a EdgePaths,
    told: std::sync::Mutex<Option<Instant>>,
}

impl<'a> Watch<'a> {
    /// For a job on a graph.
    pub fn new(
        studio: &'a Studio,
        job: &'a Job,
        state: &'a Arc<GraphState>,
        edges: &'a EdgePaths,
    ) -> Self {
        Self {
            studio,
            job,
            state,
            edges,
            told: std::sync::Mutex::new(None),
        }
    }

    /// Says something.
    pub fn say(&self, part: f64, message: &str) {
        self.job.set(|v| {
            v.part = part;
            v.message = message.to_owned();
        });
        self.studio.tell_job(self.job);
    }

    /// Passes on how far a search is, not too often.
    pub fn progress(&self, p: SearchProgress) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.is_some_and(|t| t.elapsed() < TELL_EVERY) {
            return;
        }
        *told = Some(Instant::now());
        drop(told);
        let best = p
            .best
            .map_or(String::new(), |c| format!(", best so far {c:.2} m²"));
        self.say(0.9 * p.part, &format!("searching{best}"));
    }

    /// Shows the best so far: where it goes at once, its frames to whoever asks for them.
    pub fn best(&self, best: BestSoFar) {
        let ground_path =
            self.edges
                .ground_path(best.world_from_start, &best.edges, best.last_frames);
        if ground_path.is_empty() {
            return;
        }
        let told = Event::Best {
            job: self.job.view().id,
            part: best.part,
            cost: best.cost,
            way: every_step(ground_path.into_iter()),
        };
        // Kept before it is told: who hears of it asks at once.
        *self.job.best.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(Best {
            state: self.state.clone(),
            walk: best,
        }));
        self.studio.events.tell(told);
    }
}

impl Best {
    /// Its frames for the page; nothing before its first edge.
    ///
    /// # Errors
    /// When the graph's frames are damaged.
    pub fn gwmo(&self) -> ApiResult<Option<Vec<u8>>> {
        let graph = &self.state.graph;
        let Some(walk) = self.walk.walk(graph)? else {
            return Ok(None);
        };
        let options = AssembleOptions {
            world_from_start: self.walk.world_from_start,
            ..AssembleOptions::default()
        };
        let motion = assemble(graph, &walk, &options)?;
        let extra = Extra {
            transitions: marks(graph, &motion),
            way: Some(ground_path_of(&motion.clip)),
            ..Extra::default()
        };
        let count = motion.clip.frame_count().min(MOST_SHOWN);
        Ok(Some(gwmo::encode(&motion.clip, 0..count, extra)))
    }
}
