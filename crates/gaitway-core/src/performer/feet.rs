//! Where the feet are: stances that stand exactly, and swings between them.
//!
//! A stance rolls: heel strike → flat → heel off → toe off. Up to *flat* the foot turns about its heel (or
//! about its ball when it lands on the toes), from *heel off* on about its ball, and the pivot keeps its
//! place by construction:
//!
//!   ankle(t) = pivot_in_world − R(yaw, pitch(t)) · pivot_in_foot
//!
//! A swing uses the same formula with a pivot that slides along the sole from the ball to the next pivot while
//! its place travels from one plant to the next. Both rest at both ends, so speed is continuous at strike and
//! toe-off whatever the pitch does there. Pitch is positive with the heel up.

use glam::{DQuat, DVec3};

use super::body::{ANKLE, BALL, HEEL, TOES};
use super::curve::{Curve, hermite, ramp, soft_min, travel};

/// How a foot is carried to a stance.
#[derive(Clone, Debug)]
pub(super) struct Swing {
    /// Clearance of the pivot over the ground, metres.
    pub(super) lift: f64,
    /// Parts of the swing in which the foot gathers and loses speed along its way.
    pub(super) gather: f64,
    pub(super) brake: f64,
    /// Parts of the swing in which the clearance grows and shrinks.
    pub(super) rise: f64,
    pub(super) fall: f64,
    /// The largest pitch and when it comes (0…1).
    pub(super) peak_pitch: f64,
    pub(super) peak_at: f64,
    /// How softly the leg is kept from stretching at either end, metres.
    pub(super) soft: f64,
    /// Swing out to the side around the standing leg, metres.
    pub(super) around: f64,
    /// Added way and pitch over time (a kick): forward, up, left, pitch.
    pub(super) extra: Option<Box<[Curve; 4]>>,
}

impl Default for Swing {
    fn default() -> Self {
        Self {
            lift: 0.05,
            gather: 0.38,
            brake: 0.34,
            rise: 0.38,
            fall: 0.65,
            peak_pitch: 0.0,
            peak_at: 0.14,
            soft: 0.006,
            around: 0.0,
            extra: None,
        }
    }
}

/// One time a foot stands.
#[derive(Clone, Debug)]
pub(super) struct Stance {
    /// Times of the roll; `toe_off` is infinite while nothing follows.
    pub(super) strike: f64,
    pub(super) flat: f64,
    pub(super) heel_off: f64,
    pub(super) toe_off: f64,
    /// The ankle's place when flat (y = ground), and where the foot points.
    pub(super) place: DVec3,
    pub(super) yaw: f64,
    /// The heading of the body at this step: `yaw` without the toes' outward turn.
    pub(super) heading: f64,
    /// Pitch at strike: below 0 lands on the heel, above 0 on the ball.
    pub(super) strike_pitch: f64,
    /// Pitch at toe-off.
    pub(super) off_pitch: f64,
    /// How the foot came here.
    pub(super) swing: Swing,
}

/// A foot at one time.
#[derive(Clone, Copy, Debug)]
pub(super) struct FootPose {
    pub(super) ankle: DVec3,
    pub(super) yaw: f64,
    pub(super) pitch: f64,
    /// Turn of the toes against the foot.
    pub(super) toe_bend: f64,
    /// 0 while a point stands, 1 in full swing.
    pub(super) free: f64,
    /// See [`Swing::soft`].
    pub(super) soft: f64,
    /// Between two stances.
    pub(super) in_air: bool,
}

impl FootPose {
    /// The foot's rotation in the world.
    pub(super) fn rotation(&self) -> DQuat {
        DQuat::from_rotation_y(self.yaw) * DQuat::from_rotation_x(self.pitch)
    }
}

impl Stance {
    fn flat_point(&self, point: DVec3) -> DVec3 {
        self.place + DVec3::Y * ANKLE + DQuat::from_rotation_y(self.yaw) * point
    }

    /// The heel's place while it stands.
    pub(super) fn heel(&self) -> DVec3 {
        self.flat_point(HEEL)
    }

