//! Motion of one body on another.
//!
//! A motion is what it keeps: feet that stand, hands that hold. Put on another body it is changed as little and as smoothly as that needs.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`roles`] | which joint is what: by names of many rigs, by chains, by shape, by the user |
//! | [`body`] | a body with its roles, and the pose in which bodies are compared |
//! | [`mod@align`] | how each joint of the one follows those of the other |
//! | [`mod@copy`] | the first guess: angles copied, travel scaled by leg length |
//! | [`plants`] | constraints from what stands |
//! | [`mod@solve`] | the smallest change of low frequency that keeps constraints; editing uses it as well |
//! | [`people`] | people of different sizes on one body, for one graph |
//! | [`edit`](mod@edit) | taller, a joint dragged, a way led elsewhere, another manner: by the same solver |
//! | [`report`] | what was mapped, kept and changed |
//! | [`measure`] | how much of a motion is fast |
//!
//! ```
//! use gaitway_core::performer::{Move, Performer, Script};
//! use gaitway_core::testing::{Walker, walking_clip};
//! use gaitway_retarget::{Body, RetargetOptions, retarget};
//!
//! let walk = Performer::new(1).perform(&Script::new("walk", [Move::walk(6, 1.3)]))?.clip;
//! let other = walking_clip(&Walker::default());
//! let (source, target) = (Body::of_clip(&walk, None)?, Body::of_clip(&other, None)?);
//! let done = retarget(&walk, &source, &target, &RetargetOptions::planted())?;
//! assert_eq!(done.clip.skeleton(), other.skeleton());
//! assert!(done.report.after_mm[0] < 1.0, "{:?}", done.report.after_mm);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod align;
pub mod body;
pub mod copy;
pub mod edit;
mod finish;
mod hands;
mod legs;
pub mod measure;
pub mod people;
pub mod plants;
pub mod report;
mod retarget;
pub mod roles;
pub mod solve;

pub use align::{Alignment, align};
pub use body::Body;
pub use edit::{EditError, EditReport, Edited, Edits, edit};
pub use people::{Onto, PeopleError, PeopleOptions, Person, on_one_body};
pub use report::{Change, Report};
pub use retarget::{RetargetOptions, Retargeted, retarget};
pub use roles::{OverrideError, Part, Role, RoleMap, RoleOverrides, RoleSide};
pub use solve::{Constraint, SolveOptions, SolveReport, Target, Wish, solve};
