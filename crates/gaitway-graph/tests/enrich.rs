//! Graphs connected better by interpolated motion: what holds of them whatever the clips.

use gaitway_core::testing::{Walker, walking_clip};
use gaitway_core::{Clip, ClipSet, LabelSpan, LabelTrack, PoseSource};
use gaitway_graph::{
    BuildOptions, EdgeId, EnrichOptions, EnrichProgress, EnrichStep, GraphBuilder, JOIN_FADE_S,
    MotionGraph, NodeId, Progress, Recipe, Thresholds, Via,
};
use gaitway_metric::PointCloud;
use gaitway_metric::naive::align;

/// A walk of some speed, strides as long as people's.
fn walk(name: &str, speed: f64, label: Option<&str>) -> Clip {
    let walker = Walker {
        speed,
        cycle_s: 1.2 / speed.sqrt(),
        rate_hz: 60.0,
        seconds: 6.0,
        noise: 0.0,
        ..Walker::default()
    };
    let clip = walking_clip(&walker).with_name(name);
    let span = |label: &str| LabelSpan {
        start: 0,
        end: clip.frame_count(),
        label: label.to_owned(),
    };
    let spans: Vec<LabelSpan> = label.map(span).into_iter().collect();
    clip.with_labels(LabelTrack::new(spans))
}

fn graph_of(clips: Vec<Clip>, cm: f64, options: BuildOptions) -> MotionGraph {
    let set = ClipSet::new(clips).expect("one body");
    let built = GraphBuilder::new(set)
        .thresholds(Thresholds::cm(cm))
        .options(options)
        .build(&mut ());
    built.expect("a graph").0
}

fn walks() -> Vec<Clip> {
    let speeds = [("a", 0.8), ("b", 1.0), ("c", 1.25)];
    speeds.map(|(n, s)| walk(n, s, Some("walk"))).to_vec()
}

fn options(weights: usize, mu: f64) -> EnrichOptions {
    EnrichOptions {
        weights,
        mu,
        threshold_cm: 2.0,
        ..EnrichOptions::default()
    }
}

#[test]
fn walks_that_could_not_be_joined_lead_to_each_other() {
    let plain = graph_of(walks(), 2.0, BuildOptions::default());
    let (better, account, report) = plain
        .enrich(&options(3, 1.0), None, &mut ())
        .expect("better");
    assert!(
        report.pairs > 0 && report.joins > 0 && report.kept[1] > 0,
        "{report:?}"
    );
    let told = account.interpolated.expect("interpolated motion");
    assert!(told.kept_seconds > 0.0 && told.between[0].labels == ["walk", "walk"]);
    // From any clip one gets to any other.
    let reached = |from: u32| {
        let mut seen = vec![false; better.node_count()];
        let mut open: Vec<NodeId> = better
            .nodes()
            .filter(|&n| better.node(n).clip.0 == from)
            .collect();
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut seen[node.index()], true) {
                open.extend(better.out_edges(node).map(|e| better.to(e)));
            }
        }
        let clips = better
            .nodes()
            .filter(|n| seen[n.index()])
            .map(|n| better.node(n).clip.0);
        clips
            .filter(|&c| c < 3)
            .collect::<std::collections::BTreeSet<u32>>()
            .len()
    };
    assert_eq!([0, 1, 2].map(reached), [3, 3, 3]);
    // Captured motion is as it was, and counted as it was.
    assert_eq!((account.clips, better.captured_count()), (3, 3));
    assert!(account.seconds < 19.0 && account.kept_seconds <= account.seconds);
    assert!(better.clip_ids().skip(3).all(|c| better.is_interpolated(c)));
}

#[test]
fn the_file_holds_it_and_threads_do_not_change_it() {
    let plain = graph_of(walks(), 2.0, BuildOptions::default());
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        let made = pool.install(|| plain.enrich(&options(3, 5.0), None, &mut ()));
        made.expect("better").0
    };
    let (one, two) = (with(1), with(2));
    let bytes = one.to_bytes().expect("bytes");
    assert_eq!(bytes, two.to_bytes().expect("bytes"));
    let loaded = MotionGraph::from_bytes(&bytes).expect("loaded");
    assert_eq!(loaded.to_bytes().expect("bytes"), bytes);
    assert!(loaded.is_enriched() && !plain.is_enriched());
    // Version 3 where interpolated clips are, 2 where none is.
    let version = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains("\\\"version\\\":3");
    assert!(version(&bytes) && !version(&plain.to_bytes().expect("bytes")));
    // Enriched again it is the same: it is made from captured clips alone.
    let again = loaded
        .enrich(&options(3, 5.0), None, &mut ())
        .expect("again")
        .0;
    assert_eq!(again.to_bytes().expect("bytes"), bytes);
    // A higher threshold than its own keeps all joins, a lower one drops those above.
    let lower = loaded
        .rethreshold(&Thresholds::cm(1.0), loaded.options())
        .expect("lower")
        .0;
    let jumps = |g: &MotionGraph| g.edges().filter(|&e| g.is_join(e)).count();
    assert!(jumps(&lower) < jumps(&loaded));
}

