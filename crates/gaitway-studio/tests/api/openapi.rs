use std::collections::BTreeSet;
use std::path::Path;

use gaitway_studio::routes;
use gaitway_studio::wire::account::AccountView;

use super::client::Running;

/// The page's types are made from the committed document: it must be what the server says of itself.
#[test]
fn the_committed_document_is_the_servers() {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studio/openapi.json");
    let now = routes::api(0).1.to_pretty_json().expect("a document") + "\n";
    if std::env::var_os("GAITWAY_WRITE_GOLDENS").is_some_and(|v| v == "1") {
        std::fs::write(&place, now).expect("the document is written");
        return;
    }
    let kept = std::fs::read_to_string(&place).unwrap_or_default();
    let mut lines = kept.lines().zip(now.lines()).enumerate();
    let differs = lines.find(|(_, (a, b))| a != b);
    assert!(
        kept == now,
        "studio/openapi.json is not what the server describes (first difference: {differs:?}); write it and the page's types anew:\n\
         GAITWAY_WRITE_GOLDENS=1 cargo nextest run -p gaitway-studio openapi && npm --prefix studio run types"
    );
}

/// The account is served as another crate writes it: the document must have all of it, and nothing else.
#[test]
fn the_account_is_as_described() {
    let account = Running::start().get("/api/graph/account").ok().json();
    let read: AccountView = serde_json::from_value(account).expect("as described");
    assert!(!read.lost.is_empty() && read.seconds > read.kept_seconds);
}

/// Every path of the document is there and answers in form: no 404 of the page, no 500.
#[test]
fn every_path_answers() {
    let server = Running::start();
    let doc = server.get("/api").ok().json();
    assert_eq!(doc["openapi"], "3.1.0");
    let clip = server.clip("walk_normal_01");
    let paths = doc["paths"].as_object().expect("paths");
    assert!(paths.len() > 25, "{}", paths.len());
    for (path, item) in paths {
        for method in item.as_object().expect("methods").keys() {
            let id = if path.contains("/clips/") {
                clip.as_str()
            } else {
                "none-000001"
            };
            let real = path.replace("{id}", id).replace("{edge}", "0");
            if method == "delete" {
                continue;
            }
            let body: Option<&[u8]> = (method != "get").then_some(b"{}");
            let answer = server.ask(
                &method.to_uppercase(),
                &real,
                &[("content-type", "application/json")],
                body,
            );
            assert!(
                answer.status < 500 && answer.status != 405,
                "{method} {path}: {}",
                answer.status
            );
            if answer.status >= 400 && path != "/api/events" {
                assert!(
                    answer.json()["error"]["message"].is_string(),
                    "{method} {path}"
                );
            }
        }
    }
    let schemas = doc["components"]["schemas"].as_object().expect("schemas");
    for name in [
        "ErrorReply",
        "JobView",
        "PathRequest",
        "ResultFile",
        "ClipView",
        "Rethresholded",
    ] {
        assert!(schemas.contains_key(name), "{name}");
    }
}

/// Generated clients put parameters where the document says: in the path exactly what the path names. They name calls by operation.
#[test]
fn generated_clients_can_use_it() {
    let doc = Running::start().get("/api").ok().json();
    let mut queries = 0;
    let mut names = BTreeSet::new();
    for (path, item) in doc["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("methods") {
            let name = operation["operationId"].as_str().expect("a name");
            assert!(names.insert(name), "two operations are called {name}");
            let parameters = operation["parameters"].as_array().into_iter().flatten();
            for parameter in parameters {
                let name = parameter["name"].as_str().expect("a name");
                let named = path.contains(&format!("{{{name}}}"));
                let expected = if named { "path" } else { "query" };
                assert_eq!(parameter["in"], expected, "{method} {path}: {name}");
                queries += usize::from(!named);
            }
        }
    }
    assert!(queries > 15, "{queries}");
}
