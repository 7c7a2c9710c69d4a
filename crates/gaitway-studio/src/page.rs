//! The page itself, where it was built before the program was.

use axum::body::Body;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::error::ApiError;

#[derive(RustEmbed)]
#[folder = "page"]
#[allow_missing = true]
struct Files;

/// What is shown in place of a page that was not built.
const NO_PAGE: &str = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Gaitway studio</title></head>\
<body><h1>Gaitway studio</h1>\
<p>This program was built without the studio's page. In the source folder, run <code>scripts/studio</code> \
(it needs Node 20.19 or newer) and build the program again.</p>\
<p>The server works without it: <a href=\"/api\">/api</a> says what it can be asked.</p></body></html>\n";

/// Forms in which the page's build leaves a file beside it, the smallest first: what a browser calls it, and how its name ends.
const PACKED: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];

/// What tells one page from another; nothing where there is none. Its names hold hashes of all that it loads.
pub fn print() -> Vec<u8> {
    Files::get("index.html").map_or_else(Vec::new, |f| f.metadata.sha256_hash().to_vec())
}

/// Whether the page is inside.
pub fn is_built() -> bool {
    Files::get("index.html").is_some()
}

/// A file of the page; whatever is not there and not the API is the page's own business.
pub async fn serve(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path == "api" || path.starts_with("api/") {
        return ApiError::not_found(format!("/{path}"))
            .hint("GET /api lists every path there is")
            .into_response();
    }
    let asked = if path.is_empty() { "index.html" } else { path };
    let whole = PACKED.iter().all(|(_, ending)| !asked.ends_with(ending));
    let Some(plain) = Files::get(asked).filter(|_| whole) else {
        return match path {
            "" | "index.html" => html(NO_PAGE),
            _ => ApiError::not_found("such file")
                .hint("the studio's page is at /")
                .into_response(),
        };
    };
    let wanted = headers.get(ACCEPT_ENCODING).and_then(|v| v.to_str().ok());
    let packed = PACKED
        .into_iter()
        .filter(|(coding, _)| takes(wanted.unwrap_or(""), coding))
        .find_map(|(coding, ending)| Some((coding, Files::get(&format!("{asked}{ending}"))?)));
    let (coding, file) = match packed {
        Some((coding, file)) => (Some(coding), file),
        None => (None, plain),
    };
    let tag: String = file.metadata.sha256_hash()[..12]
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect();
    let tag = format!("\"{tag}\"");
    // The names of built files hold a hash of their contents; all others are asked about again.
    let keep = if asked.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let known = headers
        .get(IF_NONE_MATCH)
        .is_some_and(|t| t.as_bytes() == tag.as_bytes());
    let fields = [
        (ETAG, tag),
        (CACHE_CONTROL, keep.to_owned()),
        (VARY, ACCEPT_ENCODING.to_string()),
    ];
    if known {
        return (StatusCode::NOT_MODIFIED, fields).into_response();
    }
    let kind = [(CONTENT_TYPE, content_type(asked))];
    let coding = coding.map(|c| [(CONTENT_ENCODING, c)]);
    (fields, kind, coding, Body::from(file.data)).into_response()
}

/// Whether an `Accept-Encoding` takes a coding: by name, else by `*`; a weight of 0 is a refusal.
fn takes(accepted: &str, coding: &str) -> bool {
    let weight = |wanted: &str| {
        accepted.split(',').find_map(|part| {
            let mut pieces = part.split(';').map(str::trim);
            let named = pieces.next()?.eq_ignore_ascii_case(wanted);
            let weight = pieces.find_map(|p| p.strip_prefix("q=")?.parse::<f32>().ok());
            named.then(|| weight.unwrap_or(1.0))
        })
    };
    weight(coding)
        .or_else(|| weight("*"))
        .is_some_and(|w| w > 0.0)
}

fn html(text: &'static str) -> Response {
    let fields = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CACHE_CONTROL, "no-cache"),
    ];
    (fields, text).into_response()
}

/// The media type of a file by its ending. All text here is UTF-8.
pub fn content_type(name: &str) -> String {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let known = match ending {
        // Nobody has given motion a type of its own.
        "bvh" => "txt",
        "npz" => "zip",
        other => other,
    };
    let kind = mime_guess::from_ext(known).first_or_octet_stream();
    match kind.type_() {
        mime_guess::mime::TEXT => format!("{kind}; charset=utf-8"),
        _ => kind.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::{content_type, takes};

    #[test]
    fn packed_files_go_to_those_who_take_them() {
        for (accepted, br, gzip) in [
            ("gzip, deflate, br, zstd", true, true),
            ("GZIP;q=0.5", false, true),
            ("br;q=0, gzip", false, true),
            ("*", true, true),
            ("*;q=0, br", true, false),
            ("identity", false, false),
            ("br; q=0.1", true, false),
            ("", false, false),
        ] {
            let found = (takes(accepted, "br"), takes(accepted, "gzip"));
            assert_eq!(found, (br, gzip), "{accepted}");
        }
    }

    /// What browsers insist on, since they may not guess (`nosniff`).
    #[test]
    fn browsers_are_told_what_they_insist_on() {
        for (file, kind) in [
            ("index.html", "text/html; charset=utf-8"),
            ("assets/index-1a2b.js", "text/javascript; charset=utf-8"),
            ("assets/index-1a2b.css", "text/css; charset=utf-8"),
            ("icon.svg", "image/svg+xml"),
            ("icon.png", "image/png"),
            ("draco.wasm", "application/wasm"),
            ("Inter.woff2", "font/woff2"),
            ("walk.bvh", "text/plain; charset=utf-8"),
            ("walk.glb", "model/gltf-binary"),
            ("walk.npz", "application/zip"),
            ("walk.gif", "image/gif"),
            ("path.json", "application/json"),
            ("labels.csv", "text/csv; charset=utf-8"),
            ("LICENSE", "application/octet-stream"),
        ] {
            assert_eq!(content_type(file), kind, "{file}");
        }
    }
}
