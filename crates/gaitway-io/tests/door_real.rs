//! What the door finds on real clips.

use std::path::{Path, PathBuf};

use gaitway_core::WarningCode;
use gaitway_core::testing::data_dir;
use gaitway_io::{Import, ReadOptions, expand, pool_rates, read_file};

fn read_all(folders: &[PathBuf]) -> Vec<Import> {
    let arguments: Vec<String> = folders.iter().map(|f| f.display().to_string()).collect();
    let inputs = expand(&arguments).expect("the folders are there");
    let mut all = Vec::new();
    for input in inputs {
        all.extend(read_file(&input.path, &ReadOptions::default()).expect("a good file"));
    }
    pool_rates(&mut all);
    all
}

fn subject(import: &Import) -> &str {
    let name = import.clip.name();
    Path::new(name)
        .parent()
        .and_then(|p| p.file_name())
        .and_then(|n| n.to_str())
        .unwrap_or("")
}

#[test]
fn cmu_t_poses_units_and_the_subjects_at_60_hz_are_found() {
    let Some(data) = data_dir() else { return };
    let all = read_all(&[data.join("cmu-bvh")]);
    assert_eq!(all.len(), 152);
    let mut implausible = std::collections::BTreeSet::new();
    for import in &all {
        let name = import.clip.name();
        assert!(
            import.warnings.has(WarningCode::TPoseDropped),
            "{name} keeps its T-pose"
        );
        assert_eq!(import.source.unit.name, "cmu", "{name}");
        assert_eq!(import.source.up_axis.as_str(), "y", "{name}");
        assert_eq!(
            import.clip.rate_hz(),
            120.0,
            "{name}: the header's rate is kept"
        );
        assert_eq!(
            import.clip.frame_count() + 1,
            import.source.frames_in_file,
            "{name}"
        );
        for w in import
            .warnings
            .iter()
            .filter(|w| w.code == WarningCode::RateImplausible)
        {
            assert_eq!(
                w.value,
                Some(("suggested_rate_hz", 60.0)),
                "{name}: {}",
                w.message
            );
            implausible.insert(subject(import).to_owned());
        }
    }
    let found: Vec<&str> = implausible.iter().map(String::as_str).collect();
    assert_eq!(found, ["143", "75", "77"]);
}

#[test]
fn clips_with_a_flight_are_found_alone() {
    let Some(data) = data_dir() else { return };
    let folders = ["02", "13", "16", "35", "69", "83", "127", "75", "77", "143"];
    let mut found = Vec::new();
    for folder in folders {
        let inputs = expand(&[data.join("cmu-bvh").join(folder).display().to_string()]);
        for input in inputs.expect("the folder is there") {
            let mut read = read_file(&input.path, &ReadOptions::default()).expect("a good file");
            pool_rates(&mut read);
            if read[0].warnings.has(WarningCode::RateImplausible) {
                found.push(input.path.file_stem().unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    // Jumps, jump kicks and runs. `77_11` (a run with one flight of 6 frames) does not say whether 50 or 60.
    let expected = "75_02 75_16 77_12 143_01 143_04 143_05 143_06 143_07 143_08 143_31 143_42";
    assert_eq!(found.join(" "), expected);
}

#[test]
fn bandai_namco_travel_sits_on_the_hips() {
    let Some(data) = data_dir() else { return };
    let all = read_all(&[data.join("bandai-namco-bvh")]);
    assert_eq!(all.len(), 18);
    let mut travel_on_root = 0;
    for import in &all {
        let name = import.clip.name();
        assert_eq!(import.source.unit.name, "cm", "{name}");
        // Three clips of dataset 1 were exported the other way round: the root travels, the hips sway.
        let on_root = ["dash", "dataset-1_run", "walk-back"]
            .iter()
            .any(|n| name.contains(n));
        travel_on_root += usize::from(on_root);
        assert_eq!(
            import.warnings.has(WarningCode::TravelOnJoint),
            !on_root,
            "{name}"
        );
        assert!(!import.warnings.has(WarningCode::TPoseDropped), "{name}");
        assert!(!import.warnings.has(WarningCode::RateImplausible), "{name}");
    }
    assert_eq!(travel_on_root, 3);
}

#[test]
fn lafan_and_pfnn_need_no_repair() {
    let Some(data) = data_dir() else { return };
    let all = read_all(&[data.join("lafan1-bvh"), data.join("pfnn-bvh")]);
    let of_lafan = |i: &&Import| i.clip.name().contains("lafan");
    assert_eq!((all.iter().filter(of_lafan).count(), all.len()), (1, 2));
    for import in &all {
        let name = import.clip.name();
        for code in [
            WarningCode::TPoseDropped,
            WarningCode::TravelOnJoint,
            WarningCode::RateImplausible,
        ] {
            assert!(!import.warnings.has(code), "{name}: {code}");
        }
        let unit = if name.contains("lafan") { "cm" } else { "cmu" };
        assert_eq!(import.source.unit.name, unit, "{name}");
    }
}
