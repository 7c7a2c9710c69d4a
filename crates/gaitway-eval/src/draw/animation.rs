//! The animated GIF: a camera that follows the body while the ground moves under it.

use gaitway_core::{Clip, ground};
use glam::{DVec3, Vec2};

use super::actor::Actor;
use super::camera::Camera;
use super::colour::{Colour, Theme};
use super::figure::{self, Look};
use super::film::{self, Film, Watch};
use super::scene::{Anchor, Scene, Stroke, check_size};
use super::{DrawError, RenderOptions, Style, View, floor, text};

/// Picture width where none is asked for.
const WIDTH: u32 = 480;

/// A clip staged for a looping GIF.
#[derive(Clone, Debug)]
pub struct Animation<'a> {
    actor: Actor<'a>,
    camera: Camera,
    theme: Theme,
    options: &'a RenderOptions,
    width: u32,
    height: u32,
    frames: usize,
    /// Where the camera looks, per clip frame: the way without sway.
    focus: Vec<DVec3>,
    name: String,
}

/// Stages a clip as a looping animation; [`Animation::to_gif`] draws it.
///
/// # Errors
/// When the clip has no frames, is too large to draw, or the options ask for an impossible picture.
pub fn animate<'a>(clip: &'a Clip, options: &'a RenderOptions) -> Result<Animation<'a>, DrawError> {
    options.check()?;
    Animation::new(clip, options)
}

impl<'a> Animation<'a> {
    fn new(clip: &'a Clip, options: &'a RenderOptions) -> Result<Self, DrawError> {
        let actor = Actor::new(clip)?;
        let width = options.width.unwrap_or(WIDTH);
        let height = options.height.unwrap_or(width * 3 / 4);
        check_size(width, height)?;
        let shown = clip.seconds().min(options.max_seconds);
        let frames = ((shown * options.fps).round() as usize).max(1);
        film::check(width, height, frames)?;
        let mut stage = Self {
            camera: Camera::new(options.view, actor.heading()),
            theme: options.colours(),
            focus: focus(&actor),
            name: options.title.clone().unwrap_or(clip.name().to_owned()),
            actor,
            options,
            width,
            height,
            frames,
        };
        stage.set_camera();
        Ok(stage)
    }

    /// How many pictures it has.
    pub fn frame_count(&self) -> usize {
        self.frames
    }

    /// Seconds of the clip it shows; less than the clip has where the clip is longer than allowed.
    pub fn seconds(&self) -> f64 {
        self.frames as f64 / self.options.fps
    }

    /// The animation as a GIF file's bytes.
    ///
    /// # Errors
    /// When the encoder refuses.
    pub fn to_gif(&self) -> Result<Vec<u8>, DrawError> {
        self.to_gif_watched(&|_| true)
    }

    /// The same, with word of how far it is.
    ///
    /// # Errors
    /// As [`Self::to_gif`]; [`DrawError::Stopped`] where `watch` ends it.
    pub fn to_gif_watched(&self, watch: Watch<'_>) -> Result<Vec<u8>, DrawError> {
        film::to_gif(self, watch)
    }

    /// The clip's frame that is shown as picture `k`.
    fn source(&self, k: usize) -> usize {
        let seconds = k as f64 / self.options.fps;
        let frame = (seconds * self.actor.clip.rate_hz()).round() as usize;
        frame.min(self.actor.way.len() - 1)
    }

    /// One scale for the whole animation: everything the body does around the focus fits.
    fn set_camera(&mut self) {
        let unit = self.actor.body.unit;
        let mut balls = Vec::new();
        for k in (0..self.frames).step_by((self.frames / 60).max(1)) {
            let frame = self.source(k);
            let shift = self.focus[frame];
            let places = self.actor.pose(frame);
            let around = self.actor.balls(&places).into_iter();
            balls.extend(around.map(|(p, r)| (p - shift, r + 0.06 * unit)));
        }
        if self.options.view == View::ThreeQuarter {
            self.camera.distance = Some(6.0 * unit);
        }
        let (w, h) = (self.width as f32, self.height as f32);
        let low = Vec2::new(0.05 * w, 0.09 * h + 10.0);
        let high = Vec2::new(0.95 * w, 0.9 * h);
        self.camera.frame(&balls, low, high, f64::MAX);
    }

