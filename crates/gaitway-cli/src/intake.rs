//! Which clips go into a graph, and under which names: each motion once, each name once, no path of this machine.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use gaitway::core::{Clip, ClipSet, JointIdx, Warnings, ground, twins};
use gaitway::graph::{GraphWarning, Labels, MotionGraph, Provenance};
use gaitway::io::{Bytes, Import, Input, clip_id, tame_names};

use super::CliError;
use super::build::graph_error;

/// Clips that are new to a graph, and where each came from.
pub struct Intake {
    /// The clips under their names in the graph.
    pub clips: Vec<Clip>,
    /// Their files.
    pub provenance: BTreeMap<String, Provenance>,
}

/// What is there already, and whether it may be there again.
pub struct House<'a> {
    /// The graph that clips are added to.
    pub known: Option<&'a MotionGraph>,
    /// Take motions that are there already.
    pub allow_duplicates: bool,
}

/// Labels clips and names them. Labels go first: a table names files as they lie.
pub fn admit(
    loaded: Vec<(Input, Import)>,
    labels: &Labels,
    house: &House<'_>,
    told: &mut Vec<GraphWarning>,
) -> Result<Intake, CliError> {
    let names = tame_names(loaded.iter().map(|(_, i)| i.clip.name()));
    let wholes: Vec<String> = loaded.iter().map(|(n, i)| whole_name(n, i)).collect();
    let mut sources = Vec::with_capacity(loaded.len());
    let mut clips = Vec::with_capacity(loaded.len());
    for ((input, import), whole) in loaded.into_iter().zip(&wholes) {
        let checksum = *blake3::hash(&Bytes::of(&input.path)?).as_bytes();
        sources.push((checksum, import.source.format.as_str()));
        clips.push(import.clip.with_name(whole.clone()));
    }
    let clips = labels.apply(clips, told).map_err(graph_error)?;
    let known = known_clips(house.known)?;
    let doubles = doubles(&clips, &known);
    let taken = known.iter().map(|c| c.name().to_owned()).collect();
    let mut naming = Naming { taken, told };
    let mut out = Intake {
        clips: Vec::new(),
        provenance: BTreeMap::new(),
    };
    // What a passed-over clip is a copy of, under the name that has in the graph.
    let mut called: Vec<String> = Vec::with_capacity(clips.len());
    let mut passed = Vec::new();
    for (k, clip) in clips.into_iter().enumerate() {
        let double = doubles[k].filter(|_| !house.allow_duplicates);
        if let Some(first) = double {
            let (first, labelled) = match first {
                Double::Known(j) => (known[j].name().to_owned(), known[j].labels()),
                Double::New(j) => {
                    let at = out.clips.iter().find(|c: &&Clip| c.name() == called[j]);
                    (called[j].clone(), at.map_or(clip.labels(), Clip::labels))
                }
            };
            if labelled != clip.labels() && !clip.labels().spans().is_empty() {
                let message = format!(
                    "the labels of `{}` were not taken over: its motion is there as `{first}`, with other labels",
                    names[k]
                );
                naming.told.push(GraphWarning::Told { message });
            }
            passed.push((names[k].clone(), first.clone()));
            called.push(first);
            continue;
        }
        let name = naming.free(&names[k], &wholes[k]);
        let (checksum, extension) = sources[k];
        let file = format!("{}.{extension}", name.split('#').next().unwrap_or(&name));
        out.provenance
            .insert(name.clone(), Provenance { file, checksum });
        called.push(name.clone());
        out.clips.push(clip.with_name(name));
    }
    if !passed.is_empty() {
        told.push(GraphWarning::SameMotion { clips: passed });
    }
    Ok(out)
}

/// The findings of a clip without that of being there twice, which admission tells in its own way.
pub fn other_findings(warnings: &Warnings) -> Warnings {
    let mut out = Warnings::new();
    for w in warnings
        .iter()
        .filter(|w| w.code != gaitway::core::WarningCode::IdenticalClips)
    {
        match w.value {
            Some((field, value)) => out.add_value(w.code, w.message.clone(), field, value),
            None => out.add(w.code, w.message.clone()),
        }
    }
    out
}

