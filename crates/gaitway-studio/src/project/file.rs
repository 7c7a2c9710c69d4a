//! `project.json`.

use std::collections::BTreeMap;

use gaitway_graph::{BuildOptions, ContactRule, Thresholds, Transitions};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{CharacterRoles, Reading};
use crate::error::ApiError;
use crate::wire::words;

/// Where a project's first clips came from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Origin {
    /// The built-in performer.
    Demo,
    /// A graph that was built elsewhere; the path it was given as.
    Graph {
        /// Absolute.
        file: String,
    },
    /// Files and folders, which stay where they are.
    Clips {
        /// Absolute.
        inputs: Vec<String>,
    },
}

/// How graphs are built, as the page sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BuildOptionsJson {
    /// Working rate.
    pub fps: f64,
    /// Window of a transition.
    pub window_s: f64,
    /// One threshold for all pairs of labels; null where they are chosen or set one by one.
    pub threshold_cm: Option<f64>,
    /// Thresholds chosen from the data.
    pub auto: bool,
    /// Mirrored copies of all clips.
    pub with_mirrored: bool,
    /// How transitions get from clip to clip: auto, blend, cut.
    #[schema(schema_with = words::transitions)]
    pub transitions: String,
    /// Which contacts may meet: any, same, change.
    #[schema(schema_with = words::contacts)]
    pub contacts: String,
    /// Above this nothing is looked at.
    pub ceiling_cm: f64,
}

impl Default for BuildOptionsJson {
    fn default() -> Self {
        Self::of(&BuildOptions::default(), &Thresholds::Auto)
    }
}

impl BuildOptionsJson {
    /// As a graph was built.
    pub fn of(options: &BuildOptions, thresholds: &Thresholds) -> Self {
        Self {
            fps: options.fps,
            window_s: options.metric.window_s,
            threshold_cm: match thresholds {
                Thresholds::Value(cm) => Some(*cm),
                _ => None,
            },
            auto: *thresholds == Thresholds::Auto,
            with_mirrored: options.with_mirrored,
            transitions: options.transitions.name().to_owned(),
            contacts: match options.contacts {
                ContactRule::Any => "any",
                ContactRule::Same => "same",
                ContactRule::Change => "change",
            }
            .to_owned(),
            ceiling_cm: options.metric.ceiling_cm,
        }
    }

    /// These wishes over options that hold otherwise.
    ///
    /// # Errors
    /// When a number is out of range.
    pub fn over(&self, base: &BuildOptions) -> Result<BuildOptions, ApiError> {
        let within = |name: &str, value: f64, least: f64, most: f64| {
            if (least..=most).contains(&value) {
                return Ok(value);
            }
            let message = format!("{value} is not between {least} and {most}");
            Err(ApiError::bad(message)
                .hint(option_hint(name))
                .field(format!("options.{name}")))
        };
        let mut out = base.clone();
        out.fps = within("fps", self.fps, 5.0, 240.0)?;
        out.metric.window_s = within("window_s", self.window_s, 0.05, 5.0)?;
        out.metric.ceiling_cm = within("ceiling_cm", self.ceiling_cm, 0.1, 100.0)?;
        if let Some(cm) = self.threshold_cm {
            within("threshold_cm", cm, 0.0, self.ceiling_cm)?;
        }
        out.with_mirrored = self.with_mirrored;
        out.transitions = Transitions::from_name(&self.transitions).ok_or_else(|| {
            ApiError::bad("expected auto, blend or cut")
                .field("options.transitions")
                .hint("auto: blends where they fit, cuts at the ends of clips")
        })?;
        out.contacts = ContactRule::from_name(&self.contacts).ok_or_else(|| {
            ApiError::bad("expected any, same or change").field("options.contacts").hint("same: feet stand alike on both sides of a transition; change: they also change alike")
        })?;
        Ok(out)
    }

    /// The thresholds asked for.
    pub fn thresholds(&self) -> Thresholds {
        match self.threshold_cm {
            Some(cm) if !self.auto => Thresholds::Value(cm),
            _ => Thresholds::Auto,
        }
    }
}

/// Which clips a graph is built from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Basis {
    /// By name.
    pub clips: Vec<String>,
    /// All clips of the body these are of, those that come later too.
    pub whole_body: bool,
}

/// What the project is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProjectFile {
    /// Of this file's form.
    pub version: u32,
    /// Tells projects apart, wherever they lie and whatever they are called: a tab that was opened on one says so with each request.
    #[serde(default = "new_key")]
    pub key: String,
    /// What the page calls it.
    pub name: String,
    /// Where its first clips came from.
    pub origin: Origin,
    /// Grows with every change.
    pub revision: u64,
    /// How the next graph is built.
    pub build: BuildOptionsJson,
    /// What the graph was built from; another value now means that it is stale.
    pub built_from: Option<String>,
    /// Names of clips that were taken out.
    pub removed: Vec<String>,
    /// Names of clips whose contacts in the graph were set by hand.
    pub contacts_by_hand: Vec<String>,
    /// Which clips the graph is built from; all where nobody chose.
    #[serde(default)]
    pub basis: Option<Basis>,
    /// How files are read, where somebody knows better; by path, of the project's own files from its folder on.
    #[serde(default)]
    pub reading: BTreeMap<String, Reading>,
    /// Labels by their places on the ring of colours: one colour per label, in whatever browser it is seen.
    #[serde(default)]
    pub label_places: Vec<String>,
    /// What somebody knows better about characters, by the names of their files.
    #[serde(default)]
    pub characters: BTreeMap<String, CharacterRoles>,
    /// The character that is shown in place of the plain figure, by its id.
    #[serde(default)]
    pub shown: Option<String>,
}

/// A key that no other project has.
pub fn new_key() -> String {
    use std::hash::{BuildHasher, RandomState};
    // Two hashers with keys of the system's own chance: 128 bits that nobody else has drawn.
    let draw = || RandomState::new().hash_one(std::process::id());
    format!("{:016x}{:016x}", draw(), draw())
}

impl ProjectFile {
    /// The version this program writes.
    pub const VERSION: u32 = 1;

    /// A new project.
    pub fn new(name: impl Into<String>, origin: Origin) -> Self {
        Self {
            version: Self::VERSION,
            key: new_key(),
            name: name.into(),
            origin,
            revision: 1,
            build: BuildOptionsJson::default(),
            built_from: None,
            removed: Vec::new(),
            contacts_by_hand: Vec::new(),
            basis: None,
            reading: BTreeMap::new(),
            label_places: Vec::new(),
            characters: BTreeMap::new(),
            shown: None,
        }
    }
}

/// What a number of a build is for, to choose another.
fn option_hint(name: &str) -> &'static str {
    match name {
        "fps" => "the rate at which clips are compared; 30 sees every step",
        "window_s" => "the length of a transition; half a second lets a step blend into another",
        "ceiling_cm" => "nothing above it is ever a transition; 15 cm is generous",
        _ => "at most the ceiling; leave it out to have it chosen from the clips",
    }
}
