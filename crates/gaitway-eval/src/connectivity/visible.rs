//! The distance at which a join begins to be seen.
//!
//! At a cut from frame i of A to frame j+1 of B, moved onto A, some joint is thrown: its acceleration (second difference at the
//! working rate, as `quality` measures it) at the two frames about the cut is held against the worst that A and B themselves
//! have, their 99.9th percentile. A cut above that is *seen*. T_vis is the √D at which the share of seen cuts passes one in twenty,
//! between the middles of bins a centimetre wide.

use gaitway_core::anatomy::Anatomy;
use gaitway_core::random::SplitMix64;
use gaitway_core::{JointIdx, fk, resample};
use gaitway_graph::{CandidateId, ClipId, GraphError, MotionGraph};
use rayon::prelude::*;
use serde::Serialize;

use super::bend::Spread;
use crate::quality::pops;

/// T_vis in centimetres where it is not measured on the graphs themselves: what people of the CMU database show in the mean
/// (`benches/connectivity.sh` measures it on some and reports it on others).
pub const VISIBLE_CM: f64 = 3.0;

/// A cut in how many may be seen at T_vis.
const SEEN: f64 = 0.05;

/// Bins with fewer cuts say nothing.
const FEWEST: usize = 20;

/// Cuts of about one distance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct VisibleRow {
    /// From this √D, centimetres.
    pub from_cm: f64,
    /// Up to this one.
    pub to_cm: f64,
    /// Cuts looked at.
    pub cuts: usize,
    /// Share of them that is seen.
    pub seen: f64,
    /// How far the worst joint jumps, centimetres.
    pub jump_cm: Spread,
    /// Share of cuts at which other feet stand than before; `None` where contacts are not known.
    pub contacts_differ: Option<f64>,
}

/// At which distance cuts begin to be seen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Visible {
    /// T_vis, centimetres; `None` where cuts up to the ceiling do not tell.
    pub cm: Option<f64>,
    /// By distance.
    pub rows: Vec<VisibleRow>,
}

/// One clip at the working rate.
struct Shown {
    world: fk::WorldPoints,
    /// 99.9th percentile of its own accelerations, m/s².
    usual: f64,
    /// What stands, by name.
    stands: Option<Vec<Vec<String>>>,
}

/// A cut as it was looked at.
struct Cut {
    seen: bool,
    jump_cm: f64,
    contacts_differ: Option<bool>,
}

/// Looks at up to `samples` candidates of every centimetre, drawn by seed.
///
/// # Errors
/// When the graph's frames are damaged.
pub fn visible(graph: &MotionGraph, samples: usize, seed: u64) -> Result<Visible, GraphError> {
    let ceiling = graph.options().metric.ceiling_cm;
    let bins = ceiling.ceil().max(1.0) as usize;
    let clips: Vec<Option<Shown>> = graph
        .clip_ids()
        .collect::<Vec<_>>()
        .into_par_iter()
        .map(|id| shown(graph, id))
        .collect::<Result<_, _>>()?;
    let table = graph.candidates();
    let mut by_bin = vec![Vec::new(); bins];
    for k in 0..table.len() as u32 {
        let cm = table.distance_cm(CandidateId(k));
        by_bin[(cm as usize).min(bins - 1)].push(CandidateId(k));
    }
    let mut random = SplitMix64::new(seed);
    let joints = graph.clip_ids().next().map_or(Ok(Vec::new()), |id| {
        let clip = graph.clip(id)?;
        Ok::<_, GraphError>(pops::joints(&clip, &Anatomy::of_clip(&clip)))
    })?;
    let mut rows = Vec::new();
    for (bin, mut found) in by_bin.into_iter().enumerate() {
        // The first so many of a shuffle.
        let wanted = found.len().min(samples);
        for k in 0..wanted {
            let other =
                k + ((random.unit() * (found.len() - k) as f64) as usize).min(found.len() - k - 1);
            found.swap(k, other);
        }
        let cuts: Vec<Cut> = found[..wanted]
            .par_iter()
            .filter_map(|&c| look(graph, &clips, &joints, c))
            .collect();
        if cuts.is_empty() {
            continue;
        }
        let share = |n: usize, of: usize| n as f64 / of as f64;
        let told: Vec<bool> = cuts.iter().filter_map(|c| c.contacts_differ).collect();
        rows.push(VisibleRow {
            from_cm: bin as f64,
            to_cm: (bin + 1) as f64,
            cuts: cuts.len(),
            seen: share(cuts.iter().filter(|c| c.seen).count(), cuts.len()),
            jump_cm: Spread::of(cuts.iter().map(|c| c.jump_cm).collect()),
            contacts_differ: (!told.is_empty())
                .then(|| share(told.iter().filter(|d| **d).count(), told.len())),
        });
    }
    Ok(Visible {
        cm: crossing(&rows),
        rows,
    })
}

