//! Labels and contacts by hand: whoever saves says what they started from, and hears when somebody was quicker.

use axum::Json;
use axum::extract::State;
use gaitway_core::contacts::Plant;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Attachment, Shared, blocking};
use crate::error::{ApiError, ApiResult, Code, ErrorReply};
use crate::extract::{Body, Id};
use crate::state::{
    ContactRowJson, ContactsEdit, Inner, LabelsEdit, Loaded, ProjectPart, Studio, apply_contacts,
    check_contacts, check_labels, contacts_csv, labels_csv, rows_of_contacts,
};
use crate::wire::gwmo::LabelSeconds;

/// Labels of a clip.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct LabelsBody {
    /// Of these rows; with a PUT, of the rows the edit started from.
    revision: u64,
    /// All of the clip's labels.
    rows: Vec<LabelSeconds>,
}

/// Contacts of a clip.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ContactsBody {
    /// Of these rows; with a PUT, of the rows the edit started from.
    revision: u64,
    /// Found by the program, not set by hand.
    #[serde(default)]
    #[schema(default = false)]
    detected: bool,
    /// All of the clip's contacts.
    rows: Vec<ContactRowJson>,
}

/// Revision after a change.
#[derive(Debug, Serialize, ToSchema)]
pub struct Revision {
    /// The new one.
    revision: u64,
}

/// The labels of a clip.
#[utoipa::path(get, path = "/api/clips/{id}/labels", tag = "project", params(("id" = String, Path)),
    responses((status = 200, body = LabelsBody), (status = 404, body = ErrorReply)))]
pub async fn labels(State(studio): State<Shared>, Id(id): Id) -> ApiResult<Json<LabelsBody>> {
    let entry = studio.entry(&id)?;
    let inner = studio.read();
    Ok(Json(LabelsBody {
        revision: labels_revision(&inner, &entry.name),
        rows: inner.labels(&entry),
    }))
}

fn labels_revision(inner: &Inner, name: &str) -> u64 {
    let edit = inner.edits.0.get(name).and_then(|e| e.labels.as_ref());
    edit.map_or(0, |e| e.revision)
}

fn contacts_revision(inner: &Inner, name: &str) -> u64 {
    let edit = inner.edits.0.get(name).and_then(|e| e.contacts.as_ref());
    edit.map_or(0, |e| e.revision)
}

fn too_late(current: impl Serialize) -> ApiError {
    let current = serde_json::to_value(current).unwrap_or_default();
    ApiError::new(Code::Conflict, "somebody else has changed this since")
        .hint("look at what holds now, then save again")
        .current(current)
}

/// Sets the labels of a clip. They are saved at once and used by the next build.
#[utoipa::path(put, path = "/api/clips/{id}/labels", tag = "project", params(("id" = String, Path)), request_body = LabelsBody,
    responses((status = 200, body = Revision), (status = 409, body = ErrorReply), (status = 400, body = ErrorReply)))]
pub async fn put_labels(
    State(studio): State<Shared>,
    Id(id): Id,
    Body(body): Body<LabelsBody>,
) -> ApiResult<Json<Revision>> {
    blocking(&studio, move |studio| {
        let entry = studio.entry(&id)?;
        let rows = check_labels(body.rows, entry.seconds())?;
        let revision = studio.change(&[ProjectPart::Labels], |inner| {
            let now = labels_revision(inner, &entry.name);
            if now != body.revision {
                return Err(too_late(LabelsBody {
                    revision: now,
                    rows: inner.labels(&entry),
                }));
            }
            let edits = inner.edits.0.entry(entry.name.clone()).or_default();
            edits.labels = Some(LabelsEdit {
                revision: now + 1,
                rows,
            });
            Ok(now + 1)
        })?;
        Ok(Json(Revision { revision }))
    })
    .await
}

