use serde_json::json;

use super::client::Running;

#[test]
fn other_hosts_and_origins_are_refused() {
    let server = Running::start();
    let port = server.address.port();
    let rebound = format!("evil.example:{port}");
    let answer = server.ask("GET", "/api/project", &[("host", &rebound)], None);
    assert_eq!((answer.status, answer.code().as_str()), (403, "forbidden"));
    assert_eq!(
        server.ask("GET", "/", &[("host", &rebound)], None).status,
        403
    );
    let local = format!("localhost:{port}");
    server
        .ask("GET", "/api/project", &[("host", &local)], None)
        .ok();
    for origin in [
        "http://evil.example",
        "null",
        "http://localhost:1",
        "https://127.0.0.1",
        "file://",
    ] {
        let headers = [("origin", origin), ("content-type", "application/json")];
        let answer = server.ask("POST", "/api/jobs", &headers, Some(b"{\"kind\":\"build\"}"));
        assert_eq!(answer.status, 403, "{origin}");
        assert!(server.socket(Some(origin)).is_err(), "{origin}");
    }
    assert!(
        server
            .get("/api/jobs")
            .ok()
            .json()
            .as_array()
            .expect("a list")
            .is_empty()
    );
    let ours = format!("http://{local}");
    let headers = [
        ("origin", ours.as_str()),
        ("content-type", "application/json"),
    ];
    server
        .ask(
            "POST",
            "/api/jobs",
            &headers,
            Some(b"{\"kind\":\"walk\",\"seconds\":1}"),
        )
        .ok();
    assert!(server.socket(Some(&ours)).is_ok());
    let cross = [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-mode", "no-cors"),
    ];
    assert_eq!(server.ask("GET", "/api/clips", &cross, None).status, 403);
    let link = [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-mode", "navigate"),
    ];
    server.ask("GET", "/", &link, None).ok();
}

#[test]
fn a_form_of_another_site_cannot_post() {
    let server = Running::start();
    for kind in ["text/plain", "application/x-www-form-urlencoded", ""] {
        let answer = server.ask(
            "POST",
            "/api/jobs",
            &[("content-type", kind)],
            Some(b"{\"kind\":\"build\"}"),
        );
        assert_eq!(answer.status, 400, "{kind}");
    }
}

#[test]
fn every_answer_is_dressed() {
    let server = Running::start();
    for path in ["/", "/api", "/api/project", "/nothing", "/api/nothing"] {
        let answer = server.get(path);
        assert!(
            answer
                .header("content-security-policy")
                .contains("default-src 'none'"),
            "{path}"
        );
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("referrer-policy"), "no-referrer");
        assert_eq!(answer.header("cross-origin-opener-policy"), "same-origin");
        assert_eq!(answer.header("cross-origin-resource-policy"), "same-origin");
        assert!(!answer.header("cache-control").is_empty());
        if path.starts_with("/api") {
            assert_eq!(answer.header("cache-control"), "no-store", "{path}");
        }
    }
    let zipped = server.ask(
        "GET",
        "/api/graph/topology",
        &[("accept-encoding", "br")],
        None,
    );
    assert_eq!(zipped.header("content-encoding"), "br");
}

#[test]
fn a_token_is_asked_for() {
    let server = Running::with(|c| c.token = Some("a-long-word".to_owned()));
    assert_eq!(server.get("/api/project").status, 401);
    assert_eq!(server.get("/").status, 401);
    assert_eq!(server.get("/?token=wrong-one").status, 401);
    assert!(server.socket(None).is_err());
    let bearer = [("authorization", "Bearer a-long-word")];
    server.ask("GET", "/api/project", &bearer, None).ok();
    assert_eq!(
        server
            .ask(
                "GET",
                "/api/project",
                &[("authorization", "Bearer a-long-wore")],
                None
            )
            .status,
        401
    );
    let welcome = server.get("/?token=a-long-word");
    assert_eq!((welcome.status, welcome.header("location")), (303, "/"));
    let cookie = welcome.header("set-cookie").to_owned();
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
        "{cookie}"
    );
    let pair = cookie.split(';').next().unwrap_or("").to_owned();
    server
        .ask("GET", "/api/project", &[("cookie", &pair)], None)
        .ok();
    let headers = [
        ("cookie", pair.as_str()),
        ("content-type", "application/json"),
    ];
    let body = serde_json::to_vec(&json!({ "kind": "walk", "seconds": 1 })).expect("json");
    server.ask("POST", "/api/jobs", &headers, Some(&body)).ok();
}

#[test]
fn what_is_not_safe_is_not_started() {
    let open = |address: &str, token: Option<&str>| {
        let folder = tempfile::tempdir().expect("a folder");
        let config = gaitway_studio::Config {
            project: folder.path().join("p"),
            address: address.parse().expect("an address"),
            token: token.map(str::to_owned),
            ..gaitway_studio::Config::default()
        };
        config.check().err().map(|e| e.to_string())
    };
    assert!(open("0.0.0.0:0", None).is_some_and(|e| e.contains("token")));
    assert!(open("0.0.0.0:0", Some("short")).is_some());
    assert!(open("0.0.0.0:0", Some("long-enough")).is_none());
    assert!(open("127.0.0.1:0", None).is_none());
    assert!(open("[::1]:0", None).is_none());
}

#[test]
fn one_folder_one_studio() {
    let server = Running::start();
    let again = gaitway_studio::Config {
        project: server.folder(),
        address: "127.0.0.1:0".parse().expect("an address"),
        ..gaitway_studio::Config::default()
    };
    let error = gaitway_studio::Server::open(again)
        .err()
        .expect("refused")
        .to_string();
    assert!(error.contains("another studio"), "{error}");
}
