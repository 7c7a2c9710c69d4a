//! How smooth motion is near cuts, near blends and elsewhere.

use std::fmt::Write;

use gaitway_core::{Clip, fk};
use gaitway_eval::{QualityOptions, quality};
use gaitway_graph::TransitionKind;
use gaitway_synth::{
    AssembleOptions, FinishOptions, Motion, RandomWalk, assemble, finish_motion, random_walk,
};

use crate::kept::Both;

const SEEDS: u64 = 12;
/// A frame this near to a transition, in seconds, is near it.
const NEAR_S: f64 = 0.5;

/// Accelerations of all joints but hands, which capture leaves to noise: a row per frame.
fn accelerations(clip: &Clip) -> Vec<Vec<f32>> {
    let skeleton = clip.skeleton();
    let noisy = |name: &str| ["Hand", "Finger", "Thumb"].iter().any(|w| name.contains(w));
    let joints: Vec<usize> = skeleton
        .joints()
        .filter(|&j| !noisy(skeleton.name(j)))
        .map(|j| j.index())
        .collect();
    let (points, rate) = (fk::world_points(clip), clip.rate_hz());
    let last = clip.frame_count().saturating_sub(1);
    let row = |f: usize| {
        // At the ends there is nothing to tell it by.
        if f == 0 || f >= last {
            return Vec::new();
        }
        let one = |&j: &usize| {
            let a = points.at(f - 1, j) + points.at(f + 1, j) - 2.0 * points.at(f, j);
            (a.length() * rate * rate) as f32
        };
        joints.iter().map(one).collect()
    };
    (0..clip.frame_count()).map(row).collect()
}

/// Accelerations by what is near: made motion, and the same frames as they were captured.
#[derive(Default)]
struct Near {
    made: Vec<f32>,
    captured: Vec<f32>,
}

/// Frames near cuts, near blends, and elsewhere.
#[derive(Default)]
struct Accelerations([Near; 3]);

impl Accelerations {
    fn add(&mut self, motion: &Motion, clips: &[Vec<Vec<f32>>], rates: &[f64]) {
        let rate = motion.clip.rate_hz();
        for (f, row) in accelerations(&motion.clip).into_iter().enumerate() {
            let t = f as f64 / rate;
            let near = |kind: TransitionKind| {
                let inside = |m: &gaitway_synth::TransitionMark| {
                    m.kind == kind && (m.start_s - NEAR_S..m.end_s + NEAR_S).contains(&t)
                };
                motion.transitions.iter().any(inside)
            };
            let list = match (near(TransitionKind::Cut), near(TransitionKind::Blend)) {
                (true, false) => &mut self.0[0],
                (false, true) => &mut self.0[1],
                (false, false) => &mut self.0[2],
                // Near both, it is neither's.
                (true, true) => continue,
            };
            list.made.extend(row);
            let from = motion.origin[f];
            let frame = (from.seconds * rates[from.clip.index()]).round() as usize;
            list.captured
                .extend(clips[from.clip.index()].get(frame).into_iter().flatten());
        }
    }
}

fn p999(list: &mut [f32]) -> f64 {
    let Some(last) = list.len().checked_sub(1) else {
        return f64::NAN;
    };
    let at = (last as f64 * 0.999).round() as usize;
    f64::from(*list.select_nth_unstable_by(at, f32::total_cmp).1)
}

fn asked(seed: u64) -> RandomWalk {
    RandomWalk {
        seconds: 60.0,
        seed,
        ..RandomWalk::default()
    }
}

/// What `quality` says of feet, contacts found anew.
#[derive(Default)]
struct Feet {
    skate: Vec<f64>,
    depth: Vec<f64>,
    stretch: f64,
}

impl Feet {
    fn add(&mut self, motion: &Motion) {
        let bare = motion
            .clip
            .clone()
            .with_contacts(None)
            .expect("none fits all");
        let found = quality(&bare, None, &QualityOptions::default());
        self.skate.extend(found.skate_cm_s.mean);
        self.depth
            .extend(found.penetration_cm.feet.map(|cm| 10.0 * cm));
        self.stretch = self.stretch.max(found.stretch.max - 1.0);
    }

    fn words(&self) -> String {
        let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len().max(1) as f64;
        let worst = self.skate.iter().copied().fold(0.0, f64::max);
        format!(
            "{:.3} ({worst:.2}), {:.1} mm, {:.2} %",
            mean(&self.skate),
            mean(&self.depth),
            100.0 * self.stretch
        )
    }
}

/// A row per graph with cuts.
pub fn table(page: &mut String, graphs: &[Both]) {
    let _ = writeln!(
        page,
        "{SEEDS} random walks of a minute through each graph with cuts, feet planted. 99.9th percentile of acceleration over joints and frames within half a second of a cut, of a blend, and elsewhere (m/s²; in brackets before feet are planted, and of the same frames as captured); and what `quality` finds of feet, contacts found anew: sliding in cm/s, mean (worst walk); the deepest foot in the floor, mean of walks; the longest stretch of a leg.\n"
    );
    let _ = writeln!(
        page,
        "| clips | cuts, blends taken | near cuts | near blends | elsewhere | cuts over blends | the same, each over its captured frames | feet | feet with blends alone |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    );
    for b in graphs {
        let graph = &b.auto.0;
        let (mut all, mut bare_all) = (Accelerations::default(), Accelerations::default());
        let clips: Vec<Clip> = graph
            .clip_ids()
            .map(|c| graph.clip(c).expect("a clip"))
            .collect();
        let sources: Vec<Vec<Vec<f32>>> = clips.iter().map(accelerations).collect();
        let rates: Vec<f64> = clips.iter().map(Clip::rate_hz).collect();
        let (mut taken, mut feet) = ([0, 0], Feet::default());
        for seed in 0..SEEDS {
            let wish = asked(seed);
            let Ok(walk) = random_walk(graph, &wish) else {
                continue;
            };
            let made = finish_motion(graph, &walk, &FinishOptions::default()).expect("a motion");
            for mark in &made.motion.transitions {
                taken[usize::from(mark.kind == TransitionKind::Blend)] += 1;
            }
            all.add(&made.motion, &sources, &rates);
            let raw = assemble(graph, &walk, &AssembleOptions::default()).expect("a motion");
            bare_all.add(&raw, &sources, &rates);
            feet.add(&made.motion);
        }
        let of = |a: &mut Accelerations| -> [[f64; 2]; 3] {
            std::array::from_fn(|k| [p999(&mut a.0[k].made), p999(&mut a.0[k].captured)])
        };
        let (planted, raw) = (of(&mut all), of(&mut bare_all));
        let mut without = Feet::default();
        for seed in 0..SEEDS {
            let wish = asked(seed);
            let Ok(walk) = random_walk(&b.blend.0, &wish) else {
                continue;
            };
            without.add(
                &finish_motion(&b.blend.0, &walk, &FinishOptions::default())
                    .expect("a motion")
                    .motion,
            );
        }
        let cell = |k: usize| {
            let ([made, captured], [raw, _]) = (planted[k], raw[k]);
            format!("{made:.0} ({raw:.0}, {captured:.0})")
        };
        let over = |k: usize| planted[k][0] / planted[k][1];
        let _ = writeln!(
            page,
            "| {} | {}, {} | {} | {} | {} | {:.2} | {:.2} | {} | {} |",
            b.name,
            taken[0],
            taken[1],
            cell(0),
            cell(1),
            cell(2),
            planted[0][0] / planted[1][0],
            over(0) / over(1),
            feet.words(),
            without.words()
        );
    }
}
