//! Motions (AMC).

use gaitway_io::acclaim::{read_amc, read_asf};

use super::{AMC, ASF, check, with};

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
