//! A clip measured frame by frame: heights, reaches, lifts, and how much of an event each frame is.

use std::ops::Range;

use glam::{DVec2, DVec3, Quat, Vec3};

use super::{Event, EventKind, Usual};
use crate::Clip;
use crate::anatomy::Anatomy;
use crate::fk::{WorldPoints, world_points};
use crate::ground::{facing, floor_height_in, smooth};
use crate::planar::wrap_angle;

/// Faster than this a pelvis does not sit, m/s.
const STILL_M_S: f64 = 0.25;
/// Lower by this part of the usual pelvis height is seated; so is who has both knees higher by it than hanging thighs have them,
/// whatever the seat's height: thighs at 45° or so.
const SEATED: f64 = 0.12;
/// A hand that comes down by this part of the usual pelvis height is at something low.
const LOW_HAND: f64 = 0.25;
/// Both feet this part of the usual pelvis height above where they stand fly.
const FLIES: f64 = 0.04;
/// A foot this part of the usual pelvis height up may kick.
const KICKS: f64 = 0.25;
/// A head lower by this part of the usual pelvis height ducks.
const DUCKS: f64 = 0.15;
/// Beyond what is usual by this factor is something else.
const BEYOND: f64 = 1.15;
/// Slower than this is no turn, rad/s.
const TURNS_RAD_S: f64 = 1.0;
/// Window over which turning is measured, seconds.
const TURN_S: f64 = 0.4;
/// Poses at least this part of the usual pelvis height from all usual ones are distinct.
const DISTINCT: f64 = 0.06;

/// How much of an event a frame is, and with which hand or foot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) metres: f64,
    pub(super) part: Part,
}

/// What the place of an event is taken from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Part {
    Pelvis,
    Hand(usize),
    /// The middle of both.
    Hands,
    Foot(usize),
}

/// A clip with what events are measured on.
pub(super) struct Body<'c> {
    clip: &'c Clip,
    points: WorldPoints,
    anatomy: Anatomy,
    facing: Vec<f64>,
    floor: f64,
    /// Where each foot's lower joint is when it stands.
    stands: [f64; 2],
}

impl<'c> Body<'c> {
    pub(super) fn of(clip: &'c Clip) -> Self {
        let points = world_points(clip);
        let mut body = Self {
            clip,
            floor: floor_height_in(clip, &points),
            anatomy: Anatomy::of_clip(clip),
            facing: facing(clip),
            points,
            stands: [0.0; 2],
        };
        for side in 0..2 {
            let feet = (0..clip.frame_count()).filter_map(|f| body.foot(f, side).map(|p| p.y));
            let mut heights: Vec<f64> = feet.collect();
            heights.sort_by(f64::total_cmp);
            body.stands[side] = heights.get(heights.len() / 20).copied().unwrap_or(0.0);
        }
        body
    }

    fn pelvis_at(&self, f: usize) -> DVec3 {
        self.points.at(f, self.anatomy.pelvis.index())
    }

    fn hand_at(&self, f: usize, side: usize) -> Option<DVec3> {
        let arm = self.anatomy.arms[side]?;
        Some(self.points.at(f, arm.wrist.index()))
    }

    fn foot(&self, f: usize, side: usize) -> Option<DVec3> {
        let leg = self.anatomy.legs[side]?;
        let joint = leg.toe.unwrap_or(leg.ankle);
        let (a, b) = (leg.ankle.index(), joint.index());
        let (a, b) = (self.points.at(f, a), self.points.at(f, b));
        Some(if a.y < b.y { a } else { b })
    }

    /// The pelvis above the floor.
    pub(super) fn pelvis(&self, f: usize) -> f64 {
        self.pelvis_at(f).y - self.floor
    }

    /// A hand above the floor.
    pub(super) fn hand(&self, f: usize, side: usize) -> Option<f64> {
        self.hand_at(f, side).map(|p| p.y - self.floor)
    }

    /// The head above the floor.
    pub(super) fn head(&self, f: usize) -> Option<f64> {
        let head = self.anatomy.head?;
        Some(self.points.at(f, head.index()).y - self.floor)
    }

    /// A foot above where it stands.
    pub(super) fn lift(&self, f: usize, side: usize) -> Option<f64> {
        self.foot(f, side).map(|p| p.y - self.stands[side])
    }

