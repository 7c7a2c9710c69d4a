//! Laws of ARA* on random spaces, against Dijkstra's search written plainly.
#![allow(missing_docs)]

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use gaitway_synth::search::{
    AraOptions, AraResult, Ask, Bounded, Budget, Control, DeadEnd, Epsilons, Estimate, Explain,
    Identity, OpenList, Outcome, SearchEnd, SearchProgress, Space, Step, ara_star, replay,
};
use proptest::prelude::*;

/// Numbers with ways between them, some for nothing, loops among them.
#[derive(Clone, Debug)]
struct Web {
    ways: Vec<Vec<(u32, f64)>>,
    starts: Vec<u32>,
    goals: Vec<u32>,
    estimate: Vec<f64>,
    consistent: bool,
}

impl Web {
    /// Dijkstra's search backwards, without a queue: what each number still costs.
    fn to_go(&self) -> Vec<f64> {
        let mut out = vec![f64::INFINITY; self.ways.len()];
        for &g in &self.goals {
            out[g as usize] = 0.0;
        }
        loop {
            let mut changed = false;
            for (from, ways) in self.ways.iter().enumerate() {
                for &(to, cost) in ways {
                    let through = cost + out[to as usize];
                    if through < out[from] {
                        out[from] = through;
                        changed = true;
                    }
                }
            }
            if !changed {
                return out;
            }
        }
    }

    fn optimum(&self) -> f64 {
        let to_go = self.to_go();
        let starts = self.starts.iter().map(|&s| to_go[s as usize]);
        starts.fold(f64::INFINITY, f64::min)
    }

    /// So much of what there is still to pay, by number.
    fn estimating(mut self, part: impl Fn(usize) -> f64, consistent: bool) -> Self {
        let to_go = self.to_go();
        let one = |(k, d): (usize, &f64)| if *d > 0.0 { part(k) * d } else { 0.0 };
        self.estimate = to_go.iter().enumerate().map(one).collect();
        self.consistent = consistent;
        self
    }
}

impl Space for Web {
    type State = u32;
    type Action = u32;
    fn start_states(&self) -> Vec<u32> {
        self.starts.clone()
    }
    fn actions(&self, from: &u32) -> impl Iterator<Item = u32> {
        0..self.ways[*from as usize].len() as u32
    }
    fn step(&self, from: &u32, way: u32, ask: Ask) -> Result<Step<u32>, DeadEnd> {
        let (state, cost) = self.ways[*from as usize][way as usize];
        if cost > ask.limit {
            return Err(DeadEnd::Bound);
        }
        Ok(Step {
            state,
            cost,
            frames: 1,
        })
    }
    fn is_goal(&self, at: &u32) -> bool {
        self.goals.contains(at)
    }
}

impl Identity for Web {
    type Id = u32;
    fn identity(&self, at: &u32) -> u32 {
        *at
    }
}

impl Estimate for Web {
    fn estimate(&self, at: &u32) -> f64 {
        self.estimate[*at as usize]
    }
    fn consistent(&self) -> bool {
        self.consistent
    }
}

impl Explain for Web {}

fn web() -> impl Strategy<Value = Web> {
    (2_u32..40).prop_flat_map(|n| {
        let price = prop_oneof![Just(0.0), 0.0..10.0_f64, (0_u32..6).prop_map(f64::from)];
        let way = (0..n, price);
        let ways = prop::collection::vec(prop::collection::vec(way, 0..5), n as usize);
        let some = || prop::collection::vec(0..n, 1..3);
        (ways, some(), some()).prop_map(|(ways, starts, goals)| Web {
            estimate: vec![0.0; ways.len()],
            ways,
            starts,
            goals,
            consistent: true,
        })
    })
}

fn ways_of_looking() -> impl Strategy<Value = AraOptions> {
    let epsilons = prop_oneof![
        Just(Epsilons::default()),
        Just(Epsilons::OPTIMAL),
        Just(Epsilons::list(&[50.0, 4.0, 3.9, 1.0]).expect("falling")),
        Just(Epsilons::falling(3.0, 1.5).expect("falling")),
    ];
    let open = prop_oneof![Just(OpenList::Heap), Just(OpenList::Buckets)];
    (epsilons, open).prop_map(|(epsilons, open)| AraOptions {
        epsilons,
        open,
        known: None,
    })
}

type Found = AraResult<u32, u32>;

fn search(space: &Web, options: &AraOptions) -> Found {
    ara_star(space, options, &Budget::default(), Control::default())
}

