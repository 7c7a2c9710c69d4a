//! From heel to toe, and from toe to heel.
//!
//! A foot that rolls is held by one point, then by the other. Where contact goes over without a frame in which both stand, the two would be
//! placed each by itself, and the foot would have to be in another place from one frame to the next. So the first counts until
//! the second stands: both are then placed together, and the foot lies along both of them as it goes over.

use super::watch::Plants;

/// Lets the point of a foot that was held last count in the first frame of the other one, if that comes right after it.
pub(super) fn hand_over(plants: &mut [Plants]) {
    for side in 0..2 {
        let Some(start) = plants[1 - side].list.back().map(|p| p.start) else {
            continue;
        };
        let Some(last) = plants[side].list.back_mut() else {
            continue;
        };
        if last.end == Some(start) {
            last.handed = Some(start + 1);
        }
    }
}
