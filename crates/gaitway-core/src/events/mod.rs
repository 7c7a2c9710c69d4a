//! When and where what a label names happens: the *event* of an action in a labelled stretch of a clip.
//!
//! A label covers a stretch, often a whole take that walks up, sits down and gets up again. What is asked for is a moment of
//! it. Each kind of event is a height or reach in metres, frame by frame ([`EventKind`]); where it comes near its best
//! (70 % of it or more) there is a run of frames, and the best frame of each run is an event. A run that stays within what
//! is usual while standing and walking ([`Usual`]) is none.
//!
//! | words in the label | kind | the moment | the place |
//! | --- | --- | --- | --- |
//! | sit, seat, kneel, lie | sit | pelvis lowest, or both thighs raised as on a high stool, and still: less than 0.25 m/s | pelvis |
//! | pick, lift, put, set, place, grab, reach | pick-up | lower hand lowest; where none goes low, a hand farthest from the hips | hand |
//! | kick | kick | a foot off the floor and farthest from the hips | foot |
//! | punch, box, hit, strike, throw, push | punch | a hand above the hips farthest from them | hand |
//! | jump, hop, leap, hopscotch | jump | pelvis highest with both feet off the floor | pelvis |
//! | step, over, stairs, climb | step-over | a foot highest while the other stands | pelvis |
//! | duck, crouch, squat, crawl, bend | duck | head lowest | pelvis |
//! | turn, twist, spin | turn | body turning fastest | pelvis |
//! | stop, halt, pause, wait, stand, idle | still | pelvis stillest: less than 0.25 m/s | pelvis |
//! | walk, run, jog, locomotion | none | only where it is written down | pelvis |
//! | any other | distinct | the pose farthest from every usual pose, where it stands out from its clip | pelvis |
//!
//! The first word of the table that a label holds counts, from the top. Places are on the ground below the joint, with its
//! height above the floor; the heading is that of the body. A moment written down ([`LabelTrack::moments`](crate::LabelTrack::moments)) overrules what is
//! found.
//!
//! A pose stands out where the clip's median frame is less than 70 % as far from what is usual: a take that is sneaked or run from
//! end to end is unusual throughout, and no frame of it is *the* moment.
//!
//! Cost: one forward kinematics of the clip; for `distinct` 240 poses of difference a frame beside it. Deterministic.
//!
//! Checked by: tests below (exact performer ground truth is in `gaitway-graph/tests`), `benches/actions.sh`.

mod signal;
mod usual;

use std::ops::Range;

use glam::DVec3;

use crate::Clip;
use crate::anatomy::words;

use signal::{Body, Hit};
pub use usual::{Usual, is_ordinary};

/// What kind of moment an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// The pelvis is low and still.
    Sit,
    /// A hand is at the thing: low, or far out.
    PickUp,
    /// A foot is farthest out.
    Kick,
    /// A hand is farthest out.
    Punch,
    /// The highest point of a flight.
    Jump,
    /// A foot is highest above what is stepped over.
    StepOver,
    /// The head is lowest.
    Duck,
    /// The body turns fastest.
    Turn,
    /// The pelvis is stillest.
    Still,
    /// The pose is farthest from what is usual.
    Distinct,
}

const WORDS: [(EventKind, &[&str]); 9] = [
    (
        EventKind::Sit,
        &["sit", "sits", "sitting", "seat", "kneel", "lie"],
    ),
    (
        EventKind::PickUp,
        &[
            "pick", "pickup", "lift", "put", "set", "place", "grab", "reach",
        ],
    ),
    (EventKind::Kick, &["kick", "kicks", "kicking"]),
    (
        EventKind::Punch,
        &[
            "punch", "punching", "box", "boxing", "hit", "strike", "throw", "push",
        ],
    ),
    (
        EventKind::Jump,
        &["jump", "jumps", "jumping", "hop", "leap", "hopscotch"],
    ),
    (EventKind::StepOver, &["step", "over", "stairs", "climb"]),
    (
        EventKind::Duck,
        &["duck", "crouch", "squat", "crawl", "bend"],
    ),
    (EventKind::Turn, &["turn", "twist", "spin"]),
    (
        EventKind::Still,
        &[
            "stop", "stops", "halt", "pause", "wait", "waiting", "stand", "standing", "idle",
        ],
    ),
];

impl EventKind {
    /// What a label names, if it is in the table of words.
    pub fn of_label(label: &str) -> Option<Self> {
        let said = words(label);
        let holds = |list: &[&str]| said.iter().any(|w| list.contains(&w.as_str()));
        WORDS.iter().find(|(_, list)| holds(list)).map(|(k, _)| *k)
    }

    /// Whether it is more than standing and turning, which every walk has of its own accord.
    pub fn is_act(self) -> bool {
        !matches!(self, Self::Turn | Self::Still)
    }

    /// Whether it lasts: somebody sits or stands, and goes on doing so.
    pub fn lasts(self) -> bool {
        matches!(self, Self::Sit | Self::Still)
    }

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sit => "sit",
            Self::PickUp => "pick-up",
            Self::Kick => "kick",
            Self::Punch => "punch",
            Self::Jump => "jump",
            Self::StepOver => "step-over",
            Self::Duck => "duck",
            Self::Turn => "turn",
            Self::Still => "still",
            Self::Distinct => "distinct",
        }
    }
}