#[test]
fn captured_clips_alone_are_the_graph_it_was_made_from() {
    let plain = graph_of(walks(), 2.0, BuildOptions::default());
    let (better, ..) = plain
        .enrich(&options(3, 1.0), None, &mut ())
        .expect("better");
    let (alone, account) = better.captured_alone().expect("alone");
    assert_eq!(
        alone.to_bytes().expect("bytes"),
        plain.to_bytes().expect("bytes")
    );
    assert!(account.interpolated.is_none() && account.clips == 3);
    // Under the thresholds that hold when one goes back.
    let wide = Thresholds::cm(4.0);
    let (wider, _) = better.rethreshold(&wide, better.options()).expect("wider");
    let (expected, _) = plain.rethreshold(&wide, plain.options()).expect("wider");
    let (alone, _) = wider.captured_alone().expect("alone");
    assert_eq!(
        alone.to_bytes().expect("bytes"),
        expected.to_bytes().expect("bytes")
    );
    let (same, _) = plain.captured_alone().expect("as it is");
    assert_eq!(
        same.to_bytes().expect("bytes"),
        plain.to_bytes().expect("bytes")
    );
}

/// What verdicts say of a join is what the graph plays.
#[test]
fn a_join_is_told_as_it_is_played() {
    let plain = graph_of(walks(), 2.0, BuildOptions::default());
    let (better, ..) = plain
        .enrich(&options(3, 1.0), None, &mut ())
        .expect("better");
    for edge in better.edges().filter(|&e| better.is_join(e)) {
        let played = better.transition(edge).expect("a transition");
        let Via::End(candidate) = played.via else {
            panic!("a join has a row among the ends");
        };
        assert_eq!(better.end_transition(candidate).expect("told"), played);
    }
}

/// However a way goes on, joins of any half second sum up to twice the threshold at most, and none begins while one fades.
#[test]
fn half_a_second_holds_two_joins_at_most() {
    let plain = graph_of(walks(), 2.0, BuildOptions::default());
    let (better, ..) = plain
        .enrich(&options(7, 1.0), None, &mut ())
        .expect("better");
    let fade = (JOIN_FADE_S * 30.0).ceil() as u32;
    let joins: Vec<EdgeId> = better.edges().filter(|&e| better.is_join(e)).collect();
    assert!(!joins.is_empty());
    for &edge in &joins {
        let join = better.transition(edge).expect("a transition");
        assert!(join.frames == fade && join.distance_cm() <= 2.0);
        // The earliest third one: through the quickest second.
        for second in better
            .out_edges(better.to(edge))
            .filter(|&e| better.is_join(e))
        {
            assert!(better.working_length(edge) + better.working_length(second) >= 15);
        }
    }
}

/// What the number of weights is chosen by: markers of a motion between two are nearly the means of both's, so those of two weights are
/// apart as the weights are.
#[test]
fn steps_between_two_motions_are_as_large_as_their_weights() {
    let plain = graph_of(walks(), 2.0, BuildOptions::default());
    let (better, ..) = plain
        .enrich(&options(3, 1.0), None, &mut ())
        .expect("better");
    let mut by_knots = std::collections::BTreeMap::new();
    for clip in better.clip_ids().skip(3) {
        if let Some(Recipe::Interpolation { first, second, how }) = better.clip_info(clip).recipe()
        {
            let key = (first.0, second.0, how.knots.clone());
            by_knots
                .entry(key)
                .or_insert_with(Vec::new)
                .push((how.weight, clip));
        }
    }
    let window = better.options().metric.window(30.0).expect("a window");
    let mut looked = 0;
    for ladder in by_knots.values().filter(|l| l.len() == 3) {
        let clouds: Vec<PointCloud> = ladder
            .iter()
            .map(|(_, c)| {
                let clip = better.clip(*c).expect("frames");
                PointCloud::from_clip(&clip, &better.options().markers, 30.0).expect("markers")
            })
            .collect();
        let frames = clouds
            .iter()
            .map(PointCloud::frame_count)
            .min()
            .unwrap_or(0);
        if frames < 20 {
            continue;
        }
        // The same part of the way in each.
        let at = |k: usize| clouds[k].frame_count() / 2;
        let cm = |a: usize, b: usize| {
            align(&clouds[a], at(a), &clouds[b], at(b), &window)
                .distance_m2
                .sqrt()
                * 100.0
        };
        let (near, far) = (cm(0, 1).max(cm(1, 2)), cm(0, 2));
        // Half a working frame of difference in time is up to a centimetre and a half of a walk.
        assert!((far - 2.0 * near).abs() < 0.35 * far + 1.5, "{near} {far}");
        looked += 1;
    }
    assert!(looked > 0);
}

