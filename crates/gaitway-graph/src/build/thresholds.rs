//! Thresholds in centimetres of √D per ordered pair of labels: one value, a table, or chosen from the data.

use gaitway_core::text::found_in_json;
use serde::Deserialize;

use crate::{GraphError, LabelId, LabelSet, LabelTable};

/// What the user asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Thresholds {
    /// One value for all pairs, in centimetres.
    Value(f64),
    /// A default and values for some ordered pairs of labels.
    Pairs {
        /// Where no pair matches.
        default_cm: f64,
        /// From, to, centimetres.
        pairs: Vec<(String, String, f64)>,
    },
    /// Chosen from the data; see [`crate::build::auto`].
    Auto,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TableFile {
    default: f64,
    #[serde(default)]
    pair: Vec<PairRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PairRow {
    from: String,
    to: String,
    cm: f64,
}

impl Thresholds {
    /// One value for all pairs, in centimetres.
    pub fn cm(value: f64) -> Self {
        Self::Value(value)
    }

    /// Chosen from the data.
    pub fn auto() -> Self {
        Self::Auto
    }

    /// Reads a table: `default = 6.0`, then any number of `[[pair]]` with `from`, `to` and `cm`.
    ///
    /// # Errors
    /// With the line and what was expected there.
    pub fn from_toml(text: &str, file: &str) -> Result<Self, GraphError> {
        let bad = |e: toml::de::Error| {
            let before = &text[..e.span().map_or(0, |s| s.start.min(text.len()))];
            let line = 1 + before.matches('\n').count();
            let column = 1 + before.chars().rev().take_while(|&c| c != '\n').count();
            GraphError::ThresholdsFile {
                file: format!("{file}:{line}:{column}"),
                what: format!(
                    "expected default = 6.0 or [[pair]] with from, to and cm, found {}",
                    found_in_json(e.message())
                ),
            }
        };
        let table: TableFile = toml::from_str(text).map_err(bad)?;
        let pairs = table
            .pair
            .into_iter()
            .map(|p| (p.from, p.to, p.cm))
            .collect();
        Ok(Self::Pairs {
            default_cm: table.default,
            pairs,
        })
    }

    /// The matrix over a graph's labels; `None` for [`Thresholds::Auto`], which needs the data.
    ///
    /// # Errors
    /// When a value is not a distance below the ceiling, or a label is not known.
    pub fn matrix(
        &self,
        labels: &LabelTable,
        ceiling_cm: f64,
    ) -> Result<Option<ThresholdMatrix>, GraphError> {
        let (default_cm, pairs): (f64, &[_]) = match self {
            Self::Value(cm) => (*cm, &[]),
            Self::Pairs { default_cm, pairs } => (*default_cm, pairs),
            Self::Auto => return Ok(None),
        };
        let check = |cm: f64| {
            let what = if !cm.is_finite() || cm < 0.0 {
                format!("a threshold of {cm} cm is not a distance")
            } else if cm > ceiling_cm {
                format!(
                    "a threshold of {cm} cm lies above the ceiling of {ceiling_cm} cm, past which no candidates are kept"
                )
            } else {
                return Ok(cm);
            };
            Err(GraphError::Options { what })
        };
        let known = |name: &str| {
            let unknown = || GraphError::UnknownLabel {
                label: name.to_owned(),
                known: labels.names().to_vec(),
            };
            labels.find(name).ok_or_else(unknown)
        };
        let mut matrix = ThresholdMatrix::uniform(check(default_cm)?, labels.len());
        for (from, to, cm) in pairs {
            matrix.set(known(from)?, known(to)?, check(*cm)?);
        }
        Ok(Some(matrix))
    }
}

/// A threshold per ordered pair of labels, and one for pairs that have none of their own.
#[derive(Clone, Debug)]
pub struct ThresholdMatrix {
    /// Where no pair matches.
    pub default_cm: f64,
    /// Whether the values were chosen from the data.
    pub auto: bool,
    /// Row `from`, column `to`; NaN where the pair has none.
    cells: Vec<f64>,
    labels: usize,
}

impl PartialEq for ThresholdMatrix {
    fn eq(&self, other: &Self) -> bool {
        (self.default_cm, self.auto, self.labels) == (other.default_cm, other.auto, other.labels)
            && self.pairs().eq(other.pairs())
    }
}

impl ThresholdMatrix {
    /// One value everywhere.
    pub fn uniform(cm: f64, labels: usize) -> Self {
        Self {
            default_cm: cm,
            auto: false,
            cells: vec![f64::NAN; labels * labels],
            labels,
        }
    }

    /// The same with no threshold below a value: those that are lower are raised to it, others stay.
    pub fn at_least(&self, cm: f64) -> Self {
        Self {
            default_cm: self.default_cm.max(cm),
            auto: false,
            // NaN, where a pair has none, stays.
            cells: self
                .cells
                .iter()
                .map(|&c| if c < cm { cm } else { c })
                .collect(),
            labels: self.labels,
        }
    }

    /// Sets the threshold of an ordered pair.
    pub fn set(&mut self, from: LabelId, to: LabelId, cm: f64) {
        self.cells[from.index() * self.labels + to.index()] = cm;
    }

    /// The pair's own threshold, where it has one.
    pub fn get(&self, from: LabelId, to: LabelId) -> Option<f64> {
        let cm = self.cells[from.index() * self.labels + to.index()];
        (!cm.is_nan()).then_some(cm)
    }

    /// The pairs that have thresholds of their own, by (from, to).
    pub fn pairs(&self) -> impl Iterator<Item = (LabelId, LabelId, f64)> + '_ {
        let n = self.labels.max(1);
        let all = self.cells.iter().enumerate().filter(|(_, cm)| !cm.is_nan());
        all.map(move |(k, &cm)| (LabelId((k / n) as u32), LabelId((k % n) as u32), cm))
    }

    /// What would ask for these thresholds again: `Auto` where they were chosen from the data.
    pub fn spec(&self, labels: &LabelTable) -> Thresholds {
        if self.auto {
            return Thresholds::Auto;
        }
        let name = |l: LabelId| labels.name(l).to_owned();
        let pairs: Vec<_> = self
            .pairs()
            .map(|(a, b, cm)| (name(a), name(b), cm))
            .collect();
        if pairs.is_empty() {
            Thresholds::Value(self.default_cm)
        } else {
            Thresholds::Pairs {
                default_cm: self.default_cm,
                pairs,
            }
        }
    }

    /// The threshold from frames of one label set to frames of another: the most permissive matching pair,
    /// the default where none matches.
    pub fn between(&self, from: LabelSet, to: LabelSet) -> f64 {
        let pairs = from.iter().flat_map(|a| to.iter().map(move |b| (a, b)));
        pairs
            .filter_map(|(a, b)| self.get(a, b))
            .reduce(f64::max)
            .unwrap_or(self.default_cm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> LabelTable {
        LabelTable::new(["walk", "sneak", "turn"].map(str::to_owned)).expect("few labels")
    }

    #[test]
    fn the_most_permissive_matching_pair_counts() {
        let text = "default = 6.0\n[[pair]]\nfrom = \"walk\"\nto = \"sneak\"\ncm = 9.0\n[[pair]]\nfrom = \"turn\"\nto = \"sneak\"\ncm = 2.5\n";
        let matrix = Thresholds::from_toml(text, "t.toml")
            .and_then(|t| t.matrix(&table(), 15.0))
            .expect("read")
            .expect("a matrix");
        let set = |names: &[&str]| {
            names.iter().fold(LabelSet::EMPTY, |s, n| {
                s.union(LabelSet::of(table().find(n).expect("known")))
            })
        };
        assert_eq!(matrix.between(set(&["walk"]), set(&["sneak"])), 9.0);
        assert_eq!(matrix.between(set(&["sneak"]), set(&["walk"])), 6.0);
        assert_eq!(matrix.between(set(&["turn"]), set(&["sneak"])), 2.5);
        assert_eq!(
            matrix.between(set(&["turn", "walk"]), set(&["sneak", "walk"])),
            9.0
        );
    }

    #[test]
    fn raising_lowers_nothing_and_gives_no_pair_a_threshold() {
        let mut matrix = ThresholdMatrix::uniform(6.0, 3);
        matrix.set(LabelId(0), LabelId(1), 9.0);
        matrix.set(LabelId(1), LabelId(0), 4.0);
        let raised = matrix.at_least(7.5);
        assert_eq!(raised.default_cm, 7.5);
        assert_eq!(raised.get(LabelId(0), LabelId(1)), Some(9.0));
        assert_eq!(raised.get(LabelId(1), LabelId(0)), Some(7.5));
        assert_eq!(raised.get(LabelId(2), LabelId(0)), None);
    }

    #[test]
    fn bad_tables_are_told() {
        let unknown = Thresholds::from_toml(
            "default = 6\n[[pair]]\nfrom='hop'\nto='walk'\ncm=3\n",
            "t.toml",
        )
        .expect("read");
        let error = unknown
            .matrix(&table(), 15.0)
            .expect_err("unknown label")
            .to_string();
        assert!(
            error.contains("`hop`") && error.contains("sneak"),
            "{error}"
        );
        assert!(
            Thresholds::from_toml("defualt = 6", "t.toml")
                .expect_err("a slip")
                .to_string()
                .contains("t.toml")
        );
        assert!(
            Thresholds::cm(20.0)
                .matrix(&table(), 15.0)
                .expect_err("too high")
                .to_string()
                .contains("ceiling")
        );
        assert!(Thresholds::cm(f64::NAN).matrix(&table(), 15.0).is_err());
    }
}
