//! What searches found before they ran over any space: the same walks, from as many edges tried.
//!
//! The numbers were recorded from searches that walked the graph themselves. Whoever changes what a search or the ways of
//! edges *should* give records them anew (`RECORD=1 cargo nextest run -E 'binary(search_record)' --no-capture`) and says why.
#![allow(missing_docs, clippy::print_stdout)]

mod common;

use std::sync::Mutex;
use std::time::Duration;

use common::paths::{blended_walker, follow, small, walking};
use gaitway_core::testing::swinging_clip;
use gaitway_graph::{EdgeId, MotionGraph, NodeId};
use gaitway_synth::path::{
    EdgePaths, Followed, Obstacle, PathOptions, PlaceWish, Search, Wanted, Window, follow_path,
    named_curve, place_clip, resolve_window,
};
use gaitway_synth::search::{
    Ask, BeamOptions, BestSoFar, BnbOptions, Budget, Control, DeadEnd, Estimate, Explain,
    GraphProblem, Guide, Key, Layers, SearchResult, Step, beam_search, branch_and_bound,
};
use glam::DVec2;

/// Cost, count of edges, a hash of them, edges tried.
type Row = (&'static str, f64, usize, u64, u64);

fn hash(numbers: impl IntoIterator<Item = u64>) -> u64 {
    numbers.into_iter().fold(0xcbf2_9ce4_8422_2325, |h, n| {
        (h ^ n).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

fn row<S>(name: &'static str, found: &SearchResult<S>) -> Row {
    let edges = found.edges();
    let sum = hash(edges.iter().map(|e| u64::from(e.0)));
    (name, found.cost, edges.len(), sum, found.expansions)
}

fn check(rows: &[Row], recorded: &[Row]) {
    if std::env::var_os("RECORD").is_some() {
        for (name, cost, edges, sum, tried) in rows {
            println!("    ({name:?}, {cost:?}, {edges}, {sum:#018x}, {tried}),");
        }
        return;
    }
    assert_eq!(rows.len(), recorded.len());
    for (now, then) in rows.iter().zip(recorded) {
        // Sines differ in their last bit from machine to machine.
        let near = (now.1 - then.1).abs() <= 1e-9 * then.1.abs();
        assert!(near, "{now:?} costs something else than {then:?}");
        assert_eq!(
            (now.0, now.2, now.3, now.4),
            (then.0, then.2, then.3, then.4)
        );
    }
}

fn beam(starts: usize, seed: u64) -> Search {
    Search::Beam(BeamOptions {
        searches: starts,
        seed,
        ..BeamOptions::default()
    })
}

fn bites(per_bite: u64) -> Search {
    Search::Bnb(BnbOptions {
        per_bite: Some(per_bite),
        ..BnbOptions::default()
    })
}

#[test]
fn walks_along_paths() {
    let graph = blended_walker();
    let path = named_curve("s", 0.8).expect("a curve");
    let walk = |options: &PathOptions, search, memory| {
        let budget = Budget {
            memory,
            ..small(&path)
        };
        follow(graph, &path, options, search, &budget).found
    };
    let (plain, all) = (walking("walk"), 256 << 20);
    let change = walking("walk@0..50%,sneak@50%..");
    let middle = path.at(path.length() / 2.0);
    let round = PathOptions {
        obstacles: vec![Obstacle::Circle([middle.x, middle.y, 0.3])],
        ..walking("walk")
    };
    let rows = [
        row("beam", &walk(&plain, beam(1, 0), all)),
        row("beam, seed 1", &walk(&plain, beam(1, 1), all)),
        row("beam, seed 7", &walk(&plain, beam(1, 7), all)),
        row("beam, 2 starts", &walk(&plain, beam(2, 0), all)),
        row("beam, 2 starts, seed 3", &walk(&plain, beam(2, 3), all)),
        // So little that the size of an entry decides how wide rounds are.
        row("beam, little memory", &walk(&plain, beam(1, 0), 3 << 20)),
        row("beam, two styles", &walk(&change, beam(2, 0), all)),
        row("beam, an obstacle", &walk(&round, beam(2, 0), all)),
        row("bites", &walk(&plain, bites(3000), all)),
        row(
            "bites, seed 2",
            &walk(&plain, bites(3000).with_seed(2), all),
        ),
        row("bites, two styles", &walk(&change, bites(1000), all)),
        row("bites, an obstacle", &walk(&round, bites(1000), all)),
        row("bites, little memory", &walk(&plain, bites(3000), 1 << 14)),
    ];
    check(&rows, &PATHS);
}

#[test]
fn windows_and_places() {
    let graph = blended_walker();
    let path = named_curve("s", 1.5).expect("a curve");
    let options = walking("walk");
    let edges = EdgePaths::new(graph, &options.naturalness, options.smooth_arc).expect("frames");
    let old = follow(graph, &path, &options, Search::default(), &small(&path));
    let seconds = old.walk.as_ref().expect("a walk").seconds(graph);
    let again = |to_s: f64, seed| {
        let window = Window {
            seed,
            ..Window::new(seconds * 0.35, to_s)
        };
        let control = Control::default();
        resolve_window(graph, &edges, &path, &options, &old, &window, control)
            .expect("a window")
            .followed
            .found
    };
    let mut rows = vec![
        row("window", &again(seconds * 0.65, 0)),
        row("window, seed 4", &again(seconds * 0.65, 4)),
        row("to the end", &again(1e6, 0)),
    ];
    let options = PathOptions::default();
    let edges = EdgePaths::new(graph, &options.naturalness, options.smooth_arc).expect("frames");
    let wanted = Wanted::Label("pick-up".to_owned());
    let wish = PlaceWish::new(wanted, DVec2::new(1.0, 5.0), 0.3);
    let budget = Some(Budget::expansions(100_000));
    let placed = place_clip(graph, &edges, &wish, &options, budget, Control::default())
        .expect("a possible wish");
    for one in &placed {
        let edges = one.walk.edges();
        let sum = hash(edges.iter().map(|e| u64::from(e.0)));
        rows.push(("placed", one.cost, edges.len(), sum, one.expansions));
    }
    check(&rows, &PARTS);
}

#[test]
fn what_is_seen_on_the_way() {
    let graph = blended_walker();
    let path = named_curve("s", 0.8).expect("a curve");
    let options = walking("walk");
    let edges = EdgePaths::new(graph, &options.naturalness, options.smooth_arc).expect("frames");
    let watch = |name, search| {
        let seen: Mutex<Vec<BestSoFar>> = Mutex::default();
        let show = |best: BestSoFar| seen.lock().expect("one thread").push(best);
        let control = Control {
            best: Some(&show),
            best_every: Some(Duration::ZERO),
            ..Control::default()
        };
        let budget = small(&path);
        let followed: Followed =
            follow_path(graph, &edges, &path, &options, search, &budget, control)
                .expect("a possible wish");
        let seen = seen.into_inner().expect("one thread");
        let all = seen.iter().flat_map(|b| {
            let numbers = [u64::from(b.start.0), u64::from(b.last_frames), b.expansions];
            numbers
                .into_iter()
                .chain(b.edges.iter().map(|e| u64::from(e.0)))
        });
        let sum = hash(all);
        let part: f64 = seen.iter().map(|b| b.cost + b.part).sum();
        let place: f64 = seen.iter().map(|b| b.world_from_start.x).sum();
        (
            name,
            part + place,
            seen.len(),
            sum,
            followed.found.expansions,
        )
    };
    let rows = [watch("beam", beam(1, 0)), watch("bites", bites(3000))];
    check(&rows, &SEEN);
}

/// Walks of a number of frames whose costs are drawn by edge and time.
struct Drawn<'g> {
    graph: &'g MotionGraph,
    frames: u32,
}

#[derive(Clone, Copy)]
struct At {
    node: NodeId,
    frames: u32,
}

impl GraphProblem for Drawn<'_> {
    type State = At;
    fn graph(&self) -> &MotionGraph {
        self.graph
    }
    fn start_states(&self) -> Vec<At> {
        let nodes = self.graph.nodes();
        nodes.map(|node| At { node, frames: 0 }).collect()
    }
    fn node(&self, s: &At) -> NodeId {
        s.node
    }
    fn step(&self, s: &At, edge: EdgeId, ask: Ask) -> Result<Step<At>, DeadEnd> {
        let length = self.graph.working_length(edge);
        let walked = length.min(ask.most_frames).min(self.frames - s.frames);
        let key = u64::from(edge.0) << 20 ^ u64::from(s.frames);
        let drawn = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let state = At {
            node: self.graph.to(edge),
            frames: s.frames + walked,
        };
        Ok(Step {
            state,
            cost: f64::from(walked) * drawn as f64 / (1 << 24) as f64,
            frames: walked,
        })
    }
    fn is_goal(&self, s: &At) -> bool {
        s.frames >= self.frames
    }
}

impl Layers for Drawn<'_> {
    fn progress(&self, s: &At) -> f64 {
        f64::from(s.frames)
    }
    fn progress_at_goal(&self) -> f64 {
        f64::from(self.frames)
    }
}

impl Key for Drawn<'_> {
    fn key(&self, s: &At) -> u64 {
        u64::from(s.node.0) << 32 | u64::from(s.frames)
    }
}

