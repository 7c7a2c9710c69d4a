//! Poses of a body model: read from what NumPy writes, written, read again; and files that are none of it.
#![allow(clippy::print_stdout, clippy::print_stderr)] // Measurements and skips must be seen.

mod support;

use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use gaitway_core::{Clip, WarningCode, fk};
use gaitway_io::{
    Format, Import, Layout, ReadOptions, UpAxis, WriteOptions, read_file, write_file,
};
use glam::{DVec3, Quat};
use support::{Dice, apart, damaged, python};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// One array as NumPy keeps it.
fn npy(kind: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.as_bytes());
    out.extend(data);
    out
}

fn doubles(shape: &str, values: &[f64]) -> Vec<u8> {
    let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
    npy("<f8", shape, &bytes)
}

fn zipped(arrays: &[(&str, Vec<u8>)], method: CompressionMethod) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(method);
    for (name, bytes) in arrays {
        zip.start_file(format!("{name}.npy"), options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A motion of so many frames and columns, as arrays.
fn arrays(frames: usize, columns: usize) -> Vec<(&'static str, Vec<u8>)> {
    let pose = |k: usize| 0.4 * ((k / columns) as f64 * 0.1 + (k % columns) as f64).sin();
    let poses: Vec<f64> = (0..frames * columns).map(pose).collect();
    let place = |k: usize| [0.01 * (k / 3) as f64, 0.2, 0.9][k % 3];
    let trans: Vec<f64> = (0..frames * 3).map(place).collect();
    vec![
        ("poses", doubles(&format!("({frames}, {columns})"), &poses)),
        ("trans", doubles(&format!("({frames}, 3)"), &trans)),
        ("mocap_framerate", doubles("()", &[60.0])),
        ("betas", doubles("(16,)", &[0.25; 16])),
        ("gender", npy("|S6", "()", b"female")),
    ]
}

fn as_read() -> ReadOptions {
    ReadOptions {
        keep_first_frame: true,
        keep_dropouts: true,
        ..ReadOptions::default()
    }
}

fn read_with(bytes: &[u8], options: &ReadOptions) -> Result<Import, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("walk_poses.npz");
    std::fs::write(&path, bytes).unwrap();
    match read_file(&path, options) {
        Ok(mut imports) => Ok(imports.remove(0)),
        Err(e) => {
            let hint = e.hint().unwrap_or("").to_owned();
            Err(format!("{e} | {hint}"))
        }
    }
}

fn read(bytes: &[u8]) -> Result<Import, String> {
    read_with(bytes, &as_read())
}

fn stored(arrays: &[(&str, Vec<u8>)]) -> Vec<u8> {
    zipped(arrays, CompressionMethod::Stored)
}

#[test]
fn every_model_is_read_and_written_back() {
    for (columns, joints) in [(66, 22), (72, 24), (156, 52), (159, 53), (165, 55)] {
        let packed = zipped(&arrays(30, columns), CompressionMethod::Deflated);
        let import = read(&packed).unwrap();
        assert_eq!(import.source.format, Format::Amass);
        assert_eq!(import.clip.joint_count(), joints);
        assert_eq!(
            (import.clip.frame_count(), import.clip.rate_hz()),
            (30, 60.0)
        );
        for code in [
            WarningCode::UpAxisTurned,
            WarningCode::BodyAssumed,
            WarningCode::LeftOut,
        ] {
            assert!(import.warnings.has(code), "{code}");
        }
        let plain = read(&stored(&arrays(30, columns))).unwrap();
        let same = import.clip.rotations() == plain.clip.rotations();
        assert!(same && import.clip.root() == plain.clip.root());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("back.npz");
        let options = WriteOptions {
            source: Some(&import.source),
            format: Some(Format::Amass),
            ..WriteOptions::default()
        };
        write_file(&path, &import.clip, &options).unwrap();
        let back = read_file(&path, &as_read()).unwrap().remove(0);
        let off = apart(&import.clip, &back.clip);
        println!("{joints} joints: {off:.2e} m");
        assert!(off < 1e-6);
        let (Layout::Amass(a), Layout::Amass(b)) = (&import.source.layout, &back.source.layout)
        else {
            panic!("poses have the layout of poses");
        };
        assert_eq!(a, b);
        assert_eq!(b.gender.as_deref(), Some("female"));
        assert_eq!(b.betas, [0.25; 16]);
    }
}

#[test]
fn the_stand_in_body_stands_as_tall_as_asked_and_faces_forwards() {
    let mut still = arrays(2, 165);
    still[0].1 = doubles("(2, 165)", &[0.0; 330]);
    for height in [1.2, 1.7, 2.05] {
        // At rest in a world with Y up nothing is turned.
        let options = ReadOptions {
            up: Some(UpAxis::Y),
            height_m: Some(height),
            ..as_read()
        };
        let import = read_with(&stored(&still), &options).unwrap();
        assert!(!import.warnings.has(WarningCode::UpAxisTurned));
        let points = fk::world_points(&import.clip);
        let heights = points.frame(0).iter().map(|p| p.y);
        let (low, high) = heights.fold((f64::MAX, f64::MIN), |(l, h), y| (l.min(y), h.max(y)));
        assert!(
            (high - low - height).abs() < 1e-3 * height,
            "{}",
            high - low
        );
        let skeleton = import.clip.skeleton();
        let at = |name: &str| points.at(0, skeleton.find(name).unwrap().index());
        assert!(at("left_foot").z > at("left_ankle").z + 0.05);
        assert!(at("left_wrist").x > at("left_hip").x + 0.4);
        let both = |name: &str| {
            let (l, r) = (at(&format!("left_{name}")), at(&format!("right_{name}")));
            assert!((l - r * DVec3::new(-1.0, 1.0, 1.0)).x.abs() < 1e-6 + 2.0 * at("pelvis").x);
            assert_eq!((l.y, l.z), (r.y, r.z));
        };
        ["knee", "elbow", "index3", "thumb2", "eye_smplhf"]
            .iter()
            .for_each(|n| both(n));
    }
    let tall = ReadOptions {
        height_m: Some(9.0),
        ..as_read()
    };
    let error = read_with(&stored(&still), &tall).unwrap_err();
    assert!(error.contains("a height of 0.3 to 3 m, found 9"), "{error}");
}

#[test]
fn newer_names_are_read_alike() {
    let whole = arrays(4, 165);
    let poses: Vec<f64> = whole[0].1[128..]
        .chunks_exact(8)
        .map(|c| f64::from_le_bytes(c.try_into().unwrap()))
        .collect();
    assert_eq!(poses.len(), 4 * 165);
    let part = |from: usize, to: usize| {
        let rows = poses
            .chunks_exact(165)
            .flat_map(|row| row[from..to].to_vec());
        doubles(&format!("(4, {})", to - from), &rows.collect::<Vec<_>>())
    };
    let mut parts = vec![
        ("root_orient", part(0, 3)),
        ("pose_body", part(3, 66)),
        ("pose_jaw", part(66, 69)),
        ("pose_eye", part(69, 75)),
        ("pose_hand", part(75, 165)),
        ("mocap_frame_rate", doubles("()", &[60.0])),
        (
            "surface_model_type",
            npy(
                "<U5",
                "()",
                &"smplx"
                    .chars()
                    .flat_map(|c| u32::from(c).to_le_bytes())
                    .collect::<Vec<_>>(),
            ),
        ),
    ];
    parts.extend(whole[1..2].to_vec());
    let (a, b) = (
        read(&stored(&whole)).unwrap(),
        read(&stored(&parts)).unwrap(),
    );
    assert_eq!(a.clip.rotations(), b.clip.rotations());
    assert_eq!(a.clip.skeleton(), b.clip.skeleton());
    parts.retain(|(name, _)| *name != "pose_hand");
    let error = read(&stored(&parts)).unwrap_err();
    assert!(
        error
            .contains("no body model has `root_orient`, `pose_body`, `pose_jaw`, `pose_eye` alone"),
        "{error}"
    );
}

#[test]
fn a_skeleton_of_the_users_own_gives_the_bones() {
    let folder = tempfile::tempdir().unwrap();
    let file = stored(&arrays(5, 66));
    let tall = ReadOptions {
        height_m: Some(1.9),
        ..as_read()
    };
    let import = read_with(&file, &tall).unwrap();
    // By a BVH with the models' names.
    let bvh = folder.path().join("body.bvh");
    write_file(&bvh, &import.clip, &WriteOptions::default()).unwrap();
    let with = |path: &Path| ReadOptions {
        skeleton: Some(path.to_owned()),
        ..as_read()
    };
    let by_bvh = read_with(&file, &with(&bvh)).unwrap();
    assert!(!by_bvh.warnings.has(WarningCode::BodyAssumed));
    let (a, b) = (
        fk::world_points(&import.clip),
        fk::world_points(&by_bvh.clip),
    );
    (0..22).for_each(|j| assert!(a.at(3, j).distance(b.at(3, j)) < 1e-5));
    // By rest places of the joints, the pelvis somewhere.
    let skeleton = import.clip.skeleton();
    let origin = DVec3::new(0.01, -0.2, 0.03);
    let mut places: Vec<DVec3> = Vec::new();
    for j in skeleton.joints() {
        let above = skeleton.parent(j);
        places.push(above.map_or(origin, |p| {
            places[p.index()] + skeleton.offset(j).as_dvec3()
        }));
    }
    let flat: Vec<f64> = places.iter().flat_map(|p| p.to_array()).collect();
    let npz = folder.path().join("body.npz");
    let bytes = stored(&[("joints", doubles("(22, 3)", &flat))]);
    std::fs::write(&npz, bytes).unwrap();
    let by_places = read_with(&file, &with(&npz)).unwrap();
    let moved = UpAxis::Z.to_y_up().as_dquat() * origin;
    let (a, b) = (
        fk::world_points(&import.clip),
        fk::world_points(&by_places.clip),
    );
    for j in 0..22 {
        assert!((a.at(3, j) + moved).distance(b.at(3, j)) < 1e-5);
    }
    // Written back, `trans` is what it was.
    let back = folder.path().join("back.npz");
    let options = WriteOptions {
        source: Some(&by_places.source),
        format: Some(Format::Amass),
        ..WriteOptions::default()
    };
    write_file(&back, &by_places.clip, &options).unwrap();
    let again = read_file(&back, &with(&npz)).unwrap().remove(0);
    assert!(apart(&again.clip, &by_places.clip) < 1e-6);
    // Other bodies are refused.
    let other = folder.path().join("other.bvh");
    let swing = gaitway_core::testing::swinging_clip("swing", 4, 30.0);
    write_file(&other, &swing, &WriteOptions::default()).unwrap();
    let error = read_with(&file, &with(&other)).unwrap_err();
    assert!(error.contains("has no joint `pelvis`"), "{error}");
}

#[test]
fn only_bodies_with_the_models_joints_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.npz");
    let options = WriteOptions {
        format: Some(Format::Amass),
        ..WriteOptions::default()
    };
    let refuse = |clip: &Clip| {
        let error = write_file(&path, clip, &options).unwrap_err();
        assert!(error.hint().unwrap().contains("retarget"));
        assert!(!path.exists());
        error.to_string()
    };
    let swing = gaitway_core::testing::swinging_clip("swing", 4, 30.0);
    assert!(refuse(&swing).contains("expected SMPL's joints, found no `pelvis`"));
    // The same body with its arms hanging at rest: rotations would mean something else.
    let import = read(&stored(&arrays(3, 66))).unwrap();
    let skeleton = import.clip.skeleton();
    let mut b = gaitway_core::Skeleton::builder();
    for j in skeleton.joints() {
        let name = skeleton.name(j);
        let mut offset = skeleton.offset(j);
        if name.ends_with("elbow") {
            offset = glam::Vec3::NEG_Y * offset.length();
        }
        match skeleton.parent(j) {
            None => b.root(name, offset),
            Some(p) => b.joint(name, p, offset),
        };
    }
    let rotations = vec![Quat::IDENTITY; 22];
    let hanging = Clip::new(
        "h",
        b.build().unwrap().shared(),
        30.0,
        vec![DVec3::Y],
        rotations,
    );
    let message = refuse(&hanging.unwrap());
    assert!(
        message.contains("`left_elbow` does not point to the left"),
        "{message}"
    );
}