    /// A hand's distance from the hips on the ground.
    pub(super) fn reach(&self, f: usize, side: usize) -> Option<f64> {
        let (hand, pelvis) = (self.hand_at(f, side)?, self.pelvis_at(f));
        Some(DVec2::new(hand.x - pelvis.x, hand.z - pelvis.z).length())
    }

    /// The joints as the body sees them: from the ground below its pelvis, facing +Z.
    pub(super) fn pose(&self, f: usize) -> Vec<Vec3> {
        let at = self.pelvis_at(f);
        let below = DVec3::new(at.x, self.floor, at.z);
        let back = Quat::from_rotation_y(-self.facing[f] as f32);
        let joints = self.clip.skeleton().joints();
        joints
            .map(|j| back * (self.points.at(f, j.index()) - below).as_vec3())
            .collect()
    }

    /// How much higher the lower knee is than where its thigh, hanging, would have it.
    fn thighs_up(&self, f: usize) -> f64 {
        let one = |leg: &crate::anatomy::Leg| {
            let (hip, knee) = (
                self.points.at(f, leg.hip.index()),
                self.points.at(f, leg.knee.index()),
            );
            hip.distance(knee) - (hip.y - knee.y)
        };
        let [Some(left), Some(right)] = &self.anatomy.legs else {
            return 0.0;
        };
        one(left).min(one(right))
    }

    /// How far the pose of each sampled frame of the clip is from the nearest usual one: enough of them for a median.
    pub(super) fn away(&self, usual: &Usual) -> Vec<f64> {
        const FRAMES: usize = 200;
        let count = self.clip.frame_count();
        let each = (0..count).step_by(count.div_ceil(FRAMES).max(1));
        each.map(|f| usual.distance(&self.pose(f))).collect()
    }

    fn speed(&self, f: usize) -> f64 {
        let last = self.clip.frame_count() - 1;
        let (a, b) = (f.saturating_sub(2), (f + 2).min(last));
        if a == b {
            return 0.0;
        }
        let way = self.pelvis_at(b) - self.pelvis_at(a);
        way.length() * self.clip.rate_hz() / (b - a) as f64
    }

    /// How much of an event each frame of a stretch is; `None` where it is none.
    pub(super) fn hits(
        &self,
        kind: EventKind,
        stretch: Range<usize>,
        usual: &Usual,
    ) -> Vec<Option<Hit>> {
        if kind == EventKind::Turn {
            return self.turning(stretch);
        }
        let size = usual.pelvis;
        let limb = |f: usize, of: &dyn Fn(usize) -> Option<f64>, part: fn(usize) -> Part| {
            let sides = (0..2).filter_map(|side| Some((side, of(side)?)));
            let best = sides
                .filter(|s| s.1 > 0.0)
                .max_by(|a, b| a.1.total_cmp(&b.1));
            best.filter(|_| f < self.clip.frame_count())
                .map(|(side, metres)| Hit {
                    metres,
                    part: part(side),
                })
        };
        let pelvis = |metres: f64, counts: bool| {
            counts.then_some(Hit {
                metres,
                part: Part::Pelvis,
            })
        };
        let one = |f: usize| -> Option<Hit> {
            match kind {
                EventKind::Sit => {
                    let (drop, speed) = (size - self.pelvis(f), self.speed(f));
                    let drop = drop.max(self.thighs_up(f));
                    // Of frames as low, the stillest: a tenth of a metre for each m/s.
                    pelvis(
                        drop - 0.1 * speed,
                        drop > SEATED * size && speed < STILL_M_S,
                    )
                }
                EventKind::PickUp => {
                    let down = |side| {
                        let drop = usual.hand - self.hand(f, side)?;
                        (drop > LOW_HAND * size).then_some(drop)
                    };
                    let hit = limb(f, &down, Part::Hand)?;
                    Some(Hit {
                        part: self.part_at(kind, f),
                        ..hit
                    })
                }
                EventKind::Kick => {
                    let out = |side| {
                        let (foot, hips) = (self.foot(f, side)?, self.pelvis_at(f));
                        let lift = self.lift(f, side)?;
                        let far = DVec2::new(foot.x - hips.x, foot.z - hips.z).length();
                        (lift > KICKS * size).then_some(far + lift)
                    };
                    limb(f, &out, Part::Foot)
                }
                EventKind::Punch => {
                    let out = |side| {
                        let reach = self.reach(f, side)?;
                        let high = self.hand(f, side)? > size;
                        (high && reach > usual.reach).then_some(reach)
                    };
                    limb(f, &out, Part::Hand)
                }
                EventKind::Jump => {
                    let flies = self.lift(f, 0)?.min(self.lift(f, 1)?) > FLIES * size;
                    let up = self.pelvis(f) - size;
                    pelvis(up, flies && up > 0.0)
                }
                EventKind::StepOver => {
                    let over = |side: usize| {
                        let (lift, other) = (self.lift(f, side)?, self.lift(f, 1 - side)?);
                        (other < lift && lift > BEYOND * usual.lift).then_some(lift)
                    };
                    // The foot flies past at several metres a second; the body is over what it steps over.
                    limb(f, &over, |_| Part::Pelvis)
                }
                EventKind::Duck => {
                    let drop = usual.head - self.head(f)?;
                    pelvis(drop, drop > DUCKS * size)
                }
                EventKind::Distinct => {
                    let away = usual.distance(&self.pose(f));
                    let far =
                        away.is_finite() && away > (BEYOND * usual.spread).max(DISTINCT * size);
                    pelvis(away, far)
                }
                EventKind::Still => {
                    let speed = self.speed(f);
                    pelvis(STILL_M_S - speed, speed < STILL_M_S)
                }
                EventKind::Turn => None,
            }
        };
        stretch.map(one).collect()
    }

