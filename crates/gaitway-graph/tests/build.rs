//! Laws of building: what is kept, what is lost, and that every way to the same graph gives the same bytes.

mod common;

use common::{blends, build, clips, graph, graph_with, set, stroll};
use gaitway_core::{ClipFiles, Planar};
use gaitway_graph::{
    Account, BuildOptions, ClipId, ContactRule, EdgeKind, GraphBuilder, GraphError, GraphWarning,
    LabelSet, LostReason, MotionGraph, Thresholds, Transition, TransitionKind, Transitions,
    UNLABELLED, Via,
};
use gaitway_io::Labels;

fn bytes(graph: &MotionGraph) -> Vec<u8> {
    graph.to_bytes().expect("bytes")
}

/// Stands for the bytes where a difference would fill screens.
fn print_of(graph: &MotionGraph) -> String {
    blake3::hash(&bytes(graph)).to_string()
}

#[test]
fn kept_and_lost_add_up() {
    for cm in [0.0, 2.0, 6.0, 12.0] {
        let (graph, account) = build(clips(), Thresholds::cm(cm), blends());
        let lost: f64 = account.lost.iter().map(|l| l.seconds).sum();
        assert!(
            (account.kept_seconds + lost - account.seconds).abs() < 1e-9,
            "{cm}: {account:?}"
        );
        let pieces = graph.edges().filter(|&e| !graph.is_transition(e));
        let kept: f64 = pieces.map(|e| graph.seconds(e)).sum();
        assert!((kept - account.kept_seconds).abs() < 1e-9);
        assert_eq!(account.edges, graph.edge_count());
        for label in &account.labels {
            assert!(label.kept_seconds <= label.seconds + 1e-9, "{label:?}");
        }
        let tiny: Vec<_> = account
            .lost
            .iter()
            .filter(|l| l.clip == "data/tiny")
            .collect();
        assert_eq!(tiny.len(), 1);
        assert_eq!(tiny[0].reason, LostReason::Short);
    }
}

/// Both frames' labels at each frame of a blend, those of the clip entered at each frame of a cut.
fn labels_along(graph: &MotionGraph, t: &Transition) -> Vec<LabelSet> {
    let (a, b) = (graph.clip_info(t.from_clip), graph.clip_info(t.to_clip));
    let into = t.frames_to_meeting();
    let at = |r: u32| match t.kind {
        TransitionKind::Blend => a
            .labels_at(t.from_frame - into + r)
            .union(b.labels_at(t.to_frame - into + r)),
        TransitionKind::Cut => b.labels_at(t.to_frame + r),
    };
    (0..t.frames).map(at).collect()
}

#[test]
fn transitions_meet_their_nodes() {
    for transitions in [Transitions::Blend, Transitions::Cut, Transitions::Auto] {
        let (graph, _) = graph_with(transitions);
        assert!(graph.transition_count() > 20);
        let mut seen = [0, 0];
        for id in graph.edges() {
            let edge = graph.edge(id);
            let (from, to) = (graph.node(edge.from), graph.node(edge.to));
            let (clip, range) = graph.source_range(id);
            let seconds = range.len() as f64 / graph.clip_info(clip).rate_hz();
            assert_eq!(edge.seconds, seconds);
            match edge.kind {
                EdgeKind::Piece(p) => {
                    assert_eq!(
                        (p.clip, p.start, p.end),
                        (from.clip, from.boundary, to.boundary)
                    );
                    assert!(p.start < p.end && !edge.labels.is_empty());
                    // One label set along the whole piece.
                    for f in p.start..p.end {
                        assert_eq!(graph.clip_info(p.clip).labels_at(f), edge.labels);
                    }
                }
                EdgeKind::Transition(t) => {
                    seen[usize::from(t.kind == TransitionKind::Cut)] += 1;
                    let into = t.frames_to_meeting();
                    let left = (t.from_clip, t.from_frame - into);
                    let entered = (t.to_clip, t.to_frame - into + t.frames);
                    assert_eq!((from.clip, from.boundary), left);
                    assert_eq!((to.clip, to.boundary), entered);
                    for there in labels_along(&graph, &t) {
                        assert!(there.includes(edge.labels));
                    }
                    check_candidate(&graph, &t);
                }
            }
            assert!(graph.out_edges(edge.to).len() > 0, "a dead end");
            assert!(
                graph.in_edges(edge.to).any(|e| e == id)
                    && graph.out_edges(edge.from).any(|e| e == id)
            );
        }
        assert_eq!(seen[0] > 0, transitions != Transitions::Cut);
        assert_eq!(seen[1] > 0, transitions != Transitions::Blend);
        assert_eq!(graph.labels().names(), [UNLABELLED, "run", "walk"]);
    }
}

