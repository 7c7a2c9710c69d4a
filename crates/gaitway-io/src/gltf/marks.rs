//! Labels and contacts to and from `extras`.

use gaitway_core::{Clip, ContactPoint, ContactTrack, LabelSpan, LabelTrack, PointIdx};

use super::extras::{Contact, Label};

pub(super) fn labels_of(clip: &Clip) -> Vec<Label> {
    let spans = clip.labels().spans().iter();
    spans
        .map(|s| Label {
            label: s.label.clone(),
            start: s.start,
            end: s.end,
        })
        .collect()
}

/// Contacts; a point's node has the point's number, by the order our writer gives nodes.
pub(super) fn contacts_of(clip: &Clip) -> Vec<Contact> {
    let Some(track) = clip.contacts() else {
        return Vec::new();
    };
    let points = track.points().iter().enumerate();
    points
        .map(|(i, point)| Contact {
            name: point.name.clone(),
            node: point.point.index(),
            plants: track.plants(i).iter().map(|p| [p.start, p.end]).collect(),
        })
        .collect()
}

pub(super) fn labels_from(labels: &[Label], frames: usize) -> LabelTrack {
    let spans = labels.iter().map(|l| LabelSpan {
        start: l.start.min(frames),
        end: l.end.min(frames),
        label: l.label.clone(),
    });
    LabelTrack::new(spans.collect())
}

/// Contacts whose nodes are points of the body; `None` where there are none.
pub(super) fn contacts_from(
    contacts: &[Contact],
    frames: usize,
    point_of: impl Fn(usize) -> Option<u32>,
) -> Option<ContactTrack> {
    let known: Vec<(ContactPoint, &Contact)> = contacts
        .iter()
        .filter_map(|c| {
            let point = PointIdx(point_of(c.node)?);
            let name = c.name.clone();
            Some((ContactPoint { name, point }, c))
        })
        .take(ContactTrack::MAX_POINTS)
        .collect();
    if known.is_empty() {
        return None;
    }
    let points = known.iter().map(|(point, _)| point.clone()).collect();
    let mut track = ContactTrack::new(points, frames);
    for (i, (_, contact)) in known.iter().enumerate() {
        // Plants of one point do not overlap; what does is cut, so that work stays within the frames.
        let mut done = 0;
        for &[start, end] in &contact.plants {
            for frame in start.max(done)..end.min(frames) {
                track.set(frame, i, true);
            }
            done = done.max(end);
        }
    }
    Some(track)
}
