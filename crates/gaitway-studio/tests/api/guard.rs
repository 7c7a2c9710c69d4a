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

#[test]
fn a_person_without_the_token_is_asked_for_it_on_a_page() {
    let server = Running::with(|c| c.token = Some("a-long-word".to_owned()));
    let person = [("accept", "text/html,application/xhtml+xml,*/*;q=0.8")];
    let page = server.ask("GET", "/", &person, None);
    assert_eq!(page.status, 401);
    assert!(page.header("content-type").starts_with("text/html"));
    assert!(
        page.header("content-security-policy")
            .contains("form-action 'self'")
    );
    assert_eq!(page.header("cache-control"), "no-store");
    assert_eq!(page.header("x-frame-options"), "DENY");
    let text = String::from_utf8_lossy(&page.bytes).into_owned();
    assert!(text.contains("<form") && !text.contains("not this studio"));
    assert!(!text.contains("a-long-word"));
    let style = server.get("/token.css");
    assert_eq!(
        (style.status, style.header("content-type")),
        (200, "text/css; charset=utf-8")
    );
    // A wrong one is told, in the address as in the form, and no page leads round it.
    let wrong = server.ask("GET", "/?token=wrong-one", &person, None);
    assert!(String::from_utf8_lossy(&wrong.bytes).contains("not this studio"));
    assert_eq!(server.ask("GET", "/index.html", &person, None).status, 401);
    // Programs get what programs read.
    let api = server.ask("GET", "/api/project", &person, None);
    assert_eq!((api.status, api.code().as_str()), (401, "unauthorized"));
    assert_eq!(server.get("/").code(), "unauthorized");

    let port = server.address.port();
    let ours = format!("http://127.0.0.1:{port}");
    let form = |token: &str, origin: &str| {
        let headers = [
            ("content-type", "application/x-www-form-urlencoded"),
            ("origin", origin),
        ];
        server.ask(
            "POST",
            "/",
            &headers,
            Some(format!("token={token}").as_bytes()),
        )
    };
    let welcome = form("a-long-word", &ours);
    assert_eq!((welcome.status, welcome.header("location")), (303, "/"));
    let cookie = welcome.header("set-cookie").to_owned();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"));
    let pair = cookie.split(';').next().unwrap_or("").to_owned();
    server
        .ask("GET", "/api/project", &[("cookie", &pair)], None)
        .ok();
    // A blank that was copied along does no harm; everything else does not get in.
    assert_eq!(form("a-long-word+", &ours).status, 303);
    for bad in [
        "",
        "a-long-wore",
        "%00",
        "a-long-word&token=x%",
        "x".repeat(5000).as_str(),
    ] {
        let refused = form(bad, &ours);
        let admitted = refused.status == 303;
        assert_eq!(admitted, bad.starts_with("a-long-word&"), "{bad}");
    }
    assert_eq!(form("a-long-word", "http://evil.example").status, 403);
    assert_eq!(form("a-long-word", "null").status, 403);
}

#[test]
fn without_a_token_nothing_is_asked_for() {
    let server = Running::start();
    let kind = [("content-type", "application/x-www-form-urlencoded")];
    let answer = server.ask("POST", "/", &kind, Some(b"token=anything"));
    assert_eq!(answer.header("set-cookie"), "");
    assert_eq!(server.get("/token.css").status, 404);
}

#[test]
fn the_page_comes_packed_to_those_who_take_it() {
    if !gaitway_studio::page::is_built() {
        return;
    }
    let server = Running::start();
    let index = server.get("/").ok();
    let text = String::from_utf8_lossy(&index.bytes).into_owned();
    let script = text
        .split('"')
        .find(|part| part.ends_with(".js"))
        .expect("a script")
        .trim_start_matches('.')
        .to_owned();
    let ask = |accepted: &str| {
        server
            .ask("GET", &script, &[("accept-encoding", accepted)], None)
            .ok()
    };
    let [plain, gzip, br] = ["identity", "gzip", "gzip, deflate, br, zstd"].map(ask);
    let codings = [&plain, &gzip, &br].map(|a| a.header("content-encoding").to_owned());
    assert_eq!(codings, ["", "gzip", "br"]);
    for answer in [&plain, &gzip, &br] {
        assert!(answer.header("vary").contains("accept-encoding"));
        assert!(answer.header("content-type").starts_with("text/javascript"));
        assert!(answer.header("cache-control").contains("immutable"));
    }
    // As the page's build packed it, not as quickly as it can be done while somebody waits.
    let length = |a: &super::client::Answer| {
        a.header("content-length")
            .parse::<usize>()
            .expect("a length")
    };
    assert!(length(&br) < length(&gzip) && length(&gzip) < length(&plain));
    // Each form has a tag of its own, and is known again by it.
    let tags = [&plain, &gzip, &br].map(|a| a.header("etag").to_owned());
    assert!(tags[0] != tags[1] && tags[1] != tags[2]);
    let again = [
        ("accept-encoding", "br"),
        ("if-none-match", tags[2].as_str()),
    ];
    assert_eq!(server.ask("GET", &script, &again, None).status, 304);
    let other = [
        ("accept-encoding", "gzip"),
        ("if-none-match", tags[2].as_str()),
    ];
    assert_eq!(server.ask("GET", &script, &other, None).status, 200);
    assert_eq!(server.get(&format!("{script}.br")).status, 404);
}

#[test]
fn a_page_is_told_which_program_it_talks_to() {
    let (one, other) = (Running::start(), Running::start());
    let build = |server: &Running| {
        let mut socket = server.socket(None).expect("a socket");
        let hello = super::client::hear(&mut socket, "hello");
        hello["build"].as_str().expect("a build").to_owned()
    };
    assert_eq!(build(&one).len(), 16);
    assert_eq!(build(&one), build(&other), "of one program");
}
