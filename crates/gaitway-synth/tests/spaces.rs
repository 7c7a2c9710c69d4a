//! Laws of the searches on spaces that are no motion graphs: streets with walls, and numbers with drawn ways between them.
#![allow(missing_docs)]

use std::sync::atomic::{AtomicBool, Ordering};

use gaitway_synth::search::{
    Ask, BeamOptions, BestSolution, BnbOptions, Budget, Control, DeadEnd, Estimate, Explain, Guide,
    Key, Layers, Order, Outcome, SearchEnd, SearchProgress, SearchResult, Space, Step, beam_search,
    branch_and_bound, replay,
};

fn draw(seed: u64, key: u64) -> f64 {
    let mut h = (seed << 32 ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    h = (h ^ h >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (h >> 11) as f64 / (1_u64 << 53) as f64
}

/// A street to be walked along, a place ahead and one aside at a time; some places are walled up.
struct Street {
    seed: u64,
    length: u32,
    width: u32,
    /// Of all places.
    walls: f64,
}

/// What a step costs at least.
const LEAST: f64 = 0.25;

impl Space for Street {
    type State = [u32; 2];
    /// How far to the right, from 0 on, where 1 is straight ahead.
    type Action = u8;
    fn start_states(&self) -> Vec<[u32; 2]> {
        (0..self.width).step_by(2).map(|y| [0, y]).collect()
    }
    fn actions(&self, &[_, y]: &[u32; 2]) -> impl Iterator<Item = u8> {
        let last = self.width - 1;
        (0..3).filter(move |&a| (a > 0 || y > 0) && (a < 2 || y < last))
    }
    fn step(&self, &[x, y]: &[u32; 2], action: u8, ask: Ask) -> Result<Step<[u32; 2]>, DeadEnd> {
        let to = [x + 1, y + u32::from(action) - 1];
        let key = u64::from(to[0]) << 16 | u64::from(to[1]) << 4 | u64::from(action);
        if draw(self.seed, !key) < self.walls {
            return Err(DeadEnd::Obstacle(to[1]));
        }
        let cost = LEAST + draw(self.seed, key);
        if cost > ask.limit {
            return Err(DeadEnd::Bound);
        }
        Ok(Step {
            state: to,
            cost,
            frames: 1,
        })
    }
    fn is_goal(&self, &[x, _]: &[u32; 2]) -> bool {
        x == self.length
    }
    fn most_actions(&self) -> Option<usize> {
        Some(3)
    }
}

impl Layers for Street {
    fn progress(&self, &[x, _]: &[u32; 2]) -> f64 {
        f64::from(x)
    }
    fn progress_at_goal(&self) -> f64 {
        f64::from(self.length)
    }
}

impl Key for Street {
    fn key(&self, &[_, y]: &[u32; 2]) -> u64 {
        u64::from(y)
    }
}

impl Estimate for Street {
    fn estimate(&self, &[x, _]: &[u32; 2]) -> f64 {
        LEAST * f64::from(self.length - x)
    }
}

impl Guide for Street {}
impl Explain for Street {}

/// Numbers from which drawn ways lead to higher ones, some for nothing. How many there are nobody says ahead.
struct Numbers {
    ways: Vec<Vec<(u32, f64)>>,
}

impl Numbers {
    fn new(seed: u64, count: u32) -> Self {
        let ways = |from: u32| {
            let one = |to: u32| {
                let key = u64::from(from) << 16 | u64::from(to);
                let price = (draw(seed, !key) * 8.0).floor();
                // Nearer ones more often, so that ways are long.
                let there = draw(seed, key) < 1.6 / f64::from(to - from);
                there.then_some((to, price))
            };
            (from + 1..count).filter_map(one).collect()
        };
        Self {
            ways: (0..count).map(ways).collect(),
        }
    }
}

impl Space for Numbers {
    type State = u32;
    type Action = usize;
    fn start_states(&self) -> Vec<u32> {
        vec![0, 1]
    }
    fn actions(&self, from: &u32) -> impl Iterator<Item = usize> {
        0..self.ways[*from as usize].len()
    }
    fn step(&self, from: &u32, way: usize, _: Ask) -> Result<Step<u32>, DeadEnd> {
        let (state, cost) = self.ways[*from as usize][way];
        Ok(Step {
            state,
            cost,
            frames: state - from,
        })
    }
    fn is_goal(&self, at: &u32) -> bool {
        *at as usize + 1 == self.ways.len()
    }
}

impl Layers for Numbers {
    fn progress(&self, at: &u32) -> f64 {
        f64::from(*at)
    }
    fn progress_at_goal(&self) -> f64 {
        (self.ways.len() - 1) as f64
    }
}

impl Key for Numbers {
    fn key(&self, at: &u32) -> u64 {
        u64::from(*at)
    }
}

impl Estimate for Numbers {}
impl Guide for Numbers {}
impl Explain for Numbers {}

/// All complete ways, by hand: the least cost, and how many there are.
fn enumerate<S: Space>(space: &S) -> (f64, usize) {
    fn on<S: Space>(space: &S, at: &S::State, cost: f64, out: &mut (f64, usize)) {
        if space.is_goal(at) {
            *out = (out.0.min(cost), out.1 + 1);
            return;
        }
        for action in space.actions(at) {
            if let Ok(step) = space.step(at, action, Ask::ALL) {
                on(space, &step.state, cost + step.cost, out);
            }
        }
    }
    let mut out = (f64::INFINITY, 0);
    for start in space.start_states() {
        on(space, &start, 0.0, &mut out);
    }
    out
}

fn whole(order: Order) -> BnbOptions {
    BnbOptions {
        horizon: None,
        per_bite: Some(u64::MAX),
        order,
        ..BnbOptions::default()
    }
}

fn by_layers() -> BeamOptions {
    BeamOptions {
        layer: 1.0,
        ..BeamOptions::default()
    }
}

/// What both searches must find where they have all they need.
fn hold_to_enumeration<S>(space: &S, name: &str) -> usize
where
    S: Layers + Key + Guide + Explain,
{
    let (best, count) = enumerate(space);
    let budget = Budget::default();
    let found = [
        branch_and_bound(space, &whole(Order::Cost), &budget, Control::default()),
        branch_and_bound(space, &whole(Order::PerFrame), &budget, Control::default()),
        branch_and_bound(space, &whole(Order::Guided), &budget, Control::default()),
        beam_search(space, &by_layers(), &budget, Control::default()),
    ];
    for (k, found) in found.iter().enumerate() {
        assert_eq!(found.search, SearchEnd::Complete, "{name}, search {k}");
        if count == 0 {
            let none = matches!(&found.outcome, Outcome::NoWalk { reason } if !reason.is_empty());
            assert!(
                none && !found.complete,
                "{name}, search {k}: {:?}",
                found.outcome
            );
            continue;
        }
        assert_eq!(found.outcome, Outcome::Solved, "{name}, search {k}");
        assert!(
            (found.cost - best).abs() < 1e-9,
            "{name}, search {k}: {} is not {best}",
            found.cost
        );
        let start = found.start.as_ref().expect("a start");
        let (end, cost) = replay(space, start, &found.actions, found.last_frames)
            .expect("a way that can be gone");
        assert!(space.is_goal(&end) && (cost - found.cost).abs() < 1e-9);
        assert_eq!(
            found.bound.is_some(),
            k < 3,
            "branch and bound proves, the beam does not"
        );
    }
    count
}

#[test]
fn searches_equal_full_enumeration_on_any_space() {
    let (mut ways, mut blocked) = (0, 0);
    for seed in 0..40 {
        let street = Street {
            seed,
            length: 8,
            width: 5,
            walls: [0.1, 0.3, 0.6][seed as usize % 3],
        };
        let count = hold_to_enumeration(&street, &format!("street {seed}"));
        ways += count;
        blocked += usize::from(count == 0);
        ways += hold_to_enumeration(&Numbers::new(seed, 14), &format!("numbers {seed}"));
    }
    assert!(ways > 5000 && blocked > 3, "{ways} ways, {blocked} blocked");
}

#[test]
fn successors_are_actions_and_steps() {
    fn hold<S: Space>(
        space: &S,
        states: impl Iterator<Item = S::State>,
        same: fn(&S::State, &S::State) -> bool,
    ) {
        let limits = [
            Ask::ALL,
            Ask {
                limit: 0.7,
                ..Ask::ALL
            },
        ];
        for (at, ask) in states.flat_map(|s| limits.map(|ask| (s, ask))) {
            let mut all = space.successors(&at, ask);
            for action in space.actions(&at) {
                let (a, got) = all.next().expect("one for each action");
                assert!(a == action);
                match (got, space.step(&at, action, ask)) {
                    (Ok(a), Ok(b)) => {
                        assert!(same(&a.state, &b.state));
                        assert_eq!((a.cost, a.frames), (b.cost, b.frames));
                    }
                    (a, b) => assert_eq!(a.map(|_| ()).err(), b.map(|_| ()).err()),
                }
            }
            assert!(all.next().is_none());
        }
    }
    for seed in 0..10 {
        let street = Street {
            seed,
            length: 6,
            width: 4,
            walls: 0.2,
        };
        hold(&street, (0..24).map(|k| [k / 4, k % 4]), |a, b| a == b);
        hold(&Numbers::new(seed, 12), 0..12, |a, b| a == b);
    }
}

fn long_street() -> Street {
    Street {
        seed: 3,
        length: 400,
        width: 40,
        walls: 0.05,
    }
}

type Ways = SearchResult<[u32; 2], u8>;

#[test]
fn what_ends_a_search_is_told() {
    let street = long_street();
    let beam = |budget: &Budget, control| beam_search(&street, &by_layers(), budget, control);
    let bites = |budget: &Budget, control| {
        branch_and_bound(&street, &BnbOptions::default(), budget, control)
    };
    // Arrived, and with budget to spare.
    let enough = Budget::expansions(50_000_000);
    let ended = |found: Ways| (found.complete, found.search);
    assert_eq!(
        ended(beam(&enough, Control::default())),
        (true, SearchEnd::Complete)
    );
    let once = BnbOptions {
        per_bite: Some(12_000),
        ..BnbOptions::default()
    };
    let found = branch_and_bound(&street, &once, &enough, Control::default());
    assert_eq!(ended(found), (true, SearchEnd::Complete));
    // Bites that may spend what there is do.
    let some = Budget::expansions(10_000_000);
    let found = bites(&some, Control::default());
    assert!(found.expansions > some.expansions / 2);
    assert_eq!(ended(found), (true, SearchEnd::Budget));
    // Arrived, and all of the budget used to do better.
    let found = beam(&Budget::expansions(20_000), Control::default());
    assert_eq!(
        (&found.outcome, found.search),
        (&Outcome::Solved, SearchEnd::Budget)
    );
    // Not arrived, for want of budget.
    for found in [
        beam(&Budget::expansions(50), Control::default()),
        bites(&Budget::expansions(50), Control::default()),
    ] {
        assert_eq!(found.outcome, Outcome::BudgetSpent);
        assert_eq!(ended(found), (false, SearchEnd::Budget));
    }
    // Stopped.
    let cancel = AtomicBool::new(false);
    let stop = |p: SearchProgress| cancel.store(p.part > 0.1, Ordering::Relaxed);
    let control = Control {
        cancel: Some(&cancel),
        progress: Some(&stop),
        ..Control::default()
    };
    assert_eq!(bites(&enough, control).search, SearchEnd::Budget);
    cancel.store(true, Ordering::Relaxed);
    assert_eq!(beam(&enough, control).search, SearchEnd::Budget);
    let word = |end: SearchEnd| serde_json::to_value(end).expect("JSON");
    assert_eq!(word(SearchEnd::Complete), "complete");
    assert_eq!(word(SearchEnd::Budget), "budget");
}

#[test]
fn several_starts_share_any_space_and_show_their_best() {
    let street = long_street();
    let ask = |threads, control| {
        let options = BeamOptions {
            searches: 3,
            threads,
            ..by_layers()
        };
        beam_search(&street, &options, &Budget::expansions(60_000), control)
    };
    let quiet: Ways = ask(1, Control::default());
    let shown = std::sync::Mutex::new(Vec::new());
    let show = |way: BestSolution<[u32; 2], u8>| shown.lock().expect("a lock").push(way);
    let control = Control {
        best: Some(&show),
        best_every: Some(std::time::Duration::ZERO),
        ..Control::default()
    };
    let watched: Ways = ask(3, control);
    assert_eq!(
        (&quiet.actions, quiet.expansions),
        (&watched.actions, watched.expansions)
    );
    let shown = shown.into_inner().expect("a lock");
    assert!(shown.iter().any(|w| w.complete) && !shown[0].complete);
    for way in &shown {
        let (end, cost) = replay(&street, &way.start, &way.actions, way.last_frames)
            .expect("a way that can be gone");
        assert_eq!(end, way.end);
        assert!((cost - way.cost).abs() < 1e-9 * cost.max(1.0));
        assert!(!way.complete || way.cost >= watched.cost - 1e-9);
    }
}
