//! How much was changed, and where.

use gaitway_core::Clip;
use gaitway_core::rotation::angle_between;
use serde::Serialize;

use super::lengths::height;
use crate::body::Body;
use crate::report::{Change, change};

/// Joints turned by less than this are as they were, degrees.
const TURNED_DEG: f64 = 0.5;
/// A root moved by less than this is where it was, centimetres.
const MOVED_CM: f64 = 0.5;

/// One thing that was asked for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EditStep {
    /// `style`, `lengths`, `path`, `drag`, `keep` or `speed`.
    pub what: &'static str,
    /// What was asked for, in words.
    pub asked: String,
    /// How far what it asks for, or feet that stand, were off before, millimetres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before_mm: Option<f64>,
    /// What is left of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_mm: Option<f64>,
    /// What there is to say.
    pub notes: Vec<String>,
    /// How much this step changed; that of several drags together stands with each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<Change>,
}

impl EditStep {
    pub(super) fn new(what: &'static str, asked: String) -> Self {
        Self {
            what,
            asked,
            before_mm: None,
            left_mm: None,
            notes: Vec::new(),
            change: None,
        }
    }
}

/// A stretch in which something is otherwise than before.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChangedSpan {
    /// From, seconds of the clip as it came.
    pub start_s: f64,
    /// To.
    pub end_s: f64,
    /// The joint that is turned most there.
    pub joint: String,
    /// By how much, degrees.
    pub deg: f64,
    /// How far the root is moved at most, centimetres.
    pub root_cm: f64,
}

/// The account of an edit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EditReport {
    /// What was asked for, in the order it was done.
    pub asked: Vec<EditStep>,
    /// All that was changed but the time, over all joints.
    pub change: Change,
    /// Where.
    pub spans: Vec<ChangedSpan>,
    /// How tall the body is, before and after, metres.
    pub height_m: [f64; 2],
    /// Seconds before.
    pub seconds_before: f64,
    /// Seconds after.
    pub seconds: f64,
}

impl EditReport {
    pub(super) fn new(clip: &Clip, body: &Body) -> Self {
        Self {
            asked: Vec::new(),
            change: Change::default(),
            spans: Vec::new(),
            height_m: [height(body); 2],
            seconds_before: clip.seconds(),
            seconds: clip.seconds(),
        }
    }

    pub(super) fn step(&mut self, step: EditStep, before: &Clip, after: &Clip) {
        self.steps(vec![step], before, after);
    }

    pub(super) fn steps(&mut self, steps: Vec<EditStep>, before: &Clip, after: &Clip) {
        let joints: Vec<_> = before.skeleton().joints().collect();
        let change = change(before, after, &joints);
        self.asked.extend(steps.into_iter().map(|s| EditStep {
            change: (s.what != "speed").then(|| change.clone()),
            ..s
        }));
    }

    pub(super) fn compare(&mut self, before: &Clip, after: &Clip, body: &Body) {
        let joints: Vec<_> = before.skeleton().joints().collect();
        self.change = change(before, after, &joints);
        self.height_m[1] = height(body);
        let rate = before.rate_hz();
        let most = |f: usize| {
            let turned = |&j: &gaitway_core::JointIdx| {
                angle_between(before.rotation(f, j), after.rotation(f, j)).to_degrees()
            };
            let all = joints.iter().map(|j| (turned(j), *j));
            all.max_by(|a, b| a.0.total_cmp(&b.0))
                .unwrap_or((0.0, gaitway_core::JointIdx::ROOT))
        };
        let mut open: Option<ChangedSpan> = None;
        for f in 0..before.frame_count().min(after.frame_count()) {
            let (deg, joint) = most(f);
            let cm = 100.0 * before.root()[f].distance(after.root()[f]);
            if deg < TURNED_DEG && cm < MOVED_CM {
                self.spans.extend(open.take());
                continue;
            }
            let span = open.get_or_insert_with(|| ChangedSpan {
                start_s: f as f64 / rate,
                end_s: 0.0,
                joint: String::new(),
                deg: -1.0,
                root_cm: 0.0,
            });
            span.end_s = (f + 1) as f64 / rate;
            span.root_cm = span.root_cm.max(cm);
            if deg > span.deg {
                (span.deg, span.joint) = (deg, before.skeleton().name(joint).to_owned());
            }
        }
        self.spans.extend(open);
    }
}
