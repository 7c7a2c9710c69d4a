//! The character at several moments, and what stands on the ground beside it, from far to near.

use std::sync::Arc;

use glam::{DVec2, DVec3};

use super::ground;
use super::stage::Stage;
use super::{OnPath, PLAIN, PathPicture, PathView, Styles};
use crate::draw::actor::{Actor, even_frames};
use crate::draw::colour::{Colour, Theme};
use crate::draw::figure::{self, Look};
use crate::draw::scene::Scene;
use crate::draw::{DrawError, Style};

/// What goes slower than this over the ground is done on the spot.
const SLOW_M_S: f64 = 0.3;
/// The most moments of one person.
const MOST: f64 = 16.0;

/// One person at one moment.
#[derive(Clone)]
struct Shot {
    person: usize,
    /// How far through the motion, 0 to 1.
    share: f64,
    places: Vec<DVec3>,
}

/// Everybody who is drawn.
#[derive(Clone)]
pub struct Cast<'a> {
    /// Shared, since a film shows the same people in every frame.
    actors: Arc<[Option<Actor<'a>>]>,
    shots: Vec<Shot>,
}

impl<'a> Cast<'a> {
    pub fn new(picture: &PathPicture<'a>) -> Result<Self, DrawError> {
        let mut actors = Vec::with_capacity(picture.people.len());
        let mut shots = Vec::new();
        for (k, person) in picture.people.iter().enumerate() {
            let Some(clip) = person.clip else {
                actors.push(None);
                continue;
            };
            let actor = Actor::new(clip)?;
            let frames = match &person.frames {
                Some(frames) => frames.clone(),
                None => clear_frames(&actor, person, picture.view),
            };
            let last = clip.frame_count() - 1;
            for frame in frames.into_iter().filter(|&f| f <= last) {
                shots.push(Shot {
                    person: k,
                    share: frame as f64 / last.max(1) as f64,
                    places: actor.pose(frame),
                });
            }
            actors.push(Some(actor));
        }
        Ok(Self {
            actors: actors.into(),
            shots,
        })
    }

    /// Each person in the frame they are in; who is in none is not drawn.
    pub fn show(&mut self, frames: impl Fn(usize) -> Option<usize>) {
        self.shots.clear();
        for (k, actor) in self.actors.iter().enumerate() {
            let Some((actor, frame)) = actor.as_ref().zip(frames(k)) else {
                continue;
            };
            let last = actor.way.len() - 1;
            self.shots.push(Shot {
                person: k,
                share: frame as f64 / last.max(1) as f64,
                places: actor.pose(frame.min(last)),
            });
        }
    }

    /// What must fit into the picture.
    pub fn balls(&self) -> Vec<(DVec3, f64)> {
        let of = |s: &Shot| {
            let actor = self.actors[s.person].as_ref();
            actor.map_or_else(Vec::new, |a| a.balls(&s.places))
        };
        self.shots.iter().flat_map(of).collect()
    }
}

/// Frames in which a person stands clear of where they are drawn before, the last one included; and one of every style
/// between them, since what is done on the spot takes no way.
fn clear_frames(actor: &Actor<'_>, person: &OnPath<'_>, view: PathView) -> Vec<usize> {
    let apart = match view {
        PathView::Map => 1.3,
        PathView::Slant => 1.0,
    };
    let gone = actor.gone();
    let fits = gone[gone.len() - 1] / (apart * actor.body.unit);
    let mut frames = even_frames(&gone, (fits.floor() + 1.0).clamp(1.0, MOST) as usize);
    let places = person.way.len().max(1) as f64;
    for (start, end, _) in &person.styles {
        let frame = |place: usize| (place as f64 / places * gone.len() as f64) as usize;
        let (from, to) = (frame(*start), frame(*end).min(gone.len()));
        let shown = frames.iter().any(|f| (from..to).contains(f));
        if from >= to {
            continue;
        }
        let metres = gone[to - 1] - gone[from];
        let on_the_spot = metres < SLOW_M_S * (actor.seconds(to) - actor.seconds(from));
        if !shown || on_the_spot {
            let middle = (from + to) / 2;
            // It takes the place of those it would stand in.
            let near = |f: &usize| (gone[*f] - gone[middle]).abs() < 0.5 * apart;
            frames.retain(|f| !near(f));
            frames.push(middle);
        }
    }
    frames.sort_unstable();
    frames
}

/// Draws everybody, and in the slanted view the obstacles among them.
pub fn draw(
    scene: &mut Scene,
    stage: &Stage,
    picture: &PathPicture<'_>,
    cast: &Cast<'_>,
    styles: &Styles<'_>,
    theme: &Theme,
) {
    let slanted = picture.view == PathView::Slant;
    let themes: Vec<Theme> = cast
        .shots
        .iter()
        .map(|s| tinted(theme, shot_colour(picture, s, styles, theme)))
        .collect();
    let look = |k: usize| Look {
        camera: &stage.camera,
        style: Style::Solid,
        theme: &themes[k],
        fade: if slanted { 0.0 } else { 0.2 },
    };
    for (k, shot) in cast.shots.iter().enumerate() {
        if let (Some(actor), true) = (&cast.actors[shot.person], slanted) {
            figure::shadow(scene, &actor.body, &shot.places, actor.floor, &look(k));
        }
    }
    let depth = |p: DVec3| stage.camera.see(p).depth;
    let mut standing: Vec<(f64, Standing)> = Vec::new();
    for (k, shot) in cast.shots.iter().enumerate() {
        if let Some(actor) = &cast.actors[shot.person] {
            let under = shot.places[actor.body.pelvis];
            standing.push((
                depth(DVec3::new(under.x, 0.0, under.z)),
                Standing::Person(k),
            ));
        }
    }
    if slanted {
        for (k, outline) in picture.obstacles.iter().enumerate() {
            let middle = outline.iter().map(|p| DVec2::from_array(*p)).sum::<DVec2>()
                / outline.len().max(1) as f64;
            standing.push((
                depth(DVec3::new(middle.x, 0.0, middle.y)),
                Standing::Block(k),
            ));
        }
    }
    standing.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (_, thing) in standing {
        match thing {
            Standing::Block(k) => ground::block(scene, stage, &picture.obstacles[k], theme),
            Standing::Person(k) => {
                let shot = &cast.shots[k];
                if let Some(actor) = &cast.actors[shot.person] {
                    figure::draw(scene, &actor.body, &shot.places, &look(k));
                }
            }
        }
    }
}

/// What stands on the ground.
enum Standing {
    Person(usize),
    Block(usize),
}

fn shot_colour(
    picture: &PathPicture<'_>,
    shot: &Shot,
    styles: &Styles<'_>,
    theme: &Theme,
) -> Colour {
    if picture.people.len() > 1 {
        return ground::way_colour(picture, shot.person, theme);
    }
    let person = &picture.people[shot.person];
    styles.at(person, shot.share).unwrap_or(PLAIN)
}

/// A body whose limbs say what it is doing; left a little lighter than right.
fn tinted(theme: &Theme, colour: Colour) -> Theme {
    Theme {
        left: colour.lighter(0.22),
        right: colour.darker(0.05),
        ..*theme
    }
}
