//! A space like those that plans unroll: a small graph of motions, each moving the body by so much, over places of 5 cm and turns of
//! 1.5°. Its numbers are drawn; steps are read from a table, so that what is measured is the search.

use gaitway_synth::search::{Action, Ask, DeadEnd, Estimate, Explain, Identity, Space, Step};

const CELL_M: f64 = 0.05;
const TURNS: u32 = 240;

/// Where an edge leads from a turn.
#[derive(Clone, Copy)]
struct Move {
    to: u32,
    dx: i32,
    dz: i32,
    turn: u32,
    cost: f64,
}

pub struct Lattice {
    nodes: u32,
    edges: u32,
    moves: Vec<Move>,
    goal: [i32; 2],
    half: i32,
    least_a_cell: f64,
}

/// Node, x, z, turn.
pub type At = [u32; 4];

impl Lattice {
    pub fn new(nodes: u32, edges: u32, goal_m: [f64; 2], half_m: f64) -> Self {
        let mut seed = 1_u64;
        let mut draw = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as f64 / (1_u64 << 31) as f64
        };
        let mut moves = Vec::new();
        for _ in 0..nodes * edges {
            let (to, length) = ((draw() * f64::from(nodes)) as u32, 0.3 + 0.5 * draw());
            let (aside, turn) = (0.2 * (draw() - 0.5), (draw() - 0.5) * 0.9);
            let cost = length * (1.0 + 1.5 * draw()) + 0.3 * turn * turn;
            for k in 0..TURNS {
                let yaw = f64::from(k) * std::f64::consts::TAU / f64::from(TURNS);
                let dx = (length * yaw.sin() + aside * yaw.cos()) / CELL_M;
                let dz = (length * yaw.cos() - aside * yaw.sin()) / CELL_M;
                let by = (turn / std::f64::consts::TAU * f64::from(TURNS)).round();
                moves.push(Move {
                    to,
                    dx: dx.round() as i32,
                    dz: dz.round() as i32,
                    turn: (k as i32 + by as i32).rem_euclid(TURNS as i32) as u32,
                    cost,
                });
            }
        }
        // By what cells are apart after rounding, or the estimate would not be consistent.
        let a_cell = |m: &Move| m.cost / f64::from(m.dx).hypot(f64::from(m.dz));
        let least_a_cell = moves.iter().map(a_cell).fold(f64::INFINITY, f64::min);
        Self {
            nodes,
            edges,
            moves,
            goal: goal_m.map(|m| (m / CELL_M).round() as i32),
            half: (half_m / CELL_M) as i32,
            least_a_cell,
        }
    }
}

impl Space for Lattice {
    type State = At;
    type Action = u32;
    fn start_states(&self) -> Vec<At> {
        (0..self.nodes.min(4)).map(|n| [n, 0, 0, 0]).collect()
    }
    #[inline]
    fn actions(&self, from: &At) -> impl Iterator<Item = u32> {
        let first = from[0] * self.edges;
        first..first + self.edges
    }
    #[inline]
    fn step(&self, from: &At, edge: u32, _: Ask) -> Result<Step<At>, DeadEnd> {
        let m = &self.moves[(edge * TURNS + from[3]) as usize];
        let (x, z) = (from[1] as i32 + m.dx, from[2] as i32 + m.dz);
        if x.abs() > self.half || z.abs() > self.half {
            return Err(DeadEnd::Corridor);
        }
        Ok(Step {
            state: [m.to, x as u32, z as u32, m.turn],
            cost: m.cost,
            frames: 1,
        })
    }
    #[inline]
    fn is_goal(&self, at: &At) -> bool {
        at[1] as i32 == self.goal[0] && at[2] as i32 == self.goal[1]
    }
    fn most_actions(&self) -> Option<usize> {
        Some(self.edges as usize)
    }
}

impl Identity for Lattice {
    type Id = At;
    #[inline]
    fn identity(&self, at: &At) -> At {
        *at
    }
}

impl Estimate for Lattice {
    #[inline]
    fn estimate(&self, at: &At) -> f64 {
        let d = [at[1] as i32 - self.goal[0], at[2] as i32 - self.goal[1]];
        self.least_a_cell * f64::from(d[0] * d[0] + d[1] * d[1]).sqrt()
    }
    fn consistent(&self) -> bool {
        true
    }
}

impl Explain for Lattice {}

/// A* as it is written first: a heap of the standard library, a map of the standard library.
pub fn plain<S>(space: &S, most: u64) -> (f64, u64, usize)
where
    S: Estimate + Identity,
    S::Id: Ord,
{
    use std::cmp::Reverse;
    use std::collections::{BinaryHeap, HashMap};
    // Numbers that are not negative are in the order of their bits.
    let bits = |v: f64| v.to_bits();
    let mut open = BinaryHeap::new();
    // g, whether it was expanded, the action that led there, the state.
    let mut known = HashMap::new();
    for s in space.start_states() {
        let id = space.identity(&s);
        known.insert(id, (0.0, false, S::Action::NONE, s));
        open.push(Reverse((bits(space.estimate(&s)), id)));
    }
    let mut tried = 0;
    while let Some(Reverse((_, id))) = open.pop() {
        let Some(entry) = known.get_mut(&id) else {
            continue;
        };
        if std::mem::replace(&mut entry.1, true) {
            continue;
        }
        let (g, state) = (entry.0, entry.3);
        if space.is_goal(&state) || tried >= most {
            return (g, tried, known.len());
        }
        for (action, step) in space.successors(&state, Ask::ALL) {
            tried += 1;
            let Ok(step) = step else { continue };
            let (id, g) = (space.identity(&step.state), g + step.cost);
            if known.get(&id).is_none_or(|k| g < k.0) {
                known.insert(id, (g, false, action, step.state));
                open.push(Reverse((bits(g + space.estimate(&step.state)), id)));
            }
        }
    }
    (f64::INFINITY, tried, known.len())
}
