//! Smoothness, speed and rates.

use super::*;

#[test]
fn motion_is_smooth() {
    // m/s², of the hardest point: knees and toes about strikes.
    let bounds = [
        ("idle", 5.0),
        ("sit", 20.0),
        ("pick_up", 40.0),
        ("sneak_0", 60.0),
        ("walk_slow", 70.0),
        ("walk_normal", 80.0),
        ("walk_left", 80.0),
        ("walk_turns", 90.0),
        ("walk_duck", 90.0),
        ("walk_box", 90.0),
        ("walk_fast", 110.0),
        ("jump", 160.0),
        ("punch", 180.0),
        ("run_0", 160.0),
        ("run_fast", 220.0),
        ("kick", 220.0),
    ];
    for (name, bound) in bounds {
        let mut found = false;
        for (take, points) in takes() {
            if take.clip.name().starts_with(&format!("performer/{name}")) {
                let a = largest_acceleration(points, 60.0);
                assert!(a < bound, "{}: {a} m/s²", take.clip.name());
                found = true;
            }
        }
        assert!(found, "no take is called {name}");
    }
}

#[test]
fn no_point_jumps_in_speed() {
    // A jump in speed shows as an acceleration that grows with the rate: 1 m/s would be 240 m/s² at 240 Hz.
    let moves = [
        Move::walk(5, 1.3),
        Move::run(5, 3.0),
        Move::pick_up(Side::Left, 0.5),
    ];
    let take = perform(&moves, 240.0);
    let a = largest_acceleration(&fk::world_points(&take.clip), 240.0);
    assert!(a < 240.0, "{a} m/s²");
}

#[test]
fn rates_agree_at_common_times() {
    let moves = [
        Move::walk(5, 1.3),
        Move::Jump {
            forward: 0.3,
            height: 0.2,
        },
    ];
    let (slow, fast) = (perform(&moves, 60.0), perform(&moves, 120.0));
    for f in 0..slow.clip.frame_count() {
        assert_eq!(slow.clip.root()[f], fast.clip.root()[2 * f]);
        assert_eq!(
            slow.clip.frame_rotations(f),
            fast.clip.frame_rotations(2 * f)
        );
    }
    assert_eq!(slow.truth, fast.truth);
}
