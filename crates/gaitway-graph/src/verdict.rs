//! Why each candidate is a transition of the graph, or why not.

use crate::account::{LostReason, Reach, reason};
use crate::cut::Cut;
use crate::label_index::LabelIndex;
use crate::select::{FORWARD, REVERSED, apply_contacts};
use crate::topology::kind;
use crate::{CandidateId, EdgeId, GraphError, MotionGraph};

/// What became of a candidate in one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// It is this edge.
    In(EdgeId),
    /// It lies above the threshold of its labels, given in centimetres.
    Above {
        /// The threshold.
        threshold_cm: f64,
    },
    /// The contact rule forbids it.
    Contacts,
    /// A better one lies within the thinning distance.
    Thinned,
    /// It was pruned, because the motion it leads to or comes from is lost.
    Pruned(LostReason),
}

/// The verdicts on all candidates, both ways.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdicts {
    both: Vec<[Verdict; 2]>,
}

impl Verdicts {
    /// From the candidate's first clip to its second.
    pub fn forward(&self, candidate: CandidateId) -> Verdict {
        self.both[candidate.index()][0]
    }

    /// From the second to the first.
    pub fn back(&self, candidate: CandidateId) -> Verdict {
        self.both[candidate.index()][1]
    }
}

impl MotionGraph {
    /// Works out what became of every candidate under the graph's thresholds.
    ///
    /// # Errors
    /// When contacts are needed and the file's frames are damaged.
    pub fn verdicts(&self) -> Result<Verdicts, GraphError> {
        let index = LabelIndex::new(&self.library.clips);
        let material = self.material(&index)?;
        let cut = Cut::new(
            &material,
            &self.thresholds,
            &self.options,
            self.labels.len(),
        )?;
        let mut allowed = cut.below.clone();
        apply_contacts(&material, self.options.contacts, &mut allowed)?;
        let mut both: Vec<[Verdict; 2]> = Vec::with_capacity(cut.below.len());
        for group in self.candidates.groups() {
            let (a, b) = (self.clip_info(group.a), self.clip_info(group.b));
            let range = group.start as usize..group.end as usize;
            let passed = cut.below[range.clone()].iter().zip(&allowed[range.clone()]);
            for (&[i, j], (&below, &allowed)) in self.candidates.frames[range].iter().zip(passed) {
                let (from, to) = (a.labels_at(i), b.labels_at(j));
                let first = |bit: u8, threshold_cm: f64| match (below & bit, allowed & bit) {
                    (0, _) => Verdict::Above { threshold_cm },
                    (_, 0) => Verdict::Contacts,
                    _ => Verdict::Thinned,
                };
                both.push([
                    first(FORWARD, self.thresholds.between(from, to)),
                    first(REVERSED, self.thresholds.between(to, from)),
                ]);
            }
        }
        let reach = Reach::new(&cut);
        let way = |how: u8| usize::from(matches!(how, kind::BLEND_BACK | kind::CUT_BACK));
        let at_candidate = |how: u8| !matches!(how, kind::PIECE | kind::END_CUT);
        for e in (0..cut.raw.edge_count()).filter(|&e| at_candidate(cut.raw.kinds[e])) {
            if !cut.pruned.keep[e] {
                both[cut.raw.candidates[e] as usize][way(cut.raw.kinds[e])] =
                    Verdict::Pruned(reason(&cut, &reach, e));
            }
        }
        for edge in self.edges() {
            let e = edge.index();
            if at_candidate(self.topology.kinds[e]) {
                both[self.topology.candidates[e] as usize][way(self.topology.kinds[e])] =
                    Verdict::In(edge);
            }
        }
        Ok(Verdicts { both })
    }
}
