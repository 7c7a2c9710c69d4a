//! A graph with interpolated clips, and without them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use gaitway_core::interpolate::Interpolated;
use gaitway_core::spikes::lapses;
use gaitway_core::{LabelSpan, LabelTrack, PoseSource};
use rayon::prelude::*;

use super::Enriched;
use super::joins::Meeting;
use super::made::{Made, Workshop};
use super::reduce::Join;
use crate::account::Account;
use crate::build::end_cuts;
use crate::build::label_index::LabelIndex;
use crate::build::rethreshold::fade_frames;
use crate::model::candidates::EndTable;
use crate::model::clip_info::{ClipInfo, label_runs};
use crate::{ClipId, GraphError, MotionGraph, Provenance, Recipe, UNLABELLED};

/// Cuts near the ends of captured clips, as ways may take them.
pub(super) fn end_joins(graph: &MotionGraph, threshold_cm: f64) -> Vec<Join> {
    let Ok(longest) = fade_frames(&graph.options) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    for group in graph.ends.groups() {
        let [left, entered] = [group.a, group.b].map(|c| graph.clip_info(c).working_frames());
        for k in group.start as usize..group.end as usize {
            let cm = graph.ends.judged_m2(k, graph.half).sqrt() * 100.0;
            let (leaves, enters) = end_cuts::boundaries(graph.ends.frames[k], left);
            let frames = end_cuts::fade(enters, entered, longest);
            if cm <= threshold_cm {
                out.push(Join {
                    from: (group.a.0, leaves),
                    to: (group.b.0, enters + frames),
                    frames,
                    cm: cm as f32,
                });
            }
        }
    }
    out
}

impl MotionGraph {
    /// The graph without interpolated clips and what leads to and from them; nodes and edges are not cut anew, see
    /// [`MotionGraph::captured_alone`].
    pub(crate) fn without_interpolations(&self) -> Self {
        if !self.is_enriched() {
            return self.clone();
        }
        let mut library = (*self.library).clone();
        library
            .clips
            .retain(|c| !matches!(c.recipe, Some(Recipe::Interpolation { .. })));
        let rows: Vec<EndRow> = end_rows(&self.ends).filter(|r| r.fade == 0).collect();
        Self {
            library: Arc::new(library),
            ends: end_table(rows),
            topology: Default::default(),
            ..self.clone()
        }
    }

    /// The graph of its captured clips alone, cut under the thresholds that hold now: the way back from [`MotionGraph::enrich`]. A graph
    /// that was not enriched comes out as it is.
    ///
    /// # Errors
    /// When contacts are needed and the file's frames are damaged.
    pub fn captured_alone(&self) -> Result<(Self, Account), GraphError> {
        let plain = self.without_interpolations();
        let index = LabelIndex::new(&plain.library.clips);
        let matrix = plain.thresholds.clone();
        plain.cut_with(&index, matrix)
    }

    /// Whether two clips are kept apart, by their labels, folders and names.
    pub(super) fn kept_apart(&self) -> Vec<Vec<bool>> {
        let clips = &self.library.clips;
        let has = |clip: &ClipInfo, tag: &str| {
            let labelled = || clip.labels().spans().iter().any(|s| s.label == tag);
            clip.name().split('/').any(|part| part == tag) || labelled()
        };
        let rule = |a: &ClipInfo, b: &ClipInfo| {
            let rules = self.options.keep_apart.iter();
            rules
                .into_iter()
                .any(|(x, y)| (has(a, x) && has(b, y)) || (has(a, y) && has(b, x)))
        };
        let row = |a: &ClipInfo| clips.iter().map(|b| rule(a, b)).collect();
        clips.iter().map(row).collect()
    }