/// One body, or why not.
pub fn as_set(clips: Vec<Clip>) -> Result<ClipSet, CliError> {
    ClipSet::new(clips).map_err(|e| {
        CliError::new(e.to_string()).with_hint(
            "a graph needs one skeleton; build one per body (`gaitway info` shows whose is whose)",
        )
    })
}

fn known_clips(graph: Option<&MotionGraph>) -> Result<Vec<Clip>, CliError> {
    let Some(graph) = graph else {
        return Ok(Vec::new());
    };
    let clips = graph.clip_ids().map(|id| graph.clip(id));
    clips.collect::<Result<_, _>>().map_err(graph_error)
}

/// What a clip repeats.
#[derive(Clone, Copy)]
enum Double {
    /// A clip of the graph.
    Known(usize),
    /// A clip that is added with it.
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
    twins::earlier_twins(&all)[known.len()..]
        .iter()
        .map(|t| t.map(place))
        .collect()
}

/// Gives every clip a name of its own.
struct Naming<'a> {
    taken: BTreeSet<String>,
    told: &'a mut Vec<GraphWarning>,
}

impl Naming<'_> {
    /// The name wanted; where another motion has it, one folder more of where the file lies; where that has been taken
    /// too, a number.
    fn free(&mut self, wanted: &str, whole: &str) -> String {
        let name = if self.taken.contains(wanted) {
            let name = longer(wanted, whole)
                .filter(|n| !self.taken.contains(n))
                .or_else(|| {
                    (2_u32..)
                        .map(|k| numbered(wanted, k))
                        .find(|n| !self.taken.contains(n))
                })
                .unwrap_or_else(|| wanted.to_owned());
            let message =
                format!("`{wanted}` is called `{name}`: another motion has that name already");
            self.told.push(GraphWarning::Told { message });
            name
        } else {
            wanted.to_owned()
        };
        self.taken.insert(name.clone());
        name
    }
}

fn parts(name: &str) -> (&str, Option<&str>) {
    name.split_once('#')
        .map_or((name, None), |(file, animation)| (file, Some(animation)))
}

fn joined(file: &str, animation: Option<&str>) -> String {
    animation.map_or_else(|| file.to_owned(), |a| format!("{file}#{a}"))
}

/// A name with one more of the folders it lies in, where it has one.
fn longer(name: &str, whole: &str) -> Option<String> {
    let (file, animation) = parts(name);
    let (whole, _) = parts(whole);
    let above = whole.strip_suffix(file)?.strip_suffix('/')?;
    let folder = above.rsplit('/').next().filter(|f| !f.is_empty())?;
    Some(joined(&format!("{folder}/{file}"), animation))
}

fn numbered(name: &str, k: u32) -> String {
    let (file, animation) = parts(name);
    joined(&format!("{file}-{k}"), animation)
}

/// A clip's name with its whole path, so that a table is understood from whatever folder the program is run in.
fn whole_name(input: &Input, import: &Import) -> String {
    let path = std::path::absolute(&input.path).unwrap_or_else(|_| input.path.clone());
    match import.clip.name().rsplit_once('#') {
        Some((_, animation)) => format!("{}#{animation}", clip_id(&path)),
        None => clip_id(&path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_grow_by_a_folder_and_then_by_a_number() {
        let mut told = Vec::new();
        let mut naming = Naming {
            taken: BTreeSet::from(["clips/walk".to_owned(), "a#Run".to_owned()]),
            told: &mut told,
        };
        let whole = "/home/me/two/clips/walk";
        assert_eq!(naming.free("clips/walk", whole), "two/clips/walk");
        assert_eq!(naming.free("clips/walk", whole), "clips/walk-2");
        assert_eq!(naming.free("clips/walk", whole), "clips/walk-3");
        assert_eq!(naming.free("a#Run", "/x/a#Run"), "x/a#Run");
        assert_eq!(naming.free("a#Run", "/x/a#Run"), "a-2#Run");
        assert_eq!(naming.free("b", "/x/b"), "b");
        assert_eq!(told.len(), 5);
    }
}
