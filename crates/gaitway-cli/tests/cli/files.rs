//! Files that are missing, folders, or not to be read: every verb tells them alike.

use crate::support::{small_graph, two_lines};

/// Verbs with a file argument in the place of `?`.
const READERS: &[&[&str]] = &[
    &["info", "?"],
    &["convert", "?", "o.glb"],
    &["clean", "?", "-o", "o.bvh"],
    &["retarget", "?", "--to", "clips/walk_a.bvh", "-o", "o.bvh"],
    &["retarget", "clips/walk_a.bvh", "--to", "?", "-o", "o.bvh"],
    &["edit", "?", "-o", "o.bvh", "--taller", "5%"],
    &["quality", "?"],
    &["render", "?", "-o", "o.png"],
    &["distance", "?", "clips/walk_a.bvh"],
    &["build", "?", "-o", "o.gway"],
    &["info", "@?"],
    &["build", "clips", "-o", "o.gway", "--labels", "?"],
    &["build", "clips", "-o", "o.gway", "--thresholds", "?"],
    &["build", "clips", "-o", "o.gway", "--weights", "?"],
    &["build", "clips", "-o", "o.gway", "--skeleton", "?"],
    &["build", "clips", "--into", "?.gway"],
    &["build", "--rethreshold", "?.gway"],
    &[
        "clean",
        "clips/walk_a.bvh",
        "-o",
        "o.bvh",
        "--contacts",
        "?",
    ],
    &["quality", "clips/walk_a.bvh", "--contacts", "?"],
    &["path", "g.gway", "line", "-o", "o.bvh", "--obstacles", "?"],
    &["path", "g.gway", "?.json", "-o", "o.bvh"],
    &["path", "?", "line", "-o", "o.bvh"],
    &["walk", "?", "-o", "o.bvh"],
    &[
        "connect", "?", "--from", "a@1", "--to", "b@1", "-o", "o.bvh",
    ],
    &["inspect", "?"],
    &["eval", "?"],
    &["studio", "?.gway"],
];

fn with<'a>(arguments: &[&'a str], file: &str) -> Vec<String> {
    let put = |a: &&'a str| a.replace('?', file);
    arguments.iter().map(put).collect()
}

#[test]
fn what_is_not_there_is_named_with_what_belongs_there() {
    let place = small_graph();
    for arguments in READERS {
        let arguments = with(arguments, "nope");
        let list: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let told = two_lines(&place.run(&list));
        assert!(
            told.contains("nope") && told.contains("no such file"),
            "{list:?}: {told}"
        );
    }
    assert!(!place.path("o.gway").exists() && !place.path("o.bvh").exists());
}

#[test]
fn a_folder_is_no_file() {
    let place = small_graph();
    for name in ["empty", "empty.gway", "empty.json"] {
        std::fs::create_dir(place.path(name)).expect("a folder");
    }
    for arguments in READERS
        .iter()
        .filter(|a| !a.ends_with(&["?"]) || a.len() > 2)
    {
        let arguments = with(arguments, "empty");
        let list: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let told = two_lines(&place.run(&list));
        assert!(
            told.contains("empty") && (told.contains("folder")),
            "{list:?}: {told}"
        );
    }
}

/// Not for the superuser, who may read everything.
#[cfg(unix)]
#[test]
fn what_may_not_be_read_is_told_as_such() {
    use std::os::unix::fs::PermissionsExt;
    let place = small_graph();
    let file = place.path("closed.csv");
    std::fs::write(&file, "file,label\n").expect("written");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o000)).expect("closed");
    if std::fs::read(&file).is_ok() {
        return;
    }
    for arguments in READERS
        .iter()
        .filter(|a| a.last() == Some(&"?") && a.len() > 4)
    {
        let arguments = with(arguments, "closed.csv");
        let list: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let told = two_lines(&place.run(&list));
        assert!(told.contains("permission denied"), "{list:?}: {told}");
    }
}

#[test]
fn what_is_no_number_in_json_is_named_with_its_line() {
    let place = small_graph();
    for (json, word, line) in [
        ("[[0, 0],\n [NaN, 1]]", "NaN", 2),
        ("[[0, 0],\n\n [1, -Infinity]]", "-Infinity", 3),
        ("{\"points\": [[0, 0], [inf, 1]]}", "inf", 1),
    ] {
        std::fs::write(place.path("odd.json"), json).expect("written");
        for made in [
            &["path", "g.gway", "odd.json", "-o", "o.bvh"][..],
            &[
                "path",
                "g.gway",
                "line",
                "-o",
                "o.bvh",
                "--obstacles",
                "odd.json",
            ],
        ] {
            let told = two_lines(&place.run(made));
            let expected = format!("odd.json:{line}: expected a number, found `{word}`");
            assert!(told.contains(&expected), "{told}");
        }
    }
}

