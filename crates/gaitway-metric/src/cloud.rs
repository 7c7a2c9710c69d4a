//! A clip as a cloud of weighted points per frame, the only thing the distance sees of it.
//!
//! Positions are kept as each frame's weighted marker mean on the ground (its *path*) plus what
//! remains of every marker (its *body*). The split costs nothing later and keeps every digit of a
//! walk that ends kilometres from where it began.

use crate::error::MetricError;
use crate::markers::MarkerSet;
use crate::simd::eight::LANES;
use gaitway_core::Clip;
use glam::DVec3;

/// Marker positions of every frame of a clip at the working rate, with marker weights that sum to one.
#[derive(Clone, Debug)]
pub struct PointCloud {
    name: String,
    rate_hz: f64,
    frames: usize,
    markers: usize,
    stride: usize,
    weights: Vec<f64>,
    path: Vec<[f64; 2]>,
    /// Body x, body z and height, `[frame][x z y][padded marker]`: a window is one run of memory.
    body: Vec<f64>,
    checksum: [u8; 32],
}

impl PointCloud {
    /// The cloud of a clip: resampled to `rate_hz` where it has another rate, then one to three markers per
    /// joint and one per end site as `markers` says. Markers that coincide in every clip of the skeleton
    /// (limbs of no length) are merged, which changes no distance.
    pub fn from_clip(clip: &Clip, markers: &MarkerSet, rate_hz: f64) -> Result<Self, MetricError> {
        let at_rate;
        let clip = if (clip.rate_hz() - rate_hz).abs() < 1e-9 {
            clip
        } else {
            at_rate =
                gaitway_core::resample::resample(clip, rate_hz).map_err(|e| MetricError::Clip {
                    clip: clip.name().to_owned(),
                    source: Box::new(e),
                })?;
            &at_rate
        };
        let layout = markers.layout(clip)?;
        let mut positions = Vec::with_capacity(clip.frame_count() * layout.len());
        layout.place(clip, &mut positions);
        Self::from_positions(clip.name(), rate_hz, layout.weights(), &positions)
    }

    /// A cloud of given points, `positions[frame * weights.len() + marker]`. Weights are scaled to sum to one;
    /// markers without weight are left out.
    pub fn from_positions(
        name: impl Into<String>,
        rate_hz: f64,
        weights: &[f64],
        positions: &[DVec3],
    ) -> Result<Self, MetricError> {
        let name = name.into();
        if let Some((s, &weight)) = weights
            .iter()
            .enumerate()
            .find(|(_, w)| !w.is_finite() || **w < 0.0)
        {
            return Err(MetricError::BadWeight {
                joint: format!("marker {s}"),
                weight,
            });
        }
        if !rate_hz.is_finite() || rate_hz <= 0.0 {
            return Err(MetricError::Options {
                what: format!("a working rate of {rate_hz} Hz is not possible"),
            });
        }
        let total: f64 = weights.iter().sum();
        let kept: Vec<usize> = (0..weights.len()).filter(|&s| weights[s] > 0.0).collect();
        if kept.is_empty() || !total.is_finite() {
            return Err(MetricError::NoWeight);
        }
        let frames = positions.len() / weights.len();
        let stride = kept.len().next_multiple_of(LANES);
        let mut cloud = Self {
            name,
            rate_hz,
            frames,
            markers: kept.len(),
            stride,
            weights: kept.iter().map(|&s| weights[s] / total).collect(),
            path: Vec::with_capacity(frames),
            body: vec![0.0; frames * stride * 3],
            checksum: [0; 32],
        };
        cloud.weights.resize(stride, 0.0);
        for (frame, points) in positions.chunks_exact(weights.len()).enumerate() {
            cloud.set_frame(frame, points, &kept)?;
        }
        cloud.checksum = cloud.compute_checksum();
        Ok(cloud)
    }

