//! By how much the estimate is inflated: from much to nothing.

use std::fmt;
use std::str::FromStr;

use crate::SynthError;

/// How many values there may be.
const MOST: usize = 24;
/// The largest that is of use: a search by so much goes by the estimate alone.
const LARGEST: f64 = 1e6;
/// Beside a value that is this near to the last one, none is worth a search of its own.
const NEAR: f64 = 0.06;

/// The values of ε that a search goes through, falling, none below 1.
///
/// ```
/// use gaitway_synth::search::Epsilons;
///
/// assert_eq!(Epsilons::OPTIMAL.values(), [1.0]);
/// let falling: Epsilons = "10..1".parse()?;
/// assert_eq!(falling.values()[..3], [10.0, 5.5, 3.25]);
/// assert_eq!("3, 1.5".parse::<Epsilons>()?.to_string(), "3,1.5");
/// assert!("1..10".parse::<Epsilons>().is_err());
/// # Ok::<(), gaitway_synth::SynthError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epsilons {
    values: [f64; MOST],
    count: usize,
}

impl Default for Epsilons {
    /// 10 to 1.
    fn default() -> Self {
        Self::halved(10.0, 1.0)
    }
}

impl Epsilons {
    /// 1 alone: A*, and Dijkstra's search where the estimate is 0.
    pub const OPTIMAL: Self = {
        let mut values = [0.0; MOST];
        values[0] = 1.0;
        Self { values, count: 1 }
    };

    /// From one value down to another: what is above 1 is halved each time, since every value costs a look at all that is open.
    ///
    /// # Errors
    /// When the first is not the larger, or either is below 1, above a million, or no number.
    pub fn falling(first: f64, last: f64) -> Result<Self, SynthError> {
        if first == last {
            return Self::list(&[first]);
        }
        Self::list(&[first, last])?;
        Ok(Self::halved(first, last))
    }

    fn halved(first: f64, last: f64) -> Self {
        let mut out = Self {
            values: [0.0; MOST],
            count: 0,
        };
        let mut next = first;
        while next > last + NEAR && out.count + 1 < MOST {
            out.values[out.count] = next;
            out.count += 1;
            next = 1.0 + (next - 1.0) / 2.0;
        }
        out.values[out.count] = last;
        out.count += 1;
        out
    }

    /// These values.
    ///
    /// # Errors
    /// When there are none or more than 24, they do not fall, or one is below 1, above a million, or no number.
    pub fn list(values: &[f64]) -> Result<Self, SynthError> {
        let wrong = |what: String| Err(SynthError::Options { what });
        if values.is_empty() || values.len() > MOST {
            let n = values.len();
            return wrong(format!("{n} values of epsilon cannot be: 1 to {MOST} can"));
        }
        if let Some(bad) = values.iter().find(|v| !(1.0..=LARGEST).contains(*v)) {
            return wrong(format!("epsilon cannot be {bad}: 1 to {LARGEST} can"));
        }
        if values.windows(2).any(|w| w[1] >= w[0]) {
            return wrong("values of epsilon must fall: 10..1 or 10,3,1".to_owned());
        }
        let mut out = Self {
            values: [0.0; MOST],
            count: values.len(),
        };
        out.values[..values.len()].copy_from_slice(values);
        Ok(out)
    }

    /// The values, falling.
    pub fn values(&self) -> &[f64] {
        &self.values[..self.count]
    }

    /// The last and least.
    pub fn last(&self) -> f64 {
        self.values[self.count - 1]
    }
}

impl FromStr for Epsilons {
    type Err = SynthError;

    /// `10..1`, `10,3,1` or `1`.
    fn from_str(text: &str) -> Result<Self, SynthError> {
        let number = |t: &str| {
            t.trim().parse::<f64>().map_err(|_| SynthError::Options {
                what: format!(
                    "expected values of epsilon, 10..1 or 10,3,1, found `{}`",
                    t.trim()
                ),
            })
        };
        match text.split_once("..") {
            Some((first, last)) => Self::falling(number(first)?, number(last)?),
            None => Self::list(&text.split(',').map(number).collect::<Result<Vec<_>, _>>()?),
        }
    }
}

impl fmt::Display for Epsilons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<String> = self.values().iter().map(ToString::to_string).collect();
        f.write_str(&all.join(","))
    }
}
