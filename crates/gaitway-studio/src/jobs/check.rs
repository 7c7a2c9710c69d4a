//! What cannot be done is told when it is asked for, so that no job fails for a slip.

use gaitway_graph::BuildOptions;
use gaitway_synth::find_label;

use super::ask;
use super::request::JobRequest;
use super::walk::LONGEST_S;
use crate::error::{ApiError, ApiResult};
use crate::state::Studio;

/// What results may be called.
const LONGEST_NAME: usize = 120;

impl Studio {
    /// Checks a request against the project as it is now. Reads files.
    ///
    /// # Errors
    /// With the field that is wrong.
    pub fn check_request(&self, request: &JobRequest) -> ApiResult<()> {
        let name = match request {
            JobRequest::Path { request } => request.name.as_ref(),
            JobRequest::Walk { name, .. } => name.as_ref(),
            _ => None,
        };
        if name.is_some_and(|n| n.len() > LONGEST_NAME || n.chars().any(char::is_control)) {
            return Err(
                ApiError::bad(format!("a name has at most {LONGEST_NAME} letters")).field("name"),
            );
        }
        match request {
            JobRequest::Build { options: None } => Ok(()),
            JobRequest::Build {
                options: Some(options),
            } => options.over(&BuildOptions::default()).map(|_| ()),
            JobRequest::Path { request } => {
                ask::read(request, Some(&self.graph()?.graph)).map(|_| ())
            }
            JobRequest::Walk { seconds, label, .. } => {
                if !(*seconds > 0.0 && *seconds <= LONGEST_S) {
                    return Err(ApiError::bad(format!(
                        "expected above 0 and at most {LONGEST_S} s"
                    ))
                    .field("seconds"));
                }
                let state = self.graph()?;
                match label {
                    Some(label) => find_label(&state.graph, label)
                        .map(|_| ())
                        .map_err(|e| ApiError::bad(e.to_string()).field("label")),
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
                    return Err(
                        ApiError::bad("expected seconds, the end after the start").field("from_s")
                    );
                }
                let old = self.result(result)?;
                match old.members.get(*member) {
                    None => Err(ApiError::not_found(format!(
                        "motion {member} of result `{result}`"
                    ))
                    .field("member")),
                    Some(m) if m.walk.is_none() => Err(ApiError::unprocessable(
                        "only a single motion along a path can be searched again",
                    )),
                    Some(_) => Ok(()),
                }
            }
        }
    }
}
