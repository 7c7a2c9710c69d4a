//! Cuts near the ends of clips: which of their candidates become edges, and what those edges are.
//!
//! A candidate says that frame i of the clip left and frame j of the clip entered are the same moment. The clip left plays up to
//! boundary i and the other on from boundary j; where i is the last frame, up to the clip's very end, and on from j + 1. The
//! edge plays the first frames of the clip entered, as long as the displacement lasts: `fade`, or all of a clip that is shorter, but
//! never less than [`LEAST_FADE_S`]. A clip is not entered so late that the displacement would have to hurry: whoever cuts
//! into the last quarter of a second of a clip must cut out of it again, and a few small cuts in half a second are one large one.

use std::sync::Arc;

use gaitway_core::Planar;
use gaitway_metric::EndPair;
use rayon::prelude::*;

use crate::build::displacement::{Scratch, Turning};
use crate::build::options::{BuildOptions, ContactRule};
use crate::build::rethreshold::fade_frames;
use crate::build::select::{ContactStates, FORWARD, Material, REVERSED, ThinScratch};
use crate::build::thresholds::ThresholdMatrix;
use crate::model::library::Library;
use crate::{CandidateId, ClipId, GraphError, LabelSet};

/// A displacement that fades faster than this shows, in seconds.
pub(crate) const LEAST_FADE_S: f64 = 0.2;

/// Working frames that both clips must have around a cut.
pub(crate) const LEAST_SEEN: u32 = 3;

/// Working frames of the shortest fade at a rate.
pub(crate) fn least_fade(fps: f64) -> u32 {
    ((LEAST_FADE_S * fps).round() as u32).max(1)
}

/// Leaves out candidates whose cuts would have to fade too fast, or would turn a joint faster than the clips do. They would under
/// every threshold, so they are no candidates.
pub(crate) fn drop_hasty(
    library: &Arc<Library>,
    options: &BuildOptions,
    rows: &[usize],
    pairs: &mut [EndPair],
) -> Result<(), GraphError> {
    let turning = Turning::new(library)?;
    let longest = fade_frames(options)?;
    pairs
        .par_iter_mut()
        .for_each_init(Scratch::default, |scratch, pair| {
            let (from, to) = (rows[pair.from], rows[pair.to]);
            let (a, b) = (&library.clips[from], &library.clips[to]);
            pair.candidates.retain(|c| {
                let (leaves, enters) = boundaries([c.i, c.j], a.working_frames);
                let fade = fade(enters, b.working_frames, longest);
                let whole = fade == longest || b.working_frames <= longest;
                whole
                    && turning.allows(
                        (ClipId(from as u32), a.source_boundary(leaves)),
                        (ClipId(to as u32), b.source_boundary(enters)),
                        Planar::new(c.theta, c.x0, c.z0),
                        b.seconds_between(enters, enters + fade),
                        scratch,
                    )
            });
        });
    Ok(())
}

/// Takes away the directions in which a cut at a candidate would turn a joint faster than the clips do.
pub(crate) fn forbid_fast(material: &Material<'_>, pass: &mut [u8]) -> Result<(), GraphError> {
    let turning = Turning::new(material.library)?;
    let mut scratch = Scratch::default();
    for group in material.candidates.groups() {
        for k in group.start..group.end {
            let c = material.candidates.get(CandidateId(k));
            let onto = Planar::new(c.theta, c.x0, c.z0);
            for (bit, from, i, to, j, onto) in [
                (FORWARD, group.a, c.i, group.b, c.j, onto),
                (REVERSED, group.b, c.j, group.a, c.i, onto.inverse()),
            ] {
                if pass[k as usize] & bit == 0 {
                    continue;
                }
                let (a, b) = (&material.clips[from.index()], &material.clips[to.index()]);
                let fade = fade(j, b.working_frames, material.fade);
                let allowed = turning.allows(
                    (from, a.source_boundary(i)),
                    (to, b.source_boundary(j)),
                    onto,
                    b.seconds_between(j, j + fade),
                    &mut scratch,
                );
                if !allowed {
                    pass[k as usize] &= !bit;
                }
            }
        }
    }
    Ok(())
}

/// A cut that is an edge of the whole graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct EndCut {
    /// In the table of ends.
    pub candidate: u32,
    pub from: ClipId,
    /// Boundary at which it leaves.
    pub leaves: u32,
    pub to: ClipId,
    /// Boundary at which it enters.
    pub enters: u32,
    /// Working frames its displacement lasts: the edge's length.
    pub frames: u32,
    pub labels: LabelSet,
}