#[test]
fn malformed_files_say_what_is_wrong_with_which_array() {
    let with = |name: &'static str, bytes: Vec<u8>| {
        let mut all = arrays(3, 66);
        all.retain(|(n, _)| *n != name);
        all.push((name, bytes));
        read(&stored(&all)).unwrap_err()
    };
    let without = |name: &str| {
        let mut all = arrays(3, 66);
        all.retain(|(n, _)| *n != name);
        read(&stored(&all)).unwrap_err()
    };
    for (found, expected) in [
        (without("trans"), "holds no array `trans`"),
        (
            without("mocap_framerate"),
            "holds no `mocap_framerate` or `mocap_frame_rate` | give the rate",
        ),
        (
            with("poses", doubles("(3, 70)", &[0.0; 210])),
            "expected `poses`: 66, 72, 156, 159 or 165 columns (SMPL, SMPL-H, SMPL-X), found 70",
        ),
        (
            with("poses", doubles("(0, 66)", &[])),
            "`poses` has no frames",
        ),
        (
            with("poses", doubles("(198,)", &[0.0; 198])),
            "expected `poses`: numbers, frames × 3 per joint, found the shape [198]",
        ),
        (
            with("trans", doubles("(2, 3)", &[0.0; 6])),
            "expected `trans`: 3 × 3, one row a frame of the poses, found 2 × 3",
        ),
        (
            with("trans", npy("<U1", "(3, 3)", &[65, 0, 0, 0].repeat(9))),
            "expected `trans`: numbers, frames × 3, found text",
        ),
        (
            with("poses", npy("|O", "(3, 66)", b"\x80\x04K\x01.")),
            "array `poses`: holds objects of Python",
        ),
        (
            with("poses", npy("<c16", "(3, 66)", &[])),
            "array `poses`: is of type `<c16`",
        ),
        (
            with("poses", npy("<f8", "(3, 66)", &[0; 100])),
            "array `poses`: holds 100 of 1584 bytes",
        ),
        (
            with("poses", npy("<f8", "(99999999999, 66)", &[0; 100])),
            "array `poses`: its shape (99999999999, 66) asks for more than the file's size justifies",
        ),
        (
            with("poses", npy("<f8", "(99999999999999, 99999999999)", &[])),
            "array `poses`: its shape is too large",
        ),
        (
            with("poses", npy("<f8", "(-3, 66)", &[])),
            "array `poses`: `-3` is no size",
        ),
        (
            with("poses", b"not an array".to_vec()),
            "array `poses`: is no NumPy array",
        ),
        (
            with("mocap_framerate", doubles("()", &[0.0])),
            "`mocap_framerate`: ",
        ),
        (
            with("mocap_framerate", npy("|O", "()", b"x")),
            "array `mocap_framerate`: holds objects of Python",
        ),
        (read(b"PK\x03\x04 no more").unwrap_err(), "is no zip file"),
        (
            read(&stored(&[("betas", doubles("(16,)", &[0.0; 16]))])).unwrap_err(),
            "expected poses of a body model (`poses`, `trans`), found `betas`",
        ),
    ] {
        assert!(
            found.contains(expected),
            "expected {expected}\n   found {found}"
        );
    }
    // What the motion does not need is only told.
    let mut all = arrays(3, 66);
    all.retain(|(n, _)| *n != "gender");
    all.push(("gender", npy("|O", "()", b"\x80\x04.")));
    let import = read(&stored(&all)).unwrap();
    let told: Vec<&str> = import.warnings.iter().map(|w| w.message.as_str()).collect();
    assert!(
        told.iter()
            .any(|m| m.contains("array `gender`: holds objects of Python")),
        "{told:?}"
    );
    // The rate may be given instead.
    let mut all = arrays(3, 66);
    all.retain(|(n, _)| *n != "mocap_framerate");
    let options = ReadOptions {
        source_fps: Some(100.0),
        ..as_read()
    };
    assert_eq!(
        read_with(&stored(&all), &options).unwrap().clip.rate_hz(),
        100.0
    );
}

