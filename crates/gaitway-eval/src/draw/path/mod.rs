//! A motion along a path, in the manner of the motion-graph papers: the path wide and yellow, the root's way on it in
//! black on the colour of its style, the character at several moments, transitions as rings, obstacles grey.
//!
//! | module | draws |
//! | --- | --- |
//! | `stage` | where everything lies in the picture: a map, or the ground seen from above at a slant |
//! | `ground` | grid, obstacles, paths, ways, marks |
//! | `people` | the character, strobed |
//! | `legend` | what the colours mean |
//! | [`mod@film`] | everybody under way, as an animation |
//! | [`charts`] | error, speed and transitions along the way |
//! | [`trade`] | one quality against another |

pub mod charts;
pub mod film;
mod ground;
mod legend;
mod people;
mod stage;
pub mod trade;

use gaitway_core::Clip;

use super::DrawError;
use super::colour::{Colour, Theme};
use super::scene::Scene;
use people::Cast;
use stage::Stage;

/// From where a path is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PathView {
    /// A map: +X to the right, +Z down, to scale.
    #[default]
    Map,
    /// The ground at a slant, turned so that the path lies across: people are seen as people.
    Slant,
}

/// What the picture shows; places are (x, z) in metres.
#[derive(Clone, Debug, Default)]
pub struct PathPicture<'a> {
    /// First line.
    pub title: String,
    /// The paths asked for.
    pub targets: Vec<Vec<[f64; 2]>>,
    /// Who goes along them.
    pub people: Vec<OnPath<'a>>,
    /// Outlines of obstacles.
    pub obstacles: Vec<Vec<[f64; 2]>>,
    /// A place and heading (radians, 0 along +Z) that something shall end at.
    pub goal: Option<([f64; 2], f64)>,
    /// What several are called in the legend; people where not given.
    pub called: Option<&'static str>,
    /// From where.
    pub view: PathView,
    /// Pixels across at most; 1100 where not given.
    pub width: Option<u32>,
}

/// One person on a path.
#[derive(Clone, Debug, Default)]
pub struct OnPath<'a> {
    /// The root's way.
    pub way: Vec<[f64; 2]>,
    /// Runs of the way that carry a style: first place, one past the last, name.
    pub styles: Vec<(usize, usize, String)>,
    /// Where transitions are at their middle.
    pub transitions: Vec<[f64; 2]>,
    /// Stretches of the way on which interpolated clips are played.
    pub interpolated: Vec<Vec<[f64; 2]>>,
    /// The motion, to be drawn at some of its frames.
    pub clip: Option<&'a Clip>,
    /// Which frames; where not given, as many as stand clear of one another, and one of each short style.
    pub frames: Option<Vec<usize>>,
}

/// The path asked for.
const TARGET: Colour = Colour::hex(0xf7_cf_3c);
/// Styles, in the order in which they come; none near the path's yellow.
const STYLES: [Colour; 6] = [
    Colour::hex(0x2f_7f_c1),
    Colour::hex(0xc2_3b_6e),
    Colour::hex(0x1d_9a_78),
    Colour::hex(0x7a_52_b3),
    Colour::hex(0xd9_5f_2b),
    Colour::hex(0x4f_8a_2a),
];
/// What was never captured, as [ZhaoSafonova09] draws it; darker than any style.
const INTERPOLATED: Colour = Colour::hex(0x12_2f_d8);
/// Where nothing is asked for, limbs are of this grey.
const PLAIN: Colour = Colour::hex(0x6d_77_86);

/// The names of styles and their colours, in the order in which they come.
struct Styles<'a> {
    names: Vec<&'a str>,
}

impl<'a> Styles<'a> {
    fn of(picture: &'a PathPicture<'_>) -> Self {
        let mut names: Vec<&str> = Vec::new();
        // In a crowd colours tell people apart, not styles.
        if let [one] = &picture.people[..] {
            for (_, _, name) in &one.styles {
                if !names.contains(&name.as_str()) {
                    names.push(name);
                }
            }
        }
        Self { names }
    }

    fn colour(&self, name: &str) -> Colour {
        let index = self.names.iter().position(|n| *n == name).unwrap_or(0);
        STYLES[index % STYLES.len()]
    }