/// A transition is placed as its candidate says, and below its threshold of 6 cm, which is stricter where fewer frames were seen.
fn check_candidate(graph: &MotionGraph, t: &Transition) {
    let (expected, limit) = match t.via {
        Via::Candidate { id, reversed } => {
            let onto = graph.candidates().a_from_b(id);
            (if reversed { onto.inverse() } else { onto }, 6.0)
        }
        Via::End(id) => {
            let c = graph.end_candidates().get(id);
            let share = f64::from(c.frames) / f64::from(2 * graph.half_window() + 1);
            assert!(c.frames >= 1 && share <= 1.0);
            (Planar::new(c.theta, c.x0, c.z0), 6.0 * share.sqrt())
        }
    };
    assert!((t.before_from_after.theta - expected.theta).abs() < 1e-12);
    assert!(
        (t.before_from_after.x - expected.x).abs() < 1e-9
            && (t.before_from_after.z - expected.z).abs() < 1e-9
    );
    assert!(t.distance_cm() <= limit + 1e-9);
}

#[test]
fn cuts_keep_the_ends_of_clips() {
    let (_, blends) = graph();
    let (graph, account) = graph_with(Transitions::Auto);
    assert!(account.kept_seconds > blends.kept_seconds + 0.5);
    assert!(account.lost.iter().all(|l| l.reason != LostReason::Border));
    // What is kept is what some edge plays as recorded or under a displacement, each frame once.
    let mut played: Vec<Vec<bool>> = graph
        .clip_ids()
        .map(|c| vec![false; graph.clip_info(c).working_frames() as usize])
        .collect();
    for edge in graph.edges() {
        let blend = graph
            .transition(edge)
            .is_some_and(|t| t.kind == TransitionKind::Blend);
        for (clip, frames) in graph.played(edge).filter(|_| !blend) {
            played[clip.index()][frames.start as usize..frames.end as usize].fill(true);
        }
    }
    let seconds = |c: ClipId| {
        let (info, marks) = (graph.clip_info(c), &played[c.index()]);
        let kept = (0..marks.len() as u32).filter(|&f| marks[f as usize]);
        kept.map(|f| info.seconds_between(f, f + 1)).sum::<f64>()
    };
    let kept: f64 = graph.clip_ids().map(seconds).sum();
    assert!((kept - account.kept_seconds).abs() < 1e-9);
    let lost: f64 = account.lost.iter().map(|l| l.seconds).sum();
    assert!((account.seconds - kept - lost).abs() < 1e-9);
    for (label, before) in account.labels.iter().zip(&blends.labels) {
        assert_eq!(label.label, before.label);
        assert!(label.kept_seconds <= label.seconds + 1e-9, "{label:?}");
        assert!(
            label.kept_seconds >= before.kept_seconds - 1e-9,
            "{label:?} {before:?}"
        );
        // The walks are alike enough to be cut into at their ends.
        assert!(label.label != "walk" || label.kept_seconds > before.kept_seconds + 0.3);
    }
}

#[test]
fn clips_come_back_to_the_bit() {
    let source = clips();
    let (graph, _) = graph();
    let loaded = MotionGraph::from_bytes(&bytes(&graph)).expect("loaded");
    for clip in source {
        let id = loaded
            .find_clip(clip.name().rsplit('/').next().expect("a name"))
            .expect("found by suffix");
        let back = loaded.clip(id).expect("a clip");
        assert_eq!(back.clone().with_contacts(None).expect("no contacts"), clip);
        assert_eq!(loaded.clip_info(id).frame_count(), clip.frame_count());
    }
}

