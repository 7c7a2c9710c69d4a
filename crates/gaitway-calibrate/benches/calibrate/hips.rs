//! Where published regressions put the hips of a trial that holds computed ones.

use std::fmt::Write;
use std::path::Path;

use gaitway_io::{MarkerClip, read_markers};
use glam::DVec3;

/// A pelvis: its middle, and the directions to the right, up and ahead.
struct Pelvis {
    middle: DVec3,
    axes: [DVec3; 3],
    width: f64,
    depth: f64,
    leg: f64,
}

fn pelvis(clip: &MarkerClip, frame: usize) -> Option<Pelvis> {
    let at = |name: &str| clip.at(frame, clip.find(name)?);
    let (left, right) = (at("LASI")?, at("RASI")?);
    let back = (at("LPSI")? + at("RPSI")?) / 2.0;
    let middle = (left + right) / 2.0;
    let aside = (right - left).normalize();
    let ahead = middle - back;
    let ahead = (ahead - aside * ahead.dot(aside)).normalize();
    let (knee, ankle) = ((at("RLFC")? + at("RMFC")?) / 2.0, at("RMMAL")?);
    Some(Pelvis {
        middle,
        axes: [aside, aside.cross(ahead), ahead],
        width: left.distance(right),
        depth: middle.distance(back),
        leg: right.distance(knee) + knee.distance(ankle),
    })
}

/// Metres to the right, up and ahead of the middle, of the right hip.
type Rule = fn(&Pelvis) -> [f64; 3];

const RULES: [(&str, Rule); 4] = [
    ("Bell, Pedersen and Brand 1990", |p| {
        [0.36 * p.width, -0.30 * p.width, -0.22 * p.width]
    }),
    ("Davis, Õunpuu, Tyburski and Gage 1991", |p| {
        let (theta, beta) = (28.4_f64.to_radians(), 18.0_f64.to_radians());
        let c = 0.115 * p.leg - 0.0153;
        // The depth of the hip behind the front marker, and the marker's radius.
        let behind = 0.1288 * p.leg - 0.04856 + 0.007;
        [
            p.width / 2.0 - c * theta.sin(),
            -behind * beta.sin() - c * theta.cos() * beta.cos(),
            -behind * beta.cos() + c * theta.cos() * beta.sin(),
        ]
    }),
    ("Harrington and others 2007, width and depth", |p| {
        [
            0.33 * p.width + 0.0073,
            -0.30 * p.width - 0.0109,
            -0.24 * p.depth - 0.0099,
        ]
    }),
    ("Harrington and others 2007, with the leg", |p| {
        [
            0.28 * p.depth + 0.16 * p.width + 0.0079,
            -0.16 * p.width - 0.04 * p.leg - 0.0071,
            -0.24 * p.depth - 0.0099,
        ]
    }),
];

pub fn table(page: &mut String, data: &Path) {
    let file = "trc/std_walking2_markers.trc";
    let Ok(clip) = read_markers(&data.join(file)) else {
        return;
    };
    let mut rows = vec![[0.0; 3]; RULES.len()];
    let (mut told, mut n) = ([0.0; 3], 0.0);
    for frame in 0..clip.frames {
        let hips = ["LHJC", "RHJC"].map(|h| clip.find(h).and_then(|m| clip.at(frame, m)));
        let (Some(p), [Some(left), Some(right)]) = (pelvis(&clip, frame), hips) else {
            continue;
        };
        n += 1.0;
        for (k, (sum, axis)) in told.iter_mut().zip(p.axes).enumerate() {
            // The mean of both sides, as if both were on the right.
            let along = |hip: DVec3| (hip - p.middle).dot(axis);
            let mirrored = if k == 0 { -along(left) } else { along(left) };
            *sum += (along(right) + mirrored) / 2.0;
        }
        for (row, (_, rule)) in rows.iter_mut().zip(RULES) {
            for (sum, value) in row.iter_mut().zip(rule(&p)) {
                *sum += value;
            }
        }
    }
    let mm = |sums: &[f64; 3]| sums.map(|s| 1e3 * s / f64::max(n, 1.0));
    let told = mm(&told);
    let _ = writeln!(
        page,
        "\nWhere published regressions put the hips of `{file}`, in millimetres from the middle of the front markers of the pelvis (mean of both sides and of {n:.0} frames):\n\n| rule | aside | up | ahead | from the file's, across mm | in all mm |\n| --- | --- | --- | --- | --- | --- |"
    );
    let _ = writeln!(
        page,
        "| the file's own | {:.0} | {:.0} | {:.0} | | |",
        told[0], told[1], told[2]
    );
    for (row, (name, _)) in rows.iter().zip(RULES) {
        let own = mm(row);
        let off = [own[0] - told[0], own[1] - told[1], own[2] - told[2]];
        let across = off[1].hypot(off[2]);
        let _ = writeln!(
            page,
            "| {name} | {:.0} | {:.0} | {:.0} | {across:.0} | {:.0} |",
            own[0],
            own[1],
            own[2],
            across.hypot(off[0])
        );
    }
}
