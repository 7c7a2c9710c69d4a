//! GWMO: frames for the page.
//!
//! A header in JSON, then three arrays: the root's place (f32), every point's place relative to the root (i16, in units
//! that hold the whole body), and a mask of contacts. No rotations: the page draws capsules between points and needs no
//! kinematics. Six bytes per point and frame; an hour of a 31-joint body at 60 Hz is 50 MB, asked for in parts.

use std::ops::Range;

use gaitway_core::fk::FkScratch;
use gaitway_core::{Clip, ContactTrack};
use gaitway_graph::TransitionKind;
use serde::{Deserialize, Serialize};

/// The first four bytes.
pub const MAGIC: &[u8; 4] = b"GWMO";
/// The version after them.
pub const VERSION: u32 = 1;
/// A tenth of a millimetre, unless the body is larger than three metres about its root.
pub(super) const FINEST_M: f64 = 1e-4;

/// Name of a contact point, and its bit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct ContactName {
    /// What it is called.
    pub name: String,
    /// The point it is, in the header's list.
    pub joint: u32,
}

/// How a transition gets from one clip into another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum KindJson {
    /// Both clips play, one blended into the other.
    #[default]
    Blend,
    /// The clip entered plays, under a displacement that fades.
    Cut,
}

impl From<TransitionKind> for KindJson {
    fn from(kind: TransitionKind) -> Self {
        match kind {
            TransitionKind::Blend => Self::Blend,
            TransitionKind::Cut => Self::Cut,
        }
    }
}

/// A transition of a made motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct TransitionMarkJson {
    /// Blend or cut. Results kept before there were cuts do not say: they are blends.
    #[serde(default)]
    #[schema(required)]
    pub kind: KindJson,
    /// Seconds from the start to where the two clips meet: a blend's middle, a cut's start.
    pub t: f64,
    /// Seconds from the start to its first frame; not in results kept before there were cuts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub start_s: Option<f64>,
    /// Seconds from the start to the first frame after it; not in results kept before there were cuts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub end_s: Option<f64>,
    /// How long it lasts.
    pub seconds: f64,
    /// √D.
    pub distance_cm: f64,
    /// CLIP@SECONDS left; of an interpolated clip `between A and B@SECONDS`.
    pub from: String,
    /// CLIP@SECONDS entered, likewise.
    pub to: String,
}

/// A label over seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct LabelSeconds {
    /// What is done.
    pub label: String,
    /// From.
    pub start_s: f64,
    /// To, exclusive.
    pub end_s: f64,
}

/// A stretch of a made motion that plays an interpolated clip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct InterpolatedSpan {
    /// From, seconds of the motion.
    pub start_s: f64,
    /// To, exclusive.
    pub end_s: f64,
    /// The two captured clips it lies between.
    pub between: [String; 2],
}

/// What comes before the numbers of a GWMO.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = MotionHeader)]
pub struct Header {
    /// What it is called.
    pub name: String,
    /// Frames a second.
    pub rate_hz: f64,
    /// Frames of the whole motion.
    pub frames: usize,
    /// The first frame that is here.
    pub from: usize,
    /// How many are here.
    pub count: usize,
    /// Metres per unit of the points.
    pub unit_m: f64,
    /// Joints, then end sites.
    pub joints: Vec<String>,
    /// Of each point; −1 for the root.
    pub parents: Vec<i32>,
    /// What the bits of the masks mean.
    pub contacts: Vec<ContactName>,
    /// Transitions of a made motion.
    pub transitions: Vec<TransitionMarkJson>,
    /// Height of the ground.
    pub floor_m: f64,
    /// The way on the ground, (x, z).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(value_type = Option<Vec<(f64, f64)>>, nullable = false)]
    pub way: Option<Vec<[f64; 2]>>,
    /// What is done when.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub labels: Option<Vec<LabelSeconds>>,
}

/// What a header says that is not in the clip.
#[derive(Clone, Debug, Default)]
pub struct Extra {
    /// Height of the ground.
    pub floor_m: f64,
    /// Transitions of a made motion.
    pub transitions: Vec<TransitionMarkJson>,
    /// The way on the ground.
    pub way: Option<Vec<[f64; 2]>>,
    /// Contacts in place of the clip's.
    pub contacts: Option<ContactTrack>,
    /// Labels in place of the clip's.
    pub labels: Option<Vec<LabelSeconds>>,
}

