//! Contacts along a timeline, in one alphabet for all its sources.
//!
//! Sources may know different contact points (or the same in another order). The timeline's list is the union in order of
//! appearance, and each source's bits are carried over to it. Where one source has no contacts at all the timeline has
//! none: "nothing stands" would be a lie.

use std::sync::Arc;

use gaitway_core::{ContactPoint, ContactTrack, PoseSource};

/// The alphabet, and how each source's bits are carried over.
#[derive(Clone)]
pub(super) struct Contacts {
    pub points: Option<Vec<ContactPoint>>,
    /// Per source, the timeline's bit for each of its own; `None` where they are the same.
    bits: Vec<Option<Vec<u32>>>,
}

impl Contacts {
    /// The alphabet of the sources in the order in which they are first played; those never played have no say.
    pub fn new(sources: &[Arc<dyn PoseSource>], played: impl Iterator<Item = usize>) -> Self {
        let mut points = Some(Vec::new());
        let mut bits = vec![None; sources.len()];
        let mut seen = vec![false; sources.len()];
        for source in played {
            if !std::mem::replace(&mut seen[source], true) {
                bits[source] = gather(sources[source].contact_points(), &mut points);
            }
        }
        Self { points, bits }
    }

    /// What stands at a time of a source, in the timeline's bits.
    pub fn at(&self, sources: &[Arc<dyn PoseSource>], source: usize, at: f64) -> u32 {
        if self.points.is_none() {
            return 0;
        }
        let mask = sources[source].contacts_at(at);
        match &self.bits[source] {
            Some(bits) => {
                let set = bits.iter().enumerate().filter(|(k, _)| mask >> k & 1 == 1);
                set.fold(0, |out, (_, bit)| out | bit)
            }
            None => mask,
        }
    }
}

/// Adds a source's points to the list; the list's bit for each, or `None` where nothing needs carrying over.
fn gather(
    known: Option<&[ContactPoint]>,
    points: &mut Option<Vec<ContactPoint>>,
) -> Option<Vec<u32>> {
    let Some((known, all)) = known.zip(points.as_mut()) else {
        *points = None;
        return None;
    };
    let mut bits = Vec::with_capacity(known.len());
    for point in known {
        let at = all.iter().position(|p| p == point).unwrap_or_else(|| {
            all.push(point.clone());
            all.len() - 1
        });
        // Points beyond what a track can hold are dropped, as ContactTrack does.
        let fits = at < ContactTrack::MAX_POINTS;
        bits.push(if fits { 1 << at } else { 0 });
    }
    let same = bits.iter().enumerate().all(|(k, &b)| b == 1 << k);
    (!same).then_some(bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gaitway_core::PointIdx;

    fn point(name: &str, index: u32) -> ContactPoint {
        ContactPoint {
            name: name.into(),
            point: PointIdx(index),
        }
    }

    #[test]
    fn contact_points_are_joined_by_what_they_are() {
        let (heel, toe, hand) = (point("heel", 1), point("toe", 2), point("hand", 3));
        let mut all = Some(Vec::new());
        assert_eq!(gather(Some(&[heel.clone(), toe.clone()]), &mut all), None);
        let bits = gather(Some(&[toe, hand, heel]), &mut all);
        assert_eq!(bits, Some(vec![2, 4, 1]));
        assert_eq!(all.as_ref().map(Vec::len), Some(3));
        gather(None, &mut all);
        assert_eq!(all, None);
    }
}
