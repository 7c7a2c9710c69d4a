//! A part of a motion along a path searched again, the rest kept: the others of a crowd too, who are in the way as they are.

use gaitway_synth::path::{PathWalk, Resolved, Window, make_motion};
use gaitway_synth::report::{Kept, ResolvedAmong, resolve_kept};
use gaitway_synth::search::{Control, Outcome};
use serde_json::{Value, json};

use super::job::{Job, Stop};
use super::members::{Member, along_path};
use super::path::{NewResult, finish, not_planted};
use super::request::PathRequestJson;
use super::results::{MemberFile, ResultFile};
use super::run::Done;
use super::watch::Watch;
use super::{ask, command};
use crate::error::{ApiError, ApiResult};
use crate::state::{GraphState, Studio};

/// Searches a part of a result again.
pub fn resolve(
    studio: &Studio,
    job: &Job,
    result: &str,
    member: usize,
    (from_s, to_s): (f64, f64),
    seed: u64,
) -> Result<Done, Stop> {
    let state = studio.graph()?;
    let old = studio.result(result)?;
    let request: PathRequestJson = serde_json::from_value(old.request.clone())
        .map_err(|_| Stop::Failed("only a motion along a path can be searched again".to_owned()))?;
    let company = Company::of(&old, member)?;
    if !company.fits(&state) {
        return Err(Stop::Failed(
            "the graph was changed since; make the motion anew".to_owned(),
        ));
    }
    let asked = ask::read(&request, Some(&state.graph))?;
    let edges = state
        .edge_paths(asked.request.options.smooth_arc)
        .map_err(ApiError::from)?;
    let watch = Watch::new(studio, job, &state, &edges);
    let progress = |p| watch.progress(p);
    let control = Control {
        cancel: Some(&job.cancel),
        progress: Some(&progress),
        ..Control::default()
    };
    let window = Window {
        seed,
        ..Window::new(from_s, to_s)
    };
    let ResolvedAmong { resolved, .. } = resolve_kept(
        &state.graph,
        &edges,
        &asked.request.paths,
        &asked.request.options,
        &company.kept,
        company.which,
        &window,
        control,
    )
    .map_err(ApiError::from)?;
    if job.cancelled() {
        return Err(Stop::Cancelled);
    }
    if let Outcome::NoWalk { reason } = &resolved.followed.found.outcome {
        return Err(Stop::Failed(format!(
            "no other way for these seconds: {reason}"
        )));
    }
    let before = &company.kept[company.which];
    let edges = resolved.followed.found.edges().iter().map(|e| e.0);
    if edges.eq(before.walk.edges.iter().copied()) {
        // The same motion once more would only be one more in the list.
        return Ok(Done {
            message:
                "nothing better was found: these seconds are as before, and no copy of them is kept"
                    .to_owned(),
            result: Some(result.to_owned()),
        });
    }
    let mut notes = vec![what_is_new(&resolved, before)];
    let again = command::Again {
        person: (company.which, company.kept.len()),
        seconds: (from_s, to_s),
        seed,
    };
    let one = &company.members[company.which];
    let walk = PathWalk {
        path: 0,
        start_s: one.start_s,
        wait: None,
        alike: None,
        shared: None,
        followed: resolved.followed,
    };
    let planned = make_motion(&state.graph, &asked.request, walk).map_err(ApiError::from)?;
    let changed = along_path(&state, planned, one.person)?;
    notes.extend(changed.as_ref().and_then(not_planted));
    let new = NewResult {
        members: company.with(studio, result, changed)?,
        command: command::path(&request, &asked, Some(&again)),
        notes,
        before: Some(company.report()),
        sketch: old.sketch.clone(),
    };
    let none = || "there is not a frame to walk".to_owned();
    finish(studio, job, &asked, &request, new, none)
}

/// What came of it, in words.
fn what_is_new(resolved: &Resolved, before: &Kept) -> String {
    // The page counts a crowd's seconds by one clock, a walk its own.
    let start = before.start_s.unwrap_or(0.0);
    format!(
        "seconds {:.2} to {:.2} are new; what follows moved by {:.1} cm",
        start + resolved.window_s.0,
        start + resolved.window_s.1,
        100.0 * resolved.moved.rms_m
    )
}

/// Who is kept: all of a crowd; of alternatives only the one that is changed.
struct Company<'a> {
    members: Vec<&'a MemberFile>,
    /// Their places in the result.
    places: Vec<usize>,
    kept: Vec<Kept>,
    /// Which of them is searched again.
    which: usize,
}

impl<'a> Company<'a> {
    fn of(old: &'a ResultFile, member: usize) -> Result<Self, Stop> {
        let lost = || Stop::Failed("this motion cannot be searched again".to_owned());
        let one = old.members.get(member).ok_or_else(lost)?;
        let crowd = one.start_s.is_some();
        let places: Vec<usize> = match crowd {
            true => (0..old.members.len()).collect(),
            false => vec![member],
        };
        let members: Vec<&MemberFile> = places.iter().map(|&k| &old.members[k]).collect();
        let kept = members.iter().map(|m| {
            Some(Kept {
                path: 0,
                start_s: m.start_s,
                walk: m.walk.clone()?,
            })
        });
        Ok(Self {
            kept: kept.collect::<Option<_>>().ok_or_else(lost)?,
            which: if crowd { member } else { 0 },
            places,
            members,
        })
    }

    fn fits(&self, state: &GraphState) -> bool {
        self.kept.iter().all(|k| k.walk.graph == state.tag())
    }

    /// All of them as they are now: the others' frames as they were.
    fn with(&self, studio: &Studio, result: &str, new: Option<Member>) -> ApiResult<Vec<Member>> {
        let mut new = new;
        let mut out = Vec::with_capacity(self.members.len());
        for (k, &file) in self.members.iter().enumerate() {
            if k == self.which {
                out.extend(new.take());
                continue;
            }
            let loaded = studio.result_motion(result, self.places[k])?;
            out.push(Member {
                file: file.clone(),
                clip: loaded.clip.clone(),
                note: None,
            });
        }
        Ok(out)
    }

    /// As `path --report` wrote it.
    fn report(&self) -> Value {
        let rows = self.members.iter().map(|m| {
            let mut row = m.report.clone();
            // A report of an older studio has no walk in it.
            row["walk"] = json!(m.walk);
            row
        });
        let mut rows: Vec<Value> = rows.collect();
        match rows.len() {
            1 => rows.remove(0),
            _ => Value::Array(rows),
        }
    }
}