    /// The ball's place while it stands.
    pub(super) fn ball(&self) -> DVec3 {
        self.flat_point(BALL)
    }

    /// The point it lands on, in the foot's frame.
    fn landing_pivot(&self) -> DVec3 {
        if self.strike_pitch > 0.0 { BALL } else { HEEL }
    }

    /// Seconds in which the heel stands.
    pub(super) fn heel_stands(&self) -> (f64, f64) {
        let from = if self.strike_pitch > 0.0 {
            self.flat
        } else {
            self.strike
        };
        (from, self.heel_off)
    }

    /// Seconds in which the ball stands.
    pub(super) fn toe_stands(&self) -> (f64, f64) {
        let from = if self.strike_pitch > 0.0 {
            self.strike
        } else {
            self.flat
        };
        (from, self.toe_off)
    }

    /// Speed of the pitch when it lands: it rolls on without a stop.
    fn strike_rate(&self) -> f64 {
        let span = self.flat - self.strike;
        if span > 0.0 {
            -1.3 * self.strike_pitch / span
        } else {
            0.0
        }
    }

    /// Speed of the pitch when it leaves: slowly from the ground, then fast.
    fn off_rate(&self) -> f64 {
        let span = self.toe_off - self.heel_off;
        if span > 0.0 {
            2.1 * self.off_pitch / span
        } else {
            0.0
        }
    }

    fn pose(&self, t: f64) -> FootPose {
        let (pitch, pivot) = if t < self.flat {
            let span = self.flat - self.strike;
            let u = (t - self.strike) / span;
            let start = (self.strike_pitch, self.strike_rate());
            (hermite(u, span, start, (0.0, 0.0)), self.landing_pivot())
        } else if t <= self.heel_off {
            (0.0, BALL)
        } else {
            let span = self.toe_off - self.heel_off;
            let u = (t - self.heel_off) / span;
            let end = (self.off_pitch, self.off_rate());
            (hermite(u, span, (0.0, 0.0), end), BALL)
        };
        // Toes lie flat under a raised heel.
        let toe_bend = if pitch > 0.0 { -pitch } else { 0.0 };
        let mut pose = FootPose {
            ankle: self.place,
            yaw: self.yaw,
            pitch,
            toe_bend,
            free: 0.0,
            soft: 0.0,
            in_air: false,
        };
        pose.ankle = self.flat_point(pivot) - pose.rotation() * pivot;
        pose
    }
}

/// The foot in the air, `u` in 0…1 between two stances.
fn swing_pose(from: &Stance, to: &Stance, t: f64) -> FootPose {
    let span = to.strike - from.toe_off;
    let u = (t - from.toe_off) / span;
    let style = &to.swing;
    let mut pitch = swing_pitch(from, to, u, span);
    let along = travel(u, style.gather, style.brake);
    let end_pivot = to.landing_pivot();
    let slide = ramp((u - 0.35) / 0.55);
    let pivot = BALL.lerp(end_pivot, slide);
    let (start, end) = (from.ball(), to.flat_point(end_pivot));
    let mut place = start.lerp(end, along);
    // Up steps rise early, down steps late; on level ground the pivots' own heights change with the slide.
    let step = to.place.y - from.place.y;
    let level = if step >= 0.0 {
        ramp(u / 0.62)
    } else {
        ramp((u - 0.35) / 0.65)
    };
    place.y = from.place.y + step * level + (ANKLE + BALL.y) + slide * (end_pivot.y - BALL.y);
    let bump = ramp(u / style.rise) * ramp((1.0 - u) / style.fall);
    place.y += style.lift * bump;
    let heading = DQuat::from_rotation_y(from.heading + (to.heading - from.heading) * ramp(u));
    place += heading * DVec3::X * (style.around * bump);
    if let Some(extra) = &style.extra {
        let [forward, up, left, turn] = [0, 1, 2, 3].map(|i| extra[i].smooth(t, 0.05));
        place += heading * DVec3::new(left, up, forward);
        pitch += turn;
    }
    let lands_on_toes = to.strike_pitch > 0.0;
    let flat_toes = 1.0 - ramp((u - 0.06) / 0.5)
        + if lands_on_toes {
            ramp((u - 0.7) / 0.3)
        } else {
            0.0
        };
    let mut pose = FootPose {
        ankle: place,
        yaw: from.yaw + (to.yaw - from.yaw) * ramp((u - 0.1) / 0.8),
        pitch,
        toe_bend: -flat_toes * pitch,
        free: ramp(u / 0.2) * ramp((1.0 - u) / 0.2),
        soft: style.soft,
        in_air: true,
    };
    pose.ankle = place - pose.rotation() * pivot;
    // Whatever the roll does, no point of the sole goes through the floor.
    let foot = pose.rotation();
    let toes = foot * (BALL + DQuat::from_rotation_x(pose.toe_bend) * TOES);
    let lowest = toes.y.min((foot * BALL).y).min((foot * HEEL).y);
    let above = pose.ankle.y + lowest - from.place.y.min(to.place.y);
    pose.ankle.y -= soft_min(above, 0.0, 0.004) * ramp(u / 0.08) * ramp((1.0 - u) / 0.08);
    pose
}