#[test]
fn boundaries_map_to_the_source() {
    let (graph, _) = build(
        vec![
            stroll("a", "", 3.05, 120.0, 5.0, 0.0),
            stroll("b", "", 3.0, 24.0, 5.0, 0.0),
        ],
        Thresholds::cm(6.0),
        BuildOptions::default(),
    );
    for id in graph.clip_ids() {
        let info = graph.clip_info(id);
        let all: Vec<usize> = (0..=info.working_frames())
            .map(|b| info.source_boundary(b))
            .collect();
        assert_eq!((all[0], all[all.len() - 1]), (0, info.frame_count()));
        assert!(all.is_sorted());
        for (b, &s) in all.iter().enumerate().take(all.len() - 1) {
            assert_eq!(s, (b as f64 * info.rate_hz() / 30.0).round() as usize);
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("a pool");
        pool.install(|| print_of(&build(clips(), Thresholds::auto(), BuildOptions::default()).0))
    };
    assert_eq!(on(1), on(8));
}

#[test]
fn the_order_of_clips_does_not_show() {
    let mut turned = clips();
    turned.reverse();
    let options = BuildOptions::default;
    assert_eq!(
        print_of(&graph_with(Transitions::Auto).0),
        print_of(&build(turned, Thresholds::cm(6.0), options()).0)
    );
}

#[test]
fn rethreshold_equals_rebuild() {
    let (first, _) = graph_with(Transitions::Auto);
    for thresholds in [
        Thresholds::cm(3.0),
        Thresholds::auto(),
        Thresholds::Pairs {
            default_cm: 4.0,
            pairs: vec![("walk".into(), "run".into(), 9.0)],
        },
    ] {
        let options = BuildOptions {
            contacts: ContactRule::Same,
            thin_s: 0.0,
            bridge_s: 3.0,
            ..BuildOptions::default()
        };
        let (again, account) = first
            .rethreshold(&thresholds, &options)
            .expect("rethresholded");
        let (built, mut expected) = build(clips(), thresholds.clone(), options.clone());
        assert_eq!(print_of(&again), print_of(&built));
        expected.timings_s = account.timings_s;
        expected
            .warnings
            .retain(|w| !matches!(w, GraphWarning::ContactsUnknown { .. }));
        assert_eq!(account, expected);
        let quick = first
            .rethreshold_quick(&thresholds, &options)
            .expect("rethresholded");
        assert_eq!(print_of(&quick), print_of(&built));
        assert_eq!(Account::of(&built).expect("an account").lost, account.lost);
    }
    let faster = BuildOptions {
        fps: 60.0,
        ..BuildOptions::default()
    };
    // Whether ends were compared cannot change either; cuts everywhere instead of at the ends can.
    for options in [faster, blends()] {
        assert!(matches!(
            first.rethreshold(&Thresholds::cm(3.0), &options),
            Err(GraphError::Options { .. })
        ));
    }
    let (cuts, _) = graph_with(Transitions::Cut);
    let again = first.rethreshold(&Thresholds::cm(6.0), cuts.options());
    assert_eq!(print_of(&again.expect("rethresholded").0), print_of(&cuts));
}

#[test]
fn adding_clips_equals_building_at_once() {
    for with_mirrored in [false, true] {
        let options = BuildOptions {
            with_mirrored,
            ..BuildOptions::default()
        };
        let mut first = clips();
        // One that sorts first, one in the middle: ids of the others move.
        let later = vec![first.remove(3), first.remove(1)];
        let (small, _) = build(first, Thresholds::auto(), options.clone());
        let loaded = MotionGraph::from_bytes(&bytes(&small)).expect("loaded");
        let (whole, _) = GraphBuilder::new(set(later))
            .add_to(&loaded)
            .build(&mut ())
            .expect("added");
        assert_eq!(
            print_of(&whole),
            print_of(&build(clips(), Thresholds::auto(), options).0)
        );
    }
}

#[test]
fn mirrored_copies_swap_sides() {
    let clip = stroll("a", "turn left", 4.0, 60.0, 5.0, 0.0);
    let options = BuildOptions {
        with_mirrored: true,
        ..BuildOptions::default()
    };
    let (graph, _) = build(vec![clip], Thresholds::cm(6.0), options);
    let twin = graph.find_clip("a~mirror").expect("a copy");
    assert_eq!(
        graph.clip_info(twin).labels().spans()[0].label,
        "turn right"
    );
}

#[test]
fn a_stopped_build_goes_on_and_the_journal_goes() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = gaitway_graph::journal_path(&folder.path().join("g.gway"));
    let made = |j: bool| {
        let builder = GraphBuilder::new(set(clips())).thresholds(Thresholds::cm(6.0));
        let builder = if j {
            builder.journal(&journal)
        } else {
            builder
        };
        builder.build(&mut ()).expect("a graph").0
    };
    let (first, second, plain) = (made(true), made(true), made(false));
    assert!(journal.is_dir());
    assert_eq!(print_of(&first), print_of(&plain));
    assert_eq!(print_of(&second), print_of(&plain));
    assert_eq!(gaitway_graph::remove_journal(&journal), None);
    assert!(!journal.exists());
    assert_eq!(
        gaitway_graph::remove_journal(&journal),
        None,
        "nothing to do"
    );
}

