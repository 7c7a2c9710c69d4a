//! Real markers: CMU 01_01 beside its own solved skeleton.

use gaitway_calibrate::{Calibration, MarkerOptions, calibrate_markers};
use gaitway_core::testing::data_dir;
use gaitway_core::{Clip, fk};
use gaitway_io::{ReadOptions, read_file, read_markers};
use glam::DVec3;

fn solved(data: &std::path::Path) -> Clip {
    let path = data.join("cmu-three-formats/01_01.amc");
    let mut list = read_file(&path, &ReadOptions::default()).expect("reads");
    list.swap_remove(0).clip
}

fn calibrated(data: &std::path::Path) -> Calibration {
    let markers = read_markers(&data.join("cmu-three-formats/01_01.c3d")).expect("reads");
    calibrate_markers("01_01", &markers, &MarkerOptions { marker_m: gaitway_calibrate::tune("MARKER", 0.008), key_frames: gaitway_calibrate::tune("KEYS", 120.0) as usize, ..MarkerOptions::default() }).expect("a body")
}

/// Names of ours and of the ASF's bone that begins at the joint.
const JOINTS: [(&str, &str, f64); 12] = [
    ("LeftUpLeg", "lfemur", 35.0),
    ("RightUpLeg", "rfemur", 35.0),
    ("LeftLeg", "ltibia", 20.0),
    ("RightLeg", "rtibia", 20.0),
    ("LeftFoot", "lfoot", 35.0),
    ("RightFoot", "rfoot", 35.0),
    ("LeftArm", "lhumerus", 35.0),
    ("RightArm", "rhumerus", 35.0),
    ("LeftForeArm", "lradius", 20.0),
    ("RightForeArm", "rradius", 20.0),
    ("LeftHand", "lwrist", 35.0),
    ("RightHand", "rwrist", 35.0),
];

#[test]
fn cmu_01_01_beside_its_skeleton() {
    let Some(data) = data_dir() else { return };
    let begin = std::time::Instant::now();
    let found = calibrated(&data);
    println!("{:.2} s", begin.elapsed().as_secs_f64());
    for w in &found.warnings {
        println!("{}", w.message);
    }
    println!("fit {:?}\ntree {:?}", found.fit, found.tree);
    let truth = solved(&data);
    let places = fk::world_points(&truth);
    let ours = fk::world_points(&found.clip);
    println!("{:?}", truth.skeleton().names());
    for (name, bone, _) in JOINTS {
        let Some(joint) = truth.skeleton().find(bone) else {
            println!("no {bone}");
            continue;
        };
        let Some(mine) = found.clip.skeleton().find(name) else {
            println!("no {name}");
            continue;
        };
        let mut list: Vec<f64> = Vec::new();
        let mut mean = DVec3::ZERO;
        for f in 0..found.clip.frame_count() {
            let off = ours.at(f, mine.index()) - places.at(f, joint.index());
            list.push(off.length());
            mean += off;
        }
        mean /= list.len() as f64;
        // In the frame of the parent body at its usual attitude: what is off all the time.
        let b = found.bodies.iter().position(|x| x.name == name).expect("there");
        let p = found.model.parents[b].expect("a parent");
        let level = found.poses[0].turns[0];
        let local: DVec3 = (0..found.clip.frame_count()).map(|f| {
            let off = ours.at(f, mine.index()) - places.at(f, joint.index());
            found.poses[f].turns[p].conjugate() * off
        }).sum::<DVec3>() / list.len() as f64;
        let local_world = found.poses[0].turns[p] * local;
        let _ = level;
        if std::env::var("RADII").is_ok() {
            let markers = read_markers(&data.join("cmu-three-formats/01_01.c3d")).expect("reads").into_y_up(gaitway_io::UpAxis::Z);
            for body in [p, b] {
                for m in &found.bodies[body].seen_by {
                    let k = markers.find(m).expect("there");
                    let stat = |at: &dyn Fn(usize) -> DVec3| {
                        let d: Vec<f64> = (0..markers.frames).filter_map(|f| Some(markers.at(f, k)?.distance(at(f)))).collect();
                        let mean = d.iter().sum::<f64>() / d.len() as f64;
                        let sd = (d.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / d.len() as f64).sqrt();
                        (1e3 * mean, 1e3 * sd)
                    };
                    let asf = stat(&|f| places.at(f, joint.index()));
                    let us = stat(&|f| ours.at(f, mine.index()));
                    println!("    {m}: asf {:.0} ± {:.1}, ours {:.0} ± {:.1}", asf.0, asf.1, us.0, us.1);
                }
            }
        }
        print!("local {:4.0} {:4.0} {:4.0} ", 1e3 * local_world.x, 1e3 * local_world.y, 1e3 * local_world.z);
        list.sort_by(f64::total_cmp);
        let report = found.joints.iter().find(|j| j.name == name).expect("told");
        println!(
            "{name:14} median {:5.1} mm p90 {:5.1} mean {:.0} {:.0} {:.0} | residual {:.1} {} {:?} turn {:.0}",
            1e3 * list[list.len() / 2],
            1e3 * list[list.len() * 9 / 10],
            1e3 * mean.x,
            1e3 * mean.y,
            1e3 * mean.z,
            report.residual_mm,
            report.kind,
            report.deviation_mm.map(|d| d.round()),
            report.turn_deg
        );
    }
    for body in &found.bodies {
        println!("{} {:?} {:?}", body.name, body.length_m, body.seen_by);
    }
    for a in &found.attached {
        println!("{} on {} {:.1} mm", a.name, a.body, a.residual_mm);
    }
}
