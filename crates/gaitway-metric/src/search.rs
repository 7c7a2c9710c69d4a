//! Candidates between all clips of a set.

use crate::candidate::{CandidateList, Matcher};
use crate::cap::{Keeper, Pool, block_counts};
use crate::cloud::PointCloud;
use crate::error::MetricError;
use crate::options::MetricOptions;
use crate::store::{CandidateStore, EntryKey};
use crate::strip::{PairContext, Scratch, Tally, Task};
use rayon::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Pairs of frames in a piece, the unit that is kept on disk: about a second of work on two cores.
const PIECE_PAIRS: u64 = 1 << 28;

/// How far a search has come. Rates and time left are the caller's to work out from its own clock.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProgressState {
    /// Frame pairs done, those read back from the store included.
    pub pairs_done: u64,
    /// Frame pairs in all.
    pub pairs_total: u64,
    /// Frame pairs that came from the store.
    pub pairs_cached: u64,
    /// Share of the computed pairs that the exact bound left out.
    pub skipped_share: f64,
    /// Candidates so far.
    pub candidates: u64,
}

/// Hears how a search goes on and may stop it.
pub trait Progress: Send {
    /// Called now and then, from any thread, and once at the end.
    fn report(&mut self, state: &ProgressState) {
        let _ = state;
    }

    /// Asked about every tenth of a second; true stops the search, and what is finished stays in the store.
    fn cancelled(&mut self) -> bool {
        false
    }
}

/// A listener that does nothing.
impl Progress for () {}

/// Clips that are never compared, by what they are tagged with (labels, folders, anything).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeepApart {
    tags: Vec<Vec<String>>,
    rules: Vec<(String, String)>,
}

impl KeepApart {
    /// Tags of every clip, in the order of the clips, and pairs of tags that must not meet.
    pub fn new(tags: Vec<Vec<String>>, rules: Vec<(String, String)>) -> Self {
        Self { tags, rules }
    }

    /// Whether clips `a` and `b` may be compared.
    pub fn may_meet(&self, a: usize, b: usize) -> bool {
        let has = |clip: usize, tag: &str| {
            self.tags
                .get(clip)
                .is_some_and(|t| t.iter().any(|t| t == tag))
        };
        !self
            .rules
            .iter()
            .any(|(x, y)| (has(a, x) && has(b, y)) || (has(a, y) && has(b, x)))
    }
}

/// Candidates of one clip pair, `a <= b` by place in the list of clouds.
#[derive(Clone, Debug, PartialEq)]
pub struct PairCandidates {
    /// First clip.
    pub a: usize,
    /// Second clip, the same as the first for a clip against itself.
    pub b: usize,
    /// What was found.
    pub found: CandidateList,
}

/// The result of [`find_candidates`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CandidateSearch {
    /// A row per clip pair that was compared, in order of (a, b).
    pub pairs: Vec<PairCandidates>,
    /// How the run went.
    pub state: ProgressState,
    /// Candidates dropped because there were more than the cap; 0 unless told.
    pub dropped: u64,
    /// Damaged entries of the store that were computed again.
    pub warnings: Vec<String>,
}

