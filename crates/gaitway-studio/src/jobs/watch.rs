//! What a search says while it runs, passed on to the pages.

use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use gaitway_synth::search::{BestSoFar, SearchProgress};
use gaitway_synth::{AssembleOptions, assemble};

use super::job::{Best, Job};
use super::made::marks;
use super::results::way_of;
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
    state: &'a GraphState,
    told: std::sync::Mutex<Option<Instant>>,
}

impl<'a> Watch<'a> {
    /// For a job on a graph.
    pub fn new(studio: &'a Studio, job: &'a Job, state: &'a GraphState) -> Self {
        Self {
            studio,
            job,
            state,
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

    /// Shows the best so far. One that cannot be shown is passed over: there will be another.
    pub fn best(&self, best: BestSoFar) {
        let graph = &self.state.graph;
        let Ok(Some(walk)) = best.walk(graph) else {
            return;
        };
        let options = AssembleOptions {
            world_from_start: best.world_from_start,
            ..AssembleOptions::default()
        };
        let Ok(motion) = assemble(graph, &walk, &options) else {
            return;
        };
        let way = way_of(&motion.clip);
        let extra = Extra {
            transitions: marks(graph, &motion),
            way: Some(way.clone()),
            ..Extra::default()
        };
        let count = motion.clip.frame_count().min(MOST_SHOWN);
        let gwmo = gwmo::encode(&motion.clip, 0..count, extra);
        let mut held = self.job.best.lock().unwrap_or_else(PoisonError::into_inner);
        *held = Some(Arc::new(Best { gwmo }));
        drop(held);
        self.studio.events.tell(Event::Best {
            job: self.job.view().id,
            part: best.part,
            cost: best.cost,
            way,
        });
    }
}
