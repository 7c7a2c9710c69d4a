//! Malformed BVH files: each gives an error with its place, what was expected, and what was found.

use gaitway_io::{Place, ReadError, bvh};

const HEAD: &str =
    "HIERARCHY\nROOT Hips\n{\n  OFFSET 0 0 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n";

/// Reads a file that must fail, and gives the message, the place and the hint.
fn fails(text: &str) -> (String, Option<(usize, usize)>, String) {
    let error = bvh::read("bad.bvh", text.as_bytes()).expect_err(text);
    let place = match &error {
        ReadError::Syntax {
            place: Place::Text { line, column },
            ..
        } => Some((*line, *column)),
        _ => None,
    };
    (
        error.to_string(),
        place,
        error.hint().unwrap_or_default().to_owned(),
    )
}

#[track_caller]
fn check(text: &str, place: (usize, usize), message: &[&str]) {
    let (found, at, hint) = fails(text);
    assert_eq!(at, Some(place), "{found}");
    assert!(
        found.starts_with(&format!("bad.bvh:{}:{}: expected ", place.0, place.1)),
        "{found}"
    );
    for part in message {
        assert!(
            found.contains(part) || hint.contains(part),
            "no `{part}` in: {found} ({hint})"
        );
    }
}

fn motion(rest: &str) -> String {
    format!("{HEAD}}}\nMOTION\n{rest}")
}

#[test]
fn what_is_no_bvh_at_all() {
    check("", (1, 1), &["`HIERARCHY`", "the end of the file"]);
    check(
        "\n\n  hello world",
        (3, 3),
        &["`HIERARCHY`", "`hello`", "another kind of file"],
    );
    check("# comment\nHIERARCHY", (1, 1), &["`#`"]);
    check(":ASF\n:units", (1, 1), &["`:ASF`"]);
    let (found, ..) = fails("\u{feff}");
    assert!(found.contains("1:1"), "{found}");
    let error = bvh::read("bad.bvh", b"\xFF\xFEH\0I\0").unwrap_err();
    assert!(
        error.to_string().contains("UTF-16") && error.hint().is_some(),
        "{error}"
    );
    let error = bvh::read("bad.bvh", &[0x89, b'P', b'N', b'G', 0xFF]).unwrap_err();
    assert!(error.to_string().contains("1:1"), "{error}");
}

#[test]
fn trees_that_do_not_close_or_open() {
    check("HIERARCHY\n", (2, 1), &["`ROOT`", "the end of the file"]);
    check("HIERARCHY\nMOTION\n", (2, 1), &["`ROOT`", "`MOTION`"]);
    check("HIERARCHY\nJOINT a\n{", (2, 1), &["`ROOT`", "`JOINT`"]);
    check("HIERARCHY\nROOT\n{\n", (2, 5), &["the joint's name", "`{`"]);
    check(
        "HIERARCHY\nROOT Hips\nOFFSET 0 0 0",
        (3, 1),
        &["`{`", "`OFFSET`"],
    );
    check(
        HEAD,
        (6, 1),
        &["`}`", "the end of the file", "joint `Hips` are not closed"],
    );
    check(
        &format!("{HEAD}MOTION\nFrames: 1\n"),
        (6, 1),
        &["`MOTION`", "not closed"],
    );
    check(
        &format!("{HEAD}}}\n}}\nMOTION\n"),
        (7, 1),
        &["`MOTION`", "`}`", "one closing brace too many"],
    );
    check(
        &format!("{HEAD}}}\nJOINT b\n{{\n"),
        (7, 1),
        &["`JOINT`", "closed too early"],
    );
    check(&format!("{HEAD}JOINT b\n}}\n"), (7, 1), &["`{`", "`}`"]);
}

