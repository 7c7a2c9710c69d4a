//! Interpolated clips as they are looked at: what makes them, and their markers at the working rate.

use gaitway_core::clip::ClipParts;
use gaitway_core::interpolate::{Interpolated, Interpolation};
use gaitway_core::source::bake_frames;
use gaitway_core::{Clip, PoseSource};
use gaitway_metric::naive::end_align;
use gaitway_metric::{MarkerSet, PointCloud};
use rayon::prelude::*;

use super::segments::{Chain, Cut};
use super::{EnrichOptions, plausible};
use crate::build::lost_frames::LostFrames;
use crate::model::clip_info::working_frames;
use crate::{ClipId, GraphError, MotionGraph};

/// A clip that could be made.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub sources: [ClipId; 2],
    pub how: Interpolation,
    pub rate_hz: f64,
    pub frames: u32,
    pub working_frames: u32,
    /// Working frames around which both sources have a whole window.
    pub seen: std::ops::Range<u32>,
}

/// Clips made from chains, at all weights, and their markers.
pub(super) struct Workshop {
    pub made: Vec<Made>,
    /// Markers, in packs of many clips: `packs[p].0` has the frames of the clips from `packs[p].1` on, each with [`Workshop::beyond`] more on
    /// either side, so that windows of one never see another.
    pub packs: Vec<(PointCloud, usize)>,
    pub beyond: usize,
    /// Clips left out since what flies does not fall or what stands slides.
    pub implausible: usize,
    /// Chains left out since nearer ones fill what is tried.
    pub untried: usize,
}

/// Frames in a pack, about.
const PACK: usize = 6000;

/// Others that a segment is interpolated with, about: most segments of a few minutes of motion have fewer.
const PARTNERS: usize = 24;

/// The most interpolated frames that are compared, for each weight that was asked for: half a minute's work with three.
const MOST_FRAMES: usize = 25_000;

/// Clips made between two looks at whether to go on.
const AT_ONCE: usize = 64;

/// Markers of one clip.
struct Markers {
    made: Made,
    weights: Vec<f64>,
    positions: Vec<glam::DVec3>,
}

use gaitway_core::glam;