impl Estimate for Drawn<'_> {}
impl Guide for Drawn<'_> {}
impl Explain for Drawn<'_> {}

#[test]
fn objectives_of_ones_own() {
    let clips = vec![swinging_clip("a", 240, 60.0), swinging_clip("b", 180, 60.0)];
    let graph = common::blended(clips, 4.0);
    let problem = Drawn {
        graph: &graph,
        frames: 400,
    };
    let budget = Budget::expansions(20_000);
    let by_beam = |starts, seed| {
        let options = BeamOptions {
            searches: starts,
            seed,
            layer: 1.0,
            ..BeamOptions::default()
        };
        beam_search(&problem, &options, &budget, Control::default())
    };
    let by_bites = |seed, best| {
        let options = BnbOptions {
            seed,
            best,
            tolerance: 2.0,
            per_bite: Some(2000),
            ..BnbOptions::default()
        };
        branch_and_bound(&problem, &options, &budget, Control::default())
    };
    let rows = [
        row("beam", &by_beam(1, 0)),
        row("beam, seed 5", &by_beam(1, 5)),
        row("beam, 2 starts", &by_beam(2, 0)),
        row("beam, 3 starts, seed 9", &by_beam(3, 9)),
        row("bites", &by_bites(0, 1)),
        row("bites, drawn", &by_bites(6, 5)),
    ];
    check(&rows, &OWN);
}