/// The candidates between all pairs of clouds, each with itself included, but for those kept apart. With a store,
/// pieces found there are not computed, and finished pieces are kept as they come.
///
/// The same clouds and options give the same result on any number of threads, with any kernel of fused
/// multiply-adds, with skipping on or off, and whether or not parts come from the store.
pub fn find_candidates(
    clouds: &[PointCloud],
    options: &MetricOptions,
    store: Option<&CandidateStore>,
    apart: &KeepApart,
    progress: &mut dyn Progress,
) -> Result<CandidateSearch, MetricError> {
    let refs: Vec<&PointCloud> = clouds.iter().collect();
    let matcher = Matcher::new(&refs, options)?;
    let mut pairs = Vec::new();
    for a in 0..clouds.len() {
        pairs.extend(
            (a..clouds.len())
                .filter(|&b| apart.may_meet(a, b))
                .map(|b| (a, b)),
        );
    }
    let total = pairs.iter().map(|&(a, b)| matcher.pair_count(a, b)).sum();
    let run = Run {
        matcher: &matcher,
        store,
        watch: Watch::new(total, progress),
        failed: Mutex::new(None),
    };
    let pool = Mutex::new(Pool::new(options.max_candidates, pairs.len()));
    pairs.par_iter().enumerate().for_each(|(row, &(a, b))| {
        if let Some((found, counts)) = run.pair(a, b) {
            pool.lock()
                .unwrap_or_else(|e| e.into_inner())
                .add(row, found, counts);
        }
    });
    if let Some(store) = store {
        store.flush()?;
    }
    if let Some(error) = run.failed.lock().unwrap_or_else(|e| e.into_inner()).take() {
        return Err(error);
    }
    let found = pool
        .into_inner()
        .unwrap_or_else(|e| e.into_inner())
        .finish()
        .ok_or(MetricError::Cancelled)?;
    let dropped = found.iter().map(|f| f.dropped).sum();
    let rows = pairs
        .into_iter()
        .zip(found)
        .map(|((a, b), found)| PairCandidates { a, b, found });
    Ok(CandidateSearch {
        pairs: rows.collect(),
        state: run.watch.last(),
        dropped,
        warnings: store.map(CandidateStore::take_warnings).unwrap_or_default(),
    })
}

impl CandidateSearch {
    /// Candidates in all.
    pub fn candidate_count(&self) -> usize {
        self.pairs.iter().map(|p| p.found.candidates.len()).sum()
    }

    /// Keeps the best of every clip pair and block where there are more than `cap`: for rows put together from several
    /// searches, with the result that one search would have had.
    pub fn apply_cap(&mut self, cap: usize) {
        let mut pool = Pool::new(cap, self.pairs.len());
        for (row, pair) in self.pairs.iter_mut().enumerate() {
            let counts = block_counts(&pair.found.candidates);
            pool.add(row, std::mem::take(&mut pair.found), counts);
        }
        for (pair, found) in self
            .pairs
            .iter_mut()
            .zip(pool.finish().into_iter().flatten())
        {
            pair.found = found;
        }
        self.dropped = self.pairs.iter().map(|p| p.found.dropped).sum();
    }
}

struct Run<'a, 'p> {
    matcher: &'a Matcher<'a>,
    store: Option<&'a CandidateStore>,
    watch: Watch<'p>,
    failed: Mutex<Option<MetricError>>,
}

impl Run<'_, '_> {
    fn fail(&self, error: MetricError) {
        self.failed
            .lock()
            .unwrap_or_else(|e| e.into_inner())
            .get_or_insert(error);
        self.watch.stop.store(true, Ordering::Relaxed);
    }