    fn set_frame(
        &mut self,
        frame: usize,
        points: &[DVec3],
        kept: &[usize],
    ) -> Result<(), MetricError> {
        if !kept.iter().all(|&s| points[s].is_finite()) {
            return Err(MetricError::NotFinite {
                clip: self.name.clone(),
                frame,
            });
        }
        // Sums are taken from the first marker, so that they lose nothing far from the origin.
        let origin = points[kept[0]];
        let (mut x, mut z) = (0.0, 0.0);
        for (&s, w) in kept.iter().zip(&self.weights) {
            x += w * (points[s].x - origin.x);
            z += w * (points[s].z - origin.z);
        }
        self.path.push([origin.x + x, origin.z + z]);
        for (k, &s) in kept.iter().enumerate() {
            let at = frame * self.stride * 3 + k;
            self.body[at] = points[s].x - origin.x - x;
            self.body[at + self.stride] = points[s].z - origin.z - z;
            self.body[at + 2 * self.stride] = points[s].y;
        }
        Ok(())
    }

    /// BLAKE3 of everything a distance can see: rate, weights, positions. The name is no part of it.
    fn compute_checksum(&self) -> [u8; 32] {
        let mut hash = blake3::Hasher::new();
        hash.update(b"gaitway cloud 1");
        hash.update(&self.rate_hz.to_le_bytes());
        hash.update(&(self.markers as u64).to_le_bytes());
        hash.update(&(self.frames as u64).to_le_bytes());
        for values in [&self.weights, &self.body] {
            hash.update(bytemuck::cast_slice(values));
        }
        hash.update(bytemuck::cast_slice(&self.path));
        *hash.finalize().as_bytes()
    }

    /// The clip's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Frames per second.
    pub fn rate_hz(&self) -> f64 {
        self.rate_hz
    }

    /// Frames.
    pub fn frame_count(&self) -> usize {
        self.frames
    }

    /// Markers that carry weight.
    pub fn marker_count(&self) -> usize {
        self.markers
    }

    /// σ_s of every marker; they sum to one.
    pub fn weights(&self) -> &[f64] {
        &self.weights[..self.markers]
    }

    /// Identifies the cloud's contents (rate, weights, positions).
    pub fn checksum(&self) -> &[u8; 32] {
        &self.checksum
    }

    /// Where a marker is in a frame.
    pub fn position(&self, frame: usize, marker: usize) -> DVec3 {
        assert!(marker < self.markers, "marker {marker} of {}", self.markers);
        let ([x, z], [body_x, body_z, height]) = (self.path[frame], self.frame(frame));
        DVec3::new(x + body_x[marker], height[marker], z + body_z[marker])
    }

    /// Every `step`-th frame, at a rate that many times lower.
    pub fn thinned(&self, step: usize) -> Self {
        let step = step.max(1);
        let mut thin = Self {
            rate_hz: self.rate_hz / step as f64,
            frames: self.frames.div_ceil(step),
            path: self.path.iter().step_by(step).copied().collect(),
            body: self
                .body
                .chunks_exact(self.stride * 3)
                .step_by(step)
                .flatten()
                .copied()
                .collect(),
            name: self.name.clone(),
            weights: self.weights.clone(),
            ..*self
        };
        thin.checksum = thin.compute_checksum();
        thin
    }

    /// The body of `frames` frames from `first` on, `[frame][x z y][padded marker]`.
    pub(crate) fn run(&self, first: usize, frames: usize) -> &[f64] {
        &self.body[first * 3 * self.stride..(first + frames) * 3 * self.stride]
    }

    pub(crate) fn path(&self) -> &[[f64; 2]] {
        &self.path
    }

    /// Padded weights, zeros after the last marker.
    pub(crate) fn padded_weights(&self) -> &[f64] {
        &self.weights
    }

    /// Body x, body z and height of a frame, padded like the weights.
    #[inline]
    pub(crate) fn frame(&self, frame: usize) -> [&[f64]; 3] {
        let n = self.stride;
        let all = &self.body[frame * 3 * n..(frame + 1) * 3 * n];
        let (x, rest) = all.split_at(n);
        let (z, y) = rest.split_at(n);
        [x, z, y]
    }

    /// Whether two clouds have the same markers with the same weights and rate.
    pub(crate) fn check_match(&self, other: &Self) -> Result<(), MetricError> {
        if self.rate_hz != other.rate_hz {
            return Err(MetricError::DifferentRates {
                a: self.name.clone(),
                b: other.name.clone(),
                a_hz: self.rate_hz,
                b_hz: other.rate_hz,
            });
        }
        if self.weights != other.weights || self.markers != other.markers {
            return Err(MetricError::DifferentMarkers {
                a: self.name.clone(),
                b: other.name.clone(),
            });
        }
        Ok(())
    }
}