#[rustfmt::skip]
const PATHS: [Row; 13] = [
    ("beam", 1.0090107359454568, 117, 0xecfb_1ec4_11aa_4bf2, 80_525),
    ("beam, seed 1", 1.021119087777327, 132, 0xea27_dd0d_1020_1510, 81_062),
    ("beam, seed 7", 1.005386111630015, 130, 0x2677_bbb2_527d_5895, 87_659),
    ("beam, 2 starts", 1.0404003810128304, 114, 0x79cd_92a9_eed3_62fa, 80_176),
    ("beam, 2 starts, seed 3", 1.0240753394239965, 127, 0xeee8_c190_f82e_ce12, 88_623),
    ("beam, little memory", 1.009693765758056, 129, 0xc4d4_1068_b5b1_0afa, 83_380),
    ("beam, two styles", 79.71564525844241, 130, 0xa1bf_14bd_e97b_de06, 86_466),
    ("beam, an obstacle", 1.0227193301829973, 139, 0xa673_98e0_d471_b2b9, 84_814),
    ("bites", 7813.942378964425, 75, 0xe415_afea_7d56_f7f5, 33_537),
    ("bites, seed 2", 5994.5896630393445, 69, 0x6d87_58b0_b983_10d6, 32_861),
    ("bites, two styles", 511.26173246795963, 83, 0x77a1_38d4_586d_59e0, 8_060),
    ("bites, an obstacle", 823.3549037131479, 146, 0x09b7_b947_087d_8788, 9_232),
    ("bites, little memory", 8.776677700864285, 24, 0x5efd_62de_32bd_f08e, 20_791),
];
#[rustfmt::skip]
const PARTS: [Row; 6] = [
    ("window", 2.3721696600363478, 250, 0x9978_9152_2ce4_5337, 227_226),
    ("window, seed 4", 2.463406963957173, 264, 0x6931_7ae1_da23_050a, 227_281),
    ("to the end", 1.6538335996664806, 233, 0x851d_7b6f_52ee_d400, 430_690),
    ("placed", 1.0878594339373118, 455, 0x8a37_6767_48a0_3fdd, 88_674),
    ("placed", 1.103401223730265, 355, 0xfcb5_1d0b_68d7_5a84, 88_117),
    ("placed", 1.1440023338595013, 86, 0x45b6_e48f_dd0d_f550, 88_687),
];
#[rustfmt::skip]
const SEEN: [Row; 2] = [
    ("beam", 457.2224202148908, 280, 0x69ca_b406_a91c_fdef, 80_525),
    ("bites", 17379.153423309457, 11, 0x2088_cac2_89bd_99d2, 33_537),
];
#[rustfmt::skip]
const OWN: [Row; 6] = [
    ("beam", 69.61364114284515, 52, 0x6264_6be0_2c6e_f8e6, 12_630),
    ("beam, seed 5", 69.63486289978027, 52, 0x0e15_b2bd_ceea_47a7, 12_429),
    ("beam, 2 starts", 69.61364114284515, 52, 0x6264_6be0_2c6e_f8e6, 18_186),
    ("beam, 3 starts, seed 9", 69.63486289978027, 52, 0x0e15_b2bd_ceea_47a7, 19_998),
    ("bites", 69.82940393686295, 55, 0x3849_ba91_af30_502a, 8_817),
    ("bites, drawn", 97.7633108496666, 52, 0xcae0_4810_4c0b_6e34, 11_779),
];
