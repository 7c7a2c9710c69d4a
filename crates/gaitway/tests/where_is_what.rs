//! The pages that say where things are, held to the source: every file is there and holds the function named beside it.

use std::path::PathBuf;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Rows of a page's tables that name a file and a function, both in backticks, in the last two cells.
fn rows(page: &str) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(root().join(page)).expect("the page is there");
    let cell = |c: &str| {
        let c = c.trim().strip_prefix('`')?.strip_suffix('`')?;
        Some(c.to_owned())
    };
    let row = |line: &str| {
        let mut cells = line.trim().trim_matches('|').rsplit('|');
        let function = cell(cells.next()?)?;
        let file = cell(cells.next()?)?;
        file.ends_with(".rs").then_some((file, function))
    };
    text.lines().filter_map(row).collect()
}

fn check(page: &str, least: usize) {
    let rows = rows(page);
    assert!(rows.len() >= least, "{page}: {} rows", rows.len());
    for (file, function) in rows {
        let text = std::fs::read_to_string(root().join(&file))
            .unwrap_or_else(|_| panic!("{page}: there is no {file}"));
        // The last part of `Type::function`.
        let name = function.rsplit("::").next().unwrap_or(&function);
        let declared = [
            format!("fn {name}("),
            format!("fn {name}<"),
            format!("struct {name}"),
        ];
        let found = declared.iter().any(|d| text.contains(d.as_str()));
        assert!(found, "{page}: {file} holds no `{function}`");
    }
}

#[test]
fn a_stranger_finds_what_they_look_for() {
    check("docs/book/reference/where-is-what.md", 20);
}

#[test]
fn the_ways_of_a_clip_and_of_a_request_are_true() {
    check("ARCHITECTURE.md", 24);
}