/// Frames of a clip for the page; the range is clamped to the clip.
pub fn encode(clip: &Clip, frames: Range<usize>, extra: Extra) -> Vec<u8> {
    let end = frames.end.min(clip.frame_count());
    let frames = frames.start.min(end)..end;
    let skeleton = clip.skeleton();
    let points = skeleton.point_count();
    let mut places: Vec<f32> = Vec::with_capacity(frames.len() * points * 3);
    let mut scratch = FkScratch::new(skeleton);
    for frame in frames.clone() {
        scratch.solve(clip, frame);
        places.extend(scratch.from_root.iter().flat_map(|p| p.to_array()));
    }
    let widest = places.iter().fold(0.0_f32, |m, v| m.max(v.abs()));
    let unit_m = FINEST_M.max(f64::from(widest) / f64::from(i16::MAX));
    let contacts = extra.contacts.clone().or_else(|| clip.contacts().cloned());
    let header = header(clip, &frames, unit_m, contacts.as_ref(), extra);
    let mut out = begin(&header);
    out.reserve(frames.len() * (12 + 6 * points + 4) + 2);
    for place in &clip.root()[frames.clone()] {
        place
            .to_array()
            .iter()
            .for_each(|v| out.extend((*v as f32).to_le_bytes()));
    }
    let per_unit = 1.0 / unit_m;
    for v in &places {
        let steps = (f64::from(*v) * per_unit).round();
        let steps = steps.clamp(f64::from(i16::MIN), f64::from(i16::MAX)) as i16;
        out.extend(steps.to_le_bytes());
    }
    out.resize(out.len().next_multiple_of(4), 0);
    for frame in frames {
        let mask = contacts.as_ref().map_or(0, |c| c.mask(frame));
        out.extend(mask.to_le_bytes());
    }
    out
}

fn header(
    clip: &Clip,
    frames: &Range<usize>,
    unit_m: f64,
    contacts: Option<&ContactTrack>,
    extra: Extra,
) -> Header {
    let skeleton = clip.skeleton();
    let point = |k: usize| gaitway_core::PointIdx(k as u32);
    let contacts = contacts.map_or(&[][..], |c| c.points());
    let labels = extra
        .labels
        .unwrap_or_else(|| crate::state::labels_of(clip));
    Header {
        name: clip.name().to_owned(),
        rate_hz: clip.rate_hz(),
        frames: clip.frame_count(),
        from: frames.start,
        count: frames.len(),
        unit_m,
        joints: (0..skeleton.point_count())
            .map(|k| skeleton.point_name(point(k)))
            .collect(),
        parents: (0..skeleton.point_count())
            .map(|k| skeleton.point_parent(point(k)).map_or(-1, |p| p.0 as i32))
            .collect(),
        contacts: contacts
            .iter()
            .map(|c| ContactName {
                name: c.name.clone(),
                joint: c.point.0,
            })
            .collect(),
        transitions: extra.transitions,
        floor_m: extra.floor_m,
        way: extra.way,
        labels: Some(labels),
    }
}

/// Magic, version, length and the header, padded with blanks to a multiple of 8.
pub(super) fn begin(header: &Header) -> Vec<u8> {
    // Every field is text or a finite number, so this cannot fail; an empty header would be told by any reader.
    let mut json = serde_json::to_vec(header).unwrap_or_default();
    json.resize((json.len() + 12).next_multiple_of(8) - 12, b' ');
    let mut out = Vec::with_capacity(json.len() + 12);
    out.extend(MAGIC);
    out.extend(VERSION.to_le_bytes());
    out.extend((json.len() as u32).to_le_bytes());
    out.extend(json);
    out
}

/// What a GWMO holds: for tests, and for programs that talk to the studio.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded {
    /// The header.
    pub header: Header,
    /// The root per frame, metres.
    pub roots: Vec<[f32; 3]>,
    /// Points in the world, frame-major, metres.
    pub points: Vec<[f64; 3]>,
    /// Contact bits per frame.
    pub contacts: Vec<u32>,
}

/// Reads a GWMO back; `None` where it is none.
pub fn decode(bytes: &[u8]) -> Option<Decoded> {
    let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    if bytes.get(..4)? != MAGIC || word(4)? != VERSION {
        return None;
    }
    let start = 12_usize.checked_add(word(8)? as usize)?;
    let header: Header = serde_json::from_slice(bytes.get(12..start)?).ok()?;
    let (count, joints) = (header.count, header.joints.len());
    let roots_end = start.checked_add(count.checked_mul(12)?)?;
    let points_end = roots_end.checked_add(count.checked_mul(joints)?.checked_mul(6)?)?;
    let masks = points_end.checked_next_multiple_of(4)?;
    let roots: Vec<[f32; 3]> = bytes
        .get(start..roots_end)?
        .chunks_exact(12)
        .map(|c| [0, 4, 8].map(|k| f32::from_le_bytes([c[k], c[k + 1], c[k + 2], c[k + 3]])))
        .collect();
    let steps = bytes.get(roots_end..points_end)?.chunks_exact(6);
    let points = steps.enumerate().map(|(n, c)| {
        let root = roots[n / joints.max(1)];
        [0, 1, 2].map(|k| {
            let v = i16::from_le_bytes([c[2 * k], c[2 * k + 1]]);
            f64::from(root[k]) + f64::from(v) * header.unit_m
        })
    });
    let points: Vec<[f64; 3]> = points.collect();
    let contacts = bytes
        .get(masks..masks.checked_add(count.checked_mul(4)?)?)?
        .chunks_exact(4)
        .map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]]))
        .collect();
    Some(Decoded {
        header,
        roots,
        points,
        contacts,
    })
}
