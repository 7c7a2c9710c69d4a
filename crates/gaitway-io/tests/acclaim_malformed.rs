//! Acclaim files that are wrong: more than twenty of each kind, with where and what the reader says.

use gaitway_core::WarningCode;
use gaitway_io::acclaim::{read_amc, read_asf};
use gaitway_io::{Place, ReadError};
use proptest::prelude::*;

const ASF: &str = "\
:units
  length 0.45
  angle deg
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name leg
    direction 0 -1 0
    length 5
    axis 0 0 20 XYZ
    dof rx ry rz
    limits (-160 20)
           (-70 70)
           (-60 70)
  end
  begin
    id 2
    name foot
    direction 0 0 1
    length 2
    axis 0 0 0 XYZ
    dof rx
  end
:hierarchy
  begin
    root leg
    leg foot
  end
";

const AMC: &str = "\
:FULLY-SPECIFIED
:DEGREES
1
root 0 1 2 3 4 5
leg 10 20 30
foot 5
2
root 0 1 2 3 4 5
leg 10 20 30
foot 5
3
root 0 1 2 3 4 5
leg 10 20 30
foot 5
";

fn with(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from:?}");
    text.replacen(from, to, 1)
}

/// Text, line, column (0, 0: the file as a whole), and a part of what the error says.
type Bad = (String, usize, usize, &'static str);

fn check(all: Vec<Bad>, read: impl Fn(&str) -> Option<ReadError>) {
    assert!(all.len() >= 20, "{}", all.len());
    let mut wrong = Vec::new();
    for (text, line, column, part) in all {
        let Some(error) = read(&text) else {
            wrong.push(format!("no error, should say: {part}"));
            continue;
        };
        let place = match &error {
            ReadError::Syntax { place, .. } => *place,
            _ => Place::Text { line: 0, column: 0 },
        };
        let found = error.to_string();
        if !found.contains(part) || place != (Place::Text { line, column }) {
            wrong.push(format!("{found}; should say {line}:{column}: {part}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn malformed_skeletons_say_where_and_what() {
    let w = |from: &str, to: &str| with(ASF, from, to);
    let all = vec![
        (
            String::new(),
            1,
            1,
            "expected a section `:bonedata`, found an empty file",
        ),
        (
            "# only this\n".into(),
            2,
            1,
            "expected a section `:bonedata`",
        ),
        (
            "HIERARCHY\n".into(),
            1,
            1,
            "expected a section such as `:units` or `:root`, found `HIERARCHY`",
        ),
        (
            AMC.into(),
            1,
            1,
            "expected a section of a skeleton, found `:FULLY-SPECIFIED`",
        ),
        (
            w(":bonedata", ":bones"),
            34,
            1,
            "expected a section `:bonedata`, found the end of the file",
        ),
        (
            w(":hierarchy", ":tree"),
            34,
            1,
            "expected a section `:hierarchy`",
        ),
        (
            w("length 0.45", "length 0"),
            2,
            10,
            "expected a number above 0 for `length`, found `0`",
        ),
        (
            w("length 0.45", "length -1"),
            2,
            10,
            "expected a number above 0 for `length`",
        ),
        (
            w("length 0.45", "length big"),
            2,
            10,
            "expected a number above 0 for `length`, found `big`",
        ),
        (
            w("angle deg", "angle turns"),
            3,
            9,
            "expected `deg` or `rad`, found `turns`",
        ),
        (
            w("  angle deg", "  angle"),
            3,
            8,
            "expected `deg` or `rad`, found the end of `:units`",
        ),
        (
            w("order TX TY TZ RX RY RZ", "order"),
            5,
            8,
            "expected channels such as TX TY TZ RX RY RZ",
        ),
        (
            w("order TX TY", "order TX TX"),
            5,
            12,
            "expected each channel once, found `TX`",
        ),
        (w("RX RY RZ", "RX RY RQ 5"), 5, 29, "is not read"),
        (
            w("axis XYZ\n  position", "axis XYY\n  position"),
            6,
            8,
            "expected an order of axes such as XYZ, found `XYY`",
        ),
        (
            w("position 0 0 0", "position 0 0"),
            8,
            3,
            "expected three numbers for `position`, found `orientation`",
        ),
        (
            w("orientation 0 0 0", "orientation 0 0"),
            8,
            18,
            "expected three angles for `orientation`, found the end of `:root`",
        ),
        (
            w("begin\n    id 1", "bone\n    id 1"),
            10,
            3,
            "expected `begin` of a bone, found `bone`",
        ),
        (
            w("    name leg\n", ""),
            10,
            3,
            "expected a `name`, found none before the `end` of a bone",
        ),
        (
            w("    length 5\n", ""),
            10,
            3,
            "expected a `length`, found none before the `end` of `leg`",
        ),
        (
            w("    direction 0 -1 0\n", ""),
            10,
            3,
            "expected a `direction`",
        ),
        (
            w("direction 0 -1 0", "direction 0 0 0"),
            13,
            5,
            "expected a direction that is not zero",
        ),
        (
            w("direction 0 -1 0", "direction 0 - 0"),
            13,
            17,
            "expected three numbers for `direction`, found `-`",
        ),
        (
            w("length 5", "length -5"),
            14,
            12,
            "expected a length of 0 or more, found `-5`",
        ),
        (
            w("length 5", "length nan"),
            14,
            12,
            "expected a length of 0 or more, found `nan`",
        ),
        (
            w("axis 0 0 20 XYZ", "axis 0 0 20 ABC"),
            15,
            17,
            "expected an order of axes such as XYZ, found `ABC`",
        ),
        (
            w("axis 0 0 20 XYZ", "axis 0 0 XYZ"),
            15,
            14,
            "expected three angles for `axis`, found `XYZ`",
        ),
        (
            w("dof rx ry rz", "dof rx rq"),
            16,
            12,
            "expected channels out of rx ry rz tx ty tz l, found `rq`",
        ),
        (
            w("dof rx ry rz", "dof rx rx"),
            16,
            12,
            "expected each channel once, found `rx`",
        ),
        (
            w("(-60 70)", "(-60)"),
            20,
            3,
            "expected the upper limit, found `end`",
        ),
        (
            w("(-60 70)\n  end", "(-60 70)"),
            20,
            3,
            "expected `end` of the bone before, found `begin`",
        ),
        (
            w("dof rx\n  end", "dof rx"),
            27,
            11,
            "expected `end` of the bone, found the end of `:bonedata`",
        ),
        (
            w("name foot", "name LEG"),
            23,
            10,
            "expected a name that no other bone has, found `LEG`",
        ),
        (
            w("name foot", "name root"),
            23,
            10,
            "expected a name that no other bone has",
        ),
        (
            w("root leg", "root arm"),
            31,
            10,
            "expected `root` or a bone of `:bonedata`, found `arm`",
        ),
        (
            w("leg foot", "leg foot foot"),
            32,
            14,
            "expected each bone below one parent only, found `foot`",
        ),
        (
            w("leg foot", "leg root"),
            32,
            9,
            "expected each bone below one parent only, found `root`",
        ),
        (
            w("root leg\n    leg foot", "foot leg\n    leg foot"),
            0,
            0,
            "is not connected to the root",
        ),
        (
            w(":hierarchy", ":root\n:hierarchy"),
            29,
            1,
            "expected each section once, found `:root`",
        ),
    ];
    // A word that is no channel ends `order`; it is a warning, and the number after it goes with its line.
    let (odd, all): (Vec<Bad>, Vec<Bad>) = all.into_iter().partition(|b| b.3 == "is not read");
    for (text, ..) in odd {
        let asf = read_asf("odd.asf", text.as_bytes()).unwrap();
        assert!(asf.warnings.has(WarningCode::LeftOut));
    }
    check(all, |text| read_asf("bad.asf", text.as_bytes()).err());
}

#[test]
fn odd_skeletons_are_told() {
    let odd = [
        (":units", ":skin a.obj\n:units", WarningCode::LeftOut),
        ("  order TX TY TZ RX RY RZ\n", "", WarningCode::Unusual),
        ("    axis 0 0 20 XYZ\n", "", WarningCode::Unusual),
        ("direction 0 -1 0", "direction 0 -2 0", WarningCode::Unusual),
        ("           (-60 70)\n", "", WarningCode::Unusual),
        ("    leg foot\n", "", WarningCode::LeftOut),
        ("    id 1\n", "    colour red\n", WarningCode::LeftOut),
        ("position 0 0 0", "position 0 1 0", WarningCode::Unusual),
    ];
    for (from, to, code) in odd {
        let asf = read_asf("odd.asf", with(ASF, from, to).as_bytes()).unwrap();
        assert!(asf.warnings.has(code), "{from:?}: {:?}", asf.warnings);
    }
    // No unit at all: told later, from the body's size.
    let asf = read_asf("odd.asf", with(ASF, "  length 0.45\n", "").as_bytes()).unwrap();
    assert_eq!(asf.unit_m, None);
}

#[test]
fn malformed_motions_say_where_and_what() {
    let asf = read_asf("good.asf", ASF.as_bytes()).unwrap();
    let w = |from: &str, to: &str| with(AMC, from, to);
    let all = vec![
        (String::new(), 0, 0, "the motion has no frames"),
        (":DEGREES\n".into(), 0, 0, "the motion has no frames"),
        (ASF.into(), 1, 1, "expected a motion, found `:units`"),
        (
            w("1\n", ""),
            3,
            1,
            "expected a keyword or the number of the first frame, found `root`",
        ),
        (
            w("leg 10 20 30", "leg 10 20"),
            5,
            10,
            "expected 3 values (rx ry rz), found 2",
        ),
        (
            w("leg 10 20 30", "leg"),
            5,
            4,
            "expected 3 values (rx ry rz), found none",
        ),
        (
            w("leg 10 20 30", "leg 10 20 30 40"),
            5,
            14,
            "expected 3 values (rx ry rz), found 4",
        ),
        (w("leg 10 20 30", "leg 10 20 30 40 50"), 5, 14, "found 5"),
        (
            w("foot 5", "foot 5 6"),
            6,
            8,
            "expected 1 value (rx), found 2",
        ),
        (
            w("foot 5", "foot"),
            6,
            5,
            "expected 1 value (rx), found none",
        ),
        (
            w("root 0 1 2 3 4 5", "root 0 1 2"),
            4,
            11,
            "expected 6 values (tx ty tz rx ry rz), found 3",
        ),
        (
            w("leg 10 20 30", "leg 10 x 30"),
            5,
            8,
            "expected a number for ry, found `x`",
        ),
        (
            w("leg 10 20 30", "leg 10 20 nan"),
            5,
            11,
            "expected a number for rz, found `nan`",
        ),
        (
            w("leg 10 20 30", "leg 10 20 -inf"),
            5,
            11,
            "expected a number for rz, found `-inf`",
        ),
        (
            w("leg 10 20 30", "leg 10 20 1e300"),
            5,
            11,
            "expected a number for rz, found `1e300`",
        ),
        (
            w("leg 10 20 30", "leg 10 20 3,0"),
            5,
            11,
            "expected a number for rz, found `3,0`",
        ),
        (
            w("leg 10", "arm 10"),
            5,
            1,
            "expected `root` or a bone of the skeleton, found `arm`",
        ),
        (
            w("foot 5\n2", "leg 10 20 30\n2"),
            6,
            1,
            "expected each bone once in a frame, found `leg`",
        ),
        (
            w("foot 5\n3", "3"),
            10,
            1,
            "expected `foot` of frame 2, which begins in line 7, found `3`",
        ),
        (
            w("\n2\n", "\n1\n"),
            7,
            1,
            "expected a frame number above 1, found `1`",
        ),
        (
            w("\n3\n", "\n1\n"),
            11,
            1,
            "expected a frame number above 2, found `1`",
        ),
        (
            w("\n2\n", "\n2 3\n"),
            7,
            3,
            "expected a frame number alone in its line, found `3`",
        ),
        (
            w("\n2\n", "\n99999999999999999999\n"),
            7,
            1,
            "expected a frame number, found `99999999999999999999`",
        ),
        (
            w("\n2\n", "\n-2\n"),
            7,
            1,
            "expected `root` or a bone of the skeleton, found `-2`",
        ),
        (
            w("\n2\n", "\n:RADIANS\n2\n"),
            7,
            1,
            "expected a bone or a frame number, found `:RADIANS`",
        ),
        (
            w(":DEGREES", ":SAMPLES-PER-SECOND"),
            2,
            20,
            "expected a rate in frames a second, found the end of the line",
        ),
        (
            w(":DEGREES", ":SAMPLES-PER-SECOND 0"),
            2,
            21,
            "expected a rate in frames a second, found `0`",
        ),
        (
            "1\nroot 0 0".into(),
            2,
            9,
            "expected 6 values (tx ty tz rx ry rz), found 2",
        ),
        (
            "HIERARCHY\nROOT Hips\n".into(),
            1,
            1,
            "expected a keyword or the number of the first frame",
        ),
        (
            "1\n\u{0}\nä 5\n".into(),
            3,
            1,
            "expected `root` or a bone of the skeleton, found `ä`",
        ),
    ];
    check(all, |text| read_amc("bad.amc", text.as_bytes(), &asf).err());
}

/// Thousands of bones under a motion that lists none of them do not fill the memory.
#[test]
fn growth_is_bounded() {
    let mut text = String::from(":bonedata\n");
    for i in 0..4000 {
        text += &format!("begin name b{i} length 0 end\n");
    }
    text += ":hierarchy\nroot";
    for i in 0..4000 {
        text += &format!(" b{i}");
    }
    let asf = read_asf("many.asf", text.as_bytes()).unwrap();
    let motion: String = (1..100_000).map(|f| format!("{f}\n")).collect();
    let error = read_amc("many.amc", motion.as_bytes(), &asf).unwrap_err();
    assert!(error.to_string().contains("far more than"), "{error}");
}

fn damaged(good: &str, damage: &[(usize, u8)], cut: usize) -> Vec<u8> {
    let mut bytes = good.as_bytes().to_vec();
    for &(at, value) in damage {
        if let Some(byte) = bytes.get_mut(at) {
            *byte = value;
        }
    }
    bytes.truncate(bytes.len().saturating_sub(cut));
    bytes
}

fn damage() -> impl Strategy<Value = Vec<(usize, u8)>> {
    let bytes = b"\t\n 0-9.eX#:()\xFF\0".to_vec();
    prop::collection::vec((0..700_usize, prop::sample::select(bytes)), 0..8)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let asf = read_asf("good.asf", ASF.as_bytes()).unwrap();
        let _ = read_asf("any.asf", &bytes);
        let _ = read_amc("any.amc", &bytes, &asf);
    }

    #[test]
    fn damaged_files_are_survived(in_asf in damage(), in_amc in damage(), cut in 0..300_usize) {
        let asf = read_asf("good.asf", ASF.as_bytes()).unwrap();
        let asf = read_asf("any.asf", &damaged(ASF, &in_asf, cut / 10)).unwrap_or(asf);
        if let Ok(clip) = read_amc("any.amc", &damaged(AMC, &in_amc, cut), &asf) {
            prop_assert_eq!(clip.rotations.len(), clip.root.len() * clip.joints.len());
            prop_assert!(clip.rotations.iter().all(|q| q.is_normalized()));
            prop_assert!(clip.joints.iter().all(|j| j.offset.is_finite()));
        }
    }
}
