//! The tree of joints: `HIERARCHY` up to `MOTION`. A stack of open joints instead of recursion, so that depth
//! costs heap, not stack.

use glam::DVec3;

use gaitway_core::{Skeleton, WarningCode, Warnings};

use crate::error::{ReadError, shown};

use super::layout::{Channel, Indent};
use super::number;
use super::text::{Text, Token};

/// More channels on one joint than any program writes.
const MOST_CHANNELS: usize = 32;

/// A joint as it stands in the file.
#[derive(Default)]
pub struct Node {
    pub name: String,
    pub parent: Option<usize>,
    pub offset: Option<DVec3>,
    pub channels: Option<Vec<Channel>>,
    has_children: bool,
}

/// The tree and how it is written.
pub struct Tree {
    pub nodes: Vec<Node>,
    pub end_sites: Vec<(usize, DVec3)>,
    pub decimals: usize,
    pub indent: Indent,
}

/// Reads from `HIERARCHY` to the word `MOTION`, which is taken.
pub fn read(text: &mut Text<'_>, warnings: &mut Warnings) -> Result<Tree, ReadError> {
    let first = text.next();
    if !first.is("HIERARCHY") {
        let hint = "a BVH file begins with the word HIERARCHY; is this another kind of file?";
        return Err(text.unexpected(first, "`HIERARCHY`").with_hint(hint));
    }
    let mut tree = Tree {
        nodes: Vec::new(),
        end_sites: Vec::new(),
        decimals: 0,
        indent: Indent::Tab,
    };
    loop {
        let token = text.next();
        if token.is("ROOT") {
            open_joint(text, &mut tree, None)?;
            read_joint(text, &mut tree)?;
        } else if token.is("MOTION") && !tree.nodes.is_empty() {
            break;
        } else {
            let expected = if tree.nodes.is_empty() {
                "`ROOT`"
            } else {
                "`MOTION` or `ROOT`"
            };
            let mut error = text.unexpected(token, expected);
            if token.is("}") {
                error = error.with_hint("there is one closing brace too many above");
            } else if token.is("JOINT") {
                error = error
                    .with_hint("the root was closed too early: a closing brace too many above");
            }
            return Err(error);
        }
    }
    check(text, &tree, warnings)?;
    Ok(tree)
}

/// Reads what stands in the braces of the joint opened last, and of all below it.
fn read_joint(text: &mut Text<'_>, tree: &mut Tree) -> Result<(), ReadError> {
    let mut open = vec![tree.nodes.len() - 1];
    if open[0] == 0 {
        tree.indent = indent_at(text);
    }
    while let Some(&joint) = open.last() {
        let token = text.next();
        if token.is("OFFSET") {
            if tree.nodes[joint].offset.is_some() {
                return Err(text.unexpected(token, "one `OFFSET` for this joint"));
            }
            tree.nodes[joint].offset = Some(read_offset(text, &mut tree.decimals)?);
        } else if token.is("CHANNELS") {
            let node = &tree.nodes[joint];
            if node.channels.is_some() || node.has_children {
                return Err(
                    text.unexpected(token, "one `CHANNELS` for this joint, before its children")
                );
            }
            tree.nodes[joint].channels = Some(read_channels(text)?);
        } else if token.is("JOINT") {
            tree.nodes[joint].has_children = true;
            open_joint(text, tree, Some(joint))?;
            open.push(tree.nodes.len() - 1);
        } else if token.is("End") || token.is("EndSite") {
            let offset = read_end_site(text, &mut tree.decimals)?;
            tree.end_sites.push((joint, offset));
        } else if token.is("}") {
            open.pop();
        } else {
            return Err(unknown(text, token, &tree.nodes[joint]));
        }
    }
    Ok(())
}

fn unknown(text: &Text<'_>, token: Token<'_>, node: &Node) -> ReadError {
    let error = text.unexpected(token, "`OFFSET`, `CHANNELS`, `JOINT`, `End Site` or `}`");
    if Channel::from_word(token.bytes).is_some() {
        let count = node.channels.as_ref().map_or(0, Vec::len);
        error.with_hint(format!(
            "more channels are listed than the {count} that CHANNELS announces"
        ))
    } else if token.is("MOTION") || token.is_end() {
        error.with_hint(format!(
            "the braces of joint `{}` are not closed",
            node.name
        ))
    } else {
        error
    }
}

/// Takes a joint's name and its opening brace.
fn open_joint(
    text: &mut Text<'_>,
    tree: &mut Tree,
    parent: Option<usize>,
) -> Result<(), ReadError> {
    let name = text.rest_of_line();
    if name.bytes.is_empty() {
        let at = Token {
            at: text.at,
            bytes: text.peek().bytes,
        };
        return Err(text.unexpected(at, "the joint's name on the same line"));
    }
    if tree.nodes.len() == Skeleton::MAX_JOINTS {
        let limit = Skeleton::MAX_JOINTS;
        return Err(text.unexpected(name, &format!("at most {limit} joints")));
    }
    open_brace(text)?;
    tree.nodes.push(Node {
        name: decode_name(name.bytes),
        parent,
        ..Node::default()
    });
    Ok(())
}

