//! The last millimetres: feet planted as they are in any motion that is made, and arms that follow.
//!
//! Splines leave millimetres, and a foot that stood in the source may shuffle on another body where nothing was asked of it. Both are what footskate cleanup
//! takes out ([`gaitway_cleanup`]): it is given the contacts of the source, and looks for what stands beyond them on this body.

use gaitway_cleanup::{PlantOptions, SkipReason, plant_feet};
use gaitway_core::{Clip, ClipError};
use glam::DVec3;

use crate::body::Body;
use crate::roles::Part;
use crate::solve::{Constraint, SolveOptions, Target, Wish, freedoms, residuals, solve};

/// A motion with planted feet.
pub(crate) struct Planted {
    pub clip: Clip,
    /// What is held, as constraints.
    pub held: Vec<Constraint>,
    /// What was not, and why.
    pub notes: Vec<String>,
}

/// Plants feet; `None` where the body has none that could be.
pub(crate) fn plant(clip: &Clip, options: &PlantOptions) -> Result<Option<Planted>, ClipError> {
    let given = clip.contacts().filter(|c| !c.points().is_empty()).cloned();
    let bare = clip.clone().with_contacts(None)?;
    let options = PlantOptions {
        look_beyond_given: true,
        ..options.clone()
    };
    let planted = match plant_feet(&bare, given.as_ref(), &options) {
        Ok(planted) => planted,
        // Whoever cannot stand was told so when the contacts were looked for.
        Err(_) => return Ok(None),
    };
    let points = planted.clip.contacts().map_or(&[][..], |c| c.points());
    let held = planted.report.plants.iter().filter_map(|plant| {
        let point = points.iter().find(|p| p.name == plant.point)?.point;
        Some(Constraint {
            name: plant.point.clone(),
            frames: plant.start..plant.end,
            wish: Wish::At {
                point,
                target: Target::Place(DVec3::from(plant.place)),
            },
        })
    });
    let rate = clip.rate_hz();
    let long = planted
        .report
        .skipped
        .iter()
        .filter(|s| s.reason == SkipReason::Conflict);
    let notes = long.map(|s| {
        let (from, to) = (s.start as f64 / rate, s.end as f64 / rate);
        format!(
            "{} slips from {from:.2} to {to:.2} s: it is on its way to another place",
            s.point
        )
    });
    Ok(Some(Planted {
        held: held.collect(),
        notes: notes.collect(),
        clip: planted.clip,
    }))
}

/// Arms turned so that what hands were to keep holds again, everything else as it is.
pub(crate) fn arms(clip: Clip, body: &Body, wishes: &[Constraint]) -> Result<Clip, ClipError> {
    /// Nothing is left to do below this, millimetres.
    const THERE_MM: f64 = 0.1;
    /// Solves, at most.
    const ROUNDS: usize = 4;
    let left = residuals(&clip, wishes);
    if left.iter().all(|r| r.max_mm < THERE_MM) {
        return Ok(clip);
    }
    let arm = |joint| {
        let part = body.roles.role_of(joint).map(|r| r.part);
        matches!(part, Some(Part::UpperArm | Part::Forearm))
    };
    let mut free = freedoms(body, &clip, wishes);
    free.retain(|f| arm(f.joint));
    if free.is_empty() {
        return Ok(clip);
    }
    let mut options = SolveOptions {
        still_root: true,
        halvings: 3,
        slack: 1e-3,
        tolerance_m: 1e-4,
        ..SolveOptions::default()
    };
    let contacts = clip.contacts().cloned();
    let mut solved = clip;
    for _ in 0..ROUNDS {
        let (next, report) = solve(&solved, &free, wishes, &options);
        solved = next;
        if report.worst_mm < THERE_MM {
            break;
        }
        // What is left is asked for more firmly.
        options.slack *= 0.2;
    }
    solved.with_contacts(contacts)
}
