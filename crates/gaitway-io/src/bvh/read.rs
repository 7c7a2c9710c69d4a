//! Reading: tree, header, frames, put together.

use glam::DVec3;

use gaitway_core::{WarningCode, Warnings};

use crate::error::ReadError;
use crate::raw::{RawClip, RawJoint};

use super::decode::Decoder;
use super::hierarchy::{self, Tree};
use super::layout::{BvhJoint, BvhLayout, Indent};
use super::motion::{self, Header};
use super::text::Text;

/// Reads a BVH file's bytes: the clip in the file's own unit and axes, and how the file was laid out.
///
/// One pass, no allocation per frame; memory is that of the clip. `file_name` is for messages.
///
/// # Errors
/// When the text is not BVH, with line and column, or holds no frame.
///
/// ```
/// let text = "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 4 Xposition Yposition Zposition Yrotation\n}\n\
///             MOTION\nFrames: 2\nFrame Time: .0083333\n0 90 0 0\n0 90 1 45\n";
/// let (clip, layout) = gaitway_io::bvh::read("walk.bvh", text.as_bytes())?;
/// assert_eq!((clip.root.len(), clip.rate_hz), (2, 120.0));
/// assert_eq!(layout.joints[0].channels.len(), 4);
/// # Ok::<(), gaitway_io::ReadError>(())
/// ```
pub fn read(file_name: &str, bytes: &[u8]) -> Result<(RawClip, BvhLayout), ReadError> {
    let mut warnings = Warnings::new();
    let mut text = Text::new(file_name, bytes)?;
    let tree = hierarchy::read(&mut text, &mut warnings)?;
    let header = motion::read_header(&mut text, &mut warnings)?;
    let mut decoder = Decoder::new(&tree.nodes);
    let decimals = motion::read_frames(&mut text, header.declared, &mut decoder, &mut warnings)?;
    let frames = decoder.root.len();
    if frames == 0 {
        let error =
            ReadError::content(file_name, "the file has a skeleton but not one whole frame");
        return Err(error.with_hint("export the motion together with the skeleton"));
    }
    if frames != header.declared {
        warnings.add(
            WarningCode::FrameCount,
            format!(
                "the header says {} frames, the file holds {frames}; all that are there were read",
                header.declared
            ),
        );
    }
    let made_root = decoder.made_root();
    let joints = joints(&tree, made_root);
    tell_added(&decoder, &joints, &mut warnings);
    let layout = layout(&tree, &header, &decoder, decimals, bytes);
    let clip = RawClip {
        end_sites: tree
            .end_sites
            .iter()
            .map(|&(joint, offset)| (joint + usize::from(made_root), offset))
            .collect(),
        joints,
        rate_hz: header.rate_hz,
        translations: decoder.take_tracks(),
        root: std::mem::take(&mut decoder.root),
        rotations: std::mem::take(&mut decoder.rotations),
        frames_in_file: frames,
        warnings,
        ..RawClip::default()
    };
    Ok((clip, layout))
}

fn joints(tree: &Tree, made_root: bool) -> Vec<RawJoint> {
    let shift = usize::from(made_root);
    let made = made_root.then(|| RawJoint {
        name: "Root".into(),
        parent: None,
        offset: DVec3::ZERO,
    });
    let own = tree.nodes.iter().map(|node| RawJoint {
        name: node.name.clone(),
        parent: match node.parent {
            Some(parent) => Some(parent + shift),
            None => made_root.then_some(0),
        },
        offset: node.offset.unwrap_or(DVec3::ZERO),
    });
    made.into_iter().chain(own).collect()
}

fn tell_added(decoder: &Decoder, joints: &[RawJoint], warnings: &mut Warnings) {
    let added = decoder.added();
    let Some(&first) = added.first() else { return };
    let name = &joints[first].name;
    let others = match added.len() {
        1 => String::new(),
        n => format!(" and {} more joints", n - 1),
    };
    warnings.add(
        WarningCode::PositionsAdded,
        format!("position channels of `{name}`{others} differ from OFFSET in the first frame and were added to it"),
    );
}

fn layout(
    tree: &Tree,
    header: &Header,
    decoder: &Decoder,
    motion_decimals: usize,
    bytes: &[u8],
) -> BvhLayout {
    let made_root = decoder.made_root();
    let made = made_root.then(|| BvhJoint {
        name: "Root".into(),
        channels: Vec::new(),
        positions: Default::default(),
    });
    let own = tree.nodes.iter().enumerate().map(|(n, node)| BvhJoint {
        name: node.name.clone(),
        channels: node.channels.clone().unwrap_or_default(),
        positions: decoder.mode(n + usize::from(made_root)),
    });
    let line_end = match memchr::memchr2(b'\n', b'\r', bytes).map(|p| &bytes[p..]) {
        Some([b'\r', b'\n', ..]) => "\r\n",
        Some([b'\r', ..]) => "\r",
        _ => "\n",
    };
    let indent = match tree.indent {
        Indent::Spaces(0) => Indent::Tab,
        other => other,
    };
    BvhLayout {
        joints: made.into_iter().chain(own).collect(),
        made_root,
        offset_decimals: tree.decimals,
        motion_decimals,
        line_end,
        indent,
        frame_time: header.frame_time.clone(),
        rate_hz: header.rate_hz,
    }
}
