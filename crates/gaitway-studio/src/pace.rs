//! Bodies must keep coming. Whoever sends a byte now and then would otherwise hold a connection, and the folder its upload
//! is written to, for ever.

use std::error::Error;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use hyper::body::{Body as Frames, Frame, SizeHint};
use tokio::time::{Instant, Sleep};

use crate::error::{ApiError, Code};

/// The slowest line that is waited for, bytes per second: 64 MiB take a little over an hour on it.
const SLOWEST: u64 = 16 << 10;

/// A body that paused for too long, or came too slowly for too long.
#[derive(Debug, thiserror::Error)]
#[error("the rest of the request did not come in time")]
struct TooSlow;

/// Gives every request a body that ends when it pauses for longer than `patience`, or when after `patience` seconds it has
/// come more slowly than [`SLOWEST`].
pub async fn keep_up(State(patience): State<Duration>, request: Request, next: Next) -> Response {
    let paced = |body| {
        Body::new(Paced {
            body,
            patience,
            clock: None,
            received: 0,
        })
    };
    next.run(request.map(paced)).await
}

/// The error to tell where a body was too slow; nothing where it failed for another reason.
pub fn too_slow(mut error: &(dyn Error + 'static)) -> Option<ApiError> {
    while !error.is::<TooSlow>() {
        error = error.source()?;
    }
    Some(
        ApiError::new(Code::TooSlow, TooSlow.to_string()).hint(format!(
            "at least {} KiB a second are waited for; fewer files at once, or a faster line",
            SLOWEST >> 10
        )),
    )
}

struct Paced {
    body: Body,
    patience: Duration,
    /// When reading began, and until when the next bytes are waited for.
    clock: Option<(Instant, Pin<Box<Sleep>>)>,
    received: u64,
}

impl Frames for Paced {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = self.get_mut();
        let patience = this.patience;
        let (begun, end) = this
            .clock
            .get_or_insert_with(|| (Instant::now(), Box::pin(tokio::time::sleep(this.patience))));
        if let Poll::Ready(frame) = Pin::new(&mut this.body).poll_frame(context) {
            if let Some(Ok(frame)) = &frame {
                this.received += frame.data_ref().map_or(0, |d| d.len() as u64);
                let earned = Duration::from_secs_f64(this.received as f64 / SLOWEST as f64);
                end.as_mut()
                    .reset((*begun + patience + earned).min(Instant::now() + patience));
            }
            return Poll::Ready(frame);
        }
        ready!(end.as_mut().poll(context));
        Poll::Ready(Some(Err(axum::Error::new(TooSlow))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
