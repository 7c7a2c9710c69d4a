//! What clips are called: no path of this machine, each name once.

use std::collections::BTreeSet;

use gaitway_core::{WarningCode, Warnings};

/// Clip names without what belongs to this machine: as given; where one is absolute or leads upwards, all lose the folders they share but the last.
pub fn tame_names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let names: Vec<Vec<&str>> = names.map(|n| n.split('/').collect()).collect();
    let wild = names
        .iter()
        .any(|n| n[0].is_empty() || n.contains(&"..") || n[0].ends_with(':'));
    if !wild {
        return names.iter().map(|n| n.join("/")).collect();
    }
    let first = &names[0];
    let shared = (0..first.len() - 1)
        .take_while(|&k| names.iter().all(|n| n.len() > k + 1 && n[k] == first[k]))
        .count();
    let inside = |n: &Vec<&str>| n[shared.saturating_sub(1)..].join("/");
    names
        .iter()
        .map(|n| inside(n).trim_start_matches(['/', '.']).to_owned())
        .collect()
}

/// Gives every clip a name of its own.
pub(super) struct Naming<'a> {
    pub taken: BTreeSet<String>,
    pub warnings: &'a mut Warnings,
}

impl Naming<'_> {
    /// The name wanted; where another motion has it, one folder more of where the file lies; where that has been taken
    /// too, a number.
    pub fn free(&mut self, wanted: &str, whole: &str) -> String {
        let name = if self.taken.contains(wanted) {
            let name = longer(wanted, whole)
                .filter(|n| !self.taken.contains(n))
                .or_else(|| {
                    (2_u32..)
                        .map(|k| numbered(wanted, k))
                        .find(|n| !self.taken.contains(n))
                })
                .unwrap_or_else(|| wanted.to_owned());
            let message =
                format!("`{wanted}` is called `{name}`: another motion has that name already");
            self.warnings.add(WarningCode::ClipRenamed, message);
            name
        } else {
            wanted.to_owned()
        };
        self.taken.insert(name.clone());
        name
    }
}

fn parts(name: &str) -> (&str, Option<&str>) {
    name.split_once('#')
        .map_or((name, None), |(file, animation)| (file, Some(animation)))
}

fn joined(file: &str, animation: Option<&str>) -> String {
    animation.map_or_else(|| file.to_owned(), |a| format!("{file}#{a}"))
}

/// A name with one more of the folders it lies in, where it has one.
fn longer(name: &str, whole: &str) -> Option<String> {
    let (file, animation) = parts(name);
    let (whole, _) = parts(whole);
    let above = whole.strip_suffix(file)?.strip_suffix('/')?;
    let folder = above.rsplit('/').next().filter(|f| !f.is_empty())?;
    Some(joined(&format!("{folder}/{file}"), animation))
}

fn numbered(name: &str, k: u32) -> String {
    let (file, animation) = parts(name);
    joined(&format!("{file}-{k}"), animation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_what_belongs_to_the_machine() {
        let tame = |names: &[&str]| tame_names(names.iter().copied());
        assert_eq!(tame(&["a/b", "c"]), ["a/b", "c"]);
        assert_eq!(
            tame(&["/x/y/16/16_01", "/x/y/16/16_02"]),
            ["16/16_01", "16/16_02"]
        );
        assert_eq!(
            tame(&["../d/16/16_01", "../d/17/17_02"]),
            ["d/16/16_01", "d/17/17_02"]
        );
        assert_eq!(tame(&["/walk"]), ["walk"]);
        assert_eq!(tame(&["../walk"]), ["walk"]);
    }

    #[test]
    fn names_grow_by_a_folder_and_then_by_a_number() {
        let mut warnings = Warnings::new();
        let mut naming = Naming {
            taken: BTreeSet::from(["clips/walk".to_owned(), "a#Run".to_owned()]),
            warnings: &mut warnings,
        };
        let whole = "/home/me/two/clips/walk";
        assert_eq!(naming.free("clips/walk", whole), "two/clips/walk");
        assert_eq!(naming.free("clips/walk", whole), "clips/walk-2");
        assert_eq!(naming.free("clips/walk", whole), "clips/walk-3");
        assert_eq!(naming.free("a#Run", "/x/a#Run"), "x/a#Run");
        assert_eq!(naming.free("a#Run", "/x/a#Run"), "a-2#Run");
        assert_eq!(naming.free("b", "/x/b"), "b");
        assert_eq!(warnings.len(), 5);
    }
}
