//! What the server knows while it runs. All of it is on disk as well, written whole with every change.
//!
//! | module | its part |
//! | --- | --- |
//! | `library` | the clips: what they are and where their frames lie |
//! | `import` | files read into the library |
//! | `cache` | frames in memory, as many as fit |
//! | `edits` | labels and contacts set by hand |
//! | `graph` | the graph, with what is worked out from it once |
//! | `open` | from a folder and inputs to a studio |
//! | `askers` | of questions that come too fast, the newest |
//! | `events` | what is told to everybody |

mod askers;
mod cache;
mod edits;
mod events;
mod graph;
mod import;
mod library;
mod open;
mod studio;

pub use askers::Askers;
pub use cache::{ClipCache, Loaded};
pub use edits::{
    ClipEdits, ContactRowJson, ContactsEdit, Edits, LabelsEdit, apply_contacts, check_contacts,
    check_labels, label_track,
};
pub use events::{Event, Events, ProjectPart};
pub use graph::{Curves, GraphState, GraphSummary, kept_by_clip};
pub use import::{import_uploads, no_body};
pub use library::{ClipEntry, Source, WarningJson, clip_id, labels_of, slug};
pub use open::demo_graph;
pub use studio::{Inner, Studio, contacts_csv, labels_csv};
