//! Planting while motion plays allocates nothing per frame: every allocation of the thread is counted.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use gaitway_cleanup::{FrameIn, OnlinePlanter, PlantOptions, plant_feet};
use gaitway_core::testing::{Walker, walking_clip};

thread_local! {
    // Constant, so that asking for it allocates nothing.
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call is handed to the system's allocator as it came; counting touches a cell of the thread only.
#[allow(unsafe_code)] // A global allocator cannot be written without.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|c| c.set(c.get() + 1));
        // SAFETY: the caller keeps the contract of `GlobalAlloc::alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: `at` came from `alloc` or `realloc` above, which are the system's.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let _ = COUNT.try_with(|c| c.set(c.get() + 1));
        // SAFETY: as `dealloc`.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn count() -> usize {
    COUNT.with(Cell::get)
}

#[test]
fn playing_allocates_nothing() {
    for rate_hz in [30.0, 120.0] {
        let clip = walking_clip(&Walker {
            slide: 0.05,
            rate_hz,
            ..Walker::default()
        });
        let whole = plant_feet(&clip, None, &PlantOptions::default()).expect("feet");
        let options = PlantOptions {
            heights: Some(whole.heights),
            ..PlantOptions::for_play()
        };
        let track = clip.contacts().expect("known");
        let skeleton = clip.skeleton().clone();
        let planter = OnlinePlanter::new(skeleton, rate_hz, track.points(), &options);
        let mut planter = planter.expect("feet");
        let before = count();
        let mut out = 0;
        for f in 0..6 * clip.frame_count() {
            let k = f % clip.frame_count();
            // Contacts as they are, then flickering as fast as a plant can be long, and blends.
            let flicker = if f > 3 * clip.frame_count() && f % 5 < 3 {
                0b1111
            } else {
                0
            };
            let frame = FrameIn {
                root: clip.root()[k],
                rotations: clip.frame_rotations(k),
                translations: &[],
                contacts: track.mask(k) ^ flicker,
                in_transition: f % 97 < 20,
            };
            out += usize::from(planter.push(frame).expect("fits").is_some());
        }
        while planter.drain().is_some() {
            out += 1;
        }
        assert_eq!(count() - before, 0, "at {rate_hz} Hz");
        assert_eq!(out, 6 * clip.frame_count());
    }
    assert!(count() > 0, "the allocator counts");
}
