//! Roles as the user knows them, from TOML:
//!
//! ```toml
//! [roles]
//! LeftFoot = "foot_l"
//! Spine = ["spine_01", "spine_02"]
//! ```

use gaitway_core::{JointIdx, Skeleton};
use thiserror::Error;

use super::{Role, RoleMap};

/// Roles that overrule what was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoleOverrides {
    rows: Vec<Given>,
}

#[derive(Clone, Debug, PartialEq)]
struct Given {
    role: Role,
    /// None: nobody has the role.
    names: Vec<String>,
    /// Counted from 1.
    line: usize,
    /// From `[roles]`, which speaks of both bodies: one of them may have none of these joints.
    shared: bool,
}

/// What is wrong with a file of roles.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum OverrideError {
    /// Not TOML, or not of the form that is wanted.
    #[error("line {line}: {message}")]
    Syntax {
        /// Counted from 1.
        line: usize,
        /// What the parser says.
        message: String,
    },
    /// A role that no body has.
    #[error("line {line}: `{name}` is no role; near it: {near}")]
    UnknownRole {
        /// Counted from 1.
        line: usize,
        /// As written.
        name: String,
        /// Roles with similar names.
        near: String,
    },
    /// A joint that the body does not have.
    #[error("line {line}: the body has no joint `{name}`; near it: {near}")]
    UnknownJoint {
        /// Counted from 1.
        line: usize,
        /// As written.
        name: String,
        /// Joints with similar names.
        near: String,
    },
    /// A role of one joint was given several.
    #[error(
        "line {line}: `{role}` has {found} joints where one belongs; only Spine and Neck take several"
    )]
    TooMany {
        /// Counted from 1.
        line: usize,
        /// The role.
        role: String,
        /// How many joints.
        found: usize,
    },
}

impl RoleOverrides {
    /// Reads the named tables of a TOML file, later ones over earlier: `roles` speaks of both bodies, `source` and `target` of one.
    ///
    /// # Errors
    /// When the text is not TOML of this form, or names a role that there is not.
    pub fn parse(text: &str, tables: &[&str]) -> Result<Self, OverrideError> {
        let line_at = |at: usize| 1 + text[..at.min(text.len())].matches('\n').count();
        let root: toml::Table =
            text.parse()
                .map_err(|e: toml::de::Error| OverrideError::Syntax {
                    line: e.span().map_or(1, |s| line_at(s.start)),
                    message: e.message().to_owned(),
                })?;
        const KNOWN: [&str; 3] = ["roles", "source", "target"];
        if let Some(other) = root.keys().find(|k| !KNOWN.contains(&k.as_str())) {
            let message = format!("`{other}` is none of the tables roles, source and target");
            return Err(OverrideError::Syntax {
                line: line_of(text, "", other),
                message,
            });
        }
        let mut rows = Vec::new();
        for &table in tables {
            let Some(value) = root.get(table) else {
                continue;
            };
            let Some(roles) = value.as_table() else {
                let message = format!("`{table}` should be a table: [{table}]");
                return Err(OverrideError::Syntax {
                    line: line_of(text, "", table),
                    message,
                });
            };
            for (key, value) in roles {
                let line = line_of(text, table, key);
                let role = Role::from_name(key).ok_or_else(|| OverrideError::UnknownRole {
                    line,
                    name: key.clone(),
                    near: near(key, Role::all().map(Role::name)),
                })?;
                let joints = names(value).ok_or_else(|| OverrideError::Syntax {
                    line,
                    message: format!("`{key}` takes a joint's name in quotes, or a list of them"),
                })?;
                if joints.len() > 1 && !matches!(role.part, super::Part::Spine | super::Part::Neck)
                {
                    let (role, found) = (role.name(), joints.len());
                    return Err(OverrideError::TooMany { line, role, found });
                }
                rows.retain(|r: &Given| r.role != role);
                rows.push(Given {
                    role,
                    names: joints,
                    line,
                    shared: table == "roles",
                });
            }
        }
        Ok(Self { rows })
    }

    /// Refuses joints of `[roles]` that none of the bodies has.
    ///
    /// # Errors
    /// The first of them.
    pub fn check(&self, bodies: &[&Skeleton]) -> Result<(), OverrideError> {
        for row in self.rows.iter().filter(|r| r.shared) {
            let unknown = |n: &&String| !bodies.iter().any(|b| b.find(n).is_some());
            if let Some(name) = row.names.iter().find(unknown) {
                let all = bodies.iter().flat_map(|b| b.names().iter().cloned());
                return Err(row.unknown(name, all));
            }
        }
        Ok(())
    }

