//! A path far from the origin is walked like the same path at it: places on maps are millions of metres.
#![allow(missing_docs)]

mod common;

use common::paths::walker;
use gaitway_core::limits::FARTHEST_M;
use gaitway_synth::path::{Obstacle, Path, PathMotion, PathOptions, PathRequest, Start, plan_path};
use glam::{DVec2, DVec3};

fn planned(at: DVec2) -> PathMotion {
    let corners = [[0.0, 0.0], [1.5, 4.0], [-0.5, 7.0]].map(|p| DVec2::from_array(p) + at);
    let path = Path::new(corners.to_vec(), false).expect("a path");
    let wall = [[3.0, 1.0], [3.5, 1.0], [3.2, 5.0]].map(|p| (DVec2::from_array(p) + at).to_array());
    let request = PathRequest {
        options: PathOptions {
            obstacles: vec![
                Obstacle::Circle([at.x + 0.9, at.y + 2.4, 0.2]),
                Obstacle::Polygon(wall.to_vec()),
            ],
            start: Start::At {
                x: at.x,
                z: at.y,
                heading: 0.3,
            },
            ..PathOptions::default()
        },
        expansions: Some(60_000),
        ..PathRequest::new(path)
    };
    let mut motions = plan_path(walker(), &request).expect("a plan");
    motions.remove(0)
}

#[test]
fn far_away_the_same_motion_is_made() {
    let near = planned(DVec2::ZERO);
    let near = near.clip().expect("a walk");
    // Sums of eighths stay whole at both places; at the last one they are rounded.
    for at in [
        DVec2::new(1e6, -1e6),
        DVec2::new(-1e7, 4e6),
        DVec2::splat(FARTHEST_M - 20.3),
    ] {
        let far = planned(at);
        let far = far.clip().expect("a walk");
        assert_eq!(near.frame_count(), far.frame_count(), "{at}");
        let shift = DVec3::new(at.x, 0.0, at.y);
        for (f, (a, b)) in near.root().iter().zip(far.root()).enumerate() {
            let off = (*a + shift).distance(*b);
            assert!(off < 1e-3, "{at}, frame {f}: {off} m");
        }
        let turned = near.rotations().iter().zip(far.rotations());
        let most = turned.map(|(p, q)| p.angle_between(*q)).fold(0.0, f32::max);
        assert!(most < 5e-3, "{at}: {most} rad");
    }
}
