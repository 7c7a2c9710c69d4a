//! Several people in one file, each from when they set out: one GLB, or a zip file of BVH files.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `.glb` | everybody below a node of their own, one animation ([`gltf::write_glb_scene`]) |
//! | `.zip` | a BVH file each, and `scene.json`: names, files, and the second at which each sets out |
//!
//! The same people give the same bytes.

use std::io::{self, Cursor, Write};
use std::path::Path;

use gaitway_core::Clip;
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipWriter};

use crate::error::WriteError;
use crate::output::write_atomic;
use crate::{UpAxis, WriteOptions, bvh, gltf};

/// One of the people of a scene.
#[derive(Clone, Debug)]
pub struct OnStage<'a> {
    /// What they are called: letters that a file's name may have.
    pub name: String,
    /// What they do, at its place.
    pub clip: &'a Clip,
    /// When they set out, seconds.
    pub start_s: f64,
}

impl OnStage<'_> {
    /// As `scene.json` has it, but for the file.
    pub(crate) fn row(&self) -> Value {
        json!({
            "name": self.name,
            "start_s": self.start_s,
            "seconds": self.clip.seconds(),
            "frames": self.clip.frame_count(),
            "rate_hz": self.clip.rate_hz(),
        })
    }
}

/// Writes people into one file, by its extension `.glb` or `.zip`, whole or not at all. Of the options, unit and up axis count, for
/// the BVH files of a zip file.
///
/// # Errors
/// When the format cannot hold them, there is nobody, or the system says no.
pub fn write_scene(
    path: &Path,
    people: &[OnStage<'_>],
    options: &WriteOptions<'_>,
) -> Result<(), WriteError> {
    let file = path.display().to_string();
    let cannot = |message: String, hint: &str| WriteError::CannotHold {
        file: file.clone(),
        message,
        hint: Some(hint.to_owned()),
    };
    if people.is_empty() {
        return Err(cannot(
            "there is nobody to write".to_owned(),
            "give at least one motion",
        ));
    }
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    match extension.to_ascii_lowercase().as_str() {
        "glb" => {
            let options = gltf::GlbOptions {
                file_name: &file,
                ..gltf::GlbOptions::default()
            };
            write_atomic(path, |sink| gltf::write_glb_scene(sink, people, &options))
        }
        "zip" => write_atomic(path, |sink| {
            let bytes = zipped(people, options, &file)?;
            sink.write_all(&bytes).map_err(|source| WriteError::Io {
                file: file.clone(),
                source,
            })
        }),
        other => Err(cannot(
            format!("`.{other}` holds no scene"),
            "write .glb, or .zip for a BVH file each",
        )),
    }
}

fn zipped(
    people: &[OnStage<'_>],
    options: &WriteOptions<'_>,
    file: &str,
) -> Result<Vec<u8>, WriteError> {
    let failed = |source: io::Error| WriteError::Io {
        file: file.to_owned(),
        source,
    };
    let (unit_m, up) = (
        options.unit_m.unwrap_or(0.01),
        options.up.unwrap_or(UpAxis::Y),
    );
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let mut rows = Vec::with_capacity(people.len());
    for person in people {
        let name = format!("{}.bvh", person.name);
        let own = bvh::BvhWriteOptions {
            file_name: &name,
            layout: None,
            unit_m,
            up,
        };
        let mut text = Vec::new();
        bvh::write(&mut text, person.clip, &own)?;
        add(&mut archive, &name, &text).map_err(failed)?;
        let mut row = person.row();
        row["file"] = json!(name);
        rows.push(row);
    }
    let scene = json!({ "unit_m": unit_m, "up": up.as_str(), "people": rows });
    let text = format!("{scene:#}\n");
    add(&mut archive, "scene.json", text.as_bytes()).map_err(failed)?;
    let done = archive.finish().map_err(io::Error::from).map_err(failed)?;
    Ok(done.into_inner())
}

fn add(archive: &mut ZipWriter<Cursor<Vec<u8>>>, name: &str, bytes: &[u8]) -> io::Result<()> {
    // Nothing of the machine or of the day.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::DEFAULT)
        .system(System::Unix)
        .large_file(bytes.len() >= u32::MAX as usize);
    archive.start_file(name, options)?;
    archive.write_all(bytes)
}