/// The contacts of a clip: set by hand, or found.
#[utoipa::path(get, path = "/api/clips/{id}/contacts", tag = "project", params(("id" = String, Path)),
    responses((status = 200, body = ContactsBody), (status = 404, body = ErrorReply)))]
pub async fn contacts(State(studio): State<Shared>, Id(id): Id) -> ApiResult<Json<ContactsBody>> {
    blocking(&studio, move |studio| Ok(Json(contacts_now(studio, &id)?))).await
}

fn contacts_now(studio: &Studio, id: &str) -> ApiResult<ContactsBody> {
    let entry = studio.entry(id)?;
    let (revision, rows) = {
        let inner = studio.read();
        (
            contacts_revision(&inner, &entry.name),
            inner.contact_rows(&entry.name),
        )
    };
    Ok(match rows {
        Some(rows) => ContactsBody {
            revision,
            detected: false,
            rows,
        },
        None => ContactsBody {
            revision,
            detected: true,
            rows: found_rows(&*studio.loaded(id)?),
        },
    })
}

/// What was found, or what the clip came with.
fn found_rows(loaded: &Loaded) -> Vec<ContactRowJson> {
    rows_of_contacts(&loaded.clip, |k, range| {
        let own = |p: &&Plant| p.point == k && p.frames == *range;
        let plant = loaded.plants.iter().find(own);
        plant.map_or(1.0, |p| p.confidence)
    })
}

/// Sets the contacts of a clip; `detected` without rows goes back to what the program finds.
#[utoipa::path(put, path = "/api/clips/{id}/contacts", tag = "project", params(("id" = String, Path)), request_body = ContactsBody,
    responses((status = 200, body = Revision), (status = 409, body = ErrorReply), (status = 400, body = ErrorReply)))]
pub async fn put_contacts(
    State(studio): State<Shared>,
    Id(id): Id,
    Body(body): Body<ContactsBody>,
) -> ApiResult<Json<Revision>> {
    blocking(&studio, move |studio| {
        let entry = studio.entry(&id)?;
        let detected = body.detected && body.rows.is_empty();
        let rows = if detected {
            Vec::new()
        } else {
            let loaded = studio.loaded(&id)?;
            let rows = check_contacts(body.rows, &loaded.clip)?;
            apply_contacts(&loaded.clip, &rows)?;
            rows
        };
        let now = studio.read();
        let current = contacts_revision(&now, &entry.name);
        drop(now);
        if current != body.revision {
            return Err(too_late(contacts_now(studio, &id)?));
        }
        let revision = studio.change(&[ProjectPart::Contacts], |inner| {
            // Looked at again under the lock: two may have come this far at once.
            let now = contacts_revision(inner, &entry.name);
            if now != body.revision {
                let rows = inner.contact_rows(&entry.name);
                return Err(too_late(ContactsBody {
                    revision: now,
                    detected: rows.is_none(),
                    rows: rows.unwrap_or_default(),
                }));
            }
            let edits = inner.edits.0.entry(entry.name.clone()).or_default();
            edits.contacts = Some(ContactsEdit {
                revision: now + 1,
                detected,
                rows,
            });
            Ok(now + 1)
        })?;
        Ok(Json(Revision { revision }))
    })
    .await
}

/// All labels as a table.
#[utoipa::path(get, path = "/api/labels.csv", tag = "project", responses((status = 200, content_type = "text/csv")))]
pub async fn labels_table(State(studio): State<Shared>) -> Attachment {
    table("labels.csv", labels_csv(&studio.read()))
}

/// Contacts set by hand as a table.
#[utoipa::path(get, path = "/api/contacts.csv", tag = "project", responses((status = 200, content_type = "text/csv")))]
pub async fn contacts_table(State(studio): State<Shared>) -> Attachment {
    table("contacts.csv", contacts_csv(&studio.read()))
}

fn table(name: &str, text: String) -> Attachment {
    Attachment {
        name: name.to_owned(),
        bytes: text.into_bytes(),
    }
}