    /// Hands farther from the hips than is usual.
    pub(super) fn far_hand(&self, stretch: Range<usize>, usual: &Usual) -> Vec<Option<Hit>> {
        let one = |f: usize| {
            let sides = (0..2).filter_map(|side| Some((side, self.reach(f, side)?)));
            let (side, metres) = sides.max_by(|a, b| a.1.total_cmp(&b.1))?;
            let part = Part::Hand(side);
            (metres > BEYOND * usual.reach).then_some(Hit { metres, part })
        };
        stretch.map(one).collect()
    }

    fn turning(&self, stretch: Range<usize>) -> Vec<Option<Hit>> {
        let rate = self.clip.rate_hz();
        let step = |f: usize| wrap_angle(self.facing[f] - self.facing[f.saturating_sub(1)]).abs();
        let steps: Vec<f64> = (0..self.clip.frame_count())
            .map(|f| step(f) * rate)
            .collect();
        let speed = smooth(&steps, (TURN_S * rate / 2.0).round() as usize);
        let one = |f: usize| {
            let metres = speed[f];
            let part = Part::Pelvis;
            (metres > TURNS_RAD_S).then_some(Hit { metres, part })
        };
        stretch.map(one).collect()
    }

    /// The hand or foot that the place of an event is taken from, where only the frame is known.
    pub(super) fn part_at(&self, kind: EventKind, f: usize) -> Part {
        /// Hands this near to one another in height hold the thing together, metres.
        const BOTH_M: f64 = 0.1;
        let more = |of: &dyn Fn(usize) -> Option<f64>| match (of(0), of(1)) {
            (Some(l), Some(r)) => Some(usize::from(r > l)),
            (Some(_), None) => Some(0),
            (None, Some(_)) => Some(1),
            (None, None) => None,
        };
        let found = match kind {
            EventKind::PickUp => match (self.hand(f, 0), self.hand(f, 1)) {
                (Some(l), Some(r)) if (l - r).abs() < BOTH_M => Some(Part::Hands),
                _ => more(&|side| self.hand(f, side).map(|h| -h)).map(Part::Hand),
            },
            EventKind::Punch => more(&|side| self.reach(f, side)).map(Part::Hand),
            EventKind::Kick => more(&|side| self.lift(f, side)).map(Part::Foot),
            _ => None,
        };
        found.unwrap_or(Part::Pelvis)
    }

    pub(super) fn event(&self, kind: EventKind, f: usize, part: Part) -> Event {
        let pelvis = self.pelvis_at(f);
        let at = match part {
            Part::Pelvis => None,
            Part::Hand(side) => self.hand_at(f, side),
            Part::Hands => self
                .hand_at(f, 0)
                .zip(self.hand_at(f, 1))
                .map(|(l, r)| (l + r) / 2.0),
            Part::Foot(side) => self.foot(f, side),
        };
        let at = at.unwrap_or(pelvis);
        Event {
            frame: f,
            kind,
            given: false,
            place: DVec3::new(at.x, at.y - self.floor, at.z),
            heading: self.facing[f],
        }
    }
}
