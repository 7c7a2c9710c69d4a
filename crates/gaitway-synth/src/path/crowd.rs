//! Several people on several paths, or on the same, who do not walk through each other and do not move alike.
//!
//! On each path they stand in line. Whoever stands in front and could have set out first of all goes next: searched with everybody
//! who has a walk already as obstacles on the move, at the moment they could set out, then half a second later, and so on. Once all
//! others have left nobody is in the way: whoever has no walk then has none on that path, whatever the others do.
//!
//! Time: a search for everyone, and one for each time that setting out is put off, at most `tries` and a few more.
//! Checked by: tests/path_crowd.rs.

use gaitway_graph::{EdgeId, MotionGraph};
use glam::DVec2;
use serde::Serialize;

use super::edge_paths::EdgePaths;
use super::follow::{Followed, Search, default_budget, solve};
use super::likeness::{ALIKE, Alike, aversion, same_part, shown, taste};
use super::objective::PathProblem;
use super::obstacles::MovingObstacle;
use super::options::PathOptions;
use super::{Path, PathError};
use crate::SynthError;
use crate::search::{Budget, Control, Outcome, replay};

/// How a crowd is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrowdOptions {
    /// How many people.
    pub count: usize,
    /// Who follows another on the same path sets out this much later, seconds; default 1.5.
    pub apart_s: f64,
    /// Who finds the way blocked sets out this much later, seconds; default 0.5.
    pub step_s: f64,
    /// How often one puts off setting out by that; then by twice as much each time, until everybody else has left. Default 24.
    pub tries: usize,
    /// Same seed, same crowd.
    pub seed: u64,
    /// How each is searched; with one start, whatever it says.
    pub search: Search,
    /// What each search may spend; an eighth of the default budget of their path where not given.
    pub budget: Option<Budget>,
}

impl Default for CrowdOptions {
    fn default() -> Self {
        Self {
            count: 2,
            apart_s: 1.5,
            step_s: 0.5,
            tries: 24,
            seed: 0,
            search: Search::default(),
            budget: None,
        }
    }
}

/// That one set out later than they could have.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Wait {
    /// How much later, seconds: after the one in front of them on their path had set out and was far enough ahead.
    pub wait_s: f64,
    /// Who was in the way when they first could have set out, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waited_for: Option<usize>,
}

/// One of a crowd.
#[derive(Clone, Debug)]
pub struct Person {
    /// Which of the paths.
    pub path: usize,
    /// When they set out, seconds on the crowd's clock.
    pub start_s: f64,
    /// Whether they had to wait, and for whom.
    pub wait: Wait,
    /// Whom they move like, where no other walk was found.
    pub alike: Option<Alike>,
    /// Their walk.
    pub followed: Followed,
    /// Where their root is at each working frame, from when they set out; nobody before and after.
    pub places: Vec<[f64; 2]>,
}

/// Makes a crowd: person k on path k modulo their number.
///
/// # Errors
/// When there is no path or nobody, or for the reasons of [`super::follow_path`].
pub fn crowd(
    graph: &MotionGraph,
    edges: &EdgePaths,
    paths: &[Path],
    options: &PathOptions,
    crowd: &CrowdOptions,
    control: Control<'_>,
) -> Result<Vec<Person>, SynthError> {
    /// More than a square can hold.
    const MOST: usize = 10_000;
    if paths.is_empty() {
        return Err(PathError::Empty.into());
    }
    let possible = (1..=MOST).contains(&crowd.count)
        && (0.0..1e6).contains(&crowd.apart_s)
        && (0.0..1e6).contains(&crowd.step_s);
    if !possible {
        let what = format!("a crowd of {} people is not possible", crowd.count);
        return Err(SynthError::Options { what });
    }
    let mut gathering = Gathering::new((graph, edges), paths, options, crowd, control);
    let mut people: Vec<Option<Person>> = Vec::new();
    people.resize_with(crowd.count, || None);
    while let Some(number) = gathering.next() {
        people[number] = Some(gathering.person(number)?);
    }
    Ok(people.into_iter().flatten().collect())
}

/// What is known of people who have a walk.
struct There {
    /// What they play, frame by frame.
    shown: Vec<(u32, u32)>,
    edges: Vec<EdgeId>,
}