/// What a kill, a file manager or a disk without room leaves in a journal costs no later build its success.
#[test]
fn strangers_in_a_journal_disturb_no_build() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = gaitway_graph::journal_path(&folder.path().join("g.gway"));
    let made = || {
        let builder = GraphBuilder::new(set(clips())).thresholds(Thresholds::cm(6.0));
        builder.journal(&journal).build(&mut ()).expect("a graph").0
    };
    let plain = print_of(&made());
    let own = [
        "00000007.gwcand",
        "100000000.gwcand",
        ".tmpAb3xY9",
        ".gaitway-Ab3xY9.part",
    ];
    let others = [
        ".DS_Store",
        "0.gwcand",
        "notes.gwcand",
        ".tmp",
        "backup.part",
    ];
    for name in own {
        std::fs::write(journal.join(name), "").expect("written");
    }
    assert_eq!(print_of(&made()), plain);
    assert_eq!(gaitway_graph::remove_journal(&journal), None);
    assert!(!journal.exists(), "all of it was the journal's own");
    std::fs::create_dir(&journal).expect("made");
    for name in own.iter().chain(&others) {
        std::fs::write(journal.join(name), "half").expect("written");
    }
    assert_eq!(print_of(&made()), plain);
    let told = gaitway_graph::remove_journal(&journal).expect("strangers are told");
    let mut left: Vec<String> = std::fs::read_dir(&journal)
        .expect("it stays")
        .map(|e| {
            e.expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    left.sort();
    let mut expected = others.map(str::to_owned);
    expected.sort();
    assert_eq!(left, expected);
    for name in others {
        assert!(told.to_string().contains(&format!("`{name}`")), "{told}");
    }
}

/// Two builds of one output share a journal: the first to end leaves it to the other.
#[cfg(unix)]
#[test]
fn a_journal_in_use_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = gaitway_graph::journal_path(&folder.path().join("g.gway"));
    let other = gaitway_metric::CandidateStore::open(&journal).expect("open");
    let told = gaitway_graph::remove_journal(&journal).expect("told");
    assert!(told.to_string().contains("another build"), "{told}");
    assert!(journal.is_dir());
    drop(other);
    assert_eq!(gaitway_graph::remove_journal(&journal), None);
    assert!(!journal.exists());
}

#[test]
fn nothing_below_threshold_is_told() {
    let (graph, account) = build(clips(), Thresholds::cm(0.0), BuildOptions::default());
    assert_eq!(
        (graph.node_count(), graph.edge_count(), account.kept_seconds),
        (0, 0, 0.0)
    );
    assert!(
        matches!(
            account.warnings.last(),
            Some(GraphWarning::NoTransitions {
                cheapest_cm: Some(_)
            })
        ),
        "{:?}",
        account.warnings
    );
    assert!(
        account
            .lost
            .iter()
            .any(|l| l.reason == LostReason::NoCandidate)
    );
    assert!(MotionGraph::from_bytes(&bytes(&graph)).is_ok());
}

#[test]
fn one_clip_makes_a_graph_and_one_short_clip_an_empty_one() {
    let (graph, account) = build(
        vec![stroll("a", "walk", 6.0, 60.0, 5.0, 0.0)],
        Thresholds::auto(),
        BuildOptions::default(),
    );
    assert!(graph.transition_count() > 0 && account.kept_seconds > 1.0);
    let (graph, account) = build(
        vec![stroll("a", "walk", 0.2, 60.0, 5.0, 0.0)],
        Thresholds::auto(),
        BuildOptions::default(),
    );
    assert_eq!(graph.edge_count(), 0);
    assert_eq!(account.lost[0].reason, LostReason::Short);
}

