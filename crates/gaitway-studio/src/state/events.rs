//! What is told to every open page.

use serde::Serialize;
use tokio::sync::broadcast;
use utoipa::ToSchema;

use crate::jobs::JobView;

/// What of a project may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProjectPart {
    /// Which clips there are, or what the graph keeps of them.
    Clips,
    /// Labels of a clip.
    Labels,
    /// Contacts of a clip.
    Contacts,
    /// The graph.
    Graph,
    /// Made motions.
    Results,
    /// Characters, their roles, or which of them is shown.
    Characters,
}

/// One message to all pages.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = SocketEvent)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The first message, and the one after some were missed.
    Hello {
        /// Of the project.
        revision: u64,
        /// Of the program: a page that was told another one before is out of date.
        build: String,
        /// Key of the project.
        project: String,
    },
    /// The last message of a project that was left: another is open now.
    Left {
        /// What that one is called.
        name: String,
    },
    /// A job came, went on or ended.
    Job {
        /// As it is now.
        job: JobView,
    },
    /// A search has a better walk.
    Best {
        /// Whose.
        job: String,
        /// How far the search is, 0 to 1.
        part: f64,
        /// f(w).
        cost: f64,
        /// The walk on the ground, (x, z) in metres.
        #[schema(value_type = Vec<(f64, f64)>)]
        way: Vec<[f64; 2]>,
    },
    /// Something of the project changed.
    Project {
        /// After the change.
        revision: u64,
        /// What.
        what: Vec<ProjectPart>,
    },
}

/// Messages that a slow page may lag behind before it has to ask again.
const ROOM: usize = 1024;

/// Where events go in and come out.
#[derive(Clone, Debug)]
pub struct Events(broadcast::Sender<Event>);

impl Default for Events {
    fn default() -> Self {
        Self(broadcast::channel(ROOM).0)
    }
}

impl Events {
    /// Tells everybody. Nobody listening is no mistake.
    pub fn tell(&self, event: Event) {
        let _ = self.0.send(event);
    }

    /// Hears everything from now on.
    pub fn listen(&self) -> broadcast::Receiver<Event> {
        self.0.subscribe()
    }
}
