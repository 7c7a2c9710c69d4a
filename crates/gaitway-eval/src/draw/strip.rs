//! The strip: a clip at a glance. Poses side by side at even times, large, on a floor line, and not a word.

use gaitway_core::Clip;
use glam::{DVec3, Vec2};

use super::actor::Actor;
use super::camera::Camera;
use super::colour::Theme;
use super::figure::{self, Look};
use super::scene::{Scene, Stroke};
use super::strobe::side_by_side;
use super::{DrawError, Style, View};

/// Pixels kept clear at the edges.
const MARGIN: f32 = 7.0;

/// Draws a strip of so many poses, as large as the picture allows.
///
/// # Errors
/// When the clip has no frames or the picture is impossible.
pub fn strip(
    clip: &Clip,
    poses: usize,
    size: (u32, u32),
    theme: &Theme,
) -> Result<Scene, DrawError> {
    let actor = Actor::new(clip)?;
    let mut camera = Camera::new(View::Side, actor.heading());
    let shots = side_by_side(&actor, &camera, Some(poses.clamp(1, 40)));
    let mut balls: Vec<(DVec3, f64)> = shots.iter().flat_map(|s| actor.balls(&s.places)).collect();
    for shot in &shots {
        let under = shot.places[actor.body.pelvis];
        let under = DVec3::new(under.x, actor.floor, under.z);
        balls.push((under, 0.01 * actor.body.unit));
    }
    let (width, height) = (size.0 as f32, size.1 as f32);
    let low = Vec2::splat(MARGIN);
    let high = Vec2::new(width - MARGIN, height - MARGIN).max(low + Vec2::splat(8.0));
    camera.frame(&balls, low, high, f64::INFINITY);
    // Feet near the lower edge, whatever room is left above.
    let (_, far) = camera.bounds(&balls);
    camera.centre.y += high.y - far.y;
    let mut scene = Scene::new(size.0, size.1, theme.background)?;
    let y = camera.see(DVec3::new(0.0, actor.floor, 0.0)).at.y;
    let floor = Stroke::new(theme.faint_ink.with_alpha(0.6), 1.5);
    scene.line(Vec2::new(0.0, y), Vec2::new(width, y), floor);
    let look = Look {
        camera: &camera,
        style: Style::Solid,
        theme,
        fade: 0.0,
    };
    for shot in &shots {
        figure::draw(&mut scene, &actor.body, &shot.places, &look);
    }
    scene.description = format!("{}: {} poses", clip.name(), shots.len());
    Ok(scene)
}

#[cfg(test)]
mod tests {
    use gaitway_core::testing::swinging_clip;

    use super::*;

    #[test]
    fn a_strip_fills_its_picture_without_words() {
        let clip = swinging_clip("a clip", 60, 30.0);
        let scene = strip(&clip, 7, (560, 150), &Theme::LIGHT).expect("drawn");
        let svg = scene.to_svg();
        assert!(svg.contains("viewBox=\"0 0 560 150\"") && !svg.contains("<text"));
        assert_eq!(
            svg,
            strip(&clip, 7, (560, 150), &Theme::LIGHT)
                .expect("drawn")
                .to_svg()
        );
        assert_ne!(
            svg,
            strip(&clip, 7, (560, 150), &Theme::DARK)
                .expect("drawn")
                .to_svg()
        );
    }
}
