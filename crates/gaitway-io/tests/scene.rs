//! Several people in one file: everybody is there, from when they set out.

use std::io::{Cursor, Read};

use gaitway_core::Clip;
use gaitway_core::testing::swinging_clip;
use gaitway_io::gltf::{GlbOptions, write_glb_scene};
use gaitway_io::{OnStage, ReadOptions, UpAxis, WriteOptions, read_file, write_scene};
use proptest::prelude::*;
use serde_json::Value;

fn document(glb: &[u8]) -> Value {
    let long = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&glb[20..20 + long]).unwrap()
}

fn people<'a>(clips: &'a [Clip], starts: &[f64]) -> Vec<OnStage<'a>> {
    let all = clips.iter().zip(starts).enumerate();
    all.map(|(k, (clip, &start_s))| OnStage {
        name: format!("person-{}", k + 1),
        clip,
        start_s,
    })
    .collect()
}

fn scene(people: &[OnStage<'_>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_glb_scene(&mut bytes, people, &GlbOptions::default()).unwrap();
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Node by node: who belongs to whom, and when each is moved.
    #[test]
    fn everybody_sets_out_at_their_time(
        lengths in prop::collection::vec(2usize..40, 1..5),
        gap in 0.0f64..7.0,
    ) {
        let clips: Vec<Clip> = lengths.iter().map(|&n| swinging_clip("swing", n, 30.0)).collect();
        let starts: Vec<f64> = (0..clips.len()).map(|k| k as f64 * gap).collect();
        let all = people(&clips, &starts);
        let bytes = scene(&all);
        prop_assert_eq!(&bytes, &scene(&all), "the same people, the same bytes");
        let json = document(&bytes);
        let (nodes, skins) = (&json["nodes"], json["skins"].as_array().unwrap());
        prop_assert_eq!(skins.len(), clips.len());
        prop_assert_eq!(json["animations"].as_array().unwrap().len(), 1);
        let animation = &json["animations"][0];
        for (k, (clip, start)) in clips.iter().zip(&starts).enumerate() {
            let root = skins[k]["skeleton"].as_u64().unwrap();
            let joints: Vec<u64> =
                skins[k]["joints"].as_array().unwrap().iter().map(|j| j.as_u64().unwrap()).collect();
            prop_assert_eq!(joints[0], root);
            let above = nodes.as_array().unwrap().iter().find(|n| n["name"] == all[k].name.as_str());
            prop_assert_eq!(above.unwrap()["children"][0].as_u64(), Some(root));
            let moved = animation["channels"].as_array().unwrap().iter().find(|c| {
                c["target"]["node"].as_u64() == Some(root) && c["target"]["path"] == "translation"
            });
            let sampler = &animation["samplers"][moved.unwrap()["sampler"].as_u64().unwrap() as usize];
            let times = &json["accessors"][sampler["input"].as_u64().unwrap() as usize];
            let end = start + (clip.frame_count() - 1) as f64 / clip.rate_hz();
            prop_assert!((times["min"][0].as_f64().unwrap() - start).abs() < 1e-4);
            prop_assert!((times["max"][0].as_f64().unwrap() - end).abs() < 1e-4);
        }
        // Nobody moves a joint of somebody else's.
        let mut all_joints: Vec<u64> = skins
            .iter()
            .flat_map(|s| s["joints"].as_array().unwrap().iter().map(|j| j.as_u64().unwrap()))
            .collect();
        let count = all_joints.len();
        all_joints.sort_unstable();
        all_joints.dedup();
        prop_assert_eq!(all_joints.len(), count);
    }
}

#[test]
fn a_zip_file_has_a_bvh_each_and_says_when() {
    let clips = [swinging_clip("a", 20, 30.0), swinging_clip("b", 31, 30.0)];
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("crowd.zip");
    let options = WriteOptions {
        unit_m: Some(1.0),
        up: Some(UpAxis::Z),
        ..WriteOptions::default()
    };
    write_scene(&file, &people(&clips, &[0.0, 2.5]), &options).unwrap();
    let bytes = std::fs::read(&file).unwrap();
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut text = |name: &str| {
        let mut out = String::new();
        archive
            .by_name(name)
            .unwrap()
            .read_to_string(&mut out)
            .unwrap();
        out
    };
    let scene: Value = serde_json::from_str(&text("scene.json")).unwrap();
    assert_eq!(
        (scene["unit_m"].as_f64(), scene["up"].as_str()),
        (Some(1.0), Some("z"))
    );
    for (k, clip) in clips.iter().enumerate() {
        let row = &scene["people"][k];
        assert_eq!(row["start_s"].as_f64(), Some([0.0, 2.5][k]));
        assert_eq!(row["frames"], clip.frame_count());
        let name = row["file"].as_str().unwrap();
        let own = folder.path().join(name);
        std::fs::write(&own, text(name)).unwrap();
        let read = ReadOptions {
            unit: Some(gaitway_io::parse_unit("m").unwrap()),
            up: Some(UpAxis::Z),
            keep_first_frame: true,
            ..ReadOptions::default()
        };
        let back = read_file(&own, &read).unwrap();
        assert_eq!(back[0].clip.frame_count(), clip.frame_count());
    }
}

#[test]
fn what_holds_no_scene_says_what_does() {
    let clips = [swinging_clip("a", 5, 30.0)];
    let folder = tempfile::tempdir().unwrap();
    let none = folder.path().join("crowd.glb");
    assert!(write_scene(&none, &[], &WriteOptions::default()).is_err());
    assert!(!none.exists());
    let wrong = folder.path().join("crowd.fbx");
    let error = write_scene(&wrong, &people(&clips, &[0.0]), &WriteOptions::default()).unwrap_err();
    assert!(error.hint().is_some_and(|h| h.contains(".zip")), "{error}");
}
