//! The ground: a grid that fades into the distance, and a line with metres for views from the side.

use glam::{DVec2, DVec3, Vec2};

use super::camera::Camera;
use super::colour::Theme;
use super::scene::{Anchor, Paint, Scene, Stroke};

/// The nearest of 1, 2, 5 times a power of ten that is at least `least`.
pub fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.max(1e-12).log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|k| k * power)
        .find(|&step| step >= least * (1.0 - 1e-9))
        .unwrap_or(10.0 * power)
}

/// A length as people write it.
pub fn length_label(metres: f64) -> String {
    let short = |x: f64| {
        let text = format!("{x:.3}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    match metres {
        m if m >= 1000.0 => format!("{} km", short(m / 1000.0)),
        m if m >= 1.0 => format!("{} m", short(m)),
        m if m >= 0.01 => format!("{} cm", short(m * 100.0)),
        m => format!("{} mm", short(m * 1000.0)),
    }
}

/// A grid of squares on the ground around a point, fixed to the world, fading out over `reach` metres.
pub fn grid(
    scene: &mut Scene,
    camera: &Camera,
    theme: &Theme,
    floor: DVec3,
    reach: f64,
    step: f64,
) {
    const PIECES: usize = 14;
    let count = ((reach / step).ceil() as i64).clamp(1, 60);
    let middle = DVec2::new((floor.x / step).round(), (floor.z / step).round());
    let place = |across: f64, along: f64, swap: bool| {
        let (x, z) = if swap {
            (along, across)
        } else {
            (across, along)
        };
        DVec3::new(x, floor.y, z)
    };
    for swap in [false, true] {
        let (mid_across, mid_along, centre_along) = if swap {
            (middle.y, floor.x, floor.z)
        } else {
            (middle.x, floor.z, floor.x)
        };
        for k in -count..=count {
            let across = (mid_across + k as f64) * step;
            for piece in 0..PIECES {
                let at = |i: usize| mid_along + reach * (2.0 * i as f64 / PIECES as f64 - 1.0);
                let (a, b) = (at(piece), at(piece + 1));
                let away =
                    ((across - centre_along).hypot((a + b) / 2.0 - mid_along) / reach) as f32;
                let strength = 1.0 - away * away;
                if strength <= 0.02 {
                    continue;
                }
                let (a, b) = (
                    camera.see(place(across, a, swap)).at,
                    camera.see(place(across, b, swap)).at,
                );
                let colour = theme.background.towards(theme.line, 0.6 * strength);
                scene.line(a, b, Stroke::new(colour, 1.0));
            }
        }
    }
}

/// The floor of a view from the side: a band that fades downwards under a line.
pub fn band(scene: &mut Scene, theme: &Theme, y: f32, left: f32, right: f32) {
    let low = Vec2::new(left, y);
    let high = Vec2::new(right, y + 26.0);
    let fill = Paint::Linear {
        from: low,
        to: Vec2::new(left, high.y),
        colours: [
            theme.grid,
            theme.grid.towards(theme.background, 0.6),
            theme.background,
        ],
    };
    scene.rectangle(low, high, fill, None);
    let line = Stroke::new(theme.line, 1.4);
    scene.line(low, Vec2::new(right, y), line);
}

/// How much room a scale bar takes with its name.
pub fn scale_bar_width(scale: f64) -> f32 {
    let step = round_step(60.0 / scale);
    (step * scale) as f32 + 10.0 + super::text::width(&length_label(step), 14.0)
}

/// A bar of a round length with its name; its right end at `at`.
pub fn scale_bar(scene: &mut Scene, theme: &Theme, at: Vec2, scale: f64) {
    let step = round_step(60.0 / scale);
    let width = (step * scale) as f32;
    let left = at - Vec2::X * width;
    let stroke = Stroke::new(theme.faint_ink, 1.6);
    scene.line(left, at, stroke);
    for end in [left, at] {
        scene.line(end - Vec2::Y * 4.0, end + Vec2::Y * 4.0, stroke);
    }
    let words = length_label(step);
    let place = left - Vec2::new(10.0, -5.0);
    scene.text(place, 14.0, Anchor::End, theme.faint_ink, &words);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        for (least, step) in [
            (0.3, 0.5),
            (1.0, 1.0),
            (1.2, 2.0),
            (7.0, 10.0),
            (0.02, 0.02),
        ] {
            assert!((round_step(least) - step).abs() < 1e-9, "{least}");
        }
        assert_eq!(length_label(0.5), "50 cm");
        assert_eq!(length_label(2000.0), "2 km");
    }
}
