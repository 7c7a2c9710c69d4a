//! The command lines that do the same.

use crate::error::ApiResult;
use crate::state::{Motion, OWN, Shape, Studio, slug};

/// As one would type it beside the files; of a result, beside what was taken home.
///
/// # Errors
/// When the character is gone.
pub fn lines(studio: &Studio, id: &str, motion: &Motion, shape: &Shape) -> ApiResult<Vec<String>> {
    let mut file = match motion {
        Motion::Clip(id) => studio.entry(id).map(|e| e.file.clone()).unwrap_or_default(),
        Motion::Result(id, member) => {
            format!("{}-{}", slug(id, 60), crate::jobs::file_name(*member))
        }
    };
    let mut out = Vec::new();
    let mut map = "";
    let mut ending = "bvh";
    if id != OWN {
        let entry = studio.character(id)?;
        if studio.read().project.characters.contains_key(&entry.file) {
            map = " --map roles.toml";
        }
        if entry.mesh {
            ending = "glb";
        }
        let to = &entry.file;
        out.push(format!(
            "gaitway retarget {file} --to {to}{map} -o on.{ending}"
        ));
        file = format!("on.{ending}");
    }
    let mut edit = String::new();
    for (name, times) in [
        ("taller", shape.taller),
        ("legs", shape.legs),
        ("arms", shape.arms),
    ] {
        if times != 1.0 {
            // Per cent to a thousandth, as sliders have it.
            let percent = (1e5 * (times - 1.0)).round() / 1e3;
            edit += &format!(" --{name}={percent}%");
        }
    }
    for d in &shape.drags {
        let [x, y, z] = d.place.to_array();
        edit += &format!(" --drag {}@{}={x},{y},{z}", d.joint, d.at_s);
    }
    if !edit.is_empty() {
        out.push(format!("gaitway edit {file} -o edited.{ending}{edit}"));
    }
    Ok(out)
}
