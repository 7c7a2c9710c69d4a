//! What is usual: heights, reaches and poses of ordinary standing and walking.

use glam::Vec3;

use super::EventKind;
use super::signal::Body;
use crate::Clip;
use crate::anatomy::words;

/// The most poses kept: enough to hold every phase of a few gaits.
const POSES: usize = 240;
/// Labels with one of these words are ordinary, unless one of them names an action too.
const ORDINARY: [&str; 8] = [
    "walk",
    "walking",
    "run",
    "jog",
    "stand",
    "standing",
    "idle",
    "locomotion",
];

/// Whether a label speaks of ordinary standing and going: walk, run, jog, stand, idle, locomotion.
pub fn is_ordinary(label: &str) -> bool {
    words(label).iter().any(|w| ORDINARY.contains(&w.as_str()))
}

/// What events are measured against. All lengths in metres.
#[derive(Clone, Debug, Default)]
pub struct Usual {
    /// The pelvis above the floor, median.
    pub pelvis: f64,
    /// The lower hand above the floor, median.
    pub hand: f64,
    /// The head above the floor, median.
    pub head: f64,
    /// A foot's lift that 98 % of frames stay below.
    pub lift: f64,
    /// A hand's distance from the hips on the ground that 98 % of frames stay below.
    pub reach: f64,
    /// What the nearest usual pose of another moment is away, 98 % of them less: RMS over joints.
    pub spread: f64,
    poses: Vec<Vec<Vec3>>,
}

impl Usual {
    /// Measures the ordinary frames of some clips: those labelled as walking, running or standing and as no action; where there
    /// are none, those that name no action; else all. Clips that nothing is known of count with all their frames.
    pub fn of<'a>(clips: impl IntoIterator<Item = &'a Clip>) -> Self {
        let bodies: Vec<(&Clip, Body<'_>)> = clips
            .into_iter()
            .filter(|c| c.frame_count() > 0)
            .map(|c| (c, Body::of(c)))
            .collect();
        let rank = |clip: &Clip, f: usize| {
            let mut best = 1;
            for label in clip.labels().at(f) {
                if EventKind::of_label(label).is_some_and(EventKind::is_act) {
                    return 0;
                }
                if is_ordinary(label) {
                    best = 2;
                }
            }
            best
        };
        let of_rank = |least: i32| -> Vec<(usize, usize)> {
            let each = bodies.iter().enumerate();
            each.flat_map(|(b, (clip, _))| (0..clip.frame_count()).map(move |f| (b, *clip, f)))
                .filter(|&(_, clip, f)| rank(clip, f) >= least)
                .map(|(b, _, f)| (b, f))
                .collect()
        };
        let frames = [2, 1, 0].map(of_rank).into_iter().find(|v| !v.is_empty());
        let Some(frames) = frames else {
            return Self::default();
        };
        let step = frames.len().div_ceil(POSES).max(1);
        let sampled: Vec<(usize, usize)> = frames.iter().copied().step_by(step).collect();
        let column = |of: fn(&Body<'_>, usize) -> Option<f64>, part: f64| {
            let each = sampled.iter().filter_map(|&(b, f)| of(&bodies[b].1, f));
            quantile(each.collect(), part)
        };
        let mut out = Self {
            pelvis: column(|b, f| Some(b.pelvis(f)), 0.5),
            hand: column(
                |b, f| b.hand(f, 0).zip(b.hand(f, 1)).map(|(l, r)| l.min(r)),
                0.5,
            ),
            head: column(|b, f| b.head(f), 0.5),
            lift: column(
                |b, f| b.lift(f, 0).zip(b.lift(f, 1)).map(|(l, r)| l.max(r)),
                0.98,
            ),
            reach: column(
                |b, f| b.reach(f, 0).zip(b.reach(f, 1)).map(|(l, r)| l.max(r)),
                0.98,
            ),
            spread: 0.0,
            poses: sampled.iter().map(|&(b, f)| bodies[b].1.pose(f)).collect(),
        };
        let nearest = |k: usize| {
            let others = out
                .poses
                .iter()
                .enumerate()
                .filter(|(j, _)| j.abs_diff(k) > 2);
            let apart = others.map(|(_, p)| apart(p, &out.poses[k]));
            apart.fold(f64::INFINITY, f64::min)
        };
        let near = (0..out.poses.len()).map(nearest).filter(|d| d.is_finite());
        out.spread = quantile(near.collect(), 0.98);
        out
    }

    /// How far a pose is from the nearest usual one: RMS over joints, metres.
    pub(super) fn distance(&self, pose: &[Vec3]) -> f64 {
        let each = self.poses.iter().map(|p| apart(p, pose));
        each.fold(f64::INFINITY, f64::min)
    }
}

fn apart(a: &[Vec3], b: &[Vec3]) -> f64 {
    let n = a.len().min(b.len()).max(1);
    let sum: f32 = a.iter().zip(b).map(|(p, q)| p.distance_squared(*q)).sum();
    f64::from(sum / n as f32).sqrt()
}

fn quantile(mut values: Vec<f64>, part: f64) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let at = ((values.len() - 1) as f64 * part).round() as usize;
    *values.select_nth_unstable_by(at, f64::total_cmp).1
}
