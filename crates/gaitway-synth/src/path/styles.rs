//! What is done where along a path: `walk@0..4,sneak@4..9,walk@9..`, in per cent, or an action at a point.

use std::borrow::Cow;

use gaitway_graph::{LabelId, MotionGraph};

use super::detour::led_round;
use super::options::PathOptions;
use super::times::Schedule;
use super::{Path, PathError};
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
    pub(super) fn metres(self, length: f64) -> f64 {
        match self {
            Self::Metres(m) => m,
            Self::Percent(p) => p * length / 100.0,
            Self::End => length,
        }
    }

    /// Reads `6.5`, `6.5m` or `50%`; `empty` where there is nothing.
    pub(super) fn parse(text: &str, empty: Self) -> Option<Self> {
        let text = text.trim();
        if text.is_empty() {
            return Some(empty);
        }
        let (number, percent) = match text.strip_suffix('%') {
            Some(n) => (n, true),
            None => (text.strip_suffix('m').unwrap_or(text), false),
        };
        let value: f64 = number.trim().parse().ok()?;
        match (value.is_finite() && value >= 0.0, percent) {
            (true, true) => Some(Self::Percent(value)),
            (true, false) => Some(Self::Metres(value)),
            (false, _) => None,
        }
    }

    /// Reads `FROM..TO`, either of which may be left out; one place is both.
    pub(super) fn parse_range(text: &str) -> Option<(Self, Self)> {
        match text.split_once("..") {
            Some((a, b)) => Some((
                Self::parse(a, Self::Metres(0.0))?,
                Self::parse(b, Self::End)?,
            )),
            None => Self::parse(text, Self::End).map(|at| (at, at)),
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
    let (from, to) = PathPosition::parse_range(range)
        .ok_or_else(|| bad("expected LABEL@FROM..TO in metres or per cent"))?;
    Ok(Style {
        label: label.trim().to_owned(),
        from,
        to,
    })
}

/// A piece as searches see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StylePiece {
    /// Nothing where no label is asked for.
    pub label: Option<LabelId>,
    /// Anything may be played, as `any` asks; where that is not so and there is no label, the [`Manner`](super::Manner) of the path
    /// holds.
    pub any: bool,
    /// Metres.
    pub from: f64,
    /// Metres; for the approach to an action, where it is asked for.
    pub to: f64,
    /// Other labels may be played on the way to and from its action, at a price: there is no way within its style alone.
    pub relaxed: bool,
    /// The action that it leads to, by its place among [`Styles::actions`]: frames of its label may be played too.
    pub action: Option<usize>,
}

/// An action at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActionAsked {
    /// Its label.
    pub label: LabelId,
    /// Metres from the path's start.
    pub at: f64,
}

/// What is asked for along a path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Styles {
    /// In order, without gaps.
    pub pieces: Vec<StylePiece>,
    /// In order.
    pub actions: Vec<ActionAsked>,
    /// When to be where, and how fast.
    pub schedule: Option<Schedule>,
}

/// So far before its point the frames of an action may begin, metres: a run-up is part of it.
pub(crate) const APPROACH_M: f64 = 4.0;

/// What lies before the first piece and after the last is in the path's manner; a little of it, as drawing by hand leaves, is
/// theirs.
fn free_ends(pieces: &mut Vec<StylePiece>, length: f64) {
    let little = (0.02 * length).max(0.05);
    let (first, last) = (pieces[0].from, pieces[pieces.len() - 1].to);
    if length - last > little {
        pieces.push(unasked(last, length));
    } else if let Some(piece) = pieces.last_mut() {
        piece.to = length;
    }
    if first > little {
        pieces.insert(0, unasked(0.0, first));
    } else {
        pieces[0].from = 0.0;
    }
}

fn unasked(from: f64, to: f64) -> StylePiece {
    StylePiece {
        label: None,
        any: false,
        relaxed: false,
        from,
        to,
        action: None,
    }
}

