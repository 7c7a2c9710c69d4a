//! The command line that does the same.

use crate::state::{HowFound, RecordingEntry, Studio};

/// As one would type it beside the file; a body that is given is one of the project's clips.
pub fn line(studio: &Studio, entry: &RecordingEntry, how: &HowFound) -> String {
    let name = entry.name.rsplit('/').next().unwrap_or(&entry.name);
    let mut out = format!("gaitway calibrate {}", entry.file);
    if let Some(n) = how.bodies {
        out += &format!(" --bodies {n}");
    }
    if how.by_motion {
        out += " --by-motion";
    }
    if !how.without.is_empty() {
        let names = how.without.join(",").replace('\'', "");
        out += &format!(" --without '{names}'");
    }
    if let Some(on) = how.on.as_deref().and_then(|id| studio.entry(id).ok()) {
        out += &format!(" --skeleton {}", on.file);
    }
    out + &format!(" -o {name}.bvh")
}
