//! Shortest ways round obstacles: never too long, consistent, and as long as they should be.
#![allow(missing_docs)]

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use gaitway_synth::path::{Obstacle, Path, PathError, ShortestWay};
use glam::DVec2;
use proptest::prelude::*;

const HALF_M: f64 = 4.0;

#[derive(Clone, Debug)]
struct Scene {
    obstacles: Vec<Obstacle>,
    clearance: f64,
    corridor: Option<(Vec<DVec2>, f64)>,
    goal: DVec2,
}

impl Scene {
    fn path(&self) -> Option<(Path, f64)> {
        let (points, width) = self.corridor.as_ref()?;
        Some((Path::new(points.clone(), false).ok()?, *width))
    }

    fn ways(&self, path: Option<&(Path, f64)>) -> ShortestWay {
        let along = path.map(|(p, w)| (p, *w));
        ShortestWay::new(&self.obstacles, self.clearance, along, self.goal).expect("a scene")
    }

    /// The truth about a place.
    fn is_free(&self, path: Option<&(Path, f64)>, p: DVec2) -> bool {
        let solid = |o: &Obstacle| {
            let d = o.distance(p);
            d < self.clearance || (d == 0.0 && o.distance(p + 1e-6) + o.distance(p - 1e-6) == 0.0)
        };
        path.is_none_or(|(path, width)| path.distance(p) <= *width)
            && !self.obstacles.iter().any(solid)
    }

    fn is_clear(&self, path: Option<&(Path, f64)>, a: DVec2, b: DVec2) -> bool {
        const APART: f64 = 0.004;
        let steps = (a.distance(b) / APART).ceil().max(1.0) as u32;
        // Half a step from everything, or walls thinner than a step would be walked through.
        let room = |p: DVec2| {
            let far = |o: &Obstacle| o.distance(p) - self.clearance > 0.5 * APART;
            self.obstacles.iter().all(far) && self.is_free(path, p)
        };
        (0..=steps).all(|k| room(a.lerp(b, f64::from(k) / f64::from(steps))))
    }
}

fn scene() -> impl Strategy<Value = Scene> {
    let place = || (-3.5..3.5_f64, -3.5..3.5_f64);
    let obstacle = prop_oneof![
        (place(), 0.1..1.2_f64).prop_map(|((x, z), r)| Obstacle::Circle([x, z, r])),
        (place(), place()).prop_map(|((a, b), (c, d))| Obstacle::Box([
            a,
            b,
            0.4 * c + 0.6 * a,
            0.4 * d + 0.6 * b
        ])),
        (
            place(),
            prop::collection::vec((0.2..1.6_f64, 0.0..1.0_f64), 3..7)
        )
            .prop_map(|((x, z), spokes)| {
                // A star: simple, as a rule not convex.
                let n = spokes.len() as f64;
                let one = |(k, (r, more)): (usize, (f64, f64))| {
                    let at = (k as f64 + 0.8 * more) / n * std::f64::consts::TAU;
                    [x + r * at.cos(), z + r * at.sin()]
                };
                Obstacle::Polygon(spokes.into_iter().enumerate().map(one).collect())
            }),
    ];
    let obstacles = prop::collection::vec(obstacle, 0..6);
    let corridor = prop::option::weighted(
        0.4,
        (prop::collection::vec(place(), 2..7), 0.25..1.0_f64).prop_map(|(points, width)| {
            let points = points.into_iter().map(|(x, z)| DVec2::new(x, z));
            (points.collect::<Vec<_>>(), width)
        }),
    );
    let clearance = prop_oneof![Just(0.0), 0.1..0.4_f64];
    (obstacles, clearance, corridor, place()).prop_map(
        |(obstacles, clearance, corridor, (x, z))| {
            // On the grid of the truth; in a corridor, where that ends.
            let end = corridor.as_ref().and_then(|c| c.0.last().copied());
            let goal = end.unwrap_or(DVec2::new(x, z));
            Scene {
                obstacles,
                clearance,
                corridor,
                goal: (goal * 10.0).round() / 10.0,
            }
        },
    )
}

