//! Clips on another body, as `build --retarget-to` puts them there: each comes into the library as a clip of its own.
//!
//! Of every body its longest clip says how it stands. Clips that are of the body already stay as they are. Everybody is marked, `person=NAME`,
//! so that a graph of all can be asked for what one person did. All or none: nothing is in the library until everything is made.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use gaitway_core::clip_set::same_body;
use gaitway_core::{Clip, ClipFiles, ground};
use gaitway_retarget::people::{Onto, PeopleError, PeopleOptions, on_one_body};
use gaitway_retarget::{Body, RetargetOptions, retarget as put_on};
use rayon::prelude::*;

use super::build::tell;
use super::job::{Job, Stop};
use super::people::{marks, with_mark};
use super::request::OntoJson;
use super::run::Done;
use super::undo::Undo;
use crate::error::ApiResult;
use crate::project::CharacterRoles;
use crate::state::{
    BodyView, ClipEntry, Inner, LabelsEdit, Made, Motion, Studio, grouped, rows_of_contacts,
};

/// The share of the page's bar that making takes; the rest is taking in.
const MAKING: f64 = 0.9;

/// Whose body it is.
struct Target {
    onto: Onto,
    roles: CharacterRoles,
}

/// Puts clips on a body.
pub fn retarget(
    studio: &Studio,
    job: &Job,
    clips: Option<&[String]>,
    onto: &OntoJson,
) -> Result<Done, Stop> {
    tell(studio, job, 0.0, || "reading the body".to_owned());
    let target = target(studio, onto)?;
    let name = short(&target.onto.name);
    let chosen = chosen(studio, clips, &name)?;
    let groups = grouped(chosen.iter().map(AsRef::as_ref));
    let by_id: BTreeMap<&str, &Arc<ClipEntry>> =
        chosen.iter().map(|e| (e.id.as_str(), e)).collect();
    let members = |g: &BodyView| -> Vec<Arc<ClipEntry>> {
        let found = g.clips.iter().filter_map(|id| by_id.get(id.as_str()));
        found.map(|e| Arc::clone(e)).collect()
    };
    let is_own = |e: &Arc<ClipEntry>| same_body(target.onto.clip(), &e.body);
    let (own, others): (Vec<_>, Vec<_>) = (groups.iter().map(members))
        .partition::<Vec<Vec<Arc<ClipEntry>>>, _>(|g| g.iter().all(is_own));
    if others.is_empty() {
        return Err(Stop::Advised {
            message: format!("all these clips are of the body of {name} already"),
            hint: "Choose clips of another body, or another body to put them on.".to_owned(),
        });
    }
    let marks = marks(&studio.read(), &chosen, &groups);
    let folder = studio.making_folder()?;
    let frames = others.iter().flatten().map(|e| e.frames).sum();
    let work = Work {
        studio,
        job,
        target: &target,
        folder: folder.path(),
        names: names(studio, &others, &name)?,
        marks: &marks,
        frames,
        done: AtomicUsize::new(0),
    };
    let mut out = Outcome::default();
    for group in &others {
        work.put(group, &mut out)?;
    }
    if out.made.is_empty() {
        return Err(Stop::Advised {
            message: out.left_out_words(),
            hint: "Choose who is what under Roles of the character, or leave these clips out."
                .to_owned(),
        });
    }
    if job.cancelled() {
        return Err(Stop::Cancelled);
    }
    tell(studio, job, MAKING, || "taking the clips in".to_owned());
    let own: Vec<Arc<ClipEntry>> = own.into_iter().flatten().collect();
    let message = out.words(&name, own.len());
    let mut undo = Undo::default();
    let kept = studio.keep_clips(out.made, |inner| {
        for entry in own.iter().filter(|e| inner.clips.contains_key(&e.id)) {
            let before = inner.labels(entry);
            let rows = with_mark(before.clone(), &marks[&entry.id], entry.seconds());
            if rows == before {
                continue;
            }
            undo.marks
                .push((entry.id.clone(), marks[&entry.id].clone()));
            let edits = inner.edits.0.entry(entry.name.clone()).or_default();
            let revision = edits.labels.as_ref().map_or(0, |l| l.revision) + 1;
            edits.labels = Some(LabelsEdit { revision, rows });
        }
        Ok(())
    })?;
    undo.clips = kept.iter().map(|e| e.id.clone()).collect();
    job.set_undo(Some(undo));
    Ok(Done {
        message,
        result: None,
    })
}