    /// One of its pictures.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn scene(&self, k: usize) -> Result<Scene, DrawError> {
        let frame = self.source(k);
        let mut scene = Scene::new(self.width, self.height, self.theme.background)?;
        let mut camera = self.camera;
        camera.target += self.focus[frame];
        let look = Look {
            camera: &camera,
            style: self.options.style,
            theme: &self.theme,
            fade: 0.0,
        };
        let places = self.actor.pose(frame);
        self.ground(&mut scene, &camera, self.focus[frame]);
        if self.options.view == View::ThreeQuarter {
            figure::shadow(
                &mut scene,
                &self.actor.body,
                &places,
                self.actor.floor,
                &look,
            );
        }
        figure::draw(&mut scene, &self.actor.body, &places, &look);
        self.words(&mut scene, frame);
        Ok(scene)
    }

    fn ground(&self, scene: &mut Scene, camera: &Camera, focus: DVec3) {
        let unit = self.actor.body.unit;
        let at = DVec3::new(focus.x, self.actor.floor, focus.z);
        let step = floor::round_step(0.5 * unit);
        match self.options.view {
            View::ThreeQuarter | View::Top => {
                let reach = 3.2 * unit;
                floor::grid(scene, camera, &self.theme, at, reach, step);
            }
            View::Side | View::Front => {
                let y = camera.see(at).at.y;
                floor::band(scene, &self.theme, y, 0.0, self.width as f32);
                self.ticks(scene, camera, at, step, y);
            }
        }
    }

    /// Marks on the floor line, fixed to the world, so that travel is seen.
    fn ticks(&self, scene: &mut Scene, camera: &Camera, at: DVec3, step: f64, y: f32) {
        let right = camera.right();
        let across = at.dot(right);
        let reach = f64::from(self.width) / camera.scale;
        let first = ((across - reach) / step).ceil() as i64;
        let last = ((across + reach) / step).floor() as i64;
        for k in first..=last.min(first.saturating_add(400)) {
            let place = at + right * (k as f64 * step - across);
            let x = camera.see(place).at.x;
            let stroke = Stroke::new(self.theme.line, 1.4);
            scene.line(Vec2::new(x, y), Vec2::new(x, y + 7.0), stroke);
        }
    }

    fn words(&self, scene: &mut Scene, frame: usize) {
        let size = (self.height as f32 / 26.0).clamp(9.0, 16.0);
        let clock = format!("{:.2} s", self.actor.seconds(frame));
        let (w, baseline) = (self.width as f32, 1.7 * size);
        let ink = self.theme.faint_ink;
        scene.text(
            Vec2::new(w - size, baseline),
            size,
            Anchor::End,
            ink,
            &clock,
        );
        let room = w - 4.0 * size - text::width("00.00 s", size);
        let name = text::fit(&self.name, size, room);
        scene.text(Vec2::new(size, baseline), size, Anchor::Start, ink, &name);
        if self.options.style != Style::Points {
            scene.description = format!("{}: {clock}", self.name);
        }
    }
}

impl Film for Animation<'_> {
    fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    fn frame_count(&self) -> usize {
        self.frames
    }

    fn fps(&self) -> f64 {
        self.options.fps
    }

    fn background(&self) -> Colour {
        self.theme.background
    }

    fn scene(&self, k: usize) -> Result<Scene, DrawError> {
        Animation::scene(self, k)
    }
}

/// The pelvis' way on the ground, smoothed over 0.8 s; heights left to the picture.
fn focus(actor: &Actor<'_>) -> Vec<DVec3> {
    let half = (0.4 * actor.clip.rate_hz()).round() as usize;
    let line = |pick: fn(&DVec3) -> f64| {
        let values: Vec<f64> = actor.way.iter().map(pick).collect();
        // A window longer than the clip would only cost time.
        ground::smooth(&values, half.min(values.len()))
    };
    let (x, z) = (line(|p| p.x), line(|p| p.z));
    let pairs = x.into_iter().zip(z);
    pairs.map(|(x, z)| DVec3::new(x, 0.0, z)).collect()
}
