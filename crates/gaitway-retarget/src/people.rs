//! People of different sizes on one body, so that one graph can hold them all.
//!
//! Clips that are of the body already stay as they are, to the bit. Of every other body one clip, the longest, says how it stands, so that all its
//! clips are scaled and turned alike. Everybody's clips get a mark, `person=NAME`: the folder they lie in, or the body's number where bodies
//! share a folder. Bodies without two legs are not put on anybody's.

use gaitway_core::clip_set::{self, bodies, same_body};
use gaitway_core::{Clip, ClipError, ClipFiles, LabelSpan, LabelTrack, WarningCode, ground};
use glam::DVec3;
use rayon::prelude::*;
use serde::Serialize;
use thiserror::Error;

use crate::body::Body;
use crate::report::Report;
use crate::retarget::{RetargetOptions, retarget};
use crate::roles::{OverrideError, Part, RoleOverrides, RoleSide};

/// What marks who somebody is.
pub const PERSON: &str = "person=";

/// The body that people are put on.
#[derive(Clone, Debug)]
pub struct Onto {
    /// What it is called in accounts: a file or a clip.
    pub name: String,
    clip: Clip,
    body: Body,
}

impl Onto {
    /// The body of a clip; its motion is not used.
    ///
    /// # Errors
    /// When roles that are given do not fit.
    pub fn of_clip(
        name: impl Into<String>,
        clip: &Clip,
        given: Option<&RoleOverrides>,
    ) -> Result<Self, OverrideError> {
        let clip = ground::travel_to_root(clip);
        let body = Body::of_clip(&clip, given)?;
        Ok(Self {
            name: name.into(),
            clip,
            body,
        })
    }

    /// The body with the most frames among clips, the first of equals; its longest clip speaks for it. `None` where there is no clip.
    pub fn largest(clips: &[Clip]) -> Option<Self> {
        let all: Vec<&Clip> = clips.iter().collect();
        let groups = bodies(&all);
        let frames =
            |b: &&clip_set::Body| -> usize { b.clips.iter().map(|&k| all[k].frame_count()).sum() };
        let chosen = groups.iter().rev().max_by_key(frames)?;
        let clip = longest(&all, &chosen.clips)?;
        Self::of_clip(clip.name(), clip, None).ok()
    }

    /// The body itself.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// The clip it was taken from, travel on its root.
    pub fn clip(&self) -> &Clip {
        &self.clip
    }
}

/// How people are put on one body.
#[derive(Clone, Debug, PartialEq)]
pub struct PeopleOptions {
    /// How each clip is.
    pub retarget: RetargetOptions,
    /// Leave out clips that cannot be, rather than refuse all.
    pub skip_bad: bool,
}

impl Default for PeopleOptions {
    fn default() -> Self {
        Self {
            retarget: RetargetOptions::planted(),
            skip_bad: false,
        }
    }
}

/// Why people cannot be put on one body.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PeopleError {
    /// The body itself has no two legs.
    #[error("{name}: nobody can be put on this body: {why}")]
    Target {
        /// Whose body it is.
        name: String,
        /// What it lacks.
        why: String,
    },
    /// Clips of bodies that cannot be put on another: the first, and how many there are.
    #[error("{}: cannot be put on the body of {onto}: {}{}", clips[0].0, clips[0].1, more(clips.len()))]
    Clips {
        /// Whose body it was to be.
        onto: String,
        /// Clips and reasons; at least one.
        clips: Vec<(String, String)>,
    },
    /// Arrays that make no clip.
    #[error("{clip}: {source}")]
    Clip {
        /// The clip.
        clip: String,
        /// Why.
        source: ClipError,
    },
}

fn more(count: usize) -> String {
    match count {
        0 | 1 => String::new(),
        2 => "; and 1 more clip".to_owned(),
        n => format!("; and {} more clips", n - 1),
    }
}

/// Clips of one body, and what was done with them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Person {
    /// Names they are marked with.
    pub names: Vec<String>,
    /// The body's number, as `info` shows it.
    pub skeleton: String,
    /// Their clips.
    pub clips: Vec<String>,
    /// Whether it is the body itself, whose clips stay as they are.
    pub own: bool,
    /// The body's legs over theirs.
    pub scale: f64,
    /// How sure their roles are, from 0 to 1.
    pub confidence: f64,
    /// What is not as in other bodies, and what was done instead.
    pub notes: Vec<String>,
    /// What is left of constraints at most, millimetres.
    pub left_mm: f64,
    /// Degrees that joints were turned beyond the first guess: the largest of all clips' 95th percentiles.
    pub turned_p95_deg: f64,
}