    /// The colour at a share of a person's way.
    fn at(&self, person: &OnPath<'_>, share: f64) -> Option<Colour> {
        let last = person.way.len().saturating_sub(1);
        let place = ((share * person.way.len() as f64) as usize).min(last);
        let run = person
            .styles
            .iter()
            .find(|s| (s.0..=s.1).contains(&place))?;
        (!self.names.is_empty()).then(|| self.colour(&run.2))
    }
}

/// Draws the picture.
///
/// # Errors
/// When there is nothing to draw, or a clip is too large to draw.
pub fn path_picture(picture: &PathPicture<'_>) -> Result<Scene, DrawError> {
    let styles = Styles::of(picture);
    let cast = Cast::new(picture)?;
    let entries = legend::entries(picture, &styles);
    let stage = Stage::new(picture, cast.balls(), &entries)?;
    let mut scene = compose(picture, &stage, &cast, &styles)?;
    legend::draw(&mut scene, &entries, &picture.title, &Theme::LIGHT);
    scene.description.clone_from(&picture.title);
    Ok(scene)
}

/// Everything but the words above.
fn compose(
    picture: &PathPicture<'_>,
    stage: &Stage,
    cast: &Cast<'_>,
    styles: &Styles<'_>,
) -> Result<Scene, DrawError> {
    let theme = Theme::LIGHT;
    let mut scene = Scene::new(stage.width, stage.height, theme.background)?;
    ground::grid(&mut scene, stage, picture, &theme);
    ground::obstacles_below(&mut scene, stage, picture, &theme);
    ground::ways(&mut scene, stage, picture, styles, &theme);
    if picture.view == PathView::Slant {
        ground::marks(&mut scene, stage, picture, &theme);
    }
    people::draw(&mut scene, stage, picture, cast, styles, &theme);
    if picture.view == PathView::Map {
        ground::marks(&mut scene, stage, picture, &theme);
    }
    ground::end_words(&mut scene, stage, picture, &theme);
    Ok(scene)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave() -> Vec<[f64; 2]> {
        let at = |k: i32| [0.1 * f64::from(k), (0.2 * f64::from(k)).sin()];
        (0..50).map(at).collect()
    }

    #[test]
    fn a_way_is_drawn_in_its_styles_from_both_views() {
        let clip = gaitway_core::testing::swinging_clip("stroll", 90, 30.0);
        let one = OnPath {
            way: wave(),
            styles: vec![(0, 20, "walk".into()), (20, 50, "sneak".into())],
            transitions: vec![[1.0, 0.5]],
            interpolated: vec![wave()[5..9].to_vec()],
            clip: Some(&clip),
            frames: None,
        };
        for view in [PathView::Map, PathView::Slant] {
            let picture = PathPicture {
                title: "a wave".into(),
                targets: vec![wave()],
                people: vec![one.clone()],
                obstacles: vec![vec![[2.0, 2.0], [3.0, 2.0], [3.0, 3.0]]],
                goal: Some(([5.0, 0.0], 1.0)),
                view,
                ..PathPicture::default()
            };
            let scene = path_picture(&picture).expect("a picture");
            let svg = scene.to_svg();
            for word in [
                "sneak",
                "walk",
                "path",
                "transition",
                "interpolated",
                "obstacle",
            ] {
                assert!(svg.contains(word), "{view:?} has no `{word}`");
            }
            assert!(scene.to_png().is_ok());
        }
    }

    #[test]
    fn nothing_and_the_impossible_are_refused() {
        assert!(path_picture(&PathPicture::default()).is_err());
        let nowhere = PathPicture {
            targets: vec![vec![[f64::NAN, 0.0]]],
            ..PathPicture::default()
        };
        assert!(path_picture(&nowhere).is_err());
    }

    #[test]
    fn a_crowd_is_told_apart_by_colour() {
        let person = || OnPath {
            way: wave(),
            styles: vec![(0, 50, "walk".into())],
            ..OnPath::default()
        };
        let picture = PathPicture {
            targets: vec![wave()],
            people: vec![person(), person()],
            ..PathPicture::default()
        };
        let svg = path_picture(&picture).expect("a picture").to_svg();
        assert!(svg.contains("2 people") && !svg.contains(">walk<"));
    }
}
