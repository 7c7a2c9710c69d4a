//! Sensors: text of matrices, tables, arrays; and what is no sensor.

use std::io::Write;
use std::path::{Path, PathBuf};

use gaitway_core::WarningCode;
use gaitway_core::testing::data_dir;
use gaitway_io::sensors::{join, write_table};
use gaitway_io::{SensorClip, read_sensors};

fn file(dir: &tempfile::TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = dir.path().join(name);
    std::fs::write(&path, bytes).expect("written");
    path
}

fn told(path: &Path) -> String {
    let error = read_sensors(path, None).expect_err("no sensors");
    format!("{error} | {}", error.hint().unwrap_or("-"))
}

const POSE: &str = "0 -1 0 1.5\n1 0 0 2\n0 0 1 -3\n0 0 0 1\n";

#[test]
fn real_wrist_sensors_are_read() {
    let Some(data) = data_dir() else { return };
    let mut frames = Vec::new();
    for name in [
        "user1_cup0",
        "user1_cup1",
        "user1_spray_can0",
        "user1_spray_can1",
    ] {
        let clip = read_sensors(&data.join(format!("magnetic/{name}.traj")), None).expect("reads");
        assert_eq!(clip.names, [name]);
        assert_eq!(clip.rate_hz, 100.0);
        assert!(
            clip.warnings.has(WarningCode::Unusual),
            "an assumed rate is told"
        );
        assert!(clip.poses.iter().all(Option::is_some));
        let first = clip.at(0, 0).expect("seen");
        assert!(first.place.length() < 5.0);
        frames.push(clip.frames);
    }
    assert!(frames.iter().all(|f| *f > 200), "{frames:?}");
}

#[test]
fn matrices_are_read_and_mistakes_have_their_place() {
    let dir = tempfile::tempdir().expect("a folder");
    let good = file(&dir, "a.traj", format!("{POSE}\n{POSE}").as_bytes());
    let clip = read_sensors(&good, Some(50.0)).expect("reads");
    assert_eq!((clip.frames, clip.rate_hz), (2, 50.0));
    let pose = clip.at(1, 0).expect("seen");
    assert_eq!(pose.place.to_array(), [1.5, 2.0, -3.0]);
    assert!((pose.turn * glam::DVec3::X - glam::DVec3::Y).length() < 1e-12);
    let cut = file(&dir, "cut.traj", format!("{POSE}0 -1 0 1.5\n").as_bytes());
    let clip = read_sensors(&cut, None).expect("reads");
    assert!(clip.warnings.has(WarningCode::PartialFrame));
    for (name, text, says) in [
        (
            "mirror",
            POSE.replace("0 0 1 -3", "0 0 -1 -3"),
            "reflection",
        ),
        (
            "scaled",
            POSE.replace("0 -1 0 1.5", "0 -2 0 1.5"),
            "a rotation",
        ),
        (
            "last",
            POSE.replace("0 0 0 1\n", "0 0 1 1\n"),
            ":4:1: expected `0 0 0 1`",
        ),
        (
            "word",
            POSE.replace("1.5", "x"),
            ":1:8: expected a number, found `x`",
        ),
        (
            "short",
            POSE.replace("1 0 0 2", "1 0 0"),
            ":2:6: expected four numbers",
        ),
        (
            "long",
            POSE.replace("1 0 0 2", "1 0 0 2 3"),
            ":2:9: expected the end",
        ),
        ("far", POSE.replace("1.5", "1e8"), "within 25000 km"),
        ("empty", String::new(), "no poses"),
    ] {
        let path = file(&dir, &format!("{name}.traj"), text.as_bytes());
        let told = told(&path);
        assert!(told.contains(says), "{name}: {told}");
    }
}

const HEAD: &str = "time_s,sensor,x,y,z,qx,qy,qz,qw\n";

