//! What a BVH file looked like, so that it can be written the same way.

use glam::DVec3;

use gaitway_core::rotation::Axis;

/// What one number of a frame drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channel {
    /// Translation along an axis.
    Position(Axis),
    /// Turn about an axis, in degrees.
    Rotation(Axis),
    /// Scale along an axis: some programs write it; it is left out and told.
    Scale(Axis),
}

impl Channel {
    /// The channel of a word such as `Xposition`, in any letter case.
    pub fn from_word(word: &[u8]) -> Option<Self> {
        let (first, kind) = word.split_first()?;
        let axis = match first.to_ascii_lowercase() {
            b'x' => Axis::X,
            b'y' => Axis::Y,
            b'z' => Axis::Z,
            _ => return None,
        };
        match kind.to_ascii_lowercase().as_slice() {
            b"position" | b"translation" => Some(Self::Position(axis)),
            b"rotation" => Some(Self::Rotation(axis)),
            b"scale" | b"scaling" => Some(Self::Scale(axis)),
            _ => None,
        }
    }

    /// The word as it is usually written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Position(Axis::X) => "Xposition",
            Self::Position(Axis::Y) => "Yposition",
            Self::Position(Axis::Z) => "Zposition",
            Self::Rotation(Axis::X) => "Xrotation",
            Self::Rotation(Axis::Y) => "Yrotation",
            Self::Rotation(Axis::Z) => "Zrotation",
            Self::Scale(Axis::X) => "Xscale",
            Self::Scale(Axis::Y) => "Yscale",
            Self::Scale(Axis::Z) => "Zscale",
        }
    }
}

/// What a joint's position channels mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PositionMode {
    /// They stand in place of OFFSET.
    #[default]
    Replace,
    /// They are added to OFFSET.
    Add,
}

/// One joint as the source has it.
#[derive(Clone, Debug, PartialEq)]
pub struct BvhJoint {
    /// Its name in the file.
    pub name: String,
    /// Its channels in the file's order.
    pub channels: Vec<Channel>,
    /// What its position channels mean.
    pub positions: PositionMode,
}

/// How one level of the tree is set in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indent {
    /// One tab.
    Tab,
    /// So many spaces.
    Spaces(u8),
}

/// The source's own ways, beside what the clip holds.
#[derive(Clone, Debug, PartialEq)]
pub struct BvhLayout {
    /// The joints in file order, which is the order of the clip's joints.
    pub joints: Vec<BvhJoint>,
    /// Whether joint 0 was made by us to hold several roots.
    pub made_root: bool,
    /// Most digits after the point in the tree's offsets.
    pub offset_decimals: usize,
    /// Most digits after the point in the first frames.
    pub motion_decimals: usize,
    /// `\n`, `\r\n` or `\r`.
    pub line_end: &'static str,
    /// How the tree is set in.
    pub indent: Indent,
    /// The frame time as printed.
    pub frame_time: String,
    /// The rate that text stands for.
    pub rate_hz: f64,
}

/// A joint's evidence on what its position channels mean.
pub(super) struct Position {
    /// OFFSET along the axes that have a position channel, 0 along the others.
    pub offset: DVec3,
    /// The channels' values in the first frame, 0 along the others.
    pub first: DVec3,
}

/// Decides what position channels of joints below the root mean (see the module's text). Where OFFSET is 0
/// along the channels both meanings are one, called `Replace`.
pub(super) fn decide(joints: &[Position]) -> Vec<PositionMode> {
    let tells = |p: &Position| p.offset != DVec3::ZERO;
    let repeats = |p: &Position| (p.first - p.offset).length() <= 0.01 * p.offset.length();
    let telling = joints.iter().filter(|p| tells(p)).count();
    let votes = joints.iter().filter(|p| tells(p) && repeats(p)).count();
    let all_replace = votes > 0 && 2 * votes >= telling;
    let mode = |p: &Position| {
        if all_replace || !tells(p) || repeats(p) {
            PositionMode::Replace
        } else {
            PositionMode::Add
        }
    };
    joints.iter().map(mode).collect()
}