/// A crowd in the making.
struct Gathering<'a> {
    graph: &'a MotionGraph,
    edges: &'a EdgePaths,
    paths: &'a [Path],
    crowd: &'a CrowdOptions,
    control: Control<'a>,
    /// What is asked for, with everybody who has a walk as an obstacle on the move.
    asked: PathOptions,
    /// Those given with what is asked for come first in `asked`.
    given: usize,
    /// One for each of the others in `asked`.
    there: Vec<There>,
    /// Per path, who is in front, and the frame at which they can set out.
    lines: Vec<(usize, u32)>,
    /// Per path, whether it has no walk even with nobody else about.
    hopeless: Vec<bool>,
    first_frame: u32,
    rate: f64,
}

impl<'a> Gathering<'a> {
    fn new(
        (graph, edges): (&'a MotionGraph, &'a EdgePaths),
        paths: &'a [Path],
        options: &PathOptions,
        crowd: &'a CrowdOptions,
        control: Control<'a>,
    ) -> Self {
        Self {
            graph,
            edges,
            paths,
            crowd,
            control,
            given: options.moving_obstacles.len(),
            there: Vec::with_capacity(crowd.count),
            lines: (0..paths.len()).map(|k| (k, options.clock_frame)).collect(),
            hopeless: vec![false; paths.len()],
            first_frame: options.clock_frame,
            rate: graph.working_rate_hz(),
            asked: options.clone(),
        }
    }

    /// Who can set out first of those in front, the lowest number among equals.
    fn next(&self) -> Option<usize> {
        let front = self.lines.iter().filter(|l| l.0 < self.crowd.count);
        front.min_by_key(|l| (l.1, l.0)).map(|l| l.0)
    }

    fn frames(&self, seconds: f64) -> u32 {
        ((seconds * self.rate).round() as u32).max(1)
    }

    fn cancelled(&self) -> bool {
        let cancel = self.control.cancel;
        cancel.is_some_and(|c| c.load(std::sync::atomic::Ordering::Relaxed))
    }

    /// The frame from which on nobody is there any more.
    fn empty_from(&self) -> u32 {
        let ends = |m: &MovingObstacle| m.from_frame + m.places.len() as u32;
        let people = self.asked.moving_obstacles[self.given..].iter();
        people.map(ends).max().unwrap_or(0)
    }

    /// Plans one, and has them be there.
    fn person(&mut self, number: usize) -> Result<Person, SynthError> {
        let path = number % self.paths.len();
        let ready = self.lines[path].1;
        // Seed 0 means no draw at all: everybody gets one of their own.
        let seed = self.crowd.seed.wrapping_mul(0x9e37_79b9);
        let seed = seed.wrapping_add(number as u64 + 1);
        let taste = taste(self.graph, seed);
        let (step, empty) = (self.frames(self.crowd.step_s), self.empty_from().max(ready));
        let (mut at, mut more, mut tries) = (ready, step, 0);
        if self.hopeless[path] {
            at = empty;
        }
        let mut in_the_way = None;
        let (followed, places) = loop {
            self.asked.clock_frame = at;
            let (followed, places) = self.search(path, seed, taste.clone())?;
            let found = &followed.found;
            if found.outcome == Outcome::Solved || at >= empty || self.cancelled() {
                break (followed, places);
            }
            if tries == 0 {
                let last = places.last().copied();
                let place = last.unwrap_or_else(|| self.paths[path].at(0.0).to_array());
                in_the_way = self.nearest(place, at + places.len() as u32);
            }
            tries += 1;
            if tries > self.crowd.tries {
                more = more.saturating_mul(2);
            }
            at = at.saturating_add(more).min(empty);
        };
        let alone = at >= empty;
        let (followed, places, alike) = self.unlike(path, seed, (followed, places))?;
        let solved = followed.found.outcome == Outcome::Solved;
        self.hopeless[path] |= alone && matches!(followed.found.outcome, Outcome::NoWalk { .. });
        if !solved && self.hopeless[path] {
            // They were put off for nothing: it is no wait.
            at = ready;
        }
        let start = at - self.first_frame;
        let person = Person {
            path,
            start_s: f64::from(self.first_frame + start) / self.rate,
            wait: Wait {
                wait_s: f64::from(at - ready) / self.rate,
                waited_for: in_the_way.filter(|_| at > ready),
            },
            alike,
            places,
            followed,
        };
        self.sets_out(number, at, &person);
        Ok(person)
    }

