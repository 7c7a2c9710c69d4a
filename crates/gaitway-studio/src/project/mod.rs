//! The project folder: everything the studio knows, on disk and whole at any moment.
//!
//! ```text
//! project.json          what the project is
//! edits.json            labels and contacts edited by hand, with revisions
//! labels.csv            all labels, as `build --labels` reads them
//! contacts.csv          contacts set by hand, as `clean --contacts` reads them
//! clips/                uploads as they came
//! recordings/           uploads of markers and sensors
//! characters/           bodies of the user's own to put motion on
//! graph.gway            the graph; graph.gway.journal/ while one is built, enriched.gway.journal/ while it is connected better
//! jobs/ID.json          what was asked for and how far it is
//! results/ID/           made motions
//! ```

mod characters;
mod file;
mod folder;
pub mod motion_file;
pub mod reading;

pub use characters::{CharacterRoles, RoleTable};
pub use file::{Basis, BuildOptionsJson, Origin, ProjectFile, new_key};
pub use folder::{COPY, EXPORT, Folder, RESULT, UPLOAD, write_bytes, write_json};
pub use reading::{Reading, Readings};
