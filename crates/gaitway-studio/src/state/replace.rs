//! Another graph in place of the one in use.

use std::sync::Arc;

use gaitway_graph::{Account, MotionGraph};

use super::graph::{GraphState, GraphSummary};
use super::{Inner, ProjectPart, Studio};
use crate::error::{ApiError, ApiResult, Code};

impl Studio {
    /// Saves a graph that was made from the one in use, and puts it in its place; `also` changes what goes with it. Tells it in numbers,
    /// with the project's revision.
    ///
    /// # Errors
    /// When another one took its place in the meantime, or the folder cannot be written.
    pub fn replace_graph(
        &self,
        made_from: &GraphState,
        graph: MotionGraph,
        account: Account,
        also: impl FnOnce(&mut Inner),
    ) -> ApiResult<(GraphSummary, u64)> {
        graph.save(&self.folder.graph())?;
        self.change(&[ProjectPart::Graph], |inner| {
            let same = inner
                .graph
                .as_ref()
                .is_some_and(|g| g.revision == made_from.revision);
            if !same {
                // The file holds what was just made; put the one that won back.
                if let Some(now) = &inner.graph {
                    now.graph.save(&self.folder.graph())?;
                }
                return Err(ApiError::new(
                    Code::Conflict,
                    "the graph was built or cut anew in the meantime",
                )
                .hint("look at it again, then ask again"));
            }
            let revision = inner.project.revision + 1;
            let next = Arc::new(GraphState::new(graph, account, revision));
            let summary = next.summary();
            next.warm_up();
            inner.graph = Some(next);
            also(inner);
            Ok((summary, revision))
        })
    }
}
