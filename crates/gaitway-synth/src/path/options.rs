//! What a path asks for beside the curve.

use gaitway_graph::ClipId;

use super::forbid::ForbiddenTransition;
use super::obstacles::{MovingObstacle, Obstacle};
use super::styles::Style;
use super::times::Times;

/// Weights of the terms beside the paper's cost, all in m² per frame or per transition, so that they can be read
/// against it: a frame that is 5 cm off costs 0.0025.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Naturalness {
    /// Each transition taken; default 0.065, nearly a second at 5 cm off.
    pub per_transition: f64,
    /// Each transition, times √D in cm squared; default 0.0006: one of 10 cm costs as much again.
    pub transition_cm2: f64,
    /// Each transition, times the square of how far apart standing feet are in cm ([`crate::FeetApart`]); default 0.0001: 25 cm cost
    /// as much again.
    pub feet_cm2: f64,
    /// Each frame, times the square of the angle between facing and travel in radians beyond what is free; default 0.1.
    pub facing: f64,
    /// Angle that costs nothing: shoulders and hips swing; default 0.2.
    pub facing_free_rad: f64,
    /// Each frame on a straight piece, times the square of the change of speed in m/s²; default 0.0002.
    pub speed_change: f64,
    /// Each time a walk comes back to a second of clip it played in its last six transitions; default 0.02.
    pub repeat: f64,
}

impl Default for Naturalness {
    fn default() -> Self {
        Self {
            per_transition: 0.065,
            transition_cm2: 0.0006,
            feet_cm2: 0.0001,
            facing: 0.1,
            facing_free_rad: 0.2,
            speed_change: 0.0002,
            repeat: 0.02,
        }
    }
}

impl Naturalness {
    /// The paper's cost alone.
    pub const NONE: Self = Self {
        per_transition: 0.0,
        transition_cm2: 0.0,
        feet_cm2: 0.0,
        facing: 0.0,
        facing_free_rad: 0.0,
        speed_change: 0.0,
        repeat: 0.0,
    };

    /// All terms but the free angle, times a factor: to draw the trade-off.
    pub fn scaled(self, by: f64) -> Self {
        Self {
            per_transition: self.per_transition * by,
            transition_cm2: self.transition_cm2 * by,
            feet_cm2: self.feet_cm2 * by,
            facing: self.facing * by,
            facing_free_rad: self.facing_free_rad,
            speed_change: self.speed_change * by,
            repeat: self.repeat * by,
        }
    }
}

/// Where a walk begins.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Start {
    /// At the path's start, at whatever node and heading suits the path best.
    #[default]
    Best,
    /// At a place of the ground, facing a heading (0 along +Z, positive to the left).
    At {
        /// Metres.
        x: f64,
        /// Metres.
        z: f64,
        /// Radians.
        heading: f64,
    },
}

/// What is asked for along a path.
#[derive(Clone, Debug, PartialEq)]
pub struct PathOptions {
    /// What is done where; all of the path in any label where empty.
    pub styles: Vec<Style>,
    /// When it is where, and how fast.
    pub times: Times,
    /// Where it begins.
    pub start: Start,
    /// γ: least progress per working frame, metres; default 2 mm, 6 cm a second.
    pub least_progress_m: f64,
    /// Measure the walk's arc length on the root's way without its sway, and draw in what it is ahead or behind by: no short cuts, however
    /// long the path is. Off: the paper's arc length.
    pub smooth_arc: bool,
    /// The terms beside the paper's.
    pub naturalness: Naturalness,
    /// What must not be entered.
    pub obstacles: Vec<Obstacle>,
    /// Others on the move, by working frame.
    pub moving_obstacles: Vec<MovingObstacle>,
    /// Half the width of the body, metres; default 0.3.
    pub body_radius_m: f64,
    /// Kept beside the radius for what cleanup moves, and for what lies between working frames; default 5 cm.
    pub margin_m: f64,
    /// Nowhere further than this from the path.
    pub corridor_m: Option<f64>,
    /// A walk that is further from the path than this anywhere is reported as off the path, metres; default 0.5. Unlike a
    /// corridor this changes nothing in the search.
    pub off_path_m: f64,
    /// Clips that are not played, by name or a unique suffix.
    pub forbid: Vec<String>,
    /// Transitions that are not taken.
    pub forbid_transitions: Vec<ForbiddenTransition>,
    /// Events that are not played for an action, by clip and frame: what a walk found before did not bring about.
    pub passed_over: Vec<(ClipId, usize)>,
    /// How long an action at a point lasts at least, seconds; default 1.
    pub action_s: f64,
    /// The working frame of the moving_obstacles' clock at which this walk begins.
    pub clock_frame: u32,
    /// Longest walk in seconds per metre of path; default 6, a slow sneak.
    pub slowest_s_m: f64,
}

impl Default for PathOptions {
    fn default() -> Self {
        Self {
            styles: Vec::new(),
            times: Times::default(),
            start: Start::Best,
            least_progress_m: 0.002,
            smooth_arc: true,
            naturalness: Naturalness::default(),
            obstacles: Vec::new(),
            moving_obstacles: Vec::new(),
            body_radius_m: 0.3,
            margin_m: 0.05,
            corridor_m: None,
            off_path_m: 0.5,
            forbid: Vec::new(),
            forbid_transitions: Vec::new(),
            passed_over: Vec::new(),
            action_s: 1.0,
            clock_frame: 0,
            slowest_s_m: 6.0,
        }
    }
}
