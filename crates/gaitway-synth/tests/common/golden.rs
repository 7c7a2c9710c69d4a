//! Goldens: what the program made before, as JSON small enough to keep and to read.
//!
//! Numbers are held with a tolerance, because angles come from the platform's `sin` and `cos`; names, counts and the
//! shape of the JSON are held exactly. What differs is told by its place and its two values.
//!
//! `GAITWAY_WRITE_GOLDENS=1` writes the files anew. `GAITWAY_EXACT_GOLDENS=1` compares hashes under the name `blake3` too: on the
//! machine that wrote them frames must come back to the bit, on another its `sin` may differ in the last one.
//!
//! Used by the walks of this crate and, by path, by the goldens of the command line.
#![allow(dead_code)] // Each test uses its own part.

use std::path::Path;

use gaitway_core::{Clip, JointIdx, fk};
use serde_json::{Map, Value, json};

/// A frame out of so many is kept with its places.
const EVERY: usize = 30;

/// How near two numbers must be; what a value is called says which it is.
fn tolerance(path: &str, value: f64) -> f64 {
    // Weighted sums over some ninety numbers of 1e-6 each: a coordinate that is off by 0.2 mm still shows.
    if path.contains("/sums") {
        return 2e-4;
    }
    // Brightness from 0 to 255: one pixel's worth of another rounding.
    if path.contains("/light") {
        return 0.1;
    }
    // Places that went through text of six decimals and `f32` rotations, in metres.
    if path.contains("/places") {
        return 1e-5;
    }
    // Speeds in cm/s and accelerations are differences of places good to 1e-7 m, times the rate once and twice.
    // `clean` tells them before and after.
    let measured = ["/quality", "/before", "/after", "/cleanup"];
    if measured.iter().any(|part| path.contains(part)) {
        return 1e-3 + 1e-5 * value.abs();
    }
    1e-6 * value.abs().max(1.0)
}

/// Holds what was made now to a golden, or writes it. `what` is the command or the call that made it.
///
/// # Panics
/// When something differs, with the first place that does; or when there is no golden.
pub fn hold(golden: &Path, what: &str, now: &Value) {
    if std::env::var_os("GAITWAY_WRITE_GOLDENS").is_some_and(|v| v == "1") {
        std::fs::write(golden, to_text(now)).expect("the golden is written");
        return;
    }
    let text = std::fs::read_to_string(golden);
    let text = text.unwrap_or_else(|e| panic!("{what}: {}: {e}", golden.display()));
    let kept: Value = serde_json::from_str(&text).expect("a golden is JSON");
    // As numbers come back from text, so that both sides went the same way.
    let now: Value = serde_json::from_str(&to_text(now)).expect("JSON");
    if let Some(place) = first_difference("", &kept, &now) {
        panic!("`{what}` is not what it was: {place}");
    }
}

/// Where two values differ first, and how; `None` where they are the same within tolerance.
pub fn first_difference(path: &str, kept: &Value, now: &Value) -> Option<String> {
    let differ = || Some(format!("{path} was {}, is {}", brief(kept), brief(now)));
    match (kept, now) {
        (Value::Object(a), Value::Object(b)) => {
            // Fields stay; new ones may stand beside them.
            if let Some(key) = a.keys().find(|k| !b.contains_key(*k)) {
                return Some(format!("{path}/{key} is gone"));
            }
            let mut both = a.iter().map(|(k, v)| (k, v, &b[k]));
            both.find_map(|(k, a, b)| first_difference(&format!("{path}/{k}"), a, b))
        }
        (Value::String(_), Value::String(_)) if path.ends_with("/blake3") && !exact() => None,
        (Value::Array(a), Value::Array(b)) => {
            let mut both = a.iter().zip(b).enumerate();
            let inside =
                both.find_map(|(k, (a, b))| first_difference(&format!("{path}[{k}]"), a, b));
            let lengths = || format!("{path} had {} entries, has {}", a.len(), b.len());
            inside.or_else(|| (a.len() != b.len()).then(lengths))
        }
        (Value::Number(a), Value::Number(b)) => {
            // Whole numbers count something.
            if !a.is_f64() && !b.is_f64() {
                return if a == b { None } else { differ() };
            }
            let (a, b) = (a.as_f64()?, b.as_f64()?);
            if (a - b).abs() <= tolerance(path, a) {
                None
            } else {
                differ()
            }
        }
        _ if kept == now => None,
        _ => differ(),
    }
}