/// A moment at which an action happens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// The clip's frame.
    pub frame: usize,
    /// What it was found by.
    pub kind: EventKind,
    /// Whether somebody wrote the moment down, so that it was not searched.
    pub given: bool,
    /// The place, in the clip's world; y is the height above the floor, metres.
    pub place: DVec3,
    /// Where the body faces: 0 along +Z, positive to the left, radians.
    pub heading: f64,
}

/// Part of a stretch's best that another moment must reach to be an event too.
const NEAR_BEST: f64 = 0.7;
/// Runs with a shorter gap between them are one, seconds.
const GAP_S: f64 = 0.3;

/// A clip measured once, to be asked for events.
pub struct EventFinder<'c> {
    clip: &'c Clip,
    body: Body<'c>,
}

impl<'c> EventFinder<'c> {
    /// Measures a clip.
    pub fn new(clip: &'c Clip) -> Self {
        Self {
            clip,
            body: Body::of(clip),
        }
    }

    /// The events of a label in a stretch of the clip, by time; none where nothing in it leaves what is usual. Moments written
    /// down for the label in that stretch are taken as they are.
    pub fn events_in(&self, stretch: Range<usize>, label: &str, usual: &Usual) -> Vec<Event> {
        let stretch = stretch.start..stretch.end.min(self.clip.frame_count());
        if stretch.is_empty() {
            return Vec::new();
        }
        let moments = self.clip.labels().moments().iter();
        let given: Vec<Event> = moments
            .filter(|m| m.label == label && stretch.contains(&m.frame))
            .map(|m| self.given(m.frame, label))
            .collect();
        if !given.is_empty() {
            return given;
        }
        // Ordinary going has no moment of its own, however odd the take is.
        if is_ordinary(label) && EventKind::of_label(label).is_none() {
            return Vec::new();
        }
        let kind = EventKind::of_label(label).unwrap_or(EventKind::Distinct);
        let mut hits = self.body.hits(kind, stretch.clone(), usual);
        if kind == EventKind::PickUp && hits.iter().all(Option::is_none) {
            hits = self.body.far_hand(stretch.clone(), usual);
        }
        if kind == EventKind::Distinct && !self.stands_out(&hits, usual) {
            return Vec::new();
        }
        let found = best_of_runs(&hits, (GAP_S * self.clip.rate_hz()).ceil() as usize);
        let one = |k: usize| hits[k].map(|h| self.body.event(kind, stretch.start + k, h.part));
        found.into_iter().filter_map(one).collect()
    }

    /// Whether the most distinct pose is much more so than the clip as a whole: see the module.
    fn stands_out(&self, hits: &[Option<Hit>], usual: &Usual) -> bool {
        let most = hits.iter().flatten().map(|h| h.metres).fold(0.0, f64::max);
        let mut all = self.body.away(usual);
        let middle = all.len() / 2;
        let median = *all.select_nth_unstable_by(middle, f64::total_cmp).1;
        median < NEAR_BEST * most
    }

    /// The frames for which an event of a kind at a frame lasts: about it, without a gap of 0.3 s, as long as there is 70 % or more of it.
    pub fn lasts(&self, frame: usize, kind: EventKind, usual: &Usual) -> Range<usize> {
        let all = 0..self.clip.frame_count();
        let at = frame.min(all.end.saturating_sub(1));
        let hits = self.body.hits(kind, all, usual);
        let Some(Some(best)) = hits.get(at) else {
            return at..at + 1;
        };
        let least = NEAR_BEST * best.metres;
        let gap = (GAP_S * self.clip.rate_hz()).ceil() as usize;
        let holds = |f: &usize| hits[*f].is_some_and(|h| h.metres >= least);
        let grow = |frames: &mut dyn Iterator<Item = usize>| {
            let mut last = at;
            for f in frames {
                if holds(&f) {
                    last = f;
                } else if f.abs_diff(last) > gap {
                    break;
                }
            }
            last
        };
        grow(&mut (0..at).rev())..grow(&mut (at..hits.len())) + 1
    }

    /// The event of a label at a frame that somebody gave.
    ///
    /// # Panics
    /// When the clip has no such frame.
    pub fn given(&self, frame: usize, label: &str) -> Event {
        let kind = EventKind::of_label(label).unwrap_or(EventKind::Distinct);
        Event {
            given: true,
            ..self.body.event(kind, frame, self.body.part_at(kind, frame))
        }
    }
}

/// The events of a label in a stretch of a clip: see [`EventFinder::events_in`].
pub fn events_in(clip: &Clip, stretch: Range<usize>, label: &str, usual: &Usual) -> Vec<Event> {
    EventFinder::new(clip).events_in(stretch, label, usual)
}

/// The best frame of each run of frames near the best of all.
fn best_of_runs(hits: &[Option<Hit>], gap: usize) -> Vec<usize> {
    let most = hits.iter().flatten().map(|h| h.metres).fold(0.0, f64::max);
    let mut out: Vec<usize> = Vec::new();
    let mut last: Option<usize> = None;
    for (k, hit) in hits.iter().enumerate() {
        let Some(hit) = hit.filter(|h| h.metres >= NEAR_BEST * most) else {
            continue;
        };
        let goes_on = last.is_some_and(|l| k - l <= gap);
        last = Some(k);
        match out.last_mut().filter(|_| goes_on) {
            Some(best) => {
                if hits[*best].is_some_and(|b| hit.metres > b.metres) {
                    *best = k;
                }
            }
            None => out.push(k),
        }
    }
    out
}

#[cfg(test)]
mod tests;
