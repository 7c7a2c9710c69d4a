//! What a picture of a clip should look like.

use super::DrawError;
use super::colour::Theme;

/// From where the motion is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// From the side, so that travel goes from left to right.
    #[default]
    Side,
    /// From above, with the way on the ground.
    Top,
    /// From ahead and above, in perspective.
    ThreeQuarter,
    /// From the front, face to face.
    Front,
}

/// How a body is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Lines with joints.
    Stick,
    /// A shaded body.
    #[default]
    Solid,
    /// Bright dots at the joints on a dark ground, as in experiments on how people see motion.
    Points,
}

/// How a clip is drawn. Each default names its reason.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderOptions {
    /// From where; side by default.
    pub view: View,
    /// How bodies look; solid by default.
    pub style: Style,
    /// Colours; light by default, since pictures land on white pages. Point-light displays are dark.
    pub theme: Theme,
    /// Width in pixels; 1600 by default, twice a page's column. Animations: 480, small enough for a README.
    pub width: Option<u32>,
    /// Height in pixels; by default what the contents need. Animations: three quarters of the width.
    pub height: Option<u32>,
    /// How many poses a strobe sheet or top view shows; by default as many as stand clear of one another.
    pub moments: Option<usize>,
    /// First line; by default the clip's name.
    pub title: Option<String>,
    /// Pictures a second of an animation, at most 30; 20 by default (GIF counts in hundredths of a second).
    pub fps: f64,
    /// The longest part of a clip an animation shows, in seconds; 12 by default, to bound its size.
    pub max_seconds: f64,
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self {
            view: View::default(),
            style: Style::default(),
            theme: Theme::LIGHT,
            width: None,
            height: None,
            moments: None,
            title: None,
            fps: 20.0,
            max_seconds: 12.0,
        }
    }
}

impl RenderOptions {
    /// The most poses one picture may show.
    pub const MAX_MOMENTS: usize = 200;

    /// The colours to draw with: point-light displays are dark whatever the theme.
    pub fn colours(&self) -> Theme {
        match self.style {
            Style::Points => Theme::DARK,
            _ => self.theme,
        }
    }

    pub(super) fn check(&self) -> Result<(), DrawError> {
        let wrong = |option, value: String, expected| {
            Err(DrawError::Option {
                option,
                value,
                expected,
            })
        };
        if let Some(n) = self.moments
            && !(1..=Self::MAX_MOMENTS).contains(&n)
        {
            return wrong("the number of poses", n.to_string(), "from 1 to 200");
        }
        if !(self.fps > 0.0 && self.fps <= 30.0) {
            let expected = "above 0 and at most 30";
            return wrong("the animation's rate", self.fps.to_string(), expected);
        }
        if !(self.max_seconds > 0.0 && self.max_seconds <= 120.0) {
            let expected = "above 0 and at most 120 s";
            return wrong(
                "the animation's length",
                self.max_seconds.to_string(),
                expected,
            );
        }
        if let Some(w) = self.width
            && w < 64
        {
            return wrong("the width", w.to_string(), "64 pixels or more");
        }
        if let Some(h) = self.height
            && h < 48
        {
            return wrong("the height", h.to_string(), "48 pixels or more");
        }
        Ok(())
    }
}