    /// Per clip, working frames whose window holds a frame that capture lost.
    pub(super) fn lost_frames(&self) -> Result<Vec<Vec<Range<u32>>>, GraphError> {
        let ids: Vec<ClipId> = self.clip_ids().collect();
        let of = |&id: &ClipId| {
            let (clip, info) = (self.clip(id)?, self.clip_info(id));
            let wide = |frames: Range<usize>| {
                let half = f64::from(self.half);
                let first = (frames.start as f64 / info.step).floor() - half;
                let last = (frames.end as f64 / info.step).ceil() + half;
                first.max(0.0) as u32..last as u32 + 1
            };
            Ok(lapses(&clip).into_iter().map(|l| wide(l.frames)).collect())
        };
        ids.par_iter().map(of).collect()
    }

    /// The graph with what was chosen: interpolated clips that are played, and the cuts that lead to, from and between all.
    pub(super) fn with_interpolations(
        self,
        workshop: &Workshop,
        chosen: &[(Join, Meeting, bool)],
        report: &mut Enriched,
        pieces: &[(u32, Range<u32>)],
    ) -> Result<(Self, Account), GraphError> {
        let captured = self.library.clips.len() as u32;
        let mut used: BTreeMap<u32, Vec<Range<u32>>> = BTreeMap::new();
        for (join, _, _) in chosen.iter().filter(|c| c.0.to.0 >= captured) {
            let (clip, free) = join.to;
            used.entry(clip).or_default().push(free - join.frames..free);
        }
        for (clip, frames) in pieces {
            used.entry(*clip).or_default().push(frames.clone());
        }
        report.kept = [used.len(), used.values_mut().map(covered).sum()];
        // Interpolated clips follow the captured ones, by name.
        let number: BTreeMap<u32, u32> =
            used.keys().zip(captured..).map(|(&k, n)| (k, n)).collect();
        let clip_of = |clip: u32| number.get(&clip).copied().unwrap_or(clip);
        let mut library = (*self.library).clone();
        let infos: Vec<ClipInfo> = used
            .keys()
            .zip(0..)
            .map(|(&k, n)| self.made_info(&workshop.made[(k - captured) as usize], n))
            .collect::<Result<_, _>>()?;
        library.clips.extend(infos);
        let window = 2 * self.half + 1;
        let added = chosen.iter().map(|(join, meeting, back)| {
            let onto = meeting.first_from_second;
            let onto = if *back { onto.inverse() } else { onto };
            EndRow {
                pair: [clip_of(join.from.0), clip_of(join.to.0)],
                frames: [join.from.1, join.to.1 - join.frames],
                distance: meeting.distance_m2,
                transform: [onto.theta, onto.x, onto.z],
                window,
                fade: join.frames,
            }
        });
        let mut rows: Vec<EndRow> = end_rows(&self.ends).chain(added).collect();
        rows.sort_by_key(|r| (r.pair, r.frames));
        let graph = Self {
            library: Arc::new(library),
            ends: end_table(rows),
            topology: Default::default(),
            ..self
        };
        let index = LabelIndex::new(&graph.library.clips);
        let matrix = graph.thresholds.clone();
        graph.cut_with(&index, matrix)
    }

    fn made_info(&self, made: &Made, number: usize) -> Result<ClipInfo, GraphError> {
        let [first, second] = made.sources.map(|c| self.clip_info(c));
        let name = format!("{INTERPOLATED}{number:05} {} + {}", first.name, second.name);
        let [a, b] = [self.source(made.sources[0])?, self.source(made.sources[1])?];
        let source = Interpolated::new(a.clone(), b.clone(), made.how.clone());
        let source = source.map_err(|e| GraphError::Recipe {
            clip: name.clone(),
            what: e.to_string(),
        })?;
        let labels = labels(&source, [&*a, &*b]);
        let step = made.rate_hz / self.options.fps;
        let mut content = blake3::Hasher::new();
        content.update(b"gaitway interpolation 1");
        content.update(&first.content);
        content.update(&second.content);
        content.update(&made.how.weight.to_le_bytes());
        for knot in &made.how.knots {
            knot.iter().for_each(|&k| {
                content.update(&(k as u64).to_le_bytes());
            });
        }
        Ok(ClipInfo {
            provenance: Provenance {
                file: name.clone(),
                checksum: [0; 32],
            },
            name,
            content: *content.finalize().as_bytes(),
            rate_hz: made.rate_hz,
            frames: made.frames,
            working_frames: made.working_frames,
            step,
            first_frame: 0,
            translation_joints: source.moving_joints().to_vec(),
            first_translation: 0,
            contact_points: first.contact_points,
            runs: label_runs(&labels, &self.labels, step, made.working_frames, true),
            labels,
            recipe: Some(Recipe::Interpolation {
                first: made.sources[0],
                second: made.sources[1],
                how: made.how.clone(),
            }),
        })
    }
}

