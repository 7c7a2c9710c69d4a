//! The page that asks for the token: what a browser sees that comes without it.

use std::time::Duration;

use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};

/// Where the page's looks are: the content policy lets nothing stand in the page itself.
const STYLE_PATH: &str = "/token.css";
/// A form holds the token and nothing else.
const MOST_BYTES: usize = 1024;
const PATIENCE: Duration = Duration::from_secs(10);

/// As everywhere, but its form may be sent to where it came from.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'; \
     form-action 'self'";

const STYLE: &str = "\
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { display: grid; place-items: center; min-height: 100vh; margin: 0; padding: 16px; box-sizing: border-box; }
main { max-width: 26rem; }
h1 { margin: 0 0 0.5rem; font-size: 1.4rem; }
form { display: flex; flex-wrap: wrap; gap: 8px; margin: 1rem 0; }
label { flex-basis: 100%; font-weight: 600; }
input { flex: 1 1 12rem; min-width: 0; padding: 0.5rem; font: inherit; }
button { padding: 0.5rem 1rem; font: inherit; }
[role=alert] { color: light-dark(#b3261e, #ff9c92); font-weight: 600; }
code { overflow-wrap: anywhere; }
";

/// Whether this asks for the page's looks.
pub fn is_style(request: &Request) -> bool {
    request.method() == Method::GET && request.uri().path() == STYLE_PATH
}

/// Whether this is the page's form.
pub fn is_form(request: &Request) -> bool {
    request.method() == Method::POST && request.uri().path() == "/"
}

/// Whether a person looks at the answer, and not a program.
pub fn is_for_a_person(headers: &HeaderMap) -> bool {
    let accepts = headers.get("accept").and_then(|v| v.to_str().ok());
    accepts.is_some_and(|v| v.contains("text/html"))
}

/// The token somebody typed in. It needs no decoding: no letter of a token is escaped in a form.
pub async fn typed(request: Request) -> Option<String> {
    let body = axum::body::to_bytes(request.into_body(), MOST_BYTES);
    let bytes = tokio::time::timeout(PATIENCE, body).await.ok()?.ok()?;
    let text = std::str::from_utf8(&bytes).ok()?;
    let given = text.split('&').find_map(|p| p.strip_prefix("token="))?;
    // Blanks that were copied along.
    Some(given.trim_matches('+').to_owned())
}

/// The page; `wrong` when a token was given that is not ours.
pub fn page(wrong: bool) -> Response {
    let alert = if wrong {
        "<p role=\"alert\">That is not this studio's token.</p>"
    } else {
        ""
    };
    let text = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
<title>A token is needed · Gaitway studio</title><link rel=\"stylesheet\" href=\"{STYLE_PATH}\"></head>\
<body><main><h1>Gaitway studio</h1>\
<p>This studio can be reached from other machines, so it asks visitors for its token.</p>{alert}\
<form method=\"post\" action=\"/\"><label for=\"token\">Token</label>\
<input id=\"token\" name=\"token\" type=\"password\" autocomplete=\"current-password\" required autofocus>\
<button>Open the studio</button></form>\
<p>Whoever started the studio knows it: it is what stands after <code>--token</code>.</p></main></body></html>\n"
    );
    let fields = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CACHE_CONTROL, "no-store"),
        (CONTENT_SECURITY_POLICY, POLICY),
        // Without it browsers send the form from an origin called `null`.
        (REFERRER_POLICY, "same-origin"),
    ];
    (StatusCode::UNAUTHORIZED, fields, text).into_response()
}

/// The page's looks.
pub fn style() -> Response {
    let fields = [
        (CONTENT_TYPE, "text/css; charset=utf-8"),
        (CACHE_CONTROL, "no-cache"),
    ];
    (fields, STYLE).into_response()
}
