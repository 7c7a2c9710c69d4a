//! Options and errors of planting feet.

use std::ops::Range;

use gaitway_core::ClipError;
use gaitway_core::contacts::ContactError;
use thiserror::Error;

use super::ground::StandingHeights;
use super::knee::LegHinges;

/// How feet are planted. Lengths are in metres for a person, times in seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct PlantOptions {
    /// How long a foot's correction takes to fade in before a plant and out after it.
    pub ease_s: f64,
    /// The same for the foot's turn, and for the share of the correction that only keeps velocity continuous.
    pub ease_turn_s: f64,
    /// Over how long the root's displacement is smoothed, to either side.
    pub root_s: f64,
    /// A plant is placed by what is known of its first seconds; `None`: by all of it. Without an end to look
    /// for, motions cannot be planted while they play.
    pub horizon_s: Option<f64>,
    /// Shorter plants are not enforced.
    pub min_plant_s: f64,
    /// A pause of contact up to this long, back at the same place, is bridged (twice as long in transitions).
    pub bridge_s: f64,
    /// How near "the same place" is.
    pub bridge_m: f64,
    /// A plant whose point drifts farther than this from its mean so far is split in two.
    pub max_drift: f64,
    /// The longest time a split may take from the first plant.
    pub split_s: f64,
    /// A leg may be this much longer than it is: 0.03 is three per cent.
    pub max_stretch: f64,
    /// The root moves when a leg would span more than this part of its length. The default is what a leg spans whose knee has its least
    /// bend, 2.5°: with equal bones cos 1.25°. (From there a millimetre bends the knee by 3.5°; at 0.99, which is 16°, legs that were captured straight would not be.)
    pub full_reach: f64,
    /// Points of the feet that are below the height they stand at are lifted, and toes turned up.
    pub lift_out_of_floor: bool,
    /// Where contacts are detected here: look at the planted motion again, and hold what stands only then and moves, too.
    /// (A foot that shuffles between two plants is slow enough to stand once they are still.)
    pub look_again: bool,
    /// The same where contacts are given: what stands beyond them is held as well. For contacts that were found on another body.
    pub look_beyond_given: bool,
    /// Heights at which contact points stand, instead of those found in the motion; needed online.
    pub heights: Option<StandingHeights>,
    /// Axes of knees and toes, instead of those found in the motion. Online they are taken from the skeleton at rest where none are given.
    pub hinges: Option<LegHinges>,
    /// Frames that are blends of two motions, where contacts of both meet.
    pub transitions: Vec<Range<usize>>,
}

impl Default for PlantOptions {
    fn default() -> Self {
        Self {
            ease_s: 0.2,
            ease_turn_s: 0.1,
            root_s: 0.1,
            horizon_s: None,
            min_plant_s: 0.05,
            bridge_s: 0.04,
            bridge_m: 0.02,
            max_drift: 0.06,
            split_s: 0.15,
            max_stretch: 0.03,
            full_reach: 0.999_76,
            lift_out_of_floor: true,
            look_again: true,
            look_beyond_given: false,
            heights: None,
            hinges: None,
            transitions: Vec::new(),
        }
    }
}

impl PlantOptions {
    /// Shorter windows, for motion that is planted while it plays: a look-ahead of about 0.6 s.
    pub fn for_play() -> Self {
        Self {
            ease_s: 0.12,
            ease_turn_s: 0.06,
            root_s: 0.05,
            horizon_s: Some(0.12),
            min_plant_s: 0.035,
            bridge_s: 0.02,
            split_s: 0.08,
            ..Self::default()
        }
    }

    /// Refuses values that mean nothing.
    pub(super) fn check(&self) -> Result<(), PlantError> {
        let times = [
            ("ease_s", self.ease_s),
            ("ease_turn_s", self.ease_turn_s),
            ("root_s", self.root_s),
            ("horizon_s", self.horizon_s.unwrap_or(0.0)),
            ("min_plant_s", self.min_plant_s),
            ("bridge_s", self.bridge_s),
            ("bridge_m", self.bridge_m),
            ("max_drift", self.max_drift),
            ("split_s", self.split_s),
        ];
        // Five seconds of window is beyond any foot, and bounds memory and time.
        for (name, value) in times {
            if !(0.0..=5.0).contains(&value) {
                return Err(PlantError::Option { name, value });
            }
        }
        if !(0.0..=0.5).contains(&self.max_stretch) {
            let (name, value) = ("max_stretch", self.max_stretch);
            return Err(PlantError::Option { name, value });
        }
        if !(0.5..=1.0).contains(&self.full_reach) {
            let (name, value) = ("full_reach", self.full_reach);
            return Err(PlantError::Option { name, value });
        }
        Ok(())
    }
}

