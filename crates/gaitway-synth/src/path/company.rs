//! Who is near a place at a moment, without asking everybody.
//!
//! Others on the move by spans of a few frames: whoever is there in a span lies in its list with the box about their places. A search
//! asks at every frame it tries, and of two hundred people few are under way at once, and fewer near.

use glam::DVec2;

use super::obstacles::MovingObstacle;

/// Working frames of a span.
const SPAN: u32 = 8;

/// Others on the move, by span.
pub(super) struct Company {
    /// The clock's frame at which the first span begins.
    from: u32,
    spans: Vec<Vec<There>>,
    /// Who stands where they stopped: asked for at every frame.
    standing: Vec<u32>,
}

/// Somebody in a span.
struct There {
    who: u32,
    /// Lowest and highest place, with what must be kept apart around.
    low: DVec2,
    high: DVec2,
}

impl Company {
    /// Of those who are there from a frame of the clock on; `keep` is what must be kept between their outline and a root, metres.
    pub fn new(movers: &[MovingObstacle], from: u32, keep: f64) -> Self {
        let mut out = Self {
            from,
            spans: Vec::new(),
            standing: Vec::new(),
        };
        for (who, mover) in movers.iter().enumerate() {
            let who = who as u32;
            if !mover.leaves {
                out.standing.push(who);
                continue;
            }
            let skipped = from.saturating_sub(mover.from_frame) as usize;
            let Some(places) = mover.places.get(skipped..) else {
                continue;
            };
            let first = mover.from_frame.max(from) - from;
            let around = DVec2::splat(keep + mover.radius_m);
            for (k, place) in places.iter().enumerate() {
                let span = ((first + k as u32) / SPAN) as usize;
                if out.spans.len() <= span {
                    out.spans.resize_with(span + 1, Vec::new);
                }
                let place = DVec2::from_array(*place);
                let (low, high) = (place - around, place + around);
                match out.spans[span].last_mut() {
                    Some(there) if there.who == who => {
                        (there.low, there.high) = (there.low.min(low), there.high.max(high));
                    }
                    _ => out.spans[span].push(There { who, low, high }),
                }
            }
        }
        out
    }

    /// Those who may be too near a place at a frame of the clock.
    #[inline]
    pub fn near(&self, p: DVec2, frame: u32) -> impl Iterator<Item = usize> {
        let span = frame
            .checked_sub(self.from)
            .and_then(|f| self.spans.get((f / SPAN) as usize));
        let inside = move |t: &&There| p.cmpge(t.low).all() && p.cmple(t.high).all();
        let moving = span.into_iter().flatten().filter(inside).map(|t| t.who);
        moving
            .chain(self.standing.iter().copied())
            .map(|w| w as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Nobody who is too near is left out, whoever begins or leaves when.
        #[test]
        fn asks_everybody_who_matters(
            people in prop::collection::vec(
                (prop::collection::vec((-3.0..3.0_f64, -3.0..3.0_f64), 0..40), 0_u32..60, any::<bool>(), 0.1..0.5_f64),
                0..6,
            ),
            at in (-3.0..3.0_f64, -3.0..3.0_f64),
            from in 0_u32..50,
            later in 0_u32..80,
        ) {
            let movers: Vec<MovingObstacle> = people
                .into_iter()
                .enumerate()
                .map(|(k, (places, from_frame, leaves, radius_m))| MovingObstacle {
                    places: places.into_iter().map(|(x, z)| [x, z]).collect(),
                    radius_m,
                    from_frame,
                    leaves,
                    number: k + 1,
                })
                .collect();
            let (p, frame, keep) = (DVec2::new(at.0, at.1), from + later, 0.4);
            let company = Company::new(&movers, from, keep);
            let asked: Vec<usize> = company.near(p, frame).collect();
            for (k, m) in movers.iter().enumerate() {
                let near = m.at(frame).is_some_and(|q| p.distance(DVec2::from_array(q)) < keep + m.radius_m);
                prop_assert!(!near || asked.contains(&k));
            }
        }
    }
}
