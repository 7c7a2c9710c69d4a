//! When a walk is to be where along its path, and how fast: `--duration 12`, `--arrive 3.5@4,8@50%`, `--speed 1.2@0..4,2@4..`.
//!
//! Between two places with a time the wish is a line in arc length and time, bent where a speed is asked for as well. A search pays for being early or
//! late ([`Schedule::cost`]), and what it leaves is taken out by playing a little slower or faster ([`super::keep_time`]).

use gaitway_core::limits;

use super::PathError;
use super::styles::PathPosition;

/// Slowest and fastest that may be asked for, m/s: a sneak and a record sprint.
const SPEEDS_M_S: [f64; 2] = [0.05, 15.0];
/// What a working frame costs that is a second early or late, m²: half a second costs as much as 10 cm off the path.
const PER_S2: f64 = 0.04;
/// What a working frame costs that is 1 m/s too slow or too fast, m²: 0.3 m/s cost as much as 10 cm off the path.
const PER_M2_S2: f64 = 0.1;

/// A moment at which a place is to be reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrival {
    /// Seconds from the motion's start.
    pub time_s: f64,
    /// Where.
    pub at: PathPosition,
}

/// How fast a piece of the path is to be walked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    /// Metres a second.
    pub m_s: f64,
    /// From here.
    pub from: PathPosition,
    /// To here.
    pub to: PathPosition,
}

/// What is wished in time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Times {
    /// How long all of it lasts, seconds.
    pub duration_s: Option<f64>,
    /// When places are reached.
    pub arrivals: Vec<Arrival>,
    /// How fast pieces are walked.
    pub speeds: Vec<Speed>,
}

impl Times {
    /// Whether nothing is wished.
    pub fn is_empty(&self) -> bool {
        self.duration_s.is_none() && self.arrivals.is_empty() && self.speeds.is_empty()
    }
}

/// Which of several wishes in time: so that what is wrong with one can be shown at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeWish {
    /// How long all of it lasts.
    Duration,
    /// One of [`Times::arrivals`], from 0.
    Arrival(usize),
    /// One of [`Times::speeds`], from 0.
    Speed(usize),
}

fn unread(piece: &str, what: &str) -> PathError {
    PathError::Time {
        piece: piece.to_owned(),
        what: what.to_owned(),
        wish: None,
    }
}

fn bad(wish: TimeWish, piece: String, what: String) -> PathError {
    PathError::Time {
        piece,
        what,
        wish: Some(wish),
    }
}

fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|p| !p.is_empty())
}

fn value_at<'a>(piece: &'a str, unit: &str) -> Option<(f64, &'a str)> {
    let (value, place) = piece.split_once('@').unwrap_or((piece, ".."));
    let value = value.trim();
    let number = value.strip_suffix(unit).unwrap_or(value).trim().parse();
    number
        .ok()
        .filter(|v: &f64| v.is_finite())
        .map(|v| (v, place))
}

/// Reads `3.5@4,8@50%`: seconds, and where in metres or per cent.
///
/// # Errors
/// Says which is wrong.
pub fn parse_arrivals(text: &str) -> Result<Vec<Arrival>, PathError> {
    let one = |piece: &str| {
        let read = value_at(piece, "s").filter(|_| piece.contains('@'));
        let read = read.and_then(|(time_s, at)| {
            let (at, same) = PathPosition::parse_range(at)?;
            (at == same).then_some(Arrival { time_s, at })
        });
        read.ok_or_else(|| unread(piece, "expected SECONDS@PLACE, as in 3.5@4 or 8@50%"))
    };
    pieces(text).map(one).collect()
}

/// Reads `1.2@0..4,2@4..`: metres a second, and where; without a place all of the path.
///
/// # Errors
/// Says which is wrong.
pub fn parse_speeds(text: &str) -> Result<Vec<Speed>, PathError> {
    let one = |piece: &str| {
        let read = value_at(piece, "m/s").and_then(|(m_s, range)| {
            let (from, to) = PathPosition::parse_range(range)?;
            (from != to).then_some(Speed { m_s, from, to })
        });
        read.ok_or_else(|| {
            let what = "expected METRES-A-SECOND@FROM..TO, as in 1.2 or 0.8@4..50%";
            unread(piece, what)
        })
    };
    pieces(text).map(one).collect()
}

/// A place and when it is to be reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Due {
    /// Metres along the path.
    pub at_m: f64,
    /// Seconds from the motion's start.
    pub time_s: f64,
}

/// A piece and its speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Metres along the path.
    pub from_m: f64,
    /// Metres along the path.
    pub to_m: f64,
    /// Metres a second.
    pub m_s: f64,
}

