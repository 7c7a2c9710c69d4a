//! Words where a field is a text, for the API's document. Requests keep the text: whoever reads it names the words and says what
//! they are for when it is none of them.

use utoipa::openapi::schema::SchemaType;
use utoipa::openapi::{Object, ObjectBuilder, Type};

use crate::jobs::PathRequestJson;
use crate::project::BuildOptionsJson;
use crate::project::reading::READ_FORMATS;

fn one_of(what: &str, words: &[&str]) -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(what))
        .enum_values(Some(words.to_vec()))
}

/// How transitions get from clip to clip.
pub fn transitions() -> Object {
    one_of(
        "How transitions get from clip to clip; auto: blends where they fit, cuts at the ends of clips.",
        &["auto", "blend", "cut"],
    )
    .default(Some(BuildOptionsJson::default().transitions.into()))
    .build()
}

/// Which contacts may meet in a transition.
pub fn contacts() -> Object {
    one_of(
        "Which foot contacts may meet in a transition: any, equal ones, or equal changes.",
        &["any", "same", "change"],
    )
    .default(Some(BuildOptionsJson::default().contacts.into()))
    .build()
}

/// How a walk along a path is searched for.
pub fn search() -> Object {
    one_of(
        "How the walk is searched for; bnb: the paper's branch and bound.",
        &["beam", "bnb"],
    )
    .default(Some(PathRequestJson::default().search.into()))
    .build()
}

/// What makes a connection short.
pub fn connect_by() -> Object {
    one_of(
        "What makes a way short: the time until it arrives, or how unlike the motions of its transitions are.",
        &["time", "cost"],
    )
    .default(Some("time".into()))
    .build()
}

/// What came of a search.
pub fn status() -> Object {
    one_of(
        "What came of the search; a walk that arrives is Solved, OffPath where it was far from its path, ActionMissed where an action asked for did not happen at its place, ConstraintMissed where something else asked for is not kept by the motion.",
        &["Solved", "OffPath", "ActionMissed", "ConstraintMissed", "BudgetSpent", "NoWalk"],
    )
    .build()
}

/// Which way a transition would lead.
pub fn direction() -> Object {
    one_of(
        "out: from the lost clip to `clip`; in: from `clip` to the lost clip.",
        &["out", "in"],
    )
    .build()
}

/// Which motion of a transition.
pub fn part() -> Object {
    one_of("", &["from", "to", "blend"])
        .description(None::<&str>)
        .build()
}

/// The ground pictures are drawn on.
pub fn theme() -> Object {
    one_of("", &["light", "dark"])
        .description(None::<&str>)
        .build()
}

/// The axis that points up.
pub fn up() -> Object {
    one_of("The axis that points up in the file.", &["x", "y", "z"]).build()
}

/// The axis that points up, where somebody said so.
pub fn up_or_none() -> Object {
    let words = ["x", "y", "z"].map(serde_json::Value::from);
    let words = words.into_iter().chain([serde_json::Value::Null]);
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
        .description(Some("The axis that points up in the file; null: as found."))
        .enum_values(Some(words))
        .build()
}

/// The format of a file, where somebody said so.
pub fn read_format_or_none() -> Object {
    let words = READ_FORMATS.map(serde_json::Value::from);
    let words = words.into_iter().chain([serde_json::Value::Null]);
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
        .description(Some(
            "The format of the file, over its name and first bytes; null or left out: as they say.",
        ))
        .enum_values(Some(words))
        .build()
}

/// The format of all files of an upload.
pub fn read_format() -> Object {
    one_of("", &READ_FORMATS).description(None::<&str>).build()
}

/// What a clip is taken home as.
pub fn clip_format() -> Object {
    one_of("", &["bvh", "glb"])
        .description(None::<&str>)
        .build()
}

/// What the points of a recording are.
pub fn recording_kind() -> Object {
    one_of(
        "markers: points alone; sensors: points that know how they are turned.",
        &["markers", "sensors"],
    )
    .build()
}

/// What a joint's motion tells of it.
pub fn joint_kind() -> Object {
    one_of(
        "ball: the point is known; hinge: its axis is; rigid: the two do not turn; unobservable: hardly anything is known.",
        &["ball", "hinge", "rigid", "unobservable"],
    )
    .build()
}

/// How far a joint can be trusted.
pub fn confidence() -> Object {
    one_of("How far it can be trusted.", &["good", "fair", "poor"]).build()
}

/// Whether somebody has to look at a finding.
pub fn level() -> Object {
    one_of(
        "note: set right by itself, or as it should be; warning: somebody has to look.",
        &["note", "warning"],
    )
    .build()
}
