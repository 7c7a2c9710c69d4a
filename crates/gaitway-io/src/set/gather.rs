//! From what was read to a set: labelled, each motion once, each name once.

use std::borrow::Cow;

use gaitway_core::{Clip, JointIdx, WarningCode, Warnings, duplicates, ground};

use super::names::{Naming, tame_names};
use super::{FileClip, ReadSet, SetClip};
use crate::labels::{Labels, LabelsError};
use crate::{Input, clip_id};

/// How clips become a set.
#[derive(Clone, Copy, Debug, Default)]
pub struct GatherOptions<'a> {
    /// Labels beside those the clips carry; none where absent.
    pub labels: Option<&'a Labels>,
    /// Clips of a graph that the set will be added to: their motions and names are taken.
    pub known: &'a [Clip],
    /// Take motions that are there already.
    pub allow_duplicates: bool,
}

/// Labels clips, leaves out motions that are there already, and names what stays. Labels go first: a table names files as they lie.
///
/// # Errors
/// When the labels do not fit the clips.
pub fn gather(files: Vec<FileClip>, options: &GatherOptions<'_>) -> Result<ReadSet, LabelsError> {
    let mut warnings = Warnings::new();
    tell_repairs(&files, &mut warnings);
    let names = tame_names(files.iter().map(|f| f.import.clip.name()));
    let wholes: Vec<String> = files.iter().map(|f| whole_name(&f.input, f)).collect();
    let labelled: Vec<Clip> = files
        .iter()
        .zip(&wholes)
        .map(|(f, whole)| f.import.clip.clone().with_name(whole.clone()))
        .collect();
    let none = Labels::none();
    let labelled = options
        .labels
        .unwrap_or(&none)
        .apply(labelled, &mut warnings)?;
    let known = options.known;
    let doubles = match options.allow_duplicates {
        true => vec![None; labelled.len()],
        false => keep_labelled(doubles(&labelled, known), &labelled),
    };
    let mut naming = Naming {
        taken: known.iter().map(|c| c.name().to_owned()).collect(),
        warnings: &mut warnings,
    };
    // What every clip is called in the set; a passed-over one like what it is a copy of.
    let mut called: Vec<String> = vec![String::new(); files.len()];
    for k in (0..files.len()).filter(|&k| doubles[k].is_none()) {
        called[k] = naming.free(&names[k], &wholes[k]);
    }
    let mut passed = Vec::new();
    for (k, double) in doubles.iter().enumerate() {
        let (first, labels) = match double {
            None => continue,
            Some(Double::Known(j)) => (known[*j].name().to_owned(), known[*j].labels()),
            Some(Double::New(j)) => (called[*j].clone(), labelled[*j].labels()),
        };
        let own = labelled[k].labels();
        if labels != own && !own.spans().is_empty() {
            let message = format!(
                "the labels of `{}` were not taken over: its motion is there as `{first}`, with other labels",
                names[k]
            );
            naming.warnings.add(WarningCode::LabelsDiffer, message);
        }
        passed.push((names[k].clone(), first));
    }
    let clips: Vec<SetClip> = files
        .into_iter()
        .zip(labelled)
        .enumerate()
        .filter(|(k, _)| doubles[*k].is_none())
        .map(|(k, (file, clip))| SetClip::new(file, clip.with_name(called[k].clone())))
        .collect();
    if !passed.is_empty() {
        warnings.add(WarningCode::SameMotion, passed_words(&passed));
    }
    Ok(ReadSet { clips, warnings })
}

/// Every frame that was mended.
fn tell_repairs(files: &[FileClip], warnings: &mut Warnings) {
    for file in files.iter().filter(|f| f.repaired) {
        let clip = &file.import.clip;
        let first = file.import.source.first_frame;
        let filled = file.import.lapses.iter().filter(|l| l.filled);
        let mended = file.import.spikes.iter().chain(filled.map(|l| &l.at));
        let list: Vec<String> = mended.map(|s| s.words(clip, first)).collect();
        if !list.is_empty() {
            let message = format!(
                "spikes of `{}` were mended: {}",
                clip.name(),
                list.join(", ")
            );
            warnings.add(WarningCode::SpikesRepaired, message);
        }
    }
}

fn passed_words(passed: &[(String, String)]) -> String {
    const SHOWN: usize = 3;
    let were = match passed.len() {
        1 => "1 clip was".to_owned(),
        n => format!("{n} clips were"),
    };
    let shown = passed.iter().take(SHOWN);
    let shown: Vec<String> = shown.map(|(a, b)| format!("`{a}` is `{b}`")).collect();
    let more = match passed.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "{were} passed over, because the same motion is there already: {}{more}",
        shown.join(", ")
    )
}

/// What a clip repeats.
#[derive(Clone, Copy)]
enum Double {
    /// A clip that is known.
    Known(usize),
    /// A clip that is read with it.
    New(usize),
}

/// For every clip what it repeats. Graphs hold clips with their travel on the root, so that is how they are compared.
fn doubles(clips: &[Clip], known: &[Clip]) -> Vec<Option<Double>> {
    let moved: Vec<Cow<'_, Clip>> = clips
        .iter()
        .map(|c| match ground::travel_joint(c) {
            JointIdx::ROOT => Cow::Borrowed(c),
            _ => Cow::Owned(ground::travel_to_root(c)),
        })
        .collect();
    let all: Vec<&Clip> = known.iter().chain(moved.iter().map(Cow::as_ref)).collect();
    let place = |j: usize| match j.checked_sub(known.len()) {
        None => Double::Known(j),
        Some(j) => Double::New(j),
    };
    duplicates::earlier_duplicates(&all)[known.len()..]
        .iter()
        .map(|t| t.map(place))
        .collect()
}

/// Of clips that repeat each other the first that has labels stays, so that what was labelled is not lost for the order of files.
fn keep_labelled(mut doubles: Vec<Option<Double>>, clips: &[Clip]) -> Vec<Option<Double>> {
    let has_labels = |k: usize| !clips[k].labels().spans().is_empty();
    for first in 0..clips.len() {
        if doubles[first].is_some() || has_labels(first) {
            continue;
        }
        let repeats = |d: &Option<Double>| matches!(d, Some(Double::New(j)) if *j == first);
        let copies: Vec<usize> = (first..clips.len())
            .filter(|&k| repeats(&doubles[k]))
            .collect();
        if let Some(&kept) = copies.iter().find(|&&k| has_labels(k)) {
            for k in copies.into_iter().chain([first]) {
                doubles[k] = (k != kept).then_some(Double::New(kept));
            }
        }
    }
    doubles
}

/// A clip's name with its whole path, so that a table is understood from whatever folder the program is run in.
fn whole_name(input: &Input, file: &FileClip) -> String {
    let path = std::path::absolute(&input.path).unwrap_or_else(|_| input.path.clone());
    match &file.import.source.animation {
        Some(animation) => format!("{}#{animation}", clip_id(&path)),
        None => clip_id(&path),
    }
}
