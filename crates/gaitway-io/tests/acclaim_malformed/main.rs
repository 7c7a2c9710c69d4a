//! Acclaim files that are wrong: more than twenty of each kind, with where and what the reader says.

mod any_bytes;
mod motions;
mod skeletons;

use gaitway_io::{Place, ReadError};

const ASF: &str = "\
:units
  length 0.45
  angle deg
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name leg
    direction 0 -1 0
    length 5
    axis 0 0 20 XYZ
    dof rx ry rz
    limits (-160 20)
           (-70 70)
           (-60 70)
  end
  begin
    id 2
    name foot
    direction 0 0 1
    length 2
    axis 0 0 0 XYZ
    dof rx
  end
:hierarchy
  begin
    root leg
    leg foot
  end
";

const AMC: &str = "\
:FULLY-SPECIFIED
:DEGREES
1
root 0 1 2 3 4 5
leg 10 20 30
foot 5
2
root 0 1 2 3 4 5
leg 10 20 30
foot 5
3
root 0 1 2 3 4 5
leg 10 20 30
foot 5
";

fn with(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from:?}");
    text.replacen(from, to, 1)
}

/// Text, line, column (0, 0: the file as a whole), and a part of what the error says.
type Bad = (String, usize, usize, &'static str);

fn check(all: Vec<Bad>, read: impl Fn(&str) -> Option<ReadError>) {
    assert!(all.len() >= 20, "{}", all.len());
    let mut wrong = Vec::new();
    for (text, line, column, part) in all {
        let Some(error) = read(&text) else {
            wrong.push(format!("no error, should say: {part}"));
            continue;
        };
        let place = match &error {
            ReadError::Syntax { place, .. } => *place,
            _ => Place::Text { line: 0, column: 0 },
        };
        let found = error.to_string();
        if !found.contains(part) || place != (Place::Text { line, column }) {
            wrong.push(format!("{found}; should say {line}:{column}: {part}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
