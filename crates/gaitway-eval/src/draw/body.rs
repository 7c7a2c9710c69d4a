//! What of a skeleton is drawn: solid parts, lines and dots, hung on its joints.
//!
//! Which parts a body has, how thick they are and what they hang on is for [`gaitway_core::figure`] to say; here they become balls
//! with a hull round them. Fingers are left out: those that were not captured would fly about.

use gaitway_core::anatomy::Side;
use gaitway_core::figure::{Bind, Figure, Follows, HEIGHT_PER_LEG, Held};
use gaitway_core::fk::FkScratch;
use gaitway_core::{Clip, JointIdx};
use glam::{DVec3, Vec3};

use super::{outline, sticks};

/// Thigh and shin of a person of 1.75 m, in metres: what the unit is measured by.
const LEG_M: f64 = 0.82;

/// Which colour a part takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Trunk, neck, tail.
    Trunk,
    /// The head, a little lighter than the trunk.
    Head,
    /// A left limb.
    Left,
    /// A right limb.
    Right,
}

impl From<Side> for Tone {
    fn from(side: Side) -> Self {
        match side {
            Side::Left => Self::Left,
            Side::Right => Self::Right,
        }
    }
}

/// A place on the body, by its index in a pose.
pub type Spot = usize;

/// How a spot is found from the joints.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Hold {
    /// Fixed in a joint's frame.
    Joint { joint: usize, local: Vec3 },
    /// Between two earlier spots.
    Between { a: Spot, b: Spot, share: f64 },
}

/// A solid part: the hull of balls at spots.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Spots and radii in metres.
    pub balls: Vec<(Spot, f64)>,
    /// Its colour.
    pub tone: Tone,
}

/// A line of a stick figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bone {
    /// Upper end.
    pub from: Spot,
    /// Lower end.
    pub to: Spot,
    /// Its colour.
    pub tone: Tone,
}

/// What of a skeleton is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    holds: Vec<Hold>,
    /// Solid parts.
    pub parts: Vec<Part>,
    /// Lines.
    pub bones: Vec<Bone>,
    /// Major joints, for point-light displays.
    pub dots: Vec<(Spot, Tone)>,
    /// The middle of the head and its radius in metres, where there is one.
    pub head: Option<(Spot, f64)>,
    /// The spot whose way is the body's way.
    pub pelvis: Spot,
    /// The height its soles stand on, in metres; none without feet.
    pub floor: Option<f64>,
    /// 1 for a person of 1.75 m.
    pub unit: f64,
}

impl Body {
    /// Reads a body from a clip.
    pub fn of(clip: &Clip) -> Self {
        let bind = Bind::of(clip);
        let figure = Figure::of(clip, &bind);
        let mut work = Assembly::new(&bind, f64::from(figure.height));
        work.body.floor = figure.floor;
        outline::add(&mut work, &figure);
        sticks::add(&mut work, &figure);
        work.body
    }

    /// Where all spots are in a solved frame.
    pub fn places(&self, solved: &FkScratch, root: DVec3) -> Vec<DVec3> {
        let mut out: Vec<DVec3> = Vec::with_capacity(self.holds.len());
        for hold in &self.holds {
            out.push(match *hold {
                Hold::Joint { joint, local } => {
                    let turned = solved.rotations[joint] * local;
                    root + (solved.from_root[joint] + turned).as_dvec3()
                }
                Hold::Between { a, b, share } => out[a].lerp(out[b], share),
            });
        }
        out
    }
}

/// A body being put together.
pub(super) struct Assembly<'a> {
    bind: &'a Bind,
    pub body: Body,
}

impl<'a> Assembly<'a> {
    fn new(bind: &'a Bind, height: f64) -> Self {
        // A body of no size is drawn as a ball of a size.
        let unit = height / f64::from(HEIGHT_PER_LEG) / LEG_M;
        let unit = if unit > 0.0 { unit } else { 1.0 };
        Self {
            bind,
            body: Body {
                holds: Vec::new(),
                parts: Vec::new(),
                bones: Vec::new(),
                dots: Vec::new(),
                head: None,
                pelvis: 0,
                floor: None,
                unit,
            },
        }
    }

    pub(super) fn joint(&mut self, joint: JointIdx) -> Spot {
        let joint = joint.index();
        let local = Vec3::ZERO;
        self.hold(Hold::Joint { joint, local })
    }

    /// A place of the bind pose that moves with a joint.
    pub(super) fn held(&mut self, held: Held) -> Spot {
        let (joint, place) = (held.joint.index(), held.place);
        if place == self.bind.point(joint) {
            return self.joint(held.joint);
        }
        let local = self.bind.world(joint).inverse().transform_point3(place);
        self.hold(Hold::Joint { joint, local })
    }

    /// A place of the bind pose that moves with up to two joints.
    pub(super) fn follows(&mut self, place: Vec3, follows: Follows) -> Spot {
        let mut on = |joint: usize| {
            let joint = JointIdx(joint as u32);
            self.held(Held { joint, place })
        };
        let (a, b) = (on(follows.joint), on(follows.other));
        if a == b {
            return a;
        }
        self.between(a, b, f64::from(follows.share))
    }

    pub(super) fn between(&mut self, a: Spot, b: Spot, share: f64) -> Spot {
        self.hold(Hold::Between { a, b, share })
    }

    fn hold(&mut self, hold: Hold) -> Spot {
        match self.body.holds.iter().position(|h| *h == hold) {
            Some(spot) => spot,
            None => {
                self.body.holds.push(hold);
                self.body.holds.len() - 1
            }
        }
    }

    pub(super) fn bone(&mut self, from: Spot, to: Spot, tone: Tone) {
        self.body.bones.push(Bone { from, to, tone });
    }
}
