//! Labels that speed and turning speak for: standing, walking, running, turning. Offered, never put on by themselves.
//!
//! Speed is that of the root over the floor, turning that of the facing, both without the sway of a step. Who runs is in the air between
//! steps, who walks never is: speed alone takes a jog for a walk. A stretch counts when it lasts; a shorter one belongs to what is around it.

use gaitway_core::{Clip, ground};

use crate::wire::gwmo::LabelSeconds;

/// Sway of the hips within a step is evened out over this, seconds.
const WINDOW_S: f64 = 0.8;
/// Slower than this nobody gets anywhere, m/s: weight that shifts from foot to foot.
const STANDS: f64 = 0.25;
/// Nobody walks faster than this, m/s.
const RUNS: f64 = 2.4;
/// Nobody runs slower than this, m/s: short hops on the spot are no run.
const JOGS: f64 = 1.2;
/// Who runs is in the air for at least this share of a step.
const AIR: f64 = 0.12;
/// Faster than this a body turns on purpose, radians a second: a gentle curve is still walking straight on.
const TURNS: f64 = 0.7;
/// What lasts less is no stretch of its own, seconds.
const SHORTEST_S: f64 = 0.5;
/// A turn adds up to at least this, radians.
const LEAST_TURN: f64 = 0.6;

/// What a clip's motion speaks for, by start. Its contacts say when it is in the air, where it has any.
pub fn suggest(clip: &Clip) -> Vec<LabelSeconds> {
    let (frames, rate) = (clip.frame_count(), clip.rate_hz());
    if frames < 3 {
        return Vec::new();
    }
    let path = ground::smooth_ground_path(clip, WINDOW_S);
    let facing = ground::smooth_facing(clip, WINDOW_S);
    let change = |f: usize| (f.saturating_sub(1), (f + 1).min(frames - 1));
    let speed = |f: usize| {
        let (a, b) = change(f);
        path[b].distance(path[a]) * rate / (b - a) as f64
    };
    let air = in_the_air(clip);
    let gait: Vec<usize> = (0..frames)
        .map(|f| match speed(f) {
            v if v < STANDS => 0,
            v if v > RUNS || v > JOGS && air[f] > AIR => 2,
            _ => 1,
        })
        .collect();
    let turning: Vec<usize> = (0..frames)
        .map(|f| {
            let (a, b) = change(f);
            match (facing[b] - facing[a]) * rate / (b - a) as f64 {
                v if v > TURNS => 1,
                v if v < -TURNS => 2,
                _ => 0,
            }
        })
        .collect();
    let shortest = (SHORTEST_S * rate).round() as usize;
    let row = |label: &str, from: usize, to: usize| LabelSeconds {
        label: label.to_owned(),
        start_s: from as f64 / rate,
        end_s: to as f64 / rate,
    };
    let mut out: Vec<LabelSeconds> = stretches(&gait, shortest)
        .into_iter()
        .map(|(kind, from, to)| row(["idle", "walk", "run"][kind], from, to))
        .collect();
    let turns = stretches(&turning, shortest).into_iter();
    out.extend(turns.filter(|t| t.0 > 0).filter_map(|(kind, from, to)| {
        let angle = facing[to - 1] - facing[from];
        (angle.abs() >= LEAST_TURN).then(|| row(["", "turn-left", "turn-right"][kind], from, to))
    }));
    out.sort_by(|a, b| a.start_s.total_cmp(&b.start_s).then(a.label.cmp(&b.label)));
    out
}

/// Share of the time around a frame in which no foot stands. Ends of a clip say little: feet that come to stand after it are not
/// known to stand yet.
fn in_the_air(clip: &Clip) -> Vec<f64> {
    let Some(contacts) = clip.contacts().filter(|c| !c.points().is_empty()) else {
        return vec![0.0; clip.frame_count()];
    };
    let free: Vec<f64> = contacts
        .masks()
        .iter()
        .map(|&m| f64::from(u8::from(m == 0)))
        .collect();
    let half = (WINDOW_S * clip.rate_hz() / 2.0).round() as usize;
    ground::smooth(&free, half)
}

