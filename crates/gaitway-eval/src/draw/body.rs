//! What of a skeleton is drawn: solid parts, lines and dots, hung on its joints.
//!
//! Thickness comes from anatomy, in shares of the body's unit (1 for a leg of 0.82 m, as a person of
//! 1.75 m has). What a human body has is drawn as such; joints that belong to no known part (tails, ears, props)
//! become thin capsules. Bones of no length, joints above the body and everything beyond wrists, ankles and head is left
//! out: fingers that were not captured would fly about.

use gaitway_core::anatomy::{Anatomy, Side, side_of};
use gaitway_core::fk::FkScratch;
use gaitway_core::{Clip, JointIdx, PointIdx, Skeleton};
use glam::{DVec3, Vec3};

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
    /// 1 for a person of 1.75 m.
    pub unit: f64,
}

impl Body {
    /// Reads a body from a clip; `facing` is its heading per frame.
    pub fn of(clip: &Clip, facing: &[f64]) -> Self {
        let anatomy = Anatomy::of_clip(clip);
        super::figure_parts::build(clip, &anatomy, facing)
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
    pub skeleton: &'a Skeleton,
    /// A solved frame to measure lengths in.
    pub measure: FkScratch,
    pub body: Body,
    /// Joints whose bone to the parent is drawn by a part, or hidden.
    pub covered: Vec<bool>,
    /// Joints beside the body that are no part of it.
    pub aside: Vec<bool>,
}

impl<'a> Assembly<'a> {
    pub(super) fn new(clip: &'a Clip, unit: f64) -> Self {
        let skeleton = clip.skeleton();
        let mut measure = FkScratch::new(skeleton);
        measure.solve(clip, 0);
        Self {
            skeleton,
            measure,
            covered: vec![false; skeleton.point_count()],
            aside: vec![false; skeleton.joint_count()],
            body: Body {
                holds: Vec::new(),
                parts: Vec::new(),
                bones: Vec::new(),
                dots: Vec::new(),
                head: None,
                pelvis: 0,
                unit,
            },
        }
    }

    pub(super) fn joint(&mut self, joint: JointIdx) -> Spot {
        self.fixed(joint, Vec3::ZERO)
    }

    pub(super) fn fixed(&mut self, joint: JointIdx, local: Vec3) -> Spot {
        let joint = joint.index();
        self.hold(Hold::Joint { joint, local })
    }

    pub(super) fn point(&mut self, point: PointIdx) -> Spot {
        match point.index().checked_sub(self.skeleton.joint_count()) {
            None => self.joint(JointIdx(point.0)),
            Some(site) => {
                let site = &self.skeleton.end_sites()[site];
                self.fixed(site.parent, site.offset)
            }
        }
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

    /// Adds a part, radii in shares of the unit.
    pub(super) fn part(&mut self, tone: Tone, balls: &[(Spot, f64)]) {
        let unit = self.body.unit;
        let balls = balls.iter().map(|&(spot, r)| (spot, r * unit)).collect();
        self.body.parts.push(Part { balls, tone });
    }

    pub(super) fn bone(&mut self, from: Spot, to: Spot, tone: Tone) {
        self.body.bones.push(Bone { from, to, tone });
    }

    /// Metres between two points in the measured frame.
    pub(super) fn apart(&self, a: PointIdx, b: PointIdx) -> f64 {
        let places = &self.measure.from_root;
        f64::from(places[a.index()].distance(places[b.index()]))
    }

    pub(super) fn is_at_or_below(&self, joint: JointIdx, above: JointIdx) -> bool {
        ancestors(self.skeleton, joint).any(|j| j == above)
    }

    /// Whether a joint beside the body was found to be no part of it.
    pub(super) fn hidden(&self, joint: JointIdx) -> bool {
        self.aside[joint.index()]
    }

    /// The colour of a joint that no part knows: its own side, or that of what it hangs on.
    pub(super) fn tone_of(&self, joint: JointIdx) -> Tone {
        ancestors(self.skeleton, joint)
            .find_map(|j| side_of(self.skeleton.name(j)))
            .map_or(Tone::Trunk, Tone::from)
    }
}

/// A joint and all above it.
pub(super) fn ancestors(
    skeleton: &Skeleton,
    joint: JointIdx,
) -> impl Iterator<Item = JointIdx> + '_ {
    std::iter::successors(Some(joint), |&j| skeleton.parent(j))
}
