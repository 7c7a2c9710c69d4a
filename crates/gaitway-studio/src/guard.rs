//! Who may ask, and what every answer carries.
//!
//! A page of another site can make a browser on this machine send requests here. Three things keep it out: the `Host`
//! must be one we serve (a name that was rebound to 127.0.0.1 is not), an `Origin` must be ours where one is sent, and
//! bodies must be JSON or multipart with an `Origin` of ours. Another address than loopback needs a token as well.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::{ApiError, Code};
use crate::token;

/// Nothing but our own files runs, and nothing is asked of any other host.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
     connect-src 'self'; media-src blob:; worker-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'; \
     form-action 'none'";

/// The cookie that holds the token.
const COOKIE: &str = "gaitway_token";

/// What is let in.
#[derive(Clone, Debug)]
pub struct Guard {
    address: SocketAddr,
    names: Vec<String>,
    token: Option<blake3::Hash>,
}

impl Guard {
    /// Lets in those who ask for this address, or for one of some names, with the token where there is one.
    pub fn new(address: SocketAddr, names: Vec<String>, token: Option<&str>) -> Self {
        let names = names.into_iter().map(|n| n.to_ascii_lowercase()).collect();
        Self {
            address,
            names,
            token: token.map(|t| blake3::hash(t.as_bytes())),
        }
    }

    /// Whether a `Host` (or the rest of an origin) is one we serve.
    fn serves(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse::<u16>().ok()),
            _ => (host, Some(80)),
        };
        if port != Some(self.address.port()) {
            return false;
        }
        let name = name.to_ascii_lowercase();
        let bare = name.trim_start_matches('[').trim_end_matches(']');
        match bare.parse::<IpAddr>() {
            Ok(ip) if self.address.ip().is_loopback() => ip.is_loopback(),
            // An address cannot be rebound; only names can.
            Ok(ip) => {
                self.address.ip().is_unspecified() || ip == self.address.ip() || ip.is_loopback()
            }
            Err(_) => name == "localhost" || self.names.contains(&name),
        }
    }

    fn check_host(&self, request: &Request) -> Result<(), ApiError> {
        let host =
            text(request.headers(), header::HOST).or(request.uri().authority().map(|a| a.as_str()));
        match host {
            Some(host) if self.serves(host) => Ok(()),
            _ => Err(ApiError::new(
                Code::Forbidden,
                "this server is not called that; use the address it printed",
            )
            .hint("a server that is reached by another name is told so: --host NAME")),
        }
    }

    fn check_origin(&self, request: &Request) -> Result<(), ApiError> {
        let headers = request.headers();
        let foreign = || {
            ApiError::new(Code::Forbidden, "requests from other sites are refused")
                .hint("open the studio's own address in a tab of its own")
        };
        if let Some(origin) = headers.get(header::ORIGIN) {
            let ours = origin
                .to_str()
                .ok()
                .and_then(|o| o.strip_prefix("http://"))
                .is_some_and(|host| self.serves(host));
            return if ours { Ok(()) } else { Err(foreign()) };
        }
        // Browsers say where a request comes from even where they send no Origin.
        let site = headers.get("sec-fetch-site").and_then(|v| v.to_str().ok());
        let navigates = headers
            .get("sec-fetch-mode")
            .is_some_and(|v| v == "navigate");
        match site {
            Some("cross-site" | "same-site") if !(navigates && is_plain(request)) => Err(foreign()),
            _ => Ok(()),
        }
    }

    /// Whether the request brings the token; compared by hash, so that time tells nothing.
    fn knows(&self, headers: &HeaderMap) -> bool {
        let Some(token) = &self.token else {
            return true;
        };
        let bearer = text(headers, header::AUTHORIZATION).and_then(|v| v.strip_prefix("Bearer "));
        let cookies = headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|v| v.to_str().ok());
        let cookie = cookies
            .flat_map(|v| v.split(';'))
            .filter_map(|c| c.trim().split_once('='))
            .filter(|(name, _)| *name == COOKIE)
            .map(|(_, value)| value);
        bearer
            .into_iter()
            .chain(cookie)
            .any(|given| blake3::hash(given.as_bytes()) == *token)
    }

    /// A visit to `/?token=T` with the right token: the cookie, and the page without the token in its address.
    fn welcome(&self, request: &Request) -> Option<Response> {
        let token = self.token.as_ref()?;
        if request.uri().path() != "/" || request.method() != Method::GET {
            return None;
        }
        let given = token_of(request)?;
        (blake3::hash(given.as_bytes()) == *token)
            .then(|| admit(given))
            .flatten()
    }

    /// Somebody who did not bring the token: a person is asked for it, a program is told so.
    fn turn_away(request: &Request) -> Response {
        if token::is_style(request) {
            return token::style();
        }
        if is_plain(request) && token::is_for_a_person(request.headers()) {
            return token::page(token_of(request).is_some());
        }
        ApiError::new(Code::Unauthorized, "a token is needed")
            .hint("open the address with ?token=… as the server printed it")
            .into_response()
    }

    /// The form of the page that asks for the token.
    async fn form(&self, request: Request) -> Response {
        let given = token::typed(request).await.unwrap_or_default();
        let right = self
            .token
            .is_some_and(|t| blake3::hash(given.as_bytes()) == t);
        let admitted = right.then(|| admit(&given)).flatten();
        admitted.unwrap_or_else(|| token::page(true))
    }
}

