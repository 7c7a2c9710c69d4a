//! Clips of several bodies: a graph has one, and which it is must be said.

use gaitway::core::Clip;
use gaitway::core::clip_set::{Body, bodies};
use gaitway::io::SetClip;

use super::super::args::BuildArgs;
use super::super::make::counted;
use super::super::term::{Term, table};
use super::CliError;

/// Leaves the clips of the body that was asked for. Where none was and there are several, they are listed.
pub fn keep_one(
    args: &BuildArgs,
    clips: &mut Vec<SetClip>,
    term: &mut Term,
) -> Result<(), CliError> {
    let all: Vec<&Clip> = clips.iter().map(|c| &c.clip).collect();
    let groups = bodies(&all);
    let frames = |body: &Body| -> usize { body.clips.iter().map(|&k| all[k].frame_count()).sum() };
    let chosen = match &args.skeleton_of {
        Some(wanted) => {
            let at = find(clips, wanted)?;
            groups.iter().find(|b| b.clips.contains(&at))
        }
        // The first of equals.
        None if args.largest_group => groups.iter().rev().max_by_key(|b| frames(b)),
        None => groups.first().filter(|_| groups.len() == 1),
    };
    let Some(chosen) = chosen else {
        return match groups.is_empty() {
            true => Ok(()),
            false => Err(several(&groups, &all, &frames, term)),
        };
    };
    let left = all.len() - chosen.clips.len();
    if left > 0 {
        term.say(&format!(
            "taken: {} of skeleton {}; left out: {} of {}",
            counted(chosen.clips.len(), "clip"),
            chosen.id,
            counted(left, "clip"),
            counted(groups.len() - 1, "other skeleton"),
        ));
    }
    let mut k = 0;
    clips.retain(|_| {
        k += 1;
        chosen.clips.contains(&(k - 1))
    });
    Ok(())
}

fn several(
    groups: &[Body],
    all: &[&Clip],
    frames: &dyn Fn(&Body) -> usize,
    term: &mut Term,
) -> CliError {
    const SHOWN: usize = 20;
    let mut largest: Vec<&Body> = groups.iter().collect();
    largest.sort_by_key(|b| std::cmp::Reverse(frames(b)));
    let example = |b: &Body| all[b.clips[0]].name().to_owned();
    let rows: Vec<Vec<String>> = largest
        .iter()
        .take(SHOWN)
        .map(|b| {
            let (clips, frames) = (b.clips.len().to_string(), frames(b).to_string());
            vec![b.id.clone(), clips, frames, example(b)]
        })
        .collect();
    let mut list = table(&["skeleton", "clips", "frames", "such as"], &rows);
    if groups.len() > SHOWN {
        list.push_str(&format!("and {} more\n", groups.len() - SHOWN));
    }
    term.list(&list);
    let what = format!(
        "a graph needs one skeleton, and the clips are of {}",
        groups.len()
    );
    CliError::new(what).with_hint(format!(
        "--largest-group builds from the first of them, --skeleton-of {} from the one of that clip; --retarget-to largest puts all on one body",
        example(largest[largest.len() - 1])
    ))
}

/// A clip by its name, an ending of it that only one has, or its file.
fn find(clips: &[SetClip], wanted: &str) -> Result<usize, CliError> {
    let found = named(clips, wanted);
    let Some(&first) = found.first() else {
        return Err(
            CliError::new(format!("--skeleton-of {wanted}: no clip is called that"))
                .with_hint("`gaitway info INPUT` shows clips and their skeletons"),
        );
    };
    let all: Vec<&Clip> = found.iter().map(|&k| &clips[k].clip).collect();
    if bodies(&all).len() == 1 {
        return Ok(first);
    }
    let names: Vec<&str> = all.iter().take(3).map(|c| c.name()).collect();
    let what = format!("--skeleton-of {wanted}: fits clips of several skeletons");
    Err(CliError::new(what).with_hint(format!("such as {}", names.join(", "))))
}

/// Clips of a name or file; where there is none, those it is an ending of.
pub fn named(clips: &[SetClip], wanted: &str) -> Vec<usize> {
    let by = |fits: &dyn Fn(&SetClip) -> bool| -> Vec<usize> {
        (0..clips.len()).filter(|&k| fits(&clips[k])).collect()
    };
    let ending = format!("/{wanted}");
    let whole = by(&|c| c.clip.name() == wanted || c.input.path.as_os_str() == wanted);
    match whole.is_empty() {
        true => by(&|c| c.clip.name().ends_with(&ending) || c.input.path.ends_with(wanted)),
        false => whole,
    }
}
