//! TRC: real trials, the format's freedoms, and twenty ways to get it wrong.

use gaitway_core::WarningCode;
use gaitway_core::testing::data_dir;
use gaitway_io::markers::{MarkerClip, trc};
use gaitway_io::{Place, ReadError};
use glam::DVec3;
use proptest::prelude::*;

const HEAD: &str = "PathFileType\t4\t(X/Y/Z)\ta.trc\n\
    DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n\
    100\t100\t3\t2\tmm\n\
    Frame#\tTime\tHEAD\t\t\tTOE\t\t\n\
    \t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\
    \n";
const ROWS: &str = "1\t0.00\t1\t2\t3\t4\t5\t6\n\
    2\t0.01\t1\t2\t3\t\t\t\n\
    3\t0.02\t1e1\t-2\t3.5\t4\t5\t6\n";

fn read(text: &str) -> MarkerClip {
    trc::read("a.trc", text.as_bytes()).unwrap()
}

#[test]
fn a_table_is_read() {
    let clip = read(&format!("{HEAD}{ROWS}"));
    assert_eq!(clip.names, ["HEAD", "TOE"]);
    assert_eq!((clip.frames, clip.rate_hz, clip.unit_m), (3, 100.0, 0.001));
    assert_eq!(clip.at(1, 1), None);
    let place = clip.at(2, 0).unwrap();
    assert!(place.distance(DVec3::new(0.01, -0.002, 0.0035)) < 1e-12);
    assert!(clip.warnings.is_empty(), "{:?}", clip.warnings);
}

#[test]
fn freedoms_of_the_format() {
    let good = read(&format!("{HEAD}{ROWS}"));
    let crlf = format!("{HEAD}{ROWS}").replace('\n', "\r\n");
    assert_eq!(read(&crlf), good);
    // Blank lines, trailing tabs, no line of coordinates, no final line end.
    let loose = format!("{HEAD}{ROWS}").replace("6\n", "6\t\t\n\n");
    assert_eq!(read(loose.trim_end()), good);
    let bare = format!("{HEAD}{ROWS}").replace("\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n", "");
    assert_eq!(read(&bare), good);
    // Not a number by name is a gap too.
    let named = format!("{HEAD}{ROWS}").replace("3\t\t\t\n", "3\tNaN\tNaN\tNaN\n");
    assert_eq!(read(&named), good);
    for (unit, metres) in [("m", 1.0), ("cm", 0.01), ("MM", 0.001)] {
        let text = format!("{HEAD}{ROWS}").replace("mm", unit);
        let place = read(&text).at(0, 0).unwrap();
        assert!(place.distance(DVec3::new(1.0, 2.0, 3.0) * metres) < 1e-12);
    }
}

#[test]
fn oddities_are_told() {
    let told = |from: &str, to: &str, code: WarningCode| {
        let text = format!("{HEAD}{ROWS}").replace(from, to);
        let clip = read(&text);
        assert!(clip.warnings.has(code), "{from:?} {:?}", clip.warnings);
        clip
    };
    let clip = told("100\t3\t2", "100\t900\t2", WarningCode::FrameCount);
    assert_eq!((clip.frames, clip.frames_in_file), (3, 900));
    told("100\t3\t2", "100\t2\t2", WarningCode::FrameCount);
    told("\tmm", "", WarningCode::UnitGuessed);
    told("3\t0.02", "9\t0.08", WarningCode::Unusual);
    told("TOE", "HEAD", WarningCode::RenamedJoints);
    let clip = told("TOE", "", WarningCode::Unusual);
    assert_eq!(clip.names, ["HEAD", "*2"]);
    let text = format!("{HEAD}{ROWS}4\t0.03\t1\t2\t3\n");
    let clip = read(&text);
    assert_eq!(clip.at(3, 1), None);
    assert!(clip.warnings.has(WarningCode::Unusual));
}

/// The header's rate against the time column.
#[test]
fn a_rate_that_the_times_contradict_is_told() {
    let mut text = HEAD.replace("\t3\t2", "\t60\t2");
    for frame in 0..60 {
        let time = f64::from(frame) * 0.04;
        text += &format!("{}\t{time:.3}\t1\t2\t3\t4\t5\t6\n", frame + 1);
    }
    let clip = read(&text);
    let warning = clip.warnings.iter().next().unwrap();
    assert_eq!(warning.code, WarningCode::RateImplausible);
    assert_eq!(warning.value.unwrap().0, "suggested_rate_hz");
    assert!((warning.value.unwrap().1 - 25.0).abs() < 0.01);
}

