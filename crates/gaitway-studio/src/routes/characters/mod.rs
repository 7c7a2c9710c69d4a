//! Characters: bodies of the user's own, and which of them is shown in place of the plain figure.

mod ask;
mod command;
mod on;
mod view;

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use gaitway_core::clip_set::same_body;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Shared, blocking, heavy};
use crate::error::{ApiError, ApiResult, ErrorReply};
use crate::extract::{Body, Id};
use crate::project::CharacterRoles;
use crate::state::{CharacterEntry, Finding, Inner, ProjectPart, Studio};

pub use on::{__path_export, __path_make, __path_motion, __path_on, export, make, motion, on};

/// A body that motion is put on.
#[derive(Debug, Serialize, ToSchema)]
pub struct CharacterView {
    id: String,
    name: String,
    /// Name of its file.
    file: String,
    /// bvh, glb, gltf or fbx.
    format: String,
    /// Names of its joints.
    joints: Vec<String>,
    /// Whether a mesh comes along.
    mesh: bool,
    warnings: Vec<Finding>,
    /// Roles that somebody chose.
    roles: CharacterRoles,
    /// The body that clips of the library have in common with it, where any do.
    #[schema(required)]
    body: Option<String>,
}

impl CharacterView {
    /// As the page sees it.
    pub fn of(inner: &Inner, entry: &CharacterEntry) -> Self {
        let roles = inner.project.characters.get(&entry.file);
        let own = |clip: &String| {
            let found = inner.clips.get(clip);
            found.is_some_and(|e| same_body(&entry.body, &e.body))
        };
        let body = inner.bodies.iter().find(|b| b.clips.iter().any(own));
        Self {
            id: entry.id.clone(),
            name: entry.name.clone(),
            file: entry.file.clone(),
            format: entry.format.clone(),
            joints: entry.joints.clone(),
            mesh: entry.mesh,
            warnings: entry.warnings.clone(),
            roles: roles.cloned().unwrap_or_default(),
            body: body.map(|b| b.id.clone()),
        }
    }
}

/// All characters, by name.
#[utoipa::path(get, operation_id = "list_characters", path = "/api/characters", tag = "project", responses((status = 200, body = [CharacterView])))]
pub async fn list(State(studio): State<Shared>) -> Json<Vec<CharacterView>> {
    let inner = studio.read();
    let mut all: Vec<&Arc<CharacterEntry>> = inner.characters.values().collect();
    all.sort_by(|a, b| a.name.cmp(&b.name).then(a.id.cmp(&b.id)));
    let views = all.into_iter().map(|c| CharacterView::of(&inner, c));
    Json(views.collect())
}

/// Takes a character out of the project: its file goes, clips that were made on it stay.
#[utoipa::path(delete, operation_id = "remove_character", path = "/api/characters/{id}", tag = "project", params(("id" = String, Path)),
    responses((status = 204), (status = 404, body = ErrorReply)))]
pub async fn remove(State(studio): State<Shared>, Id(id): Id) -> ApiResult<StatusCode> {
    blocking(&studio, move |studio| {
        let entry = studio.character(&id)?;
        studio.change(&[ProjectPart::Characters], |inner| {
            inner.characters.remove(&id);
            inner.project.characters.remove(&entry.file);
            if inner.project.shown.as_ref() == Some(&id) {
                inner.project.shown = None;
            }
            Ok(())
        })?;
        studio.characters.forget(&id);
        // A file that cannot be deleted shows up again next time, which is where the user will see it.
        let _ = std::fs::remove_file(&entry.path);
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}

/// Says which joint has which role, over what was found; what is left out is found again.
#[utoipa::path(put, operation_id = "put_roles", path = "/api/characters/{id}/roles", tag = "project", params(("id" = String, Path)),
    request_body = CharacterRoles,
    responses((status = 200, body = CharacterView), (status = 400, body = ErrorReply), (status = 404, body = ErrorReply)))]
pub async fn put_roles(
    State(studio): State<Shared>,
    Id(id): Id,
    Body(roles): Body<CharacterRoles>,
) -> ApiResult<Json<CharacterView>> {
    heavy(&studio, move |studio| {
        let entry = studio.character(&id)?;
        roles.of_source()?;
        roles.of_target()?;
        check_joints(studio, &id, &roles)?;
        studio.change(&[ProjectPart::Characters], |inner| {
            let table = &mut inner.project.characters;
            match roles.is_empty() {
                true => table.remove(&entry.file),
                false => table.insert(entry.file.clone(), roles),
            };
            Ok(())
        })?;
        Ok(Json(CharacterView::of(&studio.read(), &entry)))
    })
    .await
}

/// Joints of the character must be there; those of a source differ from clip to clip.
fn check_joints(studio: &Studio, id: &str, roles: &CharacterRoles) -> ApiResult<()> {
    let entry = studio.character(id)?;
    for (role, joints) in &roles.target {
        if let Some(joint) = joints.iter().find(|j| !entry.joints.contains(j)) {
            let shown: String = joint.chars().take(60).collect();
            return Err(
                ApiError::bad(format!("{} has no joint `{shown}`", entry.name))
                    .field(format!("target.{role}"))
                    .hint("its joints are listed with it (/api/characters)"),
            );
        }
    }
    Ok(())
}

/// Who is shown.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Shown {
    /// Id of a character; the plain figure where null.
    #[schema(required)]
    character: Option<String>,
}

/// Which character players show in place of the plain figure.
#[utoipa::path(put, operation_id = "put_shown", path = "/api/shown", tag = "project", request_body = Shown,
    responses((status = 204), (status = 404, body = ErrorReply)))]
pub async fn put_shown(
    State(studio): State<Shared>,
    Body(asked): Body<Shown>,
) -> ApiResult<StatusCode> {
    blocking(&studio, move |studio| {
        if let Some(id) = &asked.character {
            studio.character(id)?;
        }
        studio.change(&[ProjectPart::Characters], |inner| {
            inner.project.shown = asked.character;
            Ok(())
        })?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}