#[test]
fn labels_are_those_of_both() {
    let clips = vec![
        walk("a", 0.9, Some("walk")),
        walk("b", 1.1, Some("stroll")),
        walk("c", 1.0, None),
    ];
    let plain = graph_of(clips, 3.0, BuildOptions::default());
    let wanted = EnrichOptions {
        threshold_cm: 3.0,
        ..options(3, 1.0)
    };
    let (better, ..) = plain.enrich(&wanted, None, &mut ()).expect("better");
    for clip in better.clip_ids().skip(3) {
        let Some(Recipe::Interpolation { first, second, .. }) = better.clip_info(clip).recipe()
        else {
            panic!("captured clips come first");
        };
        let label = |c: u32| ["walk", "stroll", "unlabelled"][c as usize];
        let expected: Vec<&str> = (first == second)
            .then(|| label(first.0))
            .into_iter()
            .collect();
        for run in better.clip_info(clip).label_runs() {
            let names: Vec<&str> = run.labels.iter().map(|l| better.labels().name(l)).collect();
            assert_eq!(names, expected);
        }
    }
}

#[test]
fn clips_kept_apart_stay_apart() {
    let clips = vec![walk("a", 0.9, Some("walk")), walk("b", 1.0, Some("stroll"))];
    let apart = BuildOptions {
        keep_apart: vec![("walk".to_owned(), "stroll".to_owned())],
        ..BuildOptions::default()
    };
    let plain = graph_of(clips, 3.0, apart);
    let wanted = EnrichOptions {
        threshold_cm: 3.0,
        ..options(3, 1.0)
    };
    let made = plain.enrich(&wanted, None, &mut ());
    let Ok((better, ..)) = made else { return };
    for clip in better.clip_ids().skip(2) {
        if let Some(Recipe::Interpolation { first, second, .. }) = better.clip_info(clip).recipe() {
            assert_eq!(first, second);
        }
    }
    for e in better.edges() {
        if let Some(t) = better.transition(e) {
            let of = |c: gaitway_graph::ClipId| match better.clip_info(c).recipe() {
                Some(Recipe::Interpolation { first, .. }) => *first,
                _ => c,
            };
            assert_eq!(of(t.from_clip), of(t.to_clip));
        }
    }
}

#[test]
fn what_cannot_be_is_told() {
    let plain = graph_of(walks(), 2.0, BuildOptions::default());
    let refused = |o: EnrichOptions| {
        plain
            .enrich(&o, None, &mut ())
            .expect_err("refused")
            .to_string()
    };
    assert!(
        refused(EnrichOptions {
            weights: 0,
            ..options(1, 1.0)
        })
        .contains("weights")
    );
    assert!(
        refused(EnrichOptions {
            threshold_cm: 99.0,
            ..options(1, 1.0)
        })
        .contains("ceiling")
    );
    assert!(
        refused(EnrichOptions {
            mu: f64::NAN,
            ..options(1, 1.0)
        })
        .contains("mu")
    );
    // Feet cannot be found on a body that has none.
    let swings = ["a", "b"].map(|n| gaitway_core::testing::swinging_clip(n, 200, 60.0));
    assert!(swings[0].contact_points().is_none());
    let legless = graph_of(swings.to_vec(), 5.0, BuildOptions::default());
    match legless.enrich(&options(1, 1.0), None, &mut ()) {
        Ok(_) => panic!("nothing stands"),
        Err(e) => {
            let told = e.to_string();
            assert!(told.contains("contacts"), "{told}");
        }
    }
    assert!(legless.transition_count() > 0, "it stays as it is");
    // Nothing alike: one clip that stands all the time, too short to be cut.
    let short = walk("a", 1.0, None);
    let short = gaitway_core::edit::cut(&short, 0..40);
    let graph = graph_of(vec![short], 5.0, BuildOptions::default());
    let told = graph
        .enrich(&options(1, 1.0), None, &mut ())
        .expect_err("nothing")
        .to_string();
    assert!(
        told.contains("same contacts") && told.contains("stays as it is"),
        "{told}"
    );
}

/// Notes how far interpolating is, and stops it after so many looks.
struct Watch {
    told: Vec<[usize; 2]>,
    stop_after: usize,
}

impl Progress for Watch {}

impl EnrichProgress for Watch {
    fn step(&mut self, step: EnrichStep, done: usize, total: usize) -> bool {
        if step == EnrichStep::Interpolate && total > 1 {
            self.told.push([done, total]);
        }
        self.told.len() < self.stop_after
    }
}

#[test]
fn interpolating_tells_how_far_it_is_and_can_be_stopped() {
    let plain = graph_of(walks(), 2.0, BuildOptions::default());
    let mut watch = Watch {
        told: Vec::new(),
        stop_after: usize::MAX,
    };
    // Many weights, so that there is more than one look's work.
    let (_, _, report) = plain
        .enrich(&options(31, 5.0), None, &mut watch)
        .expect("better");
    assert!(watch.told.len() > 1, "{:?}", watch.told);
    assert!(watch.told.windows(2).all(|w| w[0][0] < w[1][0]));
    let [done, total] = watch.told[watch.told.len() - 1];
    assert_eq!([done, total], [report.tried[0] + report.implausible; 2]);
    let mut watch = Watch {
        told: Vec::new(),
        stop_after: 1,
    };
    let stopped = plain.enrich(&options(31, 5.0), None, &mut watch);
    assert!(stopped.is_err());
    assert_eq!(watch.told.len(), 1, "nothing was made after it was stopped");
}
