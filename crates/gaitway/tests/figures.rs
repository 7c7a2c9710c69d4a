//! Figures told in the book, held to the pages of results they come from.

use std::path::PathBuf;

fn read(page: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(page)).unwrap_or_else(|_| panic!("there is no {page}"))
}

/// The cells of a row, all in backticks.
fn cells(line: &str) -> Option<Vec<String>> {
    let line = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    let line = line.replace("\\|", "\u{1}");
    let cell = |c: &str| {
        let c = c.trim().strip_prefix('`')?.strip_suffix('`')?;
        Some(c.replace('\u{1}', "|"))
    };
    line.split('|').map(cell).collect()
}

#[test]
fn figures_in_the_book_are_those_of_the_results() {
    let table = read("docs/results/README.md");
    let rows: Vec<Vec<String>> = table.lines().filter_map(cells).collect();
    assert!(rows.len() >= 6, "{} rows", rows.len());
    for row in rows {
        let [book, says, page, shows] = &row[..] else {
            panic!("four cells: {row:?}");
        };
        assert!(
            read(book).contains(says.as_str()),
            "{book} does not say: {says}"
        );
        assert!(
            read(page).contains(shows.as_str()),
            "{page} does not show: {shows} (told in {book} as: {says})"
        );
    }
}
