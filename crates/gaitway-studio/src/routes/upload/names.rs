//! Names of files that are sent: harmless everywhere, and with an ending we read.

use std::collections::BTreeSet;
use std::path::Path;

use gaitway_io::Format;

use super::{LONGEST_NAME, MOST_FILES};
use crate::error::{ApiError, ApiResult};
use crate::state::is_recording;

/// Files of several folders may have one name. Skeletons and buffers are found by theirs, and keep it.
pub(super) fn free_name(name: &str, taken: &BTreeSet<String>) -> String {
    let Some((stem, extension)) = name.rsplit_once('.').filter(|(_, e)| !is_beside(e)) else {
        return name.to_owned();
    };
    std::iter::once(name.to_owned())
        .chain((2..=MOST_FILES).map(|k| format!("{stem}_{k}.{extension}")))
        .find(|n| !taken.contains(&n.to_ascii_lowercase()))
        .unwrap_or_else(|| name.to_owned())
}

/// What is no motion of its own and lies beside one: an AMC's skeleton, a glTF's numbers.
pub(super) fn is_beside(extension: &str) -> bool {
    matches!(extension, "asf" | "bin")
}

pub(super) fn is_beside_file(path: &Path) -> bool {
    path.extension()
        .and_then(|e| e.to_str())
        .is_some_and(is_beside)
}

pub(super) fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

pub(super) fn is_recording_file(path: &Path) -> bool {
    path.extension()
        .and_then(|e| e.to_str())
        .is_some_and(is_recording)
}

/// A file's name without any folder, in letters that are harmless everywhere, with an extension we read: its own, or that of the
/// format it is said to have.
pub(super) fn safe_name(given: &str, format: Option<Format>) -> ApiResult<String> {
    let last = given.rsplit(['/', '\\']).next().unwrap_or("");
    let (stem, extension) = last.rsplit_once('.').unwrap_or((last, ""));
    let extension = extension.to_ascii_lowercase();
    let extension = match format {
        Some(format) if !is_beside(&extension) => format.as_str().to_owned(),
        _ => extension,
    };
    let known = is_beside(&extension)
        || is_recording(&extension)
        || matches!(
            Format::from_extension(&extension),
            Some(Format::Bvh | Format::Amc | Format::Glb | Format::Gltf | Format::Fbx)
        );
    if !known {
        let shown: String = last.chars().take(60).collect();
        return Err(
            ApiError::unprocessable(format!("{shown}: no format we read"))
                .hint("drop BVH, AMC with its ASF, GLB, glTF with its BIN, or FBX; markers as C3D or TRC; sensors as CSV or NPZ"),
        );
    }
    if extension == "bin" {
        // A glTF asks for its buffer by name: it is kept as it is, or not at all.
        let plain = |c: char| c.is_alphanumeric() || " -_.()".contains(c);
        if stem.is_empty()
            || stem.starts_with('.')
            || last.len() > LONGEST_NAME
            || !last.chars().all(plain)
        {
            return Err(ApiError::bad("the glTF's buffer has a name we do not keep")
                .hint("export it as GLB, which is one file"));
        }
        return Ok(last.to_owned());
    }
    let keep = |c: char| {
        if c.is_alphanumeric() || c == '-' || c == '_' {
            c
        } else {
            '_'
        }
    };
    let stem: String = stem.chars().map(keep).take(LONGEST_NAME).collect();
    let stem = stem.trim_matches('_');
    if stem.is_empty() {
        return Err(
            ApiError::bad("a file needs a name").hint("its ending says how it is read: walk.bvh")
        );
    }
    Ok(format!("{stem}.{extension}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_nowhere() {
        let name = |n: &str| safe_name(n, None).ok();
        assert_eq!(name("../../etc/walk.bvh").as_deref(), Some("walk.bvh"));
        assert_eq!(name("C:\\x\\Walk 1.BVH").as_deref(), Some("Walk_1.bvh"));
        assert_eq!(name("a/b/…/run..fbx").as_deref(), Some("run.fbx"));
        assert_eq!(name(".bvh"), None);
        assert_eq!(name("..bvh"), None);
        assert_eq!(name("notes.txt"), None);
        assert_eq!(name("a/Fox (1).bin").as_deref(), Some("Fox (1).bin"));
        assert_eq!(name("..bin"), None);
        assert_eq!(name("a%2Fb.bin"), None);
        assert_eq!(name(""), None);
        assert_eq!(name("con\0trol.bvh").as_deref(), Some("con_trol.bvh"));
        let said = |n: &str| safe_name(n, Some(Format::Bvh)).ok();
        assert_eq!(said("a/take 3.txt").as_deref(), Some("take_3.bvh"));
        assert_eq!(said("take").as_deref(), Some("take.bvh"));
        assert_eq!(said("body.asf").as_deref(), Some("body.asf"));
    }
}
