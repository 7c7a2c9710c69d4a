//! The performed takes as files: what a capture session would have left.

use std::path::Path;

use gaitway::core::performer::PerformedClip;
use gaitway::core::{Clip, LabelSpan};
use gaitway::io::{WriteOptions, write_file};
use rayon::prelude::*;

use super::super::render::write_bytes;
use super::super::term::Term;
use super::super::{CliError, interrupt};

/// A take's name without the folder it is filed under.
pub fn short_name(clip: &Clip) -> &str {
    clip.name().rsplit('/').next().unwrap_or(clip.name())
}

/// Writes all takes, as BVH in one folder and as GLB in another, so that each folder holds every motion once.
pub fn write(out: &Path, takes: &[PerformedClip], term: &mut Term) -> Result<(), CliError> {
    let bar = term.progress(takes.len() as u64, "writing clips");
    let written = takes.par_iter().try_for_each(|take| {
        interrupt::go_on()?;
        let result = write_take(out, &take.clip);
        bar.inc(1);
        result
    });
    bar.finish_and_clear();
    written?;
    write_bytes(&out.join("clips/labels.csv"), labels_csv(takes).as_bytes())
}

fn write_take(out: &Path, clip: &Clip) -> Result<(), CliError> {
    for (kind, extension) in [("clips", "bvh"), ("glb", "glb")] {
        let file = out
            .join(kind)
            .join(format!("{}.{extension}", short_name(clip)));
        write_file(&file, clip, &WriteOptions::default())?;
    }
    Ok(())
}

/// The labels BVH cannot hold, as `build --labels` reads them.
fn labels_csv(takes: &[PerformedClip]) -> String {
    let mut out = String::from("file,label,start_s,end_s\n");
    for take in takes {
        let rate = take.clip.rate_hz();
        for LabelSpan { start, end, label } in take.clip.labels().spans() {
            let (start, end) = (*start as f64 / rate, *end as f64 / rate);
            out.push_str(&format!(
                "{}.bvh,{label},{start:.4},{end:.4}\n",
                short_name(&take.clip)
            ));
        }
    }
    out
}
