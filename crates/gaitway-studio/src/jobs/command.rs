//! The command line that does the same, to be pasted beside the downloaded files.

use super::ask::Asked;
use super::request::{MomentJson, PathRequestJson, PlaceRequestJson, StartJson};

/// What the graph is called when downloaded.
pub const GRAPH: &str = "graph.gway";
/// What the report is called of that which a motion was changed from.
pub const BEFORE: &str = "before.json";

/// A word as a shell takes it.
fn word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=+%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

/// A part of a motion searched again.
pub struct Again {
    /// Which of the people, from 0, of how many.
    pub person: (usize, usize),
    /// From, to.
    pub seconds: (f64, f64),
    /// Another seed, another way.
    pub seed: u64,
}

/// `gaitway path …` for a request, or for a part of what came of it.
pub fn path(request: &PathRequestJson, asked: &Asked, again: Option<&Again>) -> String {
    let mut words: Vec<String> = ["gaitway", "path", GRAPH, "path.json"]
        .map(str::to_owned)
        .to_vec();
    let mut add = |flag: &str, value: Option<String>| {
        words.push(flag.to_owned());
        words.extend(value.map(|v| word(&v)));
    };
    if let Some(style) = &asked.style {
        add("--style", Some(style.clone()));
    }
    if let Some(s) = request.duration_s {
        add("--duration", Some(s.to_string()));
    }
    let list = |all: Vec<String>| Some(all.join(",")).filter(|t| !t.is_empty());
    let arrivals = request.arrivals.iter();
    let arrivals = arrivals.map(|a| format!("{}@{}", a.time_s, a.at_m));
    if let Some(text) = list(arrivals.collect()) {
        add("--arrive", Some(text));
    }
    let speeds = request.speeds.iter().map(|s| {
        let to = s.to_m.map_or(String::new(), |m| m.to_string());
        format!("{}@{}..{to}", s.m_s, s.from_m)
    });
    if let Some(text) = list(speeds.collect()) {
        add("--speed", Some(text));
    }
    if !request.obstacles.is_empty() {
        add("--obstacles", Some("obstacles.json".to_owned()));
    }
    if let Some(s) = request.start {
        add(
            "--start",
            Some(format!("{},{},{}", s.x, s.z, s.heading_rad.to_degrees())),
        );
    }
    if let Some(m) = request.corridor_m {
        add("--corridor", Some(m.to_string()));
    }
    for clip in &request.forbid {
        add("--forbid", Some(clip.clone()));
    }
    if let Some(m) = request.bend_m {
        add("--bend", Some(m.to_string()));
    }
    if request.short_cuts {
        add("--short-cuts", None);
    }
    if let Some(again) = again {
        let (from, to) = again.seconds;
        add("--again", Some(format!("{from}..{to}")));
        add("--from", Some(BEFORE.to_owned()));
        if again.person.1 > 1 {
            add("--person", Some((again.person.0 + 1).to_string()));
        }
    } else {
        if request.search != "beam" {
            add("--search", Some(request.search.clone()));
        }
        if let Some(s) = request.max_s {
            add("--max-time", Some(s.to_string()));
        }
        if let Some(n) = request.expansions {
            add("--expansions", Some(n.to_string()));
        }
        if request.count > 1 {
            add("--count", Some(request.count.to_string()));
        }
        if request.alternatives > 1 {
            add("--alternatives", Some(request.alternatives.to_string()));
        }
    }
    let seed = again.map_or(request.seed, |a| a.seed);
    if seed != 0 {
        add("--seed", Some(seed.to_string()));
    }
    if !request.clean {
        add("--no-clean", None);
    }
    add("-o", Some("motion.bvh".to_owned()));
    add("--report", Some("report.json".to_owned()));
    words.join(" ")
}

/// `gaitway path … --end …`.
pub fn place(request: &PlaceRequestJson) -> String {
    let stand = |s: &StartJson| format!("{},{},{}", s.x, s.z, s.heading_rad.to_degrees());
    let end = format!("{}@{}", request.what.trim(), stand(&request.end));
    let mut words = vec![format!("gaitway path {GRAPH} --end {}", word(&end))];
    let mut add = |flag: &str, value: String| words.push(format!("{flag} {}", word(&value)));
    if let Some(start) = &request.start {
        add("--start", stand(start));
    }
    if let Some(style) = &request.style {
        add("--style", style.clone());
    }
    if !request.obstacles.is_empty() {
        add("--obstacles", "obstacles.json".to_owned());
    }
    for clip in &request.forbid {
        add("--forbid", clip.clone());
    }
    if request.alternatives > 1 {
        add("--alternatives", request.alternatives.to_string());
    }
    if let Some(n) = request.expansions {
        add("--expansions", n.to_string());
    }
    if request.seed != 0 {
        add("--seed", request.seed.to_string());
    }
    if request.play_out {
        words.push("--play-out".to_owned());
    }
    if !request.clean {
        words.push("--no-clean".to_owned());
    }
    words.push("-o motion.bvh --report report.json".to_owned());
    words.join(" ")
}

/// `gaitway connect …`.
pub fn connect(from: &MomentJson, to: &MomentJson, by: &str) -> String {
    let at = |m: &MomentJson| word(&format!("{}@{}", m.clip, m.seconds));
    format!(
        "gaitway connect {GRAPH} --from {} --to {} --by {by} -o motion.bvh --report report.json",
        at(from),
        at(to)
    )
}

/// `gaitway walk …`.
pub fn walk(seconds: f64, label: Option<&str>, seed: u64) -> String {
    let label = label.map_or(String::new(), |l| format!(" --label {}", word(l)));
    format!(
        "gaitway walk {GRAPH} --seconds {seconds}{label} --seed {seed} -o motion.bvh --report report.json"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_safe_in_a_shell() {
        assert_eq!(word("walk@0..3"), "'walk@0..3'");
        assert_eq!(word("0.5"), "0.5");
        assert_eq!(word("it's; rm -rf"), "'it'\\''s; rm -rf'");
        assert_eq!(word(""), "''");
    }
}
