//! What a motion along a path did, as charts: how far off it was, how fast it went, where it changed clips.

use crate::draw::axes::Axis;
use crate::draw::chart::{Chart, Mark, Marker, Series};

/// The size of a chart on a report's page.
pub const CHART: (u32, u32) = (940, 300);

/// A motion along a path in numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathTrace {
    /// Metres walked, cm off the nearest point of the path.
    pub error_cm: Vec<(f64, f64)>,
    /// Seconds, speed over the ground in m/s.
    pub speed_m_s: Vec<(f64, f64)>,
    /// Seconds, √D in cm of each transition.
    pub transitions_cm: Vec<(f64, f64)>,
    /// Where a style begins: metres walked, seconds, name.
    pub styles: Vec<(f64, f64, String)>,
}

fn from_zero(name: &str, points: &[(f64, f64)], least: f64) -> Axis {
    let most = points.iter().map(|p| p.1).fold(least, f64::max);
    Axis {
        range: Some((0.0, 1.12 * most)),
        ..Axis::linear(name)
    }
}

impl PathTrace {
    fn borders(&self, at: impl Fn(&(f64, f64, String)) -> f64) -> Vec<Marker> {
        let marker = |s: &(f64, f64, String)| Marker {
            x: at(s),
            name: s.2.clone(),
        };
        self.styles.iter().map(marker).collect()
    }

    fn seconds(&self) -> Axis {
        let last = |p: &[(f64, f64)]| p.last().map_or(0.0, |p| p.0);
        let end = last(&self.speed_m_s).max(last(&self.transitions_cm));
        Axis {
            range: (end > 0.0).then_some((0.0, end)),
            ..Axis::linear("seconds")
        }
    }

    /// How far from the path, over the metres walked.
    pub fn error_chart(&self) -> Chart {
        let end = self.error_cm.last().map_or(0.0, |p| p.0);
        Chart {
            title: "How far from the path".to_owned(),
            x: Axis {
                range: (end > 0.0).then_some((0.0, end)),
                ..Axis::linear("metres walked")
            },
            y: from_zero("cm", &self.error_cm, 5.0),
            series: vec![Series::line("", self.error_cm.clone())],
            markers: self.borders(|s| s.0),
        }
    }

    /// Speed over time.
    pub fn speed_chart(&self) -> Chart {
        Chart {
            title: "How fast".to_owned(),
            x: self.seconds(),
            y: from_zero("m/s", &self.speed_m_s, 1.0),
            series: vec![Series::line("", self.speed_m_s.clone())],
            markers: self.borders(|s| s.1),
        }
    }

    /// The transitions and how unlike the clips are that they join.
    pub fn transition_chart(&self) -> Chart {
        Chart {
            title: "Where one clip flows into another, and how unlike they are there".to_owned(),
            x: self.seconds(),
            y: from_zero("cm", &self.transitions_cm, 5.0),
            series: vec![Series::line("", self.transitions_cm.clone()).with_mark(Mark::Stem)],
            markers: self.borders(|s| s.1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charts_are_drawn_with_their_styles() {
        let trace = PathTrace {
            error_cm: vec![(0.0, 1.0), (1.0, 2.0)],
            speed_m_s: vec![(0.0, 1.1), (1.0, 1.2)],
            transitions_cm: vec![(0.5, 4.0)],
            styles: vec![(0.0, 0.0, "walk".into()), (0.6, 0.5, "sneak".into())],
        };
        for chart in [
            trace.error_chart(),
            trace.speed_chart(),
            trace.transition_chart(),
        ] {
            let svg = chart.draw(CHART.0, CHART.1).expect("a chart").to_svg();
            assert!(svg.contains("sneak"), "{}", chart.title);
        }
        assert!(PathTrace::default().error_chart().draw(940, 300).is_err());
    }
}
