//! What somebody knows better about characters.

use std::collections::BTreeMap;

use gaitway_retarget::RoleOverrides;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{ApiError, ApiResult};

/// Joints by role: `{"LeftFoot": ["foot_l"]}`. An empty list means that nobody has the role.
pub type RoleTable = BTreeMap<String, Vec<String>>;

/// Roles that overrule what was found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CharacterRoles {
    /// Of bodies that motion is taken from.
    #[schema(required = false)]
    pub source: RoleTable,
    /// Of the character.
    #[schema(required = false)]
    pub target: RoleTable,
}

impl CharacterRoles {
    /// Those of the source.
    ///
    /// # Errors
    /// When there is no such role.
    pub fn of_source(&self) -> ApiResult<RoleOverrides> {
        overrides(&self.source, "source")
    }

    /// Those of the character.
    ///
    /// # Errors
    /// When there is no such role.
    pub fn of_target(&self) -> ApiResult<RoleOverrides> {
        overrides(&self.target, "target")
    }

    /// All of it, as `retarget --map` reads it.
    pub fn toml(&self) -> String {
        as_toml(&self.source, "source") + &as_toml(&self.target, "target")
    }

    /// Whether nothing is overruled.
    pub fn is_empty(&self) -> bool {
        self.source.is_empty() && self.target.is_empty()
    }
}

/// As the file of `--map` has it: what the page says and what the command line reads are one thing.
fn as_toml(table: &RoleTable, name: &str) -> String {
    let mut out = format!("[{name}]\n");
    for (role, joints) in table {
        let quoted: Vec<String> = joints.iter().map(|j| quoted(j)).collect();
        out += &format!("{} = [{}]\n", quoted_key(role), quoted.join(", "));
    }
    out
}

fn quoted_key(role: &str) -> String {
    match role.bytes().all(|b| b.is_ascii_alphanumeric()) && !role.is_empty() {
        true => role.to_owned(),
        false => quoted(role),
    }
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out += &format!("\\u{:04X}", u32::from(c)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn overrides(table: &RoleTable, name: &'static str) -> ApiResult<RoleOverrides> {
    RoleOverrides::parse(&as_toml(table, name), &[name]).map_err(|e| {
        let text = e.to_string();
        // Lines are of a file that nobody wrote.
        let words = text.split_once(": ").map_or(text.as_str(), |(_, rest)| rest);
        ApiError::bad(words.to_owned())
            .field(name)
            .hint("roles are Hips, Spine, Neck, Head and, with Left or Right before them, Shoulder, UpperArm, Forearm, Hand, Thigh, Shank, Foot, Toe")
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whatever joints are called: what is written is read as it was meant.
        #[test]
        fn any_joint_can_be_named(joint in "\\PC{1,40}|[\\x00-\\x7f]{1,12}") {
            let table = RoleTable::from([("LeftFoot".to_owned(), vec![joint.clone()])]);
            let text = as_toml(&table, "target");
            prop_assert!(overrides(&table, "target").is_ok(), "{text}");
            let lines = text.lines().count();
            prop_assert_eq!(lines, 2, "{}", text);
        }
    }

    #[test]
    fn a_role_that_is_none_is_told() {
        let table = RoleTable::from([("Tail\n".to_owned(), vec!["tail".to_owned()])]);
        let error = overrides(&table, "target").expect_err("no such role");
        assert!(error.body().message.contains("is no role"), "{error:?}");
    }
}
