//! Labels that change places: two markers that each go on where the other was.

use gaitway_core::{WarningCode, Warnings};
use glam::DVec3;

use super::choose::Tracks;

/// A step in one frame that no marker on a body takes, metres a second.
const FASTEST_M_S: f64 = 15.0;
/// What is farther from where its speed took it than this may have changed places, metres.
const OFF_COURSE_M: f64 = 0.03;
/// Gaps longer than this do not say where a marker went on, seconds.
const LONGEST_GAP_S: f64 = 0.1;

/// Where a marker was last, and how fast it went, in metres a frame.
#[derive(Clone, Copy)]
struct Last {
    frame: usize,
    place: DVec3,
    speed: DVec3,
}

impl Last {
    /// Where it would be now.
    fn now(&self, frame: usize) -> DVec3 {
        self.place + self.speed * (frame - self.frame) as f64
    }
}

/// Finds exchanges of labels, puts labels back, and tells. A label that leaps to where no other was is cut there: the longer part
/// is kept.
pub(crate) fn undo(tracks: &mut Tracks, warnings: &mut Warnings) {
    let count = tracks.names.len();
    let rate = tracks.rate_hz;
    let longest = (LONGEST_GAP_S * rate).ceil() as usize + 1;
    let mut last: Vec<Option<Last>> = vec![None; count];
    let mut cuts: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut told = Vec::new();
    for frame in 0..tracks.frames.len() {
        let recent = |k: usize| last[k].filter(|l| frame - l.frame <= longest);
        let off = |k: usize| Some(tracks.frames[frame][k]?.distance(recent(k)?.now(frame)));
        let astray: Vec<usize> = (0..count)
            .filter(|&k| off(k).is_some_and(|d| d > OFF_COURSE_M))
            .collect();
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        let mut taken = vec![false; count];
        for &a in &astray {
            if taken[a] {
                continue;
            }
            // Who was on the way to where a is now, and is now where a was on the way to.
            let crossed = astray
                .iter()
                .copied()
                .filter(|&b| b != a && !taken[b])
                .filter_map(|b| {
                    let (x, y) = (tracks.frames[frame][a]?, tracks.frames[frame][b]?);
                    let (p, q) = (recent(a)?.now(frame), recent(b)?.now(frame));
                    let swapped = x.distance(q).max(y.distance(p));
                    let stayed = x.distance(p).min(y.distance(q));
                    (swapped < stayed / 3.0).then_some((swapped, b))
                })
                .min_by(|x, y| x.0.total_cmp(&y.0));
            if let Some((_, b)) = crossed {
                taken[a] = true;
                taken[b] = true;
                pairs.push((a, b));
            }
        }
        // One of the two may be hidden as they change places: a label comes back where another was on its way to, and that one is gone.
        for a in 0..count {
            let Some(x) = tracks.frames[frame][a].filter(|_| !taken[a]) else {
                continue;
            };
            let Some(own) = last[a] else { continue };
            let stayed = match frame - own.frame <= longest {
                true => x.distance(own.now(frame)),
                false => x.distance(own.place),
            };
            let gone = (0..count).filter(|&b| {
                !taken[b]
                    && tracks.frames[frame][b].is_none()
                    && last[b].is_some_and(|l| l.frame + 1 == frame)
            });
            let met = gone
                .filter_map(|b| Some((x.distance(last[b]?.now(frame)), b)))
                .min_by(|x, y| x.0.total_cmp(&y.0));
            if let Some((off, b)) = met
                && off < OFF_COURSE_M
                && stayed > OFF_COURSE_M.max(3.0 * off)
            {
                taken[a] = true;
                taken[b] = true;
                pairs.push((a, b));
            }
        }
        for (k, was) in last.iter().enumerate().filter(|(k, _)| !taken[*k]) {
            let (Some(now), Some(was)) = (tracks.frames[frame][k], was) else {
                continue;
            };
            let time = (frame - was.frame) as f64 / rate;
            let leaps = now.distance(was.place) > (FASTEST_M_S * time).max(OFF_COURSE_M);
            // Whether a label went on after a long gap is a question of what it keeps its distances to.
            if leaps || frame - was.frame > longest {
                cuts[k].push(frame);
            }
        }
        for (a, b) in pairs {
            for row in &mut tracks.frames[frame..] {
                row.swap(a, b);
            }
            told.push(format!(
                "`{}` and `{}` at {:.2} s",
                tracks.names[a],
                tracks.names[b],
                frame as f64 / rate
            ));
        }
        for (k, was) in last.iter_mut().enumerate() {
            let Some(place) = tracks.frames[frame][k] else {
                continue;
            };
            let speed = was
                .filter(|w| frame - w.frame <= longest)
                .map_or(DVec3::ZERO, |w| {
                    (place - w.place) / (frame - w.frame) as f64
                });
            *was = Some(Last {
                frame,
                place,
                speed,
            });
        }
    }
    if !told.is_empty() {
        let message = format!(
            "labels change places {} times and were put back: {}",
            told.len(),
            super::choose::some(&told)
        );
        warnings.add(WarningCode::Unusual, message);
    }
    cut(tracks, &cuts, warnings);
}

