//! Pictures of motion: strobe sheets, top views, animations, heat maps, charts and a page to put them on.
//!
//! Everything is drawn into a [`Scene`], plain data: filled and stroked shapes in pixels. A scene becomes
//! a PNG ([`Scene::to_png`]) or an SVG ([`Scene::to_svg`]); both are the same bytes for the same scene on every
//! machine, since no system font and no clock is asked.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`scene`], [`colour`] | shapes, paints, colours |
//! | `raster`, `svg` | scene → PNG, scene → SVG |
//! | [`text`] | a stroke font of our own, so that pictures need no font file |
//! | [`camera`] | world → picture |
//! | [`body`], `outline`, `sticks` | what of a skeleton is drawn: hulls of balls, lines, dots |
//! | [`actor`] | a clip made ready for drawing: body, floor, way, moments |
//! | [`figure`], [`floor`] | one pose; the ground it stands on |
//! | `strip` | a clip at a glance |
//! | [`strobe`], [`top`], [`animation`] | the three pictures of `gaitway render` |
//! | [`axes`], [`chart`], [`mod@heatmap`], [`mod@bars`] | plots |
//! | [`mod@bodies`] | bodies at rest side by side |
//! | [`reach`] | who reaches whom in a graph |
//! | `film` | pictures one after another → GIF |
//! | [`path`] | a motion along a path or many of them, still and moving, and charts of it |
//! | [`page`] | a one-page HTML report |
//!
//! ```
//! use gaitway_eval::draw::{self, RenderOptions};
//!
//! let clip = gaitway_core::testing::swinging_clip("stroll", 90, 30.0);
//! let picture = draw::still(&clip, &RenderOptions::default())?;
//! assert!(picture.to_png()?.starts_with(b"\x89PNG"));
//! assert!(picture.to_svg().starts_with("<svg"));
//! # Ok::<(), draw::DrawError>(())
//! ```

pub mod actor;
pub mod animation;
pub mod axes;
pub mod bars;
pub mod bodies;
pub mod body;
pub mod camera;
pub mod chart;
pub mod colour;
mod error;
pub mod figure;
mod film;
pub mod floor;
mod glyphs;
pub mod graph;
pub mod heatmap;
mod options;
mod outline;
pub mod page;
pub mod path;
mod quantise;
mod raster;
pub mod reach;
pub mod scene;
mod sticks;
mod strip;
pub mod strobe;
mod svg;
pub mod text;
pub mod top;

pub use animation::{Animation, animate};
pub use error::DrawError;
pub use film::Watch;
pub use heatmap::{Grid, HeatmapOptions, heatmap};
pub use options::{RenderOptions, Style, View};
pub use page::Page;
pub use scene::Scene;
pub use strip::strip;

use gaitway_core::Clip;

/// The still picture of a clip that its view asks for: the top view, or a strobe sheet.
///
/// # Errors
/// When the clip has no frames, is too large to draw, or the options ask for an impossible picture.
pub fn still(clip: &Clip, options: &RenderOptions) -> Result<Scene, DrawError> {
    match options.view {
        View::Top => top::top_view(clip, options),
        _ => strobe::strobe(clip, options),
    }
}
