//! What is asked for: which motion, and how it is changed on the body.

use glam::DVec3;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::error::{ApiError, ApiResult};
use crate::state::{Drag, Motion, Shape};

/// What is put on the character.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct OnParams {
    /// A clip, by id.
    pub clip: Option<String>,
    /// Or a result, by id.
    pub result: Option<String>,
    /// Which of the result's motions; the first unless given.
    pub member: Option<usize>,
    /// Times as tall as the body is; 1 unless given.
    pub taller: Option<f64>,
    /// Legs times as long.
    pub legs: Option<f64>,
    /// Arms times as long.
    pub arms: Option<f64>,
    /// Joints dragged to places at times, in metres of the motion: `RightHand@1.2=0.4,1.3,2`, several with `;` between them.
    pub drags: Option<String>,
}

impl OnParams {
    /// The motion.
    ///
    /// # Errors
    /// When neither or both are named.
    pub fn motion(&self) -> ApiResult<Motion> {
        match (&self.clip, &self.result) {
            (Some(clip), None) => Ok(Motion::Clip(clip.clone())),
            (None, Some(result)) => Ok(Motion::Result(result.clone(), self.member.unwrap_or(0))),
            _ => Err(ApiError::bad("expected a clip or a result")
                .field("clip")
                .hint("clip=ID of the library, or result=ID with member=N")),
        }
    }
}

/// The least and the most that lengths may be changed by.
const LENGTHS: std::ops::RangeInclusive<f64> = 0.5..=2.0;
/// The most joints that are dragged.
const MOST_DRAGS: usize = 64;

impl OnParams {
    /// How it is changed.
    ///
    /// # Errors
    /// When a number cannot be.
    pub fn shape(&self) -> ApiResult<Shape> {
        let times = |name: &str, value: Option<f64>| match value {
            None => Ok(1.0),
            Some(value) if LENGTHS.contains(&value) => Ok(value),
            Some(value) => Err(ApiError::bad(format!("{value} is not between 0.5 and 2"))
                .field(name)
                .hint("times as long as it is: 1.1 is a tenth longer")),
        };
        let texts = self.drags.as_deref().unwrap_or("").split(';');
        let drags = texts.filter(|t| !t.is_empty()).map(drag);
        let drags = drags.collect::<ApiResult<Vec<Drag>>>()?;
        if drags.len() > MOST_DRAGS {
            return Err(ApiError::bad(format!("at most {MOST_DRAGS} drags at once")).field("drags"));
        }
        Ok(Shape {
            taller: times("taller", self.taller)?,
            legs: times("legs", self.legs)?,
            arms: times("arms", self.arms)?,
            drags,
        })
    }
}

/// As `edit --drag` has it.
fn drag(text: &str) -> ApiResult<Drag> {
    let wrong = || {
        ApiError::bad("expected JOINT@SECONDS=X,Y,Z")
            .field("drags")
            .hint("a joint or a role, a time, a place in metres: RightHand@1.2=0.4,1.3,2")
    };
    let (joint, rest) = text.rsplit_once('@').ok_or_else(wrong)?;
    let (time, place) = rest.split_once('=').ok_or_else(wrong)?;
    let number = |t: &str| t.trim().parse::<f64>().ok().filter(|n| n.is_finite());
    let place: Vec<f64> = place.split(',').filter_map(number).collect();
    let (&[x, y, z], Some(at_s)) = (&place[..], number(time)) else {
        return Err(wrong());
    };
    if joint.trim().is_empty() || rest.split(',').count() != 3 {
        return Err(wrong());
    }
    Ok(Drag {
        joint: joint.trim().to_owned(),
        at_s,
        place: DVec3::new(x, y, z),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drags_are_read_as_the_command_line_has_them() {
        let read = drag("RightHand@1.2=0.4,1.3,-2").expect("a drag");
        assert_eq!((read.joint.as_str(), read.at_s), ("RightHand", 1.2));
        assert_eq!(read.place, DVec3::new(0.4, 1.3, -2.0));
        assert_eq!(drag("a@b@1=1,2,3").expect("a drag").joint, "a@b");
        for wrong in [
            "",
            "x",
            "x@1",
            "x@1=1,2",
            "x@1=1,2,3,4",
            "@1=1,2,3",
            "x@y=1,2,3",
            "x@1=1,,3",
            "x@1=1,nan,3",
        ] {
            assert!(drag(wrong).is_err(), "{wrong}");
        }
    }
}
