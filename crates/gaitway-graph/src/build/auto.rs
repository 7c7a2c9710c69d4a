//! Thresholds chosen from the data, per ordered pair of labels.
//!
//! **How much may a transition differ?** As much as an action differs from itself. Where a clip repeats an action (stride
//! after stride), each frame has a nearest self-minimum: the place a stride later that looks most alike. No
//! transition is needed there, so a transition that differs no more than strides do cannot be told from plain
//! motion. For a label ℓ let q_ℓ be the median of these distances over all its frames that have one; where
//! clips are too short to repeat (fewer than [`ENOUGH`] frames), the nearest minimum in other clips of the label stands
//! in; where even that is missing, the median of the other labels' values.
//!
//! **Does the action hold together at that?** The share of ℓ's seconds in its largest component grows with the
//! threshold. t_ℓℓ is the least value ≥ q_ℓ that reaches [`HOLD`] of the share that the ceiling would give, but at most
//! [`STRETCH`] · q_ℓ: quality is the first aim, connectivity the second.
//!
//! **Can one get from a to b?** t_ab starts at the mean of t_aa and t_bb. Where at that the component of b cannot be reached
//! from the component of a, the cheapest candidate that leads from a frame of the one to a frame of the other is a way.
//! Ways are opened from the cheapest on, each only if a and b still have none between them, by raising t_ab to its
//! distance, but to at most [`STRETCH`] times the larger of t_aa and t_bb: one poor transition is better than none.
//!
//! All of this is worked out on blends, whatever transitions are asked for: what a threshold means does not depend on how many ends
//! of clips it reaches.
//!
//! All values are rounded up to [`GRAIN`], so that the table reads well. Nothing is drawn at random.

use crate::build::draft::Draft;
use crate::build::options::{BuildOptions, Transitions};
use crate::build::prune::components;
use crate::build::raw::{Picked, RawGraph};
use crate::build::select::{Material, below_threshold, transition_labels};
use crate::build::thresholds::ThresholdMatrix;
use crate::{GraphError, LabelId, LabelTable};

/// Frames with a self-minimum that make a statistic.
pub const ENOUGH: usize = 30;
/// Share of the attainable connectivity that is asked for.
pub const HOLD: f64 = 0.9;
/// The most a threshold is raised for connectivity.
pub const STRETCH: f64 = 2.0;
/// Steps of the table in centimetres.
pub const GRAIN: f64 = 0.25;
/// Where nothing is known at all, in centimetres: a value that suits walking people.
const FALLBACK_CM: f64 = 6.0;

/// The thresholds for a set of clips.
pub(crate) fn choose(
    material: &Material<'_>,
    labels: &LabelTable,
    options: &BuildOptions,
) -> Result<ThresholdMatrix, GraphError> {
    let material = &Material {
        transitions: Transitions::Blend,
        ..*material
    };
    let ceiling = options.metric.ceiling_cm;
    let quality = qualities(material, labels, ceiling);
    let used: Vec<LabelId> = labels
        .ids()
        .filter(|&l| quality[l.index()].is_some() && !labels.is_mark(l))
        .collect();
    let own = |l: LabelId| quality[l.index()].unwrap_or(FALLBACK_CM);
    let mut matrix = ThresholdMatrix::uniform(0.0, labels.len());
    matrix.auto = true;
    for (&l, cm) in used
        .iter()
        .zip(own_thresholds(material, labels, &used, &own, ceiling))
    {
        matrix.set(l, l, cm);
    }
    let diagonal = |m: &ThresholdMatrix, l: LabelId| m.get(l, l).unwrap_or(FALLBACK_CM);
    for &a in &used {
        for &b in used.iter().filter(|&&b| b != a) {
            let mean = (diagonal(&matrix, a) + diagonal(&matrix, b)) / 2.0;
            matrix.set(a, b, grain(mean).min(ceiling));
        }
    }
    matrix.default_cm =
        grain(median(used.iter().map(|&l| diagonal(&matrix, l)).collect()).unwrap_or(FALLBACK_CM))
            .min(ceiling);
    connect(material, labels, options, &used, &mut matrix)?;
    Ok(matrix)
}

fn grain(cm: f64) -> f64 {
    (cm / GRAIN - 1e-9).ceil() * GRAIN
}

fn median(values: Vec<f64>) -> Option<f64> {
    quantile(values, 0.5)
}

fn quantile(mut values: Vec<f64>, share: f64) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let at = ((values.len().checked_sub(1)?) as f64 * share).round() as usize;
    values.get(at).copied()
}

