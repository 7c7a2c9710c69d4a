//! Clips that lie elsewhere now: a project is pointed at where they are, and what was said of them goes along.

use std::path::Path;

use super::edits::Edits;
use crate::project::{Origin, ProjectFile};

/// Where clips lay and lie, pair by pair.
pub struct Moved(Vec<(String, String)>);

impl Moved {
    /// Points a project at other inputs, one for each it had.
    pub fn new(project: &mut ProjectFile, to: Vec<String>) -> Self {
        let from = match &project.origin {
            Origin::Clips { inputs } => inputs.clone(),
            Origin::Demo | Origin::Graph { .. } => Vec::new(),
        };
        let pairs: Vec<_> = from.into_iter().zip(to.clone()).collect();
        let moved = Self(pairs);
        let reading = std::mem::take(&mut project.reading);
        project.reading = reading
            .into_iter()
            .map(|(file, said)| (moved.path(file), said))
            .collect();
        let lists = [&mut project.removed, &mut project.contacts_by_hand];
        let basis = project.basis.as_mut().map(|b| &mut b.clips);
        for name in lists.into_iter().chain(basis).flatten() {
            *name = moved.name(std::mem::take(name));
        }
        project.origin = Origin::Clips { inputs: to };
        moved
    }

    /// Edits under the names the clips have now.
    pub fn edits(&self, edits: Edits) -> Edits {
        let renamed = edits.0.into_iter().map(|(name, e)| (self.name(name), e));
        Edits(renamed.collect())
    }

    /// A file's place.
    fn path(&self, file: String) -> String {
        self.follow(&file, |input| input.to_owned()).unwrap_or(file)
    }

    /// A clip's name begins with the last folder of its input: names have no path of the machine.
    fn name(&self, name: String) -> String {
        let last = |input: &str| {
            let last = Path::new(input).file_name().unwrap_or_default();
            last.to_string_lossy().into_owned()
        };
        self.follow(&name, last).unwrap_or(name)
    }

    fn follow(&self, text: &str, of: impl Fn(&str) -> String) -> Option<String> {
        self.0.iter().find_map(|(from, to)| {
            let rest = text.strip_prefix(&of(from))?;
            (rest.is_empty() || rest.starts_with('/')).then(|| of(to) + rest)
        })
    }
}