/// What is wished in time, in metres of a path.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// In order.
    pub due: Vec<Due>,
    /// In order.
    pub paces: Vec<Pace>,
    /// The line of wishes: arc length and time, from (0, 0) to the last that is due.
    line: Vec<Due>,
}

impl Schedule {
    /// Wishes on a path of so many metres; nothing where there are none.
    ///
    /// # Errors
    /// When a number cannot be, or two contradict each other.
    pub fn new(times: &Times, length: f64) -> Result<Option<Self>, PathError> {
        if times.is_empty() {
            return Ok(None);
        }
        let due = due(times, length)?;
        let paces = paces(times, length)?;
        let line = line(&due, &paces);
        Ok(Some(Self { due, paces, line }))
    }

    /// The same wishes on a path that is led round something.
    pub fn led_round(mut self, place: impl Fn(f64) -> f64) -> Self {
        for d in &mut self.due {
            d.at_m = place(d.at_m);
        }
        for p in &mut self.paces {
            (p.from_m, p.to_m) = (place(p.from_m), place(p.to_m));
        }
        self.line = line(&self.due, &self.paces);
        self
    }

    /// The last moment that something is asked for, seconds.
    pub fn last_s(&self) -> f64 {
        self.due.last().map_or(0.0, |d| d.time_s)
    }

    /// When a walk is to be somewhere; nothing past the last place that has a time.
    pub fn due_at(&self, arc: f64) -> Option<f64> {
        /// The last step goes a little past the end.
        const PAST_M: f64 = 0.1;
        let last = self.line.last()?;
        if arc > last.at_m {
            return (arc <= last.at_m + PAST_M && last.at_m > 0.0).then_some(last.time_s);
        }
        let after = self.line.partition_point(|d| d.at_m < arc);
        let b = self.line.get(after)?;
        let Some(a) = after.checked_sub(1).map(|k| self.line[k]) else {
            return Some(b.time_s);
        };
        let part = (arc - a.at_m) / (b.at_m - a.at_m).max(1e-9);
        Some(a.time_s + (b.time_s - a.time_s) * part)
    }

    /// How fast a walk is to be somewhere.
    pub fn speed_at(&self, arc: f64) -> Option<f64> {
        let here = self
            .paces
            .iter()
            .find(|p| (p.from_m..p.to_m).contains(&arc));
        here.map(|p| p.m_s)
    }

    /// What a working frame costs in time: at an arc length, a moment and a speed.
    #[inline]
    pub fn cost(&self, arc: f64, now_s: f64, m_s: f64) -> f64 {
        let off = self.speed_at(arc).map_or(0.0, |asked| m_s - asked);
        self.cost_of_late(arc, now_s) + PER_M2_S2 * off * off
    }

    /// What a working frame costs for being early or late alone.
    #[inline]
    pub fn cost_of_late(&self, arc: f64, now_s: f64) -> f64 {
        let late = self.due_at(arc).map_or(0.0, |due| now_s - due);
        PER_S2 * late * late
    }
}

/// A place that may be a little past the end, as drawing by hand leaves it.
fn on_path(at: PathPosition, length: f64) -> Option<f64> {
    let m = at.metres(length);
    let most = length + (0.02 * length).max(0.05);
    (m <= most).then_some(m.min(length))
}

fn due(times: &Times, length: f64) -> Result<Vec<Due>, PathError> {
    let mut out = Vec::with_capacity(times.arrivals.len() + 1);
    for (k, a) in times.arrivals.iter().enumerate() {
        let wish = TimeWish::Arrival(k);
        let at_m = on_path(a.at, length).filter(|m| *m > 0.0).ok_or_else(|| {
            let what = format!("the path goes from 0 to {length:.2} m");
            let piece = format!("{}@{:.2}", a.time_s, a.at.metres(length));
            bad(wish, piece, what)
        })?;
        let time_s = a.time_s;
        out.push((Due { at_m, time_s }, wish));
    }
    if let Some(time_s) = times.duration_s {
        let at_m = length;
        out.push((Due { at_m, time_s }, TimeWish::Duration));
    }
    for &(d, wish) in &out {
        if !(d.time_s > 0.0 && d.time_s <= limits::LONGEST_MOTION_S) {
            let what = format!(
                "expected seconds above 0, at most {}",
                limits::LONGEST_MOTION_S
            );
            return Err(bad(wish, format!("{}", limits::Shown(d.time_s)), what));
        }
    }
    out.sort_by(|(a, _), (b, _)| {
        a.at_m
            .total_cmp(&b.at_m)
            .then(a.time_s.total_cmp(&b.time_s))
    });
    out.dedup_by_key(|(d, _)| *d);
    let mut before = Due {
        at_m: 0.0,
        time_s: 0.0,
    };
    for &(d, wish) in &out {
        let piece = || format!("{}@{:.2}", d.time_s, d.at_m);
        if d.at_m - before.at_m < 0.05 || d.time_s <= before.time_s {
            let what = format!(
                "{:.2} m after {} s cannot follow {:.2} m after {} s",
                d.at_m, d.time_s, before.at_m, before.time_s
            );
            return Err(bad(wish, piece(), what));
        }
        let m_s = (d.at_m - before.at_m) / (d.time_s - before.time_s);
        if m_s > SPEEDS_M_S[1] {
            let what = format!(
                "that would be {m_s:.0} m/s; nobody goes faster than {} m/s",
                SPEEDS_M_S[1]
            );
            return Err(bad(wish, piece(), what));
        }
        before = d;
    }
    Ok(out.into_iter().map(|(d, _)| d).collect())
}

