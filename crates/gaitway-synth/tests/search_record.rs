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
    let edges = EdgePaths::new(graph, &options.naturalness, false).expect("frames");
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
    let edges = EdgePaths::new(graph, &options.naturalness, false).expect("frames");
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
    let edges = EdgePaths::new(graph, &options.naturalness, false).expect("frames");
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
    ("beam", 0.9760491904344293, 118, 0xadf5_b82d_cda1_a681, 79_306),
    ("beam, seed 1", 0.9607361131167023, 132, 0xbc6b_19fb_1e3a_1ce1, 85_391),
    ("beam, seed 7", 0.9323277132593977, 114, 0x1254_5e57_eea5_c719, 81_780),
    ("beam, 2 starts", 1.0190574197816675, 118, 0x8299_a27f_5e09_2b89, 83_200),
    ("beam, 2 starts, seed 3", 1.0372710869847175, 121, 0xa4c6_e1bb_ea2d_6c94, 83_918),
    ("beam, little memory", 1.0348553565834797, 132, 0xb65e_a366_1abf_c4ff, 82_009),
    ("beam, two styles", 178.59208118463604, 125, 0x531b_ea45_acce_21de, 86_701),
    ("beam, an obstacle", 0.8812623881459607, 156, 0x742c_323f_9cee_c3a3, 82_442),
    ("bites", 11518.93738815874, 84, 0x77a1_6b89_6d35_2d23, 29_828),
    ("bites, seed 2", 10753.527824862285, 91, 0xb41e_b0f9_4d6e_7ee4, 41_452),
    ("bites, two styles", 3350.8653261238233, 209, 0x4986_048c_089a_fdfd, 14_485),
    ("bites, an obstacle", 6523.438507903659, 239, 0xbacb_f03d_2e21_f994, 13_431),
    ("bites, little memory", 7.574351517280874, 25, 0xaf66_df7d_bc1b_541d, 11_398),
];
#[rustfmt::skip]
const PARTS: [Row; 6] = [
    ("window", 1.622965055084985, 244, 0x47eb_d661_a835_fd24, 228_649),
    ("window, seed 4", 1.6046268200139806, 231, 0x6df6_b42d_ae9a_71d2, 227_846),
    ("to the end", 1.533284268785332, 245, 0xe90c_572c_cfbc_7db5, 426_240),
    ("placed", 1.2851939950066193, 447, 0x01b4_cc56_b1bf_f06a, 89_964),
    ("placed", 1.313654571864674, 404, 0xf444_4232_5e7e_c0d6, 88_386),
    ("placed", 1.3172087901221834, 451, 0x9d45_0361_eead_5342, 89_580),
];
#[rustfmt::skip]
const SEEN: [Row; 2] = [
    ("beam", 260.9903875156707, 237, 0xa37d_7917_72d7_27f8, 79_306),
    ("bites", 21543.155529069834, 11, 0x1179_20d2_5862_ebf1, 29_828),
];
#[rustfmt::skip]
const OWN: [Row; 6] = [
    ("beam", 69.61364114284515, 52, 0x6264_6be0_2c6e_f8e6, 12_630),
    ("beam, seed 5", 69.63486289978027, 52, 0x0e15_b2bd_ceea_47a7, 12_429),
    ("beam, 2 starts", 69.61364114284515, 52, 0x6264_6be0_2c6e_f8e6, 18_186),
    ("beam, 3 starts, seed 9", 69.63486289978027, 52, 0x0e15_b2bd_ceea_47a7, 19_998),
    ("bites", 69.82940393686295, 55, 0x3849_ba91_af30_502a, 8817),
    ("bites, drawn", 97.7633108496666, 52, 0xcae0_4810_4c0b_6e34, 11_779),
];