#[test]
fn places_that_cannot_be_written_are_told_before_the_work() {
    let place = small_graph();
    let outputs: &[&[&str]] = &[
        &["convert", "clips/walk_a.bvh", "?"],
        &["clean", "clips/walk_a.bvh", "-o", "?"],
        &["edit", "clips/walk_a.bvh", "--taller", "5%", "-o", "?"],
        &["clean", "clips/walk_a.bvh", "-o", "x.bvh", "--report", "?"],
        &["quality", "clips/walk_a.bvh", "--plot", "?"],
        &["render", "clips/walk_a.bvh", "-o", "?"],
        &[
            "distance",
            "clips/walk_a.bvh",
            "clips/walk_b.bvh",
            "--npy",
            "?",
        ],
        &["build", "clips", "-o", "?"],
        &["build", "clips", "-o", "x.gway", "--report", "?"],
        &["inspect", "g.gway", "--dot", "?"],
        &["eval", "g.gway", "--plot", "?"],
        &["walk", "g.gway", "-o", "?"],
        &["walk", "g.gway", "-o", "x.bvh", "--report", "?"],
        &[
            "connect", "g.gway", "--from", "walk_a@1", "--to", "walk_b@1", "-o", "?",
        ],
        &["path", "g.gway", "line", "-o", "?"],
        &["path", "g.gway", "line", "-o", "x.bvh", "--page", "?"],
    ];
    std::fs::create_dir(place.path("there.gway")).expect("a folder");
    for arguments in outputs {
        for (file, part) in [
            ("nowhere/o.gway", "the folder nowhere does not exist"),
            ("g.gway/o.gway", "the folder g.gway is not a folder"),
            ("there.gway", "is a folder"),
        ] {
            let arguments = with(arguments, file);
            let list: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let told = two_lines(&place.run(&list));
            assert!(told.contains(part), "{list:?}: {told}");
        }
    }
    assert!(!place.path("x.bvh").exists() && !place.path("x.gway").exists());
}

#[test]
fn what_is_read_is_not_written_over_and_no_file_is_written_twice() {
    let place = small_graph();
    std::fs::write(place.path("way.json"), "[[0,0],[0,4]]").expect("written");
    let walk = "clips/walk_a.bvh";
    let lost: &[&[&str]] = &[
        &["clean", walk, "-o", walk],
        &["edit", walk, "--taller", "5%", "-o", walk],
        &[
            "edit",
            "clips/walk_b.bvh",
            "--style-from",
            walk,
            "--style-of",
            walk,
            "-o",
            walk,
        ],
        &["walk", "g.gway", "--to", walk, "-o", walk],
        &["clean", walk, "-o", "x.bvh", "--report", walk],
        &["render", walk, "-o", walk],
        &["walk", "g.gway", "-o", "x.bvh", "--report", "g.gway"],
        &[
            "path", "g.gway", "line", "-o", "x.bvh", "--report", "g.gway",
        ],
        &[
            "path", "g.gway", "way.json", "-o", "x.bvh", "--report", "way.json",
        ],
        &["build", walk, "-o", "x.gway", "--report", walk],
    ];
    let twice: &[&[&str]] = &[
        &["clean", walk, "-o", "x.bvh", "--report", "./x.bvh"],
        &["path", "g.gway", "line", "-o", "x.bvh", "--gif", "x.bvh"],
        &["build", "clips", "-o", "x.gway", "--report", "x.gway"],
    ];
    let read = || {
        ["clips/walk_a.bvh", "g.gway", "way.json"]
            .map(|f| std::fs::read(place.path(f)).expect("it is there"))
    };
    let before = read();
    for (list, part) in [(lost, "would be overwritten"), (twice, "two outputs")] {
        for arguments in list {
            let told = two_lines(&place.run(arguments));
            assert!(told.contains(part), "{arguments:?}: {told}");
        }
    }
    assert!(read() == before);
    assert!(!place.path("x.bvh").exists() && !place.path("x.gway").exists());
}