#[test]
fn numbers_that_are_none_are_filled_and_told() {
    let mut all = arrays(4, 66);
    let mut poses = vec![0.1; 4 * 66];
    poses[2 * 66 + 5] = f64::NAN;
    all[0].1 = doubles("(4, 66)", &poses);
    let import = read(&stored(&all)).unwrap();
    assert!(import.warnings.has(WarningCode::GapsFilled));
    assert_eq!(
        import.clip.frame_rotations(1),
        import.clip.frame_rotations(2)
    );
}

#[test]
fn what_unpacks_to_more_than_it_may_is_refused_before_it_is_unpacked() {
    // Two gibibytes of zeros, as deflate packs them: a header that claims 2^28 numbers, and few bytes behind it.
    let mut bomb = npy("<f8", "(4067203, 66)", &[]);
    bomb.resize(4 << 20, 0);
    let mut all = arrays(3, 66);
    all[0].1 = bomb;
    let packed = zipped(&all, CompressionMethod::Deflated);
    assert!(packed.len() < 64 << 10);
    let error = read(&packed).unwrap_err();
    assert!(
        error.contains("more than the file's size justifies"),
        "{error}"
    );
    // And what claims little is unpacked no further than it claims.
    let mut long = npy("<f8", "(3, 66)", &[0; 1584]);
    long.resize(256 << 20, 0);
    all[0].1 = long;
    let import = read(&zipped(&all, CompressionMethod::Deflated)).unwrap();
    assert_eq!(import.clip.frame_count(), 3);
}

