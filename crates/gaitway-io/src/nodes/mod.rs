//! From a scene's nodes to a clip: what glTF and FBX have in common.
//!
//! Both formats hold a tree of nodes with translation, rotation and scale, sampled over time. A clip holds
//! rotations and rest offsets. [`choose`] says which nodes are the body, [`assemble`] writes their motion
//! without scale, every joint exactly where the scene has it.

mod assemble;
mod choose;
pub(crate) mod grid;

use glam::{DQuat, DVec3, Quat};

pub(crate) use assemble::{assemble, fold_constant_tracks, scaled_above};
pub(crate) use choose::{Above, Chosen, choose};

/// A node at rest.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub name: String,
    pub parent: Option<usize>,
    pub translation: DVec3,
    pub rotation: DQuat,
    pub scale: DVec3,
    /// A tip that never rotates, marked so by our own writer.
    pub end_site: bool,
}

/// What moves one node, one value per frame; `None` stays at rest.
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeMotion {
    pub translation: Option<Vec<DVec3>>,
    pub rotation: Option<Vec<Quat>>,
    pub scale: Option<Vec<DVec3>>,
}

/// Names, parents and order of a tree, parents first. `None` where the links make a ring.
pub(crate) fn parents_first(nodes: &[Node]) -> Option<Vec<usize>> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut order: Vec<usize> = Vec::with_capacity(nodes.len());
    for (i, node) in nodes.iter().enumerate() {
        match node.parent {
            Some(p) => children[p].push(i),
            None => order.push(i),
        }
    }
    let mut at = 0;
    while at < order.len() {
        let node = order[at];
        order.extend_from_slice(&children[node]);
        at += 1;
    }
    (order.len() == nodes.len()).then_some(order)
}
