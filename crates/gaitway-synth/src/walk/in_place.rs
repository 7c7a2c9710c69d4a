//! A loop with its net motion taken out, so that its last frame flows into its first.
//!
//! A round moves the body by the planar motion N. Frame k of n is moved back by the k/n-th part of it, N^(k/n): the turn is
//! shared evenly and the path bent with it. Frame n would be N · frame 0 moved back by N, which is frame 0. The parts are
//! smooth in k, so nothing pops; a straight walk becomes one on a treadmill. With ground coordinates as complex numbers
//! and N = (θ, d):
//!
//!   N^p = (pθ, d · (1 − e^{−ipθ}) / (1 − e^{−iθ})),   the quotient e^{−i(p−1)θ/2} sin(pθ/2) / sin(θ/2) → p for θ → 0

use gaitway_core::{Clip, ClipError, Planar};

/// The clip with the p-th part of `net` taken out of frame k = p·n. Feet slide then: for engines that move the character
/// themselves, and for loops on the spot.
///
/// # Errors
/// When the frames no longer make a clip, which does not happen for finite input.
pub fn take_out_net(clip: &Clip, net: Planar) -> Result<Clip, ClipError> {
    let (count, joints) = (clip.frame_count(), clip.joint_count());
    let mut parts = clip.clone().into_parts();
    for frame in 0..count {
        let back = part_of(net, frame as f64 / count as f64).inverse();
        parts.root[frame] = back.apply(parts.root[frame]);
        let facing = &mut parts.rotations[frame * joints];
        *facing = (back.rotation().as_quat() * *facing).normalize();
    }
    parts.build()
}

/// The motion that, done 1/p times, is `net`.
fn part_of(net: Planar, p: f64) -> Planar {
    let half = 0.5 * net.theta;
    if half.sin().abs() < 1e-12 {
        return Planar::new(p * net.theta, p * net.x, p * net.z);
    }
    let size = (p * half).sin() / half.sin();
    // e^{−iφ} turns by φ = (p − 1)θ/2 in the sense of Planar.
    let turned =
        Planar::new((p - 1.0) * half, 0.0, 0.0).turn_ground(glam::DVec2::new(net.x, net.z) * size);
    Planar::new(p * net.theta, turned.x, turned.y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn parts_make_the_whole(theta in -3.0..3.0_f64, x in -4.0..4.0_f64, z in -4.0..4.0_f64, n in 1_u32..9) {
            let net = Planar::new(theta, x, z);
            let part = part_of(net, 1.0 / f64::from(n));
            let whole = (0..n).fold(Planar::IDENTITY, |w, _| w.compose(part));
            prop_assert!((whole.theta - theta).abs() < 1e-9);
            prop_assert!((whole.x - x).abs() < 1e-9 && (whole.z - z).abs() < 1e-9);
        }
    }

    #[test]
    fn nothing_turned_is_a_straight_line() {
        let part = part_of(Planar::new(0.0, 2.0, -1.0), 0.25);
        assert_eq!(part, Planar::new(0.0, 0.5, -0.25));
    }
}
