//! Every real BVH clip through GLB and back: joint positions within 0.1 mm.
#![allow(clippy::print_stdout, clippy::print_stderr)] // Measurements and skips must be seen.

mod support;

use std::path::{Path, PathBuf};

use gaitway_core::testing::{BVH_FOLDERS, bvh_files, data_dir};
use gaitway_io::bvh::{self, BvhWriteOptions};
use gaitway_io::gltf::{self, GlbOptions, write_glb};
use gaitway_io::{Import, Layout, ReadOptions, read_file};
use support::{apart, assert_same_frame, to_clip};

fn read(path: &Path) -> Import {
    let options = ReadOptions {
        keep_first_frame: true,
        ..ReadOptions::default()
    };
    read_file(path, &options).unwrap().remove(0)
}

fn nothing(name: &str) -> std::io::Result<Vec<u8>> {
    Err(std::io::Error::other(name.to_owned()))
}

/// Largest distances in millimetres after GLB, and after GLB and BVH.
fn round_trip(path: &Path, keep: &Path) -> (f64, f64) {
    let import = read(path);
    let mut bytes = Vec::new();
    write_glb(&mut bytes, &[&import.clip], &GlbOptions::default()).unwrap();
    let name = path.file_stem().unwrap().to_string_lossy();
    std::fs::write(keep.join(format!("{name}.glb")), &bytes).unwrap();
    let raw = gltf::read("clip.glb", &bytes, &nothing).unwrap().remove(0);
    let from_glb = to_clip(&raw);
    assert_same_frame(&import.clip, &from_glb);
    let Layout::Bvh(layout) = &import.source.layout else {
        panic!("a BVH file has a BVH layout");
    };
    let unit_m = import.source.unit.metres;
    let options = BvhWriteOptions {
        unit_m,
        layout: Some(layout),
        ..BvhWriteOptions::default()
    };
    let mut text = Vec::new();
    bvh::write(&mut text, &from_glb, &options).unwrap();
    let (mut raw, _) = bvh::read("clip.bvh", &text).unwrap();
    raw.unit_m = Some(unit_m);
    let from_bvh = to_clip(&raw);
    assert_eq!(from_bvh.skeleton().names(), import.clip.skeleton().names());
    assert_eq!(from_bvh.frame_count(), import.clip.frame_count());
    (
        1e3 * apart(&import.clip, &from_glb),
        1e3 * apart(&import.clip, &from_bvh),
    )
}

/// Runs the Khronos validator over a folder where `tools/validate-gltf` is installed (`npm ci` there); with
/// `GAITWAY_REQUIRE_VALIDATOR=1` it must be.
fn validate(folder: &Path) {
    let tool = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/validate-gltf");
    if !tool.join("node_modules").is_dir() {
        let required = std::env::var_os("GAITWAY_REQUIRE_VALIDATOR").is_some_and(|v| v == "1");
        assert!(
            !required,
            "GAITWAY_REQUIRE_VALIDATOR=1, but tools/validate-gltf is not installed"
        );
        eprintln!("skipped: tools/validate-gltf is not installed (npm ci)");
        return;
    }
    let mut node = std::process::Command::new("node");
    let out = node
        .arg(tool.join("validate.mjs"))
        .arg(folder)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&out.stdout);
    println!("{text}");
    assert!(
        out.status.success() && text.contains(" 0 errors, 0 warnings"),
        "{text}"
    );
}

/// With `GAITWAY_KEEP_GLB` naming a folder, the files written stay there to be looked at.
#[test]
fn every_bvh_clip_goes_through_glb_and_back() {
    let Some(data) = data_dir() else { return };
    let temporary = tempfile::tempdir().unwrap();
    let kept = std::env::var_os("GAITWAY_KEEP_GLB").map(PathBuf::from);
    let folder = kept.unwrap_or_else(|| temporary.path().to_owned());
    let files = bvh_files(&data, &BVH_FOLDERS);
    assert_eq!(files.len(), 173);
    let (mut worst_glb, mut worst_bvh) = (0.0_f64, 0.0_f64);
    for path in &files {
        let (glb, bvh) = round_trip(path, &folder);
        assert!(
            glb < 0.1 && bvh < 0.1,
            "{}: {glb} mm, {bvh} mm",
            path.display()
        );
        worst_glb = worst_glb.max(glb);
        worst_bvh = worst_bvh.max(bvh);
    }
    println!(
        "{} clips: GLB {worst_glb:.6} mm, GLB and BVH {worst_bvh:.6} mm",
        files.len()
    );
    validate(&folder);
}