/// Text, line, column (0, 0: the file as a whole), and a part of what the error says.
fn malformed() -> Vec<(String, usize, usize, &'static str)> {
    let all = format!("{HEAD}{ROWS}");
    let with = |from: &str, to: &str| {
        assert!(all.contains(from), "{from:?}");
        all.replacen(from, to, 1)
    };
    let lines = |n: usize| {
        all.lines()
            .take(n)
            .map(|l| format!("{l}\n"))
            .collect::<String>()
    };
    vec![
        (
            String::new(),
            1,
            1,
            "expected `PathFileType`, found the end of the file",
        ),
        ("\n\n\n".into(), 4, 1, "expected `PathFileType`"),
        (lines(1), 2, 1, "expected header words such as `DataRate`"),
        (lines(2), 3, 1, "expected the header's values"),
        (lines(3), 4, 1, "expected `Frame#`"),
        (lines(5), 0, 0, "no frames"),
        (
            with("DataRate\tCameraRate", "A\tB"),
            2,
            1,
            "expected `DataRate` with a value",
        ),
        (
            with("100\t100", "fast\t100"),
            3,
            1,
            "expected a rate in frames a second, found `fast`",
        ),
        (
            with("100\t100", "-5\t100"),
            3,
            1,
            "expected a rate in frames a second, found `-5`",
        ),
        (
            with("100\t3\t2", "100\tmany\t2"),
            3,
            9,
            "expected a count for `NumFrames`, found `many`",
        ),
        (
            with("100\t3\t2", "100\t3\t2.5"),
            3,
            11,
            "expected a count for `NumMarkers`, found `2.5`",
        ),
        (
            with("100\t3\t2", "100\t3\t-2"),
            3,
            11,
            "expected a count for `NumMarkers`",
        ),
        (
            with("100\t3\t2", "100\t3\t9999999"),
            3,
            11,
            "expected a count of markers the file has room for",
        ),
        (
            with("2\tmm", "2\tparsec"),
            3,
            13,
            "expected a unit of length such as mm or m, found `parsec`",
        ),
        (
            with("Frame#", "Pic"),
            4,
            1,
            "expected `Frame#`, `Time` and the markers' names, found `Pic`",
        ),
        (
            with("100\t3\t2", "100\t3\t0").replace("HEAD\t\t\tTOE\t\t", "\t\t"),
            0,
            0,
            "no markers",
        ),
        (
            with("1\t0.00", "one\t0.00"),
            7,
            1,
            "expected a frame number, found `one`",
        ),
        (
            with("1\t0.00", "1.5\t0.00"),
            7,
            1,
            "expected a frame number, found `1.5`",
        ),
        (
            with("1\t0.00", "\t0.00"),
            7,
            1,
            "expected a frame number, found an empty cell",
        ),
        (
            with("2\t0.01", "1\t0.01"),
            8,
            1,
            "expected a frame number above 1, found `1`",
        ),
        (
            with("1\t0.00", "1\tnow"),
            7,
            3,
            "expected a time in seconds, found `now`",
        ),
        (
            with("4\t5\t6\n2", "4\tx\t6\n2"),
            7,
            16,
            "expected a coordinate or an empty cell, found `x`",
        ),
        (
            with("4\t5\t6\n2", "4\t5\t6\t7\n2"),
            7,
            20,
            "expected 6 coordinates (2 markers), found `7`",
        ),
        (
            with("1e1", "inf"),
            9,
            8,
            "expected a coordinate or an empty cell, found `inf`",
        ),
        (with("1e1", "1e99"), 9, 8, "found `1e99`"),
        (
            format!("{all}4\n"),
            10,
            2,
            "expected a time behind the frame number",
        ),
        (
            format!("{HEAD}1"),
            7,
            2,
            "expected a time behind the frame number",
        ),
        (
            "HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 0 0\n}\n".into(),
            1,
            1,
            "expected `DataRate` with a value below it, found `HIERARCHY`",
        ),
    ]
}

#[test]
fn malformed_files_say_where_and_what() {
    let all = malformed();
    assert!(all.len() >= 20);
    for (text, line, column, part) in all {
        let error = trc::read("bad.trc", text.as_bytes()).expect_err(part);
        let found = error.to_string();
        assert!(
            found.contains(part),
            "{found}\nshould say: {part}\nof: {text}"
        );
        if let ReadError::Syntax { place, .. } = error {
            assert_eq!(place, Place::Text { line, column }, "{found}\nof: {text}");
        } else {
            assert_eq!((line, column), (0, 0), "{found}");
        }
    }
}

#[test]
fn real_trials_have_their_counts() {
    let Some(data) = data_dir() else { return };
    let read = |name: &str| {
        let bytes = std::fs::read(data.join("trc").join(name)).unwrap();
        trc::read(name, &bytes).unwrap()
    };
    let clip = read("std_walking2_markers.trc");
    assert_eq!(
        (clip.marker_count(), clip.frames, clip.rate_hz),
        (44, 126, 250.0)
    );
    assert!(clip.find("RTH1") == Some(0) && clip.find("RKJC") == Some(43));
    // Its times are 0.04 s apart, whatever its header says.
    assert!(clip.warnings.has(WarningCode::RateImplausible));
    assert!(clip.gap_count() > 0);
    let clip = read("walk_free_01.trc");
    assert_eq!(
        (clip.marker_count(), clip.frames, clip.rate_hz),
        (41, 73, 60.0)
    );
    assert_eq!(clip.frames_in_file, 900);
    assert!(clip.warnings.has(WarningCode::FrameCount));
    let place = clip.at(0, 0).unwrap();
    assert!(place.distance(DVec3::new(0.596_881_23, 1.044_682_86, 0.118_560_02)) < 1e-12);
    assert_eq!(clip.guess_up(), Some(gaitway_io::UpAxis::Y));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = trc::read("any.trc", &bytes);
    }

    #[test]
    fn damaged_files_are_survived(
        cut in 0..400_usize,
        damage in prop::collection::vec((0..400_usize, prop::sample::select(b"\t\n 0-9.eX#\xFF\0".to_vec())), 0..8),
    ) {
        let mut bytes = format!("{HEAD}{ROWS}").into_bytes();
        for (at, value) in damage {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = value;
            }
        }
        bytes.truncate(bytes.len().saturating_sub(cut));
        if let Ok(clip) = trc::read("any.trc", &bytes) {
            prop_assert_eq!(clip.positions.len(), clip.frames * clip.marker_count());
            prop_assert!(clip.positions.iter().all(|p| p.is_finite()));
        }
    }
}