/// Draws places in and about the scene.
fn places(seed: u64, count: usize, half: f64) -> Vec<DVec2> {
    let mut state = seed;
    let mut draw = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / (1_u64 << 31) as f64
    };
    (0..count)
        .map(|_| DVec2::new((2.0 * draw() - 1.0) * half, (2.0 * draw() - 1.0) * half))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn cells_say_what_all_corners_do_and_ways_are_as_long(scene in scene(), seed in any::<u64>()) {
        let path = scene.path();
        let ways = scene.ways(path.as_ref());
        for p in places(seed, 120, 9.0).into_iter().chain(places(!seed, 200, HALF_M)) {
            let (quick, slow) = (ways.distance(p), ways.distance_by_all(p));
            prop_assert!(quick == slow || (quick - slow).abs() < 1e-9, "{quick} is not {slow} at {p}");
            match ways.way(p) {
                None => prop_assert!(slow.is_infinite()),
                Some(way) => {
                    let length: f64 = way.windows(2).map(|w| w[0].distance(w[1])).sum();
                    prop_assert!((length - slow).abs() < 1e-9);
                    prop_assert_eq!(way[way.len() - 1], scene.goal);
                }
            }
        }
    }

    #[test]
    fn no_free_step_lowers_it_by_more_than_its_length(scene in scene(), seed in any::<u64>()) {
        let path = scene.path();
        let path = path.as_ref();
        let ways = scene.ways(path);
        let all = places(seed, 250, HALF_M);
        for (k, &p) in all.iter().enumerate() {
            // Near ones, and far ones.
            let by = (all[(k + 1) % all.len()] - p) * [0.01, 0.1, 1.0][k % 3];
            let q = p + by;
            if !scene.is_clear(path, p, q) {
                continue;
            }
            let (a, b) = (ways.distance(p), ways.distance(q));
            let falls = if a == b { 0.0 } else { (a - b).abs() - by.length() };
            // Corners that the samples of the truth cut.
            prop_assert!(falls < 2e-3 && (falls < 1e-9 || by.length() > 0.1), "{falls} from {p} to {q}");
        }
    }
}

/// The truth, by a fine grid: never shorter than the true distance, and about a hundredth longer where there is room.
fn by_grid(scene: &Scene, path: Option<&(Path, f64)>) -> Vec<(DVec2, f64)> {
    const STEP: f64 = 0.1;
    let side = (2.0 * HALF_M / STEP) as i32 + 1;
    let at =
        |x: i32, z: i32| DVec2::new(f64::from(x) * STEP - HALF_M, f64::from(z) * STEP - HALF_M);
    // Steps between two of which there is no third.
    let gcd = |mut a: i32, mut b: i32| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let steps: Vec<(i32, i32)> = (-3..=3_i32)
        .flat_map(|x| (-3..=3_i32).map(move |z| (x, z)))
        .filter(|&(x, z)| gcd(x.abs(), z.abs()) == 1)
        .collect();
    // How far anything is from each place: whoever is further from all, at both ends together, than a step is long is free to take it.
    let room = |p: DVec2| {
        let solid = scene
            .obstacles
            .iter()
            .map(|o| o.distance(p) - scene.clearance);
        let edge = path.map(|(path, width)| width - path.distance(p));
        solid.chain(edge).fold(f64::INFINITY, f64::min)
    };
    let rooms: Vec<f64> = (0..side * side)
        .map(|k| room(at(k % side, k / side)))
        .collect();
    let mut to_go = vec![f64::INFINITY; rooms.len()];
    let index = |x: i32, z: i32| (z * side + x) as usize;
    let goal = ((scene.goal + HALF_M) / STEP).round();
    let mut open = BinaryHeap::new();
    if (0.0..f64::from(side)).contains(&goal.x) && (0.0..f64::from(side)).contains(&goal.y) {
        to_go[index(goal.x as i32, goal.y as i32)] = 0.0;
        open.push(Reverse((0_u64, goal.x as i32, goal.y as i32)));
    }
    while let Some(Reverse((bits, x, z))) = open.pop() {
        let so_far = f64::from_bits(bits);
        if so_far > to_go[index(x, z)] {
            continue;
        }
        for &(dx, dz) in &steps {
            let (u, v) = (x + dx, z + dz);
            if !(0..side).contains(&u) || !(0..side).contains(&v) {
                continue;
            }
            let length = STEP * f64::from(dx * dx + dz * dz).sqrt();
            let there = so_far + length;
            if there >= to_go[index(u, v)] {
                continue;
            }
            if rooms[index(x, z)] + rooms[index(u, v)] > length
                || scene.is_clear(path, at(x, z), at(u, v))
            {
                to_go[index(u, v)] = there;
                open.push(Reverse((there.to_bits(), u, v)));
            }
        }
    }
    (0..side * side)
        .map(|k| (at(k % side, k / side), to_go[k as usize]))
        .collect()
}