/// Keeps the longest part of every track that leaps.
fn cut(tracks: &mut Tracks, cuts: &[Vec<usize>], warnings: &mut Warnings) {
    let frames = tracks.frames.len();
    let mut told = Vec::new();
    for (k, cuts) in cuts.iter().enumerate().filter(|c| !c.1.is_empty()) {
        let ends: Vec<usize> = [0]
            .into_iter()
            .chain(cuts.iter().copied())
            .chain([frames])
            .collect();
        let seen = |w: &[usize]| {
            let rows = tracks.frames[w[0]..w[1]].iter();
            rows.filter(|r| r[k].is_some()).count()
        };
        let Some(best) = ends.windows(2).max_by_key(|w| seen(w)) else {
            continue;
        };
        // A leap there and back is a few frames elsewhere; the rest on both sides is one track.
        let (from, to) = (best[0], best[1]);
        let near = Near::of(tracks, k, from, to);
        let usual = near.off_m(tracks, from, to).unwrap_or(0.0);
        let mut lost = 0;
        for w in ends.windows(2).filter(|w| (w[0], w[1]) != (from, to)) {
            let off = near.off_m(tracks, w[0], w[1]);
            if off.is_some_and(|off| off > 3.0 * usual.max(0.01)) {
                for row in &mut tracks.frames[w[0]..w[1]] {
                    lost += usize::from(row[k].take().is_some());
                }
            }
        }
        if lost > 0 {
            told.push(format!("`{}` ({lost} frames)", tracks.names[k]));
        }
    }
    if !told.is_empty() {
        let message = format!(
            "labels leap to where no marker was; the shorter part is left out: {}",
            super::choose::some(&told)
        );
        warnings.add(WarningCode::Unusual, message);
    }
}

/// The markers that one keeps its distances to.
struct Near {
    marker: usize,
    /// Markers and their usual distance, metres.
    others: Vec<(usize, f64)>,
}

impl Near {
    /// The nearest five in a part of the frames.
    fn of(tracks: &Tracks, marker: usize, from: usize, to: usize) -> Self {
        const NEAREST: usize = 5;
        let usual = |m: usize| {
            let rows = tracks.frames[from..to].iter();
            let mut list: Vec<f64> = rows
                .filter_map(|r| Some(r[marker]?.distance(r[m]?)))
                .collect();
            let half = list.len() / 2;
            (!list.is_empty()).then(|| *list.select_nth_unstable_by(half, f64::total_cmp).1)
        };
        let all = (0..tracks.names.len()).filter(|&m| m != marker);
        let mut others: Vec<(usize, f64)> = all.filter_map(|m| Some((m, usual(m)?))).collect();
        others.sort_by(|a, b| a.1.total_cmp(&b.1));
        others.truncate(NEAREST);
        Self { marker, others }
    }

    /// How far distances are from usual in a part of the frames, as RMS, metres: small where the marker is on the body it usually is on.
    fn off_m(&self, tracks: &Tracks, from: usize, to: usize) -> Option<f64> {
        let (mut sum, mut n) = (0.0, 0.0);
        for row in &tracks.frames[from..to] {
            for (m, usual) in &self.others {
                if let (Some(a), Some(b)) = (row[self.marker], row[*m]) {
                    sum += (a.distance(b) - usual).powi(2);
                    n += 1.0;
                }
            }
        }
        (n > 0.0).then(|| f64::sqrt(sum / n))
    }
}
