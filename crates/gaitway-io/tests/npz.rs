//! What we write is read by a crate that knows NumPy's files, and by NumPy itself where there is a Python that has it: named by
//! `GAITWAY_PYTHON`, or in `.venv`. With `GAITWAY_REQUIRE_PYTHON=1` a missing one is a failure.
#![allow(clippy::print_stdout, clippy::print_stderr)] // Measurements and skips must be seen.

mod support;

use std::io::{Cursor, Read};
use std::process::Command;

use gaitway_core::testing::swinging_clip;
use gaitway_core::{Clip, ContactPoint, ContactTrack, PointIdx, fk};
use gaitway_io::npz;
use support::python;

fn clip() -> Clip {
    let clip = swinging_clip("swing", 25, 60.0);
    let points = vec![
        ContactPoint {
            name: "left_fußball".into(),
            point: PointIdx(3),
        },
        ContactPoint {
            name: "right".into(),
            point: PointIdx(6),
        },
    ];
    let mut contacts = ContactTrack::new(points, 25);
    (4..9).for_each(|f| contacts.set(f, 0, true));
    (20..25).for_each(|f| contacts.set(f, 1, true));
    clip.with_contacts(Some(contacts)).unwrap()
}

const SCRIPT: &str = "
import sys, zipfile, numpy as np
assert zipfile.ZipFile(sys.argv[1]).testzip() is None
z = np.load(sys.argv[1], allow_pickle=False)
p, r = z['positions'], z['rotations']
n, a = z['names'], z['parents']
assert p.dtype == np.float64 and r.dtype == np.float32 and a.dtype == np.int32
assert z['rate_hz'].shape == () and float(z['rate_hz']) == 60.0
assert p.shape[:2] == r.shape[:2] == (25, len(n)) and len(a) == len(n)
assert a[0] == -1 and (a[1:] >= 0).all() and n[0] == 'Hips' and n[-1].endswith('_end')
assert np.allclose(np.linalg.norm(r, axis=2), 1, atol=1e-5)
c = z['contacts']
assert c.dtype == np.bool_ and c.sum() == 10 and c[4, 0] and not c[9, 0]
assert list(z['contact_names']) == ['left_fu\\u00dfball', 'right']
assert (r[:, -1] == [0, 0, 0, 1]).all()
print(' '.join(repr(float(x)) for x in p[7].ravel()))
";

#[test]
fn numpy_reads_the_arrays() {
    let Some(python) = python() else { return };
    let clip = clip();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("clip.npz");
    let mut bytes = Vec::new();
    npz::write(&mut bytes, &clip, "clip.npz").unwrap();
    std::fs::write(&path, &bytes).unwrap();
    let out = Command::new(python)
        .args(["-c", SCRIPT])
        .arg(&path)
        .output()
        .unwrap();
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    let text = String::from_utf8(out.stdout).unwrap();
    let seen: Vec<f64> = text
        .split_whitespace()
        .map(|w| w.parse().unwrap())
        .collect();
    let ours: Vec<f64> = fk::world_points(&clip)
        .frame(7)
        .iter()
        .flat_map(|p| p.to_array())
        .collect();
    assert_eq!(seen, ours);
}

/// One array: its shape and its values.
fn array<T: npyz::Deserialize>(file: &[u8], name: &str) -> (Vec<u64>, Vec<T>) {
    let mut archive = zip::ZipArchive::new(Cursor::new(file)).unwrap();
    let mut bytes = Vec::new();
    let mut member = archive.by_name(&format!("{name}.npy")).unwrap();
    assert_eq!(member.compression(), zip::CompressionMethod::Stored);
    member.read_to_end(&mut bytes).unwrap();
    let array = npyz::NpyFile::new(&bytes[..]).unwrap();
    assert_eq!(array.order(), npyz::Order::C);
    (array.shape().to_vec(), array.into_vec().unwrap())
}

#[test]
fn another_reader_finds_every_array() {
    let clip = clip();
    let mut file = Vec::new();
    npz::write(&mut file, &clip, "clip.npz").unwrap();
    let archive = zip::ZipArchive::new(Cursor::new(&file[..])).unwrap();
    let names = archive.file_names().map(|name| name.unwrap().into_owned());
    let names: Vec<String> = names.collect();
    let expected = [
        "positions.npy",
        "rotations.npy",
        "names.npy",
        "parents.npy",
        "rate_hz.npy",
        "contacts.npy",
        "contact_names.npy",
    ];
    assert_eq!(names, expected);
    let points = clip.skeleton().point_count();
    let places = fk::world_points(&clip);
    let ours: Vec<f64> = places.places().iter().flat_map(|p| p.to_array()).collect();
    assert_eq!(
        array(&file, "positions"),
        (vec![25, points as u64, 3], ours)
    );
    let (shape, rotations) = array::<f32>(&file, "rotations");
    assert_eq!(shape, [25, points as u64, 4]);
    assert_eq!(rotations[rotations.len() - 4..], [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(array(&file, "rate_hz"), (vec![], vec![60.0]));
    let (shape, parents) = array::<i32>(&file, "parents");
    assert_eq!((shape, parents[0]), (vec![points as u64], -1));
    let names = (0..points as u32).map(|p| clip.skeleton().point_name(PointIdx(p)));
    assert_eq!(
        array(&file, "names"),
        (vec![points as u64], names.collect::<Vec<_>>())
    );
    let (shape, stands) = array::<bool>(&file, "contacts");
    assert_eq!(
        (shape, stands.iter().filter(|s| **s).count()),
        (vec![25, 2], 10)
    );
    let words = vec!["left_fußball".to_owned(), "right".to_owned()];
    assert_eq!(array(&file, "contact_names"), (vec![2], words));
}

#[test]
fn the_same_clip_gives_the_same_bytes() {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    npz::write(&mut a, &clip(), "a.npz").unwrap();
    npz::write(&mut b, &clip(), "b.npz").unwrap();
    assert_eq!(a, b);
}
