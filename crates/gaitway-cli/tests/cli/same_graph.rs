//! One graph, whoever builds it: the library, the program and the studio, to the byte.

use std::path::Path;

use gaitway::graph::GraphBuilder;
use gaitway::io::{SetOptions, WriteOptions, read_set, write_file};
use gaitway_core::performer;
use gaitway_core::testing::data_dir;

use super::studio::{Studio, is_over};
use super::support::{Place, text};

/// Builds the clips of a folder three times over and compares the graphs.
fn assert_one_graph(place: &Place, folder: &str) -> Vec<u8> {
    // Each is given the folder as it likes it: from where it runs, or by its whole path.
    let whole = place.path(folder);
    let set = read_set([whole.to_string_lossy()], &SetOptions::default()).expect("clips");
    let (graph, _) = GraphBuilder::from_files(set)
        .expect("one skeleton")
        .build(&mut ())
        .expect("a graph");
    let library = graph.to_bytes().expect("bytes");

    let output = place.run(&["build", folder, "-o", "program.gway"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let program = std::fs::read(place.path("program.gway")).expect("a graph");
    assert!(
        library == program,
        "the library's graph is not the program's"
    );

    let studio = Studio::start(place, &[folder, "--project", "studio"]);
    let jobs = studio.json("/api/jobs");
    let job = studio.wait(jobs[0]["id"].as_str().expect("a build"), is_over);
    assert_eq!(job["state"], "done", "{job}");
    let built = std::fs::read(place.path("studio/graph.gway")).expect("a graph");
    assert!(library == built, "the library's graph is not the studio's");
    library
}

fn copy_all(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        std::fs::copy(entry.path(), to.join(entry.file_name())).expect("copied");
    }
}

#[test]
fn of_a_folder_of_mixed_formats() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("clips/more")).expect("a folder");
    let takes = performer::library(1, 60.0).expect("takes");
    let walks = takes.iter().filter(|t| t.clip.name().contains("walk_"));
    for (k, take) in walks.take(7).enumerate() {
        let name = take.clip.name().rsplit('/').next().unwrap_or("take");
        // Clips in three formats, one of them twice, one name twice.
        let files = match k {
            0 => vec![format!("clips/{name}.bvh"), format!("clips/copy.glb")],
            1 => vec!["clips/walk.bvh".to_owned()],
            2 => vec!["clips/more/walk.bvh".to_owned()],
            3 => vec!["clips/walk.glb".to_owned()],
            _ => vec![format!("clips/{name}.glb")],
        };
        for file in files {
            write_file(&place.path(&file), &take.clip, &WriteOptions::default()).expect("written");
        }
    }
    std::fs::write(place.path("clips/notes.txt"), "no motion").expect("written");
    let bytes = assert_one_graph(&place, "clips");
    let graph = gaitway::graph::MotionGraph::from_bytes(&bytes).expect("a graph");
    assert_eq!(graph.clip_ids().count(), 7, "the copy is passed over");
}

#[test]
fn of_a_subject_of_the_cmu_database() {
    let Some(data) = data_dir() else { return };
    let place = Place::new();
    copy_all(&data.join("cmu-bvh/16"), &place.path("16"));
    assert_one_graph(&place, "16");
}

#[test]
fn of_clips_with_joints_that_were_not_captured() {
    let Some(data) = data_dir() else { return };
    let place = Place::new();
    copy_all(&data.join("cmu-bvh/75"), &place.path("75"));
    let bytes = assert_one_graph(&place, "75");
    let graph = gaitway::graph::MotionGraph::from_bytes(&bytes).expect("a graph");
    // Fingers that flip by half a turn are not compared, whoever builds.
    assert!(!graph.options().markers.excluded.is_empty());
}

#[test]
fn of_skeletons_and_motions_in_files_of_their_own() {
    let Some(data) = data_dir() else { return };
    let place = Place::new();
    copy_all(&data.join("cmu-asf-amc/02"), &place.path("02"));
    assert_one_graph(&place, "02");
}
