//! Any bytes, and good files with some damage.

use gaitway_io::acclaim::{read_amc, read_asf};
use proptest::prelude::*;

use super::{AMC, ASF};

fn damaged(good: &str, damage: &[(usize, u8)], cut: usize) -> Vec<u8> {
    let mut bytes = good.as_bytes().to_vec();
    for &(at, value) in damage {
        if let Some(byte) = bytes.get_mut(at) {
            *byte = value;
        }
    }
    bytes.truncate(bytes.len().saturating_sub(cut));
    bytes
}

fn damage() -> impl Strategy<Value = Vec<(usize, u8)>> {
    let bytes = b"\t\n 0-9.eX#:()\xFF\0".to_vec();
    prop::collection::vec((0..700_usize, prop::sample::select(bytes)), 0..8)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let asf = read_asf("good.asf", ASF.as_bytes()).unwrap();
        let _ = read_asf("any.asf", &bytes);
        let _ = read_amc("any.amc", &bytes, &asf);
    }

    #[test]
    fn damaged_files_are_survived(in_asf in damage(), in_amc in damage(), cut in 0..300_usize) {
        let asf = read_asf("good.asf", ASF.as_bytes()).unwrap();
        let asf = read_asf("any.asf", &damaged(ASF, &in_asf, cut / 10)).unwrap_or(asf);
        if let Ok(clip) = read_amc("any.amc", &damaged(AMC, &in_amc, cut), &asf) {
            prop_assert_eq!(clip.rotations.len(), clip.root.len() * clip.joints.len());
            prop_assert!(clip.rotations.iter().all(|q| q.is_normalized()));
            prop_assert!(clip.joints.iter().all(|j| j.offset.is_finite()));
        }
    }
}
