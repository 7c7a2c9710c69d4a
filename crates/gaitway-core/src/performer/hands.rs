//! Hands that go to a thing, to take it or to put it down.

use glam::{DQuat, DVec3};

use super::body::{FOREARM, PALM, UPPER_ARM, sign};
use super::director::Director;
use super::pose;
use super::stage::{Chan, HeightEvent};
use super::truth::Prop;
use super::upper;
use crate::anatomy::Side;

/// What a hand does with a thing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Act {
    Take,
    Put,
}

/// A thing in front of who stands: with which hand, how high, how far ahead and to the left, metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thing {
    pub(super) act: Act,
    pub(super) side: usize,
    pub(super) height: f64,
    pub(super) reach: f64,
    pub(super) aside: f64,
    /// Whether the palm is straightened onto it, to the micrometre.
    pub(super) exact: bool,
}

impl Director {
    /// The palm to a thing so far away in a direction, exactly.
    pub(super) fn palm_to(&mut self, act: Act, side: Side, height: f64, reach: f64, bearing: f64) {
        self.hand_to(&Thing {
            act,
            side: side.index(),
            height,
            reach: reach * bearing.cos(),
            aside: reach * bearing.sin(),
            exact: true,
        });
    }

    /// Takes a thing: bends as far as the hand needs, no more.
    pub(super) fn hand_to(&mut self, thing: &Thing) {
        let Thing {
            act,
            side,
            height,
            reach,
            aside,
            exact,
        } = *thing;
        self.stand();
        let t0 = self.t;
        let low = (1.0 - height / 0.95).clamp(0.0, 1.0);
        let go = 0.75 + 0.55 * low + self.rng.vary(0.06);
        let (grab, hold) = (t0 + go, t0 + go + 0.22);
        let end = hold + 0.85 + 0.45 * low;
        let turn = DQuat::from_rotation_y(self.heading);
        let middle = self.middle();
        let item = middle + turn * DVec3::new(aside, height, reach);
        self.stage.go(t0, middle);
        for t in [t0, grab, hold, end] {
            self.stage.events.push(HeightEvent::Stand(t));
        }
        let hand = &mut self.stage.hands[side];
        for (axis, value) in hand.item.iter_mut().zip(item.to_array()) {
            axis.key(t0, value);
            axis.key(hold, value);
        }
        // Then the thing is drawn towards the body while the arm lets go of its place.
        let home = middle + turn * DVec3::new(0.18 * sign(side), 0.95, 0.3);
        for (axis, value) in hand.item.iter_mut().zip(home.to_array()) {
            axis.key(end - 0.1, value);
        }
        hand.item_weight.ease(t0 + 0.12, grab - 0.08, 1.0);
        hand.item_weight.ease(hold + 0.1, end + 0.1, 0.0);
        if exact {
            hand.flat.ease(t0 + 0.12, grab - 0.08, 1.0);
            hand.flat.ease(hold + 0.1, end + 0.1, 0.0);
            self.rest_other_hand([t0, grab, hold, end], low, 1 - side);
        }
        // Bend only as far as the arm needs: the least bend from which the hand gets there with the arm all
        // but straight.
        let arm = UPPER_ARM + FOREARM - 0.045;
        let before = self.stage.clone();
        // Things on the floor that are far away take all a body has.
        let (mut least, mut most) = (0.0, if exact { 1.3 } else { 1.0 });
        for _ in 0..12 {
            let bend = 0.5 * (least + most);
            self.stage = before.clone();
            self.bend_to([t0, grab, hold, end], bend, low, side, aside);
            let shoulder = self.shoulder_at(grab, side);
            let far = if exact {
                shoulder.distance(upper::wrist_for(shoulder, item).1)
            } else {
                shoulder.distance(item) - PALM
            };
            if far > arm {
                least = bend;
            } else {
                most = bend;
            }
        }
        self.stage = before;
        self.bend_to([t0, grab, hold, end], most, low, side, aside);
        let side = if side == 0 { Side::Left } else { Side::Right };
        let (place, at_s) = (item, grab);
        let (prop, label) = match act {
            Act::Take => (Prop::Item { place, at_s, side }, "pick-up"),
            Act::Put => (Prop::PutDown { place, at_s, side }, "put"),
        };
        self.stage.props.push(prop);
        self.stage.moments.push((grab, label));
        self.label(t0, end, label);
        self.t = end;
    }

    /// Who bends far down rests the other hand on the knee; it would hang through the floor.
    fn rest_other_hand(&mut self, [t0, grab, hold, end]: [f64; 4], low: f64, side: usize) {
        let part = ((low - 0.3) / 0.4).clamp(0.0, 1.0);
        let hand = &mut self.stage.hands[side];
        for (axis, value) in hand.near.iter_mut().zip([0.17 * sign(side), 0.12, 0.28]) {
            axis.key(t0, value);
        }
        hand.near_weight.ease(t0 + 0.1, grab - 0.05, part);
        hand.near_weight.ease(hold + 0.05, end - 0.1, 0.0);
    }

    fn bend_to(
        &mut self,
        [t0, grab, hold, end]: [f64; 4],
        bend: f64,
        low: f64,
        side: usize,
        aside: f64,
    ) {
        let s = sign(side);
        let stage = &mut self.stage;
        // Low things are taken from the knees, high ones with the trunk.
        let crouch = bend * (0.04 + 0.5 * low);
        let lean = 0.03 + bend * (0.75 + 0.6 * low);
        let twist = -s * bend * 0.28 + 0.5 * aside.clamp(-0.5, 0.5);
        let back = 0.11 * lean + 0.12 * crouch;
        let keys = [
            (Chan::Crouch, crouch),
            (Chan::Lean, lean),
            (Chan::Twist, twist),
            (Chan::Back, back),
            (Chan::Look, 0.25 + 0.25 * bend),
            (Chan::LookYaw, 0.6 * aside),
            (Chan::KneesOut, 0.35 * crouch),
            (Chan::Bend, 0.25 * aside),
            (Chan::Reach(1 - side), -0.15 * lean),
        ];
        for (chan, value) in keys {
            let early = if matches!(chan, Chan::Look | Chan::LookYaw) {
                0.35
            } else {
                0.0
            };
            stage.ease(chan, t0, grab - early, value);
            stage.relax(chan, hold - early * 0.3, end - 0.05);
        }
        stage.ease(Chan::Life, t0, t0 + 0.3, 0.1);
        stage.ease(Chan::Life, end - 0.2, end + 0.5, 1.0);
    }

    /// Where a shoulder will be.
    fn shoulder_at(&self, t: f64, side: usize) -> DVec3 {
        let mut trial = self.stage.clone();
        // Only the latest events matter here.
        let old = trial.events.len().saturating_sub(12);
        trial.events.drain(..old);
        trial.settle_height();
        let skeleton = super::body::skeleton();
        let solved = pose::solve(&trial, t);
        let mut scratch = crate::fk::FkScratch::new(&skeleton);
        scratch.solve_pose(&skeleton, &solved.locals);
        solved.root + scratch.from_root[super::body::joint::ARM[side] + 1].as_dvec3()
    }
}
