//! Who is who among clips of several bodies.

use std::collections::BTreeMap;
use std::sync::Arc;

use gaitway_retarget::people::PERSON;

use crate::state::{BodyView, ClipEntry, Inner};
use crate::wire::gwmo::LabelSeconds;

/// The most letters of a label.
const LONGEST: usize = 60;

/// The mark of every clip, by id, as `build --retarget-to` gives it: what it says itself, the folder it lies in where that is of one body. Clips
/// that were dropped have no folder: they are called after what the names of their body begin with, where that is nobody else's, else after
/// the body's number.
pub fn marks(
    inner: &Inner,
    chosen: &[Arc<ClipEntry>],
    groups: &[BodyView],
) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    let name = |id: &String| chosen.iter().find(|e| e.id == *id).map(|e| e.name.as_str());
    let heads: Vec<String> = groups
        .iter()
        .map(|g| beginning(&g.clips.iter().filter_map(name).collect::<Vec<_>>()))
        .collect();
    for entry in chosen {
        let Some(at) = groups.iter().position(|g| g.clips.contains(&entry.id)) else {
            continue;
        };
        let home = &groups[at];
        let head = &heads[at];
        let told = !head.is_empty() && heads.iter().filter(|h| *h == head).count() == 1;
        let number = if told { head } else { &home.id };
        let rows = inner.labels(entry);
        let said = rows.iter().find(|r| r.label.starts_with(PERSON));
        let elsewhere =
            |e: &&Arc<ClipEntry>| !home.clips.contains(&e.id) && folder(e) == folder(entry);
        let own = folder(entry).filter(|_| !chosen.iter().any(|e| elsewhere(&e)));
        let mark = match said {
            Some(row) => row.label.clone(),
            None => format!("{PERSON}{}", plain(own.unwrap_or(number))),
        };
        out.insert(entry.id.clone(), mark);
    }
    out
}

/// What all names begin with, up to where a word ends: `16` of `16_15` and `16_21`. Of one name all of it.
fn beginning(names: &[&str]) -> String {
    let Some((first, rest)) = names.split_first() else {
        return String::new();
    };
    if rest.is_empty() {
        return (*first).to_owned();
    }
    let same = |other: &&str| {
        first
            .chars()
            .zip(other.chars())
            .take_while(|(a, b)| a == b)
            .count()
    };
    let most = rest.iter().map(same).min().unwrap_or(0);
    let shared: String = first.chars().take(most).collect();
    let whole = names.iter().all(|n| {
        let next = n.chars().nth(most);
        next.is_none_or(|c| !c.is_alphanumeric())
    });
    let end = match whole {
        true => shared.as_str(),
        false => shared
            .rfind(|c: char| !c.is_alphanumeric())
            .map_or("", |k| &shared[..k]),
    };
    end.trim_end_matches(|c: char| !c.is_alphanumeric())
        .to_owned()
}

/// The folder a clip's name has before it.
fn folder(entry: &ClipEntry) -> Option<&str> {
    let folder = entry.name.rsplit('/').nth(1);
    folder.filter(|f| !f.is_empty())
}

/// Without what no label may hold.
fn plain(name: &str) -> String {
    let odd = |c: char| c.is_control() || matches!(c, ',' | '@' | '=' | ' ' | '"' | '%' | '#');
    let mut out = String::new();
    for c in name.chars().map(|c| if odd(c) { '_' } else { c }) {
        if PERSON.len() + out.len() + c.len_utf8() > LONGEST {
            break;
        }
        out.push(c);
    }
    out
}

/// Labels with a mark over all of the clip.
pub fn with_mark(mut rows: Vec<LabelSeconds>, mark: &str, seconds: f64) -> Vec<LabelSeconds> {
    let whole = |r: &LabelSeconds| r.label == mark && r.start_s <= 0.0 && r.end_s >= seconds;
    if rows.iter().any(whole) {
        return rows;
    }
    rows.retain(|r| r.label != mark);
    rows.push(LabelSeconds {
        label: mark.to_owned(),
        start_s: 0.0,
        end_s: seconds,
    });
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_hold_nothing_that_labels_may_not() {
        assert_eq!(plain("a b,c=d@e\"f%g#h\n"), "a_b_c_d_e_f_g_h_");
        let long = plain(&"ü".repeat(100));
        assert!(PERSON.len() + long.len() <= LONGEST && long.starts_with("üü"));
    }

    #[test]
    fn names_of_one_body_say_who_it_is() {
        for (names, who) in [
            (&["16_15", "16_21"][..], "16"),
            (&["bob"], "bob"),
            (&["walk_01", "run_01"], ""),
            (&["walk_box_walk_01", "walk_box_walk_02"], "walk_box_walk"),
            (&["ann", "ann-runs"], "ann"),
            (&["anna", "annegret"], ""),
            (&[], ""),
        ] {
            assert_eq!(beginning(names), who, "{names:?}");
        }
    }

    #[test]
    fn a_mark_is_put_on_once() {
        let walk = LabelSeconds {
            label: "walk".to_owned(),
            start_s: 0.0,
            end_s: 1.0,
        };
        let rows = with_mark(vec![walk], "person=16", 2.0);
        assert_eq!((rows.len(), rows[1].end_s), (2, 2.0));
        assert_eq!(with_mark(rows.clone(), "person=16", 2.0), rows);
    }
}
