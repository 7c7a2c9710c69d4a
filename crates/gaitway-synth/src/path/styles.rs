//! What is done where along a path: `walk@0..4,sneak@4..9,walk@9..`, in per cent, or an action at a point.

use gaitway_graph::{LabelId, MotionGraph};

use super::PathError;
use crate::SynthError;
use crate::walk::find_label;

/// A place on a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PathPosition {
    /// Metres from the start.
    Metres(f64),
    /// Per cent of the length.
    Percent(f64),
    /// The path's end.
    End,
}

impl PathPosition {
    fn metres(self, length: f64) -> f64 {
        match self {
            Self::Metres(m) => m,
            Self::Percent(p) => p * length / 100.0,
            Self::End => length,
        }
    }
}

/// One piece of a path and its label, or an action at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// The label; `any` for no restriction.
    pub label: String,
    /// Where it begins.
    pub from: PathPosition,
    /// Where it ends; the same as `from` for an action at a point.
    pub to: PathPosition,
}

/// Reads `walk@0..4,sneak@4..9`, `walk@0..50%,sneak@50%..`, `walk`, `walk,pick-up@6.5`.
///
/// # Errors
/// Says which piece is wrong.
pub fn parse_styles(text: &str) -> Result<Vec<Style>, PathError> {
    text.split(',')
        .map(str::trim)
        .filter(|p| !p.is_empty())
        .map(parse_one)
        .collect()
}

fn parse_one(piece: &str) -> Result<Style, PathError> {
    let bad = |what: &str| PathError::Style {
        piece: piece.to_owned(),
        what: what.to_owned(),
    };
    let place = |text: &str, empty: PathPosition| {
        let text = text.trim();
        if text.is_empty() {
            return Ok(empty);
        }
        let (number, percent) = match text.strip_suffix('%') {
            Some(n) => (n, true),
            None => (text.strip_suffix('m').unwrap_or(text), false),
        };
        match number.trim().parse::<f64>() {
            Ok(v) if v.is_finite() && v >= 0.0 => Ok(if percent {
                PathPosition::Percent(v)
            } else {
                PathPosition::Metres(v)
            }),
            _ => Err(bad("expected LABEL@FROM..TO in metres or per cent")),
        }
    };
    let Some((label, range)) = piece.rsplit_once('@') else {
        return Ok(Style {
            label: piece.to_owned(),
            from: PathPosition::Metres(0.0),
            to: PathPosition::End,
        });
    };
    if label.trim().is_empty() {
        return Err(bad("the label is missing"));
    }
    let (from, to) = match range.split_once("..") {
        Some((a, b)) => (
            place(a, PathPosition::Metres(0.0))?,
            place(b, PathPosition::End)?,
        ),
        None => {
            let at = place(range, PathPosition::End)?;
            (at, at)
        }
    };
    Ok(Style {
        label: label.trim().to_owned(),
        from,
        to,
    })
}

/// A piece as searches see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StylePiece {
    /// Nothing where anything goes.
    pub label: Option<LabelId>,
    /// Metres.
    pub from: f64,
    /// Metres.
    pub to: f64,
    /// An action stays at its point for at least this many working frames.
    pub least_frames: u32,
    /// Whether it is an action at a point.
    pub action: bool,
}

impl StylePiece {
    /// Whether an edge with these labels may be played here.
    pub fn allows(&self, labels: gaitway_graph::LabelSet) -> bool {
        self.label.is_none_or(|l| labels.contains(l))
    }
}

/// What lies before the first piece and after the last is free; a little of it, as drawing by hand leaves, is theirs.
fn free_ends(pieces: &mut Vec<StylePiece>, length: f64) {
    let little = (0.02 * length).max(0.05);
    let free = |from: f64, to: f64| StylePiece {
        label: None,
        from,
        to,
        least_frames: 0,
        action: false,
    };
    let (first, last) = (pieces[0].from, pieces[pieces.len() - 1].to);
    if length - last > little {
        pieces.push(free(last, length));
    } else if let Some(piece) = pieces.last_mut() {
        piece.to = length;
    }
    if first > little {
        pieces.insert(0, free(0.0, first));
    } else {
        pieces[0].from = 0.0;
    }
}

/// The pieces in order, without gaps, actions between the halves of the piece they lie in.
///
/// # Errors
/// When a label is not in the graph, or pieces overlap or leave a gap.
pub fn resolve_styles(
    graph: &MotionGraph,
    styles: &[Style],
    length: f64,
    action_frames: u32,
) -> Result<Vec<StylePiece>, SynthError> {
    let mut pieces: Vec<StylePiece> = Vec::new();
    let mut actions: Vec<StylePiece> = Vec::new();
    let bad = |style: &Style, what: String| PathError::Style {
        piece: style.label.clone(),
        what,
    };
    for style in styles {
        let label = match style.label.as_str() {
            "any" => None,
            name => Some(find_label(graph, name)?),
        };
        let (from, to) = (style.from.metres(length), style.to.metres(length));
        // A path drawn by hand is never as long as one thinks: a little more than all of it is all of it.
        let most = length + (0.02 * length).max(0.05);
        for (what, at) in [("begins", from), ("ends", to)] {
            if at > most {
                let what = format!(
                    "{what} at {at:.2} m, but the path has {length:.2} m; `..` alone goes to its end"
                );
                return Err(bad(style, what).into());
            }
        }
        let (from, to) = (from.min(length), to.min(length));
        let action = style.from == style.to;
        if !action && to <= from {
            return Err(bad(style, format!("{from:.2}..{to:.2} m is not a range")).into());
        }
        let list = if action { &mut actions } else { &mut pieces };
        list.push(StylePiece {
            label,
            from,
            to: if action { from } else { to },
            least_frames: if action { action_frames } else { 0 },
            action,
        });
    }
    if pieces.is_empty() {
        pieces.push(StylePiece {
            label: None,
            from: 0.0,
            to: length,
            least_frames: 0,
            action: false,
        });
    }
    pieces.sort_by(|a, b| a.from.total_cmp(&b.from));
    free_ends(&mut pieces, length);
    for k in 1..pieces.len() {
        let (end, begin) = (pieces[k - 1].to, pieces[k].from);
        if (end - begin).abs() > 0.01 {
            let what = format!("pieces leave a gap or overlap between {end:.2} and {begin:.2} m");
            return Err(PathError::Style {
                piece: String::new(),
                what,
            }
            .into());
        }
    }
    for action in actions {
        let at = pieces
            .iter()
            .position(|p| !p.action && action.from <= p.to)
            .unwrap_or(pieces.len() - 1);
        let whole = pieces[at];
        let (before, after) = (
            StylePiece {
                to: action.from,
                ..whole
            },
            StylePiece {
                from: action.from,
                ..whole
            },
        );
        pieces.splice(at..=at, [before, action, after]);
    }
    // An action at the very end has nothing after it.
    while pieces.len() > 1
        && !pieces[pieces.len() - 1].action
        && pieces[pieces.len() - 1].to - pieces[pieces.len() - 1].from < 1e-6
    {
        pieces.pop();
    }
    Ok(pieces)
}