#[test]
fn tables_are_read_with_gaps_and_come_back_to_the_bit() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = format!(
        "{HEAD}0,a,0.1,0.2,0.3,0,0,0,1\n0,b,1,2,3,0,0.6,0,0.8\n0.01,a,0.1,0.2,0.4,0,0,0,1\n0.01,b,,,,,,,\n0.02,a,1,1,1,0,0,0,1\n0.02,b,1,2,4,0,0,0,1\n"
    );
    let path = file(&dir, "t.csv", text.as_bytes());
    let clip = read_sensors(&path, None).expect("reads");
    assert_eq!(
        (clip.frames, clip.names.as_slice()),
        (3, ["a".to_owned(), "b".to_owned()].as_slice())
    );
    assert!((clip.rate_hz - 100.0).abs() < 1e-6);
    assert!(clip.at(1, 1).is_none() && clip.at(2, 1).is_some());
    let mut bytes = Vec::new();
    write_table(&mut bytes, &clip).expect("written");
    let again = read_sensors(&file(&dir, "again.csv", &bytes), None).expect("reads");
    assert_eq!(again.poses, clip.poses);
    for (name, text, says) in [
        (
            "columns",
            "time_s,sensor,x,y,z\n0,a,1,2,3\n".to_owned(),
            "a column `qx`",
        ),
        (
            "length",
            format!("{HEAD}0,a,1,2,3,0,0,0,2\n"),
            ":2:1: expected a quaternion of length 1",
        ),
        (
            "twice",
            format!("{HEAD}0,a,1,2,3,0,0,0,1\n0,a,1,2,3,0,0,0,1\n"),
            "two rows at 0 s",
        ),
        (
            "one",
            format!("{HEAD}0,a,1,2,3,0,0,0,1\n"),
            "no rate | give it: --source-fps 100",
        ),
        ("none", HEAD.to_owned(), "no samples"),
        (
            "word",
            format!("{HEAD}0,a,1,2,far,0,0,0,1\n"),
            "a number for `z`, found `far`",
        ),
    ] {
        let told = told(&file(&dir, &format!("{name}.csv"), text.as_bytes()));
        assert!(told.contains(says), "{name}: {told}");
    }
    // Times and sensors that never meet would fill the memory with gaps.
    let mut wild = HEAD.to_owned();
    for k in 0..2000 {
        wild += &format!("{k},s{k},1,2,3,0,0,0,1\n");
    }
    let told = told(&file(&dir, "wild.csv", wild.as_bytes()));
    assert!(told.contains("times of one frame must be equal"), "{told}");
}

/// An array as NumPy writes it.
fn npy(kind: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.bytes());
    out.extend(data);
    out
}

fn npz(path: &Path, members: &[(&str, Vec<u8>)]) {
    let mut zip = zip::ZipWriter::new(std::fs::File::create(path).expect("made"));
    let options =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, bytes) in members {
        zip.start_file(format!("{name}.npy"), options)
            .expect("begun");
        zip.write_all(bytes).expect("written");
    }
    zip.finish().expect("ended");
}

fn floats(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

#[test]
fn arrays_are_read_and_skeletons_are_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("s.npz");
    let positions = npy(
        "<f8",
        "(2, 1, 3)",
        &floats(&[1.0, 2.0, 3.0, f64::NAN, 0.0, 0.0]),
    );
    let rotations = npy(
        "<f8",
        "(2, 1, 4)",
        &floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]),
    );
    let rate = npy("<f8", "()", &floats(&[120.0]));
    npz(
        &path,
        &[
            ("positions", positions.clone()),
            ("rotations", rotations.clone()),
            ("rate_hz", rate.clone()),
        ],
    );
    let clip = read_sensors(&path, None).expect("reads");
    assert_eq!(
        (clip.frames, clip.rate_hz, clip.names[0].as_str()),
        (2, 120.0, "sensor1")
    );
    assert!(clip.at(0, 0).is_some() && clip.at(1, 0).is_none());
    let parents = npy("<i4", "(1,)", &[0, 0, 0, 0]);
    npz(
        &path,
        &[("positions", positions.clone()), ("parents", parents)],
    );
    assert!(
        told(&path).contains("motion of a skeleton"),
        "{}",
        told(&path)
    );
    npz(
        &path,
        &[("positions", positions.clone()), ("rotations", rotations)],
    );
    assert!(told(&path).contains("no `rate_hz`"), "{}", told(&path));
    npz(
        &path,
        &[
            ("positions", positions),
            ("rotations", npy("<f8", "(9999999999, 99999999999, 4)", &[])),
            ("rate_hz", rate),
        ],
    );
    assert!(told(&path).contains("too large"), "{}", told(&path));
    let broken = file(&dir, "b.npz", b"PK\x03\x04 no");
    assert!(told(&broken).contains("no zip file"), "{}", told(&broken));
}

#[test]
fn sensors_of_several_files_stand_beside_one_another() {
    let dir = tempfile::tempdir().expect("a folder");
    let long = file(&dir, "a.traj", format!("{POSE}{POSE}{POSE}").as_bytes());
    let short = file(&dir, "b.traj", format!("{POSE}{POSE}").as_bytes());
    let read = |p: &Path, rate: f64| -> (String, SensorClip) {
        (
            p.display().to_string(),
            read_sensors(p, Some(rate)).expect("reads"),
        )
    };
    let both = join(vec![read(&long, 100.0), read(&short, 100.0)]).expect("joined");
    assert_eq!((both.frames, both.sensor_count()), (2, 2));
    assert!(both.warnings.has(WarningCode::FrameCount));
    let error = join(vec![read(&long, 100.0), read(&short, 60.0)]).expect_err("rates differ");
    assert!(error.to_string().contains("60 frames a second"), "{error}");
}
