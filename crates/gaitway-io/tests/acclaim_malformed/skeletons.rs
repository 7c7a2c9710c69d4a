//! Skeletons (ASF).

use gaitway_core::WarningCode;
use gaitway_io::acclaim::read_asf;

use super::{AMC, ASF, Bad, check, with};

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
