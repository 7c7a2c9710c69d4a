//! The socket over which pages hear what happens.

use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use serde::Serialize;
use tokio::sync::broadcast::error::RecvError;

use super::Shared;
use crate::error::ErrorReply;
use crate::state::Event;

/// The largest message a page may send.
const MOST_BYTES: usize = 1 << 20;
/// How long a page may take to swallow one message.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often a silent page is asked whether it is there, and the server whether it stops.
const TICK: Duration = Duration::from_millis(500);

/// A WebSocket of JSON texts: `hello`, `job`, `best`, `project`, and answers to what the page sends.
#[utoipa::path(get, path = "/api/events", tag = "jobs",
    responses((status = 101), (status = 400, body = ErrorReply), (status = 403, body = ErrorReply)))]
pub async fn events(State(studio): State<Shared>, socket: WebSocketUpgrade) -> Response {
    socket
        .max_message_size(MOST_BYTES)
        .max_frame_size(MOST_BYTES)
        .on_upgrade(move |socket| talk(studio, socket))
}

async fn talk(studio: Shared, mut socket: WebSocket) {
    let mut news = studio.events.listen();
    let mut tick = tokio::time::interval(TICK);
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
                Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                Some(Ok(_)) => Ok(()),
            },
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
    }
    let _ = socket.send(Message::Close(None)).await;
}

fn hello(studio: &Shared) -> Event {
    Event::Hello {
        revision: studio.read().project.revision,
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
