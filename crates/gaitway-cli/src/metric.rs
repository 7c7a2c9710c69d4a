//! What the flags about comparing frames mean to the distance engine.

use gaitway::io::Import;
use gaitway::metric::{MarkerSet, MetricError, MetricOptions, Placement, WindowKernel};

use super::args::MetricArgs;
use super::{CliError, files};

/// Which points are compared, with which weights.
pub fn markers(args: &MetricArgs) -> Result<MarkerSet, CliError> {
    match MarkerSet::from_name(&args.weights) {
        Some(markers) => Ok(markers),
        None => {
            const WEIGHTS: &str = "--weights takes uniform, limbs, no-fingers, or a file with a joint and a weight per line";
            let text = files::read_text(args.weights.as_ref(), WEIGHTS)?;
            MarkerSet::from_text(&text)
                .map_err(|e| error(e).in_file(&args.weights).with_hint(WEIGHTS))
        }
    }
}

/// The same without joints that carry noise in any of some clips, as graphs compare.
pub fn quiet_markers<'a>(
    args: &MetricArgs,
    imports: impl IntoIterator<Item = &'a Import>,
) -> Result<MarkerSet, CliError> {
    let mut markers = markers(args)?;
    for import in imports {
        let skeleton = import.clip.skeleton();
        let names = import
            .source
            .noise_joints
            .iter()
            .map(|&j| skeleton.name(j).to_owned());
        markers.excluded.extend(names);
    }
    markers.excluded.sort();
    markers.excluded.dedup();
    Ok(markers)
}

/// Window, ceiling and placement.
pub fn options(args: &MetricArgs) -> MetricOptions {
    MetricOptions {
        window_s: args.window_s(),
        kernel: match args.kernel.as_str() {
            "box" => WindowKernel::Box,
            "gaussian" => WindowKernel::Gaussian,
            _ => WindowKernel::Triangle,
        },
        ceiling_cm: args.ceiling,
        placement: if args.fixed_place {
            Placement::Fixed
        } else {
            Placement::Free
        },
        ..MetricOptions::default()
    }
}

/// What to try after an error of the engine.
pub fn hint(error: &MetricError) -> Option<&'static str> {
    match error {
        MetricError::Window { .. } => Some("a shorter --window, or a lower --fps"),
        MetricError::TooShort { .. } => Some("a shorter --window, or a longer clip"),
        MetricError::UnknownJoint { .. } => Some(
            "a line of a --weights file is a joint's name as the clips have it, and a weight: LeftFoot 2",
        ),
        MetricError::NoWeight => Some("--weights must leave some joint a weight above 0"),
        _ => None,
    }
}

/// The engine's error as a person reads it.
pub fn error(error: MetricError) -> CliError {
    let out = CliError::new(error.to_string());
    hint(&error).into_iter().fold(out, CliError::with_hint)
}
