//! The source-rate frames of all captured clips, one after another, owned or memory-mapped.

use std::sync::OnceLock;

use gaitway_core::limits;

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

    /// Numbers that a clip could not hold, or no clip may have, in a file whose checksum is right.
    fn check_values(&self) -> Result<(), String> {
        limits::places(self.root.iter().flatten().copied())
            .map_err(|e| format!("a root position: {e}"))?;
        let longest = limits::LONGEST_BONE_M as f32;
        // Not a number is not within either.
        let bone = |v: &f32| v.abs() <= longest;
        if let Some(far) = self.translations.iter().flatten().find(|v| !bone(v)) {
            return Err(format!(
                "a translation: expected at most {longest} m, found {far:e} m"
            ));
        }
        let unit = |q: &[f32; 4]| (q.iter().map(|v| v * v).sum::<f32>() - 1.0).abs() <= 1e-4;
        if !self.rotations.iter().all(unit) {
            return Err("a rotation is not a unit quaternion".to_owned());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(root: [f64; 3], translation: [f32; 3]) -> Result<(), String> {
        let store = FrameStore {
            root: vec![root].into(),
            rotations: vec![[0.0, 0.0, 0.0, 1.0]].into(),
            translations: vec![translation].into(),
            contacts: vec![0].into(),
            ..FrameStore::default()
        };
        store.check_values()
    }

    #[test]
    fn numbers_that_no_clip_may_have_are_refused() {
        assert_eq!(found([2e7, 0.0, 1.0], [0.1, 0.0, 0.0]), Ok(()));
        let far = found([1e16, 0.0, 0.0], [0.0; 3]).expect_err("far");
        assert!(far.contains("25000 km") && far.contains("1e16"), "{far}");
        for long in [3e38, f32::INFINITY, f32::NAN] {
            let told = found([0.0; 3], [0.0, long, 0.0]).expect_err("long");
            assert!(told.starts_with("a translation: expected"), "{told}");
        }
        assert!(found([f64::NAN, 0.0, 0.0], [0.0; 3]).is_err());
    }
}
