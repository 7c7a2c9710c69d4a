//! What can be asked for.

use gaitway_synth::path::Obstacle;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::job::JobKind;
use crate::project::BuildOptionsJson;
use crate::wire::words;

/// What a page drew, in its own form: kept with the result and handed back as it is, so that any browser can take it up.
pub type Sketch = Map<String, Value>;

/// A job as it is asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum JobRequest {
    /// Build the graph anew from the clips, labels and contacts as they are now.
    Build {
        /// How; as the project says where left out.
        #[serde(default)]
        options: Option<BuildOptionsJson>,
        /// From the clips of this body; those that come later count too.
        #[serde(default)]
        body: Option<String>,
        /// From these clips alone, by id. With neither: from what the last build was from, else all clips.
        #[serde(default)]
        clips: Option<Vec<String>>,
    },
    /// Connect the graph better: interpolated clips are added where they shorten ways between captured ones.
    Enrich {},
    /// Put clips on another body: each comes into the library as a clip of its own, with its labels and a mark of who it is.
    Retarget {
        /// Which, by id. Where left out: all clips that are not there on this body yet.
        #[serde(default)]
        clips: Option<Vec<String>>,
        /// Whose body.
        onto: OntoJson,
    },
    /// Motion along a path.
    Path {
        /// What is asked for.
        request: Box<PathRequestJson>,
        /// What the page drew it as, in its own form; kept with the result.
        #[serde(default)]
        #[schema(value_type = Option<HashMap<String, Value>>)]
        sketch: Option<Sketch>,
        /// Who draws: a search of the same that still runs is stopped, and the result is a draft, which the next one of the same
        /// takes the place of.
        #[serde(default)]
        live: Option<String>,
    },
    /// Motion that ends with an action, or in a clip, at a place.
    Place {
        /// What is asked for.
        request: Box<PlaceRequestJson>,
        /// What the page drew it as, in its own form; kept with the result.
        #[serde(default)]
        #[schema(value_type = Option<HashMap<String, Value>>)]
        sketch: Option<Sketch>,
    },
    /// The shortest way from one moment of a clip to another.
    Connect {
        /// Where it begins.
        from: MomentJson,
        /// Where it ends.
        to: MomentJson,
        /// time or cost.
        #[serde(default = "by_time")]
        #[schema(schema_with = words::connect_by)]
        by: String,
        /// What the result is called.
        #[serde(default)]
        name: Option<String>,
    },
    /// A result drawn as an animation, to be taken home from then on.
    Draw {
        /// Which result.
        result: String,
        /// Which of its motions; everybody in one picture where left out.
        #[serde(default)]
        member: Option<usize>,
    },
    /// A part of a result searched again, the rest kept.
    Resolve {
        /// Of which result.
        result: String,
        /// Which of its motions.
        #[serde(default)]
        #[schema(default = 0)]
        member: usize,
        /// From, seconds of the motion.
        from_s: f64,
        /// To, seconds of the motion.
        to_s: f64,
        /// Another seed gives another part.
        #[serde(default)]
        #[schema(default = 0)]
        seed: u64,
    },
    /// A random walk.
    Walk {
        /// How long.
        seconds: f64,
        /// Only with this label.
        #[serde(default)]
        label: Option<String>,
        /// Same seed, same walk.
        #[serde(default = "one")]
        #[schema(default = 1)]
        seed: u64,
        /// What the result is called.
        #[serde(default)]
        name: Option<String>,
    },
}

fn one() -> u64 {
    1
}

fn by_time() -> String {
    "time".to_owned()
}

/// A body that clips are put on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = Onto)]
pub enum OntoJson {
    /// That of a character, by id; roles chosen for it hold.
    Character(String),
    /// That of a clip, by id.
    Clip(String),
}

/// A moment of a clip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Moment)]
pub struct MomentJson {
    /// The clip's name.
    pub clip: String,
    /// Seconds from its first frame.
    pub seconds: f64,
}

impl JobRequest {
    /// A build with nothing said about it.
    pub fn plain_build() -> Self {
        Self::Build {
            options: None,
            body: None,
            clips: None,
        }
    }

    /// Its kind.
    pub fn kind(&self) -> JobKind {
        match self {
            Self::Build { .. } => JobKind::Build,
            Self::Path { .. } => JobKind::Path,
            Self::Resolve { .. } => JobKind::Resolve,
            Self::Walk { .. } => JobKind::Walk,
            Self::Place { .. } => JobKind::Place,
            Self::Connect { .. } => JobKind::Connect,
            Self::Draw { .. } => JobKind::Draw,
            Self::Enrich {} => JobKind::Enrich,
            Self::Retarget { .. } => JobKind::Retarget,
        }
    }

    /// Who draws, where this is one search of many along a path that is being drawn.
    pub fn live(&self) -> Option<&str> {
        match self {
            Self::Path { live, .. } => live.as_deref(),
            _ => None,
        }
    }
}

/// What is done along a part of a path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StyleJson {
    /// The label.
    pub label: String,
    /// From, metres along the path.
    pub from_m: f64,
    /// To; to the end where null.
    #[serde(default)]
    pub to_m: Option<f64>,
}

/// Something done at a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Action {
    /// The label.
    pub label: String,
    /// Metres along the path.
    pub at_m: f64,
}

