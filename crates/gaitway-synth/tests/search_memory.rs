//! Searching allocates nothing outside an arena that is sized ahead.
#![allow(missing_docs)]
// Counting allocations takes an allocator, and an allocator is unsafe by its trait; it only counts and passes on.
#![allow(unsafe_code)]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use common::paths::{walker, walking};
use gaitway_synth::path::{EdgePaths, PathProblem, named_curve};
use gaitway_synth::search::{
    BeamOptions, BnbOptions, Budget, Control, beam_search, branch_and_bound,
};

struct Counting;

static COUNT: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: what is freed was allocated above.
        unsafe { System.dealloc(at, layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn more_expansions_make_no_more_allocations() {
    let graph = walker();
    let path = named_curve("s", 0.8).expect("a curve");
    let options = walking("walk");
    let edges = EdgePaths::new(graph, &options.naturalness, options.smooth_arc).expect("frames");
    let problem = PathProblem::new(graph, &edges, &path, &options).expect("a problem");
    let count = |search: &dyn Fn() -> u64| {
        let before = COUNT.load(Ordering::Relaxed);
        let expansions = search();
        (COUNT.load(Ordering::Relaxed) - before, expansions)
    };
    let beam = |expansions: u64| {
        let budget = Budget::expansions(expansions);
        beam_search(
            &problem,
            &BeamOptions::default(),
            &budget,
            Control::default(),
        )
        .expansions
    };
    let (few, less) = count(&|| beam(20_000));
    let (many, more) = count(&|| beam(320_000));
    assert!(more > 8 * less, "{more} and {less} expansions");
    // Arenas, starts, and a handful per round and per walk found.
    assert!(many < few + 100, "{few} and {many} allocations");
    let bites = |per_bite: u64| {
        let options = BnbOptions {
            per_bite: Some(per_bite),
            ..BnbOptions::default()
        };
        let budget = Budget::expansions(u64::MAX / 4);
        branch_and_bound(&problem, &options, &budget, Control::default()).expansions
    };
    let (few, less) = count(&|| bites(1_000));
    let (many, more) = count(&|| bites(16_000));
    assert!(more > 2 * less, "{more} and {less} expansions");
    assert!(many < few + 100, "{few} and {many} allocations");
}