/// q_ℓ per label in centimetres; `None` for labels that no frame carries.
fn qualities(material: &Material<'_>, labels: &LabelTable, ceiling: f64) -> Vec<Option<f64>> {
    let mut carried = vec![false; labels.len()];
    material
        .clips
        .iter()
        .flat_map(|c| &c.runs)
        .flat_map(|r| r.labels.iter())
        .for_each(|l| carried[l.index()] = true);
    let (within, across) = nearest(material);
    let of = |l: LabelId| {
        let values = |near: &[f64]| -> Vec<f64> {
            let frames = (0..near.len())
                .filter(|&f| near[f].is_finite() && material.index.labels(f as u32).contains(l));
            frames.map(|f| near[f].sqrt() * 100.0).collect()
        };
        let own = values(&within);
        if own.len() >= ENOUGH {
            return quantile(own, 0.5);
        }
        let other = values(&across);
        if other.len() >= ENOUGH {
            quantile(other, 0.5)
        } else {
            None
        }
    };
    let known: Vec<Option<f64>> = labels.ids().map(of).collect();
    let rest = median(known.iter().flatten().copied().collect()).unwrap_or(FALLBACK_CM);
    let value =
        |l: LabelId| carried[l.index()].then(|| known[l.index()].unwrap_or(rest).min(ceiling));
    labels.ids().map(value).collect()
}

/// The least D from each frame to another place of its clip, and to another clip with a label in common.
fn nearest(material: &Material<'_>) -> (Vec<f64>, Vec<f64>) {
    let frames = material
        .clips
        .iter()
        .map(|c| c.working_frames as usize)
        .sum();
    let mut within = vec![f64::INFINITY; frames];
    let mut across = within.clone();
    for group in material.candidates.groups() {
        let near = if group.a == group.b {
            &mut within
        } else {
            &mut across
        };
        for k in group.start as usize..group.end as usize {
            let [i, j] = material.candidates.frames[k];
            let (p, q) = (material.index.at(group.a, i), material.index.at(group.b, j));
            if material
                .index
                .labels(p)
                .intersection(material.index.labels(q))
                .is_empty()
            {
                continue;
            }
            for at in [p, q] {
                let near = &mut near[at as usize];
                *near = near.min(material.candidates.distances[k]);
            }
        }
    }
    (within, across)
}

/// Seconds in the largest component of every label at one threshold for all.
fn shares(material: &Material<'_>, labels: usize, cm: f64) -> Vec<f64> {
    let matrix = ThresholdMatrix::uniform(cm, labels);
    let pass = below_threshold(material, &matrix);
    let picked = Picked {
        pass: &pass,
        labels: &transition_labels(material, &pass),
        ends: &[],
    };
    let raw = RawGraph::new(material, &picked);
    let seconds: Vec<f64> = (0..raw.edge_count())
        .map(|e| raw.piece_seconds(material, e))
        .collect();
    components(&raw, labels, &seconds)
        .into_iter()
        .map(|c| c.seconds)
        .collect()
}

/// t_ℓℓ for all labels in use. Shares of all labels come from one graph per threshold tried, and are remembered.
fn own_thresholds(
    material: &Material<'_>,
    labels: &LabelTable,
    used: &[LabelId],
    own: &dyn Fn(LabelId) -> f64,
    ceiling: f64,
) -> Vec<f64> {
    let mut tried: std::collections::BTreeMap<u64, Vec<f64>> = std::collections::BTreeMap::new();
    let mut at = |cm: f64, l: LabelId| {
        tried
            .entry(cm.to_bits())
            .or_insert_with(|| shares(material, labels.len(), cm))[l.index()]
    };
    let mut search = |l: LabelId| {
        let aim = HOLD * at(ceiling, l);
        let (low, high) = (
            grain(own(l)).min(ceiling),
            grain(STRETCH * own(l)).min(ceiling),
        );
        // The share only grows with the threshold: halve the steps between the bounds.
        let steps = ((high - low) / GRAIN).round() as u32;
        let (mut below, mut above) = (0, steps);
        while below < above {
            let middle = below + (above - below) / 2;
            if at(low + f64::from(middle) * GRAIN, l) >= aim {
                above = middle
            } else {
                below = middle + 1
            }
        }
        low + f64::from(above) * GRAIN
    };
    used.iter().map(|&l| search(l).min(ceiling)).collect()
}