/// The cookie, and the page without the token in its address.
fn admit(token: &str) -> Option<Response> {
    let cookie = format!("{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/");
    let cookie = HeaderValue::from_str(&cookie).ok()?;
    let headers = [
        (header::SET_COOKIE, cookie),
        (header::LOCATION, HeaderValue::from_static("/")),
    ];
    Some((StatusCode::SEE_OTHER, headers).into_response())
}

/// The token in an address.
fn token_of(request: &Request) -> Option<&str> {
    let query = request.uri().query()?;
    query.split('&').find_map(|p| p.strip_prefix("token="))
}

/// A page to look at: not the API, and nothing changes.
fn is_plain(request: &Request) -> bool {
    request.method() == Method::GET && !request.uri().path().starts_with("/api")
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).and_then(|v| v.to_str().ok())
}

/// A token that can be said in a cookie and in an address without any escape.
pub fn is_token(token: &str) -> bool {
    (8..=256).contains(&token.len())
        && token
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_' || b == b'.')
}

/// Lets a request through, or says why not; and gives every answer its headers.
pub async fn watch(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let api = request.uri().path().starts_with("/api");
    let mut response = match guard
        .check_host(&request)
        .and_then(|()| guard.check_origin(&request))
    {
        Err(error) => error.into_response(),
        Ok(()) => match guard.welcome(&request) {
            Some(response) => response,
            None if guard.token.is_some() && token::is_form(&request) => guard.form(request).await,
            None if !guard.knows(request.headers()) => Guard::turn_away(&request),
            None => next.run(request).await,
        },
    };
    dress(response.headers_mut(), api);
    response
}

fn dress(headers: &mut HeaderMap, api: bool) {
    let fixed = [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("x-frame-options", "DENY"),
    ];
    for (name, value) in fixed {
        // A page with a policy of its own keeps it.
        headers
            .entry(HeaderName::from_static(name))
            .or_insert(HeaderValue::from_static(value));
    }
    if api || !headers.contains_key(header::CACHE_CONTROL) {
        headers
            .entry(header::CACHE_CONTROL)
            .or_insert(HeaderValue::from_static("no-store"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(address: &str, names: &[&str]) -> Guard {
        let names = names.iter().map(|n| (*n).to_owned()).collect();
        Guard::new(address.parse().expect("an address"), names, None)
    }

    #[test]
    fn only_our_own_names_are_served() {
        let local = guard("127.0.0.1:4870", &[]);
        for host in [
            "127.0.0.1:4870",
            "localhost:4870",
            "LocalHost:4870",
            "[::1]:4870",
        ] {
            assert!(local.serves(host), "{host}");
        }
        for host in [
            "127.0.0.1",
            "127.0.0.1:80",
            "evil.example:4870",
            "localhost.evil.example:4870",
            "10.0.0.1:4870",
            "",
            ":4870",
            "127.0.0.1:4870:4870",
            "localhost:99999",
            "[::1]",
        ] {
            assert!(!local.serves(host), "{host}");
        }
        let wide = guard("0.0.0.0:4870", &["Studio.Lan"]);
        assert!(wide.serves("10.0.0.7:4870") && wide.serves("studio.lan:4870"));
        assert!(!wide.serves("evil.example:4870"));
        let port_80 = guard("127.0.0.1:80", &[]);
        assert!(port_80.serves("localhost") && port_80.serves("[::1]"));
    }

    #[test]
    fn tokens_need_no_escape() {
        assert!(is_token("abcdEF12-_."));
        for bad in ["short", "with space12", "semi;colon12", "naïve-token", ""] {
            assert!(!is_token(bad), "{bad}");
        }
    }
}