fn target(studio: &Studio, onto: &OntoJson) -> Result<Target, Stop> {
    let (name, clip, roles) = match onto {
        OntoJson::Character(id) => {
            let entry = studio.character(id)?;
            let figure = studio.figure(id)?;
            (
                entry.name.clone(),
                figure.clip.clone(),
                studio.roles_of(&entry),
            )
        }
        OntoJson::Clip(id) => {
            let (entry, loaded) = (studio.entry(id)?, studio.loaded(id)?);
            (
                entry.name.clone(),
                loaded.clip.clone(),
                CharacterRoles::default(),
            )
        }
    };
    let given = roles.of_target()?;
    let onto = Onto::of_clip(name, &clip, Some(&given)).map_err(|e| Stop::Failed(e.to_string()))?;
    Ok(Target { onto, roles })
}

/// A name without its folder.
fn short(name: &str) -> String {
    name.rsplit('/').next().unwrap_or(name).to_owned()
}

/// What a clip is called on a body: without its folder, where no other clip of the library is called so.
fn made_name(inner: &Inner, source: &str, body: &str) -> String {
    let last = short(source);
    let alike = inner.clips.values().filter(|e| short(&e.name) == last);
    let stem = if alike.count() > 1 { source } else { &last };
    format!("{stem}_on_{body}").replace(['/', '#'], "_")
}

/// The clips that are meant. Where nobody says which, all that are not there on this body already.
fn chosen(studio: &Studio, clips: Option<&[String]>, body: &str) -> ApiResult<Vec<Arc<ClipEntry>>> {
    if let Some(ids) = clips {
        return ids.iter().map(|id| studio.entry(id)).collect();
    }
    let inner = studio.read();
    let known: BTreeSet<&str> = inner.clips.values().map(|e| e.name.as_str()).collect();
    let made = |e: &&Arc<ClipEntry>| known.contains(made_name(&inner, &e.name, body).as_str());
    Ok(inner.clips.values().filter(|e| !made(e)).cloned().collect())
}

/// Names of what is made, by the id of what it is made of.
fn names(
    studio: &Studio,
    groups: &[Vec<Arc<ClipEntry>>],
    body: &str,
) -> ApiResult<BTreeMap<String, String>> {
    let mut taken = BTreeSet::new();
    let mut out = BTreeMap::new();
    for entry in groups.iter().flatten() {
        let name = made_name(&studio.read(), &entry.name, body);
        let name = studio.free_name(&name, &taken)?;
        taken.insert(name.clone());
        out.insert(entry.id.clone(), name);
    }
    Ok(out)
}

/// What comes of it.
#[derive(Default)]
struct Outcome {
    made: Vec<Made>,
    /// The body's legs over those of each body that was put on it.
    scales: Vec<f64>,
    left_out: Vec<(String, String)>,
}

impl Outcome {
    fn words(&self, body: &str, own: usize) -> String {
        let clips = |n: usize| match n {
            1 => "1 clip".to_owned(),
            n => format!("{n} clips"),
        };
        let mut out = format!("{} on the body of {body}", clips(self.made.len()));
        let least = self.scales.iter().copied().fold(f64::INFINITY, f64::min);
        let most = self.scales.iter().copied().fold(0.0, f64::max);
        if most - least < 5e-4 {
            out += &format!(", legs {most:.3} times as long");
        } else {
            out += &format!(", legs {least:.3} to {most:.3} times as long");
        }
        if own > 0 {
            out += &format!("; {} of that body already", clips(own));
        }
        if !self.left_out.is_empty() {
            out += &format!("; {}", self.left_out_words());
        }
        out
    }

    fn left_out_words(&self) -> String {
        let more = match self.left_out.len() {
            0 | 1 => String::new(),
            n => format!(" and {} more", n - 1),
        };
        let first = self.left_out.first();
        first.map_or_else(String::new, |(clip, why)| {
            format!("left out {clip}{more}: {why}")
        })
    }
}

