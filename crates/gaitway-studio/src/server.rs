//! Listening, serving, and stopping in good order.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};

use crate::config::Config;
use crate::error::{ApiError, Code, StudioError};
use crate::guard::{Guard, watch};
use crate::host::Host;
use crate::state::Studio;
use crate::{host, pace, page, routes};

/// The largest body that is not an upload.
const BODY_BYTES: usize = 4 << 20;
/// Headers must come within this.
const READ_PATIENCE: Duration = Duration::from_secs(30);
/// More connections than any page opens.
const MOST_CONNECTIONS: usize = 512;
/// How long open requests may take to end when the server stops.
const LAST_CALL: Duration = Duration::from_secs(3);

/// A studio that listens and does not serve yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    host: Arc<Host>,
    notes: Vec<String>,
}

impl Server {
    /// Opens the project and takes the port.
    ///
    /// # Errors
    /// When either cannot be had.
    pub fn open(config: Config) -> Result<Self, StudioError> {
        config.check()?;
        let taken = |e: std::io::Error| {
            StudioError::new(format!("cannot listen at {}: {e}", config.address))
                .with_hint("another port: --port N, or --port 0 for any that is free")
        };
        // Before the project: whoever starts a second one by mistake hears of the port at once.
        let listener = TcpListener::bind(config.address).map_err(taken)?;
        let address = listener.local_addr().map_err(taken)?;
        listener.set_nonblocking(true).map_err(taken)?;
        let (host, notes) = Host::open(config)?;
        Ok(Self {
            listener,
            address,
            host,
            notes,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What to open in a browser, without the token.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// What could not be read, one sentence each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The project that is open.
    pub fn studio(&self) -> Arc<Studio> {
        self.host.studio()
    }

    /// Serves until `stop` is over; then sockets are closed, jobs are stopped and kept, and all is saved.
    ///
    /// # Errors
    /// When there are no threads to serve with.
    pub fn run(self, stop: impl Future<Output = ()>) -> Result<(), StudioError> {
        let wrong = |e: std::io::Error| StudioError::new(e.to_string());
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .map_err(wrong)?;
        // Listened to before any work begins: on a busy machine the end may be asked for before the first visitor comes.
        let mut stop = Box::pin(stop);
        let mut over = false;
        runtime.block_on(std::future::poll_fn(|context| {
            over = stop.as_mut().poll(context).is_ready();
            std::task::Poll::Ready(())
        }));
        let stop = async move {
            if !over {
                stop.await;
            }
        };
        self.host.start()?;
        let host = self.host.clone();
        let served = runtime.block_on(self.serve(stop));
        host.stop();
        runtime.shutdown_timeout(LAST_CALL);
        host.close();
        served.map_err(wrong)
    }

    async fn serve(self, stop: impl Future<Output = ()>) -> std::io::Result<()> {
        let config = &self.host.studio().config;
        let guard = Guard::new(self.address, config.names.clone(), config.token.as_deref());
        let app = router(self.host.clone(), guard);
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let (end, ended) = tokio::sync::watch::channel(false);
        let room = Arc::new(tokio::sync::Semaphore::new(MOST_CONNECTIONS));
        tokio::pin!(stop);
        loop {
            let (stream, _) = tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok(accepted) => accepted,
                    // Out of file handles, say: those who are here may leave some.
                    Err(_) => {
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        continue;
                    }
                },
                () = &mut stop => break,
            };
            let Ok(place) = room.clone().try_acquire_owned() else {
                continue;
            };
            // Small messages must not wait for one another.
            let _ = stream.set_nodelay(true);
            let service = TowerToHyperService::new(app.clone());
            let connection = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(READ_PATIENCE)
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades();
            let mut ended = ended.clone();
            tokio::spawn(async move {
                tokio::pin!(connection);
                // A connection that breaks is the client's affair.
                tokio::select! {
                    _ = connection.as_mut() => {}
                    _ = ended.changed() => {
                        connection.as_mut().graceful_shutdown();
                        let _ = connection.await;
                    }
                }
                drop(place);
            });
        }
        self.host.stop();
        let _ = end.send(true);
        // All places are free again once everybody has left.
        let _ = tokio::time::timeout(LAST_CALL, room.acquire_many(MOST_CONNECTIONS as u32)).await;
        Ok(())
    }
}

/// What one project answers.
pub fn project_router(studio: Arc<Studio>) -> Router {
    let (api, _) = routes::api(studio.config.upload_bytes.saturating_add(1 << 20));
    api.fallback(page::serve)
        .method_not_allowed_fallback(not_so)
        .with_state(studio)
}

async fn not_so() -> axum::response::Response {
    ApiError::new(Code::MethodNotAllowed, "this cannot be done here")
        .hint("GET /api lists the methods that each path takes")
        .into_response()
}

/// Everything that is served.
pub fn router(host: Arc<Host>, guard: Guard) -> Router {
    let patience = host.config.patience;
    let (projects, _) = routes::projects::api();
    let (_, doc) = routes::api(0);
    let text: Arc<str> = doc.to_json().unwrap_or_default().into();
    let worth_it =
        DefaultPredicate::new().and(NotForContentType::const_new("application/octet-stream"));
    let document = move || {
        let text = text.clone();
        async move { ([(CONTENT_TYPE, "application/json")], text.to_string()) }
    };
    projects
        .route("/api", get(document))
        .fallback(host::serve)
        .method_not_allowed_fallback(not_so)
        .layer(DefaultBodyLimit::max(BODY_BYTES))
        .layer(axum::middleware::from_fn_with_state(
            patience,
            pace::keep_up,
        ))
        .layer(
            CompressionLayer::new()
                .quality(tower_http::CompressionLevel::Fastest)
                .compress_when(worth_it),
        )
        .layer(axum::middleware::from_fn_with_state(Arc::new(guard), watch))
        .with_state(host)
}

/// Over when the user (Ctrl-C) or the system (SIGTERM) asks for the end.
pub async fn asked_to_stop() {
    let interrupt = async {
        // Where signals cannot be heard, the server runs until it is killed; nothing is lost then either.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut terminate) => {
                tokio::select! {
                    () = interrupt => {}
                    _ = terminate.recv() => {}
                }
            }
            Err(_) => interrupt.await,
        }
    }
    #[cfg(not(unix))]
    interrupt.await;
}
