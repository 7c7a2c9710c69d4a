//! People of different sizes in one graph, motion on somebody's own body, and edits, through the real binary.

use gaitway::graph::{GraphBuilder, MotionGraph};
use gaitway::io::{SetOptions, WriteOptions, read_file, read_set, write_file};
use gaitway::retarget::{Onto, PeopleOptions, on_one_body};
use gaitway_core::testing::{Walker, data_dir, performed_clips, walking_clip};
use gaitway_core::{Clip, fk};

use super::support::{Place, text};

/// Walks of the performer in one folder, somebody else's in another.
fn two_people() -> Place {
    let place = Place::new();
    std::fs::create_dir_all(place.path("clips/ann")).expect("a folder");
    std::fs::create_dir_all(place.path("clips/bob")).expect("a folder");
    let options = WriteOptions::default();
    for (k, clip) in performed_clips(60.0, &["walk_normal", "walk_fast"])
        .into_iter()
        .take(2)
        .enumerate()
    {
        let file = place.path(&format!("clips/ann/a{k}.bvh"));
        write_file(&file, &clip, &options).expect("written");
    }
    let other = walking_clip(&Walker::default());
    write_file(&place.path("clips/bob/b.bvh"), &other, &options).expect("written");
    place
}

fn clip(place: &Place, file: &str) -> Clip {
    let mut all = read_file(&place.path(file), &Default::default()).expect("read");
    all.remove(0).clip
}

#[test]
fn people_are_put_on_one_body_and_marked() {
    let place = two_people();
    let refused = place.run(&["build", "clips", "-o", "g.gway"]);
    assert!(text(&refused.stderr).contains("--retarget-to"));
    for (threads, out) in [("1", "one.gway"), ("2", "two.gway")] {
        let done = place.run(&[
            "build",
            "clips",
            "-o",
            out,
            "--retarget-to",
            "ann/a0",
            "--label-names",
            "*=walk",
            "--report",
            "r.json",
            "--threads",
            threads,
        ]);
        assert!(done.status.success(), "{}", text(&done.stderr));
        assert!(
            text(&done.stderr).contains("person"),
            "{}",
            text(&done.stderr)
        );
    }
    let bytes = std::fs::read(place.path("one.gway")).expect("a graph");
    assert!(bytes == std::fs::read(place.path("two.gway")).expect("a graph"));
    let graph = MotionGraph::from_bytes(&bytes).expect("a graph");
    for name in ["walk", "person=ann", "person=bob"] {
        assert!(graph.labels().find(name).is_some(), "{name}");
    }
    assert_eq!(
        graph.skeleton().names(),
        clip(&place, "clips/ann/a0.bvh").skeleton().names()
    );
    let bob = graph.find_clip("bob/b").expect("a clip");
    assert!(
        graph
            .clip_info(bob)
            .provenance()
            .file
            .contains("on the body of")
    );
    let account = std::fs::read_to_string(place.path("r.json")).expect("an account");
    assert!(
        account.contains("\"retargeted\"") && account.contains("bob: 1 clip"),
        "{account}"
    );
    // Who is of the body already keeps every bit.
    let ann = graph.find_clip("ann/a1").expect("a clip");
    assert_eq!(
        graph.clip(ann).expect("frames").rotations(),
        clip(&place, "clips/ann/a1.bvh").rotations()
    );
}