/// Names in old files are Latin-1 where they are not UTF-8.
fn decode_name(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(name) => name.to_owned(),
        Err(_) => bytes.iter().map(|&b| char::from(b)).collect(),
    }
}

fn open_brace(text: &mut Text<'_>) -> Result<(), ReadError> {
    let brace = text.next();
    if brace.is("{") {
        Ok(())
    } else {
        Err(text.unexpected(brace, "`{`"))
    }
}

fn read_offset(text: &mut Text<'_>, decimals: &mut usize) -> Result<DVec3, ReadError> {
    let mut offset = [0.0; 3];
    for value in &mut offset {
        let (number, token) = text.number("a number of `OFFSET`")?;
        *value = number;
        *decimals = (*decimals).max(printed_decimals(token.bytes));
    }
    Ok(DVec3::from_array(offset))
}

/// Digits after the point; numbers with an exponent say nothing about how others are printed.
pub fn printed_decimals(token: &[u8]) -> usize {
    if token.iter().any(|b| matches!(b, b'e' | b'E')) {
        return 0;
    }
    number::decimals(token).max(0) as usize
}

fn read_channels(text: &mut Text<'_>) -> Result<Vec<Channel>, ReadError> {
    let (count, token) = text.number("the number of channels")?;
    if !(count >= 0.0 && count <= MOST_CHANNELS as f64 && count.fract() == 0.0) {
        let expected = format!("a whole number of channels, 0 to {MOST_CHANNELS}");
        return Err(text.unexpected(token, &expected));
    }
    let mut channels = Vec::new();
    for n in 1..=count as usize {
        let token = text.next();
        let Some(channel) = Channel::from_word(token.bytes) else {
            let expected = format!("channel {n} of {count} (such as `Xposition` or `Zrotation`)");
            return Err(text.unexpected(token, &expected));
        };
        if !matches!(channel, Channel::Rotation(_)) && channels.contains(&channel) {
            return Err(text.unexpected(token, "a channel not listed before"));
        }
        channels.push(channel);
    }
    Ok(channels)
}

/// Takes the rest of `End Site` and its block. Some programs give it a name, which is let go.
fn read_end_site(text: &mut Text<'_>, decimals: &mut usize) -> Result<DVec3, ReadError> {
    text.rest_of_line();
    open_brace(text)?;
    let mut offset = None;
    loop {
        let token = text.next();
        if token.is("OFFSET") && offset.is_none() {
            offset = Some(read_offset(text, decimals)?);
        } else if token.is("CHANNELS") && text.peek().bytes == b"0" {
            text.next();
        } else if token.is("}") {
            return Ok(offset.unwrap_or(DVec3::ZERO));
        } else {
            let expected = if offset.is_none() { "`OFFSET`" } else { "`}`" };
            return Err(text.unexpected(token, expected));
        }
    }
}

/// The white space before the first word inside the root's braces.
fn indent_at(text: &Text<'_>) -> Indent {
    let next = text.peek().at;
    let before = &text.bytes[text.at..next];
    let from = before
        .iter()
        .rposition(|b| matches!(b, b'\n' | b'\r'))
        .map_or(0, |p| p + 1);
    match &before[from..] {
        spaces if !spaces.is_empty() && spaces.iter().all(|&b| b == b' ') => {
            Indent::Spaces(spaces.len().min(8) as u8)
        }
        _ => Indent::Tab,
    }
}

/// Tells what is out of the ordinary but can be read.
fn check(text: &Text<'_>, tree: &Tree, warnings: &mut Warnings) -> Result<(), ReadError> {
    let roots = tree.nodes.iter().filter(|n| n.parent.is_none()).count();
    if roots > 1 {
        warnings.add(
            WarningCode::SeveralRoots,
            format!("{roots} roots were put under one at the origin"),
        );
    }
    let listed = |kind: &str, nodes: Vec<&Node>, warnings: &mut Warnings, code: WarningCode| {
        if let Some(first) = nodes.first() {
            let name = shown(first.name.as_bytes());
            let others = match nodes.len() {
                1 => String::new(),
                n => format!(" and {} more", n - 1),
            };
            warnings.add(code, format!("{name}{others} {kind}"));
        }
    };
    let bare = tree.nodes.iter().filter(|n| n.offset.is_none()).collect();
    listed(
        "has no OFFSET; 0 0 0 is taken",
        bare,
        warnings,
        WarningCode::Unusual,
    );
    let has_scale = |n: &&Node| {
        n.channels
            .iter()
            .flatten()
            .any(|c| matches!(c, Channel::Scale(_)))
    };
    let scaled = tree.nodes.iter().filter(has_scale).collect();
    listed(
        "has scale channels, which are left out",
        scaled,
        warnings,
        WarningCode::LeftOut,
    );
    if tree
        .nodes
        .iter()
        .all(|n| n.channels.as_ref().is_none_or(Vec::is_empty))
    {
        let error = ReadError::content(text.file, "no joint has a channel, so there is no motion");
        return Err(error.with_hint("each joint that moves needs a CHANNELS line"));
    }
    Ok(())
}
