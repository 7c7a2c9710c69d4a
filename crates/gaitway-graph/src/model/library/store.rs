//! The source-rate frames of all captured clips, one after another, owned or memory-mapped.

use std::sync::OnceLock;

use crate::GraphError;
use crate::model::array::Array;

/// Frames of all captured clips as arrays. What a clip's arrays are is said by its [`ClipInfo`](crate::ClipInfo).
#[derive(Clone, Debug, Default)]
pub(crate) struct FrameStore {
    /// Metres, world, one per frame.
    pub root: Array<[f64; 3]>,
    /// Local rotations x y z w, frame-major.
    pub rotations: Array<[f32; 4]>,
    /// Translation tracks: clip by clip, track by track, a value per frame.
    pub translations: Array<[f32; 3]>,
    /// One bit per contact point, one mask per frame; 0 where contacts are not known.
    pub contacts: Array<u32>,
    /// What the file says the BLAKE3 of these arrays is; `None` for frames that were never in a file.
    pub expected: Option<[u8; 32]>,
    /// Filled on first use.
    pub checked: OnceLock<Result<(), String>>,
}

impl FrameStore {
    /// BLAKE3 over all arrays in the order of the file.
    pub fn checksum(&self) -> [u8; 32] {
        let mut hash = blake3::Hasher::new();
        hash.update_rayon(bytemuck::cast_slice(&self.root));
        hash.update_rayon(bytemuck::cast_slice(&self.contacts));
        hash.update_rayon(bytemuck::cast_slice(&self.rotations));
        hash.update_rayon(bytemuck::cast_slice(&self.translations));
        *hash.finalize().as_bytes()
    }

    /// Checks frames that came from a file, once; later calls are free.
    pub fn check(&self) -> Result<(), GraphError> {
        let result = self.checked.get_or_init(|| match self.expected {
            None => Ok(()),
            Some(expected) if expected != self.checksum() => {
                Err("the frames do not match their checksum".to_owned())
            }
            Some(_) => self.check_values(),
        });
        result.clone().map_err(|what| GraphError::Damaged { what })
    }

    /// Numbers that a clip could not hold, in a file whose checksum is right.
    fn check_values(&self) -> Result<(), String> {
        if !self.root.iter().flatten().all(|v| v.is_finite()) {
            return Err("a root position is not finite".to_owned());
        }
        if !self.translations.iter().flatten().all(|v| v.is_finite()) {
            return Err("a translation is not finite".to_owned());
        }
        let unit = |q: &[f32; 4]| (q.iter().map(|v| v * v).sum::<f32>() - 1.0).abs() <= 1e-4;
        if !self.rotations.iter().all(unit) {
            return Err("a rotation is not a unit quaternion".to_owned());
        }
        Ok(())
    }
}