fn paces(times: &Times, length: f64) -> Result<Vec<Pace>, PathError> {
    let mut out = Vec::with_capacity(times.speeds.len());
    for (k, s) in times.speeds.iter().enumerate() {
        let wish = TimeWish::Speed(k);
        let named = || {
            format!(
                "{}@{:.2}..{:.2}",
                limits::Shown(s.m_s),
                s.from.metres(length),
                s.to.metres(length)
            )
        };
        let range = on_path(s.from, length).zip(on_path(s.to, length));
        let (from_m, to_m) = range.filter(|(a, b)| b > a).ok_or_else(|| {
            let what = format!("is no piece of the path, which goes from 0 to {length:.2} m");
            bad(wish, named(), what)
        })?;
        let [least, most] = SPEEDS_M_S;
        if !(least..=most).contains(&s.m_s) {
            let what = format!("expected {least} to {most} m/s");
            return Err(bad(wish, named(), what));
        }
        let m_s = s.m_s;
        out.push((Pace { from_m, to_m, m_s }, wish));
    }
    out.sort_by(|(a, _), (b, _)| a.from_m.total_cmp(&b.from_m));
    for w in out.windows(2) {
        let ((a, _), (b, wish)) = (w[0], w[1]);
        if b.from_m < a.to_m - 0.01 {
            let what = format!(
                "begins at {:.2} m, before {} m/s ends at {:.2} m",
                b.from_m, a.m_s, a.to_m
            );
            return Err(bad(wish, format!("{}", b.m_s), what));
        }
    }
    Ok(out.into_iter().map(|(p, _)| p).collect())
}