/// Raises pairs whose components do not reach one another.
fn connect(
    material: &Material<'_>,
    labels: &LabelTable,
    options: &BuildOptions,
    used: &[LabelId],
    matrix: &mut ThresholdMatrix,
) -> Result<(), GraphError> {
    let draft = Draft::new(material, matrix, options, labels)?;
    let member = frame_members(material, &draft);
    let bridges = cheapest_bridges(material, &member, labels.len());
    let kept: Vec<LabelId> = used
        .iter()
        .copied()
        .filter(|l| !draft.pruned.components[l.index()].nodes.is_empty())
        .collect();
    let mut reached: Vec<u128> = vec![0; labels.len()];
    for &a in &kept {
        reached[a.index()] = reached_labels(&draft, a);
    }
    let mut ways: Vec<(f64, LabelId, LabelId)> = Vec::new();
    for &a in &kept {
        ways.extend(
            kept.iter()
                .map(|&b| (bridges[a.index() * labels.len() + b.index()], a, b)),
        );
    }
    ways.retain(|w| w.0.is_finite());
    ways.sort_by(|p, q| p.0.total_cmp(&q.0).then((p.1, p.2).cmp(&(q.1, q.2))));
    for (d, a, b) in ways {
        let own = |l: LabelId| matrix.get(l, l).unwrap_or(0.0);
        let (cm, most) = (grain(d.sqrt() * 100.0), STRETCH * own(a).max(own(b)));
        let there = reached[a.index()] >> b.0 & 1 == 1;
        if there || cm > most.min(options.metric.ceiling_cm) {
            continue;
        }
        if matrix.get(a, b).is_none_or(|now| now < cm) {
            matrix.set(a, b, cm);
        }
        // Whatever leads to a now leads to all that b leads to.
        let beyond = reached[b.index()];
        reached
            .iter_mut()
            .filter(|r| **r >> a.0 & 1 == 1)
            .for_each(|r| *r |= beyond);
    }
    Ok(())
}

/// Labels whose components can be reached from a label's component, over the pruned graph.
pub(crate) fn reached_labels(draft: &Draft, label: LabelId) -> u128 {
    let mut seen = vec![false; draft.raw.nodes.len()];
    let mut stack = draft.pruned.components[label.index()].nodes.clone();
    stack.iter().for_each(|&n| seen[n as usize] = true);
    let mut reached = 0;
    while let Some(n) = stack.pop() {
        reached |= draft.pruned.member[n as usize];
        for e in
            draft.raw.out_starts[n as usize] as usize..draft.raw.out_starts[n as usize + 1] as usize
        {
            let to = draft.raw.ends[e][1];
            if draft.pruned.keep[e] && !std::mem::replace(&mut seen[to as usize], true) {
                stack.push(to);
            }
        }
    }
    reached
}

/// Per working frame, a bit per label in whose component its piece lies.
fn frame_members(material: &Material<'_>, draft: &Draft) -> Vec<u128> {
    let frames = material
        .clips
        .iter()
        .map(|c| c.working_frames as usize)
        .sum();
    let mut member = vec![0; frames];
    for e in (0..draft.raw.edge_count())
        .filter(|&e| draft.raw.kinds[e] == crate::model::topology::kind::PIECE)
    {
        let [from, to] = draft.raw.ends[e].map(|n| n as usize);
        let bits = draft.raw.labels[e].0 & draft.pruned.member[from] & draft.pruned.member[to];
        let ([clip, start], [_, end]) = (draft.raw.nodes[from], draft.raw.nodes[to]);
        let first = material.index.at(crate::ClipId(clip), 0);
        member[(first + start) as usize..(first + end) as usize].fill(bits);
    }
    member
}

/// The least D from where one label's component can be left to where another's is entered, per ordered pair.
fn cheapest_bridges(material: &Material<'_>, member: &[u128], labels: usize) -> Vec<f64> {
    let mut best = vec![f64::INFINITY; labels * labels];
    let half = material.half;
    let mut look = |d: f64, from: u32, first: u32, to: u32, last: u32| {
        // Left after frame from − L − 1, entered at frame to + L + 1.
        if from - half == first || to + half + 1 >= last {
            return;
        }
        let (out, into) = (
            member[(from - half - 1) as usize],
            member[(to + half + 1) as usize],
        );
        for a in crate::LabelSet(out).iter() {
            for b in crate::LabelSet(into).iter() {
                let cell = &mut best[a.index() * labels + b.index()];
                *cell = cell.min(d);
            }
        }
    };
    for group in material.candidates.groups() {
        let first = |c: crate::ClipId| material.index.at(c, 0);
        let end = |c: crate::ClipId| {
            material
                .index
                .at(c, material.clips[c.index()].working_frames)
        };
        for k in group.start as usize..group.end as usize {
            let [i, j] = material.candidates.frames[k];
            let (p, q) = (material.index.at(group.a, i), material.index.at(group.b, j));
            let d = material.candidates.distances[k];
            look(d, p, first(group.a), q, end(group.b));
            look(d, q, first(group.b), p, end(group.a));
        }
    }
    best
}