/// Boundaries left and entered of a candidate (i, j).
pub(crate) fn boundaries([i, j]: [u32; 2], frames_left: u32) -> (u32, u32) {
    if i + 1 == frames_left {
        (i + 1, j + 1)
    } else {
        (i, j)
    }
}

/// How long a cut entered at a boundary fades.
pub(crate) fn fade(enters: u32, frames_entered: u32, longest: u32) -> u32 {
    longest.min(frames_entered - enters)
}

/// The end cuts below their thresholds, one bit as for candidates.
pub(crate) fn below_threshold(material: &Material<'_>, matrix: &ThresholdMatrix) -> Vec<u8> {
    let limits = material.index.limits(matrix);
    let mut pass = vec![0; material.ends.len()];
    for group in material.ends.groups() {
        let (a0, b0) = (material.index.at(group.a, 0), material.index.at(group.b, 0));
        let range = group.start as usize..group.end as usize;
        for (k, pass) in range.clone().zip(&mut pass[range]) {
            let [i, j] = material.ends.frames[k];
            let judged = material.ends.judged_m2(k, material.half);
            *pass = u8::from(judged <= limits.m2(a0 + i, b0 + j)) * FORWARD;
        }
    }
    pass
}

/// The cuts that candidates below threshold become: those the contact rule allows, the best of near ones.
pub(crate) fn select(
    material: &Material<'_>,
    below: &[u8],
    rule: ContactRule,
    thin: u32,
) -> Result<Vec<EndCut>, GraphError> {
    let mut pass = below.to_vec();
    let cuts: Vec<EndCut> = all(material);
    if rule != ContactRule::Any {
        let states = ContactStates::new(material)?;
        for cut in &cuts {
            let [i, j] = material.ends.frames[cut.candidate as usize];
            if !states.allow(rule, (cut.from, i), (cut.to, j), material.half) {
                pass[cut.candidate as usize] = 0;
            }
        }
    }
    let allowed = pass.clone();
    let reach_ends = material.transitions.reach_ends();
    for (k, pass) in pass.iter_mut().enumerate() {
        if material.ends.own_fade(k).is_some() {
            *pass = 0;
        }
    }
    if thin > 0 {
        let labels: Vec<LabelSet> = cuts.iter().map(|c| c.labels).collect();
        let mut rest = &mut pass[..];
        let mut work = Vec::with_capacity(material.ends.pairs.len());
        for group in material.ends.groups() {
            let (mine, others) = rest.split_at_mut((group.end - group.start) as usize);
            work.push((group, mine));
            rest = others;
        }
        work.into_par_iter()
            .for_each_init(ThinScratch::default, |scratch, (group, pass)| {
                let range = group.start as usize..group.end as usize;
                let judged: Vec<f64> = range
                    .clone()
                    .map(|k| material.ends.judged_m2(k, material.half))
                    .collect();
                let frames = &material.ends.frames[range.clone()];
                scratch.thin(frames, &judged, &labels[range], thin, pass);
            });
    }
    // Cuts with a length of their own were chosen one by one: none stands for another.
    let own = |c: &EndCut| material.ends.own_fade(c.candidate as usize).is_some();
    Ok(cuts
        .into_iter()
        .filter(|c| match own(c) {
            true => allowed[c.candidate as usize] != 0,
            false => reach_ends && pass[c.candidate as usize] != 0,
        })
        .collect())
}

/// Every candidate as the cut it would be, in order.
fn all(material: &Material<'_>) -> Vec<EndCut> {
    let mut out = Vec::with_capacity(material.ends.len());
    for group in material.ends.groups() {
        let left = material.clips[group.a.index()].working_frames;
        let entered = material.clips[group.b.index()].working_frames;
        for k in group.start..group.end {
            let own = material.ends.own_fade(k as usize).is_some();
            let (leaves, enters) = match own {
                // Where a whole window was seen nothing is known only by what comes before.
                true => material.ends.frames[k as usize].into(),
                false => boundaries(material.ends.frames[k as usize], left),
            };
            let frames = material
                .ends
                .own_fade(k as usize)
                .unwrap_or_else(|| fade(enters, entered, material.fade));
            out.push(EndCut {
                candidate: k,
                from: group.a,
                leaves,
                to: group.b,
                enters,
                frames,
                labels: material
                    .index
                    .stretch(material.index.at(group.b, enters), frames),
            });
        }
    }
    out
}