    /// Puts what was given over what was found.
    ///
    /// # Errors
    /// When a joint is not in the body.
    pub fn apply(&self, skeleton: &Skeleton, map: &mut RoleMap) -> Result<(), OverrideError> {
        for row in &self.rows {
            let known = row.names.iter().any(|n| skeleton.find(n).is_some());
            if row.shared && !row.names.is_empty() && !known {
                continue;
            }
            let (role, names) = (&row.role, &row.names);
            let find = |name: &String| {
                let joint = skeleton.find(name);
                joint.ok_or_else(|| row.unknown(name, skeleton.names().iter().cloned()))
            };
            let joints: Vec<JointIdx> = names.iter().map(find).collect::<Result<_, _>>()?;
            for a in &mut map.assigned {
                a.joints.retain(|j| !joints.contains(j));
            }
            map.assigned
                .retain(|a| !a.joints.is_empty() && a.role != *role);
            map.twists.retain(|(t, _)| !joints.contains(t));
            if !joints.is_empty() {
                map.put(*role, joints, 1.0, "given");
            }
        }
        Ok(())
    }
}

impl Given {
    fn unknown(&self, name: &str, all: impl Iterator<Item = String>) -> OverrideError {
        OverrideError::UnknownJoint {
            line: self.line,
            name: name.to_owned(),
            near: near(name, all),
        }
    }
}

fn names(value: &toml::Value) -> Option<Vec<String>> {
    match value {
        toml::Value::String(s) if s.is_empty() => Some(Vec::new()),
        toml::Value::String(s) => Some(vec![s.clone()]),
        toml::Value::Array(list) => list.iter().map(|v| v.as_str().map(str::to_owned)).collect(),
        _ => None,
    }
}

/// The line a key of a table begins, counted from 1.
fn line_of(text: &str, table: &str, key: &str) -> usize {
    let mut inside = table.is_empty();
    for (n, line) in text.lines().enumerate() {
        let line = line.trim_start();
        if let Some(rest) = line.strip_prefix('[') {
            inside = rest
                .split(']')
                .next()
                .is_some_and(|t| t.trim() == table || (table.is_empty() && t.trim() == key));
            if inside && table.is_empty() {
                return n + 1;
            }
            continue;
        }
        let own = line
            .split('=')
            .next()
            .unwrap_or("")
            .trim()
            .trim_matches(['"', '\'']);
        if inside && own == key {
            return n + 1;
        }
    }
    1
}

/// The three names nearest to one, by letters that would have to change.
fn near(name: &str, all: impl Iterator<Item = String>) -> String {
    let short: String = name.to_lowercase().chars().take(64).collect();
    let mut scored: Vec<(usize, String)> = all
        .map(|other| {
            let lower: String = other.to_lowercase().chars().take(64).collect();
            (edits(&short, &lower), other)
        })
        .collect();
    scored.sort();
    let nearest: Vec<String> = scored.into_iter().take(3).map(|s| s.1).collect();
    nearest.join(", ")
}

/// Levenshtein's distance.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let change = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use gaitway_core::performer;

    #[test]
    fn what_is_wrong_is_told_with_its_line_and_what_is_near() {
        let unknown = RoleOverrides::parse("[roles]\n\nLeftFoots = \"x\"\n", &["roles"]);
        let unknown = unknown.expect_err("no such role").to_string();
        assert!(
            unknown.contains("line 3") && unknown.contains("LeftFoot"),
            "{unknown}"
        );
        let given =
            RoleOverrides::parse("[roles]\nLeftFoot = \"LeftFot\"\n", &["roles"]).expect("a role");
        let mut map = RoleMap::default();
        let joint = given
            .apply(&performer::skeleton(), &mut map)
            .expect_err("no such joint")
            .to_string();
        assert!(
            joint.contains("line 2") && joint.contains("LeftFoot"),
            "{joint}"
        );
        assert!(RoleOverrides::parse("roles = 3", &["roles"]).is_err());
        assert!(RoleOverrides::parse("[rolls]\n", &["roles"]).is_err());
        assert!(RoleOverrides::parse("[roles]\nHead = [\"a\", \"b\"]", &["roles"]).is_err());
    }

    #[test]
    fn what_is_given_overrules() {
        let body = performer::skeleton();
        let text = "[roles]\nSpine = [\"Spine\", \"Chest\"]\n[target]\nHead = \"\"\n";
        let mut map = super::super::find(
            &body,
            &super::super::place_of(&body, &vec![glam::Quat::IDENTITY; 22]),
            true,
        );
        RoleOverrides::parse(text, &["roles", "target"])
            .expect("fine")
            .apply(&body, &mut map)
            .expect("joints");
        assert_eq!(map.joints(Role::trunk(super::super::Part::Spine)).len(), 2);
        assert!(map.trunk(super::super::Part::Head).is_none());
    }
}
