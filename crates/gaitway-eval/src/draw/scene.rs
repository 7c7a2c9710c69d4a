//! A picture as data: shapes in pixels, drawn in order, x to the right and y down.

use glam::Vec2;

use super::DrawError;
use super::colour::Colour;

/// The longest side of a picture in pixels.
pub const MAX_SIDE: u32 = 16_384;
/// The most pixels of a picture (256 MiB of colours).
pub const MAX_PIXELS: u64 = 1 << 26;

/// What an area is filled with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Paint {
    /// One colour.
    Flat(Colour),
    /// Three colours along a line: at `from`, halfway, at `to`.
    Linear {
        /// Where the first colour is.
        from: Vec2,
        /// Where the last colour is.
        to: Vec2,
        /// First, middle, last.
        colours: [Colour; 3],
    },
    /// Three colours from a centre outwards: at the centre, at half the radius, at the radius.
    Radial {
        /// Where the first colour is.
        centre: Vec2,
        /// Where the last colour is reached.
        radius: f32,
        /// First, middle, last.
        colours: [Colour; 3],
    },
}

/// How a line is drawn. Ends and corners are round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Its colour.
    pub colour: Colour,
    /// Its width in pixels.
    pub width: f32,
    /// Lengths of dash and gap, if it is dashed.
    pub dash: Option<(f32, f32)>,
}

impl Stroke {
    /// A plain line.
    pub fn new(colour: Colour, width: f32) -> Self {
        Self {
            colour,
            width,
            dash: None,
        }
    }
}

/// A chain of straight lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Polyline {
    /// Its corners.
    pub points: Vec<Vec2>,
    /// Whether the last corner joins the first.
    pub closed: bool,
}

/// A circle, alone or as a corner of a hull.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// Its middle.
    pub centre: Vec2,
    /// Its radius in pixels.
    pub radius: f32,
}

/// Which part of a text stands at its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// The point of the baseline that [`Text::anchor`] names.
    pub at: Vec2,
    /// Height of a capital letter and the space around it, as in "14 px text".
    pub size: f32,
    /// What stands at the point.
    pub anchor: Anchor,
    /// Its colour.
    pub colour: Colour,
    /// Heavier strokes, for titles.
    pub bold: bool,
    /// Reads upwards, for the name of a vertical axis.
    pub upwards: bool,
    /// The words.
    pub words: String,
}

/// One thing to draw.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Lines and the area they enclose (non-zero winding, so overlapping outlines unite).
    Path {
        /// The chains.
        lines: Vec<Polyline>,
        /// What closed chains are filled with.
        fill: Option<Paint>,
        /// How the lines are drawn.
        stroke: Option<Stroke>,
    },
    /// The area a rubber band around circles encloses: one circle is a disc, two are a capsule.
    Hull {
        /// The circles.
        circles: Vec<Circle>,
        /// What it is filled with.
        fill: Paint,
        /// How its border is drawn.
        stroke: Option<Stroke>,
    },
    /// A line of text.
    Text(Text),
    /// Pixels of their own, stretched without smoothing.
    Image {
        /// Upper left corner.
        at: Vec2,
        /// Width and height in the scene.
        size: Vec2,
        /// Pixels across.
        columns: u32,
        /// Pixels down.
        rows: u32,
        /// Row by row from the top.
        pixels: Vec<Colour>,
    },
}

/// A picture as data.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Behind everything.
    pub background: Colour,
    /// What the picture shows, in words, for those who cannot see it.
    pub description: String,
    /// What is drawn, first things first.
    pub shapes: Vec<Shape>,
}

impl Scene {
    /// An empty picture.
    ///
    /// # Errors
    /// When a side is 0 or beyond [`MAX_SIDE`], or there are more than [`MAX_PIXELS`].
    pub fn new(width: u32, height: u32, background: Colour) -> Result<Self, DrawError> {
        check_size(width, height)?;
        Ok(Self {
            width,
            height,
            background,
            description: String::new(),
            shapes: Vec::new(),
        })
    }

    /// A straight line.
    pub fn line(&mut self, a: Vec2, b: Vec2, stroke: Stroke) {
        self.polyline(vec![a, b], stroke);
    }

