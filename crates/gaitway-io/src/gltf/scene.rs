//! Several people in one glTF scene, on one clock.
//!
//! Everybody has a node of their own above their skeleton, and a skin of their own; one mesh serves all. All channels are those of
//! one animation, so that any viewer plays everybody at once. Before somebody sets out, and after they have arrived, their node
//! has no size: at the start of a path all would stand in one place.

use std::io::Write;

use gaitway_core::figure::Bind;
use glam::DVec3;
use serde_json::{Map, Value, json};

use super::body::Body;
use super::buffer::BufferBuilder;
use super::write::{
    GlbOptions, Tracks, check, inverse_binds, new_document, origin_of, skeleton_nodes, skin,
    write_container,
};
use crate::error::WriteError;
use crate::scene::OnStage;

/// Writes people of one skeleton as a GLB file, each from when they set out.
///
/// # Errors
/// When there is nobody, a motion has no frames or another skeleton, it is too long for glTF's times, or the sink fails.
pub fn write_glb_scene(
    sink: &mut dyn Write,
    people: &[OnStage<'_>],
    options: &GlbOptions<'_>,
) -> Result<(), WriteError> {
    let (document, bin) = build(people, options)?;
    write_container(sink, options.file_name, document, bin)
}

fn build(
    people: &[OnStage<'_>],
    options: &GlbOptions<'_>,
) -> Result<(Map<String, Value>, Vec<u8>), WriteError> {
    let clips: Vec<_> = people.iter().map(|p| p.clip).collect();
    check(options.file_name, &clips)?;
    let first = clips[0];
    let skeleton = first.skeleton();
    let bind = Bind::of(first);
    let origin = origin_of(&clips);
    let mut buffer = BufferBuilder::default();
    let mut document = new_document();
    let body = options.body.then(|| Body::sculpt(first, &bind));
    let body = body.filter(|b| !b.is_empty());
    if let Some(body) = &body {
        document.insert("materials".into(), body.materials());
        document.insert("meshes".into(), body.mesh(&mut buffer));
    }
    let matrices = inverse_binds(skeleton, &bind, &mut buffer);
    let (mut nodes, mut skins, mut scene) = (Vec::new(), Vec::new(), Vec::new());
    let mut tracks = Tracks::new(&mut buffer);
    for (k, person) in people.iter().enumerate() {
        let above = nodes.len();
        let base = above + 1;
        let mut own = json!({ "name": person.name, "children": [base] });
        if origin != DVec3::ZERO {
            own["translation"] = json!(origin.as_vec3().to_array());
        }
        nodes.push(own);
        nodes.extend(skeleton_nodes(skeleton, &bind, base));
        skins.push(skin(skeleton, matrices, base));
        scene.push(above);
        if body.is_some() {
            scene.push(nodes.len());
            let name = format!("{} body", person.name);
            nodes.push(json!({ "name": name, "mesh": 0, "skin": k }));
        }
        tracks.play(person.clip, &bind, origin, base, person.start_s);
        if people.len() > 1 {
            tracks.shown(
                above,
                person.start_s,
                person.start_s + person.clip.seconds(),
            );
        }
    }
    let extras: Vec<Value> = people.iter().map(OnStage::row).collect();
    let animation = json!({
        "name": "scene",
        "channels": tracks.channels,
        "samplers": tracks.samplers,
        "extras": { "people": extras },
    });
    document.insert("scene".into(), json!(0));
    document.insert("scenes".into(), json!([{ "nodes": scene }]));
    document.insert("nodes".into(), Value::Array(nodes));
    document.insert("skins".into(), Value::Array(skins));
    document.insert("animations".into(), json!([animation]));
    let bin = buffer.finish(&mut document);
    Ok((document, bin))
}
