//! Labels along a walk, as sets of the graph's labels.

use std::collections::BTreeMap;

use gaitway_core::PoseSource;
use gaitway_core::source::within;
use gaitway_graph::{LabelId, LabelSet, LabelTable};
use gaitway_runtime::timeline::{Join, Span, Timeline};

/// Labels of the sources of a timeline.
pub(crate) struct Labels {
    /// Per source, one past the last frame of each run, and its labels.
    runs: Vec<Vec<(usize, LabelSet)>>,
}

impl Labels {
    pub fn new(table: &LabelTable, timeline: &Timeline) -> Self {
        let sources = timeline.sources().iter();
        Self {
            runs: sources.map(|s| label_runs(table, &**s)).collect(),
        }
    }

    /// What is done in a span, `offset` frames after its origin: in a blend what either motion does, after a cut what the clip
    /// entered does.
    pub fn at(&self, span: &Span, offset: f64) -> LabelSet {
        let tracks = span.tracks().skip(usize::from(span.join == Join::Cut));
        tracks.fold(LabelSet::EMPTY, |set, track| {
            let runs = &self.runs[track.source];
            let count = runs.last().map_or(0, |r| r.0);
            let frame = within(track.frame_at(offset), count);
            let at = runs.partition_point(|r| r.0 <= frame);
            set.union(runs.get(at).map_or(LabelSet::EMPTY, |r| r.1))
        })
    }
}

/// Labels of a source in its own frames as runs that cover it.
fn label_runs(table: &LabelTable, source: &dyn PoseSource) -> Vec<(usize, LabelSet)> {
    let count = source.frame_count();
    // Labels that begin (+1) or end (−1) at a frame.
    let mut changes: BTreeMap<usize, Vec<(LabelId, i32)>> = BTreeMap::new();
    for span in source.labels().spans() {
        if let Some(label) = table.find(&span.label) {
            let (start, end) = (span.start.min(count), span.end.min(count));
            changes.entry(start).or_default().push((label, 1));
            changes.entry(end).or_default().push((label, -1));
        }
    }
    changes.entry(count).or_default();
    let mut depth = vec![0_i32; table.len()];
    let mut runs = Vec::new();
    let mut start = 0;
    for (frame, list) in changes {
        if frame > start {
            let set = (0..depth.len()).filter(|&l| depth[l] > 0);
            let set = set.fold(LabelSet::EMPTY, |s, l| {
                s.union(LabelSet::of(LabelId(l as u32)))
            });
            let bare = LabelSet::of(LabelId::UNLABELLED);
            let marked = set.iter().all(|l| table.is_mark(l));
            runs.push((frame, if marked { set.union(bare) } else { set }));
            start = frame;
        }
        list.iter().for_each(|&(l, d)| depth[l.index()] += d);
    }
    runs
}