    /// A chain of lines.
    pub fn polyline(&mut self, points: Vec<Vec2>, stroke: Stroke) {
        self.shapes.push(Shape::Path {
            lines: vec![Polyline {
                points,
                closed: false,
            }],
            fill: None,
            stroke: Some(stroke),
        });
    }

    /// A filled area.
    pub fn polygon(&mut self, points: Vec<Vec2>, fill: Paint, stroke: Option<Stroke>) {
        self.shapes.push(Shape::Path {
            lines: vec![Polyline {
                points,
                closed: true,
            }],
            fill: Some(fill),
            stroke,
        });
    }

    /// An upright rectangle from corner to corner.
    pub fn rectangle(&mut self, low: Vec2, high: Vec2, fill: Paint, stroke: Option<Stroke>) {
        let corners = vec![
            low,
            Vec2::new(high.x, low.y),
            high,
            Vec2::new(low.x, high.y),
        ];
        self.polygon(corners, fill, stroke);
    }

    /// A disc.
    pub fn disc(&mut self, centre: Vec2, radius: f32, fill: Paint, stroke: Option<Stroke>) {
        self.shapes.push(Shape::Hull {
            circles: vec![Circle { centre, radius }],
            fill,
            stroke,
        });
    }

    /// Words.
    pub fn text(&mut self, at: Vec2, size: f32, anchor: Anchor, colour: Colour, words: &str) {
        self.shapes.push(Shape::Text(Text {
            at,
            size,
            anchor,
            colour,
            bold: false,
            upwards: false,
            words: words.to_owned(),
        }));
    }

    /// Words of more weight.
    pub fn heading(&mut self, at: Vec2, size: f32, colour: Colour, words: &str) {
        self.shapes.push(Shape::Text(Text {
            at,
            size,
            anchor: Anchor::Start,
            colour,
            bold: true,
            upwards: false,
            words: words.to_owned(),
        }));
    }
}

/// Whether a picture of this size may be drawn.
pub(super) fn check_size(width: u32, height: u32) -> Result<(), DrawError> {
    let side = 1..=MAX_SIDE;
    let pixels = u64::from(width) * u64::from(height);
    if side.contains(&width) && side.contains(&height) && pixels <= MAX_PIXELS {
        return Ok(());
    }
    Err(DrawError::Size {
        width,
        height,
        side: MAX_SIDE,
        pixels: MAX_PIXELS,
    })
}

/// The corners of a hull of circles in order of rising angle (clockwise to the eye), each with its circle.
///
/// Every circle is sampled and the convex hull of all samples taken (Andrew's monotone chain): with 40
/// samples the border is within 0.3 % of a radius of the true one. Cost: O(s log s) for s samples.
pub(super) fn hull(circles: &[Circle]) -> Vec<(Vec2, usize)> {
    const SAMPLES: usize = 40;
    let mut samples: Vec<(Vec2, usize)> = Vec::with_capacity(circles.len() * SAMPLES);
    for (i, circle) in circles.iter().enumerate() {
        for k in 0..SAMPLES {
            let angle = k as f32 / SAMPLES as f32 * std::f32::consts::TAU;
            samples.push((circle.centre + circle.radius * Vec2::from_angle(angle), i));
        }
    }
    convex_by(samples, |s| s.0)
}

/// The convex hull of points, in order of rising angle.
pub(super) fn convex(points: Vec<Vec2>) -> Vec<Vec2> {
    convex_by(points, |p| *p)
}

fn convex_by<T: Copy>(mut items: Vec<T>, place: impl Fn(&T) -> Vec2) -> Vec<T> {
    items.sort_by(|a, b| {
        let (a, b) = (place(a), place(b));
        a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
    });
    let mut out: Vec<T> = Vec::new();
    let mut half = |items: &mut dyn Iterator<Item = &T>| {
        let start = out.len();
        for item in items {
            while out.len() >= start + 2 {
                let (a, b) = (place(&out[out.len() - 2]), place(&out[out.len() - 1]));
                if (b - a).perp_dot(place(item) - b) > 0.0 {
                    break;
                }
                out.pop();
            }
            out.push(*item);
        }
        out.pop();
    };
    half(&mut items.iter());
    half(&mut items.iter().rev());
    out
}
