//! Findings of many clips in few words: those that say the same, but for their numbers, become one.

/// The most clips that are named.
const NAMED: usize = 5;

/// A message taken apart: words between numbers, and the numbers.
#[derive(Clone, Debug, PartialEq)]
struct Pieces<'a> {
    words: Vec<&'a str>,
    numbers: Vec<&'a str>,
}

/// Takes a message apart. Digits within a word (`Spine1`) and after a dot of a name are no numbers.
fn pieces(message: &str) -> Pieces<'_> {
    let mut out = Pieces {
        words: Vec::new(),
        numbers: Vec::new(),
    };
    let (mut from, mut before) = (0, ' ');
    let mut at = 0;
    while let Some(c) = message[at..].chars().next() {
        let begins = c.is_ascii_digit() && !(before.is_alphanumeric() || "_./#".contains(before));
        if begins {
            let rest = &message[at..];
            let inside = |c: char| c.is_ascii_digit() || c == '.';
            let length = rest.find(|c| !inside(c)).unwrap_or(rest.len());
            let length = rest[..length].trim_end_matches('.').len();
            out.words.push(&message[from..at]);
            out.numbers.push(&rest[..length]);
            at += length;
            from = at;
            before = '0';
        } else {
            at += c.len_utf8();
            before = c;
        }
    }
    out.words.push(&message[from..]);
    out
}

/// One finding and the clips it is about.
struct Group<'a> {
    code: &'a str,
    words: Vec<&'a str>,
    /// For every number the least and the largest, as they were written.
    numbers: Vec<(&'a str, &'a str)>,
    clips: Vec<&'a str>,
}

/// Folds rows of code, message and clip; groups are sorted by code, then by the clip they begin with.
pub fn fold<'a>(rows: impl Iterator<Item = (&'a str, &'a str, &'a str)>) -> String {
    let mut groups: Vec<Group<'a>> = Vec::new();
    for (code, message, clip) in rows {
        let Pieces { words, numbers } = pieces(message);
        match groups
            .iter_mut()
            .find(|g| g.code == code && g.words == words)
        {
            Some(group) => {
                group.clips.push(clip);
                let both = group.numbers.iter_mut().zip(numbers);
                both.for_each(|(range, n)| widen(range, n));
            }
            None => groups.push(Group {
                code,
                words,
                numbers: numbers.into_iter().map(|n| (n, n)).collect(),
                clips: vec![clip],
            }),
        }
    }
    groups.sort_by_key(|g| g.code);
    groups.iter().map(Group::told).collect()
}

fn widen<'a>(range: &mut (&'a str, &'a str), n: &'a str) {
    let value = |t: &str| t.parse::<f64>().unwrap_or(0.0);
    if value(n) < value(range.0) {
        range.0 = n;
    }
    if value(n) > value(range.1) {
        range.1 = n;
    }
}

impl Group<'_> {
    fn told(&self) -> String {
        let mut message = String::new();
        for (k, words) in self.words.iter().enumerate() {
            message.push_str(words);
            match self.numbers.get(k) {
                Some((least, most)) if least == most => message.push_str(least),
                Some((least, most)) => message.push_str(&format!("{least} to {most}")),
                None => {}
            }
        }
        let n = self.clips.len();
        let mut names = self.clips[..n.min(NAMED)].join(", ");
        if n > NAMED {
            names.push_str(&format!(" and {} more", n - NAMED));
        }
        let whose = match n {
            1 => names,
            n => format!("{n} clips ({names})"),
        };
        format!("\n{}: {whose}\n  {message}\n", self.code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_that_differ_in_numbers_only_are_one() {
        let rows = [
            ("t-pose", "frame 0 turns by 19° (Spine1).", "a"),
            ("unit", "20.5 units are 1.17 m", "a"),
            ("t-pose", "frame 0 turns by 28° (Spine1).", "b"),
            ("t-pose", "frame 0 turns by 9.5° (Spine1).", "c"),
            ("t-pose", "frame 0 turns by 9° (Spine2).", "d"),
        ];
        let told = fold(rows.into_iter());
        let expected = "\nt-pose: 3 clips (a, b, c)\n  frame 0 turns by 9.5 to 28° (Spine1).\n\
                        \nt-pose: d\n  frame 0 turns by 9° (Spine2).\n\
                        \nunit: a\n  20.5 units are 1.17 m\n";
        assert_eq!(told, expected);
    }

    #[test]
    fn many_clips_are_counted_and_some_are_named() {
        let clips = ["a", "b", "c", "d", "e", "f", "g"];
        let told = fold(clips.iter().map(|c| ("x", "so", *c)));
        assert_eq!(told, "\nx: 7 clips (a, b, c, d, e and 2 more)\n  so\n");
    }
}