/// How fast feet are turned about a held point, in radians per second, and lifted out of the floor, in metres per second.
const PITCH: f64 = 16.0;
const LIFT: f64 = 2.5;

/// [`PlantOptions`] counted in frames of one rate.
#[derive(Clone, Debug)]
pub(super) struct Frames {
    pub ease: usize,
    pub ease_turn: usize,
    pub root: usize,
    /// How far ahead feet are looked at for where the root goes; `usize::MAX`: to the end.
    pub lag: usize,
    /// How far a foot is turned about its heel or toe, in radians, and lifted, in metres for a person, in a frame at most.
    pub pitch: f64,
    pub lift: f64,
    /// How far toes turn in a frame at most, in radians.
    pub toe_turn: f64,
    /// `usize::MAX`: wait for the plant's end.
    pub horizon: usize,
    pub min_plant: usize,
    pub bridge: usize,
    pub split: usize,
}

impl Frames {
    pub fn new(options: &PlantOptions, rate_hz: f64) -> Self {
        let frames = |s: f64, least: usize| ((s * rate_hz).round() as usize).max(least);
        Self {
            ease: frames(options.ease_s, 2),
            ease_turn: frames(options.ease_turn_s, 2),
            root: frames(options.root_s, 1),
            lag: options
                .horizon_s
                .map_or(usize::MAX, |_| frames(1.5 * options.root_s, 1)),
            pitch: PITCH / rate_hz,
            lift: LIFT / rate_hz,
            toe_turn: super::toes::FASTEST / rate_hz,
            horizon: options.horizon_s.map_or(usize::MAX, |s| frames(s, 2)),
            min_plant: frames(options.min_plant_s, 2),
            bridge: frames(options.bridge_s, 0),
            split: frames(options.split_s, 1),
        }
    }

    /// Frames after which it is known whether a point is planted in a frame.
    pub fn confirm(&self) -> usize {
        self.min_plant.max(2 * self.bridge + 1).max(self.split) + 1
    }

    /// Frames from the last one known back to the last one that is finished.
    pub fn look_ahead(&self) -> usize {
        let windows = self.ease + self.ease_turn + 2 * self.root + 2 * super::ease::SLOPE_FRAMES;
        (windows + 4)
            .saturating_add(self.lag)
            .saturating_add(self.confirm())
            .saturating_add(self.horizon)
    }
}

/// Why feet cannot be planted. The motion is as it was.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PlantError {
    /// Contacts were not given and cannot be found.
    #[error(transparent)]
    Contacts(#[from] ContactError),
    /// No contact point hangs on a leg of two bones.
    #[error("none of the contact points {points} hangs on a leg with a hip, a knee and an ankle")]
    NoLegs {
        /// The points that were looked at.
        points: String,
    },
    /// The contacts are not those of this motion.
    #[error("the contacts have {found} frames, the motion has {expected}")]
    FrameCount {
        /// Frames of the contacts.
        found: usize,
        /// Frames of the motion.
        expected: usize,
    },
    /// A contact point is not in the skeleton.
    #[error("contact point `{name}` is point {point} of a skeleton that has {count}")]
    UnknownPoint {
        /// What it is called.
        name: String,
        /// Its index.
        point: u32,
        /// How many points there are.
        count: usize,
    },
    /// An option is out of its range.
    #[error("{name} = {value} is out of range")]
    Option {
        /// Which one.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// Motion that plays cannot wait for the end of a plant.
    #[error("planting while motion plays needs `{0}`")]
    Online(&'static str),
    /// A frame pushed has arrays of the wrong size, or numbers that are not finite.
    #[error("a frame of {found} rotations or a number that is not finite, for {expected} joints")]
    Frame {
        /// Rotations in the frame.
        found: usize,
        /// Joints of the skeleton.
        expected: usize,
    },
    /// The result does not make a clip, because the input was close to overflow.
    #[error(transparent)]
    Clip(#[from] ClipError),
}
