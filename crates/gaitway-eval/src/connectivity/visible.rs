//! The distance at which a join begins to be seen.
//!
//! At a join from frame i of A to frame j+1 of B, moved onto A, some joint is thrown: its acceleration (second difference at the
//! working rate) is held against what `quality` calls a pop in a motion made of A and B, 1.5 times their 99.9th percentile. A join is *seen*
//! where `quality` would list it, and neither A nor B moves as sharply there by itself. The jump fades as in [`Form::Decay`](super::Form::Decay):
//!
//!   q(m) = T B(j+m) + (A(i) − T B(j)) · (1 − 10s³ + 15s⁴ − 6s⁵),     s = m / 0.2 s
//!
//! T_vis is the √D at which the share of seen joins passes one in twenty, between middles of bins a centimetre wide. How many would be seen as
//! *bare* cuts, from A's frame i straight to B's j+1, stands beside it.

use gaitway_core::anatomy::Anatomy;
use gaitway_core::random::SplitMix64;
use gaitway_core::{JointIdx, Planar, fk, resample};
use gaitway_graph::{CandidateId, ClipId, GraphError, MotionGraph};
use glam::DVec3;
use rayon::prelude::*;
use serde::Serialize;

use super::bend::Spread;
use super::form::DECAY_S;
use crate::quality::pops::{self, POP_TIMES};

/// T_vis in centimetres, where it is not measured on the graphs themselves: the least of the people of the CMU database that it was chosen
/// on, since a default is for anybody. `benches/connectivity.sh` measures it on these and on others.
pub const VISIBLE_CM: f64 = 3.7;

/// Share of joins that are seen at T_vis.
const SEEN: f64 = 0.05;

/// Bins with fewer joins say nothing.
const FEWEST: usize = 20;

/// Joins of about one distance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct VisibleRow {
    /// From this √D, centimetres.
    pub from_cm: f64,
    /// Up to this one.
    pub to_cm: f64,
    /// Joins looked at.
    pub joins: usize,
    /// Share of them that is seen as a bare cut.
    pub bare: f64,
    /// Share of them that is seen where the jump fades.
    pub fading: f64,
    /// How far the worst joint jumps, centimetres.
    pub jump_cm: Spread,
    /// Share of joins at which other feet stand than before; `None` where contacts are not known.
    pub contacts_differ: Option<f64>,
}

/// At which distance joins begin to be seen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Visible {
    /// T_vis, centimetres; `None` where no more joins are seen up to the ceiling, or there are too few.
    pub cm: Option<f64>,
    /// By distance.
    pub rows: Vec<VisibleRow>,
}

/// One clip at the working rate.
pub(super) struct Shown {
    pub world: fk::WorldPoints,
    /// 99.9th percentile of its own accelerations, m/s².
    pub usual: f64,
    /// What stands, by name.
    pub stands: Option<Vec<Vec<String>>>,
}

/// A join as it was looked at.
struct Seen {
    bare: bool,
    fading: bool,
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
        .captured_ids()
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
        let seen: Vec<Seen> = found[..wanted]
            .par_iter()
            .filter_map(|&c| {
                let (group, at) = (table.group_of(c), table.get(c));
                let [a, b] = [group.a, group.b].map(|id| clips[id.index()].as_ref());
                let frames = [at.i as usize, at.j as usize];
                look(graph, [a?, b?], frames, table.a_from_b(c), &joints)
            })
            .collect();
        if seen.is_empty() {
            continue;
        }
        let share = |of: &dyn Fn(&Seen) -> bool| {
            seen.iter().filter(|s| of(s)).count() as f64 / seen.len() as f64
        };
        let told: Vec<bool> = seen.iter().filter_map(|s| s.contacts_differ).collect();
        let differ = told.iter().filter(|d| **d).count() as f64;
        rows.push(VisibleRow {
            from_cm: bin as f64,
            to_cm: (bin + 1) as f64,
            joins: seen.len(),
            bare: share(&|s| s.bare),
            fading: share(&|s| s.fading),
            jump_cm: Spread::of(seen.iter().map(|s| s.jump_cm).collect()),
            contacts_differ: (!told.is_empty()).then(|| differ / told.len() as f64),
        });
    }
    Ok(Visible {
        cm: crossing(&rows),
        rows,
    })
}