#[test]
fn joints_that_say_strange_things() {
    let joint = |lines: &str| format!("HIERARCHY\nROOT Hips\n{{\n{lines}\n}}\n");
    check(
        &joint("OFFSET 0 0"),
        (5, 1),
        &["a number of `OFFSET`", "`}`"],
    );
    check(
        &joint("OFFSET 0 zero 0"),
        (4, 10),
        &["a number of `OFFSET`", "`zero`"],
    );
    check(
        &joint("OFFSET 0 nan 0"),
        (4, 10),
        &["`nan`", "export the clip again"],
    );
    check(
        &joint("OFFSET 0,5 0 0"),
        (4, 8),
        &["`0,5`", "a point, not a comma"],
    );
    check(&joint("OFFSET 0 0 1e999"), (4, 12), &["`1e999`"]);
    check(
        &joint("OFFSET 0 0 0 0"),
        (4, 14),
        &["`OFFSET`, `CHANNELS`", "`0`"],
    );
    check(
        &joint("OFFSET 0 0 0\nOFFSET 0 0 0"),
        (5, 1),
        &["one `OFFSET`"],
    );
    check(
        &joint("CHANNELS x Xrotation"),
        (4, 10),
        &["the number of channels", "`x`"],
    );
    check(
        &joint("CHANNELS -1"),
        (4, 10),
        &["a whole number of channels", "`-1`"],
    );
    check(&joint("CHANNELS 2.5 Xrotation"), (4, 10), &["`2.5`"]);
    check(
        &joint("CHANNELS 99999999999 Xrotation"),
        (4, 10),
        &["0 to 32"],
    );
    check(
        &joint("CHANNELS 2 Xrotation Wrotation"),
        (4, 22),
        &["channel 2 of 2", "`Wrotation`"],
    );
    check(
        &joint("CHANNELS 3 Xrotation Yrotation"),
        (5, 1),
        &["channel 3 of 3", "`}`"],
    );
    check(
        &joint("CHANNELS 1 Xrotation Yrotation"),
        (4, 22),
        &["`Yrotation`", "more channels", "the 1 that"],
    );
    check(
        &joint("CHANNELS 2 Xposition xPosition"),
        (4, 22),
        &["not listed before"],
    );
    check(
        &joint("CHANNELS 1 Xrotation\nCHANNELS 1 Yrotation"),
        (5, 1),
        &["one `CHANNELS`"],
    );
    check(
        &joint("JOINT a\n{\n}\nCHANNELS 1 Xrotation"),
        (7, 1),
        &["before its children"],
    );
    check(
        &joint("End Site\n{\nCHANNELS 3 Xrotation\n}"),
        (6, 1),
        &["`OFFSET`"],
    );
    check(
        &joint("End Site\n{\nOFFSET 0 0 0\nJOINT b"),
        (7, 1),
        &["`}`", "`JOINT`"],
    );
    check(
        &joint("FOO 1 2 3"),
        (4, 1),
        &["`OFFSET`, `CHANNELS`, `JOINT`", "`FOO`"],
    );
}

#[test]
fn headers_that_are_missing_or_wrong() {
    check(&motion(""), (8, 1), &["`Frames:`", "the end of the file"]);
    check(&motion("1 2 3\n"), (8, 1), &["`Frames:`", "`1`"]);
    check(
        &motion("Frames: many\n"),
        (8, 9),
        &["a whole number", "`many`"],
    );
    check(&motion("Frames: -3\n"), (8, 9), &["`-3`"]);
    check(&motion("Frames: 1.5\n"), (8, 9), &["`1.5`"]);
    check(
        &motion("Frames: 1\n0 0 0\n"),
        (9, 1),
        &["`Frame Time:`", "`0`"],
    );
    check(
        &motion("Frames: 1\nFrame Rate: 30\n"),
        (9, 7),
        &["`Time:`", "`Rate:`"],
    );
    check(
        &motion("Frames: 1\nFrame Time:\n"),
        (10, 1),
        &["the seconds from frame to frame"],
    );
    check(
        &motion("Frames: 1\nFrame Time: fast\n"),
        (9, 13),
        &["`fast`"],
    );
    check(
        &motion("Frames: 1\nFrame Time: -0.03\n"),
        (9, 13),
        &["`-0.03`", "1 divided by"],
    );
    check(
        &motion("Frames: 1\nFrame Time: 1e-300\n"),
        (9, 13),
        &["`1e-300`"],
    );
    check(&motion("Frames: 1\nFrame Time: inf\n"), (9, 13), &["`inf`"]);
}

