//! Where clips can be joined below a threshold.

use gaitway_graph::{CandidateId, ClipId, EndCandidateId, MotionGraph};

/// Where a clip is left (a frame that is still played) and where the other is entered.
pub(super) struct Join {
    pub from: (ClipId, u32),
    pub to: (ClipId, u32),
    pub cm: f32,
}

/// Hands over joins, the same whenever it is asked.
pub(super) type EachJoin<'a> = dyn Fn(&mut dyn FnMut(Join)) + 'a;

/// All joins of candidates, and with `ends` of those near the ends of clips, not above a threshold, in order: where frames i and j are alike, i → j+1 and j → i+1.
pub(super) fn joins_below(graph: &MotionGraph, cm: f64, ends: bool, give: &mut dyn FnMut(Join)) {
    let table = graph.candidates();
    for group in table.groups() {
        for k in group.start..group.end {
            let c = table.get(CandidateId(k));
            if c.distance_cm() > cm {
                continue;
            }
            let cm = c.distance_cm() as f32;
            let (a, b) = (group.a, group.b);
            give(Join {
                from: (a, c.i),
                to: (b, c.j + 1),
                cm,
            });
            give(Join {
                from: (b, c.j),
                to: (a, c.i + 1),
                cm,
            });
        }
    }
    let (table, window) = (graph.end_candidates(), 2 * graph.half_window() as usize + 1);
    for group in table.groups() {
        for k in group.start..group.end {
            // Cuts of a well-connected graph are no matter of ends, though they stand in the same table.
            if !ends && table.own_fade(k as usize).is_none() {
                continue;
            }
            let c = table.get(EndCandidateId(k));
            // Stricter the fewer frames were seen, as in the graph itself.
            if c.scaled_cm(window) <= cm {
                let cm = c.scaled_cm(window) as f32;
                give(Join {
                    from: (group.a, c.i),
                    to: (group.b, c.j + 1),
                    cm,
                });
            }
        }
    }
}
