//! Why each candidate is a transition of the graph, or why not, and what transition it is or would be.

use gaitway_core::Planar;

use crate::account::{LostReason, Reach, reason};
use crate::build::draft::Draft;
use crate::build::end_cuts::{self, boundaries, fade};
use crate::build::label_index::LabelIndex;
use crate::build::options::{ContactRule, Transitions};
use crate::build::rethreshold::fade_frames;
use crate::build::select::{ContactStates, FORWARD, Material, REVERSED, apply_contacts};
use crate::model::topology::{Transition, TransitionKind, Via, kind};
use crate::{CandidateId, ClipId, EdgeId, EndCandidateId, GraphError, MotionGraph};

/// What became of a candidate in one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// It is this edge.
    In(EdgeId),
    /// It lies above the threshold it is held to, given in centimetres: that of its labels, and near an end a stricter one
    /// (see [`MotionGraph::end_threshold_cm`]).
    Above {
        /// The threshold.
        threshold_cm: f64,
    },
    /// The contact rule forbids it.
    Contacts,
    /// A cut there would be seen: it would turn a joint faster, or jerk it harder, than the clips do.
    Fast,
    /// A better one lies within the thinning distance.
    Thinned,
    /// It was pruned, because the motion it leads to or comes from is lost.
    Pruned(LostReason),
}

/// The verdicts on all candidates, both ways, and on those near the ends of clips, which have one.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdicts {
    both: Vec<[Verdict; 2]>,
    ends: Vec<Verdict>,
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

    /// On a candidate near an end, from the clip left to the clip entered.
    pub fn end(&self, candidate: EndCandidateId) -> Verdict {
        self.ends[candidate.index()]
    }
}

impl MotionGraph {
    /// Works out what became of every candidate under the graph's thresholds.
    ///
    /// # Errors
    /// When frames are needed, for contacts or for cuts, and the file's are damaged.
    pub fn verdicts(&self) -> Result<Verdicts, GraphError> {
        let index = LabelIndex::new(&self.library.clips);
        let material = self.material(&index)?;
        let draft = Draft::new(&material, &self.thresholds, &self.options, &self.labels)?;
        let mut both = self.sieved(&material, &draft)?;
        let mut ends = self.sieved_ends(&material, &draft)?;
        let reach = Reach::new(&draft);
        let mut put = |how: u8, candidate: u32, verdict: Verdict| match how {
            kind::PIECE => {}
            kind::END_CUT => ends[candidate as usize] = verdict,
            kind::BLEND_BACK | kind::CUT_BACK => both[candidate as usize][1] = verdict,
            _ => both[candidate as usize][0] = verdict,
        };
        for e in (0..draft.raw.edge_count()).filter(|&e| !draft.pruned.keep[e]) {
            let verdict = Verdict::Pruned(reason(&draft, &reach, e));
            put(draft.raw.kinds[e], draft.raw.candidates[e], verdict);
        }
        for edge in self.edges() {
            let e = edge.index();
            let (how, candidate) = (self.topology.kinds[e], self.topology.candidates[e]);
            put(how, candidate, Verdict::In(edge));
        }
        Ok(Verdicts { both, ends })
    }

    /// The first sieve each candidate falls through; thinning for those that pass all others.
    fn sieved(
        &self,
        material: &Material<'_>,
        draft: &Draft,
    ) -> Result<Vec<[Verdict; 2]>, GraphError> {
        let mut allowed = draft.below.clone();
        apply_contacts(material, self.options.contacts, &mut allowed)?;
        let mut calm = allowed.clone();
        if material.transitions == Transitions::Cut {
            end_cuts::forbid_fast(material, &mut calm)?;
        }
        let mut both = Vec::with_capacity(draft.below.len());
        for group in self.candidates.groups() {
            let (a, b) = (self.clip_info(group.a), self.clip_info(group.b));
            for k in group.start as usize..group.end as usize {
                let [i, j] = self.candidates.frames[k];
                let (from, to) = (a.labels_at(i), b.labels_at(j));
                let first = |bit: u8, threshold_cm: f64| {
                    if draft.below[k] & bit == 0 {
                        Verdict::Above { threshold_cm }
                    } else if allowed[k] & bit == 0 {
                        Verdict::Contacts
                    } else if calm[k] & bit == 0 {
                        Verdict::Fast
                    } else {
                        Verdict::Thinned
                    }
                };
                both.push([
                    first(FORWARD, self.thresholds.between(from, to)),
                    first(REVERSED, self.thresholds.between(to, from)),
                ]);
            }
        }
        Ok(both)
    }

