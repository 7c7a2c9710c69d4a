//! What must hold between the arrays of a file, so that no later step can go astray on hostile bytes.

use super::read::damaged;
use crate::build::draft::edge_seconds;
use crate::model::topology::{NO_CANDIDATE, kind};
use crate::{GraphError, MotionGraph};

/// Checks every index, then fills in the adjacency.
pub(super) fn check(mut graph: MotionGraph) -> Result<MotionGraph, GraphError> {
    let boundaries: u64 = graph
        .library
        .clips
        .iter()
        .map(|c| u64::from(c.working_frames) + 1)
        .sum();
    if boundaries > u64::from(u32::MAX / 2) {
        return Err(damaged("its clips have more frames than can be counted"));
    }
    graph.library.check_recipes()?;
    candidates(&graph)?;
    ends(&graph)?;
    nodes(&graph)?;
    edges(&graph)?;
    graph.topology.index();
    Ok(graph)
}

fn candidates(graph: &MotionGraph) -> Result<(), GraphError> {
    let table = &graph.candidates;
    let starts: &[u32] = &table.starts;
    let whole =
        starts.first() == Some(&0) && starts.last().map(|&s| s as usize) == Some(table.len());
    if !whole || !starts.is_sorted_by(|a, b| a < b) || !table.pairs.is_sorted_by(|a, b| a < b) {
        return Err(damaged("candidates are not grouped by clip pairs in order"));
    }
    if !table
        .distances
        .iter()
        .all(|d| d.is_finite() && !d.is_sign_negative())
        || !table.transforms.iter().flatten().all(|v| v.is_finite())
    {
        return Err(damaged("a candidate is not a number"));
    }
    for group in table.groups() {
        let frames = |clip: crate::ClipId| {
            graph
                .library
                .clips
                .get(clip.index())
                .map(|c| c.working_frames)
        };
        let (Some(a), Some(b)) = (frames(group.a), frames(group.b)) else {
            return Err(damaged("a candidate names a clip that is not there"));
        };
        // Both frames have a whole window around them.
        let inside = |frame: u32, count: u32| {
            frame >= graph.half && u64::from(frame) + u64::from(graph.half) < u64::from(count)
        };
        let rows = &table.frames[group.start as usize..group.end as usize];
        if group.a > group.b
            || !rows.iter().all(|&[i, j]| inside(i, a) && inside(j, b))
            || !rows.is_sorted_by(|p, q| p < q)
        {
            return Err(damaged("a candidate lies outside its clips"));
        }
    }
    Ok(())
}

/// Candidates near ends: both frames are in their clips, and the clip entered goes on for as long as a cut fades at least.
fn ends(graph: &MotionGraph) -> Result<(), GraphError> {
    let table = &graph.ends;
    let starts: &[u32] = &table.starts;
    let whole =
        starts.first() == Some(&0) && starts.last().map(|&s| s as usize) == Some(table.len());
    if !whole || !starts.is_sorted_by(|a, b| a < b) || !table.pairs.is_sorted_by(|a, b| a < b) {
        return Err(damaged(
            "candidates near ends are not grouped by clip pairs in order",
        ));
    }
    let number = |d: &f64| d.is_finite() && !d.is_sign_negative();
    let window = 2 * graph.half + 1;
    if !table.distances.iter().all(number)
        || !table.transforms.iter().flatten().all(|v| v.is_finite())
        || !table.windows.iter().all(|n| (1..=window).contains(n))
    {
        return Err(damaged("a candidate near an end is not a number"));
    }
    let frames = |clip: crate::ClipId| {
        graph
            .library
            .clips
            .get(clip.index())
            .map(|c| c.working_frames)
    };
    for group in table.groups() {
        let (Some(a), Some(b)) = (frames(group.a), frames(group.b)) else {
            return Err(damaged(
                "a candidate near an end names a clip that is not there",
            ));
        };
        let rows = &table.frames[group.start as usize..group.end as usize];
        let inside = |&[i, j]: &[u32; 2]| i < a && u64::from(j) + 1 < u64::from(b);
        let fades = |k: usize| {
            let own = table.own_fade(k).map(u64::from);
            own.is_none_or(|f| u64::from(table.frames[k][1]) + f <= u64::from(b))
        };
        if !(group.start as usize..group.end as usize).all(fades) {
            return Err(damaged("a cut lasts longer than the clip it enters"));
        }
        if !rows.iter().all(inside) || !rows.is_sorted_by(|p, q| p < q) {
            return Err(damaged("a candidate near an end lies outside its clips"));
        }
    }
    Ok(())
}

