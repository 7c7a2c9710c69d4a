//! How a studio is started.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use crate::error::StudioError;
use crate::guard::is_token;

/// The port unless another is asked for.
pub const PORT: u16 = 4870;
/// The projects folder unless another is asked for.
pub const FOLDER: &str = "gaitway-studio";

/// What whoever starts the server decides.
#[derive(Clone, Debug)]
pub struct Config {
    /// Nothing (the project as it is, else the demo), one `.gway` file, or files, folders and `@list.txt`.
    pub inputs: Vec<String>,
    /// The project folder; made where it is not there.
    pub project: PathBuf,
    /// The folder in which a page may make and open projects; that which holds the project where absent.
    pub projects: Option<PathBuf>,
    /// Where to listen; port 0 takes any that is free.
    pub address: SocketAddr,
    /// Names beside `localhost` under which the page may be asked for.
    pub names: Vec<String>,
    /// What visitors must bring; needed for any address but loopback.
    pub token: Option<String>,
    /// The most bytes one upload may have.
    pub upload_bytes: usize,
    /// The longest clip that is taken, seconds.
    pub clip_seconds: f64,
    /// How long a request's body may pause, and after how long it has to have come at a useful rate.
    pub patience: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            inputs: Vec::new(),
            project: PathBuf::from(FOLDER).join(crate::host::DEMO),
            projects: None,
            address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), PORT),
            names: Vec::new(),
            token: None,
            upload_bytes: 64 << 20,
            clip_seconds: 3600.0,
            patience: Duration::from_secs(30),
        }
    }
}

impl Config {
    /// What cannot be served safely is not served.
    ///
    /// # Errors
    /// When an address that others can reach has no token, or a token cannot be told in a cookie.
    pub fn check(&self) -> Result<(), StudioError> {
        match &self.token {
            None if !self.address.ip().is_loopback() => Err(StudioError::new(format!(
                "{} can be reached from other machines, so a token is needed",
                self.address.ip()
            ))
            .with_hint("--token with a long random word; visitors open /?token=…")),
            Some(token) if !is_token(token) => Err(StudioError::new(
                "a token has 8 to 256 letters, digits, `-`, `_` or `.`",
            )),
            _ => Ok(()),
        }
    }
}
