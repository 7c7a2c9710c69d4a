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
    ("beam", 1.1453040686611247, 106, 0xca02_90fb_52fc_1242, 82_082),
    ("beam, seed 1", 1.0549079835049247, 150, 0xdfd7_287c_0424_c9e1, 84_216),
    ("beam, seed 7", 1.044066602874108, 116, 0x512c_83c4_445b_204c, 82_347),
    ("beam, 2 starts", 1.115932722559102, 132, 0x412a_c675_4c14_5da7, 85_167),
    ("beam, 2 starts, seed 3", 1.2865338052282629, 112, 0xc4dd_e7b9_3fa8_0648, 82_991),
    ("beam, little memory", 1.079994308179207, 116, 0x2a9e_766d_ac08_624b, 81_578),
    ("beam, two styles", 136.67577351675433, 153, 0xa737_0ba6_e611_ec6e, 90_285),
    ("beam, an obstacle", 0.9932118231013267, 170, 0xc06f_f4ed_cc4a_61c1, 86_108),
    ("bites", 12179.51552879502, 94, 0x0b3a_7d20_2a2c_17b5, 40_769),
    ("bites, seed 2", 11164.426351308111, 104, 0x42c6_f8ff_7ad6_c420, 38_078),
    ("bites, two styles", 15007.017070897584, 208, 0x72a0_89a8_0e76_ad52, 13_120),
    ("bites, an obstacle", 56.43333842987276, 62, 0xe567_c52c_4438_1582, 5_631),
    ("bites, little memory", 22.946964713270983, 62, 0xd604_5b14_92ca_4576, 73_487),
];
#[rustfmt::skip]
const PARTS: [Row; 6] = [
    ("window", 1.7559822431856942, 254, 0x9995_902e_44a2_799d, 211_265),
    ("window, seed 4", 1.7339431350653445, 252, 0xd9b2_4c3d_d266_949e, 210_707),
    ("to the end", 1.5011232573744748, 268, 0xa529_e9e1_30d4_f8e9, 424_801),
    ("placed", 0.9661690450355394, 477, 0xc496_20a9_1d4b_2c63, 90_824),
    ("placed", 1.0469620314582966, 432, 0x0b97_389b_7efa_d2d1, 88_825),
    ("placed", 1.0895233141884562, 138, 0xe7df_545c_2b3f_5a33, 87_511),
];
#[rustfmt::skip]
const SEEN: [Row; 2] = [
    ("beam", 969.9336690244554, 323, 0xbe6b_c2c1_a178_3347, 82_082),
    ("bites", 30881.14906028712, 13, 0x0364_e00d_bf8b_f99e, 40_769),
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
