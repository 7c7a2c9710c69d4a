//! The cheapest candidates above threshold that would bring lost motion back.
//!
//! What cannot be left needs a way out: a candidate that leaves the lost clip after the lost part begins and enters
//! kept motion. What cannot be entered needs a way in: one that leaves kept motion and enters the lost clip before the
//! lost part ends. One pass over all candidates serves all rows.

use crate::account::{LostReason, Reconnect, stretches};
use crate::build::draft::Draft;
use crate::build::select::{FORWARD, Material, REVERSED};
use crate::{CandidateId, ClipId, MotionGraph};

/// How many are told per row, each to another clip.
const TOLD: usize = 3;

/// A row that asks for help.
pub(crate) struct Wanted {
    pub clip: ClipId,
    pub reason: LostReason,
    /// Boundaries around the lost pieces.
    pub start: u32,
    pub end: u32,
}

impl Wanted {
    fn out(&self) -> bool {
        matches!(
            self.reason,
            LostReason::DeadEnd
                | LostReason::Sink
                | LostReason::Island
                | LostReason::NoCandidate
                | LostReason::Far
        )
    }

    fn entry(&self) -> bool {
        matches!(
            self.reason,
            LostReason::NoEntry | LostReason::Island | LostReason::NoCandidate | LostReason::Far
        )
    }
}

/// One way from a clip to another.
#[derive(Clone, Copy)]
struct Link {
    distance_m2: f64,
    candidate: u32,
    other: ClipId,
    /// Middle frames in the clip left and the clip entered.
    from: u32,
    to: u32,
    out: bool,
}

/// For every wanted row, its cheapest candidates, best first.
pub(crate) fn cheapest(
    graph: &MotionGraph,
    material: &Material<'_>,
    draft: &Draft,
    wanted: &[Wanted],
) -> Vec<Vec<Reconnect>> {
    let kept = KeptStretches::new(material, draft);
    let mut rows_of: Vec<Vec<usize>> = vec![Vec::new(); material.clips.len()];
    wanted
        .iter()
        .enumerate()
        .for_each(|(row, w)| rows_of[w.clip.index()].push(row));
    let mut best: Vec<Vec<Link>> = vec![Vec::new(); wanted.len()];
    let half = material.half;
    for group in material.candidates.groups() {
        if rows_of[group.a.index()].is_empty() && rows_of[group.b.index()].is_empty() {
            continue;
        }
        for k in group.start..group.end {
            let c = material.candidates.get(CandidateId(k));
            for (bit, from, to, i, j) in [
                (FORWARD, group.a, group.b, c.i, c.j),
                (REVERSED, group.b, group.a, c.j, c.i),
            ] {
                if draft.below[k as usize] & bit != 0 {
                    continue;
                }
                let (leaves, enters) = (i - half, j + half + 1);
                let link = Link {
                    distance_m2: c.distance_m2,
                    candidate: k,
                    other: to,
                    from: i,
                    to: j,
                    out: true,
                };
                for &row in &rows_of[from.index()] {
                    if wanted[row].out()
                        && leaves > wanted[row].start
                        && kept.covers_after(to, enters)
                    {
                        keep_best(&mut best[row], link);
                    }
                }
                for &row in &rows_of[to.index()] {
                    if wanted[row].entry()
                        && enters < wanted[row].end
                        && kept.covers_before(from, leaves)
                    {
                        keep_best(
                            &mut best[row],
                            Link {
                                other: from,
                                out: false,
                                ..link
                            },
                        );
                    }
                }
            }
        }
    }
    for group in material.ends.groups() {
        if rows_of[group.a.index()].is_empty() && rows_of[group.b.index()].is_empty() {
            continue;
        }
        let left = material.clips[group.a.index()].working_frames;
        for k in group.start as usize..group.end as usize {
            if draft.below_ends.get(k).is_none_or(|&b| b != 0) {
                continue;
            }
            let [i, j] = material.ends.frames[k];
            let (leaves, enters) = crate::build::end_cuts::boundaries([i, j], left);
            let lasts = crate::build::end_cuts::fade(
                enters,
                material.clips[group.b.index()].working_frames,
                material.fade,
            );
            let link = Link {
                distance_m2: material.ends.judged_m2(k, half),
                candidate: (material.candidates.len() + k) as u32,
                other: group.b,
                from: i,
                to: j,
                out: true,
            };
            for &row in &rows_of[group.a.index()] {
                if wanted[row].out()
                    && leaves > wanted[row].start
                    && kept.covers_after(group.b, enters + lasts)
                {
                    keep_best(&mut best[row], link);
                }
            }
            for &row in &rows_of[group.b.index()] {
                if wanted[row].entry()
                    && enters < wanted[row].end
                    && kept.covers_before(group.a, leaves)
                {
                    let other = group.a;
                    keep_best(
                        &mut best[row],
                        Link {
                            other,
                            out: false,
                            ..link
                        },
                    );
                }
            }
        }
    }
    let told = |(row, links): (usize, Vec<Link>)| {
        links
            .iter()
            .map(|w| tell(graph, wanted[row].clip, w))
            .collect()
    };
    best.into_iter().enumerate().map(told).collect()
}

fn tell(graph: &MotionGraph, lost: ClipId, link: &Link) -> Reconnect {
    let (from, to) = if link.out {
        (lost, link.other)
    } else {
        (link.other, lost)
    };
    Reconnect {
        clip: graph.clip_info(link.other).name().to_owned(),
        from_s: graph.clip_info(from).seconds_at(link.from),
        to_s: graph.clip_info(to).seconds_at(link.to),
        distance_cm: link.distance_m2.sqrt() * 100.0,
        direction: if link.out { "out" } else { "in" },
    }
}

/// Puts a way among the best, one per other clip and direction.
fn keep_best(best: &mut Vec<Link>, link: Link) {
    let key = |w: &Link| (w.distance_m2, w.candidate, w.out);
    if best.len() == TOLD && key(&best[TOLD - 1]) <= key(&link) {
        return;
    }
    match best
        .iter()
        .position(|w| w.other == link.other && w.out == link.out)
    {
        Some(at) if key(&best[at]) <= key(&link) => return,
        Some(at) => best[at] = link,
        None => best.push(link),
    }
    best.sort_by(|a, b| {
        key(a)
            .partial_cmp(&key(b))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    best.truncate(TOLD);
}

/// Which working frames of each clip some kept edge plays.
struct KeptStretches {
    frames: Vec<Vec<bool>>,
}

impl KeptStretches {
    fn new(material: &Material<'_>, draft: &Draft) -> Self {
        let mut frames: Vec<Vec<bool>> = material
            .clips
            .iter()
            .map(|c| vec![false; c.working_frames as usize])
            .collect();
        let kept = stretches(draft, |e| draft.pruned.keep[e]);
        for (clip, list) in kept.into_iter().enumerate() {
            for (start, end) in list {
                frames[clip][start as usize..end as usize].fill(true);
            }
        }
        Self { frames }
    }

    /// Whether what follows a boundary is kept.
    fn covers_after(&self, clip: ClipId, boundary: u32) -> bool {
        self.frames[clip.index()]
            .get(boundary as usize)
            .copied()
            .unwrap_or(false)
    }

    /// Whether what comes before a boundary is kept.
    fn covers_before(&self, clip: ClipId, boundary: u32) -> bool {
        boundary > 0 && self.covers_after(clip, boundary - 1)
    }
}