    fn search(
        &self,
        path: usize,
        seed: u64,
        extra_cost: Vec<f32>,
    ) -> Result<(Followed, Vec<[f64; 2]>), SynthError> {
        let path = &self.paths[path];
        let budget = self.crowd.budget;
        let budget =
            budget.unwrap_or_else(|| Budget::expansions(default_budget(path).expansions / 8));
        let plain = PathProblem::new(self.graph, self.edges, path, &self.asked)?;
        let problem = plain.with_extra_cost(extra_cost);
        let search = self.crowd.search.with_seed(seed).with_searches(1);
        let mut followed = solve(&problem, search, &budget, self.control)?;
        let plain = problem.with_extra_cost(Vec::new());
        let found = &mut followed.found;
        if let Some(start) = found.start
            && let Some((end, cost)) = replay(&plain, &start, found.edges(), found.last_frames)
        {
            (found.end, found.cost) = (Some(end), cost);
            found.bound = None;
        }
        let places = plain.places(found);
        Ok((followed, places))
    }

    /// The walk, or another at the same moment where it is like that of one who is there at the same time.
    fn unlike(
        &self,
        path: usize,
        seed: u64,
        (followed, places): (Followed, Vec<[f64; 2]>),
    ) -> Result<(Followed, Vec<[f64; 2]>, Option<Alike>), SynthError> {
        if followed.found.outcome != Outcome::Solved {
            return Ok((followed, places, None));
        }
        let Some((whom, part)) = self.most_like(&followed, places.len()) else {
            return Ok((followed, places, None));
        };
        let avoid = aversion(self.graph, seed, &[&self.there[whom].edges]);
        let (other, there) = self.search(path, seed, avoid)?;
        let solved = other.found.outcome == Outcome::Solved;
        if solved && self.most_like(&other, there.len()).is_none() {
            return Ok((other, there, None));
        }
        let number = self.asked.moving_obstacles[self.given + whom].number;
        Ok((followed, places, Some(Alike::new(Some(number), part))))
    }

    /// Of those under way at the same time, whose walk is most like one, and how much of it, if it is alike.
    fn most_like(&self, followed: &Followed, frames: usize) -> Option<(usize, f64)> {
        let found = &followed.found;
        let mine = shown(self.graph, found.edges(), found.last_frames);
        let from = self.asked.clock_frame;
        let others = self.asked.moving_obstacles[self.given..].iter();
        let together = others.zip(&self.there).enumerate().filter(|(_, (m, _))| {
            let ends = m.from_frame + m.places.len() as u32;
            m.from_frame < from + frames as u32 && from < ends
        });
        together
            .map(|(k, (_, t))| (k, same_part(&mine, &t.shown, self.rate)))
            .filter(|(_, part)| *part > ALIKE)
            .max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Who is nearest to a place within a second of a frame, if anybody is near at all.
    fn nearest(&self, place: [f64; 2], frame: u32) -> Option<usize> {
        /// Farther than this nobody is in the way, metres.
        const NEAR_M: f64 = 3.0;
        let second = self.rate as u32;
        let place = DVec2::from_array(place);
        let apart = |m: &MovingObstacle| {
            let from = frame.saturating_sub(second / 2);
            (from..=frame + second / 2)
                .filter_map(|f| m.at(f))
                .map(|q| place.distance(DVec2::from_array(q)))
                .fold(f64::INFINITY, f64::min)
        };
        let others = self.asked.moving_obstacles.iter();
        others
            .map(|m| (apart(m), m.number))
            .filter(|o| o.0 < NEAR_M)
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|o| o.1)
    }

    /// From now on they are in the way of others, and the next of their line is in front.
    fn sets_out(&mut self, number: usize, at: u32, person: &Person) {
        let line = person.path;
        self.lines[line].0 += self.paths.len();
        let found = &person.followed.found;
        // Who has no walk is not there, and in nobody's way.
        if matches!(found.outcome, Outcome::NoWalk { .. }) {
            return;
        }
        self.lines[line].1 = at.saturating_add(self.frames(self.crowd.apart_s));
        self.asked.moving_obstacles.push(MovingObstacle {
            places: person.places.clone(),
            radius_m: self.asked.body_radius_m,
            from_frame: at,
            leaves: true,
            number: number + 1,
        });
        self.there.push(There {
            shown: shown(self.graph, found.edges(), found.last_frames),
            edges: found.edges().to_vec(),
        });
    }
}
