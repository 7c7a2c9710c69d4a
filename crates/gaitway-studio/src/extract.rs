//! Requests taken apart, with every mistake told in the API's own form.

use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use gaitway_core::text::found_in_json;
use serde::de::DeserializeOwned;

use crate::error::{ApiError, Code};
use crate::pace::too_slow;

/// Where requests are described.
const FIELDS: &str = "GET /api describes every field and parameter";
/// Where ids come from.
pub const IDS: &str = "take the `id` of a clip, result or job as the lists give it, not its name";

/// A JSON body. The type must be said, so that no form of another site can send one.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let kind = request.headers().get(CONTENT_TYPE);
        let json = kind
            .and_then(|v| v.to_str().ok())
            .is_some_and(|v| v.split(';').next().unwrap_or("").trim() == "application/json");
        if !json {
            return Err(ApiError::bad("expected Content-Type: application/json")
                .hint("say so in a header; a browser's form cannot, which is the point"));
        }
        let bytes = axum::body::Bytes::from_request(request, state)
            .await
            .map_err(unread)?;
        let mut reader = serde_json::Deserializer::from_slice(&bytes);
        let value = serde_path_to_error::deserialize(&mut reader).map_err(|e| {
            let path = e.path().to_string();
            let out = ApiError::bad(format!("found {}", found_in_json(&e.inner().to_string())))
                .hint(FIELDS);
            if path == "." { out } else { out.field(path) }
        })?;
        reader.end().map_err(|e| {
            ApiError::bad(format!("found {}", found_in_json(&e.to_string())))
                .hint("one JSON value, and nothing after it")
        })?;
        Ok(Self(value))
    }
}

fn unread(rejection: BytesRejection) -> ApiError {
    if let Some(error) = too_slow(&rejection) {
        error
    } else if rejection.status() == axum::http::StatusCode::PAYLOAD_TOO_LARGE {
        ApiError::new(Code::TooLarge, "the body is larger than this may be")
            .hint("4 MiB of JSON are enough for anything a hand draws; files go to /api/clips")
    } else {
        ApiError::bad(rejection.body_text())
    }
}

/// The query of a URL.
pub struct Params<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Params<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        axum::extract::Query::<T>::try_from_uri(&parts.uri)
            .map(|q| Self(q.0))
            .map_err(|e| ApiError::bad(e.body_text()).hint(FIELDS))
    }
}

/// The id in a path: of a clip, a result or a job. Nothing else gets as far as a file's name.
pub struct Id(pub String);

/// Whether a text can be an id.
pub fn is_id(text: &str) -> bool {
    (1..=120).contains(&text.len())
        && text
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let id = Path::<String>::from_request_parts(parts, state)
            .await
            .map_err(|e| ApiError::bad(e.body_text()))?
            .0;
        if is_id(&id) {
            Ok(Self(id))
        } else {
            Err(ApiError::bad("an id has only a to z, 0 to 9 and -").hint(IDS))
        }
    }
}
