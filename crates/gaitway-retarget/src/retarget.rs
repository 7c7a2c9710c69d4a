//! One clip on another body, from mapping to the last millimetre.

use gaitway_cleanup::PlantOptions;
use gaitway_core::{Clip, ClipError, ContactTrack, JointIdx};

use crate::align::{Alignment, align};
use crate::body::Body;
use crate::copy::{CopyOptions, copy};
use crate::report::{Report, change, spread};
use crate::solve::{Constraint, Freedom, SolveOptions, Wish, freedoms, residuals, solve};
use crate::{finish, hands, plants};

/// How to retarget.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RetargetOptions {
    /// How to solve; `None` leaves the first guess as it is.
    pub solve: Option<SolveOptions>,
    /// What shall hold beside planted feet, on the target, in its own frames and metres.
    pub constraints: Vec<Constraint>,
    /// Feet are neither planted nor kept above the floor: only `constraints` hold.
    pub free_feet: bool,
    /// Hands that are together in the source are not kept so.
    pub free_hands: bool,
    /// How feet are planted to the last millimetre after the solve; `None` leaves what the splines leave.
    pub cleanup: Option<PlantOptions>,
}

impl RetargetOptions {
    /// With planted feet, as most people want it.
    pub fn planted() -> Self {
        Self {
            solve: Some(SolveOptions::default()),
            cleanup: Some(PlantOptions::default()),
            ..Self::default()
        }
    }
}

/// A clip on another body.
#[derive(Clone, Debug)]
pub struct Retargeted {
    /// The motion, with the contacts it was made to keep.
    pub clip: Clip,
    /// The first guess it began from.
    pub first: Clip,
    /// What it was made to keep.
    pub constraints: Vec<Constraint>,
    /// What was done.
    pub report: Report,
}

/// Puts a clip on another body.
///
/// # Errors
/// When arrays make no clip, which finite input does not.
pub fn retarget(
    clip: &Clip,
    source: &Body,
    target: &Body,
    options: &RetargetOptions,
) -> Result<Retargeted, ClipError> {
    let alignment = align(source, target);
    let stands = plants::stands(clip, source);
    let first = copy(
        clip,
        source,
        target,
        &alignment,
        &CopyOptions {
            floor: stands.floor,
        },
    )?;
    let mut notes = notes(source, target, &alignment);
    if alignment.same && options.constraints.is_empty() {
        notes.push("both bodies are the same: the motion is copied as it is".to_owned());
        let out = first.clone().with_contacts(clip.contacts().cloned())?;
        let made = Made {
            clip: out,
            first,
            feet: Vec::new(),
            rest: Vec::new(),
            free: Vec::new(),
            splines: [0.0; 2],
            steps: 0,
            solved: false,
        };
        return Ok(made.told(source, target, alignment, notes));
    }
    let by = plants::lift(&first, target, &stands, alignment.scale);
    let first = lifted(first, by)?;
    notes.extend(stands.note.clone());
    let (feet, contacts) = plants::constraints(&first, target, &stands, alignment.scale);
    let feet = if options.free_feet { Vec::new() } else { feet };
    let mut rest = options.constraints.clone();
    if options.solve.is_some() && !options.free_hands {
        let (kept, told) = hands::together(clip, source, target, alignment.scale);
        rest.extend(kept);
        notes.extend(told);
    }
    let mut made = make(first, target, feet, rest, options.solve.as_ref(), contacts)?;
    if let (Some(cleanup), true) = (&options.cleanup, made.solved && !options.free_feet) {
        notes.extend(made.finish(target, cleanup)?);
    }
    Ok(made.told(source, target, alignment, notes))
}

/// The first guess moved up or down so that soles stand.
fn lifted(clip: Clip, by: f64) -> Result<Clip, ClipError> {
    let mut parts = clip.into_parts();
    parts.root.iter_mut().for_each(|p| p.y += by);
    parts.build()
}

struct Made {
    clip: Clip,
    first: Clip,
    /// What feet and what else was made to keep.
    feet: Vec<Constraint>,
    rest: Vec<Constraint>,
    free: Vec<Freedom>,
    splines: [f64; 2],
    steps: usize,
    solved: bool,
}

fn make(
    first: Clip,
    target: &Body,
    feet: Vec<Constraint>,
    rest: Vec<Constraint>,
    options: Option<&SolveOptions>,
    contacts: ContactTrack,
) -> Result<Made, ClipError> {
    let all: Vec<Constraint> = feet.iter().chain(&rest).cloned().collect();
    let free = match options {
        Some(_) => freedoms(target, &first, &all),
        None => Vec::new(),
    };
    let (clip, left, steps) = match options {
        Some(options) => {
            let (solved, report) = solve(&first, &free, &all, options);
            (solved, report.constraints, report.steps)
        }
        None => (first.clone(), residuals(&first, &all), 0),
    };
    Ok(Made {
        clip: clip.with_contacts(Some(contacts))?,
        first,
        feet,
        rest,
        free,
        splines: spread(&left),
        steps,
        solved: options.is_some(),
    })
}

fn notes(source: &Body, target: &Body, alignment: &Alignment) -> Vec<String> {
    let named = |who: &str, b: &Body| -> Vec<String> {
        b.roles
            .notes
            .iter()
            .map(|n| format!("{who}: {n}"))
            .collect()
    };
    let mut out = named("source", source);
    out.extend(named("target", target));
    out.extend(alignment.notes.iter().cloned());
    out
}

impl Made {
    /// Plants feet to the last millimetre; what is then held is what was kept. Arms take out what the body's shift did to hands.
    fn finish(&mut self, target: &Body, cleanup: &PlantOptions) -> Result<Vec<String>, ClipError> {
        let Some(planted) = finish::plant(&self.clip, cleanup)? else {
            return Ok(Vec::new());
        };
        let floor = |c: &Constraint| matches!(c.wish, Wish::Above { .. });
        self.feet.retain(floor);
        self.feet.extend(planted.held);
        self.clip = finish::arms(planted.clip, target, &self.rest)?;
        Ok(planted.notes)
    }

    fn told(
        self,
        source: &Body,
        target: &Body,
        alignment: Alignment,
        notes: Vec<String>,
    ) -> Retargeted {
        let constraints: Vec<Constraint> = self.feet.into_iter().chain(self.rest).collect();
        let (before, after) = (
            residuals(&self.first, &constraints),
            residuals(&self.clip, &constraints),
        );
        let joints: Vec<JointIdx> = self.free.iter().map(|f| f.joint).collect();
        let mut left: Vec<_> = after.iter().filter(|r| r.max_mm > 0.1).cloned().collect();
        left.sort_by(|a, b| b.max_mm.total_cmp(&a.max_mm));
        let report = Report {
            roles: alignment.rows,
            source_confidence: source.roles.confidence(),
            target_confidence: target.roles.confidence(),
            source_rest: alignment.rest_from[0],
            target_rest: alignment.rest_from[1],
            notes,
            scale: alignment.scale,
            frames: self.clip.frame_count(),
            seconds: self.clip.seconds(),
            constraints: constraints.len(),
            before_mm: spread(&before),
            after_mm: spread(&after),
            splines_mm: self.splines,
            left,
            change: change(&self.first, &self.clip, &joints),
            steps: self.steps,
            times_real_time: None,
        };
        Retargeted {
            clip: self.clip,
            first: self.first,
            constraints,
            report,
        }
    }
}
