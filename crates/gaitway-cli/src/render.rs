//! `gaitway render`: pictures of motion.

use std::io::Write;
use std::path::Path;

use gaitway::core::edit;
use gaitway::eval::draw::{self, RenderOptions, Scene, Style, View};
use gaitway::io::WriteError;
use gaitway::io::output::write_atomic;

use super::args::{RenderArgs, StyleArg, ViewArg};
use super::load::load_one;
use super::term::Term;
use super::{CliError, Outcome, files};

/// Runs the verb.
pub fn run(args: &RenderArgs, term: &mut Term) -> Result<Outcome, CliError> {
    files::check_outputs([Some(&args.out)])?;
    files::keep_inputs([Some(&args.out)], &[args.input.as_ref()])?;
    let ending = extension(&args.out);
    if !["gif", "png", "svg"].contains(&ending.as_str()) {
        return Err(
            CliError::new(format!("`.{ending}` is no picture format we write"))
                .with_hint("write .png, .svg or .gif"),
        );
    }
    let import = load_one(&args.input, &args.read, term)?;
    let mut clip = gaitway::core::ground::travel_to_root(&import.clip);
    if let Some(range) = args.cut {
        let frames = range.frames(clip.rate_hz(), clip.frame_count());
        if frames.is_empty() {
            return Err(
                CliError::new(format!("{}: --cut keeps nothing", args.input))
                    .with_hint(format!("the clip lasts {:.2} s", clip.seconds())),
            );
        }
        clip = edit::cut(&clip, frames);
    }
    if clip.contacts().is_none() {
        // Footprints are worth having where feet are found, and no reason to fail where they are not.
        let found = gaitway::core::contacts::detect(&clip, &Default::default())
            .ok()
            .map(|d| d.track);
        clip = clip
            .with_contacts(found)
            .map_err(|e| CliError::new(e.to_string()))?;
    }
    let options = RenderOptions {
        title: Some(title(&args.input)),
        ..options(args)?
    };
    let wrong = |e: draw::DrawError| draw_error(&args.input, &e);
    if ending == "gif" {
        let animation = draw::animate(&clip, &options).map_err(wrong)?;
        write_bytes(&args.out, &animation.to_gif().map_err(wrong)?)?;
    } else {
        write_scene(&args.out, &draw::still(&clip, &options).map_err(wrong)?)?;
    }
    term.say(&format!("wrote {}", args.out.display()));
    Ok(Outcome::Done)
}

fn options(args: &RenderArgs) -> Result<RenderOptions, CliError> {
    let defaults = RenderOptions::default();
    let pixels =
        |n: usize| u32::try_from(n).map_err(|_| CliError::new(format!("{n} pixels are too many")));
    Ok(RenderOptions {
        view: match args.view {
            ViewArg::Side => View::Side,
            ViewArg::Front => View::Front,
            ViewArg::Top => View::Top,
            ViewArg::ThreeQuarter => View::ThreeQuarter,
        },
        style: match args.style {
            StyleArg::Stick => Style::Stick,
            StyleArg::Solid => Style::Solid,
            StyleArg::Points => Style::Points,
        },
        width: args.width.map(pixels).transpose()?,
        height: args.height.map(pixels).transpose()?,
        moments: args.poses,
        fps: args.out_fps.unwrap_or(defaults.fps),
        ..defaults
    })
}

/// The drawing's error as a person reads it.
fn draw_error(input: &str, error: &draw::DrawError) -> CliError {
    let out = CliError::new(format!("{input}: {error}"));
    match error {
        draw::DrawError::Option { option, .. } if option.contains("poses") => {
            out.with_hint("leave --poses out for as many as fit, or ask for fewer: --poses 12")
        }
        draw::DrawError::Option { .. } | draw::DrawError::Size { .. } => {
            out.with_hint("--width 1200 and --height 600 fit; leave both out for a size that does")
        }
        draw::DrawError::Extent { .. } => {
            out.with_hint("is the unit right? --units says what one unit is")
        }
        _ => out,
    }
}

/// What a picture is called: the file, not the way to it.
pub fn title(input: &str) -> String {
    let file = input.rsplit(['/', '\\']).next().unwrap_or(input);
    file.to_owned()
}

fn extension(path: &Path) -> String {
    path.extension()
        .and_then(|e| e.to_str())
        .unwrap_or("")
        .to_ascii_lowercase()
}

/// Refuses a picture that [`write_scene`] cannot write, before the work that it would show.
pub fn check_picture(path: Option<&Path>) -> Result<(), CliError> {
    let Some(ending) = path.map(extension) else {
        return Ok(());
    };
    match ending.as_str() {
        "png" | "svg" => Ok(()),
        _ => Err(
            CliError::new(format!("`.{ending}` is no picture format we write"))
                .with_hint("write .png or .svg"),
        ),
    }
}

/// Writes a picture as PNG or SVG, by the path's extension.
pub fn write_scene(path: &Path, scene: &Scene) -> Result<(), CliError> {
    check_picture(Some(path))?;
    match extension(path).as_str() {
        "svg" => write_bytes(path, scene.to_svg().as_bytes()),
        _ => {
            let png = scene.to_png().map_err(|e| CliError::new(e.to_string()))?;
            write_bytes(path, &png)
        }
    }
}

/// Writes bytes whole or not at all.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    write_atomic(path, |sink: &mut dyn Write| {
        sink.write_all(bytes).map_err(|source| WriteError::Io {
            file: path.display().to_string(),
            source,
        })
    })?;
    Ok(())
}
