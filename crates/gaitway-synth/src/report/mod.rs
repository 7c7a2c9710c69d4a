//! What came of a request: the report of a path, in numbers; and walks as reports keep them, taken up again.

mod ability;
mod actions;
mod apart;
mod constraints;
mod kept;
mod path;
mod room;
mod ways;

pub use ability::{CurveRow, Following, follow_curves};
pub use actions::{ACTION_OFF_DEG, ACTION_OFF_M, ActionRow, Asked, action_rows};
pub(crate) use actions::{asked_along, events_played};
pub use apart::keep_apart;
pub(crate) use constraints::constraint_rows;
pub use constraints::{ConstraintRow, WishNumber};
pub use kept::{Kept, KeptWalk, ResolvedAmong, resolve_kept};
pub use path::{
    ClosingGap, ErrorStats, FacingStats, PathPlot, PathReport, arc_errors, drift, facing_errors,
    path_plot, path_report, working_roots,
};
pub use room::{Practical, Room, practical_lm};
pub use ways::{MadeWays, Moment, make_ways, same_moments};
