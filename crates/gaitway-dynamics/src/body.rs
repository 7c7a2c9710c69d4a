//! A body with mass: the published table on any skeleton of a person.
//!
//! Roles (`gaitway-retarget`) say which joint is what and how the body stands; the table's segments are laid between the joints in that pose and go with them
//! from then on. What a rig does not have is not lost: hands without joints hang on forearms, a head on the trunk, and so on, each with a note.
//!
//! | not in the table | taken |
//! | --- | --- |
//! | C7 | on the line from the hips through the shoulders, by the table's own lengths |
//! | ankle in the foot | a quarter of the foot's length from the heel, where the rig has no point behind it |
//! | height of the foot's centre | half the ankle's |
//! | soles | as wide as 0.055 of the stature at the ball (Drillis and Contini 1966), 0.7 of that at the heel |
//! | what one sits on | 0.055 of the stature below the pelvis joint, 0.06 to either side, 0.05 to front and back |
//!
//! *Effort* is how much a joint's torque counts in what motion costs: 1 for each joint of a person. A spine or a neck of k joints counts as one, 1/k each, and
//! joints that only belong to a rig (twist joints, clavicles, stubs between pelvis and thigh, fingers) count 0, so that a motion costs the same on rigs with
//! more joints.

use std::sync::Arc;

use gaitway_core::{Clip, JointIdx, Skeleton};
use gaitway_retarget::Body;
use glam::DVec3;
use thiserror::Error;

use crate::part::Part;
use crate::segments::Builder;
use crate::table::{self, Sex};

/// Whose body it is, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MassOptions {
    /// Whose column of the table.
    pub sex: Sex,
    /// Metres; by default from the skeleton as it stands.
    pub stature: Option<f64>,
    /// Kilograms; by default what people of the table weigh at this stature (22.3 kg/m² times its square).
    pub mass: Option<f64>,
}

/// Why a skeleton cannot be given mass.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MassError {
    /// Two legs and a trunk are the least.
    #[error(
        "{what} was not found among the {joints} joints, neither by name nor by shape: give its roles (`Body::of_clip` takes them)"
    )]
    NoPerson {
        /// What is missing.
        what: &'static str,
        /// How many joints were looked at.
        joints: usize,
    },
    /// Stature or mass are no person's.
    #[error("a {what} of {value} is out of range ({least} to {most})")]
    OutOfRange {
        /// Which number.
        what: &'static str,
        /// What it is.
        value: f64,
        /// The least.
        least: f64,
        /// The most.
        most: f64,
    },
    /// The roles that were given do not fit.
    #[error("{0}")]
    Roles(String),
}

/// A point of the body where the world may push.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bearing {
    /// The joint it is fixed to.
    pub joint: JointIdx,
    /// Its place in that joint's frame, metres.
    pub place: DVec3,
}

/// The sole of a foot, heel and toe apart, since each bears while it stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sole {
    /// The joint the foot hangs on.
    pub ankle: Option<JointIdx>,
    /// Bears while the heel stands: its two corners.
    pub heel: Vec<Bearing>,
    /// Bears while the toe stands: both sides of the ball, and the tip.
    pub toe: Vec<Bearing>,
}

/// A skeleton with mass.
#[derive(Clone, Debug)]
pub struct MassBody {
    /// Its joints.
    pub skeleton: Arc<Skeleton>,
    /// What hangs on each joint.
    pub parts: Vec<Part>,
    /// How much each joint's squared torque counts: see the module.
    pub effort: Vec<f64>,
    /// The left and the right sole.
    pub soles: [Sole; 2],
    /// The joint that both legs hang on, and what of it bears on a seat.
    pub hips: JointIdx,
    /// Four points below the pelvis.
    pub seat: Vec<Bearing>,
    /// Metres.
    pub stature: f64,
    /// Kilograms, all parts together.
    pub mass: f64,
    /// What the rig lacks, and what was done instead.
    pub notes: Vec<String>,
}

/// What people may be; a child of 0.3 m to a giant of 3 m, and toys of clips in wrong units are refused.
const STATURE: [f64; 2] = [0.3, 3.5];
const MASS: [f64; 2] = [1.0, 500.0];

impl MassBody {
    /// The body of a clip.
    ///
    /// # Errors
    /// When it is not a person's, or stature and mass are not.
    pub fn of_clip(clip: &Clip, options: &MassOptions) -> Result<Self, MassError> {
        let body = Body::of_clip(clip, None).map_err(|e| MassError::Roles(e.to_string()))?;
        Self::of_body(&body, options)
    }

    /// The body whose roles and standing pose are known.
    ///
    /// # Errors
    /// When it is not a person's, or stature and mass are not.
    pub fn of_body(body: &Body, options: &MassOptions) -> Result<Self, MassError> {
        let mut builder = Builder::new(body, options.sex)?;
        let stature = match options.stature {
            Some(given) => given,
            None => builder.stature(),
        };
        within("stature", stature, STATURE)?;
        let by_stature = table::body_mass_index(options.sex) * stature * stature;
        let mass = options.mass.unwrap_or(by_stature);
        within("mass", mass, MASS)?;
        builder.lay_all(stature, mass);
        Ok(builder.finish(stature))
    }

    /// A body from its parts, for whoever knows them: every joint counts, and nothing bears.
    ///
    /// # Panics
    /// When there are not as many parts as joints.
    pub fn from_parts(skeleton: Arc<Skeleton>, parts: Vec<Part>) -> Self {
        assert_eq!(parts.len(), skeleton.joint_count(), "one part per joint");
        Self {
            effort: vec![1.0; parts.len()],
            mass: parts.iter().map(|p| p.mass).sum(),
            parts,
            skeleton,
            soles: [Sole::default(), Sole::default()],
            hips: JointIdx::ROOT,
            seat: Vec::new(),
            stature: 0.0,
            notes: Vec::new(),
        }
    }
}

fn within(what: &'static str, value: f64, [least, most]: [f64; 2]) -> Result<(), MassError> {
    if (least..=most).contains(&value) {
        Ok(())
    } else {
        Err(MassError::OutOfRange {
            what,
            value,
            least,
            most,
        })
    }
}