/// Where the share of seen cuts passes [`SEEN`], between middles of bins; bins with few cuts are passed over.
fn crossing(rows: &[VisibleRow]) -> Option<f64> {
    let middle = |r: &VisibleRow| 0.5 * (r.from_cm + r.to_cm);
    let mut before: Option<(f64, f64)> = None;
    for row in rows.iter().filter(|r| r.cuts >= FEWEST) {
        let (at, seen) = (middle(row), row.seen);
        if seen > SEEN {
            return Some(match before {
                Some((low, least)) => low + (at - low) * (SEEN - least) / (seen - least),
                None => row.from_cm,
            });
        }
        before = Some((at, seen));
    }
    None
}

fn shown(graph: &MotionGraph, id: ClipId) -> Result<Option<Shown>, GraphError> {
    let clip = graph.clip(id)?;
    let info = graph.clip_info(id);
    let Ok(working) = resample::resample(&clip, graph.working_rate_hz()) else {
        return Ok(None);
    };
    let source = graph.source(id)?;
    let stands = source.contact_points().map(|points| {
        let at = |f: u32| {
            let mask = source.contact_mask(info.source_frame(f));
            let down = points
                .iter()
                .enumerate()
                .filter(|(k, _)| mask >> k & 1 == 1);
            let mut names: Vec<String> = down.map(|(_, p)| p.name.clone()).collect();
            names.sort_unstable();
            names
        };
        (0..info.working_frames()).map(at).collect()
    });
    let quality = crate::quality::quality(&working, None, &crate::QualityOptions::default());
    Ok(quality.accel_m_s2.p999.map(|usual| Shown {
        world: fk::world_points(&working),
        usual,
        stands,
    }))
}

fn look(
    graph: &MotionGraph,
    clips: &[Option<Shown>],
    joints: &[JointIdx],
    candidate: CandidateId,
) -> Option<Cut> {
    let group = graph.candidates().group_of(candidate);
    let c = graph.candidates().get(candidate);
    let onto = graph.candidates().a_from_b(candidate);
    let (a, b) = (
        clips[group.a.index()].as_ref()?,
        clips[group.b.index()].as_ref()?,
    );
    let (i, j) = (c.i as usize, c.j as usize);
    if i < 1 || i >= a.world.frame_count() || j + 2 >= b.world.frame_count() {
        return None;
    }
    let scale = graph.working_rate_hz().powi(2);
    let (mut worst, mut jump) = (0.0_f64, 0.0_f64);
    for joint in joints.iter().map(|j| j.index()) {
        let (before, at) = (a.world.at(i - 1, joint), a.world.at(i, joint));
        let [same, next, after] = [0, 1, 2].map(|k| onto.apply(b.world.at(j + k, joint)));
        let bent = |x: glam::DVec3, y: glam::DVec3, z: glam::DVec3| ((x - y) + (z - y)).length();
        worst = worst.max(bent(before, at, next)).max(bent(at, next, after));
        jump = jump.max(at.distance(same));
    }
    let stands = |s: &Shown, f: usize| s.stands.as_ref().and_then(|all| all.get(f)).cloned();
    Some(Cut {
        seen: worst * scale > a.usual.max(b.usual),
        jump_cm: 100.0 * jump,
        contacts_differ: stands(a, i).zip(stands(b, j)).map(|(x, y)| x != y),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(from_cm: f64, cuts: usize, seen: f64) -> VisibleRow {
        VisibleRow {
            from_cm,
            to_cm: from_cm + 1.0,
            cuts,
            seen,
            jump_cm: Spread::default(),
            contacts_differ: None,
        }
    }

    #[test]
    fn the_crossing_lies_between_the_middles_of_bins() {
        let rows = [
            row(0.0, 5, 1.0),
            row(1.0, 50, 0.0),
            row(2.0, 50, 0.1),
            row(3.0, 50, 0.5),
        ];
        assert_eq!(crossing(&rows), Some(2.0), "half way from 1.5 to 2.5");
        assert_eq!(crossing(&rows[..2]), None);
        assert_eq!(
            crossing(&rows[2..]),
            Some(2.0),
            "seen from the first bin on"
        );
    }
}
