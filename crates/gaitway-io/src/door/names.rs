//! Names that tell joints apart.

use std::collections::HashSet;

use gaitway_core::{WarningCode, Warnings};

/// Gives every joint a name of its own: empty ones become `joint`, later doubles get `_2`, `_3`, …
pub fn unique_names<'a>(
    names: impl Iterator<Item = &'a str>,
    warnings: &mut Warnings,
) -> Vec<String> {
    let mut taken: HashSet<String> = HashSet::new();
    let mut changed = Vec::new();
    let mut out = Vec::new();
    for name in names {
        let base = if name.trim().is_empty() {
            "joint"
        } else {
            name
        };
        let mut unique = base.to_owned();
        let mut number = 2;
        while taken.contains(&unique) {
            unique = format!("{base}_{number}");
            number += 1;
        }
        if unique != name {
            changed.push(format!("`{name}` → `{unique}`"));
        }
        taken.insert(unique.clone());
        out.push(unique);
    }
    if let Some(first) = changed.first() {
        let message = match changed.len() {
            1 => format!("renamed {first}, so that every joint has a name of its own"),
            n => format!(
                "renamed {n} joints ({first}, …), so that every joint has a name of its own"
            ),
        };
        warnings.add(WarningCode::RenamedJoints, message);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_and_blanks_are_renamed_and_told() {
        let mut warnings = Warnings::new();
        let names = unique_names(["a", "a", "", "a_2", "a"].into_iter(), &mut warnings);
        assert_eq!(names, ["a", "a_2", "joint", "a_2_2", "a_3"]);
        assert!(warnings.has(WarningCode::RenamedJoints));
    }
}
