//! Builds anew when the page was built anew, or came or went.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // A folder that is not there counts as changed in every build, so its parent is watched instead.
    let dist = std::path::Path::new("../../studio/dist");
    let watched = if dist.is_dir() {
        "../../studio/dist"
    } else {
        "../../studio"
    };
    if std::path::Path::new(watched).exists() {
        println!("cargo:rerun-if-changed={watched}");
    } else {
        println!("cargo:rerun-if-changed=../..");
    }
}