#[test]
fn the_library_builds_the_same_graph() {
    let place = two_people();
    let output = place.run(&["build", "clips", "-o", "g.gway", "--retarget-to", "largest"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let whole = place.path("clips");
    let set = read_set([whole.to_string_lossy()], &SetOptions::default()).expect("clips");
    let clips: Vec<Clip> = set.clips.iter().map(|c| c.clip.clone()).collect();
    let onto = Onto::largest(&clips).expect("clips");
    let (files, people) = on_one_body(set, &onto, &PeopleOptions::default()).expect("on one body");
    assert_eq!(people.len(), 2);
    let (graph, _) = GraphBuilder::from_files(files)
        .expect("one skeleton")
        .build(&mut ())
        .expect("a graph");
    let program = std::fs::read(place.path("g.gway")).expect("a graph");
    assert!(graph.to_bytes().expect("bytes") == program);
    // Nothing but marks: all of it is unlabelled.
    assert!(
        graph
            .edge_labels(graph.edges().next().expect("an edge"))
            .contains(gaitway::graph::LabelId::UNLABELLED)
    );
}

#[test]
fn bodies_without_legs_are_refused_or_left_out() {
    let place = two_people();
    // A chain that stands on nothing.
    let chain = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\nJOINT b\n{\nOFFSET 0 40 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 40 0\n}\n}\n}\n";
    let frames: String = (0..90)
        .map(|f| format!("0 90 0 {f} 0 0 0 {f} 0\n"))
        .collect();
    let text_of = format!("{chain}MOTION\nFrames: 90\nFrame Time: 0.0333333\n{frames}");
    std::fs::write(place.path("clips/arm.bvh"), text_of).expect("written");
    let refused = place.run(&["build", "clips", "-o", "g.gway", "--retarget-to", "ann/a0"]);
    let said = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        said.contains("arm: cannot be put on") && said.contains("--skip-bad"),
        "{said}"
    );
    let skipped = place.run(&[
        "build",
        "clips",
        "-o",
        "g.gway",
        "--retarget-to",
        "ann/a0",
        "--skip-bad",
    ]);
    assert!(
        text(&skipped.stderr).contains("[not-retargeted]"),
        "{}",
        text(&skipped.stderr)
    );
    let unknown = place.run(&["build", "clips", "-o", "g.gway", "--retarget-to", "carl"]);
    assert!(text(&unknown.stderr).contains("neither a clip among the inputs nor a file"));
}

#[test]
fn what_is_made_can_be_put_on_a_body() {
    let place = two_people();
    let built = place.run(&[
        "build",
        "clips/ann",
        "-o",
        "g.gway",
        "--label-names",
        "*=walk",
    ]);
    assert!(built.status.success(), "{}", text(&built.stderr));
    let body = clip(&place, "clips/bob/b.bvh");
    for (verb, option) in [("walk", "--to"), ("walk", "--onto")] {
        let done = place.json(&[
            verb,
            "g.gway",
            "--seconds",
            "3",
            option,
            "clips/bob/b.bvh",
            "-o",
            "out.bvh",
            "--json",
        ]);
        assert!(
            done["onto"]["retarget"]["after_mm"][0]
                .as_f64()
                .is_some_and(|mm| mm < 1.0),
            "{done}"
        );
        assert_eq!(
            clip(&place, "out.bvh").skeleton().names(),
            body.skeleton().names()
        );
    }
    let path = place.json(&[
        "path",
        "g.gway",
        "line",
        "--scale",
        "0.4",
        "--to",
        "clips/bob/b.bvh",
        "-o",
        "p.bvh",
        "--json",
    ]);
    assert!(
        path["onto"]["body"]
            .as_str()
            .is_some_and(|b| b.ends_with("b.bvh")),
        "{path}"
    );
    assert_eq!(
        clip(&place, "p.bvh").skeleton().names(),
        body.skeleton().names()
    );
    let spot = place.run(&[
        "walk",
        "g.gway",
        "--loop",
        "--to",
        "clips/bob/b.bvh",
        "-o",
        "l.bvh",
    ]);
    assert!(text(&spot.stderr).contains("--keep-travel"));
}

