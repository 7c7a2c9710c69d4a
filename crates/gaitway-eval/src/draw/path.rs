//! A motion along a path, from above, in the manner of the motion-graph papers: the path wide and yellow, the root's way on
//! it in black or in the colour of its style, transitions as rings, obstacles grey.

use glam::{DVec2, Vec2};

use super::colour::{Colour, SERIES, Theme};
use super::scene::{Anchor, Paint, Scene, Stroke};
use super::{DrawError, text};

/// What the picture shows; places are (x, z) in metres.
#[derive(Clone, Debug, Default)]
pub struct PathPicture {
    /// First line.
    pub title: String,
    /// The path.
    pub target: Vec<[f64; 2]>,
    /// The root's ways: one per person.
    pub results: Vec<Vec<[f64; 2]>>,
    /// Runs of the first way that carry a style: first place, one past the last, name.
    pub styles: Vec<(usize, usize, String)>,
    /// Where transitions are at their middle.
    pub transitions: Vec<[f64; 2]>,
    /// Outlines of obstacles.
    pub obstacles: Vec<Vec<[f64; 2]>>,
}

const TARGET: Colour = Colour::hex(0xf2_c1_2e);

/// Draws the picture, a metre as long in both directions.
///
/// # Errors
/// When there is nothing to draw.
pub fn path_picture(picture: &PathPicture, side: u32) -> Result<Scene, DrawError> {
    let theme = Theme::LIGHT;
    let places = || {
        let ways = picture.results.iter().flatten().chain(&picture.target);
        ways.chain(picture.obstacles.iter().flatten())
            .map(|p| DVec2::from_array(*p))
    };
    let (low, high) = places()
        .filter(|p| p.is_finite())
        .fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(l, h), p| {
            (l.min(p), h.max(p))
        });
    if !(low.is_finite() && high.is_finite()) {
        return Err(DrawError::NoData { what: "the path" });
    }
    let margin = 60.0;
    let extent = (high - low).max_element().max(0.5);
    let scale = (f64::from(side) - 2.0 * margin) / extent;
    let size = (high - low) * scale + DVec2::splat(2.0 * margin);
    let (width, height) = (size.x.max(420.0) as u32, size.y.max(160.0) as u32 + 40);
    let mut scene = Scene::new(width, height, theme.background)?;
    // x grows to the right, z upwards.
    let at = |p: [f64; 2]| {
        let from_low = (DVec2::from_array(p) - low) * scale;
        Vec2::new(
            (margin + from_low.x) as f32,
            height as f32 - (margin + from_low.y) as f32,
        )
    };
    grid(&mut scene, low, high, &at, &theme);
    for outline in &picture.obstacles {
        let points = outline.iter().map(|p| at(*p)).collect();
        scene.polygon(
            points,
            Paint::Flat(theme.grid),
            Some(Stroke::new(theme.line, 1.2)),
        );
    }
    scene.polyline(
        picture.target.iter().map(|p| at(*p)).collect(),
        Stroke::new(TARGET, 7.0),
    );
    for (k, way) in picture.results.iter().enumerate() {
        let colour = if picture.results.len() == 1 {
            theme.ink
        } else {
            SERIES[k % SERIES.len()]
        };
        scene.polyline(
            way.iter().map(|p| at(*p)).collect(),
            Stroke::new(colour, 1.8),
        );
    }
    if let [way] = &picture.results[..] {
        styles(&mut scene, picture, way, &at, &theme);
    }
    for place in &picture.transitions {
        let ring = Some(Stroke::new(theme.ink, 1.4));
        scene.disc(at(*place), 4.0, Paint::Flat(theme.background), ring);
    }
    scene.heading(
        Vec2::new(20.0, 30.0),
        16.0,
        theme.ink,
        &text::fit(&picture.title, 16.0, width as f32 - 40.0),
    );
    scene.description.clone_from(&picture.title);
    Ok(scene)
}

/// The way in the colours of its styles, with a legend.
fn styles(
    scene: &mut Scene,
    picture: &PathPicture,
    way: &[[f64; 2]],
    at: &dyn Fn([f64; 2]) -> Vec2,
    theme: &Theme,
) {
    let mut names: Vec<&str> = picture.styles.iter().map(|s| s.2.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let colour = |name: &str| {
        let index = names.iter().position(|n| *n == name).unwrap_or(0);
        SERIES[index % SERIES.len()]
    };
    for (start, end, name) in &picture.styles {
        let run = way
            .get(*start..(*end + 1).min(way.len()))
            .unwrap_or_default();
        scene.polyline(
            run.iter().map(|p| at(*p)).collect(),
            Stroke::new(colour(name), 2.6),
        );
    }
    let mut x = 20.0;
    for name in &names {
        scene.line(
            Vec2::new(x, 48.0),
            Vec2::new(x + 18.0, 48.0),
            Stroke::new(colour(name), 3.0),
        );
        scene.text(
            Vec2::new(x + 24.0, 52.0),
            12.0,
            Anchor::Start,
            theme.ink,
            name,
        );
        x += 44.0 + text::width(name, 12.0);
    }
}

fn grid(scene: &mut Scene, low: DVec2, high: DVec2, at: &dyn Fn([f64; 2]) -> Vec2, theme: &Theme) {
    let step = [0.5, 1.0, 2.0, 5.0, 10.0, 50.0]
        .into_iter()
        .find(|s| (high - low).max_element() / s < 16.0);
    let step = step.unwrap_or(500.0);
    let marks = |a: f64, b: f64| {
        let first = (a / step).ceil() as i64;
        (first..=(b / step).floor() as i64).map(move |k| k as f64 * step)
    };
    let stroke = Stroke::new(theme.grid, 1.0);
    for x in marks(low.x, high.x) {
        scene.line(at([x, low.y]), at([x, high.y]), stroke);
        let words = at([x, low.y]) + Vec2::new(0.0, 22.0);
        scene.text(
            words,
            11.0,
            Anchor::Middle,
            theme.faint_ink,
            &format!("{x} m"),
        );
    }
    for z in marks(low.y, high.y) {
        scene.line(at([low.x, z]), at([high.x, z]), stroke);
        let words = at([low.x, z]) + Vec2::new(-10.0, 4.0);
        scene.text(words, 11.0, Anchor::End, theme.faint_ink, &format!("{z}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_is_drawn_in_its_styles_and_nothing_is_refused() {
        let way: Vec<[f64; 2]> = (0..50)
            .map(|k| [0.1 * f64::from(k), (0.2 * f64::from(k)).sin()])
            .collect();
        let picture = PathPicture {
            title: "a wave".into(),
            target: way.clone(),
            results: vec![way],
            styles: vec![(0, 20, "walk".into()), (20, 50, "sneak".into())],
            transitions: vec![[1.0, 0.5]],
            obstacles: vec![vec![[2.0, 2.0], [3.0, 2.0], [3.0, 3.0]]],
        };
        let svg = path_picture(&picture, 800).expect("a picture").to_svg();
        assert!(svg.contains("sneak") && svg.contains("walk"));
        assert!(path_picture(&PathPicture::default(), 800).is_err());
    }
}
