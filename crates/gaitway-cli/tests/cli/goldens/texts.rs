//! Text files by their numbers: motions as BVH, reports as JSON.

use std::path::Path;

use gaitway_io::{ReadOptions, parse_unit, read_file};
use serde_json::{Map, Value};

use super::golden;

/// Fields of JSON that came later, left out of the comparison. Named one by one, so that none comes unseen.
const LATER: &[&str] = &[];

/// Fields that are another each time: how long something took, and the tag of a graph, which is a hash over the last
/// bits of its frames.
const OTHER_EACH_TIME: [&str; 3] = ["timings_s", "search_seconds", "graph"];

/// The hierarchy to the letter, the motion by its places.
pub fn bvh(path: &Path) -> Value {
    let file = std::fs::read_to_string(path).expect("a motion");
    let (hierarchy, motion) = file.split_once("MOTION").expect("two parts");
    let as_it_is = ReadOptions {
        unit: Some(parse_unit("cm").expect("a unit")),
        keep_first_frame: true,
        keep_dropouts: true,
        ..ReadOptions::default()
    };
    let import = read_file(path, &as_it_is).expect("a clip").remove(0);
    let mut out = golden::motion(&import.clip);
    out["hierarchy"] = blake3::hash(hierarchy.as_bytes()).to_hex()[..16].into();
    out["head"] = motion.lines().skip(1).take(2).collect::<Vec<_>>().into();
    out
}

/// JSON without what is another each time, and with no more digits than are held.
pub fn plain(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let known = map
                .into_iter()
                .filter(|(k, _)| !LATER.contains(&k.as_str()));
            let fields = known.map(|(key, inner)| {
                let masked = OTHER_EACH_TIME.contains(&key.as_str());
                let inner = if masked {
                    "another each time".into()
                } else {
                    plain(inner)
                };
                (key, inner)
            });
            fields.collect::<Map<_, _>>().into()
        }
        Value::Array(list) => list.into_iter().map(plain).collect(),
        Value::Number(n) if n.is_f64() => golden::rounded(n.as_f64().unwrap_or(f64::NAN)).into(),
        other => other,
    }
}