    /// The same for candidates near ends. Those whose cuts would be seen never came into the table.
    fn sieved_ends(
        &self,
        material: &Material<'_>,
        draft: &Draft,
    ) -> Result<Vec<Verdict>, GraphError> {
        let rule = self.options.contacts;
        let states = match rule {
            ContactRule::Any => None,
            _ => Some(ContactStates::new(material)?),
        };
        let mut ends = Vec::with_capacity(self.ends.len());
        for group in self.ends.groups() {
            for k in group.start..group.end {
                let [i, j] = self.ends.frames[k as usize];
                let meet = |s: &ContactStates| s.allow(rule, (group.a, i), (group.b, j), self.half);
                ends.push(
                    if draft.below_ends.get(k as usize).is_none_or(|&b| b == 0) {
                        let threshold_cm = self.end_threshold_cm(EndCandidateId(k));
                        Verdict::Above { threshold_cm }
                    } else if !states.as_ref().is_none_or(meet) {
                        Verdict::Contacts
                    } else {
                        Verdict::Thinned
                    },
                );
            }
        }
        Ok(ends)
    }

    /// The threshold in centimetres that √D of a candidate near an end is held to: that of its labels times √(n / (2L + 1)),
    /// where n of the 2L + 1 frames of a whole window could be compared.
    pub fn end_threshold_cm(&self, candidate: EndCandidateId) -> f64 {
        let (group, c) = (self.ends.group_of(candidate), self.ends.get(candidate));
        let (from, to) = (self.clip_info(group.a), self.clip_info(group.b));
        let whole = self
            .thresholds
            .between(from.labels_at(c.i), to.labels_at(c.j));
        whole * (f64::from(c.frames) / f64::from(2 * self.half + 1)).sqrt()
    }

    /// The cut that a candidate near an end is, or would be.
    ///
    /// # Errors
    /// When the options say no possible fade.
    pub fn end_transition(&self, candidate: EndCandidateId) -> Result<Transition, GraphError> {
        let (group, c) = (self.ends.group_of(candidate), self.ends.get(candidate));
        let own = self.ends.own_fade(candidate.index());
        let (leaves, enters) = match own {
            Some(_) => (c.i, c.j),
            None => boundaries([c.i, c.j], self.clip_info(group.a).working_frames()),
        };
        Ok(Transition {
            kind: TransitionKind::Cut,
            via: Via::End(candidate),
            from_clip: group.a,
            from_frame: leaves,
            to_clip: group.b,
            to_frame: enters,
            frames: match own {
                Some(frames) => frames,
                None => self.fade_into(group.b, enters)?,
            },
            distance_m2: c.distance_m2,
            before_from_after: Planar::new(c.theta, c.x0, c.z0),
        })
    }

    /// How a transition that meets a clip at a frame with a whole window around it gets there, and the working frames it lasts: a
    /// blend, or a cut where the graph has nothing else.
    ///
    /// # Errors
    /// When the options say no possible fade.
    pub fn transition_kind_at(
        &self,
        clip: ClipId,
        frame: u32,
    ) -> Result<(TransitionKind, u32), GraphError> {
        Ok(match self.options.transitions {
            Transitions::Cut => (TransitionKind::Cut, self.fade_into(clip, frame)?),
            Transitions::Auto | Transitions::Blend => (TransitionKind::Blend, 2 * self.half + 1),
        })
    }

    fn fade_into(&self, clip: ClipId, enters: u32) -> Result<u32, GraphError> {
        let frames = self.clip_info(clip).working_frames();
        Ok(fade(enters, frames, fade_frames(&self.options)?))
    }
}