#[test]
fn it_is_never_above_the_truth_and_mostly_near_it() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut seen, mut near, mut round) = (0_u32, 0_u32, 0_u32);
    for _ in 0..120 {
        let scene = scene().new_tree(&mut runner).expect("a scene").current();
        let path = scene.path();
        let path = path.as_ref();
        if !scene.is_free(path, scene.goal) {
            continue;
        }
        let ways = scene.ways(path);
        for (p, truth) in by_grid(&scene, path).into_iter().step_by(7) {
            if truth.is_infinite() || !scene.is_free(path, p) {
                continue;
            }
            let d = ways.distance(p);
            assert!(
                d <= truth * 1.0005 + 0.003,
                "{d} is above {truth} at {p} in {scene:?}"
            );
            seen += 1;
            round += u32::from(d > p.distance(scene.goal) + 0.01);
            near += u32::from(d > 0.97 * truth - 0.1);
        }
    }
    assert!(
        seen > 15_000 && round > 2_000,
        "{seen} places, {round} of them behind something"
    );
    assert!(f64::from(near) > 0.97 * f64::from(seen), "{near} of {seen}");
}

/// Round a disc: two tangents and an arc.
#[test]
fn round_a_disc_it_is_as_long_as_its_tangents_and_arc() {
    for (radius, clearance) in [(0.5_f64, 0.0), (0.2, 0.35), (2.0, 0.0)] {
        let grown = radius + clearance;
        let far = grown + 1.0;
        let ways = ShortestWay::new(
            &[Obstacle::Circle([0.0, 0.0, radius])],
            clearance,
            None,
            DVec2::new(far, 0.0),
        )
        .expect("a disc");
        let tangent = (far * far - grown * grown).sqrt();
        let arc = grown * (std::f64::consts::PI - 2.0 * (grown / far).acos());
        let truth = 2.0 * tangent + arc;
        let d = ways.distance(DVec2::new(-far, 0.0));
        assert!(d <= truth && d > 0.997 * truth, "{d} and {truth}");
    }
}

#[test]
fn what_cannot_be_is_told_and_what_is_shut_off_is_infinite() {
    let goal = DVec2::ZERO;
    let of = |o: &[Obstacle], r: f64| ShortestWay::new(o, r, None, goal);
    assert!(matches!(of(&[], -1.0), Err(PathError::Obstacle { .. })));
    assert!(of(&[], f64::NAN).is_err());
    assert!(ShortestWay::new(&[], 0.0, None, DVec2::new(f64::NAN, 0.0)).is_err());
    assert!(of(&[Obstacle::Circle([0.0, f64::NAN, 1.0])], 0.0).is_err());
    let teeth = (0..7000).map(|k| {
        let angle = f64::from(k) / 7000.0 * std::f64::consts::TAU;
        let r = if k % 2 == 0 { 50.0 } else { 40.0 };
        [100.0 + r * angle.cos(), r * angle.sin()]
    });
    assert!(of(&[Obstacle::Polygon(teeth.collect())], 0.0).is_err());
    // A room without a door: four walls.
    let walls = [
        Obstacle::Box([-2.0, -2.0, 2.0, -1.8]),
        Obstacle::Box([-2.0, 1.8, 2.0, 2.0]),
        Obstacle::Box([-2.0, -2.0, -1.8, 2.0]),
        Obstacle::Box([1.8, -2.0, 2.0, 2.0]),
    ];
    let shut = of(&walls, 0.1).expect("a room");
    assert!(shut.distance(DVec2::new(5.0, 0.0)).is_infinite());
    assert!((shut.distance(DVec2::new(1.0, 1.0)) - 2.0_f64.sqrt()).abs() < 1e-12);
    assert!(shut.distance(DVec2::new(f64::NAN, 0.0)).is_infinite());
    // A goal inside a wall is reached from nowhere.
    let inside = of(&[Obstacle::Circle([0.0, 0.0, 1.0])], 0.2).expect("a disc");
    assert!(inside.distance(DVec2::new(3.0, 0.0)).is_infinite());
}