impl Person {
    /// In a line.
    pub fn words(&self, onto: &str) -> String {
        let who = self.names.join(", ");
        let count = match self.clips.len() {
            1 => "1 clip".to_owned(),
            n => format!("{n} clips"),
        };
        if self.own {
            return format!("{who}: {count} of the body of {onto}, as they are");
        }
        let notes: String = self.notes.iter().map(|n| format!("; {n}")).collect();
        format!(
            "{who}: {count} of skeleton {} put on the body of {onto}, legs {:.3} times as long{notes}",
            self.skeleton, self.scale
        )
    }
}

/// Puts all clips of a set on one body: labels, contacts and names are kept, and everybody is marked. The account of the set names who was put on whose body.
///
/// # Errors
/// When the body has no legs, or clips are of bodies that have none, unless such are left out and something is left.
pub fn on_one_body(
    files: impl Into<ClipFiles>,
    onto: &Onto,
    options: &PeopleOptions,
) -> Result<(ClipFiles, Vec<Person>), PeopleError> {
    let mut files: ClipFiles = files.into();
    let target_lacks = lacks(&onto.body);
    let all: Vec<&Clip> = files.clips.iter().collect();
    let groups = bodies(&all);
    let marks = marks(&all, &groups);
    let mut bad: Vec<(String, String)> = Vec::new();
    let mut jobs: Vec<Job<'_>> = Vec::new();
    for (home, group) in groups.iter().enumerate() {
        let own = group.clips.iter().all(|&k| same_body(&onto.clip, all[k]));
        let source = longest(&all, &group.clips)
            .filter(|_| !own)
            .map(ground::travel_to_root);
        let source = source.and_then(|c| Body::of_clip(&c, None).ok());
        let why = source.as_ref().and_then(lacks);
        if let (Some(why), false) = (&target_lacks, own) {
            return Err(PeopleError::Target {
                name: onto.name.clone(),
                why: why.clone(),
            });
        }
        match why {
            Some(why) => bad.extend(
                group
                    .clips
                    .iter()
                    .map(|&k| (all[k].name().to_owned(), why.clone())),
            ),
            None => {
                let source = source.map(std::sync::Arc::new);
                jobs.extend(group.clips.iter().map(|&k| Job {
                    clip: all[k],
                    index: k,
                    home,
                    source: source.clone(),
                }));
            }
        }
    }
    if !bad.is_empty() && (!options.skip_bad || jobs.is_empty()) {
        return Err(PeopleError::Clips {
            onto: onto.name.clone(),
            clips: bad,
        });
    }
    jobs.sort_by_key(|j| j.index);
    let done: Vec<Result<Done, PeopleError>> = jobs
        .par_iter()
        .map(|job| job.done(onto, &marks[job.index], &options.retarget))
        .collect();
    let mut people: Vec<Person> = groups.iter().map(|g| Person::of(g)).collect();
    let mut clips = Vec::with_capacity(done.len());
    for (job, done) in jobs.iter().zip(done) {
        let done = done?;
        people[job.home].add(done.clip.name(), &marks[job.index], done.report.as_ref());
        if done.report.is_some()
            && let Some(from) = files.provenance.get_mut(done.clip.name())
        {
            from.file = format!("{} (on the body of {})", from.file, onto.name);
        }
        clips.push(done.clip);
    }
    people.retain(|p| !p.clips.is_empty());
    for person in people.iter().filter(|p| !p.own) {
        files
            .warnings
            .add(WarningCode::Retargeted, person.words(&onto.name));
    }
    for (clip, why) in &bad {
        files.warnings.add(
            WarningCode::NotRetargeted,
            format!(
                "{clip} was left out: it cannot be put on the body of {}: {why}",
                onto.name
            ),
        );
        files.provenance.remove(clip);
    }
    let known: Vec<&str> = onto
        .clip
        .skeleton()
        .joints()
        .map(|j| onto.clip.skeleton().name(j))
        .collect();
    files.noise_joints.retain(|n| known.contains(&n.as_str()));
    files.clips = clips;
    Ok((files, people))
}

/// One clip to be put on the body.
struct Job<'a> {
    clip: &'a Clip,
    index: usize,
    home: usize,
    /// `None` where it is of the body already.
    source: Option<std::sync::Arc<Body>>,
}

struct Done {
    clip: Clip,
    report: Option<Report>,
}