#[test]
fn bad_wishes_are_refused_by_name() {
    let build = |thresholds: Thresholds, labels: Labels, options: BuildOptions| {
        let mut files = ClipFiles::default();
        let labelled = labels.apply(clips(), &mut files.warnings);
        files.clips = labelled.expect("labels fit");
        GraphBuilder::from_files(files)
            .expect("one skeleton")
            .thresholds(thresholds)
            .options(options)
            .build(&mut ())
            .map(|g| g.1)
    };
    let unknown = Thresholds::Pairs {
        default_cm: 6.0,
        pairs: vec![("walk".into(), "hop".into(), 6.0)],
    };
    let error = build(unknown, Labels::none(), BuildOptions::default())
        .expect_err("unknown label")
        .to_string();
    assert!(
        error.contains("`hop`") && error.contains("run, walk"),
        "{error}"
    );
    let labels = Labels::from_csv(
        "file,label\nwalk1.bvh,amble\nmissing.bvh,walk\n",
        "l.csv",
        "",
    )
    .expect("read");
    let account = build(Thresholds::cm(6.0), labels, BuildOptions::default()).expect("a graph");
    assert!(
        account
            .warnings
            .iter()
            .any(|w| w.to_string().contains("missing.bvh")),
        "{:?}",
        account.warnings
    );
    assert!(account.labels.iter().any(|l| l.label == "amble"));
    let many = (0..200)
        .map(|k| format!("walk1,l{k}"))
        .collect::<Vec<_>>()
        .join("\n");
    let labels = Labels::from_csv(&format!("file,label\n{many}\n"), "l.csv", "").expect("read");
    assert!(matches!(
        build(Thresholds::cm(6.0), labels, BuildOptions::default()),
        Err(GraphError::TooManyLabels { found: 203, .. })
    ));
    for options in [
        BuildOptions {
            fps: f64::NAN,
            ..BuildOptions::default()
        },
        BuildOptions {
            fps: 0.0,
            ..BuildOptions::default()
        },
        BuildOptions {
            bridge_s: -1.0,
            ..BuildOptions::default()
        },
        BuildOptions {
            thin_s: f64::INFINITY,
            ..BuildOptions::default()
        },
    ] {
        assert!(build(Thresholds::cm(6.0), Labels::none(), options).is_err());
    }
}

#[test]
fn contacts_sieve_candidates() {
    let count = |contacts| {
        build(
            clips(),
            Thresholds::cm(8.0),
            BuildOptions {
                contacts,
                thin_s: 0.0,
                ..BuildOptions::default()
            },
        )
        .0
        .transition_count()
    };
    let (any, same) = (count(ContactRule::Any), count(ContactRule::Same));
    assert!(same <= any && any > 0);
    assert!(count(ContactRule::Change) <= any);
}

#[test]
fn lost_clips_name_what_would_bring_them_back() {
    let (_, account) = build(clips(), Thresholds::cm(1.0), BuildOptions::default());
    let helped = account
        .lost
        .iter()
        .filter(|l| l.reason != LostReason::Short && !l.reconnect.is_empty());
    for lost in helped {
        assert!(
            lost.reconnect
                .is_sorted_by(|a, b| a.distance_cm <= b.distance_cm)
        );
        assert!(
            lost.reconnect
                .iter()
                .all(|r| r.distance_cm > 1.0 && r.from_s >= 0.0 && r.to_s >= 0.0)
        );
    }
    let json = serde_json::to_value(&account).expect("json");
    for field in [
        "clips",
        "seconds",
        "kept_seconds",
        "nodes",
        "edges",
        "transitions",
        "candidates",
        "labels",
        "lost",
        "timings_s",
        "warnings",
    ] {
        assert!(json.get(field).is_some(), "{field}");
    }
    assert!(json["timings_s"].get("candidates").is_some());
    assert!(json["lost"][0]["reason"].is_string());
}

/// Frames of a candidate's window that an arm was lost in.
fn touching(graph: &MotionGraph, lost: std::ops::Range<u32>) -> usize {
    let half = 5; // Less than half a window of the metric, at 30 Hz.
    let hits = |clip: ClipId, frame: u32| {
        graph.clip_info(clip).name() == "data/walk1"
            && frame + half >= lost.start
            && frame < lost.end + half
    };
    let edges = graph.edges().filter_map(|e| graph.transition(e));
    edges
        .filter(|t| hits(t.from_clip, t.from_frame) || hits(t.to_clip, t.to_frame))
        .count()
}

#[test]
fn no_transition_touches_frames_that_capture_lost() {
    let options = BuildOptions {
        transitions: Transitions::Auto,
        ..BuildOptions::default()
    };
    let clean = clips();
    let mut faulty = clips();
    // An arm that hangs somewhere else from 2 s to 3.5 s of the first clip, at 60 Hz.
    let (arm, joints) = (8, faulty[0].joint_count());
    let mut parts = faulty[0].clone().into_parts();
    for f in 120..210 {
        parts.rotations[f * joints + arm] = glam::Quat::from_rotation_z(1.4);
    }
    faulty[0] = parts.build().expect("finite");
    let whole = |clips| build(clips, Thresholds::cm(14.0), options.clone()).0;
    let (clean, faulty) = (whole(clean), whole(faulty));
    assert!(touching(&clean, 60..105) > 0);
    assert_eq!(touching(&faulty, 60..105), 0);
    assert!(faulty.transition_count() > 0);
}
