//! The skeleton that goes with a motion: the ASF beside an AMC.

use std::path::{Path, PathBuf};

/// Finds the ASF beside an AMC: the one whose name shares the longest beginning with the motion's
/// (`16_15.amc` → `16.asf`), or the only one of the folder. Letter case does not count, and a shared
/// beginning does not cut a number in two: `1.asf` is not the skeleton of `16_15.amc`. Of several as good,
/// one whose whole name is shared wins, then the shortest, then the first by bytes.
pub fn find_asf(amc: &Path) -> Option<PathBuf> {
    let stem = lower_stem(amc)?;
    let folder = match amc.parent() {
        Some(p) if !p.as_os_str().is_empty() => p,
        _ => Path::new("."),
    };
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|p| p.extension().is_some_and(|e| e.eq_ignore_ascii_case("asf")) && p.is_file())
        .collect();
    found.sort();
    let best = (found.iter())
        .filter_map(|path| {
            let name = lower_stem(path)?;
            let shared = shared_beginning(&stem, &name);
            (shared > 0).then_some((
                std::cmp::Reverse(shared),
                shared < name.len(),
                name.len(),
                path,
            ))
        })
        .min();
    match (best, &found[..]) {
        (Some((.., path)), _) => Some(path.clone()),
        (None, [only]) => Some(only.clone()),
        _ => None,
    }
}

fn lower_stem(path: &Path) -> Option<String> {
    Some(path.file_stem()?.to_string_lossy().to_lowercase())
}

/// Length in bytes of the common beginning that does not cut a run of digits in either name.
fn shared_beginning(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut shared = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let digit = |text: &[u8], i: usize| text.get(i).is_some_and(u8::is_ascii_digit);
    if digit(a, shared) || digit(b, shared) {
        while shared > 0 && digit(a, shared - 1) {
            shared -= 1;
        }
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            std::fs::write(dir.path().join(file), "").unwrap();
        }
        dir
    }

    fn found(files: &[&str], amc: &str) -> Option<String> {
        let dir = folder(files);
        let asf = find_asf(&dir.path().join(amc))?;
        Some(asf.file_name()?.to_string_lossy().into_owned())
    }

    #[test]
    fn the_longest_shared_beginning_wins() {
        assert_eq!(
            found(&["16.asf", "1.asf", "17.asf"], "16_15.amc").as_deref(),
            Some("16.asf")
        );
        assert_eq!(
            found(&["16.asf", "16_15.ASF"], "16_15.amc").as_deref(),
            Some("16_15.ASF")
        );
        assert_eq!(
            found(&["Mary.asf", "John.asf"], "john_walk.amc").as_deref(),
            Some("John.asf")
        );
    }

    #[test]
    fn an_only_skeleton_is_taken_and_a_doubtful_one_is_not() {
        assert_eq!(
            found(&["body.asf"], "16_15.amc").as_deref(),
            Some("body.asf")
        );
        assert_eq!(found(&["1.asf", "17.asf"], "16_15.amc"), None);
        assert_eq!(found(&[], "16_15.amc"), None);
    }
}
