//! Which candidates become transitions, and in which direction.
//!
//! Three sieves in a row: the threshold of the ordered label pair at the two middle frames; the contact rule;
//! and thinning, which keeps the best of transitions that lie within a few frames of each other. Thinning is
//! greedy by distance: a candidate falls only to a better one that itself stays, in the same direction, and
//! carries at least its labels, so thinning never takes a label's way away.

use rayon::prelude::*;

use std::sync::Arc;

use crate::build::label_index::LabelIndex;
use crate::build::options::{ContactRule, Transitions};
use crate::build::thresholds::ThresholdMatrix;
use crate::model::candidates::{CandidateTable, EndTable};
use crate::model::clip_info::ClipInfo;
use crate::model::library::Library;
use crate::{ClipId, GraphError, LabelSet};

/// From the candidate's first clip to its second.
pub(crate) const FORWARD: u8 = 1;
/// From the second to the first.
pub(crate) const REVERSED: u8 = 2;

/// What a graph is cut from: all that does not change with thresholds.
#[derive(Clone, Copy)]
pub(crate) struct Material<'a> {
    pub clips: &'a [ClipInfo],
    pub candidates: &'a CandidateTable,
    pub ends: &'a EndTable,
    pub index: &'a LabelIndex,
    pub half: u32,
    pub library: &'a Arc<Library>,
    pub transitions: Transitions,
    /// Working frames a cut's displacement lasts at most.
    pub fade: u32,
}

/// The directions every candidate passes by threshold alone.
pub(crate) fn below_threshold(material: &Material<'_>, matrix: &ThresholdMatrix) -> Vec<u8> {
    let limits = material.index.limits(matrix);
    let table = material.candidates;
    let (distances, frames): (&[f64], &[[u32; 2]]) = (&table.distances, &table.frames);
    let mut pass = vec![0; table.len()];
    for group in table.groups() {
        let (a0, b0) = (material.index.at(group.a, 0), material.index.at(group.b, 0));
        for k in group.start as usize..group.end as usize {
            let [i, j] = frames[k];
            let d = distances[k];
            let forward = u8::from(d <= limits.m2(a0 + i, b0 + j)) * FORWARD;
            let back = u8::from(d <= limits.m2(b0 + j, a0 + i)) * REVERSED;
            pass[k] = forward | back;
        }
    }
    pass
}

/// Takes away what the contact rule forbids.
pub(crate) fn apply_contacts(
    material: &Material<'_>,
    rule: ContactRule,
    pass: &mut [u8],
) -> Result<(), GraphError> {
    if rule == ContactRule::Any {
        return Ok(());
    }
    let states = ContactStates::new(material)?;
    for group in material.candidates.groups() {
        for (k, pass) in pass
            .iter_mut()
            .enumerate()
            .take(group.end as usize)
            .skip(group.start as usize)
        {
            let [i, j] = material.candidates.frames[k];
            if !states.allow(rule, (group.a, i), (group.b, j), material.half) {
                *pass = 0;
            }
        }
    }
    Ok(())
}

/// Contact states per clip and working frame, in bits that mean the same in every clip.
pub(crate) struct ContactStates {
    clips: Vec<Vec<u64>>,
}