struct Work<'a> {
    studio: &'a Studio,
    job: &'a Job,
    target: &'a Target,
    folder: &'a Path,
    names: BTreeMap<String, String>,
    marks: &'a BTreeMap<String, String>,
    frames: usize,
    done: AtomicUsize,
}

impl Work<'_> {
    /// All clips of one body.
    fn put(&self, group: &[Arc<ClipEntry>], out: &mut Outcome) -> Result<(), Stop> {
        let by = |a: &&Arc<ClipEntry>, b: &&Arc<ClipEntry>| {
            a.frames.cmp(&b.frames).then(b.name.cmp(&a.name))
        };
        let Some(longest) = group.iter().max_by(by) else {
            return Ok(());
        };
        let stands = ground::travel_to_root(&self.clip(longest)?);
        let source = match self.source(&stands) {
            Ok(source) => source,
            Err(Refused::Clips(why)) => {
                let left = group.iter().map(|e| (e.name.clone(), why.clone()));
                out.left_out.extend(left);
                self.done
                    .fetch_add(group.iter().map(|e| e.frames).sum(), Ordering::Relaxed);
                return Ok(());
            }
            Err(Refused::All(stop)) => return Err(stop),
        };
        let made: Vec<(Made, f64)> = group
            .par_iter()
            .map(|entry| self.one(entry, &source))
            .collect::<Result<_, Stop>>()?;
        out.scales.extend(made.first().map(|m| m.1));
        out.made.extend(made.into_iter().map(|m| m.0));
        Ok(())
    }

    /// The body that motion is taken from, where it can be.
    fn source(&self, longest: &Clip) -> Result<Body, Refused> {
        let failed = |message: String| Refused::All(Stop::Failed(message));
        let given = self.target.roles.of_source();
        let given = given.map_err(|e| Refused::All(e.into()))?;
        // Roles of the source are said for one body; a clip of another has other joints.
        let said = !self.target.roles.source.is_empty();
        if said && let Ok(body) = Body::of_clip(longest, Some(&given)) {
            return Ok(body);
        }
        // Whether a body can be put on another is asked without solving anything.
        let plain = PeopleOptions {
            retarget: RetargetOptions::default(),
            skip_bad: false,
        };
        let alone = ClipFiles {
            clips: vec![longest.clone()],
            ..ClipFiles::default()
        };
        match on_one_body(alone, &self.target.onto, &plain) {
            Ok(_) => {}
            Err(PeopleError::Clips { clips, .. }) => {
                let why = clips.into_iter().next().map(|c| c.1);
                return Err(Refused::Clips(why.unwrap_or_default()));
            }
            Err(error) => return Err(failed(error.to_string())),
        }
        Body::of_clip(longest, None).map_err(|e| failed(e.to_string()))
    }

    /// The frames as they hold now.
    fn clip(&self, entry: &ClipEntry) -> ApiResult<Clip> {
        self.studio.moved(&Motion::Clip(entry.id.clone()))
    }

    fn one(&self, entry: &ClipEntry, source: &Body) -> Result<(Made, f64), Stop> {
        if self.job.cancelled() {
            return Err(Stop::Cancelled);
        }
        let clip = ground::travel_to_root(&self.clip(entry)?);
        let onto = self.target.onto.body();
        let done = put_on(&clip, source, onto, &RetargetOptions::planted())
            .map_err(|e| Stop::Failed(format!("{}: {e}", entry.name)))?;
        let (labels, by_hand) = {
            let inner = self.studio.read();
            let labels = inner.labels(entry);
            (labels, inner.contact_rows(&entry.name).is_some())
        };
        let made = Made {
            labels: with_mark(labels, &self.marks[&entry.id], entry.seconds()),
            // What was kept comes of what was set by hand.
            contacts: by_hand.then(|| rows_of_contacts(&done.clip, |_, _| 1.0)),
            ..Made::write(self.folder, &self.names[&entry.id], &done.clip)?
        };
        let so_far = entry.frames + self.done.fetch_add(entry.frames, Ordering::Relaxed);
        let part = MAKING * so_far as f64 / self.frames.max(1) as f64;
        tell(self.studio, self.job, part, || {
            format!("put {} on it", entry.name)
        });
        Ok((made, done.report.scale))
    }
}

enum Refused {
    Clips(String),
    All(Stop),
}
