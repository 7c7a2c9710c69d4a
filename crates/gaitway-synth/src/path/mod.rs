//! Motion along a path, with styles, obstacles and company.
//!
//! | module | its part |
//! | --- | --- |
//! | `curve`, `named` | the path: by arc length, by name (from text: `gaitway_io::curve`) |
//! | `manner` | what is played where no style is asked for |
//! | `goal` | actions asked for, and the pieces that play their events |
//! | `styles`, `obstacles`, `options`, `error` | what is asked for |
//! | `shortest` | the shortest way to a place round obstacles, from anywhere: what an estimate may count on |
//! | `detour`, `reach` | what a search must know ahead: ways round obstacles, ways to the next style |
//! | `edge_paths` | ways on the ground of all edges, measured once |
//! | `objective` | the search problem: eq. 4.15 and the terms beside it |
//! | `try_on` | other searches where an action is missed |
//! | `follow`, `crowd` | from a path to a walk, or to several people |
//! | `gather` | who of a crowd sets out when |
//! | `company` | who is near whom, and when |
//! | `lanes` | keeping right where people come towards one another |
//! | `likeness` | when two walks are alike, and what makes people differ |
//! | `bound` | what every walk costs at least |
//! | `window`, `alternatives`, `played` | a found walk changed in part, and other walks beside it |
//! | `forbid` | clips and transitions that are not played |
//! | `off_path` | where a walk leaves its path, and why |
//! | `times`, `keep_time` | when to be where and how fast; what is early or late is taken out |
//! | `bend` | takes out what error is left |
//! | `lead` | spreads what the search leaves to the place of an action over the way there |
//! | `place_clip` | to end in a clip at a place and heading |
//! | `request`, `plan`, `plan_place` | all of it from end to end: searched, assembled, bent, feet planted, reported on |

mod alternatives;
pub(crate) mod bend;
pub(crate) mod bound;
mod company;
mod crowd;
mod curve;
pub(crate) mod detour;
pub(crate) mod edge_paths;
mod error;
mod follow;
mod forbid;
mod gather;
mod goal;
pub(crate) mod keep_time;
pub(crate) mod lanes;
mod lead;
mod likeness;
mod manner;
mod named;
mod near;
mod objective;
mod obstacles;
mod off_path;
mod options;
mod place_clip;
mod plan;
mod plan_place;
mod played;
pub(crate) mod progress;
mod reach;
mod request;
mod shortest;
pub(crate) mod solid;
mod steer;
mod steered;
mod styles;
mod times;
mod try_on;
mod window;

pub use alternatives::{Alternative, AlternativeOptions, alternatives};
pub use bend::{BendOptions, bend};
pub use crowd::{CrowdOptions, Person, Wait, crowd};
pub use curve::{LONGEST_M, MOST_POINTS, Path, SHORTEST_M};
pub use edge_paths::EdgePaths;
pub use error::PathError;
pub use follow::{Followed, PER_METRE, SEARCHES, Search, default_budget, follow_path, solve};
pub use forbid::ForbiddenTransition;
pub use goal::Wanted;
pub use likeness::{ALIKE, Alike, TASTE_M2};
pub use manner::Manner;
pub use named::{CURVES, circle_of, named_curve};
pub use objective::{PathProblem, PathState};
pub use obstacles::{MovingObstacle, Obstacle, parse_obstacles};
pub use off_path::{OffPath, OffRange};
pub use options::{Naturalness, PathOptions, Start};
pub use place_clip::{PlaceWish, PlacedClip, place_clip};
pub use plan::{PathMotion, PathWalk, find_walks, make_motion, no_walk, plan_path, plan_path_with};
pub use plan_place::{LeftStyle, PlaceRequest, PlacedMotion, plan_place};
pub use request::PathRequest;
pub use shortest::ShortestWay;
pub(crate) use styles::{APPROACH_M, on_the_way};
pub use styles::{
    ActionAsked, PathPosition, Style, StylePiece, Styles, parse_styles, resolve_styles,
};
pub use times::{
    Arrival, Due, Pace, Schedule, Speed, TimeWish, Times, parse_arrivals, parse_speeds,
};
pub use window::{Resolved, TailMoved, Window, resolve_window};