#[test]
fn our_arrays_and_sensors_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let ours = folder.path().join("ours.npz");
    let swing = gaitway_core::testing::swinging_clip("swing", 4, 30.0);
    write_file(&ours, &swing, &WriteOptions::default()).unwrap();
    let error = read_file(&ours, &as_read()).unwrap_err().to_string();
    assert!(error.contains("arrays of a clip for NumPy"), "{error}");
    let sensors = stored(&[
        ("positions", doubles("(1, 1, 3)", &[0.0; 3])),
        ("rotations", doubles("(1, 1, 4)", &[0.0, 0.0, 0.0, 1.0])),
    ]);
    let error = read(&sensors).unwrap_err();
    assert!(
        error.contains("holds sensors") && error.contains("calibrate"),
        "{error}"
    );
    let poses = folder.path().join("walk_poses.npz");
    std::fs::write(&poses, stored(&arrays(3, 66))).unwrap();
    let error = gaitway_io::read_sensors(&poses, None)
        .unwrap_err()
        .to_string();
    assert!(error.contains("poses of a body model"), "{error}");
    // Of a folder, poses alone are inputs.
    let shape = folder.path().join("shape.npz");
    std::fs::write(shape, stored(&[("betas", doubles("(1,)", &[0.0]))])).unwrap();
    let listed = gaitway_io::expand(&[folder.path().display().to_string()]).unwrap();
    let listed: Vec<PathBuf> = listed.into_iter().map(|i| i.path).collect();
    assert_eq!(listed, [poses]);
}