fn nodes(graph: &MotionGraph) -> Result<(), GraphError> {
    let nodes = &graph.topology.nodes;
    let inside = |&[clip, boundary]: &[u32; 2]| {
        graph
            .library
            .clips
            .get(clip as usize)
            .is_some_and(|c| boundary <= c.working_frames)
    };
    if !nodes.is_sorted_by(|a, b| a < b) || !nodes.iter().all(inside) {
        return Err(damaged("nodes are not boundaries of clips in order"));
    }
    Ok(())
}

fn edges(graph: &MotionGraph) -> Result<(), GraphError> {
    let t = &graph.topology;
    if !t.ends.is_sorted_by(|a, b| a[0] <= b[0]) {
        return Err(damaged("edges are not in order of the nodes they leave"));
    }
    let n = t.ends.len();
    if t.lengths.len() != n || t.seconds.len() != n || t.costs.len() != n {
        return Err(damaged("edges lack their lengths"));
    }
    let all = graph.labels.all();
    for e in 0..t.ends.len() {
        let labels = crate::LabelSet::from_words(t.labels[e]);
        if !all.includes(labels) || !edge_fits(graph, e) {
            return Err(damaged(format!(
                "edge {e} does not fit its nodes, its candidate or the label table"
            )));
        }
    }
    if !seconds_fit(graph) {
        return Err(damaged("an edge does not last as long as its frames"));
    }
    Ok(())
}

fn edge_fits(graph: &MotionGraph, e: usize) -> bool {
    let t = &graph.topology;
    let node = |n: u32| t.nodes.get(n as usize).copied();
    let [from, to] = t.ends[e];
    let (Some(from), Some(to)) = (node(from), node(to)) else {
        return false;
    };
    let (length, cost) = (t.lengths[e], t.costs[e]);
    if length == 0 || length > to[1] || !(t.seconds[e].is_finite() && t.seconds[e] >= 0.0) {
        return false;
    }
    if t.kinds[e] == kind::PIECE {
        return t.candidates[e] == NO_CANDIDATE
            && from[0] == to[0]
            && from[1] < to[1]
            && length == to[1] - from[1]
            && cost == 0.0;
    }
    let k = t.candidates[e] as usize;
    if !t.transforms[e].iter().all(|v| v.is_finite()) {
        return false;
    }
    if t.kinds[e] == kind::END_CUT {
        let table = &graph.ends;
        if k >= table.len() || table.distances[k] != cost {
            return false;
        }
        let group = table.starts.partition_point(|&s| s as usize <= k) - 1;
        let [a, b] = table.pairs[group];
        let left = graph.library.clips[a as usize].working_frames;
        let (leaves, enters) = match table.own_fade(k) {
            Some(fade) if fade != length => return false,
            Some(_) => table.frames[k].into(),
            None => crate::build::end_cuts::boundaries(table.frames[k], left),
        };
        return from == [a, leaves] && to == [b, enters + length];
    }
    if k >= graph.candidates.len() || graph.candidates.distances[k] != cost {
        return false;
    }
    let group = graph.candidates.group_of(crate::CandidateId(k as u32));
    let [i, j] = graph.candidates.frames[k];
    let (left, entered) = match t.kinds[e] {
        kind::BLEND | kind::CUT => ([group.a.0, i], [group.b.0, j]),
        kind::BLEND_BACK | kind::CUT_BACK => ([group.b.0, j], [group.a.0, i]),
        _ => return false,
    };
    if kind::is_cut(t.kinds[e]) {
        return from == left && to == [entered[0], entered[1] + length];
    }
    length == 2 * graph.half + 1
        && from == [left[0], left[1] - graph.half]
        && to == [entered[0], entered[1] + graph.half + 1]
}

/// Whether every edge plays as long as its frames do.
fn seconds_fit(graph: &MotionGraph) -> bool {
    let t = &graph.topology;
    edge_seconds(
        &graph.library.clips,
        &t.nodes,
        &t.ends,
        &t.kinds,
        &t.lengths,
    ) == *t.seconds
}
