//! What our files say in `extras`, under the key `gaitway`.

use serde::{Deserialize, Deserializer, Serialize};

/// In a node's extras.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct NodeExtras {
    /// A tip that never rotates: not a joint.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub end_site: bool,
    /// The root's rest offset, where the node stands elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root_offset: Option<[f32; 3]>,
}

/// In an animation's extras.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct AnimationExtras {
    /// Frames a second.
    pub rate_hz: f64,
    /// Number of frames; frame f is at f / rate.
    pub frames: usize,
    /// What is done when.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<Label>,
    /// What stands when.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contacts: Vec<Contact>,
}

/// One label over a half-open range of frames.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Label {
    pub label: String,
    pub start: usize,
    pub end: usize,
}

/// A point of the body and the half-open ranges of frames in which it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Contact {
    pub name: String,
    /// The node whose place is held.
    pub node: usize,
    pub plants: Vec<[usize; 2]>,
}

#[derive(Deserialize)]
struct Ours<T> {
    gaitway: T,
}

/// Reads our key and lets anything else pass: extras may have any shape.
pub(super) fn ours<'de, D, T>(deserializer: D) -> Result<Option<Box<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: for<'a> Deserialize<'a>,
{
    let value = serde_json::Value::deserialize(deserializer)?;
    let ours: Option<Ours<T>> = serde_json::from_value(value).ok();
    Ok(ours.map(|o| Box::new(o.gaitway)))
}
