//! The same motion as BVH and as ASF/AMC: CMU clips that exist in both.
//!
//! The BVH conversion gave up the lengths of the ASF's `thorax` and wrist bones, so what is above the chest is
//! compared from the base of the neck and the shoulders on, and hands from their own base on.

mod acclaim_support;

use std::path::Path;

use acclaim_support::{clip_of, files_below};
use gaitway_core::fk::{WorldPoints, world_points};
use gaitway_core::testing::data_dir;
use gaitway_core::{Clip, PointIdx};
use gaitway_io::acclaim::{find_asf, read_amc, read_asf};
use gaitway_io::bvh;

/// BVH joint, ASF joint: compared in the world.
const BODY: [(&str, &str); 16] = [
    ("Hips", "root"),
    ("LHipJoint", "lhipjoint"),
    ("LeftUpLeg", "lfemur"),
    ("LeftLeg", "ltibia"),
    ("LeftFoot", "lfoot"),
    ("LeftToeBase", "ltoes"),
    ("LeftToeBase_end", "ltoes_end"),
    ("RHipJoint", "rhipjoint"),
    ("RightUpLeg", "rfemur"),
    ("RightLeg", "rtibia"),
    ("RightFoot", "rfoot"),
    ("RightToeBase", "rtoes"),
    ("RightToeBase_end", "rtoes_end"),
    ("LowerBack", "lowerback"),
    ("Spine", "upperback"),
    ("Spine1", "thorax"),
];

/// Compared from the first pair on: what hangs on the chest, and the hands.
const LIMBS: [&[(&str, &str)]; 5] = [
    &[
        ("Neck", "lowerneck"),
        ("Neck1", "upperneck"),
        ("Head", "head"),
        ("Head_end", "head_end"),
    ],
    &[
        ("LeftShoulder", "lclavicle"),
        ("LeftArm", "lhumerus"),
        ("LeftForeArm", "lradius"),
        ("LeftHand", "lwrist"),
    ],
    &[
        ("RightShoulder", "rclavicle"),
        ("RightArm", "rhumerus"),
        ("RightForeArm", "rradius"),
        ("RightHand", "rwrist"),
    ],
    &[
        ("LeftFingerBase", "lhand"),
        ("LeftHandIndex1", "lfingers"),
        ("LeftHandIndex1_end", "lfingers_end"),
        ("LThumb_end", "lthumb_end"),
    ],
    &[
        ("RightFingerBase", "rhand"),
        ("RightHandIndex1", "rfingers"),
        ("RightHandIndex1_end", "rfingers_end"),
        ("RThumb_end", "rthumb_end"),
    ],
];

struct Twin {
    clip: Clip,
    points: WorldPoints,
    /// Frames left out at the start: the BVH's T-pose.
    skip: usize,
}

impl Twin {
    fn new(clip: Clip, skip: usize) -> Self {
        let points = world_points(&clip);
        Self { clip, points, skip }
    }

    fn point(&self, name: &str) -> PointIdx {
        let found = self.clip.skeleton().find_point(name);
        found.unwrap_or_else(|| panic!("no point {name}"))
    }

    fn frames(&self) -> usize {
        self.points.frame_count() - self.skip
    }
}

/// The largest distance over all frames between pairs of points, each taken from its side's base.
fn apart(a: &Twin, b: &Twin, base: Option<(&str, &str)>, pairs: &[(&str, &str)]) -> f64 {
    let mut most = 0.0_f64;
    let base = base.map(|(x, y)| (a.point(x), b.point(y)));
    for (x, y) in pairs {
        let (x, y) = (a.point(x).index(), b.point(y).index());
        for f in 0..a.frames() {
            let (mut p, mut q) = (a.points.at(a.skip + f, x), b.points.at(b.skip + f, y));
            if let Some((x, y)) = base {
                p -= a.points.at(a.skip + f, x.index());
                q -= b.points.at(b.skip + f, y.index());
            }
            most = most.max(p.distance(q));
        }
    }
    most
}

fn compare(amc: &Path, bvh: &Path) -> (f64, f64) {
    let asf = find_asf(amc).unwrap();
    let asf = read_asf("a.asf", &std::fs::read(asf).unwrap()).unwrap();
    let motion = read_amc("a.amc", &std::fs::read(amc).unwrap(), &asf).unwrap();
    let (mut twin, _) = bvh::read("a.bvh", &std::fs::read(bvh).unwrap()).unwrap();
    twin.unit_m = asf.unit_m;
    let (a, b) = (Twin::new(clip_of(&twin), 1), Twin::new(clip_of(&motion), 0));
    assert_eq!(a.frames(), b.frames(), "{}", amc.display());
    let body = apart(&a, &b, None, &BODY);
    let limbs = LIMBS
        .iter()
        .map(|limb| apart(&a, &b, Some(limb[0]), limb))
        .fold(0.0, f64::max);
    (body, limbs)
}

#[test]
fn bvh_and_amc_agree() {
    let Some(data) = data_dir() else { return };
    let (mut body, mut limbs, mut seen) = (0.0_f64, 0.0_f64, 0);
    for amc in files_below(&data.join("cmu-asf-amc"), "amc") {
        let subject = amc.parent().unwrap().file_name().unwrap();
        let name = amc.with_extension("bvh");
        let bvh = data.join("cmu-bvh").join(subject);
        let twin = compare(&amc, &bvh.join(name.file_name().unwrap()));
        body = body.max(twin.0);
        limbs = limbs.max(twin.1);
        seen += 1;
    }
    assert_eq!(seen, 20);
    assert!(body < 1e-4, "body {} mm", body * 1e3);
    assert!(limbs < 1e-4, "limbs {} mm", limbs * 1e3);
}

#[test]
fn the_clip_in_three_formats_agrees() {
    let Some(data) = data_dir() else { return };
    let folder = data.join("cmu-three-formats");
    let (body, limbs) = compare(&folder.join("01_01.amc"), &folder.join("01_01.bvh"));
    assert!(body < 1e-4, "body {} mm", body * 1e3);
    assert!(limbs < 1e-4, "limbs {} mm", limbs * 1e3);
}
