//! Where captured and interpolated clips meet: everything with everything, through the one distance there is.
//!
//! Interpolated clips are short and many, so their markers go to the search in packs, a few thousand frames each; what is found between
//! two of them there is carried back. The values are those of poses as they will be played, not of a shortcut: comparing all of
//! them costs seconds.

use std::path::Path;

use gaitway_core::Planar;
use gaitway_metric::{
    Candidate, CandidateStore, KeepApart, MetricOptions, PointCloud, Progress, Skipping,
    find_candidates,
};
use rayon::prelude::*;

use super::{Clips, EnrichOptions};
use crate::{CandidateId, ClipId, GraphError, MotionGraph};

/// Two frames that are alike: the second clip can go on where the first is, and the other way round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Meeting {
    /// Among captured clips, then interpolated ones.
    pub clips: [u32; 2],
    pub frames: [u32; 2],
    pub distance_m2: f64,
    /// Carries the second onto the first.
    pub first_from_second: Planar,
}

/// All meetings up to the threshold, in order.
pub(super) fn meetings(
    graph: &MotionGraph,
    clips: &Clips<'_>,
    options: &EnrichOptions,
    journal: Option<&Path>,
    progress: &mut dyn Progress,
) -> Result<Vec<Meeting>, GraphError> {
    let mut out = captured(graph, options.threshold_cm);
    let workshop = clips.workshop;
    let rows: Vec<ClipId> = clips
        .captured
        .iter()
        .copied()
        .filter(|&c| graph.clip_info(c).working_frames() > 2 * graph.half)
        .collect();
    let clouds: Vec<PointCloud> = rows
        .par_iter()
        .map(|&c| {
            let clip = graph.clip(c)?;
            let cloud = PointCloud::from_clip(&clip, &graph.options.markers, graph.options.fps);
            Ok(cloud?)
        })
        .collect::<Result<_, GraphError>>()?;
    let packs = workshop.packs.iter().map(|p| p.0.clone());
    let clouds: Vec<PointCloud> = clouds.into_iter().chain(packs).collect();
    if workshop.packs.is_empty() {
        return Ok(out);
    }
    let metric = MetricOptions {
        ceiling_cm: options.threshold_cm,
        max_candidates: usize::MAX,
        // Few frames are as near as a join asks for: most of what is compared can be told to be far by its bounds alone.
        skipping: Skipping::On,
        ..graph.options.metric.clone()
    };
    let store = journal.map(CandidateStore::open).transpose()?;
    // Captured clips among themselves are known already.
    let tags = (0..clouds.len()).map(|k| match k < rows.len() {
        true => vec!["captured".to_owned()],
        false => Vec::new(),
    });
    let rule = ("captured".to_owned(), "captured".to_owned());
    let apart = KeepApart::new(tags.collect(), vec![rule]);
    let found = find_candidates(&clouds, &metric, store.as_ref(), &apart, progress)?;
    let starts = workshop.starts();
    let place = |row: usize, frame: u32| match row.checked_sub(rows.len()) {
        None => Some((rows[row].0, frame)),
        Some(pack) => {
            let (clip, at) = workshop.shows(pack, &starts[pack], frame)?;
            Some(((clips.captured.len() + clip) as u32, at))
        }
    };
    for pair in &found.pairs {
        for c in &pair.found.candidates {
            let meeting = place(pair.a, c.i).zip(place(pair.b, c.j));
            if let Some((a, b)) = meeting
                && clips.may_meet(a.0, b.0)
                && !clips.is_lost(a)
                && !clips.is_lost(b)
            {
                out.push(meets(a, b, c));
            }
        }
    }
    out.par_sort_unstable_by_key(|m| (m.clips, m.frames));
    Ok(out)
}

fn meets(a: (u32, u32), b: (u32, u32), c: &Candidate) -> Meeting {
    let (a, b, c) = if a <= b {
        (a, b, *c)
    } else {
        (b, a, c.reversed())
    };
    Meeting {
        clips: [a.0, b.0],
        frames: [a.1, b.1],
        distance_m2: c.distance_m2,
        first_from_second: Planar::new(c.theta, c.x0, c.z0),
    }
}

/// Those of the graph itself, between captured clips.
fn captured(graph: &MotionGraph, threshold_cm: f64) -> Vec<Meeting> {
    let mut out = Vec::new();
    for group in graph.candidates.groups() {
        for k in group.start..group.end {
            let c = graph.candidates.get(CandidateId(k));
            if c.distance_cm() <= threshold_cm {
                out.push(meets((group.a.0, c.i), (group.b.0, c.j), &c));
            }
        }
    }
    out
}
