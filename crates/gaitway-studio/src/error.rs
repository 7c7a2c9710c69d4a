//! What goes wrong, as the page is told it and as whoever starts the server is told it.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use thiserror::Error;
use utoipa::ToSchema;

/// Why the studio cannot start.
#[derive(Debug, Error)]
#[error("{message}")]
pub struct StudioError {
    message: String,
    hint: Option<String>,
}

impl StudioError {
    /// An error without advice.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: None,
        }
    }

    /// The same error with advice.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// What to try.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

/// The kinds of trouble, each with its status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// 400: the request cannot be understood.
    BadRequest,
    /// 401: the token is missing or wrong.
    Unauthorized,
    /// 403: from somewhere else.
    Forbidden,
    /// 404: there is no such thing.
    NotFound,
    /// 405: not with this method.
    MethodNotAllowed,
    /// 408: the request did not come in time.
    TooSlow,
    /// 409: somebody else was first.
    Conflict,
    /// 409: the studio has another project open than the one that is meant.
    OtherProject,
    /// 413: too much at once.
    TooLarge,
    /// 422: understood, but cannot be done.
    Unprocessable,
    /// 503: too much to do already.
    Busy,
    /// 500: a fault of ours.
    Internal,
}

impl Code {
    fn status(self) -> StatusCode {
        match self {
            Self::BadRequest => StatusCode::BAD_REQUEST,
            Self::Unauthorized => StatusCode::UNAUTHORIZED,
            Self::Forbidden => StatusCode::FORBIDDEN,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::Conflict | Self::OtherProject => StatusCode::CONFLICT,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Unprocessable => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

/// What is wrong with a request.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ErrorBody {
    /// The kind, for programs.
    pub code: Code,
    /// For people.
    pub message: String,
    /// What to try.
    #[schema(required)]
    pub hint: Option<String>,
    /// The part of the request it is about, such as `points[3]`.
    #[schema(required)]
    pub field: Option<String>,
}

/// How every error of the API looks.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ErrorReply {
    /// What is wrong.
    pub error: ErrorBody,
    /// With a conflict: what holds now.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<HashMap<String, serde_json::Value>>, nullable = false)]
    pub current: Option<serde_json::Value>,
}

/// An error on its way to the page. Boxed, because it travels in every result.
#[derive(Clone, Debug)]
pub struct ApiError(Box<ErrorReply>);

/// What handlers give back.
pub type ApiResult<T> = Result<T, ApiError>;

impl ApiError {
    /// An error of a kind.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self(Box::new(ErrorReply {
            error: ErrorBody {
                code,
                message: message.into(),
                hint: None,
                field: None,
            },
            current: None,
        }))
    }

    /// The request cannot be understood.
    pub fn bad(message: impl Into<String>) -> Self {
        Self::new(Code::BadRequest, message)
    }

    /// There is no such thing.
    pub fn not_found(what: impl std::fmt::Display) -> Self {
        Self::new(Code::NotFound, format!("there is no {what}"))
    }

    /// There is no clip of this id.
    pub fn no_clip(id: &str) -> Self {
        Self::not_found(format!("clip `{id}`"))
            .hint("it may have been removed; the library has the list (/api/clips)")
    }

    /// There is no result of this id.
    pub fn no_result(id: &str) -> Self {
        Self::not_found(format!("result `{id}`"))
            .hint("it may have been deleted; what was made is listed under Results (/api/results)")
    }

    /// A result has no such motion.
    pub fn no_motion(id: &str, member: usize) -> Self {
        Self::not_found(format!("motion {member} of result `{id}`"))
            .hint("a result's `members` are its motions, counted from 0")
            .field("member")
    }

    /// Meant for a project that is not open any more.
    pub fn other_project() -> Self {
        Self::new(
            Code::OtherProject,
            "the studio has another project open now; nothing was changed",
        )
        .hint("reload the page to see that one, or open this one again from the list of projects")
    }

    /// Understood, but it cannot be done.
    pub fn unprocessable(message: impl std::fmt::Display) -> Self {
        Self::new(Code::Unprocessable, message.to_string())
    }

    /// A fault of ours.
    pub fn internal(message: impl std::fmt::Display) -> Self {
        Self::new(Code::Internal, message.to_string())
    }

    /// With advice.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.error.hint = Some(hint.into());
        self
    }

    /// With the part of the request it is about.
    pub fn field(mut self, field: impl Into<String>) -> Self {
        self.0.error.field = Some(field.into());
        self
    }

    /// With what holds now.
    pub fn current(mut self, current: serde_json::Value) -> Self {
        self.0.current = Some(current);
        self
    }

    /// What is wrong.
    pub fn body(&self) -> &ErrorBody {
        &self.0.error
    }
}

impl std::fmt::Display for ApiError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.error.message)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.0.error.code.status(), Json(*self.0)).into_response()
    }
}

impl From<StudioError> for ApiError {
    fn from(error: StudioError) -> Self {
        let out = Self::unprocessable(&error);
        match error.hint() {
            Some(hint) => out.hint(hint),
            None => out,
        }
    }
}

impl From<gaitway_graph::GraphError> for ApiError {
    fn from(error: gaitway_graph::GraphError) -> Self {
        Self::unprocessable(error)
    }
}

impl From<gaitway_synth::SynthError> for ApiError {
    fn from(error: gaitway_synth::SynthError) -> Self {
        Self::unprocessable(error)
    }
}

impl From<gaitway_metric::MetricError> for ApiError {
    fn from(error: gaitway_metric::MetricError) -> Self {
        Self::unprocessable(error)
    }
}

impl From<gaitway_io::WriteError> for ApiError {
    fn from(error: gaitway_io::WriteError) -> Self {
        let out = Self::internal(&error);
        match error.hint() {
            Some(hint) => out.hint(hint),
            None => out,
        }
    }
}

impl From<gaitway_io::ReadError> for ApiError {
    fn from(error: gaitway_io::ReadError) -> Self {
        let out = Self::unprocessable(&error);
        match error.hint() {
            Some(hint) => out.hint(hint),
            None => out,
        }
    }
}