/// The pieces in order, without gaps; before each action a piece that leads to it.
///
/// # Errors
/// When a label is not in the graph, or pieces overlap or leave a gap.
pub fn resolve_styles(
    graph: &MotionGraph,
    styles: &[Style],
    length: f64,
) -> Result<Styles, SynthError> {
    let mut pieces: Vec<StylePiece> = Vec::new();
    let mut actions: Vec<ActionAsked> = Vec::new();
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
        if style.from == style.to && from > most {
            let name = &style.label;
            let what = format!(
                "is asked for at {from:.2} m, but the path has {length:.2} m; {name}@100% is its end"
            );
            return Err(bad(style, what).into());
        }
        for (what, at) in [("begins", from), ("ends", to)] {
            if at > most {
                let what = format!(
                    "{what} at {at:.2} m, but the path has {length:.2} m; `..` alone goes to its end"
                );
                return Err(bad(style, what).into());
            }
        }
        let (from, to) = (from.min(length), to.min(length));
        if style.from == style.to {
            let label = label.ok_or_else(|| bad(style, "is no action".to_owned()))?;
            actions.push(ActionAsked { label, at: from });
            continue;
        }
        if to <= from {
            return Err(bad(style, format!("{from:.2}..{to:.2} m is not a range")).into());
        }
        pieces.push(StylePiece {
            label,
            any: label.is_none(),
            ..unasked(from, to)
        });
    }
    if pieces.is_empty() {
        pieces.push(unasked(0.0, length));
    }
    pieces.sort_by(|a, b| a.from.total_cmp(&b.from));
    free_ends(&mut pieces, length);
    for k in 1..pieces.len() {
        let (end, begin) = (pieces[k - 1].to, pieces[k].from);
        if (end - begin).abs() > 0.01 {
            let name = |p: &StylePiece| match p.label {
                Some(l) => graph.labels().name(l).to_owned(),
                None => "any".to_owned(),
            };
            let what = match end < begin {
                true => format!(
                    "ends at {end:.2} m, and `{}` begins at {begin:.2} m: a gap of which nothing is said",
                    name(&pieces[k])
                ),
                false => format!(
                    "ends at {end:.2} m, and `{}` begins before that, at {begin:.2} m",
                    name(&pieces[k])
                ),
            };
            return Err(PathError::Style {
                piece: name(&pieces[k - 1]),
                what,
            }
            .into());
        }
    }
    actions.sort_by(|a, b| a.at.total_cmp(&b.at));
    for (number, action) in actions.iter().enumerate() {
        approach(&mut pieces, number, action.at);
    }
    Ok(Styles {
        pieces,
        actions,
        schedule: None,
    })
}

/// What is asked for on the way that is followed: the path, led round obstacles where it runs into them.
pub(crate) fn on_the_way<'p>(
    graph: &MotionGraph,
    path: &'p Path,
    options: &PathOptions,
) -> Result<(Cow<'p, Path>, Styles), SynthError> {
    let mut styles = resolve_styles(graph, &options.styles, path.length())?;
    styles.schedule = Schedule::new(&options.times, path.length())?;
    let Some(round) = led_round(path, options) else {
        return Ok((Cow::Borrowed(path), styles));
    };
    styles.schedule = styles.schedule.map(|s| s.led_round(|m| round.place(m)));
    for p in &mut styles.pieces {
        (p.from, p.to) = (round.place(p.from), round.place(p.to));
    }
    for a in &mut styles.actions {
        a.at = round.place(a.at);
    }
    styles.pieces[0].from = 0.0;
    if let Some(last) = styles.pieces.last_mut().filter(|p| p.action.is_none()) {
        last.to = round.path.length();
    }
    Ok((Cow::Owned(round.path), styles))
}

/// Splits the piece that an action lies in: what is before, what leads to it, what is after.
pub(crate) fn approach(pieces: &mut Vec<StylePiece>, number: usize, point: f64) {
    let at = pieces
        .iter()
        .position(|p| p.action.is_none() && point <= p.to)
        .unwrap_or(pieces.len() - 1);
    let whole = pieces[at];
    let begin = (point - APPROACH_M).max(whole.from);
    let parts = [
        StylePiece { to: begin, ..whole },
        StylePiece {
            from: begin,
            to: point,
            action: Some(number),
            ..whole
        },
        StylePiece {
            from: point,
            ..whole
        },
    ];
    let there = |p: &StylePiece| p.action.is_some() || p.to - p.from > 1e-6;
    pieces.splice(at..=at, parts.into_iter().filter(there));
}
