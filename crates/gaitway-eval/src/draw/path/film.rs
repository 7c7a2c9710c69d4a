//! Everybody under way at the same time, as an animation: the picture of the paths, in which people move.
//!
//! The camera stands still, so that one sees who goes where and that nobody walks through another. Who has not set out yet, or
//! has arrived, is not shown: that is how a crowd is searched, too.

use super::people::Cast;
use super::stage::Stage;
use super::{PathPicture, Styles, compose, legend};
use crate::draw::colour::{Colour, Theme};
use crate::draw::film::{self, Film, Watch};
use crate::draw::scene::{Scene, check_size};
use crate::draw::{DrawError, RenderOptions};

/// Pixels across where none are asked for.
const WIDTH: u32 = 640;
/// Moments looked at to find the room that people take.
const PROBES: usize = 60;

/// A picture of paths made ready for a looping GIF.
pub struct PathFilm<'a> {
    picture: &'a PathPicture<'a>,
    /// When each person sets out, seconds.
    starts: &'a [f64],
    cast: Cast<'a>,
    stage: Stage,
    fps: f64,
    frames: usize,
}

/// Stages a picture's people on one clock, each from when they set out; `starts` has a second per person.
///
/// Of the options, rate, width and the longest time count.
///
/// # Errors
/// When there is nobody who moves, a clip is too large to draw, or the options ask for an impossible picture.
pub fn path_film<'a>(
    picture: &'a PathPicture<'a>,
    starts: &'a [f64],
    options: &RenderOptions,
) -> Result<PathFilm<'a>, DrawError> {
    options.check()?;
    let ends = picture.people.iter().zip(starts).filter_map(|(p, s)| {
        let end = s + p.clip?.seconds();
        end.is_finite().then_some(end)
    });
    let seconds = ends.fold(0.0, f64::max).min(options.max_seconds);
    if seconds <= 0.0 {
        return Err(DrawError::NoFrames);
    }
    let frames = ((seconds * options.fps).round() as usize).max(1);
    let mut cast = Cast::new(picture)?;
    let mut balls = Vec::new();
    for k in 0..=PROBES {
        let now = seconds * k as f64 / PROBES as f64;
        cast.show(|person| frame_at(picture, starts, person, now));
        balls.extend(cast.balls());
    }
    let asked = PathPicture {
        title: title(picture, 0.0),
        width: Some(options.width.or(picture.width).unwrap_or(WIDTH)),
        ..picture.clone()
    };
    let entries = legend::entries(picture, &Styles::of(picture));
    let stage = Stage::new(&asked, balls, &entries)?;
    check_size(stage.width, stage.height)?;
    film::check(stage.width, stage.height, frames)?;
    Ok(PathFilm {
        picture,
        starts,
        cast,
        stage,
        fps: options.fps,
        frames,
    })
}

fn title(picture: &PathPicture<'_>, now: f64) -> String {
    let time = format!("{now:.1} s");
    match picture.title.as_str() {
        "" => time,
        title => format!("{time} · {title}"),
    }
}

/// The frame a person is in at a second of the common clock, while they are under way.
fn frame_at(picture: &PathPicture<'_>, starts: &[f64], person: usize, now: f64) -> Option<usize> {
    let clip = picture.people[person].clip?;
    let at = (now - starts.get(person)?) * clip.rate_hz();
    let inside = at > -0.5 && at < clip.frame_count() as f64 - 0.5;
    inside.then(|| at.round().max(0.0) as usize)
}

impl PathFilm<'_> {
    /// How many pictures it has.
    pub fn frame_count(&self) -> usize {
        self.frames
    }

    /// Seconds it shows.
    pub fn seconds(&self) -> f64 {
        self.frames as f64 / self.fps
    }

    /// One of its pictures.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn scene(&self, k: usize) -> Result<Scene, DrawError> {
        let now = k as f64 / self.fps;
        let mut cast = self.cast.clone();
        cast.show(|person| frame_at(self.picture, self.starts, person, now));
        let styles = Styles::of(self.picture);
        let mut scene = compose(self.picture, &self.stage, &cast, &styles)?;
        let entries = legend::entries(self.picture, &styles);
        let title = title(self.picture, now);
        legend::draw(&mut scene, &entries, &title, &Theme::LIGHT);
        scene.description = title;
        Ok(scene)
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
}

impl Film for PathFilm<'_> {
    fn size(&self) -> (u32, u32) {
        (self.stage.width, self.stage.height)
    }

    fn frame_count(&self) -> usize {
        self.frames
    }

    fn fps(&self) -> f64 {
        self.fps
    }

    fn background(&self) -> Colour {
        Theme::LIGHT.background
    }

    fn scene(&self, k: usize) -> Result<Scene, DrawError> {
        PathFilm::scene(self, k)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{OnPath, PathView};
    use super::*;

    #[test]
    fn people_are_there_from_setting_out_to_arriving() {
        let clip = gaitway_core::testing::swinging_clip("stroll", 60, 30.0);
        let way: Vec<[f64; 2]> = clip.root().iter().map(|p| [p.x, p.z]).collect();
        let person = || OnPath {
            way: way.clone(),
            clip: Some(&clip),
            ..OnPath::default()
        };
        let picture = PathPicture {
            title: "two".into(),
            targets: vec![vec![[0.0, 0.0], [0.0, 3.0]]],
            people: vec![person(), person()],
            view: PathView::Slant,
            ..PathPicture::default()
        };
        let starts = [0.0, 5.0];
        let options = RenderOptions {
            fps: 10.0,
            width: Some(320),
            ..RenderOptions::default()
        };
        let film = path_film(&picture, &starts, &options).expect("a film");
        assert_eq!(film.frame_count(), 70);
        let shapes = |k: usize| film.scene(k).expect("a picture").to_svg().len();
        // Nobody between the first one's end and the second one's start; one while one is under way.
        assert!(shapes(0) > shapes(35) && shapes(55) > shapes(35));
        assert_eq!(frame_at(&picture, &starts, 1, 4.9), None);
        assert_eq!(frame_at(&picture, &starts, 1, 5.0), Some(0));
        assert_eq!(frame_at(&picture, &starts, 0, 2.1), None);
        assert!(film.to_gif().expect("a file").starts_with(b"GIF89a"));
    }

    #[test]
    fn nobody_makes_no_film() {
        let picture = PathPicture {
            targets: vec![vec![[0.0, 0.0], [0.0, 3.0]]],
            ..PathPicture::default()
        };
        assert!(path_film(&picture, &[], &RenderOptions::default()).is_err());
    }
}