#[test]
fn damaged_files_are_survived() {
    let whole = [
        stored(&arrays(3, 66)),
        zipped(&arrays(3, 156), CompressionMethod::Deflated),
    ];
    let mut dice = Dice(5);
    for k in 0..600 {
        gaitway_io::fuzzing::amass(&damaged(&whole[k % 2], &mut dice));
    }
}

/// Poses written in many ways, and where a plain forward kinematics puts the joints.
const SCRIPT: &str = "
import sys, numpy as np
out = sys.argv[1]
rng = np.random.default_rng(7)
parents = [-1,0,0,0,1,2,3,4,5,6,7,8,9,9,9,12,13,14,16,17,18,19]
for wrist in (20, 21):
    for finger in range(5):
        parents += [wrist, len(parents), len(parents) + 1]
F, J = 11, 52
rest = rng.normal(size=(J, 3)) * 0.2
poses = rng.normal(size=(F, J * 3))
trans = rng.normal(size=(F, 3))
def turn(v):
    a = np.linalg.norm(v); k = v / a
    K = np.array([[0, -k[2], k[1]], [k[2], 0, -k[0]], [-k[1], k[0], 0]])
    return np.eye(3) + np.sin(a) * K + (1 - np.cos(a)) * K @ K
for f in range(F):
    R, P = [], []
    for j, p in enumerate(parents):
        r = turn(poses[f, 3*j:3*j+3])
        R.append(r if p < 0 else R[p] @ r)
        P.append(rest[0] + trans[f] if p < 0 else P[p] + R[p] @ (rest[j] - rest[p]))
    print(' '.join(repr(float(x)) for x in np.array(P).ravel()))
