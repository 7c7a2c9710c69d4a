//! The distance on captured clips.
#![allow(missing_docs)]

mod common;

use common::ends::check_all;
use common::{check_against_scan, twin_grid};
use gaitway_core::testing::data_dir;
use gaitway_core::{Clip, Planar};
use gaitway_io::{ReadOptions, read_file};
use gaitway_metric::{
    EndMinima, EndOptions, KeepApart, MarkerSet, MetricOptions, PointCloud, Skipping, WeightPreset,
    candidates_between, distance_grid, find_end_candidates, naive,
};
use std::path::Path;

fn clip(data: &Path, name: &str) -> Clip {
    let path = data
        .join("cmu-bvh")
        .join(&name[..name.find('_').unwrap()])
        .join(format!("{name}.bvh"));
    read_file(&path, &ReadOptions::default())
        .unwrap()
        .remove(0)
        .clip
}

fn cloud(data: &Path, name: &str) -> PointCloud {
    PointCloud::from_clip(&clip(data, name), &MarkerSet::default(), 30.0).unwrap()
}

#[test]
fn strides_that_match_meet_below_five_centimetres() {
    let Some(data) = data_dir() else { return };
    let nearest = |a: &str, b: &str| {
        let found = candidates_between(
            &cloud(&data, a),
            &cloud(&data, b),
            &MetricOptions::default(),
        )
        .unwrap();
        found
            .candidates
            .iter()
            .map(|c| c.distance_cm())
            .fold(f64::INFINITY, f64::min)
    };
    assert!(nearest("16_15", "16_16") < 3.0);
    assert!(nearest("16_15", "16_31") < 3.0);
    // A slow walk (1.1 m/s) and a fast one (1.7 m/s): the same strides, but over a window half a second long the
    // bodies part by more than 5 cm.
    assert!((5.0..9.0).contains(&nearest("16_15", "16_21")));
}

#[test]
fn minima_of_real_clips_equal_a_scan() {
    let Some(data) = data_dir() else { return };
    for (a, b) in [("16_15", "16_21"), ("16_35", "16_45"), ("69_01", "69_20")] {
        let (a, b) = (cloud(&data, a), cloud(&data, b));
        let options = MetricOptions {
            ceiling_cm: 20.0,
            skipping: Skipping::On,
            ..MetricOptions::default()
        };
        let window = options.window(30.0).unwrap();
        let found = candidates_between(&a, &b, &options).unwrap();
        check_against_scan(
            &found.candidates,
            &twin_grid(&a, &b, &options, &window),
            0.04,
            None,
        );
    }
}

#[test]
fn ends_of_real_clips_equal_a_scan() {
    let Some(data) = data_dir() else { return };
    let clouds = ["16_15", "16_35", "16_45"].map(|name| cloud(&data, name));
    let options = MetricOptions::default();
    for minima in [EndMinima::Both, EndMinima::Along] {
        let ends = EndOptions {
            minima,
            ..EndOptions::default()
        };
        let apart = KeepApart::default();
        let found = find_end_candidates(&clouds, &options, &ends, &apart, &mut ()).unwrap();
        let scanned = check_all(&clouds, &options, &ends, &found);
        assert!(scanned > 10, "{scanned}");
    }
}

#[test]
fn a_walk_cut_in_two_goes_on_where_it_was_cut() {
    let Some(data) = data_dir() else { return };
    let walk = gaitway_core::resample::resample(&clip(&data, "16_15"), 30.0).unwrap();
    let layout = MarkerSet::default().layout(&walk).unwrap();
    let mut points = Vec::new();
    layout.place(&walk, &mut points);
    let (n, frames) = (layout.len(), walk.frame_count());
    let part = |from: usize, to: usize| {
        let points = &points[from * n..to * n];
        PointCloud::from_positions("part", 30.0, layout.weights(), points).unwrap()
    };
    // The halves share one frame: no window sees more of both than that.
    let cut = frames / 2;
    let clouds = [part(0, cut + 1), part(cut, frames)];
    let (options, ends) = (MetricOptions::default(), EndOptions::default());
    let found =
        find_end_candidates(&clouds, &options, &ends, &KeepApart::default(), &mut ()).unwrap();
    let onward = found.pairs.iter().find(|p| (p.from, p.to) == (0, 1));
    let best = onward
        .and_then(|p| {
            let scaled = |c: &&gaitway_metric::EndCandidate| c.scaled_cm(15);
            p.candidates
                .iter()
                .min_by(|a, b| scaled(a).total_cmp(&scaled(b)))
        })
        .unwrap();
    assert_eq!((best.i as usize, best.j), (cut, 0));
    assert!(best.distance_cm() < 1e-4 && best.theta.abs() < 1e-9);
}

