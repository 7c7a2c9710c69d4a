//! One search from every frame, or from a sample of them: who reaches whom, and how soon.

use rayon::prelude::*;
use serde::Serialize;

use super::arcs::NEVER;
use super::frames::FrameGraph;
use super::search::Search;
use super::{EvalError, Watch};

/// Searches between two looks at whether to go on.
const AT_ONCE: usize = 64;

/// The most cells on a side of the picture of who reaches whom.
const CELLS: usize = 400;

/// Mean least time between frames.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MeanTime {
    /// Seconds, over ordered pairs of frames of which the second can be reached from the first.
    pub seconds: f64,
    /// Standard error of the mean; 0 where all pairs were looked at.
    pub error_s: f64,
    /// Frames that were searched from.
    pub sources: usize,
    /// Whether those were all.
    pub exact: bool,
    /// Share of the pairs with a way.
    pub reached: f64,
}

/// Who reaches whom: the transitive closure, by cells of frames in the order of clips.
#[derive(Clone, Debug, PartialEq)]
pub struct Closure {
    /// Cells on a side.
    pub side: usize,
    /// Row by row, from row to column, the share of pairs with a way; NaN where no frame of the row was searched from.
    pub cells: Vec<f32>,
    /// Share of all pairs with a way.
    pub share: f64,
    /// Its standard error; 0 where all frames were searched from.
    pub error: f64,
}

/// What a sweep finds.
pub(super) struct Swept {
    pub mean: Option<MeanTime>,
    pub closure: Closure,
}

/// What one source finds.
struct Row {
    source: u32,
    /// Of frames that count: sum of times and how many were reached.
    time: Option<(u64, u32)>,
    reached: u32,
    cells: Vec<u32>,
}

/// Searches from `sources` (frames, rising). Times count between frames that `counts` says.
pub(super) fn sweep(
    graph: &FrameGraph,
    counts: &[bool],
    sources: &[u32],
    watch: &mut Watch<'_>,
) -> Result<Swept, EvalError> {
    let frames = graph.captured_count();
    let side = frames.min(CELLS);
    let mut cells = vec![0_u64; side * side];
    let mut searched = vec![0_u64; side];
    let mut means = Vec::new();
    let (mut sum, mut pairs, mut reached) = (0_u64, 0_u64, Vec::new());
    for chunk in sources.chunks(AT_ONCE) {
        let rows: Vec<Row> = chunk
            .par_iter()
            .map_init(
                || (graph.search(&graph.arcs), vec![NEVER; frames]),
                |(search, time), &source| row(graph, counts, source, side, search, time),
            )
            .collect();
        for row in rows {
            let at = cell(row.source, frames, side);
            searched[at] += 1;
            let into = &mut cells[at * side..(at + 1) * side];
            into.iter_mut()
                .zip(&row.cells)
                .for_each(|(a, &b)| *a += u64::from(b));
            reached.push(f64::from(row.reached) / frames as f64);
            if let Some((total, count)) = row.time {
                sum += total;
                pairs += u64::from(count);
                if count > 0 {
                    means.push(total as f64 / f64::from(count) / graph.rate_hz);
                }
            }
        }
        watch.step(chunk.len())?;
    }
    let all = (0..frames).filter(|&f| counts[f]).count();
    let from = sources.iter().filter(|&&f| counts[f as usize]).count();
    let exact = sources.len() == frames;
    let possible = from as f64 * all.saturating_sub(1) as f64;
    let mean = (pairs > 0).then(|| MeanTime {
        seconds: sum as f64 / pairs as f64 / graph.rate_hz,
        error_s: standard_error(&means, all),
        sources: from,
        exact,
        reached: pairs as f64 / possible.max(1.0),
    });
    let widths = widths(frames, side);
    let share = |k: usize| {
        let (row, column) = (k / side, k % side);
        cells[k] as f32 / (searched[row] * widths[column]) as f32
    };
    let closure = Closure {
        side,
        cells: (0..side * side).map(share).collect(),
        share: reached.iter().sum::<f64>() / reached.len().max(1) as f64,
        error: standard_error(&reached, frames),
    };
    Ok(Swept { mean, closure })
}

fn row(
    graph: &FrameGraph,
    counts: &[bool],
    source: u32,
    side: usize,
    search: &mut Search<'_>,
    time: &mut [u32],
) -> Row {
    let frames = time.len();
    let start = graph.node_of(source);
    search.from(std::iter::once(start));
    // A frame is reached where any moment that shows it is; coming back to the source takes a loop.
    time.fill(NEVER);
    let found = search.time();
    for (node, &shown) in graph.shows.iter().enumerate() {
        // NEVER is no frame either.
        if let Some(best) = time.get_mut(shown as usize) {
            *best = (*best).min(found[node]);
        }
    }
    let mut out = Row {
        source,
        time: counts[source as usize].then_some((0, 0)),
        reached: 0,
        cells: vec![0; side],
    };
    for (frame, &then) in time.iter().enumerate().filter(|(_, t)| **t != NEVER) {
        out.reached += 1;
        out.cells[cell(frame as u32, frames, side)] += 1;
        if let Some((sum, count)) = &mut out.time
            && counts[frame]
            && frame != source as usize
        {
            *sum += u64::from(then);
            *count += 1;
        }
    }
    out
}

/// The cell a frame falls into.
fn cell(frame: u32, frames: usize, side: usize) -> usize {
    frame as usize * side / frames.max(1)
}

/// Frames per cell.
fn widths(frames: usize, side: usize) -> Vec<u64> {
    let mut out = vec![0; side];
    (0..frames).for_each(|f| out[cell(f as u32, frames, side)] += 1);
    out
}

/// Of a mean over some of `all` values, drawn without putting back: s/√n · √(1 − n/N).
pub(super) fn standard_error(values: &[f64], all: usize) -> f64 {
    let n = values.len() as f64;
    if values.len() < 2 || values.len() >= all {
        return 0.0;
    }
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (variance / n * (1.0 - n / all as f64)).sqrt()
}