/// What the names of interpolated clips begin with.
pub const INTERPOLATED: &str = "interpolated/";

/// Labels that both sources carry; what neither labels is as unlabelled as they are, and what only one does carries nothing.
fn labels(made: &Interpolated, sources: [&dyn PoseSource; 2]) -> LabelTrack {
    let mut spans = made.labels().spans().to_vec();
    for frame in 0..made.frame_count() {
        let bare = (0..2).all(|s| {
            let mut any = false;
            sources[s].labels_at(made.place(s, frame as f64), &mut |l| {
                any |= !gaitway_core::is_mark(l)
            });
            !any
        });
        if bare {
            spans.push(LabelSpan {
                start: frame,
                end: frame + 1,
                label: UNLABELLED.to_owned(),
            });
        }
    }
    LabelTrack::new(spans)
}

/// How many frames some stretches cover together.
fn covered(stretches: &mut Vec<Range<u32>>) -> usize {
    stretches.sort_by_key(|r| (r.start, r.end));
    let (mut sum, mut end) = (0, 0);
    for r in stretches {
        sum += r.end.saturating_sub(r.start.max(end)) as usize;
        end = end.max(r.end);
    }
    sum
}

/// One candidate for a cut.
#[derive(Clone, Copy, Debug, PartialEq)]
struct EndRow {
    pair: [u32; 2],
    frames: [u32; 2],
    distance: f64,
    transform: [f64; 3],
    window: u32,
    fade: u32,
}

fn end_rows(table: &EndTable) -> impl Iterator<Item = EndRow> + '_ {
    table.groups().flat_map(move |g| {
        (g.start as usize..g.end as usize).map(move |k| EndRow {
            pair: [g.a.0, g.b.0],
            frames: table.frames[k],
            distance: table.distances[k],
            transform: table.transforms[k],
            window: table.windows[k],
            fade: table.own_fade(k).unwrap_or(0),
        })
    })
}

/// Rows in order as a table.
fn end_table(rows: Vec<EndRow>) -> EndTable {
    let mut pairs: Vec<[u32; 2]> = Vec::new();
    let mut starts = Vec::new();
    for (k, row) in rows.iter().enumerate() {
        if pairs.last() != Some(&row.pair) {
            pairs.push(row.pair);
            starts.push(k as u32);
        }
    }
    starts.push(rows.len() as u32);
    let fades: Vec<u32> = match rows.iter().any(|r| r.fade > 0) {
        true => rows.iter().map(|r| r.fade).collect(),
        false => Vec::new(),
    };
    EndTable {
        pairs: pairs.into(),
        starts: starts.into(),
        distances: rows.iter().map(|r| r.distance).collect::<Vec<_>>().into(),
        transforms: rows.iter().map(|r| r.transform).collect::<Vec<_>>().into(),
        frames: rows.iter().map(|r| r.frames).collect::<Vec<_>>().into(),
        windows: rows.iter().map(|r| r.window).collect::<Vec<_>>().into(),
        fades: fades.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_that_overlap_count_once() {
        let ranges = [3..7, 0..2, 5..9, 20..21, 6..7];
        assert_eq!(covered(&mut ranges.to_vec()), 2 + 6 + 1);
    }
}
