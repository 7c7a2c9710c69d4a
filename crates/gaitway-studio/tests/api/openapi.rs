use super::client::Running;

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

/// Generated clients put parameters where the document says: in the path exactly what the path names.
#[test]
fn parameters_are_where_the_path_has_them() {
    let doc = Running::start().get("/api").ok().json();
    let mut queries = 0;
    for (path, item) in doc["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("methods") {
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