/// When a place is to be reached.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ArrivalJson {
    /// Seconds from the motion's start.
    pub time_s: f64,
    /// Metres along the path.
    pub at_m: f64,
}

/// How fast a part of a path is to be walked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SpeedJson {
    /// Metres a second.
    pub m_s: f64,
    /// From, metres along the path.
    pub from_m: f64,
    /// To; to the end where null.
    #[serde(default)]
    pub to_m: Option<f64>,
}

/// What must not be entered, in metres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ObstacleJson {
    /// x, z, radius.
    #[schema(value_type = (f64, f64, f64))]
    Circle([f64; 3]),
    /// x0, z0, x1, z1.
    #[schema(value_type = (f64, f64, f64, f64))]
    Box([f64; 4]),
    /// Corners (x, z).
    #[schema(value_type = Vec<(f64, f64)>)]
    Polygon(Vec<[f64; 2]>),
}

impl From<&ObstacleJson> for Obstacle {
    fn from(o: &ObstacleJson) -> Self {
        match o {
            ObstacleJson::Circle(c) => Self::Circle(*c),
            ObstacleJson::Box(b) => Self::Box(*b),
            ObstacleJson::Polygon(p) => Self::Polygon(p.clone()),
        }
    }
}

/// Where a walk begins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StartJson {
    /// Metres.
    pub x: f64,
    /// Metres.
    pub z: f64,
    /// 0 along +Z, positive to the left.
    pub heading_rad: f64,
}

/// A path and all that is asked for along it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = PathRequest)]
pub struct PathRequestJson {
    /// (x, z) in metres.
    #[schema(value_type = Vec<(f64, f64)>)]
    pub points: Vec<[f64; 2]>,
    /// The last point leads to the first.
    pub closed: bool,
    /// Corners are rounded.
    pub smooth: bool,
    /// What is done where.
    pub styles: Vec<StyleJson>,
    /// What is done at points.
    pub actions: Vec<Action>,
    /// How long all of it lasts, seconds.
    pub duration_s: Option<f64>,
    /// When places are reached.
    pub arrivals: Vec<ArrivalJson>,
    /// How fast parts are walked.
    pub speeds: Vec<SpeedJson>,
    /// What must not be entered.
    pub obstacles: Vec<ObstacleJson>,
    /// Where it begins; at the path's start as suits best where null.
    pub start: Option<StartJson>,
    /// Nowhere further than this from the path.
    pub corridor_m: Option<f64>,
    /// beam or bnb.
    #[schema(schema_with = words::search)]
    pub search: String,
    /// Take out what error is left by bending at most this.
    pub bend_m: Option<f64>,
    /// Plant the feet.
    pub clean: bool,
    /// Measure the walk by the root's own way, sway included, as the paper does.
    pub short_cuts: bool,
    /// Clips that are not played.
    pub forbid: Vec<String>,
    /// Another seed gives another walk.
    pub seed: u64,
    /// How many people, 1 to 100.
    pub count: usize,
    /// How many different walks, 1 to 6.
    pub alternatives: usize,
    /// The search's time; by the path's length where null.
    pub max_s: Option<f64>,
    /// How many edges may be tried; by the path's length where null.
    pub expansions: Option<u64>,
    /// What the result is called.
    pub name: Option<String>,
}

impl Default for PathRequestJson {
    fn default() -> Self {
        Self {
            points: Vec::new(),
            closed: false,
            smooth: false,
            styles: Vec::new(),
            actions: Vec::new(),
            duration_s: None,
            arrivals: Vec::new(),
            speeds: Vec::new(),
            obstacles: Vec::new(),
            start: None,
            corridor_m: None,
            search: "beam".to_owned(),
            bend_m: None,
            clean: true,
            short_cuts: false,
            forbid: Vec::new(),
            seed: 0,
            count: 1,
            alternatives: 1,
            max_s: None,
            expansions: None,
            name: None,
        }
    }
}

/// An action, or a clip, at a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = PlaceRequest)]
pub struct PlaceRequestJson {
    /// A label, whose event is to happen there; or a clip, whose first frame is.
    pub what: String,
    /// Where, and facing where.
    pub end: StartJson,
    /// Where it begins; at the origin, facing the place, where null.
    pub start: Option<StartJson>,
    /// What is done on the way; in the manner of its start where null.
    pub style: Option<String>,
    /// What must not be entered.
    pub obstacles: Vec<ObstacleJson>,
    /// Clips that are not played.
    pub forbid: Vec<String>,
    /// Plant the feet.
    pub clean: bool,
    /// Play what follows a label that lasts as well: getting up again.
    pub play_out: bool,
    /// Another seed gives another walk.
    pub seed: u64,
    /// How many different walks, 1 to 6.
    pub alternatives: usize,
    /// How many edges each search may try; by the length of the way where null.
    pub expansions: Option<u64>,
    /// What the result is called.
    pub name: Option<String>,
}

impl Default for PlaceRequestJson {
    fn default() -> Self {
        Self {
            what: String::new(),
            end: StartJson {
                x: 0.0,
                z: 0.0,
                heading_rad: 0.0,
            },
            start: None,
            style: None,
            obstacles: Vec::new(),
            forbid: Vec::new(),
            clean: true,
            play_out: false,
            seed: 0,
            alternatives: 1,
            expansions: None,
            name: None,
        }
    }
}