impl Workshop {
    /// `on` hears how many of how many clips are made and says whether to go on; `None` where it did not.
    pub fn new(
        graph: &MotionGraph,
        cuts: &[Cut],
        chains: &[Chain],
        lost: &LostFrames,
        options: &EnrichOptions,
        on: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Result<Option<Self>, GraphError> {
        let beyond = graph.half as usize + 1;
        let least = options.least_chain(graph.options.fps);
        let near = near_chains(graph, cuts, chains, lost, options)?;
        let (chosen, untried) = nearest(near, cuts, options, least);
        let work: Vec<(Interpolation, [usize; 2])> = chosen
            .into_iter()
            .filter_map(|(c, cm)| Some((knots(graph, cuts, &c, least)?, c.clips, cm)))
            .flat_map(|(knots, clips, cm)| {
                let steps = options.weights + 1;
                (stride(cm, options)..steps)
                    .step_by(stride(cm, options))
                    .map(move |k| {
                        let weight = k as f64 / steps as f64;
                        let knots = knots.clone();
                        (Interpolation { knots, weight }, clips)
                    })
            })
            .collect();
        let count = work.len();
        let mut all: Vec<Markers> = Vec::with_capacity(count);
        for (k, some) in work.chunks(AT_ONCE).enumerate() {
            let made: Vec<Option<Markers>> = some
                .par_iter()
                .map(|(how, clips)| markers(graph, cuts, how.clone(), *clips, beyond))
                .collect::<Result<_, GraphError>>()?;
            all.extend(made.into_iter().flatten());
            if !on((k * AT_ONCE + some.len()).min(count), count) {
                return Ok(None);
            }
        }
        let implausible = count - all.len();
        let (mut packs, mut made) = (Vec::new(), Vec::with_capacity(all.len()));
        let mut open: Vec<glam::DVec3> = Vec::new();
        let mut first = 0;
        let weights = all.first().map(|m| m.weights.clone()).unwrap_or_default();
        let fps = graph.options.fps;
        let mut close = |positions: &mut Vec<glam::DVec3>, from: usize| -> Result<(), GraphError> {
            if !positions.is_empty() {
                let name = format!("interpolated {}", packs.len());
                let cloud = PointCloud::from_positions(name, fps, &weights, positions)?;
                packs.push((cloud, from));
                positions.clear();
            }
            Ok(())
        };
        for m in all {
            open.extend_from_slice(&m.positions);
            made.push(m.made);
            if open.len() >= PACK * weights.len() {
                close(&mut open, first)?;
                first = made.len();
            }
        }
        close(&mut open, first)?;
        Ok(Some(Self {
            made,
            packs,
            beyond,
            implausible,
            untried,
        }))
    }

    /// The clip and its working frame that a frame of a pack shows; `None` between clips and where a window is not whole.
    pub fn shows(&self, pack: usize, starts: &[u32], frame: u32) -> Option<(usize, u32)> {
        let k = starts.partition_point(|&s| s <= frame) - 1;
        let clip = self.packs[pack].1 + k;
        let at = frame.checked_sub(starts[k] + self.beyond as u32)?;
        let made = self.made.get(clip)?;
        made.seen.contains(&at).then_some((clip, at))
    }

    /// Where the clips of each pack begin in it.
    pub fn starts(&self) -> Vec<Vec<u32>> {
        let ends = self.packs.iter().skip(1).map(|p| p.1);
        let ends = ends.chain([self.made.len()]);
        self.packs
            .iter()
            .zip(ends)
            .map(|((_, first), end)| {
                let mut at = 0;
                let clips = &self.made[*first..end];
                clips
                    .iter()
                    .map(|m| {
                        let start = at;
                        at += m.working_frames + 2 * self.beyond as u32;
                        start
                    })
                    .collect()
            })
            .collect()
    }
}

/// Chains that are tried: the nearest first, as long as one of a chain's segments has fewer than [`PARTNERS`] others yet. What everything is like
/// needs no ways between each two of it, and work would grow with the fourth power of how much alike there is. In the order they came, with
/// how many were left out.
fn nearest(
    chains: Vec<(Chain, f64)>,
    cuts: &[Cut],
    options: &EnrichOptions,
    least: u32,
) -> (Vec<(Chain, f64)>, usize) {
    let mut order: Vec<usize> = (0..chains.len()).collect();
    order.sort_by(|&a, &b| chains[a].1.total_cmp(&chains[b].1).then(a.cmp(&b)));
    let mut partners: Vec<Vec<usize>> = cuts.iter().map(|c| vec![0; c.segments.len()]).collect();
    let mut taken = vec![false; chains.len()];
    let (mut frames, mut untried) = (0, 0);
    for k in order {
        let (chain, cm) = &chains[k];
        let borders = chain.borders(cuts);
        let length = borders[borders.len() - 1][0] - borders[0][0];
        let segments = |side: usize| chain.first[side]..chain.first[side] + chain.count;
        let wanted = (0..2).any(|s| {
            let known = &partners[chain.clips[s]];
            segments(s).any(|i| known[i] < PARTNERS)
        });
        let weights = options.weights / stride(*cm, options);
        let more = length as usize * weights.max(1);
        if length < least {
            continue;
        }
        if !wanted || frames + more > MOST_FRAMES * options.weights {
            untried += 1;
            continue;
        }
        frames += more;
        taken[k] = true;
        for s in 0..2 {
            segments(s).for_each(|i| partners[chain.clips[s]][i] += 1);
        }
    }
    let kept = chains.into_iter().zip(taken).filter(|(_, t)| *t);
    (kept.map(|(chain, _)| chain).collect(), untried)
}

/// How many weights lie between two that are used: of two motions √D apart, those at weights w and w′ are |w − w′| √D apart (their markers
/// are nearly the means of both's), so near ones need few weights for steps of half a threshold.
fn stride(cm: f64, options: &EnrichOptions) -> usize {
    let steps = options.weights + 1;
    let fits = |s: &usize| {
        steps.is_multiple_of(*s) && cm * *s as f64 <= 0.5 * options.threshold_cm * steps as f64
    };
    (1..=steps / 2).rev().find(fits).unwrap_or(1)
}

/// Chains without segments that are too far apart, and how far apart the rest is in the median, in centimetres.
fn near_chains(
    graph: &MotionGraph,
    cuts: &[Cut],
    chains: &[Chain],
    lost: &LostFrames,
    options: &EnrichOptions,
) -> Result<Vec<(Chain, f64)>, GraphError> {
    let window = graph.options.metric.window(graph.options.fps)?;
    let cloud = |c: &Cut| {
        let clip = graph.clip(c.clip)?;
        Ok(PointCloud::from_clip(
            &clip,
            &graph.options.markers,
            graph.options.fps,
        )?)
    };
    let clouds: Vec<PointCloud> = cuts
        .par_iter()
        .map(cloud)
        .collect::<Result<_, GraphError>>()?;
    // With steps of a threshold their own weights lead from one to the other; with steps of two, others' lie between. Farther apart nothing is
    // found that counts (CMU 69: 66, 86 and 86 % of the frames in the largest component with one, two and four).
    let farthest = 2.0 * options.threshold_cm * (options.weights + 1) as f64;
    let split = |chain: &Chain| -> Vec<(Chain, f64)> {
        let [p, q] = chain.clips.map(|k| &clouds[k]);
        let borders = chain.borders(cuts);
        let apart = |w: &[[u32; 2]]| {
            // What capture lost is no motion to be between.
            let is_lost = |s: usize| {
                let clip = cuts[chain.clips[s]].clip.index();
                lost.touches(clip, w[0][s]..w[1][s])
            };
            if is_lost(0) || is_lost(1) {
                return f64::INFINITY;
            }
            let [i, j] = [0, 1].map(|s| ((w[0][s] + w[1][s]) / 2) as usize);
            end_align(p, i, q, j, &window).0.distance_m2.sqrt() * 100.0
        };
        let apart: Vec<f64> = borders.windows(2).map(apart).collect();
        let mut out = Vec::new();
        let mut from = 0;
        for k in 0..=apart.len() {
            if k < apart.len() && apart[k] <= farthest {
                continue;
            }
            if k > from {
                let mut run = apart[from..k].to_vec();
                run.sort_by(f64::total_cmp);
                let part = Chain {
                    first: chain.first.map(|f| f + from),
                    count: k - from,
                    ..*chain
                };
                out.push((part, run[run.len() / 2]));
            }
            from = k + 1;
        }
        out
    };
    Ok(chains.par_iter().flat_map_iter(split).collect())
}

/// Source frames of a chain's borders; `None` where it is too short to be entered and left.
fn knots(graph: &MotionGraph, cuts: &[Cut], chain: &Chain, least: u32) -> Option<Vec<[usize; 2]>> {
    let borders = chain.borders(cuts);
    let infos = chain.clips.map(|c| graph.clip_info(cuts[c].clip));
    let last = borders.len() - 1;
    if (0..2).any(|s| borders[last][s] - borders[0][s] < least) {
        return None;
    }
    let mut knots: Vec<[usize; 2]> = Vec::with_capacity(borders.len());
    for border in borders {
        let at = [0, 1].map(|s| infos[s].source_frame(border[s]));
        if knots.last().is_none_or(|k| k[0] < at[0] && k[1] < at[1]) {
            knots.push(at);
        }
    }
    (knots.len() >= 2).then_some(knots)
}

/// The clip's markers, or nothing where it is not plausible.
fn markers(
    graph: &MotionGraph,
    cuts: &[Cut],
    how: Interpolation,
    clips: [usize; 2],
    beyond: usize,
) -> Result<Option<Markers>, GraphError> {
    let [first, second] = clips.map(|c| &cuts[c]);
    let name = || {
        let [a, b] = [first, second].map(|c| graph.clip_info(c.clip).name());
        format!("{a} + {b}")
    };
    let broken = |what: String| GraphError::Recipe { clip: name(), what };
    let fps = graph.options.fps;
    let step = first.source.rate_hz() / fps;
    let reach = ((beyond + 1) as f64 * step).ceil() as usize;
    let made = Interpolated::new(first.source.clone(), second.source.clone(), how.clone());
    let made = made.map_err(|e| broken(e.to_string()))?.reaching(reach);
    let frames = made.frame_count() as u32;
    let Some(count) = working_frames(frames, made.rate_hz(), fps) else {
        return Err(broken("it has more frames than can be counted".to_owned()));
    };
    if !plausible::is_plausible(&made, fps) {
        return Ok(None);
    }
    let half = f64::from(graph.half);
    let whole = |f: u32| {
        let at = f64::from(f);
        made.has((at - half) * step) && made.has((at + half) * step)
    };
    let seen = (0..count).find(|&f| whole(f)).unwrap_or(count);
    let end = (seen..count)
        .rev()
        .find(|&f| whole(f))
        .map_or(seen, |f| f + 1);
    let clip =
        at_working_rate(&made, fps, count as usize, beyond).map_err(|e| broken(e.to_string()))?;
    let (weights, positions) = positions(&clip, &graph.options.markers)?;
    Ok(Some(Markers {
        made: Made {
            sources: [first.clip, second.clip],
            how,
            rate_hz: made.rate_hz(),
            frames,
            working_frames: count,
            seen: seen..end,
        },
        weights,
        positions,
    }))
}

fn positions(clip: &Clip, markers: &MarkerSet) -> Result<(Vec<f64>, Vec<glam::DVec3>), GraphError> {
    let layout = markers.layout(clip)?;
    let mut positions = Vec::with_capacity(clip.frame_count() * layout.len());
    layout.place(clip, &mut positions);
    Ok((layout.weights().to_vec(), positions))
}

/// Its working frames and `beyond` more on either side, as a clip.
fn at_working_rate(
    made: &Interpolated,
    fps: f64,
    count: usize,
    beyond: usize,
) -> Result<Clip, gaitway_core::ClipError> {
    let step = made.rate_hz() / fps;
    let frames = bake_frames(made, count + 2 * beyond, |k, pose| {
        let at = ((k as f64 - beyond as f64) * step).round() as isize;
        made.beyond(at, pose);
    });
    ClipParts {
        name: "made".to_owned(),
        rate_hz: fps,
        ..frames
    }
    .build()
}