/// The line of wishes. Between two moments pieces with a speed take the time they ask for, and the rest what is left; where nothing would be
/// left all is sped up alike.
fn line(due: &[Due], paces: &[Pace]) -> Vec<Due> {
    let mut out = vec![Due {
        at_m: 0.0,
        time_s: 0.0,
    }];
    for d in due {
        let from = out[out.len() - 1];
        // Borders of pieces inside, with the speed that holds before each.
        let mut parts: Vec<(f64, Option<f64>)> = Vec::new();
        let mut at = from.at_m;
        for p in paces
            .iter()
            .filter(|p| p.to_m > from.at_m && p.from_m < d.at_m)
        {
            if p.from_m > at {
                parts.push((p.from_m, None));
            }
            at = p.to_m.min(d.at_m);
            parts.push((at, Some(p.m_s)));
        }
        if at < d.at_m {
            parts.push((d.at_m, None));
        }
        let all = d.time_s - from.time_s;
        let (mut asked_s, mut free_m, mut at) = (0.0, 0.0, from.at_m);
        for &(to, m_s) in &parts {
            match m_s {
                Some(v) => asked_s += (to - at) / v,
                None => free_m += to - at,
            }
            at = to;
        }
        let free_s = all - asked_s;
        let fits = free_m > 0.0 && free_m / free_s.max(1e-9) <= SPEEDS_M_S[1] && free_s > 0.0;
        let length = d.at_m - from.at_m;
        let (mut at, mut now) = (from.at_m, from.time_s);
        for (to, m_s) in parts {
            now += match (fits, m_s) {
                (true, Some(v)) => (to - at) / v,
                (true, None) => (to - at) / free_m * free_s,
                (false, Some(v)) if free_m == 0.0 => (to - at) / v * all / asked_s,
                (false, _) => (to - at) / length * all,
            };
            at = to;
            out.push(Due {
                at_m: to,
                time_s: now,
            });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn asked(duration_s: Option<f64>, arrivals: &str, speeds: &str) -> Result<Schedule, PathError> {
        let times = Times {
            duration_s,
            arrivals: parse_arrivals(arrivals)?,
            speeds: parse_speeds(speeds)?,
        };
        Schedule::new(&times, 20.0).map(|s| s.expect("a wish"))
    }

    #[test]
    fn wishes_are_read() {
        let all = asked(Some(20.0), "3.5@4, 8s@50%", "1.2m/s@0..4,2@75%..").expect("wishes");
        let due: Vec<_> = all.due.iter().map(|d| (d.at_m, d.time_s)).collect();
        assert_eq!(due, [(4.0, 3.5), (10.0, 8.0), (20.0, 20.0)]);
        assert_eq!(all.speed_at(2.0), Some(1.2));
        assert_eq!(all.speed_at(6.0), None);
        assert_eq!(all.speed_at(16.0), Some(2.0));
        // 5 m at 2 m/s at the end leave 9.5 s for the 5 m before.
        assert!((all.due_at(15.0).expect("due") - 17.5).abs() < 1e-9);
        assert_eq!(asked(None, "", "1.5").expect("a speed").due_at(3.0), None);
    }

    #[test]
    fn what_cannot_be_is_told() {
        for (duration, arrivals, speeds, words) in [
            (Some(0.0), "", "", "above 0"),
            (Some(f64::NAN), "", "", "above 0"),
            (Some(1.0), "", "", "nobody goes faster"),
            (Some(5.0), "6@10", "", "cannot follow"),
            (None, "6@40", "", "from 0 to 20.00 m"),
            (None, "6", "", "SECONDS@PLACE"),
            (None, "6@1..2", "", "SECONDS@PLACE"),
            (None, "x@2", "", "SECONDS@PLACE"),
            (None, "", "99", "0.05 to 15"),
            (None, "", "1@5..5", "METRES-A-SECOND"),
            (None, "", "1@9..5", "no piece"),
            (None, "", "1@0..9,2@5..", "begins at 5.00 m"),
        ] {
            let told = asked(duration, arrivals, speeds)
                .expect_err(words)
                .to_string();
            assert!(told.contains(words), "{told}");
        }
    }

    #[test]
    fn what_is_wrong_says_which_wish_it_is() {
        use TimeWish::{Arrival, Duration, Speed};
        for (duration, arrivals, speeds, wish) in [
            (Some(0.0), "", "", Some(Duration)),
            // It is the later along the path that cannot follow, wherever it stands in the list.
            (Some(5.0), "6@10", "", Some(Duration)),
            (None, "3@15,6@10", "", Some(Arrival(0))),
            (None, "6@10,3@15", "", Some(Arrival(1))),
            (None, "2@5,6@40", "", Some(Arrival(1))),
            (None, "", "1@0..5,99@5..", Some(Speed(1))),
            (None, "", "2@5..,1@0..9", Some(Speed(0))),
            (None, "6", "", None),
        ] {
            let PathError::Time { wish: told, .. } =
                asked(duration, arrivals, speeds).expect_err("wrong")
            else {
                panic!("an error of another kind");
            };
            assert_eq!(told, wish, "{duration:?} {arrivals} {speeds}");
        }
    }

    proptest! {
        /// The line goes through every moment asked for, and always on.
        #[test]
        fn the_line_keeps_every_moment(
            gaps in prop::collection::vec((0.5..4.0_f64, 0.6..3.0_f64), 1..5),
            speeds in prop::collection::vec((0.1..1.0_f64, 0.1..1.0_f64, 0.4..4.0_f64), 0..4),
        ) {
            let (mut at, mut now) = (0.0, 0.0);
            let mut due = Vec::new();
            for (m, slow) in gaps {
                (at, now) = (at + m, now + m * slow);
                due.push(Due { at_m: at, time_s: now });
            }
            let mut from = 0.0;
            let mut paces = Vec::new();
            for (gap, long, m_s) in speeds {
                let (a, b) = (from + gap, from + gap + long);
                paces.push(Pace { from_m: a, to_m: b, m_s });
                from = b;
            }
            let all = Schedule { line: line(&due, &paces), due: due.clone(), paces };
            for d in &due {
                prop_assert!((all.due_at(d.at_m).expect("due") - d.time_s).abs() < 1e-6);
            }
            let mut before = 0.0;
            for k in 1..=100 {
                let now = all.due_at(at * f64::from(k) / 100.0).expect("due");
                prop_assert!(now > before - 1e-9);
                before = now;
            }
        }
    }
}