#[test]
fn frames_with_something_else_than_their_numbers() {
    let frames = |lines: &str| motion(&format!("Frames: 3\nFrame Time: 0.01\n{lines}"));
    check(
        &frames("0 0 0\n0 x 0\n0 0 0\n"),
        (11, 3),
        &["a number of frame 2", "`x`"],
    );
    check(
        &frames("0 0 0\n0 nan 0\n0 0 0\n"),
        (11, 3),
        &["`nan`", "export"],
    );
    check(
        &frames("0 0 0\n0 0 -1.#IND\n0 0 0\n"),
        (11, 5),
        &["`-1.#IND`", "export"],
    );
    check(&frames("0 0 0\n0 0 inf"), (11, 5), &["`inf`"]);
    check(&frames("0 0 0\n0,5 0 0\n"), (11, 1), &["`0,5`", "comma"]);
    check(
        &frames("0 0 0\n0 0\n0 0 0\n"),
        (11, 4),
        &[
            "3 values in frame 2",
            "the end of the line after 2",
            "CHANNELS",
        ],
    );
    check(
        &frames("0 0 0\n0 0 0 0\n0 0 0\n"),
        (11, 7),
        &["the end of the line", "`0`", "CHANNELS"],
    );
    check(
        &frames("0 0 0 0\n0 0 0 0\n"),
        (10, 7),
        &["the end of the line after the 3 values of frame 1"],
    );
    check(
        &frames("0 0\n0 0\n0 0\n"),
        (10, 4),
        &["3 values in frame 1", "after 2"],
    );
    check(&frames("0 0 0\n}\n0 0 0\n"), (11, 1), &["`}`"]);
    check(&frames("0 0 1e999\n"), (10, 5), &["`1e999`"]);
    check(&frames("0 0 0x10\n0 0 0\n"), (10, 5), &["`0x10`"]);
    check(&frames("0 0 1.2.3\n0 0 0\n"), (10, 5), &["`1.2.3`"]);
    check(&frames("0 0 --1 \n0 0 0\n"), (10, 5), &["`--1`"]);
}

#[test]
fn places_hold_for_every_line_end_and_for_letters_of_two_bytes() {
    for end in ["\n", "\r\n", "\r"] {
        let text = motion("Frames: 1\nFrame Time: 0.01\n0 bad 0\n").replace('\n', end);
        check(&text, (10, 3), &["`bad`"]);
    }
    check("HIERARCHY\nROOT Hüfte {{", (2, 13), &["`{`"]);
    check("\u{feff}HIERARCHY x", (1, 11), &["`x`"]);
}

#[test]
fn readable_but_without_motion() {
    for text in [
        motion("Frames: 0\nFrame Time: 0.01\n"),
        motion("Frames: 5\nFrame Time: 0.01\n"),
        motion("Frames: 5\nFrame Time: 0.01\n0 0"),
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n}\nMOTION\nFrames: 999999999\nFrame Time: 0.01\n"
            .into(),
    ] {
        let (found, place, hint) = fails(&text);
        assert!(place.is_none() && !hint.is_empty(), "{found}");
    }
}

#[test]
fn a_small_file_cannot_ask_for_much_memory() {
    // A wrong count asks for nothing; many joints without channels times many frames are refused.
    let text = motion("Frames: 999999999999\nFrame Time: 0.01\n0 0 0\n");
    let (clip, _) = bvh::read("a.bvh", text.as_bytes()).unwrap();
    assert!(clip.rotations.capacity() < 64);
    let mut text = String::from("HIERARCHY\nROOT a\n{\nCHANNELS 1 Xrotation\n");
    for _ in 0..4000 {
        text += "JOINT b\n{\n}\n";
    }
    text += "}\nMOTION\nFrames: 100000\nFrame Time: 0.01\n";
    text += &"0\n".repeat(100_000);
    let (found, ..) = fails(&text);
    assert!(found.contains("memory"), "{found}");
    let too_many = format!("HIERARCHY\nROOT a\n{{\n{}", "JOINT b\n{\n".repeat(5000));
    let (found, ..) = fails(&too_many);
    assert!(found.contains("at most 4096 joints"), "{found}");
}