/// Where the share of seen joins passes [`SEEN`], between middles of bins; nothing is seen of frames that are the same. Bins with few joins are
/// passed over.
fn crossing(rows: &[VisibleRow]) -> Option<f64> {
    let middle = |r: &VisibleRow| 0.5 * (r.from_cm + r.to_cm);
    let (mut low, mut least) = (0.0, 0.0);
    for row in rows.iter().filter(|r| r.joins >= FEWEST) {
        let (at, seen) = (middle(row), row.fading);
        if seen > SEEN {
            return Some(low + (at - low) * (SEEN - least) / (seen - least));
        }
        (low, least) = (at, seen);
    }
    None
}

pub(super) fn shown(graph: &MotionGraph, id: ClipId) -> Result<Option<Shown>, GraphError> {
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

/// A join from frame i of the first to what follows frame j of the second, moved by `onto`; `None` where either is too near an end.
fn look(
    graph: &MotionGraph,
    [a, b]: [&Shown; 2],
    [i, j]: [usize; 2],
    onto: Planar,
    joints: &[JointIdx],
) -> Option<Seen> {
    let rate = graph.working_rate_hz();
    let fade = (DECAY_S * rate).round().max(1.0) as usize;
    if i < 1 || i >= a.world.frame_count() || j + fade + 1 >= b.world.frame_count() {
        return None;
    }
    let (mut bare, mut fading, mut own, mut jump) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
    for joint in joints.iter().map(|j| j.index()) {
        let (before, at) = (a.world.at(i - 1, joint), a.world.at(i, joint));
        let moved = |m: usize| onto.apply(b.world.at(j + m, joint));
        let off = at - moved(0);
        let left = |m: usize| {
            let s = (m as f64 / fade as f64).min(1.0);
            1.0 - s.powi(3) * (10.0 - 15.0 * s + 6.0 * s * s)
        };
        jump = jump.max(off.length());
        bare = bare.max(sharpest([before, at, moved(1), moved(2)]));
        let faded = (1..=fade + 1).map(|m| moved(m) + off * left(m));
        fading = fading.max(sharpest([before, at].into_iter().chain(faded)));
        for (clip, f) in [(a, i), (b, j)] {
            let frames = f.saturating_sub(1)..(f + fade + 2).min(clip.world.frame_count());
            own = own.max(sharpest(frames.map(|f| clip.world.at(f, joint))));
        }
    }
    let limit = (POP_TIMES * a.usual.max(b.usual)).max(own * rate * rate);
    let pop = |bend: f64| bend * rate * rate > limit;
    let stands = |s: &Shown, f: usize| s.stands.as_ref().and_then(|all| all.get(f)).cloned();
    Some(Seen {
        bare: pop(bare),
        fading: pop(fading),
        jump_cm: 100.0 * jump,
        contacts_differ: stands(a, i).zip(stands(b, j)).map(|(x, y)| x != y),
    })
}

/// The largest second difference of points in a row.
pub(super) fn sharpest(points: impl IntoIterator<Item = DVec3>) -> f64 {
    let points: Vec<DVec3> = points.into_iter().collect();
    let bends = points
        .windows(3)
        .map(|p| ((p[0] - p[1]) + (p[2] - p[1])).length());
    bends.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(from_cm: f64, joins: usize, seen: f64) -> VisibleRow {
        VisibleRow {
            from_cm,
            to_cm: from_cm + 1.0,
            joins,
            bare: 1.0,
            fading: seen,
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
        assert_eq!(crossing(&rows[2..]), Some(1.25), "half way from 0 to 2.5");
    }

    #[test]
    fn a_straight_line_at_one_speed_is_not_sharp() {
        let at = |k: f64| DVec3::new(k, 2.0 * k, 0.0);
        assert_eq!(sharpest([0.0, 1.0, 2.0, 3.0].map(at)), 0.0);
        let jumped = [0.0, 1.0, 2.0, 3.0].map(|k| at(k) + DVec3::Z * f64::from(k > 1.0));
        assert_eq!(sharpest(jumped), 1.0);
    }
}
