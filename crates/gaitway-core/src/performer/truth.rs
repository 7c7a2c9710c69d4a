//! What is known exactly about a performed clip, because it was planned and not measured.

use glam::DVec3;

use crate::Clip;
use crate::anatomy::Side;

/// A point that stands: where, and from when to when.
#[derive(Clone, Debug, PartialEq)]
pub struct Plant {
    /// Which contact point, by its place in the clip's contact track: left heel, left toe, right heel, right toe.
    pub point: usize,
    /// Seconds from the clip's start; may be below 0 when the point stood already.
    pub start_s: f64,
    /// Seconds; may lie after the clip's end.
    pub end_s: f64,
    /// The point's place in the world during all this time, metres.
    pub place: DVec3,
}

/// One step of a foot.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The foot that lands.
    pub side: Side,
    /// When it left the ground, seconds.
    pub lift_s: f64,
    /// When it lands, seconds.
    pub strike_s: f64,
    /// Seconds since the other foot landed (or since the step was begun from standing).
    pub duration_s: f64,
    /// Way of the body's path in this step, metres; with `duration_s` this is the speed.
    pub length: f64,
    /// Where the ankle's plumb line meets the ground when the foot is flat.
    pub place: DVec3,
    /// Heading of the body at the step, radians, positive to the left.
    pub heading: f64,
    /// What kind of step: `walk`, `run`, `sneak`, ….
    pub gait: &'static str,
}

impl Step {
    /// Metres a second.
    pub fn speed(&self) -> f64 {
        self.length / self.duration_s
    }
}

/// Something the performer acted upon.
#[derive(Clone, Debug, PartialEq)]
pub enum Prop {
    /// A box stepped onto: centre of its top, half sizes (x, z) along its heading.
    Box {
        /// Centre of the top.
        top: DVec3,
        /// Half its width and half its length along the heading.
        half: [f64; 2],
        /// Which way its length lies, radians.
        heading: f64,
    },
    /// A seat: the middle of its top.
    Seat {
        /// The middle of the top.
        top: DVec3,
        /// Which way one sits, radians.
        heading: f64,
    },
    /// A small thing taken: where it was, when, and by which hand.
    Item {
        /// Where the palm met it.
        place: DVec3,
        /// When, seconds.
        at_s: f64,
        /// By which hand.
        side: Side,
    },
    /// A small thing put down: where it was left, when, and by which hand.
    PutDown {
        /// Where the palm left it.
        place: DVec3,
        /// When, seconds.
        at_s: f64,
        /// By which hand.
        side: Side,
    },
    /// A bar across the way that was passed below.
    Bar {
        /// The middle of its lower edge.
        place: DVec3,
        /// Which way it was passed, radians; the bar lies across it.
        heading: f64,
        /// When the hips were below it, seconds.
        at_s: f64,
    },
    /// A beam across the way that was stepped over.
    Beam {
        /// The middle of its top.
        top: DVec3,
        /// Half its width across the way and half its thickness along it.
        half: [f64; 2],
        /// Which way it was passed, radians.
        heading: f64,
    },
    /// A gap in the ground that was jumped over.
    Gap {
        /// Its middle.
        middle: DVec3,
        /// Half its width across the way and half its length along it.
        half: [f64; 2],
        /// Which way it was passed, radians.
        heading: f64,
    },
}

/// Ground truth of a clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Truth {
    /// Every plant, by start.
    pub plants: Vec<Plant>,
    /// Every step, by strike.
    pub steps: Vec<Step>,
    /// Seconds in which nothing touches the ground, in order.
    pub flights: Vec<(f64, f64)>,
    /// What was acted upon.
    pub props: Vec<Prop>,
    /// When what labels name happens: the seat taken, the palm at the thing, the apex, the hips below the bar. Seconds, in order.
    pub moments: Vec<(f64, &'static str)>,
}

impl Truth {
    /// Mean speed of the steps of a gait in metres a second: their way over their time. `None` without any.
    pub fn speed(&self, gait: &str) -> Option<f64> {
        let steps = self.steps.iter().filter(|s| s.gait == gait);
        let (way, time) = steps.fold((0.0, 0.0), |(w, t), s| (w + s.length, t + s.duration_s));
        (time > 0.0).then(|| way / time)
    }
}

/// A clip and what is known about it.
#[derive(Clone, Debug, PartialEq)]
pub struct PerformedClip {
    /// The clip, with labels and contacts.
    pub clip: Clip,
    /// What was planned, and therefore is so.
    pub truth: Truth,
}
