//! What is written where, and how findings are told.

use crate::support::{Place, names_in, text, two_lines};

#[test]
fn a_folder_that_is_not_there_is_made_for_one_clip_too() {
    let place = Place::new();
    place.clip("walk.bvh", 60);
    let output = place.run(&["convert", "walk.bvh", "deep/out", "--to", "glb"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(names_in(&place.path("deep/out")), ["walk.glb"]);
    assert_eq!(names_in(place.folder.path()), ["deep", "walk.bvh"]);
    // Into one that is there, beside what is in it.
    let output = place.run(&["convert", "walk.bvh", "deep/out", "--to", "npz"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(names_in(&place.path("deep/out")), ["walk.glb", "walk.npz"]);
}

#[test]
fn a_folder_appears_whole_or_not_at_all() {
    let place = Place::new();
    std::fs::create_dir(place.path("in")).expect("a folder");
    place.clip("in/a.bvh", 60);
    place.clip("in/b.bvh", 61);
    // No BVH can be written as AMC without its ASF: the first clip fails, and nothing is left.
    let told = two_lines(&place.run(&["convert", "in", "out", "--to", "amc"]));
    assert!(told.starts_with("error: out/a.amc: "), "{told}");
    assert_eq!(names_in(place.folder.path()), ["in"]);
    // A clip too short for its cut fails after others were written.
    place.clip("in/b.bvh", 20);
    let told = two_lines(&place.run(&["convert", "in", "out", "--to", "glb", "--cut", "0.5.."]));
    assert!(told.contains("--cut keeps nothing"), "{told}");
    assert_eq!(names_in(place.folder.path()), ["in"]);
    std::fs::write(place.path("file"), "").expect("written");
    let told = two_lines(&place.run(&["convert", "in", "file", "--to", "glb"]));
    assert!(told.contains("a file is in the way"), "{told}");
    let told = two_lines(&place.run(&["man", "--out", "file/man"]));
    assert!(told.contains("a file is in the way"), "{told}");
}

#[test]
fn findings_that_say_the_same_are_told_once() {
    let place = Place::new();
    std::fs::create_dir(place.path("in")).expect("a folder");
    for k in 0..7 {
        place.clip(&format!("in/walk_{k}.bvh"), 60 + k);
    }
    let told = text(&place.run(&["info", "in"]).stdout);
    assert_eq!(told.matches("unit-guessed").count(), 1, "{told}");
    assert!(
        told.contains("unit-guessed: 7 clips (in/walk_0, in/walk_1, in/walk_2, in/walk_3, in/walk_4 and 2 more)"),
        "{told}"
    );
    let rows = place.json(&["info", "in", "--json"]);
    let all = rows.as_array().expect("rows");
    assert!(
        all.iter()
            .all(|r| r["warnings"][0]["code"] == "unit-guessed")
    );
}

#[test]
fn t_poses_of_real_clips_are_told_once() {
    let Some(data) = gaitway_core::testing::data_dir() else {
        return;
    };
    let folder = data.join("cmu-bvh/02").display().to_string();
    let told = text(&Place::new().run(&["info", &folder]).stdout);
    assert_eq!(told.matches("t-pose-dropped").count(), 1, "{told}");
    assert!(told.contains("19 to 28°"), "{told}");
}

#[test]
fn words_beside_one_another_in_an_svg_keep_their_measure() {
    let place = Place::new();
    place.clip("a_clip_with_a_long_name.bvh", 120);
    for view in ["side", "top"] {
        let made = [
            "render",
            "a_clip_with_a_long_name.bvh",
            "-o",
            "t.svg",
            "--view",
            view,
        ];
        assert!(place.run(&made).status.success());
        let svg = std::fs::read_to_string(place.path("t.svg")).expect("a picture");
        let texts: Vec<&str> = svg.lines().filter(|l| l.starts_with("<text")).collect();
        assert!(texts.len() > 3);
        assert!(texts.iter().all(|t| t.contains("textLength")), "{view}");
        let number = |line: &str, name: &str| -> f64 {
            let at = line.find(&format!("{name}=\"")).expect("an attribute") + name.len() + 2;
            let end = line[at..].find('"').expect("a quote") + at;
            line[at..end].parse().expect("a number")
        };
        let heading = texts.iter().find(|t| t.contains("a_clip_with"));
        let heading = heading.expect("a heading");
        let end = number(heading, " x") + number(heading, "textLength");
        let facts = texts.iter().find(|t| t.contains("Hz")).expect("facts");
        assert!(number(facts, " x") > end, "{view}: {heading} {facts}");
    }
}

/// Feet that hang on the root, beside the legs that are solved for them, are seen.
#[test]
fn legs_that_are_led_by_hand_are_drawn() {
    let Some(data) = gaitway_core::testing::data_dir() else {
        return;
    };
    let place = Place::new();
    let robot = data.join("gltf/RobotExpressive.glb#Walking");
    let robot = robot.display().to_string();
    let made = ["render", &robot, "-o", "r.svg", "--poses", "1"];
    assert!(place.run(&made).status.success());
    let svg = std::fs::read_to_string(place.path("r.svg")).expect("a picture");
    // Head and spine 3, arms and hands at least 2 × 3, legs 2 × 2, and the floor.
    assert!(
        svg.matches("<path").count() >= 20,
        "{}",
        svg.matches("<path").count()
    );
}