impl Job<'_> {
    fn done(
        &self,
        onto: &Onto,
        mark: &str,
        options: &RetargetOptions,
    ) -> Result<Done, PeopleError> {
        let Some(source) = &self.source else {
            let clip = marked(self.clip.clone(), mark);
            return Ok(Done { clip, report: None });
        };
        let moved = ground::travel_to_root(self.clip);
        let made =
            retarget(&moved, source, &onto.body, options).map_err(|source| PeopleError::Clip {
                clip: self.clip.name().to_owned(),
                source,
            })?;
        Ok(Done {
            clip: marked(made.clip.with_name(self.clip.name()), mark),
            report: Some(made.report),
        })
    }
}

impl Person {
    fn of(group: &clip_set::Body) -> Self {
        Self {
            names: Vec::new(),
            skeleton: group.id.clone(),
            clips: Vec::new(),
            own: false,
            scale: 1.0,
            confidence: 1.0,
            notes: Vec::new(),
            left_mm: 0.0,
            turned_p95_deg: 0.0,
        }
    }

    fn add(&mut self, clip: &str, mark: &str, report: Option<&Report>) {
        let name = mark.trim_start_matches(PERSON);
        if !self.names.iter().any(|n| n == name) {
            self.names.push(name.to_owned());
        }
        self.clips.push(clip.to_owned());
        let Some(report) = report else {
            self.own = true;
            return;
        };
        self.scale = report.scale;
        self.confidence = report.source_confidence;
        self.left_mm = self.left_mm.max(report.after_mm[0]);
        self.turned_p95_deg = self.turned_p95_deg.max(report.change.p95_deg);
        for note in &report.notes {
            // What is said of the body they are put on is not theirs.
            if !note.starts_with("target: ") && !self.notes.contains(note) {
                self.notes.push(note.clone());
            }
        }
    }
}

/// What a body lacks to take or give motion of people who walk.
fn lacks(body: &Body) -> Option<String> {
    let legs = RoleSide::BOTH
        .iter()
        .all(|&s| body.roles.leg(&body.skeleton, s).is_some());
    if !legs || body.leg_length.is_none() {
        let said = body.roles.notes.iter().find(|n| n.contains("leg"));
        return Some(
            said.cloned()
                .unwrap_or_else(|| "it has no two legs of thigh, shank and foot".to_owned()),
        );
    }
    let trunk = trunk(body)?;
    (trunk.y < 0.5 * trunk.length())
        .then(|| "its trunk lies level, as that of an animal on four legs".to_owned())
}

/// From the hips to between the arms, or to the head where there are none.
fn trunk(body: &Body) -> Option<DVec3> {
    let hips = body.hip_joints()?.map(|j| body.place(j));
    let arms = RoleSide::BOTH.map(|s| body.roles.joint(Part::UpperArm, s));
    let top = match arms {
        [Some(l), Some(r)] => 0.5 * (body.place(l) + body.place(r)),
        _ => body.place(body.roles.trunk(Part::Head)?),
    };
    Some(top - 0.5 * (hips[0] + hips[1]))
}

/// The longest of some clips, the first by name of equals.
fn longest<'a>(all: &[&'a Clip], members: &[usize]) -> Option<&'a Clip> {
    let by = |a: &&&Clip, b: &&&Clip| {
        a.frame_count()
            .cmp(&b.frame_count())
            .then(b.name().cmp(a.name()))
    };
    members.iter().map(|&k| &all[k]).max_by(by).copied()
}

/// The mark of every clip: what it says itself, its folder where that is of one body, else the body's number.
fn marks(all: &[&Clip], groups: &[clip_set::Body]) -> Vec<String> {
    let folder = |clip: &Clip| -> Option<String> {
        let mut parts = clip.name().rsplit('/').skip(1);
        parts.next().filter(|f| !f.is_empty()).map(str::to_owned)
    };
    let mut out = vec![String::new(); all.len()];
    for group in groups {
        for &k in &group.clips {
            let own = folder(all[k]);
            let alone = own.is_some()
                && (0..all.len()).all(|i| group.clips.contains(&i) || folder(all[i]) != own);
            let name = own.filter(|_| alone).unwrap_or_else(|| group.id.clone());
            // What would end a label where labels are written in a line.
            let name = name.replace([',', '@', '=', ' '], "_");
            let said = all[k]
                .labels()
                .spans()
                .iter()
                .find(|s| s.label.starts_with(PERSON));
            out[k] = said.map_or_else(|| format!("{PERSON}{name}"), |s| s.label.clone());
        }
    }
    out
}

fn marked(clip: Clip, mark: &str) -> Clip {
    let mut spans = clip.labels().spans().to_vec();
    spans.push(LabelSpan {
        start: 0,
        end: clip.frame_count(),
        label: mark.to_owned(),
    });
    let moments = clip.labels().moments().to_vec();
    clip.with_labels(LabelTrack::new(spans).with_moments(moments))
}