/// All but the time.
fn same(a: &Found, b: &Found) -> bool {
    let phases = |r: &Found| -> Vec<_> {
        let bits = |p: &gaitway_synth::search::Phase| {
            let cost = p.cost.map(f64::to_bits);
            (p.epsilon.to_bits(), cost, p.bound.to_bits(), p.expanded)
        };
        r.phases.iter().map(bits).collect()
    };
    let all = |r: &Found| {
        let (f, bound) = (&r.found, r.found.bound.map(f64::to_bits));
        let way = (f.start, f.end, f.actions.clone(), f.cost.to_bits(), bound);
        (way, r.expanded, r.states, f.expansions)
    };
    phases(a) == phases(b) && all(a) == all(b)
}

/// What holds of every result whose estimate is admissible.
fn hold(space: &Web, options: &AraOptions, r: &Found) -> Result<(), TestCaseError> {
    let best = space.optimum();
    let near = 1e-9 * (1.0 + best);
    prop_assert!(!r.estimate_wrong);
    if best.is_infinite() {
        let none = matches!(&r.found.outcome, Outcome::NoWalk { .. });
        prop_assert!(none);
        prop_assert!(r.found.bound.is_none() && !r.found.complete);
        return Ok(());
    }
    prop_assert_eq!(&r.found.outcome, &Outcome::Solved);
    prop_assert_eq!(r.found.search, SearchEnd::Complete);
    let start = r.found.start.expect("a start");
    let (end, cost) = replay(space, &start, &r.found.actions, 1).expect("a way");
    prop_assert!(space.is_goal(&end) && (cost - r.found.cost).abs() <= near);
    let bound = r.found.bound.expect("proven");
    prop_assert!(bound <= best + near, "{bound} is above {best}");
    let last = options.epsilons.last();
    prop_assert!(r.found.cost <= last * bound * (1.0 + 1e-9) + near);
    if last == 1.0 {
        prop_assert!((r.found.cost - best).abs() <= near);
        prop_assert!((bound - best).abs() <= near);
    }
    for p in &r.phases {
        let cost = p.cost.expect("a way");
        prop_assert!(
            cost <= p.epsilon * best + near,
            "{cost} of {best} at {}",
            p.epsilon
        );
        prop_assert!(p.bound <= best + near);
        if let Some(proven) = p.proven() {
            prop_assert!(cost <= proven * best + near && proven <= p.epsilon * (1.0 + 1e-9));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn costs_and_bounds_are_true(web in web(), part in 0.0..=1.0_f64, options in ways_of_looking()) {
        let web = web.estimating(|_| part, true);
        let r = search(&web, &options);
        hold(&web, &options, &r)?;
        prop_assert_eq!(r.estimate_falls, 0);
        // The same again, and by the other queue.
        let other = match options.open {
            OpenList::Heap => OpenList::Buckets,
            OpenList::Buckets => OpenList::Heap,
        };
        prop_assert!(same(&r, &search(&web, &options)));
        let r2 = search(&web, &AraOptions { open: other, ..options });
        prop_assert!(same(&r, &r2));
    }

    /// Admissible, not consistent, and not said to be: bounds hold all the same, and ε = 1 is the optimum.
    #[test]
    fn what_only_never_says_too_much_proves_as_much(
        web in web(), parts in prop::collection::vec(0.0..=1.0_f64, 40), options in ways_of_looking(),
    ) {
        let web = web.estimating(|k| parts[k], false);
        hold(&web, &options, &search(&web, &options))?;
    }

    /// An estimate that says too much is found out wherever a step shows it: among those that lead from an expanded state and are cheap enough to be
    /// looked at.
    #[test]
    fn a_wrong_estimate_is_found_out(web in web(), part in 1.1..4.0_f64, options in ways_of_looking()) {
        let web = web.estimating(|_| part, true);
        let logged = Logged { web: &web, order: Mutex::new(Vec::new()) };
        let r = ara_star(&logged, &options, &Budget::default(), Control::default());
        let order = logged.order.into_inner().expect("a lock");
        let most = if r.found.complete { r.found.cost } else { f64::INFINITY };
        let mut g = vec![f64::INFINITY; web.ways.len()];
        web.starts.iter().for_each(|&s| g[s as usize] = 0.0);
        let mut shown = false;
        for k in order.into_iter().map(|s| s as usize) {
            for &(to, cost) in &web.ways[k] {
                let (here, there) = (web.estimate[k], web.estimate[to as usize]);
                shown |= g[k] + cost < most && here - there > cost + 1e-6;
                g[to as usize] = g[to as usize].min(g[k] + cost);
            }
        }
        if shown {
            prop_assert!(r.estimate_wrong && r.found.bound.is_none() && r.proven().is_none());
            prop_assert!(r.phases.iter().all(|p| p.bound == 0.0));
        }
    }

    /// What is known already is beaten or proven.
    #[test]
    fn a_way_known_before_is_beaten_or_proven(web in web(), part in 0.0..=1.0_f64, more in 0.0..2.0_f64) {
        let best = web.optimum();
        prop_assume!(best.is_finite());
        let web = web.estimating(|_| part, true);
        // As good as the best, less what sums in another order may differ by; or worse.
        let known = best * (1.0 - 1e-12) + more * (best + 1.0) * f64::from(u8::from(more > 0.2));
        let r = search(&web, &AraOptions { known: Some(known), ..AraOptions::default() });
        prop_assert!((r.found.bound.expect("proven") - best).abs() <= 1e-9 * (1.0 + best));
        prop_assert_eq!(r.found.complete, known > best);
        let none = matches!(r.found.outcome, Outcome::NoWalk { .. });
        prop_assert!(known > best || none);
    }

    /// Once for an ε, and again for a lower one only if its cost fell; by following the order of expansions.
    #[test]
    fn states_are_expanded_once_for_an_epsilon(web in web(), part in 0.0..=1.0_f64) {
        let web = web.estimating(|_| part, true);
        let logged = Logged { web: &web, order: Mutex::new(Vec::new()) };
        let r = ara_star(&logged, &AraOptions::default(), &Budget::default(), Control::default());
        let order = logged.order.into_inner().expect("a lock");
        prop_assert_eq!(order.len() as u64, r.expanded);
        let n = web.ways.len();
        let mut g = vec![f64::INFINITY; n];
        let mut expanded_at = vec![f64::INFINITY; n];
        web.starts.iter().for_each(|&s| g[s as usize] = 0.0);
        let mut order = order.into_iter();
        for p in &r.phases {
            let mut seen = vec![false; n];
            for s in order.by_ref().take(p.expanded as usize) {
                let k = s as usize;
                prop_assert!(!seen[k], "{} twice at {}", s, p.epsilon);
                prop_assert!(g[k] < expanded_at[k], "{} again for nothing", s);
                (seen[k], expanded_at[k]) = (true, g[k]);
                for &(to, cost) in &web.ways[k] {
                    g[to as usize] = g[to as usize].min(g[k] + cost);
                }
            }
        }
        prop_assert!(order.next().is_none());
    }
}

/// A web that notes whose actions are asked for.
struct Logged<'a> {
    web: &'a Web,
    order: Mutex<Vec<u32>>,
}

impl Space for Logged<'_> {
    type State = u32;
    type Action = u32;
    fn start_states(&self) -> Vec<u32> {
        self.web.start_states()
    }
    fn actions(&self, from: &u32) -> impl Iterator<Item = u32> {
        self.order.lock().expect("a lock").push(*from);
        self.web.actions(from)
    }
    fn step(&self, from: &u32, way: u32, ask: Ask) -> Result<Step<u32>, DeadEnd> {
        self.web.step(from, way, ask)
    }
    fn is_goal(&self, at: &u32) -> bool {
        self.web.is_goal(at)
    }
}

