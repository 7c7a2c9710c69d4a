//! A made motion on disk, to the bit: exports after a restart are those from before it.
//!
//! `GWCL`, u32 version, u32 header bytes, header JSON; then f64 roots, f32 rotations, f32 translations track by track,
//! u32 contact masks. Little-endian. A private form: made and read by this program only.

use std::sync::Arc;

use gaitway_core::clip::ClipParts;
use gaitway_core::{
    Clip, ContactPoint, ContactTrack, JointIdx, LabelSpan, LabelTrack, PointIdx, Skeleton,
    TranslationTrack,
};
use glam::{DVec3, Quat, Vec3};
use serde::{Deserialize, Serialize};

const MAGIC: &[u8; 4] = b"GWCL";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Header {
    name: String,
    rate_hz: f64,
    frames: usize,
    joints: Vec<(String, Option<u32>, [f32; 3])>,
    end_sites: Vec<(u32, [f32; 3])>,
    moving: Vec<u32>,
    labels: Vec<(usize, usize, String)>,
    contacts: Option<Vec<(String, u32)>>,
}

/// A clip as bytes.
pub fn encode(clip: &Clip) -> Vec<u8> {
    let skeleton = clip.skeleton();
    let header = Header {
        name: clip.name().to_owned(),
        rate_hz: clip.rate_hz(),
        frames: clip.frame_count(),
        joints: skeleton
            .joints()
            .map(|j| {
                let parent = skeleton.parent(j).map(|p| p.0);
                (
                    skeleton.name(j).to_owned(),
                    parent,
                    skeleton.offset(j).to_array(),
                )
            })
            .collect(),
        end_sites: skeleton
            .end_sites()
            .iter()
            .map(|s| (s.parent.0, s.offset.to_array()))
            .collect(),
        moving: clip.translations().iter().map(|t| t.joint.0).collect(),
        labels: clip
            .labels()
            .spans()
            .iter()
            .map(|s| (s.start, s.end, s.label.clone()))
            .collect(),
        contacts: clip.contacts().map(|c| {
            c.points()
                .iter()
                .map(|p| (p.name.clone(), p.point.0))
                .collect()
        }),
    };
    let json = serde_json::to_vec(&header).unwrap_or_default();
    let mut out =
        Vec::with_capacity(12 + json.len() + clip.frame_count() * (28 + 16 * clip.joint_count()));
    out.extend(MAGIC);
    out.extend(VERSION.to_le_bytes());
    out.extend((json.len() as u32).to_le_bytes());
    out.extend(json);
    for place in clip.root() {
        place
            .to_array()
            .iter()
            .for_each(|v| out.extend(v.to_le_bytes()));
    }
    for rotation in clip.rotations() {
        rotation
            .to_array()
            .iter()
            .for_each(|v| out.extend(v.to_le_bytes()));
    }
    for value in clip.translations().iter().flat_map(|t| &t.values) {
        value
            .to_array()
            .iter()
            .for_each(|v| out.extend(v.to_le_bytes()));
    }
    if let Some(track) = clip.contacts() {
        track
            .masks()
            .iter()
            .for_each(|m| out.extend(m.to_le_bytes()));
    }
    out
}

/// A clip from bytes; `None` where they hold none.
pub fn decode(bytes: &[u8]) -> Option<Clip> {
    let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    if bytes.get(..4)? != MAGIC || word(4)? != VERSION {
        return None;
    }
    let start = 12_usize.checked_add(word(8)? as usize)?;
    let header: Header = serde_json::from_slice(bytes.get(12..start)?).ok()?;
    let mut rest = bytes.get(start..)?;
    let mut take = |bytes: usize| {
        let (taken, left) = rest.split_at_checked(bytes)?;
        rest = left;
        Some(taken)
    };
    let (frames, joints) = (header.frames, header.joints.len());
    let f32_at = |c: &[u8], k: usize| {
        f32::from_le_bytes([c[4 * k], c[4 * k + 1], c[4 * k + 2], c[4 * k + 3]])
    };
    let root = take(frames.checked_mul(24)?)?
        .chunks_exact(24)
        .map(|c| {
            let v = |k: usize| {
                let mut word = [0; 8];
                word.copy_from_slice(&c[8 * k..8 * k + 8]);
                f64::from_le_bytes(word)
            };
            DVec3::new(v(0), v(1), v(2))
        })
        .collect();
    let rotations = take(frames.checked_mul(joints)?.checked_mul(16)?)?
        .chunks_exact(16)
        .map(|c| Quat::from_xyzw(f32_at(c, 0), f32_at(c, 1), f32_at(c, 2), f32_at(c, 3)))
        .collect();
    let mut translations = Vec::new();
    for &joint in &header.moving {
        let values = take(frames.checked_mul(12)?)?
            .chunks_exact(12)
            .map(|c| Vec3::new(f32_at(c, 0), f32_at(c, 1), f32_at(c, 2)))
            .collect();
        translations.push(TranslationTrack {
            joint: JointIdx(joint),
            values,
        });
    }
    let contacts = match &header.contacts {
        None => None,
        Some(points) => {
            let points = points.iter().map(|(name, point)| ContactPoint {
                name: name.clone(),
                point: PointIdx(*point),
            });
            let masks = take(frames.checked_mul(4)?)?;
            let mut track = ContactTrack::new(points.collect(), frames);
            for (f, c) in masks.chunks_exact(4).enumerate() {
                track.set_mask(f, u32::from_le_bytes([c[0], c[1], c[2], c[3]]));
            }
            Some(track)
        }
    };
    let spans = header.labels.iter().map(|(start, end, label)| LabelSpan {
        start: *start,
        end: *end,
        label: label.clone(),
    });
    ClipParts {
        name: header.name.clone(),
        skeleton: skeleton(&header)?,
        rate_hz: header.rate_hz,
        root,
        rotations,
        translations,
        labels: LabelTrack::new(spans.collect()),
        contacts,
    }
    .build()
    .ok()
}

fn skeleton(header: &Header) -> Option<Arc<Skeleton>> {
    let mut builder = Skeleton::builder();
    for (name, parent, offset) in &header.joints {
        let offset = Vec3::from_array(*offset);
        match parent {
            None => builder.root(name.clone(), offset),
            Some(parent) => builder.joint(name.clone(), JointIdx(*parent), offset),
        };
    }
    for (parent, offset) in &header.end_sites {
        if *parent as usize >= header.joints.len() {
            return None;
        }
        builder.end_site(JointIdx(*parent), Vec3::from_array(*offset));
    }
    builder.build().ok().map(Skeleton::shared)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gaitway_core::testing::{Walker, swinging_clip, walking_clip};

    #[test]
    fn a_clip_comes_back_to_the_bit() {
        let walker = walking_clip(&Walker::default());
        for clip in [swinging_clip("a", 50, 60.0), walker] {
            assert_eq!(decode(&encode(&clip)).as_ref(), Some(&clip));
        }
    }

    #[test]
    fn what_is_cut_short_is_no_clip() {
        let bytes = encode(&swinging_clip("a", 5, 60.0));
        for end in 0..bytes.len() {
            assert!(decode(&bytes[..end]).is_none(), "{end}");
        }
    }
}