/// Pitch in the air: on past toe-off to a peak, level near the middle, toes up (or down) before it lands.
fn swing_pitch(from: &Stance, to: &Stance, u: f64, span: f64) -> f64 {
    let style = &to.swing;
    let peak_at = style.peak_at;
    let coast = from.off_pitch + 0.45 * from.off_rate() * peak_at * span;
    let peak = style.peak_pitch.max(coast);
    let ready = to.strike_pitch - 0.35 * to.strike_rate() * 0.14 * span;
    let fall = 1.25 * (ready - peak) / ((0.86 - peak_at) * span);
    let middle = 0.5 * (0.86 + peak_at);
    let keys = [
        (0.0, from.off_pitch, from.off_rate()),
        (peak_at, peak, 0.0),
        (middle, 0.5 * (peak + ready), fall),
        (0.86, ready, 0.0),
        (1.0, to.strike_pitch, to.strike_rate()),
    ];
    let i = keys
        .iter()
        .rposition(|k| k.0 <= u)
        .unwrap_or(0)
        .min(keys.len() - 2);
    let (a, b) = (keys[i], keys[i + 1]);
    let part = (u - a.0) / (b.0 - a.0);
    hermite(part, (b.0 - a.0) * span, (a.1, a.2), (b.1, b.2))
}

/// All stances of one foot in order.
#[derive(Clone, Debug, Default)]
pub(super) struct FootTrack {
    pub(super) stances: Vec<Stance>,
}

impl FootTrack {
    /// The foot at a time.
    pub(super) fn at(&self, t: f64) -> FootPose {
        let next = self.stances.partition_point(|s| s.strike <= t).max(1);
        let now = &self.stances[next - 1];
        match self.stances.get(next) {
            Some(to) if t > now.toe_off => swing_pose(now, to, t),
            _ => now.pose(t),
        }
    }

    /// Whether the foot is in the air on a way of its own (a kick), where hips need not follow it.
    pub(super) fn carried(&self, t: f64) -> bool {
        let next = self.stances.partition_point(|s| s.strike <= t);
        self.stances
            .get(next)
            .is_some_and(|s| s.swing.extra.is_some())
    }

    /// Whether any point stands.
    pub(super) fn stands(&self, t: f64) -> bool {
        let next = self.stances.partition_point(|s| s.strike <= t);
        next > 0 && t <= self.stances[next - 1].toe_off
    }

    /// The stance the plan ends with.
    pub(super) fn last(&self) -> &Stance {
        self.stances.last().expect("a track starts with a stance")
    }

    /// The same, to be changed.
    pub(super) fn last_mut(&mut self) -> &mut Stance {
        self.stances
            .last_mut()
            .expect("a track starts with a stance")
    }
}