np.savez(out + '/body.npz', joints=rest)
common = dict(trans=trans, betas=np.zeros(16), dmpls=np.zeros((F, 8)))
np.savez(out + '/plain.npz', poses=poses, gender='female', mocap_framerate=120.0, **common)
np.savez_compressed(out + '/packed.npz', poses=poses, gender=np.array(b'male'), mocap_framerate=np.array(120), **common)
np.savez_compressed(out + '/fortran.npz', poses=np.asfortranarray(poses), gender=np.array('neutral'), mocap_framerate=np.int64(120), **common)
np.savez(out + '/single.npz', poses=poses.astype(np.float32), gender='female', mocap_framerate=np.float32(120), **common)
np.savez(out + '/big.npz', poses=poses.astype('>f8'), gender='female', mocap_framerate=np.uint8(120), **common)
np.savez(out + '/cube.npz', poses=poses.reshape(F, J, 3), gender='female', mocap_frame_rate=120.0, **common)
np.savez(out + '/pickled.npz', poses=poses, gender=np.array('female', dtype=object), mocap_framerate=120.0, **common)
np.savez_compressed(out + '/parts.npz', root_orient=poses[:, :3], pose_body=poses[:, 3:66], pose_hand=poses[:, 66:], gender='female', mocap_frame_rate=120.0, surface_model_type='smplh', **common)
";

#[test]
fn what_numpy_writes_stands_where_plain_kinematics_puts_it() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let run = |script: &str| {
        let out = Command::new(&python)
            .args(["-c", script])
            .arg(folder.path())
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "{told}");
        String::from_utf8(out.stdout).unwrap()
    };
    let text = run(SCRIPT);
    let frames: Vec<Vec<f64>> = text
        .lines()
        .map(|l| l.split_whitespace().map(|w| w.parse().unwrap()).collect())
        .collect();
    let options = ReadOptions {
        skeleton: Some(folder.path().join("body.npz")),
        ..as_read()
    };
    for name in [
        "plain", "packed", "fortran", "single", "big", "cube", "pickled", "parts",
    ] {
        let path = folder.path().join(format!("{name}.npz"));
        let clip = read_file(&path, &options).unwrap().remove(0).clip;
        assert_eq!((clip.frame_count(), clip.rate_hz()), (11, 120.0), "{name}");
        let points = fk::world_points(&clip);
        for (f, places) in frames.iter().enumerate() {
            for (j, p) in places.chunks_exact(3).enumerate() {
                // Z up to Y up: y, z, x.
                let there = DVec3::new(p[1], p[2], p[0]);
                let off = points.at(f, j).distance(there);
                assert!(off < 5e-6, "{name}, frame {f}, joint {j}: {off}");
            }
        }
    }
    // And NumPy reads what we write.
    let import = read_file(&folder.path().join("packed.npz"), &options)
        .unwrap()
        .remove(0);
    let write = WriteOptions {
        source: Some(&import.source),
        format: Some(Format::Amass),
        ..WriteOptions::default()
    };
    write_file(&folder.path().join("back.npz"), &import.clip, &write).unwrap();
    run("
import sys, numpy as np
a, b = (np.load(sys.argv[1] + n, allow_pickle=False) for n in ('/packed.npz', '/back.npz'))
def same(v, w):
    # Rotations as quaternions: an angle past half a turn comes back as the shorter way.
    def q(v):
        v = v.reshape(-1, 3); t = np.linalg.norm(v, axis=1, keepdims=True)
        return np.hstack([np.cos(t / 2), v / t * np.sin(t / 2)])
    return np.abs((q(v) * q(w)).sum(1)).min()
assert a['poses'].shape == b['poses'].shape and same(a['poses'], b['poses']) > 1 - 1e-12
assert np.allclose(a['trans'], b['trans'], atol=1e-12) and np.array_equal(a['betas'], b['betas'])
assert str(b['gender']) == 'male' and float(b['mocap_framerate']) == 120.0 and b['poses'].dtype == np.float64
assert str(b['surface_model_type']) == 'smplh'
");
}
