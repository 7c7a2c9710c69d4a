//! C3D: real trials, one trial in six encodings, and files made here.

mod c3d_support;

use c3d_support::{Encoding, Machine, Made};
use gaitway_core::WarningCode;
use gaitway_core::testing::data_dir;
use gaitway_io::markers::{MarkerClip, c3d};
use gaitway_io::{Place, ReadError, UpAxis, bvh};
use glam::DVec3;
use proptest::prelude::*;

fn read(path: &std::path::Path) -> MarkerClip {
    let name = path.display().to_string();
    c3d::read(&name, &std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn made_files_read_alike_in_every_encoding() {
    for machine in [Machine::Intel, Machine::Dec, Machine::Sgi] {
        for float in [false, true] {
            let made = Made {
                encoding: Encoding { machine, float },
                ..Made::default()
            };
            let clip = c3d::read("made.c3d", &made.bytes()).unwrap();
            assert_eq!(clip.names, ["LTOE", "*2", "LTOE 2"]);
            assert_eq!((clip.frames, clip.frames_in_file), (5, 5));
            assert_eq!((clip.rate_hz, clip.unit_m), (60.0, 0.001));
            assert_eq!(clip.up, Some(UpAxis::Z));
            for frame in 0..5 {
                for marker in 0..3 {
                    let expected = made.place(frame, marker).map(|p| p * 0.001);
                    let found = clip.at(frame, marker);
                    assert_eq!(found.is_some(), expected.is_some());
                    if let (Some(a), Some(b)) = (found, expected) {
                        assert!(a.distance(b) < 1e-9, "{a} {b}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_cut_trial_keeps_its_whole_frames() {
    let made = Made::default();
    let mut bytes = made.bytes();
    // The data is padded to a block: cut into the last frame itself.
    bytes.truncate(made.data_start() + 4 * made.frame_bytes() + 3);
    let clip = c3d::read("cut.c3d", &bytes).unwrap();
    assert_eq!((clip.frames, clip.frames_in_file), (4, 5));
    assert!(clip.warnings.has(WarningCode::FrameCount));
}

#[test]
fn errors_say_where() {
    let good = Made::default().bytes();
    let error = |bytes: &[u8]| c3d::read("bad.c3d", bytes).unwrap_err();
    let at = |bytes: &[u8]| match error(bytes) {
        ReadError::Syntax { place, .. } => place,
        other => panic!("{other}"),
    };
    let with = |at: usize, value: u8| {
        let mut bytes = good.clone();
        bytes[at] = value;
        bytes
    };
    assert_eq!(at(&good[..100]), Place::Offset(0));
    assert_eq!(at(&with(1, 0)), Place::Offset(1));
    assert_eq!(at(&with(0, 0)), Place::Offset(0));
    assert_eq!(at(&with(0, 200)), Place::Offset(199 * 512));
    assert_eq!(at(&good[..512]), Place::Offset(512));
    assert_eq!(
        at(&good[..Made::default().data_start() + 3]),
        Place::Offset(1024)
    );
    let mut empty = good.clone();
    empty[2..4].fill(0);
    assert!(error(&empty).to_string().contains("no points"));
    let text = error(&with(1, 0x51)).to_string();
    assert_eq!(
        text,
        "bad.c3d at byte 1: expected 0x50, the mark of a C3D file, found 0x51"
    );
}

#[test]
fn oddities_are_told() {
    let mut bytes = Made::default().bytes();
    bytes[512 + 3] = 1; // no machine we know
    let clip = c3d::read("odd.c3d", &bytes).unwrap();
    assert!(
        clip.warnings
            .iter()
            .any(|w| w.message.contains("byte order 1 is unknown"))
    );
    let made = Made {
        unit: "furlongs",
        up: "-Z",
        rate_hz: 0.0,
        ..Made::default()
    };
    let clip = c3d::read("odd.c3d", &made.bytes()).unwrap();
    assert_eq!((clip.up, clip.rate_hz, clip.unit_m), (None, 100.0, 0.001));
    assert!(clip.warnings.has(WarningCode::UnitGuessed));
    assert!(clip.warnings.has(WarningCode::RenamedJoints));
}

#[test]
fn long_trials_count_past_sixteen_bits() {
    let made = Made {
        frames: 70_000,
        ..Made::default()
    };
    let clip = c3d::read("long.c3d", &made.bytes()).unwrap();
    assert_eq!(clip.frames, 70_000);
    assert!(!clip.warnings.has(WarningCode::FrameCount));
}

#[test]
fn six_encodings_of_one_trial_agree() {
    let Some(data) = data_dir() else { return };
    let folder = data.join("c3d/encodings");
    let first = read(&folder.join("pc_real.c3d"));
    // Integers are steps of 0.28 mm.
    let others = [
        ("Dec_real.c3d", 1e-6),
        ("sgi_real.c3d", 1e-6),
        ("pc_int.c3d", 0.3),
        ("DEC_INT.C3D", 0.3),
        ("sgi_int.c3d", 0.3),
    ];
    for (name, tolerance_mm) in others {
        let clip = read(&folder.join(name));
        assert_eq!(clip.names, first.names);
        assert_eq!(clip.visible, first.visible);
        assert_eq!(
            (clip.rate_hz, clip.frames, clip.up),
            (50.0, 89, Some(UpAxis::Z))
        );
        assert!(clip.warnings.is_empty(), "{name}: {:?}", clip.warnings);
        let pairs = clip.positions.iter().zip(&first.positions);
        let most = pairs.fold(0.0_f64, |m, (a, b)| m.max((*a - *b).abs().max_element()));
        assert!(most * 1e3 < tolerance_mm, "{name}: {} mm", most * 1e3);
    }
}

#[test]
fn real_trials_have_their_counts() {
    let Some(data) = data_dir() else { return };
    let expected = [
        ("c3d/PiG_Motion-FlatFoot-Full.c3d", 193, 315, 100.0, 6048),
        ("c3d/PiG_Calibration-FlatFoot-Full.c3d", 137, 94, 100.0, 0),
        ("c3d/FunctionalLHip.c3d", 74, 1577, 120.0, 59_926),
        ("c3d/walking2.c3d", 44, 1249, 250.0, 27_567),
        ("c3d/Dance.c3d", 40, 499, 65.05, 0),
        ("cmu-three-formats/01_01.c3d", 42, 2751, 120.0, 2773),
    ];
    for (name, markers, frames, rate_hz, gaps) in expected {
        let clip = read(&data.join(name));
        assert_eq!(
            (clip.marker_count(), clip.frames),
            (markers, frames),
            "{name}"
        );
        assert!((clip.rate_hz - rate_hz).abs() < 0.01, "{name}");
        assert_eq!(clip.gap_count(), gaps, "{name}");
        assert_eq!(clip.up, Some(UpAxis::Z), "{name}");
        // The dance is recorded with x up, whatever its parameters say.
        let is_dance = name.ends_with("Dance.c3d");
        assert_eq!(
            clip.guess_up(),
            Some(if is_dance { UpAxis::X } else { UpAxis::Z }),
            "{name}"
        );
        assert_eq!(clip.warnings.has(WarningCode::Unusual), is_dance, "{name}");
    }
}

/// The four waist markers of 01_01 lie around the hips of its BVH.
#[test]
fn waist_markers_lie_about_the_root() {
    let Some(data) = data_dir() else { return };
    let folder = data.join("cmu-three-formats");
    let clip = read(&folder.join("01_01.c3d")).into_y_up(UpAxis::Z);
    let (raw, _) = bvh::read(
        "01_01.bvh",
        &std::fs::read(folder.join("01_01.bvh")).unwrap(),
    )
    .unwrap();
    let unit_m = 0.0254 / 0.45;
    let waist = ["LFWT", "RFWT", "LBWT", "RBWT"].map(|m| clip.find(m).unwrap());
    let (mut sum, mut seen) = (DVec3::ZERO, 0);
    for frame in 0..clip.frames {
        let places: Vec<DVec3> = waist.iter().filter_map(|&m| clip.at(frame, m)).collect();
        if places.len() == 4 {
            // Frame 0 of the BVH is a T-pose.
            let centre = places.iter().sum::<DVec3>() / 4.0;
            sum += centre - raw.root[frame + 1] * unit_m;
            seen += 1;
        }
    }
    let off_mm = sum / f64::from(seen) * 1e3;
    assert!(seen > 2700, "{seen}");
    assert!(off_mm.x.hypot(off_mm.z) < 2.0, "{off_mm}");
    assert!((off_mm.y - 19.0).abs() < 1.0, "{off_mm}");
}

/// What a reader may take: names and a few arrays per sample the file really has.
fn check_bounds(bytes: &[u8]) {
    if let Ok(clip) = c3d::read("any.c3d", bytes) {
        assert!(clip.positions.len() * 8 <= bytes.len());
        assert_eq!(clip.positions.len(), clip.frames * clip.marker_count());
        assert_eq!(clip.positions.len(), clip.visible.len());
        assert!(clip.positions.iter().all(|p| p.is_finite()));
        assert!(clip.rate_hz > 0.0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_survived(mut bytes in prop::collection::vec(any::<u8>(), 0..3000)) {
        check_bounds(&bytes);
        if bytes.len() > 2 {
            (bytes[0], bytes[1]) = (2, 0x50);
            check_bounds(&bytes);
        }
    }

    #[test]
    fn damaged_files_are_survived(
        machine in 0..3_usize, float: bool, cut in 0..2000_usize,
        damage in prop::collection::vec((0..1100_usize, any::<u8>()), 0..20),
    ) {
        let machine = [Machine::Intel, Machine::Dec, Machine::Sgi][machine];
        let made = Made { encoding: Encoding { machine, float }, ..Made::default() };
        let mut bytes = made.bytes();
        for (at, value) in damage {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = value;
            }
        }
        bytes.truncate(bytes.len().saturating_sub(cut));
        check_bounds(&bytes);
    }
}

#[test]
fn damaged_real_trials_are_survived() {
    let Some(data) = data_dir() else { return };
    for name in ["pc_int.c3d", "Dec_real.c3d", "sgi_real.c3d"] {
        let good = std::fs::read(data.join("c3d/encodings").join(name)).unwrap();
        // A small generator of our own: the same damage in every run.
        let mut state = 0x2545_F491_4F6C_DD1D_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as usize
        };
        for _ in 0..300 {
            let mut bytes = good.clone();
            for _ in 0..=next() % 30 {
                // The header and parameters, where damage matters most.
                let at = next() % 8192.min(bytes.len());
                bytes[at] = next() as u8;
            }
            bytes.truncate(next() % (good.len() + 1));
            check_bounds(&bytes);
        }
    }
}