impl Identity for Logged<'_> {
    type Id = u32;
    fn identity(&self, at: &u32) -> u32 {
        *at
    }
}

impl Estimate for Logged<'_> {
    fn estimate(&self, at: &u32) -> f64 {
        self.web.estimate(at)
    }
    fn consistent(&self) -> bool {
        true
    }
}

impl Explain for Logged<'_> {}

/// A field of squares with walls, eight ways from each, from one corner to the other.
struct Field {
    seed: u64,
    side: i32,
    walls: f64,
}

impl Field {
    fn draw(&self, x: i32, z: i32) -> f64 {
        let key = (x as u64) << 32 ^ z as u64 ^ self.seed << 17;
        let mut h = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        h = (h ^ h >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((h ^ h >> 32) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

impl Space for Field {
    type State = [i32; 2];
    type Action = u8;
    fn start_states(&self) -> Vec<[i32; 2]> {
        vec![[0, 0]]
    }
    fn actions(&self, _: &[i32; 2]) -> impl Iterator<Item = u8> {
        (0..9).filter(|a| *a != 4)
    }
    fn step(&self, from: &[i32; 2], a: u8, _: Ask) -> Result<Step<[i32; 2]>, DeadEnd> {
        let (dx, dz) = (i32::from(a) % 3 - 1, i32::from(a) / 3 - 1);
        let to = [from[0] + dx, from[1] + dz];
        let inside = to.iter().all(|v| (0..self.side).contains(v));
        let corner = to == [self.side - 1, self.side - 1];
        if !inside || (self.draw(to[0], to[1]) < self.walls && !corner) {
            return Err(DeadEnd::Obstacle(0));
        }
        let length = f64::from(dx * dx + dz * dz).sqrt();
        Ok(Step {
            state: to,
            cost: length * (1.0 + self.draw(to[1], to[0])),
            frames: 1,
        })
    }
    fn is_goal(&self, at: &[i32; 2]) -> bool {
        *at == [self.side - 1; 2]
    }
}

impl Identity for Field {
    type Id = [i32; 2];
    fn identity(&self, at: &[i32; 2]) -> [i32; 2] {
        *at
    }
}

impl Estimate for Field {
    fn estimate(&self, at: &[i32; 2]) -> f64 {
        let to_go = |v: i32| f64::from(self.side - 1 - v);
        to_go(at[0]).hypot(to_go(at[1]))
    }
    fn consistent(&self) -> bool {
        true
    }
}

impl Explain for Field {}

#[test]
fn lies_on_the_way_and_at_the_goal_are_told() {
    let chain = Web {
        ways: vec![vec![(1, 1.0)], vec![(2, 1.0)], vec![(3, 1.0)], vec![]],
        starts: vec![0],
        goals: vec![3],
        estimate: vec![3.0, 2.0, 1.0, 0.0],
        consistent: true,
    };
    let of = |estimate: [f64; 4], consistent: bool| {
        let web = Web {
            estimate: estimate.to_vec(),
            consistent,
            ..chain.clone()
        };
        let r = search(&web, &AraOptions::default());
        (r.found.bound, r.estimate_wrong)
    };
    assert_eq!(of([3.0, 2.0, 1.0, 0.0], true), (Some(3.0), false));
    // Not consistent, and not said to be.
    assert_eq!(of([3.0, 0.0, 1.0, 0.0], false), (Some(3.0), false));
    // Not consistent, but said to be; too much at a state of the way; too much at the goal, and before it.
    assert_eq!(of([3.0, 0.0, 1.0, 0.0], true), (None, true));
    assert_eq!(of([0.0, 2.5, 1.0, 0.0], false), (None, true));
    assert_eq!(of([0.0, 0.0, 0.0, 0.1], false), (None, true));
    assert_eq!(of([0.0, 0.0, 1.1, 0.0], false), (None, true));
    // Negative and NaN count as 0.
    assert_eq!(of([f64::NAN, -1.0, 1.0, 0.0], false), (Some(3.0), false));
}

#[test]
fn effort_is_used_again() {
    let (mut together, mut apart) = (0, 0);
    for seed in 0..12 {
        let field = Field {
            seed,
            side: 120,
            walls: 0.25,
        };
        let all = ara_star(
            &field,
            &AraOptions::default(),
            &Budget::expansions(50_000_000),
            Control::default(),
        );
        if !all.found.complete {
            continue;
        }
        together += all.expanded;
        let made = all.phases.iter().map(|p| p.epsilon);
        for epsilon in made {
            let options = AraOptions {
                epsilons: Epsilons::list(&[epsilon]).expect("one"),
                ..AraOptions::default()
            };
            let budget = Budget::expansions(50_000_000);
            apart += ara_star(&field, &options, &budget, Control::default()).expanded;
        }
    }
    assert!(together > 50_000, "{together}");
    assert!(10 * together < 7 * apart, "{together} of {apart}");
}

#[test]
fn what_is_shown_gets_better_and_is_true() {
    let field = Field {
        seed: 5,
        side: 150,
        walls: 0.2,
    };
    let shown = Mutex::new(Vec::new());
    let told = Mutex::new(Vec::new());
    let show = |b: Bounded<[i32; 2], u8>| shown.lock().expect("a lock").push(b);
    let tell = |p: SearchProgress| told.lock().expect("a lock").push(p);
    let control = Control {
        best: Some(&show),
        progress: Some(&tell),
        ..Control::default()
    };
    let r = ara_star(
        &field,
        &AraOptions::default(),
        &Budget::expansions(50_000_000),
        control,
    );
    let quiet = ara_star(
        &field,
        &AraOptions::default(),
        &Budget::expansions(50_000_000),
        Control::default(),
    );
    assert_eq!(r.found.actions, quiet.found.actions);
    let best = r.found.cost;
    assert_eq!(r.found.bound, Some(best));
    let shown = shown.into_inner().expect("a lock");
    assert!(shown.len() > r.phases.len());
    assert_eq!(
        shown.iter().filter(|b| b.phase_over).count(),
        r.phases.len()
    );
    for b in &shown {
        let (end, cost) = replay(&field, &b.way.start, &b.way.actions, 1).expect("a way");
        assert!(field.is_goal(&end) && (cost - b.way.cost).abs() < 1e-9 * cost);
        assert!(b.bound <= best * (1.0 + 1e-12));
    }
    for w in shown.windows(2) {
        assert!(w[1].way.cost <= w[0].way.cost && w[1].bound >= w[0].bound);
        assert!(w[1].epsilon <= w[0].epsilon);
    }
    assert!(
        shown[0].way.cost > 1.02 * best,
        "the first is as good as the last"
    );
    for p in told.into_inner().expect("a lock") {
        assert!((0.0..=1.0).contains(&p.part));
    }
}

#[test]
fn budgets_hold_and_leave_true_bounds() {
    let field = Field {
        seed: 9,
        side: 300,
        walls: 0.2,
    };
    let search =
        |budget: &Budget, control| ara_star(&field, &AraOptions::default(), budget, control);
    let whole = search(&Budget::expansions(100_000_000), Control::default());
    let best = whole.found.cost;
    assert!(whole.found.deterministic && whole.found.search == SearchEnd::Complete);
    let mut arrived = 0;
    for part in 1..20 {
        let expansions = whole.found.expansions * part / 20;
        let r = search(&Budget::expansions(expansions), Control::default());
        assert!(r.found.expansions < expansions + 8);
        assert_eq!(r.found.search, SearchEnd::Budget);
        assert!(r.found.deterministic);
        match r.found.bound {
            Some(bound) => {
                assert!(bound <= best * (1.0 + 1e-12) && r.found.cost >= best * (1.0 - 1e-12));
                arrived += 1;
            }
            None => assert_eq!(r.found.outcome, Outcome::BudgetSpent),
        }
        assert!(r.phases.last().is_some_and(|p| !p.complete));
    }
    assert!(arrived > 10, "{arrived}");
    for open in [OpenList::Heap, OpenList::Buckets] {
        for kib in [0, 300, 700, 1500, 2400] {
            let budget = Budget {
                memory: kib << 10,
                ..Budget::expansions(100_000_000)
            };
            let options = AraOptions {
                open,
                ..AraOptions::default()
            };
            let r = ara_star(&field, &options, &budget, Control::default());
            assert!(
                r.bytes <= (kib << 10).max(128 << 10),
                "{} of {kib} KiB",
                r.bytes
            );
            assert!(r.found.search == SearchEnd::Budget || r.states < 60_000);
            assert!(r.found.bound.is_none_or(|b| b <= best * (1.0 + 1e-12)));
        }
    }
    let timed = Budget {
        time: Some(Duration::ZERO),
        ..Budget::expansions(100_000_000)
    };
    let r = search(&timed, Control::default());
    assert!(!r.found.deterministic && r.found.search == SearchEnd::Budget);
    let stop = AtomicBool::new(true);
    let control = Control {
        cancel: Some(&stop),
        ..Control::default()
    };
    let r = search(&Budget::default(), control);
    assert_eq!(r.found.search, SearchEnd::Budget);
    stop.store(false, Ordering::Relaxed);
}

#[test]
fn epsilons_are_read_and_refused() {
    let read = |text: &str| text.parse::<Epsilons>();
    for text in [
        "", "x", "0.5", "1..2", "3,3", "2,3", "1e9..1", "nan", "inf..1", "..", "1..", "-1",
    ] {
        assert!(read(text).is_err(), "{text}");
    }
    for text in ["1", "10..1", "1000000..1", "2..2", "3,2,1", " 4 , 2.5 "] {
        let e = read(text).expect(text);
        assert!(e.values().windows(2).all(|w| w[1] < w[0]));
        assert!(e.last() >= 1.0);
        assert_eq!(read(&e.to_string()).expect("its own words"), e);
    }
    let many: Vec<String> = (0..30).map(|k| (100 - k).to_string()).collect();
    assert!(read(&many.join(",")).is_err());
}