/// Runs of one kind: (kind, from, to). One that is too short goes to the longer of its neighbours, the shortest first.
fn stretches(kinds: &[usize], shortest: usize) -> Vec<(usize, usize, usize)> {
    let mut runs: Vec<(usize, usize, usize)> = Vec::new();
    for (f, &kind) in kinds.iter().enumerate() {
        match runs.last_mut() {
            Some(run) if run.0 == kind => run.2 = f + 1,
            _ => runs.push((kind, f, f + 1)),
        }
    }
    let long = |r: &(usize, usize, usize)| r.2 - r.1;
    while runs.len() > 1 {
        let Some(k) = (0..runs.len()).min_by_key(|&k| long(&runs[k])) else {
            break;
        };
        if long(&runs[k]) >= shortest {
            break;
        }
        let before = k.checked_sub(1).map(|p| long(&runs[p])).unwrap_or(0);
        let after = runs.get(k + 1).map_or(0, long);
        let home = if before >= after { k - 1 } else { k + 1 };
        runs[k].0 = runs[home].0;
        // Neighbours of one kind become one run.
        let mut joined: Vec<(usize, usize, usize)> = Vec::with_capacity(runs.len());
        for run in runs {
            match joined.last_mut() {
                Some(last) if last.0 == run.0 => last.2 = run.2,
                _ => joined.push(run),
            }
        }
        runs = joined;
    }
    runs
}

#[cfg(test)]
mod tests {
    use gaitway_core::performer;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Runs cover every frame once, in order, and none is short beside another.
        #[test]
        fn stretches_cover_all(kinds in prop::collection::vec(0..3_usize, 1..400), shortest in 1..40_usize) {
            let runs = stretches(&kinds, shortest);
            prop_assert_eq!(runs[0].1, 0);
            prop_assert_eq!(runs[runs.len() - 1].2, kinds.len());
            for pair in runs.windows(2) {
                prop_assert_eq!(pair[0].2, pair[1].1);
                prop_assert_ne!(pair[0].0, pair[1].0);
            }
            prop_assert!(runs.len() == 1 || runs.iter().all(|r| r.2 - r.1 >= shortest));
        }
    }

    fn seconds_of(label: &str, rows: &[LabelSeconds]) -> f64 {
        let own = rows.iter().filter(|r| r.label == label);
        own.map(|r| r.end_s - r.start_s).sum()
    }

    #[test]
    fn the_performer_is_understood() {
        let takes = performer::library(1, 60.0).expect("takes");
        for (name, label) in [("walk_normal_01", "walk"), ("run_01", "run")] {
            let take = takes.iter().find(|t| t.clip.name().ends_with(name));
            let clip = &take.expect("a take").clip;
            let share = seconds_of(label, &suggest(clip)) / clip.seconds();
            assert!(share > 0.5, "{name}: {label} for {share:.2} of it");
        }
    }

    /// Of clips that people labelled as a whole, how many get that label for most of the time they move: many stand for a second
    /// or two first. The numbers above were chosen on subjects below 100; the others were only counted.
    #[test]
    fn real_clips_mostly_get_the_label_people_gave_them() {
        let Some(data) = gaitway_core::testing::data_dir() else {
            return;
        };
        let table = std::fs::read_to_string(data.join("labels-gaitway.csv")).expect("labels");
        // (right, all) of subjects the numbers were chosen on, and of the others.
        let mut counts = [[(0, 0); 2]; 2];
        let rows: Vec<(&str, &str)> = table
            .lines()
            .skip(1)
            .filter_map(|l| l.strip_suffix(",,")?.split_once(','))
            .filter(|(f, _)| f.starts_with("cmu-bvh/"))
            .collect();
        for (file, label) in &rows {
            let Some(kind) = ["walk", "run"].iter().position(|l| l == label) else {
                continue;
            };
            // Clips of one label only: the others do several things.
            if rows.iter().filter(|(f, _)| f == file).count() > 1 {
                continue;
            }
            let subject: u32 = file
                .split('/')
                .nth(1)
                .expect("a folder")
                .parse()
                .expect("a number");
            let options = gaitway_io::ReadOptions {
                source_fps: matches!(subject, 75 | 77 | 143).then_some(60.0),
                ..gaitway_io::ReadOptions::default()
            };
            let read = gaitway_io::read_file(&data.join(file), &options).expect("read");
            let clip = crate::state::Loaded::new(read[0].clip.clone()).clip;
            let found = suggest(&clip);
            let other = ["run", "walk"][kind];
            let right = seconds_of(label, &found) > seconds_of(other, &found);
            let count = &mut counts[usize::from(subject >= 100)][kind];
            count.0 += usize::from(right);
            count.1 += 1;
        }
        for group in counts {
            for (right, all) in group {
                assert!(right as f64 >= 0.8 * all as f64, "{counts:?}");
            }
        }
    }
}