#[test]
fn a_characters_mesh_comes_along() {
    let Some(data) = data_dir() else { return };
    let place = two_people();
    let hero = data.join("gltf/CesiumMan.glb");
    let hero = hero.to_string_lossy();
    let done = place.run(&[
        "retarget",
        "clips/ann/a0.bvh",
        "--to",
        &hero,
        "-o",
        "out.glb",
    ]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let bytes = std::fs::read(place.path("out.glb")).expect("a file");
    let json = String::from_utf8_lossy(&bytes[20..]);
    assert!(
        json.contains("\"skins\"") && json.contains("Cesium"),
        "its own mesh and no body of simple shapes"
    );
}

#[test]
fn edits_do_what_they_say() {
    let place = two_people();
    let before = clip(&place, "clips/ann/a0.bvh");
    let edit = |more: &[&str]| {
        let mut all = vec!["edit", "clips/ann/a0.bvh", "-o", "out.bvh", "--json"];
        all.extend(more);
        (place.json(&all), clip(&place, "out.bvh"))
    };
    let (report, after) = edit(&["--drag", "RightHand@1=+0,0.15,0"]);
    assert!(
        report["edit"]["asked"][0]["left_mm"]
            .as_f64()
            .is_some_and(|mm| mm < 1.0),
        "{report}"
    );
    let hand = before.skeleton().find("RightHand").expect("a hand");
    let at = |c: &Clip| fk::naive_world_point(c, 60, hand.into());
    assert!((at(&after) - at(&before) - glam::DVec3::new(0.0, 0.15, 0.0)).length() < 2e-3);
    assert!(
        !report["edit"]["spans"]
            .as_array()
            .expect("where")
            .is_empty()
    );
    let (report, after) = edit(&["--speed", "1.5"]);
    assert!(
        (after.seconds() * 1.5 - before.seconds()).abs() < 0.1,
        "{report}"
    );
    let (report, _) = edit(&["--taller", "2m"]);
    assert!(
        report["edit"]["height_m"][1]
            .as_f64()
            .is_some_and(|m| (m - 2.0).abs() < 1e-3)
    );
    std::fs::write(
        place.path("rail.csv"),
        "t,x,y,z\n0,0.3,1.1,0\n2,0.3,1.1,2.6\n",
    )
    .expect("written");
    let (report, _) = edit(&["--keep", "LeftHand@0.5..1=rail.csv"]);
    assert_eq!(report["edit"]["asked"][0]["what"], "keep");
    let (report, _) = edit(&[
        "--style-from",
        "clips/ann/a1.bvh",
        "--style-of",
        "clips/ann/a0.bvh",
        "--amount",
        "0.5",
    ]);
    assert_eq!(report["edit"]["asked"][0]["what"], "style");
}

#[test]
fn edits_that_cannot_be_are_refused() {
    let place = two_people();
    let said = |more: &[&str]| {
        let mut all = vec!["edit", "clips/ann/a0.bvh", "-o", "out.bvh"];
        all.extend(more);
        let output = place.run(&all);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        text(&output.stderr)
    };
    assert!(said(&[]).contains("nothing is asked for"));
    assert!(said(&["--drag", "RightHnd@1=0,1,0"]).contains("no joint is called"));
    assert!(said(&["--drag", "RightHand@999=0,1,0"]).contains("the clip lasts"));
    assert!(said(&["--drag", "RightHand=0,1,0"]).contains("expected a joint"));
    assert!(said(&["--taller", "soon"]).contains("10% or 1.85m"));
    assert!(said(&["--path", "line", "--scale", "50"]).contains("--scale"));
    std::fs::write(place.path("rail.csv"), "t,x,y,z\n0,0,1,0\n0,0,1,0\n").expect("written");
    assert!(
        said(&["--keep", "LeftHand@0.5..1=rail.csv"]).contains("rail.csv:3: expected a time after")
    );
    // Out of reach is an answer, told by the exit code.
    let far = place.run(&[
        "edit",
        "clips/ann/a0.bvh",
        "-o",
        "out.bvh",
        "--drag",
        "RightHand@1=+0,5,0",
    ]);
    assert_eq!(far.status.code(), Some(1), "{}", text(&far.stderr));
}
