//! glTF 2.0: `.glb` and `.gltf`, read and written.
//!
//! Reading takes only what moves: nodes, skins, animations and the numbers they name; meshes, materials and
//! extensions pass by unread, so that a file with an unknown extension still gives its motion. The document
//! is parsed by a description of our own for that reason, and every index and range is checked before use.
//!
//! What glTF cannot say is kept in `extras` under the key `gaitway` (`docs/formats/` has the list), so that
//! a clip comes back from our own files as it went in: rate and number of frames, end sites, labels, contacts.

mod accessor;
mod body;
mod buffer;
mod character;
mod container;
mod data_uri;
mod document;
mod extras;
mod marks;
mod read;
mod sample;
mod scene;
mod write;

pub use character::{Character, OntoOptions};
pub use read::read;
pub use scene::write_glb_scene;
pub use write::{GlbOptions, write_glb, write_gltf};

/// What an animation is called: as its clip is, without the folders of this machine where the clip was named by all of them.
fn animation_name(clip: &gaitway_core::Clip) -> &str {
    let name = clip.name();
    match std::path::Path::new(name).is_absolute() {
        true => name.rsplit('/').next().unwrap_or(name),
        false => name,
    }
}
