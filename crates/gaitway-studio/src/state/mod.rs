//! What the server knows while it runs. All of it is on disk as well, written whole with every change.
//!
//! | module | its part |
//! | --- | --- |
//! | `library` | the clips: what they are and where their frames lie |
//! | `import`, `reread` | files read into the library, and anew with other options |
//! | `recordings` | files of markers or sensors, and the body that is found in them |
//! | `characters` | bodies of the user's own, and motion that is put on them |
//! | `made` | clips that the studio makes itself, taken into the library |
//! | `bodies` | who is of one body |
//! | `cache` | frames in memory, as many as fit |
//! | `edits`, `label_many` | labels and contacts set by hand; many labels at once |
//! | `suggest` | labels that speed and turning speak for |
//! | `graph`, `connected` | the graph, with what is worked out from it once; how well it holds together |
//! | `replace` | another graph in its place |
//! | `open` | from a folder and inputs to a studio |
//! | `askers` | of questions that come too fast, the newest |
//! | `events` | what is told to everybody |

mod askers;
mod bodies;
mod cache;
mod characters;
mod connected;
mod edits;
mod events;
mod graph;
mod import;
mod label_many;
mod library;
mod made;
mod open;
mod recent;
mod recordings;
mod replace;
mod repoint;
mod reread;
mod studio;
mod suggest;

pub use askers::Askers;
pub use bodies::{BodyView, grouped, rest_pose};
pub use cache::{ClipCache, Loaded};
pub use characters::{
    CharacterCache, CharacterEntry, Drag, Figure, Kept, Motion, OWN, Put, Shape, characters_in,
    may_be_character, may_have_mesh,
};
pub use connected::{Connected, ConnectedFigures};
pub use edits::{
    ClipEdits, ContactRowJson, ContactsEdit, Edits, LabelsEdit, apply_contacts, check_contacts,
    check_labels, label_track, rows_of_contacts,
};
pub use events::{Event, Events, ProjectPart};
pub use graph::{Curves, GraphState, GraphSummary, kept_by_clip};
pub use import::{Uploads, import_uploads};
pub use label_many::{AddLabels, ClipLabel, Proposals, Propose};
pub use library::{ClipEntry, FileSays, Finding, Source, clip_id, labels_of, slug};
pub use made::Made;
pub use open::{begin_empty, demo_graph};
pub use recordings::{
    HowFound, Recorded, RecordingCache, RecordingEntry, is_recording, recordings_in,
};
pub use reread::ReadAs;
pub use studio::{Inner, Studio, contacts_csv, labels_csv};
