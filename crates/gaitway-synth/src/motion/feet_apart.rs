//! How far apart standing feet are where a transition joins two clips.
//!
//! A foot that stands in both clips at once, at places that are apart under the transition's alignment, must be moved: by a
//! step, where the other foot stands, else by sliding. Per foot, with p and q its toe in the clip left and in the one
//! entered,
//!
//!   a = mean |p(f) − T q(f)|   over frames f in which it stands in both,      T: `before_from_after`
//!
//! over the blend, or 0.1 s to either side of a cut. The first 3 cm are carried over from plant to plant; what is beyond counts, and
//! counts twice where the other foot is in the air in both clips at some such frame: nobody can step then. Both feet are summed.

use std::cell::OnceCell;

use gaitway_core::{anatomy, fk};
use gaitway_graph::{ClipId, EdgeId, MotionGraph, Transition, TransitionKind};
use glam::DVec3;

/// What planting carries over without a step, in metres.
const FREE: f64 = 0.03;
/// Seconds to either side of a cut in which feet are looked at.
const CUT_S: f64 = 0.1;
/// A centimetre of feet apart counts as much as this many centimetres of √D.
const AS_DISTANCE: f64 = 0.5;

/// Toes of one clip at its working frames.
struct Toes {
    places: Vec<[DVec3; 2]>,
    /// Which toes stand, a bit each, left first.
    stand: Vec<u8>,
}

/// Measures transitions of a graph, each clip looked at once, when it is first asked for.
pub struct FeetApart<'g> {
    graph: &'g MotionGraph,
    clips: Vec<OnceCell<Option<Toes>>>,
}

impl<'g> FeetApart<'g> {
    /// For transitions of a graph.
    pub fn new(graph: &'g MotionGraph) -> Self {
        Self {
            graph,
            clips: (0..graph.clip_count()).map(|_| OnceCell::new()).collect(),
        }
    }

    /// How far feet must be moved by a transition, in metres, as counted above; 0 along pieces, without known contacts, and
    /// where frames are damaged (which whoever plays them is told).
    pub fn metres(&self, edge: EdgeId) -> f64 {
        let Some(t) = self.graph.transition(edge) else {
            return 0.0;
        };
        match (self.toes(t.from_clip), self.toes(t.to_clip)) {
            (Some(from), Some(to)) => self.apart(&t, from, to),
            _ => 0.0,
        }
    }

    /// What that adds to a transition's √D, in centimetres, for whoever compares transitions.
    pub fn as_distance_cm(&self, edge: EdgeId) -> f64 {
        AS_DISTANCE * 100.0 * self.metres(edge)
    }

    fn apart(&self, t: &Transition, from: &Toes, to: &Toes) -> f64 {
        let half = match t.kind {
            TransitionKind::Blend => f64::from(t.frames / 2),
            TransitionKind::Cut => (CUT_S * self.graph.working_rate_hz()).round(),
        } as i64;
        let frame = |toes: &Toes, at: u32, off: i64| {
            // Where a clip is over or has not begun, its last or first frame speaks.
            let last = toes.places.len() as i64 - 1;
            (i64::from(at) + off).clamp(0, last) as usize
        };
        let mut sums = [(0.0, 0_u32, false); 2];
        for off in -half..=half {
            let (a, b) = (frame(from, t.from_frame, off), frame(to, t.to_frame, off));
            let both = from.stand[a] & to.stand[b];
            let any = from.stand[a] | to.stand[b];
            for (side, (sum, count, alone)) in sums.iter_mut().enumerate() {
                if both >> side & 1 == 0 {
                    continue;
                }
                let moved = t.before_from_after.apply(to.places[b][side]);
                *sum += (from.places[a][side] - moved).with_y(0.0).length();
                *count += 1;
                *alone |= any >> (1 - side) & 1 == 0;
            }
        }
        let counted = sums.iter().map(|&(sum, count, alone)| {
            let mean = sum / f64::from(count.max(1));
            (mean - FREE).max(0.0) * if alone { 2.0 } else { 1.0 }
        });
        counted.sum()
    }

    fn toes(&self, clip: ClipId) -> Option<&Toes> {
        let read = || read(self.graph, clip);
        self.clips[clip.index()].get_or_init(read).as_ref()
    }
}

/// Toes of a clip; `None` without frames or contacts of both feet.
fn read(graph: &MotionGraph, id: ClipId) -> Option<Toes> {
    let clip = graph.clip(id).ok()?;
    let track = clip.contacts()?;
    let of_side = |side: anatomy::Side| {
        let points = track.points().iter().enumerate();
        let mut own = points.filter(|(_, p)| anatomy::side_of(&p.name) == Some(side));
        // The toe, or the only point there is: heels are listed first.
        own.by_ref().last().map(|(bit, p)| (bit, p.point.index()))
    };
    let feet = [
        of_side(anatomy::Side::Left)?,
        of_side(anatomy::Side::Right)?,
    ];
    let world = fk::world_points(&clip);
    let info = graph.clip_info(id);
    let frames = (0..info.working_frames()).map(|f| info.source_frame(f));
    let frames: Vec<usize> = frames.filter(|&f| f < clip.frame_count()).collect();
    (!frames.is_empty()).then(|| Toes {
        places: frames
            .iter()
            .map(|&f| feet.map(|(_, point)| world.at(f, point)))
            .collect(),
        stand: frames
            .iter()
            .map(|&f| {
                let bit = |k: usize| (track.mask(f) >> feet[k].0 & 1) as u8;
                bit(0) | bit(1) << 1
            })
            .collect(),
    })
}
