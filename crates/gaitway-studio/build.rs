//! Builds anew when the page was built anew.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // A folder that is not there would count as changed in every build; `scripts/studio` touches this file instead.
    if std::path::Path::new("page").is_dir() {
        println!("cargo:rerun-if-changed=page");
    }
}
