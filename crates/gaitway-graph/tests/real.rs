//! Real clips: the graph of CMU subject 16 with the data's own labels.

use std::path::Path;

use gaitway_core::testing::data_dir;
use gaitway_core::{Clip, ClipSet, fk};
use gaitway_graph::{
    Account, BuildOptions, GraphBuilder, LostReason, MotionGraph, Remedy, Thresholds,
};
use gaitway_io::{Labels, ReadOptions, read_file};

fn subject_16(data: &Path) -> Vec<Clip> {
    let list = format!(
        "@{}",
        data.join("sets/subject-16-walk-run-jump.txt").display()
    );
    let inputs = gaitway_io::expand(&[list]).expect("a list");
    let read = |path: &Path| {
        read_file(path, &ReadOptions::default())
            .expect("a clip")
            .remove(0)
            .clip
    };
    inputs.iter().map(|i| read(&i.path)).collect()
}

#[test]
fn subject_16_with_its_labels() {
    let Some(data) = data_dir() else { return };
    let clips = subject_16(&data);
    let labels = Labels::from_csv_file(&data.join("labels-gaitway.csv")).expect("labels");
    let labelled = labels.label(clips.clone()).expect("labels fit");
    let built = GraphBuilder::new(ClipSet::new(labelled).expect("one skeleton")).build(&mut ());
    let (graph, account) = built.expect("a graph");
    let lost: f64 = account.lost.iter().map(|l| l.seconds).sum();
    assert!((account.kept_seconds + lost - account.seconds).abs() < 1e-6);
    assert!(
        account.kept_seconds > 0.5 * account.seconds,
        "{} of {} s",
        account.kept_seconds,
        account.seconds
    );
    // Runs of a second or so cannot all be kept; each loss has a reason, and a way back where there is one.
    let runs = account
        .labels
        .iter()
        .find(|l| l.label == "run")
        .expect("runs");
    assert!(runs.kept_seconds < runs.seconds);
    assert!(
        account
            .lost
            .iter()
            .any(|l| l.reason != LostReason::Short && !l.reconnect.is_empty())
    );
    for edge in graph.edges() {
        assert!(graph.out_edges(graph.to(edge)).len() > 0);
    }
    let loaded = MotionGraph::from_bytes(&graph.to_bytes().expect("bytes")).expect("loaded");
    for clip in &clips {
        let back = loaded
            .clip(loaded.find_clip(clip.name()).expect("there"))
            .expect("a clip");
        assert!(back.root() == clip.root() && back.rotations() == clip.rotations());
    }
    let options = BuildOptions {
        bridge_s: 2.0,
        ..BuildOptions::default()
    };
    let (tight, _) = loaded
        .rethreshold(&Thresholds::cm(3.0), &options)
        .expect("rethresholded");
    assert!(tight.transition_count() < graph.transition_count());
}

/// Bandai-Namco's clips: two exporters, three places for the hips, offsets that differ by 0.4 mm, tips in some files only.
#[test]
fn one_body_from_two_exporters_builds_together() {
    let Some(data) = data_dir() else { return };
    let folder = data.join("bandai-namco-bvh").display().to_string();
    let read = gaitway_io::read_set([folder], &gaitway_io::SetOptions::default()).expect("clips");
    assert_eq!(read.clips.len(), 18);
    let mut files = gaitway_core::ClipFiles::from(read);
    let before: Vec<_> = files.clips.iter().map(fk::world_points).collect();
    let set = ClipSet::new(files.clips.clone()).expect("one body");
    let nearly = set.nearly_same().expect("told");
    assert_eq!(nearly.point, "LowerLeg_R");
    assert!(
        (3e-4..1e-3).contains(&nearly.apart) && nearly.tips == 15,
        "{nearly}"
    );
    for (clip, before) in set.clips().iter().zip(&before) {
        let now = fk::world_points(clip);
        for f in 0..clip.frame_count() {
            // Below the root, tips aside: where it was, to the difference of the offsets along a leg.
            for j in 1..clip.joint_count() {
                let off = now.at(f, j).distance(before.at(f, j));
                assert!(off < 1e-3, "{}: {off} m at {f}", clip.name());
            }
        }
    }
    // And with all travel on the root, where each file keeps hips of its own.
    let moved = files
        .clips
        .iter()
        .map(gaitway_core::ground::all_travel_to_root);
    files.clips = moved.collect();
    assert!(files.clips.iter().all(|c| c.translations().is_empty()));
    let (graph, account) = GraphBuilder::from_files(files)
        .expect("one body")
        .build(&mut ())
        .expect("a graph");
    assert_eq!(graph.clip_ids().count(), 18);
    let told = account
        .warnings
        .iter()
        .any(|w| w.code() == "skeletons-nearly-same");
    assert!(told, "{:?}", account.warnings);
}

/// What the account says brings a clip back does, when it is done; what is past the ceiling is not promised.
#[test]
fn what_is_said_to_bring_lost_motion_back_does() {
    let Some(data) = data_dir() else { return };
    let labels = Labels::from_csv_file(&data.join("labels-gaitway.csv")).expect("labels");
    let labelled = labels.label(subject_16(&data)).expect("labels fit");
    let set = ClipSet::new(labelled).expect("one skeleton");
    let (mut promised, mut past) = (0, 0);
    for thresholds in [
        Thresholds::auto(),
        Thresholds::cm(6.0),
        Thresholds::cm(10.0),
    ] {
        let built = GraphBuilder::new(set.clone()).thresholds(thresholds);
        let (graph, account) = built.build(&mut ()).expect("a graph");
        let lost = |a: &Account, clip: &str| -> f64 {
            let of_it = a.lost.iter().filter(|l| l.clip == clip);
            of_it.map(|l| l.seconds).sum()
        };
        for row in &account.lost {
            match row
                .remedy
                .as_ref()
                .expect("something can be done about each")
            {
                Remedy::AtLeast { cm, seconds, costs } => {
                    let raised = graph.thresholds().at_least(*cm).spec(graph.labels());
                    let again = graph.rethreshold(&raised, graph.options());
                    let (_, again) = again.expect("a graph");
                    if costs.is_empty() {
                        for was in &account.lost {
                            let (had, has) = (lost(&account, &was.clip), lost(&again, &was.clip));
                            assert!(has <= had + 1e-6, "{row:?} takes from {}", was.clip);
                        }
                        for (was, is) in account.labels.iter().zip(&again.labels) {
                            assert!(is.kept_seconds >= was.kept_seconds - 1e-6, "{row:?}");
                        }
                    }
                    let back = lost(&account, &row.clip) - lost(&again, &row.clip);
                    assert!(
                        *seconds > 0.0 && back >= seconds - 1e-6,
                        "{row:?}: {back} s"
                    );
                    assert!(again.kept_seconds >= account.kept_seconds - 1e-6);
                    promised += 1;
                }
                Remedy::Ceiling { cm } => {
                    assert_eq!(*cm, graph.options().metric.ceiling_cm);
                    past += 1;
                }
                other => panic!("{row:?}: {other:?}"),
            }
        }
        assert!(account.candidates_used <= account.candidates);
        assert!(account.transitions - account.end_cuts <= 2 * account.candidates_used);
        // Labels: what goes on within a label is part of what is kept of it.
        for l in &account.labels {
            assert!(
                l.kept_seconds <= l.graph_seconds + 1e-6 && l.graph_seconds <= l.seconds + 1e-6
            );
        }
    }
    assert!(
        promised > 40 && past > 0,
        "{promised} promises, {past} past the ceiling"
    );
}