#[test]
fn a_run_fifty_metres_off_is_right_to_a_hundredth_of_a_millimetre() {
    let Some(data) = data_dir() else { return };
    let (a, b) = (clip(&data, "16_35"), clip(&data, "16_45"));
    let moved = b.clone().moved(Planar::new(1.0, 40.0, -30.0));
    let make = |c: &Clip| PointCloud::from_clip(c, &MarkerSet::default(), 30.0).unwrap();
    let (a, b, far) = (make(&a), make(&b), make(&moved));
    let options = MetricOptions {
        ceiling_cm: 25.0,
        ..MetricOptions::default()
    };
    let window = options.window(30.0).unwrap();
    let (near, there) = (
        candidates_between(&a, &b, &options).unwrap(),
        candidates_between(&a, &far, &options).unwrap(),
    );
    let grid = distance_grid(&a, &far, &options).unwrap();
    assert!(!near.candidates.is_empty());
    assert_eq!(near.candidates.len(), there.candidates.len());
    for (n, t) in near.candidates.iter().zip(&there.candidates) {
        let twin = naive::align(&a, t.i as usize, &far, t.j as usize, &window)
            .distance_m2
            .sqrt()
            * 1000.0;
        assert_eq!((n.i, n.j), (t.i, t.j));
        assert!((n.distance_cm() - t.distance_cm()).abs() < 0.001);
        assert!((f64::from(grid.at(t.i as usize, t.j as usize)) * 10.0 - twin).abs() < 0.01);
    }
}

#[test]
fn presets_pick_markers() {
    let Some(data) = data_dir() else { return };
    let clip = clip(&data, "16_15");
    let count = |markers: &MarkerSet| markers.layout(&clip).unwrap().len();
    let joints_and_tips = clip.skeleton().point_count();
    let uniform = count(&MarkerSet::preset(WeightPreset::Uniform));
    assert!(uniform < joints_and_tips, "limbs of no length are merged");
    assert!(count(&MarkerSet::default()) < uniform);
    assert!(count(&MarkerSet::preset(WeightPreset::Limbs)) < count(&MarkerSet::default()));
    assert!(
        count(&MarkerSet {
            per_joint: 3,
            ..MarkerSet::default()
        }) > 2 * count(&MarkerSet::default())
    );
    let layout = MarkerSet::default().layout(&clip).unwrap();
    for point in layout.points() {
        let name = clip.skeleton().point_name(point);
        assert!(
            !name.contains("Finger") && !name.contains("Thumb"),
            "{name}"
        );
    }
    let text = "# legs\nLeftUpLeg 1\nLeftLeg, 2.5\nRightFoot = 0.5\n";
    assert_eq!(count(&MarkerSet::from_text(text).unwrap()), 3);
    assert!(
        MarkerSet::from_text("Hips")
            .unwrap_err()
            .to_string()
            .contains("line 1")
    );
    assert!(MarkerSet::from_text("Hips -1").is_err());
    let unknown = MarkerSet::from_text("Wing 1")
        .unwrap()
        .layout(&clip)
        .unwrap_err();
    assert!(unknown.to_string().contains("Wing"));
    let none = MarkerSet {
        excluded: clip.skeleton().names().to_vec(),
        ..MarkerSet::default()
    };
    assert!(none.layout(&clip).is_err());
}

#[test]
fn merging_coincident_markers_changes_no_distance() {
    let Some(data) = data_dir() else { return };
    let clip = gaitway_core::resample::resample(&clip(&data, "16_21"), 30.0).unwrap();
    let merged =
        PointCloud::from_clip(&clip, &MarkerSet::preset(WeightPreset::Uniform), 30.0).unwrap();
    let points = gaitway_core::fk::world_points(&clip);
    let whole = PointCloud::from_positions(
        "all",
        30.0,
        &vec![1.0; points.point_count()],
        points.places(),
    )
    .unwrap();
    assert!(merged.marker_count() < whole.marker_count());
    let window = MetricOptions::default().window(30.0).unwrap();
    for (i, j) in [(10, 40), (25, 60), (33, 12)] {
        let (x, y) = (
            naive::align(&merged, i, &merged, j, &window),
            naive::align(&whole, i, &whole, j, &window),
        );
        assert!(
            (x.distance_m2 - y.distance_m2).abs() < 1e-9,
            "{} {}",
            x.distance_m2,
            y.distance_m2
        );
    }
}
