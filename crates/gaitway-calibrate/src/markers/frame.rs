//! The frame of a body of three or more markers, and how noise of them shakes it.

use glam::{DQuat, DVec3};

use super::template::{Template, matrix};
use crate::linalg::{Square, symmetric_eigen};
use crate::noise::Noise;
use crate::tracks::{Sample, Track};

/// A body's frame in every key frame: place = turn (x − from) + to.
pub(super) struct Frame {
    pub(super) at: Vec<Option<(DQuat, DVec3, DVec3)>>,
    /// How well the points hold the frame: their spread across their own line, metres.
    pub(super) spread: f64,
    /// How far points are off their places, per axis, metres.
    deviation_m: f64,
    /// How many points there are.
    count: f64,
    /// Their moments of inertia about their middle, m², with the axes.
    inertia: [(f64, DVec3); 3],
}

/// Points that are nearer to a line than this hold no frame, metres.
const LEAST_SPREAD_M: f64 = 0.012;

impl Frame {
    pub(super) fn of(points: &[Vec<Option<DVec3>>]) -> Option<Self> {
        if points.len() < 3 {
            return None;
        }
        let template = Template::of(points)?;
        let n = template.points.len() as f64;
        let mean = template.points.iter().sum::<DVec3>() / n;
        let mut about = Square::zero(3);
        for p in &template.points {
            let d = *p - mean;
            about.add_block(0, 0, &(crate::linalg::outer(d, d) * (1.0 / n)));
        }
        let (values, vectors) = symmetric_eigen(&about);
        let spread = values[1].max(0.0).sqrt();
        let whole: f64 = values.iter().sum();
        let inertia = std::array::from_fn(|k| {
            let v = &vectors[k];
            (n * (whole - values[k]), DVec3::new(v[0], v[1], v[2]))
        });
        let deviation_m = template.deviation_m(points).unwrap_or(0.0);
        // The frame's origin is the points' middle: along what motion does not tell, a hinge's axis, a joint is put near to it.
        let about_mean = |(turn, from, to): (DQuat, DVec3, DVec3)| (turn, from - mean, to);
        let at = template.at.into_iter().map(|at| at.map(about_mean));
        (spread > LEAST_SPREAD_M).then(|| Self {
            at: at.collect(),
            spread,
            deviation_m,
            count: n,
            inertia,
        })
    }

    /// Where a place is in the frame.
    pub(super) fn local(&self, t: usize, place: DVec3) -> Option<DVec3> {
        let (turn, from, to) = self.at[t]?;
        Some(turn.conjugate() * (place - to) + from)
    }

    /// How far points are off their places, per axis, metres.
    pub(super) fn deviation_m(&self) -> f64 {
        self.deviation_m
    }

    /// How far noise of the points moves a place of the frame, m².
    pub(super) fn noise2_at(&self, local: DVec3) -> f64 {
        self.deviation_m * self.deviation_m * self.shake2_at(local)
    }

    /// The same for noise of 1 per axis: it shifts the frame and turns it about the points' middle.
    pub(super) fn shake2_at(&self, local: DVec3) -> f64 {
        let turned = |&(moment, axis): &(f64, DVec3)| {
            axis.cross(local).length_squared() / f64::max(moment, 1e-12)
        };
        3.0 / self.count + self.inertia.iter().map(turned).sum::<f64>()
    }

    /// The same as that of a sensor, whose rotation shakes alike about all axes.
    pub(super) fn noise(&self) -> Noise {
        let turned: f64 = self.inertia.iter().map(|i| 1.0 / i.0.max(1e-12)).sum();
        Noise {
            place_m: self.deviation_m / self.count.sqrt(),
            turn_rad: self.deviation_m * (turned / 3.0).sqrt(),
        }
    }

    pub(super) fn place(&self, t: usize, local: DVec3) -> Option<DVec3> {
        let (turn, from, to) = self.at[t]?;
        Some(turn * (local - from) + to)
    }
}

impl Frame {
    /// As a sensor would see it.
    pub(super) fn track(&self) -> Track {
        let frame = self;
        Track {
            poses: frame
                .at
                .iter()
                .map(|at| {
                    let (turn, from, to) =
                        at.unwrap_or((DQuat::IDENTITY, DVec3::ZERO, DVec3::ZERO));
                    Sample {
                        place: to - turn * from,
                        turn: matrix(turn),
                        seen: at.is_some(),
                    }
                })
                .collect(),
        }
    }
}
