//! One run of columns against the ends of all clips.

use super::clip::{End, Member, Side};
use super::columns::Columns;
use super::fill::{self, Terms};
use super::kept::Kept;
use super::minima::Strip;
use super::{EndCandidate, EndMinima, EndOptions, exact};
use crate::cloud::PointCloud;
use crate::error::MetricError;
use crate::naive::Alignment;
use crate::options::{MetricOptions, Placement};
use crate::search::{KeepApart, Watch};
use crate::simd::Backend;
use crate::window::Window;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Mutex;

/// Frames of a clip taken at once as columns: with 31 markers, they and three grids of sixteen rows stay inside a second
/// cache of 512 KiB.
const RUN: usize = 448;

/// Some frames of a clip, against all ends.
pub(super) struct Task {
    clip: usize,
    columns: Range<usize>,
}

/// Working memory of one thread.
#[derive(Default)]
pub(super) struct Scratch {
    columns: Columns,
    fill: fill::Scratch,
    strip: Strip,
    hits: Vec<u32>,
    found: Vec<EndCandidate>,
}

/// A search, ready to run.
pub(super) struct Run<'a> {
    members: Vec<Member<'a>>,
    ends: Vec<End>,
    window: Window,
    room: usize,
    rule: EndMinima,
    apart: &'a KeepApart,
    ceiling_m2: f64,
    backend: Backend,
    fixed: bool,
}

impl<'a> Run<'a> {
    /// Checks that all clouds fit together and packs their ends.
    pub(super) fn new(
        clouds: &'a [PointCloud],
        options: &MetricOptions,
        ends: &EndOptions,
        apart: &'a KeepApart,
    ) -> Result<Self, MetricError> {
        let first = clouds.first().ok_or(MetricError::NoClips)?;
        clouds.iter().try_for_each(|c| first.check_match(c))?;
        let window = options.window(first.rate_hz())?;
        let (ceiling_m2, backend) = (options.ceiling_m2()?, options.backend()?);
        let members: Vec<Member<'_>> = clouds.par_iter().map(Member::new).collect();
        let (half, room) = (window.half(), ends.room as usize);
        let ends_of = |(k, member): (usize, &Member<'_>)| {
            [Side::Last, Side::First].map(|side| End::new(k, member, side, half, room))
        };
        let both = members.iter().enumerate().flat_map(ends_of);
        Ok(Self {
            ends: both.flatten().collect(),
            members,
            window,
            room,
            rule: ends.minima,
            apart,
            ceiling_m2,
            backend,
            fixed: options.placement == Placement::Fixed,
        })
    }

    /// All tasks, in order of clips and frames.
    pub(super) fn tasks(&self) -> Vec<Task> {
        let mut tasks = Vec::new();
        for (clip, member) in self.members.iter().enumerate() {
            let frames = member.frames();
            tasks.extend((0..frames).step_by(RUN).map(|from| Task {
                clip,
                columns: from..frames.min(from + RUN),
            }));
        }
        tasks
    }

    /// Pairs of frames in all strips.
    pub(super) fn pair_count(&self) -> u64 {
        let strip = |end: &End| {
            let met = (0..self.members.len()).filter(|&k| self.apart.may_meet(end.clip, k));
            let frames: u64 = met.map(|k| self.members[k].frames() as u64).sum();
            frames * end.own.len() as u64
        };
        self.ends.iter().map(strip).sum()
    }

    /// Runs a task and hands over what it finds.
    pub(super) fn task(
        &self,
        task: &Task,
        scratch: &mut Scratch,
        watch: &Watch<'_>,
        kept: &Mutex<Kept>,
    ) {
        let clip = &self.members[task.clip];
        scratch
            .columns
            .take(clip, task.columns.clone(), &self.window);
        scratch.fill.begin(&scratch.columns, &self.window);
        for end in &self.ends {
            if watch.stopped() {
                return;
            }
            if !self.apart.may_meet(end.clip, task.clip) {
                continue;
            }
            self.compare(end, task, scratch);
            if !scratch.found.is_empty() {
                let (from, to) = end.pair(end.clip, task.clip);
                let mut kept = kept.lock().unwrap_or_else(|e| e.into_inner());
                kept.add(from, to, &scratch.found);
            }
            let pairs = end.own.len() as u64 * task.columns.len() as u64;
            watch.advance(pairs, 0, scratch.found.len() as u64);
        }
    }

    /// Leaves the candidates of one end with one run of columns in `scratch.found`.
    fn compare(&self, end: &End, task: &Task, scratch: &mut Scratch) {
        scratch.found.clear();
        let (short, long) = (&self.members[end.clip], &self.members[task.clip]);
        let own = end.columns(long.frames(), self.window.half(), self.room);
        let own = own.start.max(task.columns.start)..own.end.min(task.columns.end);
        if own.is_empty() {
            return;
        }
        let terms = Terms {
            window: &self.window,
            fixed: self.fixed,
            backend: self.backend,
            ceiling_m2: self.ceiling_m2,
        };
        let (columns, strip) = (&scratch.columns, &mut scratch.strip);
        scratch.fill.fill(&terms, end, short, long, columns, strip);
        let first = columns.shown.start;
        let own = own.start - first..own.end - first;
        for row in end.own.clone() {
            let k = row - end.centres.start;
            strip.minima(k, own.clone(), end.side, self.rule, &mut scratch.hits);
            for &hit in &scratch.hits {
                let column = first + hit as usize;
                let corner = end.side == Side::Last && column < self.window.half();
                let both = corner && self.rule == EndMinima::Along;
                if !both || strip.lowest_of_column(k, hit as usize) {
                    scratch.found.extend(self.candidate(end, row, task, column));
                }
            }
        }
    }

    /// A minimum as a candidate, if it is one in f64 and not too near itself.
    fn candidate(&self, end: &End, row: usize, task: &Task, column: usize) -> Option<EndCandidate> {
        let (i, j) = end.pair(row, column);
        let (from, to) = end.pair(end.clip, task.clip);
        if from == to && i.abs_diff(j) <= self.window.frames() {
            return None;
        }
        let (
            Alignment {
                distance_m2,
                theta,
                x0,
                z0,
            },
            n,
        ) = exact::align(
            (&self.members[from], i),
            (&self.members[to], j),
            &self.window,
            self.fixed,
            self.backend,
        );
        let scaled = distance_m2 * self.window.frames() as f64 / n as f64;
        (scaled < self.ceiling_m2).then_some(EndCandidate {
            distance_m2,
            theta,
            x0,
            z0,
            i: i as u32,
            j: j as u32,
            frames: n as u32,
        })
    }
}
