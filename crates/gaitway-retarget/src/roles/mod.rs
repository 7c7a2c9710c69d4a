//! Which joint of a body does what: *roles*, the same for all people whatever their rigs call their joints.
//!
//! 1. `names` reads words: `mixamorig:LeftUpLeg`, `thigh_l`, `J_Bip_L_UpperLeg`, `DEF-thigh.L` and `L_Hip` all say "left thigh".
//! 2. `limbs` finds the two legs, the two arms and the trunk as chains of joints: by names where they speak, by the shape of a
//!    standing body where they do not. Along a chain roles have an order, so the best assignment is looked for as a whole.
//! 3. `check` holds what was found against the shape: thighs above shanks above feet, left on the left. Each role gets a
//!    confidence, and each doubt is a note.
//! 4. What the user says ([`RoleOverrides`]) overrules all of it.

mod check;
mod find;
mod given;
mod limbs;
mod names;

use gaitway_core::anatomy::Side;
use gaitway_core::{JointIdx, Skeleton};
use serde::{Serialize, Serializer};

pub use find::{find, place_of};
pub use given::{OverrideError, RoleOverrides};

/// A part of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// What both legs and the spine hang on.
    Hips,
    /// From above the hips to what the arms hang on; any number of joints.
    Spine,
    /// From above the chest to below the head; any number of joints.
    Neck,
    /// The head.
    Head,
    /// The clavicle.
    Shoulder,
    /// The upper arm.
    UpperArm,
    /// The forearm.
    Forearm,
    /// The hand.
    Hand,
    /// The thigh.
    Thigh,
    /// The shin.
    Shank,
    /// The foot from the ankle on.
    Foot,
    /// The toes from the ball on.
    Toe,
}

/// A part and its side, where it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Role {
    /// What it is.
    pub part: Part,
    /// Whose: `None` for the trunk.
    pub side: Option<RoleSide>,
}

/// Left or right, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RoleSide {
    /// The body's own left.
    Left,
    /// The body's own right.
    Right,
}

impl RoleSide {
    /// Both, left first.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// 0 for left, 1 for right.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

impl From<Side> for RoleSide {
    fn from(side: Side) -> Self {
        match side {
            Side::Left => Self::Left,
            Side::Right => Self::Right,
        }
    }
}

const TRUNK: [(Part, &str); 4] = [
    (Part::Hips, "Hips"),
    (Part::Spine, "Spine"),
    (Part::Neck, "Neck"),
    (Part::Head, "Head"),
];
const LIMBS: [(Part, &str); 8] = [
    (Part::Shoulder, "Shoulder"),
    (Part::UpperArm, "UpperArm"),
    (Part::Forearm, "Forearm"),
    (Part::Hand, "Hand"),
    (Part::Thigh, "Thigh"),
    (Part::Shank, "Shank"),
    (Part::Foot, "Foot"),
    (Part::Toe, "Toe"),
];

impl Role {
    /// A part of the trunk.
    pub const fn trunk(part: Part) -> Self {
        Self { part, side: None }
    }

    /// A part of a limb.
    pub const fn of(part: Part, side: RoleSide) -> Self {
        Self {
            part,
            side: Some(side),
        }
    }

    /// All roles there are, trunk first, then left limbs, then right ones.
    pub fn all() -> impl Iterator<Item = Self> {
        let trunk = TRUNK.iter().map(|t| Self::trunk(t.0));
        let limbs = RoleSide::BOTH
            .into_iter()
            .flat_map(|s| LIMBS.iter().map(move |l| Self::of(l.0, s)));
        trunk.chain(limbs)
    }

    /// The name in tables, reports and TOML: `LeftFoot`.
    pub fn name(self) -> String {
        let part = TRUNK.iter().chain(&LIMBS).find(|p| p.0 == self.part);
        let part = part.map_or("", |p| p.1);
        match self.side {
            None => part.to_owned(),
            Some(RoleSide::Left) => format!("Left{part}"),
            Some(RoleSide::Right) => format!("Right{part}"),
        }
    }

