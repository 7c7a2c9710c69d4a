//! The `:hierarchy` section: a line per parent with its children, in any order; bones come out parents first.

use std::collections::HashMap;

use gaitway_core::{Skeleton, WarningCode, Warnings};

use super::bonedata::Bone;
use super::skeleton::{AcclaimBone, AcclaimSkeleton};
use crate::error::ReadError;
use crate::lines::Word;

/// Gives each bone its parent and sorts: depth first, children as listed.
pub(super) fn connect(
    file: &str,
    bones: Vec<Bone<'_>>,
    lines: &[Vec<Word<'_>>],
    warnings: &mut Warnings,
) -> Result<Vec<AcclaimBone>, ReadError> {
    // Node 0 is the root, node i + 1 is bone i as listed.
    let nodes = name_nodes(file, &bones)?;
    let (children, listed) = read_lines(file, &nodes, bones.len() + 1, lines)?;
    let order = depth_first(&children);
    if order.len() < listed {
        let reached: std::collections::HashSet<usize> = order.iter().map(|o| o.0).collect();
        let lost = (children.iter().flatten()).find(|node| !reached.contains(node));
        let name = lost.map_or("", |node| bones[node - 1].bone.name.as_str());
        let message = format!("bone `{name}` is not connected to the root");
        return Err(ReadError::content(file, message)
            .with_hint("in `:hierarchy` every bone must hang on the root in the end"));
    }
    tell_left_out(&bones, &order, warnings);
    let mut bones: Vec<Option<AcclaimBone>> = bones.into_iter().map(|b| Some(b.bone)).collect();
    let mut place = vec![None; bones.len() + 1];
    let mut out = Vec::with_capacity(order.len());
    for (node, parent) in order {
        if let Some(mut bone) = bones[node - 1].take() {
            bone.parent = place[parent];
            place[node] = Some(out.len());
            out.push(bone);
        }
    }
    Ok(out)
}

fn key(bytes: &[u8]) -> Vec<u8> {
    bytes.to_ascii_lowercase()
}

fn name_nodes(file: &str, bones: &[Bone<'_>]) -> Result<HashMap<Vec<u8>, usize>, ReadError> {
    let mut nodes = HashMap::from([(AcclaimSkeleton::ROOT.as_bytes().to_vec(), 0)]);
    for (i, bone) in bones.iter().enumerate() {
        if i + 1 >= Skeleton::MAX_JOINTS {
            let expected = format!("at most {} bones", Skeleton::MAX_JOINTS - 1);
            return Err(bone.name.unexpected(file, expected));
        }
        if nodes.insert(key(bone.name.bytes), i + 1).is_some() {
            return Err(bone.name.unexpected(file, "a name that no other bone has"));
        }
    }
    Ok(nodes)
}

/// Children per node, and how many there are in all.
fn read_lines(
    file: &str,
    nodes: &HashMap<Vec<u8>, usize>,
    count: usize,
    lines: &[Vec<Word<'_>>],
) -> Result<(Vec<Vec<usize>>, usize), ReadError> {
    let mut children = vec![Vec::new(); count];
    let mut has_parent = vec![false; count];
    has_parent[0] = true;
    let mut listed = 0;
    let node = |word: &Word<'_>| {
        nodes
            .get(&key(word.bytes))
            .copied()
            .ok_or_else(|| word.unexpected(file, "`root` or a bone of `:bonedata`"))
    };
    for words in lines {
        // `begin` and `end` frame the section; they stand alone in their lines.
        if words.len() == 1 && (words[0].is("begin") || words[0].is("end")) {
            continue;
        }
        let parent = node(&words[0])?;
        for word in &words[1..] {
            let child = node(word)?;
            if std::mem::replace(&mut has_parent[child], true) {
                return Err(word.unexpected(file, "each bone below one parent only"));
            }
            children[parent].push(child);
            listed += 1;
        }
    }
    Ok((children, listed))
}

/// Nodes below the root with their parents, parents first.
fn depth_first(children: &[Vec<usize>]) -> Vec<(usize, usize)> {
    let mut order = Vec::new();
    let mut stack: Vec<(usize, usize)> = children[0].iter().rev().map(|&c| (c, 0)).collect();
    while let Some((node, parent)) = stack.pop() {
        order.push((node, parent));
        stack.extend(children[node].iter().rev().map(|&c| (c, node)));
    }
    order
}

fn tell_left_out(bones: &[Bone<'_>], order: &[(usize, usize)], warnings: &mut Warnings) {
    let mut used = vec![false; bones.len()];
    for (node, _) in order {
        used[node - 1] = true;
    }
    let left: Vec<&str> = (bones.iter().zip(&used))
        .filter(|(_, used)| !**used)
        .map(|(b, _)| b.bone.name.as_str())
        .collect();
    if !left.is_empty() {
        let named = left[..left.len().min(8)].join(", ");
        let message = format!(
            "{} bones are not in `:hierarchy` and were left out: {named}",
            left.len()
        );
        warnings.add(WarningCode::LeftOut, message);
    }
}
