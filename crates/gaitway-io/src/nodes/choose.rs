//! Which nodes of a scene make the body.

use glam::{DMat3, DQuat, DVec3};

use gaitway_core::{Skeleton, WarningCode, Warnings};

use super::Node;

/// The nodes of a body, in the order of its joints.
#[derive(Debug)]
pub(crate) struct Chosen {
    /// Node of each joint; `None` for a root made to hold several.
    pub joints: Vec<Option<usize>>,
    /// Joint above each joint.
    pub parents: Vec<Option<usize>>,
    /// Nodes that are tips, with the joint they are fixed to.
    pub end_sites: Vec<(usize, usize)>,
    /// What stands still above each topmost node: world from that node's parent.
    pub above: Vec<(usize, Above)>,
}

/// A transform that does not move: p = place + linear · x, turned by `rotation` once scale is left out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Above {
    pub place: DVec3,
    pub linear: DMat3,
    pub rotation: DQuat,
}

impl Above {
    pub const NOTHING: Self = Self {
        place: DVec3::ZERO,
        linear: DMat3::IDENTITY,
        rotation: DQuat::IDENTITY,
    };

    /// Whether it changes nothing, to the bit.
    pub fn is_nothing(&self) -> bool {
        self.place == DVec3::ZERO
            && self.linear == DMat3::IDENTITY
            && self.rotation == DQuat::IDENTITY
    }

    fn then(self, node: &Node) -> Self {
        let turn = DMat3::from_quat(node.rotation);
        Self {
            place: self.place + self.linear * node.translation,
            linear: self.linear * turn * DMat3::from_diagonal(node.scale),
            rotation: (self.rotation * node.rotation).normalize(),
        }
    }
}

/// Takes the wanted nodes and all between them. `order` has parents first; `wanted` must hold every node
/// that moves, so that what lies above the topmost wanted node stands still.
///
/// # Errors
/// A sentence, when nothing is wanted or there are more joints than a skeleton may have.
pub(crate) fn choose(
    nodes: &[Node],
    order: &[usize],
    wanted: &[bool],
    keep_index_order: bool,
    warnings: &mut Warnings,
) -> Result<Chosen, String> {
    let mut marked = wanted.to_vec();
    for &n in order.iter().rev() {
        if let (true, Some(p)) = (marked[n], nodes[n].parent) {
            marked[p] = true;
        }
    }
    let children = marked_children(nodes, &marked);
    let tops: Vec<usize> = (0..nodes.len())
        .filter(|&n| marked[n] && nodes[n].parent.is_none())
        .map(|top| lowest_common(top, wanted, &children))
        .collect();
    if tops.is_empty() {
        return Err("no node moves and no skin names joints".into());
    }
    let listed = if keep_index_order && index_order_works(nodes, &marked, &tops) {
        below(&tops, &children, nodes.len())
    } else {
        depth_first(&tops, &children)
    };
    let (ends, listed): (Vec<usize>, Vec<usize>) =
        listed.into_iter().partition(|&n| nodes[n].end_site);
    if listed.len() >= Skeleton::MAX_JOINTS {
        return Err(format!(
            "{} joints are more than the {} a skeleton may have",
            listed.len(),
            Skeleton::MAX_JOINTS
        ));
    }
    if tops.len() > 1 {
        let names: Vec<&str> = tops.iter().take(4).map(|&t| &*nodes[t].name).collect();
        let message = format!(
            "{} roots (`{}`…) were put under one called `root`",
            tops.len(),
            names.join("`, `")
        );
        warnings.add(WarningCode::SeveralRoots, message);
    }
    Ok(lay_out(nodes, &tops, listed, ends))
}

/// Joints and parents of the listed nodes, under a made root where there are several.
fn lay_out(nodes: &[Node], tops: &[usize], listed: Vec<usize>, ends: Vec<usize>) -> Chosen {
    let made_root = tops.len() > 1;
    let mut joint_of = vec![None; nodes.len()];
    let mut joints: Vec<Option<usize>> = Vec::with_capacity(listed.len() + 1);
    let mut parents = Vec::with_capacity(listed.len() + 1);
    if made_root {
        joints.push(None);
        parents.push(None);
    }
    for n in listed {
        let parent = nodes[n].parent.and_then(|p| joint_of[p]);
        joint_of[n] = Some(joints.len());
        joints.push(Some(n));
        parents.push(parent.or(made_root.then_some(0)));
    }
    let end_sites = ends
        .into_iter()
        .filter_map(|n| Some((n, joint_of[nodes[n].parent?]?)))
        .collect();
    let above = tops
        .iter()
        .map(|&t| (t, standing_above(nodes, t)))
        .collect();
    Chosen {
        joints,
        parents,
        end_sites,
        above,
    }
}

fn marked_children(nodes: &[Node], marked: &[bool]) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); nodes.len()];
    for (n, node) in nodes.iter().enumerate() {
        if let (true, Some(p)) = (marked[n], node.parent) {
            children[p].push(n);
        }
    }
    children
}

/// Goes down from a scene's top while only one branch leads to wanted nodes.
fn lowest_common(top: usize, wanted: &[bool], children: &[Vec<usize>]) -> usize {
    let mut at = top;
    while !wanted[at] && children[at].len() == 1 {
        at = children[at][0];
    }
    at
}

fn standing_above(nodes: &[Node], top: usize) -> Above {
    let mut chain = Vec::new();
    let mut at = nodes[top].parent;
    while let Some(n) = at {
        chain.push(n);
        at = nodes[n].parent;
    }
    chain
        .iter()
        .rev()
        .fold(Above::NOTHING, |above, &n| above.then(&nodes[n]))
}

fn index_order_works(nodes: &[Node], marked: &[bool], tops: &[usize]) -> bool {
    (0..nodes.len())
        .filter(|&n| marked[n] && !tops.contains(&n))
        .all(|n| nodes[n].parent.is_none_or(|p| p < n || tops.contains(&p)))
}

fn depth_first(tops: &[usize], children: &[Vec<usize>]) -> Vec<usize> {
    let mut out = Vec::new();
    let mut stack: Vec<usize> = tops.iter().rev().copied().collect();
    while let Some(n) = stack.pop() {
        out.push(n);
        stack.extend(children[n].iter().rev());
    }
    out
}

/// The same nodes in the order of the file.
fn below(tops: &[usize], children: &[Vec<usize>], count: usize) -> Vec<usize> {
    let mut chosen = vec![false; count];
    depth_first(tops, children)
        .iter()
        .for_each(|&n| chosen[n] = true);
    let mut out: Vec<usize> = tops.to_vec();
    out.extend((0..count).filter(|&n| chosen[n] && !tops.contains(&n)));
    out
}