fn exact() -> bool {
    std::env::var_os("GAITWAY_EXACT_GOLDENS").is_some_and(|v| v == "1")
}

fn brief(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(120) {
        Some((at, _)) => format!("{} …", &text[..at]),
        None => text,
    }
}

/// JSON with a line for whatever fits into one.
pub fn to_text(value: &Value) -> String {
    let mut out = String::new();
    write_lines(value, 0, &mut out);
    out + "\n"
}

fn write_lines(value: &Value, depth: usize, out: &mut String) {
    const WIDTH: usize = 160;
    let whole = value.to_string();
    let pad = |depth: usize| " ".repeat(depth);
    match value {
        Value::Object(map) if whole.len() > WIDTH => {
            out.push('{');
            for (k, (key, inner)) in map.iter().enumerate() {
                let comma = if k > 0 { "," } else { "" };
                let key = Value::from(key.as_str());
                out.push_str(&format!("{comma}\n{}{key}: ", pad(depth + 1)));
                write_lines(inner, depth + 1, out);
            }
            out.push_str(&format!("\n{}}}", pad(depth)));
        }
        Value::Array(list) if whole.len() > WIDTH => {
            out.push('[');
            // Numbers fill their lines; anything longer has one of its own.
            let mut room = 0;
            for (k, inner) in list.iter().enumerate() {
                out.push_str(if k > 0 { "," } else { "" });
                let length = inner.to_string().len() + 1;
                if room < length || !inner.is_number() {
                    out.push_str(&format!("\n{}", pad(depth + 1)));
                    room = WIDTH;
                }
                room = room.saturating_sub(length);
                write_lines(inner, depth + 1, out);
            }
            out.push_str(&format!("\n{}]", pad(depth)));
        }
        _ => out.push_str(&whole),
    }
}

/// A number with no more digits than tolerances ask for.
pub fn rounded(value: f64) -> f64 {
    // Adding zero turns −0 into 0.
    (value * 1e7).round() / 1e7 + 0.0
}

/// One number that changes when any of the values does: each has a weight from 1 to 2 by its place.
pub fn weighted_sum(values: impl Iterator<Item = f64>) -> f64 {
    let weighted = values
        .enumerate()
        .map(|(k, v)| v * (1.0 + (k % 7) as f64 / 7.0));
    (weighted.sum::<f64>() * 1e5).round() / 1e5
}

/// What a motion is, small: counts, labels, plants, places in some frames, a sum over every frame.
pub fn motion(clip: &Clip) -> Value {
    let points = fk::world_points(clip);
    let frames = 0..clip.frame_count();
    let skeleton = clip.skeleton();
    let shown: Vec<usize> = ["Head", "LeftHand", "RightFoot"]
        .iter()
        .filter_map(|name| skeleton.joints().find(|&j| skeleton.name(j) == *name))
        .map(JointIdx::index)
        .collect();
    let places = frames.clone().step_by(EVERY).map(|f| {
        let joints = shown.iter().map(|&j| points.at(f, j));
        let all = std::iter::once(clip.root()[f]).chain(joints);
        let numbers = all.flat_map(|p| p.to_array()).map(rounded);
        numbers.collect::<Vec<f64>>()
    });
    let sum = |f: usize| {
        let places = points.frame(f).iter().flat_map(|p| p.to_array());
        // A rotation and its negative are one: sizes of its four numbers tell it from its neighbours.
        let rotations = clip.frame_rotations(f).iter().flat_map(|q| q.to_array());
        weighted_sum(places.chain(rotations.map(|v| f64::from(v.abs()))))
    };
    let spans = clip.labels().spans().iter();
    let mut out = json!({
        "frames": clip.frame_count(),
        "rate_hz": clip.rate_hz(),
        "joints": skeleton.joint_count(),
        "points": skeleton.point_count(),
        "labels": spans.map(|s| json!([s.label, s.start, s.end])).collect::<Vec<_>>(),
        "places": places.collect::<Vec<_>>(),
        "sums": frames.map(sum).collect::<Vec<f64>>(),
    });
    if let Some(track) = clip.contacts() {
        let plants = track.points().iter().enumerate().map(|(k, point)| {
            let spans = track.plants(k).into_iter().map(|p| json!([p.start, p.end]));
            (point.name.clone(), spans.collect::<Vec<_>>().into())
        });
        out["plants"] = plants.collect::<Map<String, Value>>().into();
    }
    out
}