impl ContactStates {
    pub fn new(material: &Material<'_>) -> Result<Self, GraphError> {
        let lists = &material.library.contact_points;
        let mut names: Vec<&str> = lists.iter().flatten().map(|p| p.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let bit = |name: &str| names.iter().position(|n| *n == name).filter(|&k| k < 64);
        let of = |(k, clip): (usize, &ClipInfo)| -> Result<Vec<u64>, GraphError> {
            let source = material.library.source(ClipId(k as u32))?;
            let Some(points) = source.contact_points() else {
                return Ok(vec![0; clip.working_frames as usize]);
            };
            let bits: Vec<Option<usize>> = points.iter().map(|p| bit(&p.name)).collect();
            let state = |frame: u32| {
                let mask = source.contact_mask(clip.source_frame(frame));
                let set = bits.iter().enumerate().filter(|(k, _)| mask >> k & 1 == 1);
                set.fold(0, |state, (_, bit)| state | bit.map_or(0, |b| 1_u64 << b))
            };
            Ok((0..clip.working_frames).map(state).collect())
        };
        let clips = material.clips.iter().enumerate().map(of);
        Ok(Self {
            clips: clips.collect::<Result<_, _>>()?,
        })
    }

    /// Whether a rule lets two frames meet.
    pub fn allow(&self, rule: ContactRule, a: (ClipId, u32), b: (ClipId, u32), half: u32) -> bool {
        match rule {
            ContactRule::Any => true,
            ContactRule::Same => self.at(a.0, a.1) == self.at(b.0, b.1),
            ContactRule::Change => self.change_alike(a, b, half),
        }
    }

    fn at(&self, clip: ClipId, frame: u32) -> u64 {
        self.clips[clip.index()][frame as usize]
    }

    /// Whether both clips change from one state to the same other within a third of the half window.
    fn change_alike(&self, a: (ClipId, u32), b: (ClipId, u32), half: u32) -> bool {
        let reach = half.div_ceil(3).max(1);
        let changes = |(clip, frame): (ClipId, u32)| {
            let states = &self.clips[clip.index()];
            let last = (frame + reach).min(states.len() as u32 - 1);
            let near = frame.saturating_sub(reach)..last;
            near.map(move |f| (states[f as usize], states[f as usize + 1]))
                .filter(|(before, after)| before != after)
        };
        changes(a).any(|change| changes(b).any(|other| other == change))
    }
}

/// Keeps the best of candidates within `window` frames of each other on both axes.
pub(crate) fn thin(material: &Material<'_>, labels: &[LabelSet], window: u32, pass: &mut [u8]) {
    if window == 0 {
        return;
    }
    // Clip pairs do not touch one another: each thread takes some of them, with their part of the answer.
    let mut rest = pass;
    let mut work = Vec::with_capacity(material.candidates.pairs.len());
    for group in material.candidates.groups() {
        let (mine, others) = rest.split_at_mut((group.end - group.start) as usize);
        work.push((group, mine));
        rest = others;
    }
    work.into_par_iter()
        .for_each_init(ThinScratch::default, |scratch, (group, pass)| {
            let range = group.start as usize..group.end as usize;
            let frames = &material.candidates.frames[range.clone()];
            let distances = &material.candidates.distances[range.clone()];
            scratch.thin(frames, distances, &labels[range], window, pass);
        });
}

#[derive(Default)]
pub(crate) struct ThinScratch {
    /// Candidates of the group that pass, best first: D's bits and place.
    order: Vec<(u64, u32)>,
    /// First passing candidate of each row i from the group's first row on.
    rows: Vec<u32>,
    kept: Vec<u8>,
}

impl ThinScratch {
    /// Thins the candidates of one clip pair, sorted by (i, j).
    pub fn thin(
        &mut self,
        frames: &[[u32; 2]],
        distances: &[f64],
        labels: &[LabelSet],
        window: u32,
        pass: &mut [u8],
    ) {
        self.order.clear();
        // D is never negative, so its bits sort as it does.
        let passing = (0..frames.len()).filter(|&k| pass[k] != 0);
        self.order
            .extend(passing.map(|k| (distances[k].to_bits(), k as u32)));
        if self.order.len() < 2 {
            return;
        }
        self.order.sort_unstable();
        self.fill_rows(frames);
        self.kept.clear();
        self.kept.resize(frames.len(), 0);
        let first_row = frames[0][0];
        for &(_, k) in &self.order {
            let k = k as usize;
            let ([i, j], mut mine) = (frames[k], pass[k]);
            let low = i.saturating_sub(window).max(first_row) - first_row;
            let high = (i + window - first_row + 1).min(self.rows.len() as u32 - 1);
            for row in low..high {
                let (from, to) = (
                    self.rows[row as usize] as usize,
                    self.rows[row as usize + 1] as usize,
                );
                let skip = frames[from..to].partition_point(|f| f[1] + window < j);
                for n in from + skip..to {
                    if frames[n][1] > j + window {
                        break;
                    }
                    if self.kept[n] != 0 && labels[n].includes(labels[k]) {
                        mine &= !self.kept[n];
                    }
                }
            }
            self.kept[k] = mine;
        }
        pass.copy_from_slice(&self.kept);
    }

    fn fill_rows(&mut self, frames: &[[u32; 2]]) {
        let (first, last) = (frames[0][0], frames[frames.len() - 1][0]);
        self.rows.clear();
        self.rows.resize((last - first) as usize + 2, 0);
        for f in frames {
            self.rows[(f[0] - first) as usize + 1] += 1;
        }
        for r in 1..self.rows.len() {
            self.rows[r] += self.rows[r - 1];
        }
    }
}

/// The labels each candidate's transitions carry, the same in both directions; empty where it does not pass.
pub(crate) fn transition_labels(material: &Material<'_>, pass: &[u8]) -> Vec<LabelSet> {
    let mut labels = vec![LabelSet::EMPTY; pass.len()];
    for group in material.candidates.groups() {
        let (a0, b0) = (material.index.at(group.a, 0), material.index.at(group.b, 0));
        for k in group.start as usize..group.end as usize {
            if pass[k] != 0 {
                let [i, j] = material.candidates.frames[k];
                labels[k] = material.index.transition(a0 + i, b0 + j, material.half);
            }
        }
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// By the definition: what fell has a better neighbour that stays and carries its labels; what stays has none.
        #[test]
        fn thinning_keeps_the_best(
            mut rows in prop::collection::vec((0_u32..30, 0_u32..30, 0_u32..50, 0_u8..4, 0_u8..4), 1..80),
            window in 1_u32..5,
        ) {
            rows.sort_unstable();
            rows.dedup_by_key(|r| (r.0, r.1));
            let frames: Vec<[u32; 2]> = rows.iter().map(|r| [r.0, r.1]).collect();
            let distances: Vec<f64> = rows.iter().map(|r| f64::from(r.2)).collect();
            let labels: Vec<LabelSet> = rows.iter().map(|r| LabelSet(u128::from(r.3))).collect();
            let before: Vec<u8> = rows.iter().map(|r| r.4).collect();
            let mut after = before.clone();
            ThinScratch::default().thin(&frames, &distances, &labels, window, &mut after);
            for direction in [FORWARD, REVERSED] {
                for k in (0..rows.len()).filter(|&k| before[k] & direction != 0) {
                    let beaten = (0..rows.len()).any(|n| {
                        let near = frames[n][0].abs_diff(frames[k][0]) <= window && frames[n][1].abs_diff(frames[k][1]) <= window;
                        let better = (distances[n], n) < (distances[k], k);
                        near && better && after[n] & direction != 0 && labels[n].includes(labels[k])
                    });
                    prop_assert_eq!(after[k] & direction != 0, !beaten);
                }
            }
            prop_assert!((0..rows.len()).all(|k| after[k] & !before[k] == 0));
        }
    }
}
