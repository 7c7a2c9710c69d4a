//! The socket over which pages hear what happens.

use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use gaitway_core::text::found_in_json;
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast::error::RecvError;
use tokio::task::JoinHandle;
use utoipa::ToSchema;

use super::thresholds::{Rethresholded, ThresholdsBody, try_out};
use super::{Shared, blocking, build_id};
use crate::error::{ApiError, ApiResult, ErrorBody, ErrorReply};
use crate::state::Event;

/// The largest message a page may send.
const MOST_BYTES: usize = 1 << 20;
/// How long a page may take to swallow one message.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often a silent page is asked whether it is there, and the server whether it stops.
const TICK: Duration = Duration::from_millis(500);

/// A WebSocket of JSON texts: to every page a `SocketEvent`; a page may send a `SocketAsk` and gets a `SocketAnswer`.
#[utoipa::path(get, path = "/api/events", tag = "jobs",
    responses((status = 101), (status = 400, body = ErrorReply), (status = 403, body = ErrorReply)))]
pub async fn events(State(studio): State<Shared>, socket: WebSocketUpgrade) -> Response {
    socket
        .max_message_size(MOST_BYTES)
        .max_frame_size(MOST_BYTES)
        .on_upgrade(move |socket| talk(studio, socket))
}

/// What a page may send.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = SocketAsk)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Ask {
    /// Preview: what other thresholds would give.
    Rethreshold {
        /// Comes back with the answer.
        seq: u64,
        /// The thresholds.
        #[serde(flatten)]
        body: ThresholdsBody,
    },
}

/// What is said to one page only.
#[derive(Serialize, ToSchema)]
#[schema(as = SocketAnswer)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Answer {
    /// Preview: what other thresholds would give.
    Rethreshold {
        /// Of the question.
        seq: u64,
        /// The answer.
        #[serde(flatten)]
        found: Rethresholded,
    },
    /// A question that cannot be answered.
    Error {
        /// Of the question, where it had one.
        #[schema(required)]
        seq: Option<u64>,
        /// Why.
        error: ErrorBody,
    },
}

/// A page that drags a slider asks faster than anyone can answer: one question is worked on, the newest waits, those in
/// between are dropped.
#[derive(Default)]
struct Desk {
    waiting: Option<(u64, ThresholdsBody)>,
    work: Option<JoinHandle<(u64, ApiResult<Rethresholded>)>>,
}

impl Desk {
    fn next(&mut self, studio: &Shared) {
        if self.work.is_some() {
            return;
        }
        if let Some((seq, body)) = self.waiting.take() {
            let studio = studio.clone();
            self.work = Some(tokio::spawn(async move {
                let found =
                    blocking(&studio, move |studio| try_out(&*studio.graph()?, &body)).await;
                (seq, found)
            }));
        }
    }

    /// The answer under way; never comes where there is none.
    async fn answer(&mut self) -> Answer {
        let Some(work) = &mut self.work else {
            return std::future::pending().await;
        };
        let done = work.await;
        self.work = None;
        match done {
            Ok((seq, Ok(found))) => Answer::Rethreshold { seq, found },
            Ok((seq, Err(error))) => Answer::Error {
                seq: Some(seq),
                error: error.body().clone(),
            },
            Err(_) => Answer::Error {
                seq: None,
                error: ApiError::internal("a fault of ours").body().clone(),
            },
        }
    }

    /// Takes a message in; what cannot be understood is told.
    fn hear(&mut self, text: &str) -> Option<Answer> {
        match serde_json::from_str::<Ask>(text) {
            Ok(Ask::Rethreshold { seq, body }) => {
                self.waiting = Some((seq, body));
                None
            }
            Err(e) => Some(Answer::Error {
                seq: None,
                error: ApiError::bad(format!("found {}", found_in_json(&e.to_string())))
                    .hint("a page may send {\"type\": \"rethreshold\", seq, default_cm, cells}")
                    .body()
                    .clone(),
            }),
        }
    }
}

async fn talk(studio: Shared, mut socket: WebSocket) {
    let mut news = studio.events.listen();
    let mut tick = tokio::time::interval(TICK);
    let mut desk = Desk::default();
    if say(&mut socket, &hello(&studio)).await.is_err() {
        return;
    }
    loop {
        let told = tokio::select! {
            event = news.recv() => match event {
                Ok(event) => say(&mut socket, &event).await,
                // Too slow: the page asks for everything again.
                Err(RecvError::Lagged(_)) => say(&mut socket, &hello(&studio)).await,
                Err(RecvError::Closed) => break,
            },
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => match desk.hear(&text) {
                    Some(answer) => say(&mut socket, &answer).await,
                    None => Ok(()),
                },
                Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                Some(Ok(_)) => Ok(()),
            },
            answer = desk.answer() => say(&mut socket, &answer).await,
            _ = tick.tick() => {
                if studio.stopping.load(Ordering::Relaxed) {
                    break;
                }
                Ok(())
            }
        };
        if told.is_err() {
            break;
        }
        desk.next(&studio);
    }
    let _ = socket.send(Message::Close(None)).await;
}

fn hello(studio: &Shared) -> Event {
    let inner = studio.read();
    Event::Hello {
        build: build_id().to_owned(),
        revision: inner.project.revision,
        project: inner.project.key.clone(),
    }
}

async fn say(socket: &mut WebSocket, what: &impl Serialize) -> Result<(), ()> {
    let text = serde_json::to_string(what).map_err(drop)?;
    let sent = socket.send(Message::Text(Utf8Bytes::from(text)));
    match tokio::time::timeout(PATIENCE, sent).await {
        Ok(Ok(())) => Ok(()),
        _ => Err(()),
    }
}
