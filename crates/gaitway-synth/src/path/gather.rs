//! Who of a crowd sets out when.
//!
//! Of those in front of the lines whoever could set out first is planned next: searched with everybody who has a walk already as
//! obstacles on the move, at the moment they could set out, then half a second later, and so on. A walk that has to leave the path to
//! get by the others is worth some seconds of waiting; after that it is taken. Once all others have left nobody is in the way:
//! whoever has no walk then has none on that path, whatever the others do.
//!
//! Who would wait long asks the one in their way to let them go first: both are planned again in the other order, and that holds
//! where the longer of the two waits becomes shorter. Only who has nobody planned behind them can be asked.
//!
//! Searches for one person: one for each time that setting out is put off, `tries` and a few more at most, and as many again
//! for each of the two where they change places.

use gaitway_graph::{EdgeId, MotionGraph};
use glam::DVec2;

use super::Path;
use super::crowd::{CrowdOptions, Person, Wait};
use super::edge_paths::EdgePaths;
use super::follow::{Followed, cost_alone, default_budget, solve};
use super::lanes::lanes;
use super::likeness::{ALIKE, Alike, aversion, same_part, shown, taste};
use super::objective::PathProblem;
use super::obstacles::MovingObstacle;
use super::options::PathOptions;
use crate::SynthError;
use crate::search::{Budget, Control, Outcome};

/// Who would wait longer than this asks to go first, seconds.
const LONG_S: f64 = 3.0;
/// Rather than leave the path one waits as long as this, seconds.
const RATHER_WAIT_S: f64 = 4.0;
/// Nobody goes further from the path than this many times what is off it, however long they wait.
const FARTHEST: f64 = 1.5;
/// What making the motion may add to how far off a walk is, metres.
const MADE_M: f64 = 0.02;

/// A walk and where its root is at each working frame.
type Found = (Followed, Vec<[f64; 2]>);

/// What is known of one who has a walk.
struct There {
    /// What they play, frame by frame.
    shown: Vec<(u32, u32)>,
    edges: Vec<EdgeId>,
    /// When they could have set out.
    ready: u32,
}

/// One who is planned.
struct Planned {
    person: Person,
    ready: u32,
    at: u32,
    /// Who was in the way last.
    behind: Option<usize>,
}

/// A crowd in the making.
pub(super) struct Gathering<'a> {
    graph: &'a MotionGraph,
    edges: &'a EdgePaths,
    paths: &'a [Path],
    lanes: Vec<Option<Path>>,
    crowd: &'a CrowdOptions,
    control: Control<'a>,
    people: Vec<Option<Person>>,
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
    /// Per path, whether a walk leaves it even with nobody else about; not known yet where nothing.
    leaves_path: Vec<Option<bool>>,
    rate: f64,
}