    /// The role of a name, letter case aside.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|r| r.name().eq_ignore_ascii_case(name))
    }
}

impl Serialize for Role {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name())
    }
}

/// The joints of one role.
#[derive(Clone, Debug, PartialEq)]
pub struct Assigned {
    /// The role.
    pub role: Role,
    /// Its joints, upper first; several only for spine and neck.
    pub joints: Vec<JointIdx>,
    /// From 0 (a guess) to 1 (name, order and shape agree).
    pub confidence: f64,
    /// What it was found by, in a few words.
    pub why: String,
}

/// The roles of one body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoleMap {
    /// In the order of [`Role::all`]; roles that no joint has are left out.
    pub assigned: Vec<Assigned>,
    /// Joints that share the turn of the limb above about its bone: twist joints, with the joint whose twist they share.
    pub twists: Vec<(JointIdx, JointIdx)>,
    /// What is not as in other people, and what was done instead.
    pub notes: Vec<String>,
}

impl RoleMap {
    /// What is known of a role.
    pub fn get(&self, role: Role) -> Option<&Assigned> {
        self.assigned.iter().find(|a| a.role == role)
    }

    /// The joints of a role, none where it is not there.
    pub fn joints(&self, role: Role) -> &[JointIdx] {
        self.get(role).map_or(&[], |a| &a.joints)
    }

    /// The first joint of a role.
    pub fn joint(&self, part: Part, side: RoleSide) -> Option<JointIdx> {
        self.joints(Role::of(part, side)).first().copied()
    }

    /// The first joint of a role of the trunk.
    pub fn trunk(&self, part: Part) -> Option<JointIdx> {
        self.joints(Role::trunk(part)).first().copied()
    }

    /// The role a joint has.
    pub fn role_of(&self, joint: JointIdx) -> Option<Role> {
        let has = |a: &&Assigned| a.joints.contains(&joint);
        self.assigned.iter().find(has).map(|a| a.role)
    }

    /// Thigh, shank and foot of a side, where all three are there and hang on one another.
    pub fn leg(&self, skeleton: &Skeleton, side: RoleSide) -> Option<[JointIdx; 3]> {
        let leg = [
            self.joint(Part::Thigh, side)?,
            self.joint(Part::Shank, side)?,
            self.joint(Part::Foot, side)?,
        ];
        hang(skeleton, leg).then_some(leg)
    }

    /// Upper arm, forearm and hand of a side, where all three are there and hang on one another.
    pub fn arm(&self, skeleton: &Skeleton, side: RoleSide) -> Option<[JointIdx; 3]> {
        let arm = [
            self.joint(Part::UpperArm, side)?,
            self.joint(Part::Forearm, side)?,
            self.joint(Part::Hand, side)?,
        ];
        hang(skeleton, arm).then_some(arm)
    }

    /// How sure the whole of it is: the mean over the roles that every person has, those missing counted as 0.
    pub fn confidence(&self) -> f64 {
        let needed = |r: &Role| !matches!(r.part, Part::Shoulder | Part::Toe | Part::Neck);
        let all: Vec<f64> = Role::all()
            .filter(needed)
            .map(|r| self.get(r).map_or(0.0, |a| a.confidence))
            .collect();
        all.iter().sum::<f64>() / all.len() as f64
    }

    pub(crate) fn put(&mut self, role: Role, joints: Vec<JointIdx>, confidence: f64, why: &str) {
        self.assigned.retain(|a| a.role != role);
        self.assigned.push(Assigned {
            role,
            joints,
            confidence,
            why: why.to_owned(),
        });
        self.assigned.sort_by_key(|a| a.role);
        self.assigned
            .sort_by_key(|a| Role::all().position(|r| r == a.role));
    }
}

fn hang(skeleton: &Skeleton, [a, b, c]: [JointIdx; 3]) -> bool {
    use gaitway_core::anatomy::is_at_or_below;
    is_at_or_below(skeleton, b, a) && is_at_or_below(skeleton, c, b)
}