    /// What a clip pair holds and how many candidates its blocks had; none if stopped.
    fn pair(&self, a: usize, b: usize) -> Option<(CandidateList, Vec<usize>)> {
        if self.watch.stop.load(Ordering::Relaxed) {
            return None;
        }
        let options = self.matcher.options;
        let count = self.matcher.pair_count(a, b);
        let pieces = (count / PIECE_PAIRS + 1) as u32;
        let key = |piece| EntryKey {
            a: *self.matcher.prepared[a].cloud.checksum(),
            b: *self.matcher.prepared[b].cloud.checksum(),
            options: options.key(),
            piece,
            pieces,
        };
        let mut keeper = Keeper::new(options.max_candidates);
        let mut context: Option<(PairContext<'_>, Vec<Task>)> = None;
        let mut tally = Tally::default();
        for piece in 0..pieces {
            let share = count * u64::from(piece + 1) / u64::from(pieces)
                - count * u64::from(piece) / u64::from(pieces);
            let kept = self.store.and_then(|s| s.get(&key(piece)));
            let cached = kept.is_some();
            let found = match kept {
                Some(found) => found,
                None => {
                    let (context, tasks) = context.get_or_insert_with(|| {
                        let context = self.matcher.context(a, b);
                        let tasks = context.tasks();
                        (context, tasks)
                    });
                    let at = |p: u32| tasks.len() * p as usize / pieces as usize;
                    let (found, t) =
                        self.piece((a, b), context, &tasks[at(piece)..at(piece + 1)])?;
                    tally.cells += t.cells;
                    tally.skipped += t.skipped;
                    if let Some(Err(error)) = self.store.map(|s| s.put(&key(piece), &found)) {
                        self.fail(error);
                        return None;
                    }
                    found
                }
            };
            self.watch
                .advance(share, if cached { share } else { 0 }, found.len() as u64);
            keeper.add(found);
        }
        self.watch.skipped(tally, count);
        let (candidates, dropped, counts) = keeper.finish();
        let skipped_share = tally.skipped as f64 / tally.cells.max(1) as f64;
        Some((
            CandidateList {
                candidates,
                pairs: count,
                skipped_share,
                dropped,
            },
            counts,
        ))
    }

    /// Computes some tasks of a pair; none if stopped.
    fn piece(
        &self,
        pair: (usize, usize),
        context: &PairContext<'_>,
        tasks: &[Task],
    ) -> Option<(Vec<crate::Candidate>, Tally)> {
        let parts: Option<Vec<_>> = tasks
            .par_iter()
            .map_init(Scratch::default, |scratch, task| {
                self.watch.ask();
                (!self.watch.stop.load(Ordering::Relaxed))
                    .then(|| self.matcher.run_task(pair, context, task, scratch))
            })
            .collect();
        let mut found = Vec::new();
        let mut tally = Tally::default();
        for (part, t) in parts? {
            found.extend(part);
            tally.cells += t.cells;
            tally.skipped += t.skipped;
        }
        found.sort_unstable_by_key(|c| (c.i, c.j));
        Some((found, tally))
    }
}

/// Counts progress for all threads and passes it on, at most ten times a second.
pub(crate) struct Watch<'p> {
    total: u64,
    done: AtomicU64,
    cached: AtomicU64,
    candidates: AtomicU64,
    skipped: Mutex<(f64, f64)>,
    stop: AtomicBool,
    listener: Mutex<(&'p mut dyn Progress, Instant)>,
}

impl<'p> Watch<'p> {
    const EVERY: Duration = Duration::from_millis(100);

    pub(crate) fn new(total: u64, listener: &'p mut dyn Progress) -> Self {
        Self {
            total,
            done: AtomicU64::new(0),
            cached: AtomicU64::new(0),
            candidates: AtomicU64::new(0),
            skipped: Mutex::new((0.0, 0.0)),
            stop: AtomicBool::new(false),
            listener: Mutex::new((listener, Instant::now())),
        }
    }

    fn state(&self) -> ProgressState {
        let (skipped, asked) = *self.skipped.lock().unwrap_or_else(|e| e.into_inner());
        ProgressState {
            pairs_done: self.done.load(Ordering::Relaxed),
            pairs_total: self.total,
            pairs_cached: self.cached.load(Ordering::Relaxed),
            skipped_share: if asked > 0.0 { skipped / asked } else { 0.0 },
            candidates: self.candidates.load(Ordering::Relaxed),
        }
    }

    pub(crate) fn advance(&self, pairs: u64, cached: u64, candidates: u64) {
        self.done.fetch_add(pairs, Ordering::Relaxed);
        self.cached.fetch_add(cached, Ordering::Relaxed);
        self.candidates.fetch_add(candidates, Ordering::Relaxed);
        self.ask();
    }

    /// Adds a clip pair's skipping, weighted by its computed pairs.
    fn skipped(&self, tally: Tally, pairs: u64) {
        let mut sum = self.skipped.lock().unwrap_or_else(|e| e.into_inner());
        sum.0 += pairs as f64 * tally.skipped as f64 / tally.cells.max(1) as f64;
        sum.1 += pairs as f64;
    }

    /// Whether the listener asked to stop, or something failed.
    pub(crate) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn ask(&self) {
        // A thread that finds the listener busy goes on with its work.
        if let Ok(mut guard) = self.listener.try_lock()
            && guard.1.elapsed() >= Self::EVERY
        {
            guard.1 = Instant::now();
            guard.0.report(&self.state());
            if guard.0.cancelled() {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
    }

    pub(crate) fn last(&self) -> ProgressState {
        let state = self.state();
        self.listener
            .lock()
            .unwrap_or_else(|e| e.into_inner())
            .0
            .report(&state);
        state
    }
}