impl<'a> Gathering<'a> {
    pub fn new(
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
            lanes: lanes(paths, options),
            crowd,
            control,
            people: (0..crowd.count).map(|_| None).collect(),
            given: options.moving_obstacles.len(),
            there: Vec::with_capacity(crowd.count),
            lines: (0..paths.len()).map(|k| (k, options.clock_frame)).collect(),
            hopeless: vec![false; paths.len()],
            leaves_path: vec![None; paths.len()],
            rate: graph.working_rate_hz(),
            asked: options.clone(),
        }
    }

    /// Everybody, by number.
    pub fn all(mut self) -> Result<Vec<Person>, SynthError> {
        // Who can set out first of those in front, the lowest number among equals.
        while let Some(&(number, ready)) = (self.lines.iter())
            .filter(|l| l.0 < self.crowd.count)
            .min_by_key(|l| (l.1, l.0))
        {
            let planned = self.plan(number, ready)?;
            let long = planned.at - ready > self.frames(LONG_S);
            match planned.behind {
                Some(other) if long && !self.cancelled() => self.swap(number, planned, other)?,
                _ => self.sets_out(number, planned),
            }
        }
        Ok(self.people.into_iter().flatten().collect())
    }

    fn frames(&self, seconds: f64) -> u32 {
        ((seconds * self.rate).round() as u32).max(1)
    }

    fn cancelled(&self) -> bool {
        let cancel = self.control.cancel;
        cancel.is_some_and(|c| c.load(std::sync::atomic::Ordering::Relaxed))
    }

    fn lane(&self, path: usize) -> &Path {
        self.lanes[path].as_ref().unwrap_or(&self.paths[path])
    }

    /// The frame from which on nobody is there any more.
    fn empty_from(&self) -> u32 {
        let ends = |m: &MovingObstacle| m.from_frame + m.places.len() as u32;
        let people = self.asked.moving_obstacles[self.given..].iter();
        people.map(ends).max().unwrap_or(0)
    }

    /// The first walk there is for one who could set out at a frame.
    fn plan(&mut self, number: usize, ready: u32) -> Result<Planned, SynthError> {
        let path = number % self.paths.len();
        // Seed 0 means no draw at all: everybody gets one of their own.
        let seed = self.crowd.seed.wrapping_mul(0x9e37_79b9);
        let seed = seed.wrapping_add(number as u64 + 1);
        let taste = taste(self.graph, seed);
        let empty = self.empty_from().max(ready);
        let (mut more, mut tries) = (self.frames(self.crowd.step_s), 0);
        let mut at = if self.hopeless[path] { empty } else { ready };
        let (mut first, mut behind) = (None, None);
        // A walk that leaves the path to get by.
        let mut aside: Option<(Found, u32)> = None;
        let found = loop {
            self.asked.clock_frame = at;
            let found = self.search(path, seed, taste.clone())?;
            let solved = found.0.found.outcome == Outcome::Solved;
            if at >= empty || self.cancelled() {
                break found;
            }
            let strays = self.strays(path, &found);
            if solved && (strays <= self.near_m() || self.leaves_alone(path, seed, &taste)?) {
                break found;
            }
            behind = self.in_the_way(path, &found).or(behind);
            first = first.or(behind);
            if solved && aside.is_none() && strays < FARTHEST * self.near_m() {
                aside = Some((found, at));
            }
            tries += 1;
            if tries > self.crowd.tries {
                more = more.saturating_mul(2);
            }
            at = at.saturating_add(more).min(empty);
            if let Some((found, then)) = aside.take_if(|a| at - a.1 > self.frames(RATHER_WAIT_S)) {
                at = then;
                self.asked.clock_frame = at;
                break found;
            }
        };
        let (alone, none) = (
            at >= empty,
            matches!(found.0.found.outcome, Outcome::NoWalk { .. }),
        );
        self.hopeless[path] |= alone && none && !self.cancelled();
        let (found, alike) = self.unlike(path, seed, found)?;
        if none {
            // They were put off for nothing: it is no wait.
            at = ready;
        }
        let person = Person {
            path,
            start_s: f64::from(at) / self.rate,
            wait: Wait {
                wait_s: f64::from(at - ready) / self.rate,
                waited_for: first.filter(|_| at > ready),
            },
            alike,
            places: found.1,
            followed: found.0,
        };
        Ok(Planned {
            person,
            ready,
            at,
            behind: behind.filter(|_| at > ready),
        })
    }

    fn search(&self, path: usize, seed: u64, extra: Vec<f32>) -> Result<Found, SynthError> {
        self.search_among(path, seed, extra, &self.asked)
    }

    fn search_among(
        &self,
        path: usize,
        seed: u64,
        extra: Vec<f32>,
        asked: &PathOptions,
    ) -> Result<Found, SynthError> {
        let path = self.lane(path);
        let budget = self.crowd.budget;
        let budget =
            budget.unwrap_or_else(|| Budget::expansions(default_budget(path).expansions / 8));
        let plain = PathProblem::new(self.graph, self.edges, path, asked)?;
        let problem = plain.with_extra_cost(extra);
        let search = self.crowd.search.with_seed(seed).with_searches(1);
        let mut followed = solve(&problem, search, &budget, self.control)?;
        let plain = problem.with_extra_cost(Vec::new());
        cost_alone(&plain, &mut followed.found);
        followed.found.bound = None;
        let places = plain.places(&followed.found);
        Ok((followed, places))
    }

    /// How far from its path a walk gets, metres.
    fn strays(&self, path: usize, (_, places): &Found) -> f64 {
        let off = |&p: &[f64; 2]| self.paths[path].distance(DVec2::from_array(p));
        places.iter().map(off).fold(0.0, f64::max)
    }

    /// A walk that gets no further than this is on its path, metres.
    fn near_m(&self) -> f64 {
        (self.asked.off_path_m - MADE_M).max(0.0)
    }

    /// Whether a walk leaves a path even with nobody else about: then it is not others who lead it away.
    fn leaves_alone(&mut self, path: usize, seed: u64, taste: &[f32]) -> Result<bool, SynthError> {
        if let Some(leaves) = self.leaves_path[path] {
            return Ok(leaves);
        }
        let mut alone = self.asked.clone();
        alone.moving_obstacles.truncate(self.given);
        let found = self.search_among(path, seed, taste.to_vec(), &alone)?;
        let leaves = self.strays(path, &found) > self.near_m();
        self.leaves_path[path] = Some(leaves);
        Ok(leaves)
    }

    /// The walk, or another at the same moment where it is like that of one who is there at the same time.
    fn unlike(
        &self,
        path: usize,
        seed: u64,
        found: Found,
    ) -> Result<(Found, Option<Alike>), SynthError> {
        if found.0.found.outcome != Outcome::Solved {
            return Ok((found, None));
        }
        let Some((whom, part)) = self.most_like(&found) else {
            return Ok((found, None));
        };
        let avoid = aversion(self.graph, seed, &[&self.there[whom].edges]);
        let other = self.search(path, seed, avoid)?;
        let solved = other.0.found.outcome == Outcome::Solved;
        let strays = self.strays(path, &other);
        let follows = strays <= self.near_m().max(self.strays(path, &found));
        if solved && follows && self.most_like(&other).is_none() {
            return Ok((other, None));
        }
        let number = self.asked.moving_obstacles[self.given + whom].number;
        Ok((found, Some(Alike::new(Some(number), part))))
    }

    /// Of those under way at the same time, whose walk is most like one, and how much of it, if it is alike.
    fn most_like(&self, (followed, places): &Found) -> Option<(usize, f64)> {
        let found = &followed.found;
        let mine = shown(self.graph, found.edges(), found.last_frames);
        let (from, until) = (
            self.asked.clock_frame,
            self.asked.clock_frame + places.len() as u32,
        );
        let others = self.asked.moving_obstacles[self.given..].iter();
        let together = others.zip(&self.there).enumerate().filter(|(_, (m, _))| {
            m.from_frame < until && from < m.from_frame + m.places.len() as u32
        });
        together
            .map(|(k, (_, t))| (k, same_part(&mine, &t.shown, self.rate)))
            .filter(|(_, part)| *part > ALIKE)
            .max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Who is nearest to where a walk ends or leaves its path, within half a second of it, if anybody is near at all.
    fn in_the_way(&self, path: usize, (followed, places): &Found) -> Option<usize> {
        /// Farther than this nobody is in the way, metres.
        const NEAR_M: f64 = 3.0;
        let lane = self.lane(path);
        let places: Vec<DVec2> = places.iter().map(|&p| DVec2::from_array(p)).collect();
        let (frame, place) = match followed.found.complete {
            true => (places.iter().copied().enumerate())
                .step_by(5)
                .max_by(|a, b| lane.distance(a.1).total_cmp(&lane.distance(b.1)))?,
            false => {
                let last = places.last().copied();
                (places.len(), last.unwrap_or_else(|| lane.at(0.0)))
            }
        };
        let (frame, half) = (self.asked.clock_frame + frame as u32, self.rate as u32 / 2);
        let apart = |m: &MovingObstacle| {
            (frame.saturating_sub(half)..=frame + half)
                .filter_map(|f| m.at(f))
                .map(|q| place.distance(DVec2::from_array(q)))
                .fold(f64::INFINITY, f64::min)
        };
        let others = self.asked.moving_obstacles[self.given..].iter();
        others
            .map(|m| (apart(m), m.number))
            .filter(|o| o.0 < NEAR_M)
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|o| o.1)
    }

    /// Has one who would wait long go before another, who is planned already, where that is better for both together.
    fn swap(&mut self, number: usize, late: Planned, other: usize) -> Result<(), SynthError> {
        let first = other - 1;
        let line = first % self.paths.len();
        let last_of_line = self.lines[line].0 == first + self.paths.len();
        let movers = &self.asked.moving_obstacles;
        let place = (self.given..movers.len()).find(|&k| movers[k].number == other);
        let (Some(place), true) = (place, last_of_line && line != late.person.path) else {
            self.sets_out(number, late);
            return Ok(());
        };
        let mover = self.asked.moving_obstacles.remove(place);
        let there = self.there.remove(place - self.given);
        let longest = (late.at - late.ready).max(mover.from_frame - there.ready);
        let ahead = self.plan(number, late.ready)?;
        let back = (self.lines.clone(), self.people[first].take());
        let mut better = ahead.at < late.at && ahead.person.followed.found.complete;
        if better {
            let waits = ahead.at - ahead.ready;
            self.sets_out(number, ahead);
            let after = self.plan(first, there.ready)?;
            let solved = after.person.followed.found.outcome == Outcome::Solved;
            better = solved && waits.max(after.at - after.ready) < longest;
            if better {
                self.sets_out(first, after);
                return Ok(());
            }
            self.asked.moving_obstacles.pop();
            self.there.pop();
        }
        (self.lines, self.people[first]) = back;
        self.asked.moving_obstacles.insert(place, mover);
        self.there.insert(place - self.given, there);
        self.sets_out(number, late);
        Ok(())
    }

    /// From now on they are in the way of others, and the next of their line is in front.
    fn sets_out(&mut self, number: usize, planned: Planned) {
        let Planned {
            person, ready, at, ..
        } = planned;
        let apart = self.frames(self.crowd.apart_s);
        let line = &mut self.lines[person.path];
        line.0 = number + self.paths.len();
        let found = &person.followed.found;
        // Who has no walk is not there, and in nobody's way.
        if !matches!(found.outcome, Outcome::NoWalk { .. }) {
            line.1 = at.saturating_add(apart);
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
                ready,
            });
        }
        self.people[number] = Some(person);
    }
}
