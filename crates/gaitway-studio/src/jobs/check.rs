//! What cannot be done is told when it is asked for, so that no job fails for a slip.

use gaitway_graph::BuildOptions;
use gaitway_synth::find_label;

use super::job::JobKind;
use super::request::{JobRequest, OntoJson};
use super::walk::LONGEST_S;
use super::{ask, connect};
use crate::error::{ApiError, ApiResult, Code};
use crate::extract::is_id;
use crate::state::Studio;

/// What results may be called.
const LONGEST_NAME: usize = 120;

/// Whether a result may be called so.
///
/// # Errors
/// When it may not.
pub fn name(text: &str) -> ApiResult<()> {
    if text.len() > LONGEST_NAME || text.chars().any(char::is_control) {
        let what = format!("a name has at most {LONGEST_NAME} letters, and no line breaks");
        return Err(ApiError::bad(what)
            .hint("leave it out to have it named by its length")
            .field("name"));
    }
    Ok(())
}

impl Studio {
    /// Checks a request against the project as it is now. Reads files.
    ///
    /// # Errors
    /// With the field that is wrong.
    pub fn check_request(&self, request: &JobRequest) -> ApiResult<()> {
        let name = match request {
            JobRequest::Path { request, .. } => request.name.as_ref(),
            JobRequest::Place { request, .. } => request.name.as_ref(),
            JobRequest::Walk { name, .. } | JobRequest::Connect { name, .. } => name.as_ref(),
            _ => None,
        };
        if let Some(text) = name {
            self::name(text)?;
        }
        match request {
            JobRequest::Build {
                options,
                body,
                clips,
            } => {
                if let Some(options) = options {
                    options.over(&BuildOptions::default())?;
                }
                super::build::wanted(&self.read(), body.as_deref(), clips.as_deref()).map(|_| ())
            }
            JobRequest::Enrich {} => {
                self.graph()?;
                for (kind, what) in [
                    (JobKind::Build, "the graph is being built"),
                    (JobKind::Enrich, "the graph is being connected better"),
                ] {
                    if self.jobs.has_open(kind) {
                        return Err(
                            ApiError::new(Code::Conflict, what).hint("wait for it, or cancel it")
                        );
                    }
                }
                Ok(())
            }
            JobRequest::Retarget { clips, onto } => {
                self.read().not_demo()?;
                for id in clips.iter().flatten() {
                    self.entry(id).map_err(|e| e.field("clips"))?;
                }
                if clips.as_ref().is_some_and(Vec::is_empty) {
                    return Err(ApiError::bad("expected at least one clip")
                        .field("clips")
                        .hint("leave it out to mean all"));
                }
                match onto {
                    OntoJson::Character(id) => self.character(id).map(|_| ()),
                    OntoJson::Clip(id) => self.entry(id).map(|_| ()),
                }
                .map_err(|e| e.field("onto"))
            }
            JobRequest::Path { request, live, .. } => {
                if live.as_ref().is_some_and(|l| !is_id(l)) {
                    return Err(ApiError::bad("a name has only a to z, 0 to 9 and -")
                        .hint("any word that no other tab or program uses will do")
                        .field("live"));
                }
                ask::read(request, Some(&self.graph()?.graph)).map(|_| ())
            }
            JobRequest::Place { request, .. } => {
                ask::place(request, &self.graph()?.graph).map(|_| ())
            }
            JobRequest::Connect { from, to, by, .. } => {
                let state = self.graph()?;
                connect::moment(&state.graph, from, "from")?;
                connect::moment(&state.graph, to, "to")?;
                connect::measure(by).map(|_| ())
            }
            JobRequest::Draw { result, member } => {
                let members = self.result(result)?.members.len();
                match member {
                    Some(k) if *k >= members => Err(ApiError::no_motion(result, *k)),
                    _ => Ok(()),
                }
            }
            JobRequest::Walk { seconds, label, .. } => {
                if !(*seconds > 0.0 && *seconds <= LONGEST_S) {
                    return Err(ApiError::bad(format!(
                        "expected above 0 and at most {LONGEST_S} s"
                    ))
                    .hint("longer motion comes of several walks")
                    .field("seconds"));
                }
                let state = self.graph()?;
                match label {
                    Some(label) => find_label(&state.graph, label).map(|_| ()).map_err(|e| {
                        ApiError::bad(e.to_string())
                            .hint("leave it out to walk in any label")
                            .field("label")
                    }),
                    None => Ok(()),
                }
            }
            JobRequest::Resolve {
                result,
                member,
                from_s,
                to_s,
                ..
            } => {
                if !(*from_s >= 0.0 && *to_s > *from_s && *to_s < 1e6) {
                    return Err(ApiError::bad("expected seconds, the end after the start")
                        .hint("times are those of the motion itself, from when it sets out")
                        .field("from_s"));
                }
                let old = self.result(result)?;
                match old.members.get(*member) {
                    None => Err(ApiError::no_motion(result, *member)),
                    Some(m) if m.walk.is_none() => Err(ApiError::unprocessable(
                        "only motion along a path can be searched again",
                    )
                    .field("member")
                    .hint("a walk without a path has nothing to keep to; wander again with another seed")),
                    Some(_) if old.members.iter().any(|m| m.walk.is_none()) => {
                        Err(ApiError::unprocessable(
                            "this crowd was made by an older studio, which did not keep everybody's walk",
                        )
                        .hint("synthesize it again; then a part of anybody's way can be"))
                    }
                    Some(m) if *from_s >= m.seconds => Err(ApiError::bad(format!(
                        "this motion has {:.2} seconds",
                        m.seconds
                    ))
                    .field("from_s")
                    .hint("times are those of the motion itself, from when it sets out")),
                    Some(_) => Ok(()),
                }
            }
        }
    }
}
