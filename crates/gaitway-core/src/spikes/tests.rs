//! Smooth motion keeps its bits, spikes go.

use glam::{DVec3, Quat, Vec3};
use proptest::prelude::*;

use super::*;
use crate::rotation::angle_between;
use crate::testing::{Walker, small_body, swinging_clip, walking_clip};

/// SpikeKind of random waves of up to `fast` hertz, and noise of a deviation in radians (and in 20 cm).
pub(super) fn waves(seed: u64, fast: f64, rate_hz: f64, frames: usize, noise: f64) -> Clip {
    let skeleton = small_body();
    let mut state = seed.wrapping_mul(2).wrapping_add(1);
    let mut random = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1_u32 << 31) * 2.0 - 1.0
    };
    let joints = skeleton.joint_count();
    let mut wave = |size: f64| -> Vec<[f64; 3]> {
        let parts: Vec<[f64; 3]> = (0..4)
            .map(|_| [size * random(), fast * random().abs(), 6.3 * random()])
            .collect();
        parts
    };
    let ways: Vec<[Vec<[f64; 3]>; 3]> = (0..=joints)
        .map(|_| [wave(0.3), wave(0.3), wave(0.3)])
        .collect();
    let at = |way: &[Vec<[f64; 3]>; 3], f: usize| {
        let t = f as f64 / rate_hz;
        let sum = |w: &Vec<[f64; 3]>| -> f64 {
            w.iter()
                .map(|[a, hz, phase]| a * (std::f64::consts::TAU * hz * t + phase).sin())
                .sum()
        };
        DVec3::new(sum(&way[0]), sum(&way[1]), sum(&way[2]))
    };
    let mut root = Vec::new();
    let mut rotations = Vec::new();
    let mut shake = move |size: f64| DVec3::new(random(), random(), random()) * size;
    for f in 0..frames {
        root.push(at(&ways[joints], f) + shake(0.2 * noise));
        rotations.extend((0..joints).map(|j| {
            let v: Vec3 = (at(&ways[j], f) + shake(noise)).as_vec3();
            Quat::from_scaled_axis(v)
        }));
    }
    Clip::new("waves", skeleton, rate_hz, root, rotations).expect("finite")
}

fn turned(clip: &Clip, joint: usize, frames: Range<usize>, by: Quat) -> Clip {
    let mut parts = clip.clone().into_parts();
    let joints = clip.joint_count();
    for f in frames {
        parts.rotations[f * joints + joint] *= by;
    }
    parts.build().expect("finite")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn smooth_motion_keeps_its_bits(seed in any::<u64>(), rate in 0_usize..4, noise in 0.0..0.01_f64) {
        let rate = [30.0, 60.0, 120.0, 240.0][rate];
        let clip = waves(seed, 4.0, rate, 400, noise);
        prop_assert!(repair(&clip).is_none(), "{:?}", repair(&clip).map(|r| r.spikes));
    }

    #[test]
    fn a_spike_is_found_and_goes(
        seed in any::<u64>(),
        joint in 0_usize..9,
        frame in 5_usize..380,
        long in 1_usize..3,
        degrees in 60.0..150.0_f32,
        noise in 0.0..0.002_f64,
    ) {
        let clip = waves(seed, 1.0, 120.0, 400, noise);
        let spiked = turned(&clip, joint, frame..frame + long, Quat::from_rotation_z(degrees.to_radians()));
        let mended = repair(&spiked).expect("a spike");
        prop_assert_eq!(mended.spikes.len(), 1, "{:?}", &mended.spikes);
        prop_assert_eq!(mended.spikes[0].frames.clone(), frame..frame + long);
        for f in 0..clip.frame_count() {
            for (j, (now, was)) in mended.clip.frame_rotations(f).iter().zip(clip.frame_rotations(f)).enumerate() {
                if j == joint && (frame..frame + long).contains(&f) {
                    // The cubic is off by the motion's fourth derivative and a few deviations of noise.
                    let off = angle_between(*now, *was);
                    prop_assert!(off < 0.02 + 6.0 * noise, "{off} rad at {f}");
                } else {
                    prop_assert_eq!(now, was);
                }
            }
        }
        prop_assert_eq!(mended.clip.root(), clip.root());
        prop_assert!(repair(&mended.clip).is_none(), "nothing is left");
    }
}

/// Any motion with joints thrown about here and there: short and long, smooth and wild, near and beyond all measure.
fn thrown_about(seed: u64) -> Clip {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut pick = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) as usize % below
    };
    let frames = [0, 1, 2, 7, 17, 18, 19, 60, 60, 150, 300][pick(11)];
    let rate = [24.0, 60.0, 120.0, 240.0][pick(4)];
    let noise = [0.0, 1e-4, 1e-4, 1e-3, 3.0][pick(5)];
    let clip = waves(seed, 1.0, rate, frames, noise);
    let (joints, arm) = (clip.joint_count(), JointIdx(8));
    let values = (0..frames).map(|f| Vec3::new(0.18, 0.01 * (0.1 * f as f32).sin(), 0.0));
    let track = crate::TranslationTrack {
        joint: arm,
        values: values.collect(),
    };
    let mut parts = clip
        .with_translations(vec![track])
        .expect("the track fits")
        .into_parts();
    let size = [1.0, 1.0, 1.0, 1e12, 1e300][pick(5)];
    parts.root.iter_mut().for_each(|p| *p *= size);
    for _ in 0..if frames == 0 { 0 } else { pick(6) } {
        // The second of two throws often lies beside the first, and the ends have their share.
        let f = [0, frames - 1, frames / 2, frames / 2 + 3, pick(frames)][pick(5)].min(frames - 1);
        let far = 0.05 * 2_f64.powi(pick(6) as i32);
        match pick(4) {
            0 => parts.root[f].y += far * size,
            1 => parts.translations[0].values[f].z += far as f32,
            _ => parts.rotations[f * joints + pick(joints)] *= Quat::from_rotation_z(far as f32),
        }
    }
    parts.build().expect("finite")
}

/// Whether two clips have the same value of a channel in a frame, to the bit.
fn same_value(a: &Clip, b: &Clip, joint: JointIdx, kind: SpikeKind, frame: usize) -> bool {
    match (kind, joint) {
        (SpikeKind::Rotation, _) => a.rotation(frame, joint) == b.rotation(frame, joint),
        (SpikeKind::Position, JointIdx::ROOT) => a.root()[frame] == b.root()[frame],
        (SpikeKind::Position, _) => {
            let value = |c: &Clip| c.translation_track(joint).map(|t| t.values[frame]);
            value(a) == value(b)
        }
    }
}

#[test]
fn whatever_comes_only_the_spikes_that_are_told_are_touched() {
    let (mut mended, mut left, mut ends, mut places, mut beside) = (0, 0, 0, 0, 0);
    for seed in 0..1500 {
        let clip = thrown_about(seed);
        let Some(found) = repair(&clip) else {
            left += 1;
            continue;
        };
        mended += 1;
        assert_eq!(Some(&found), repair(&clip).as_ref(), "{seed}: twice alike");
        let (now, last) = (&found.clip, clip.frame_count());
        assert_eq!(
            (now.frame_count(), now.rate_hz(), now.skeleton()),
            (last, clip.rate_hz(), clip.skeleton())
        );
        let order = |s: &Spike| (s.frames.start, s.joint.index(), s.kind);
        assert!(found.spikes.is_sorted_by_key(order), "{:?}", found.spikes);
        assert!(!found.spikes.is_empty(), "{seed}: changed and not told");
        for spike in &found.spikes {
            let (first, end) = (spike.frames.start, spike.frames.end);
            assert!(first < end && end <= last, "{seed}: {spike:?}");
            let at_end = first == 0 || end == last;
            assert!(
                end - first <= if at_end { 3 } else { 2 },
                "{seed}: {spike:?}"
            );
            assert!(
                spike.size.is_finite() && spike.size > 0.0,
                "{seed}: {spike:?}"
            );
            let kept = |f| same_value(&clip, now, spike.joint, spike.kind, f);
            assert!(
                !spike.frames.clone().all(kept),
                "{seed}: told and not changed"
            );
            ends += usize::from(at_end);
            places += usize::from(spike.kind == SpikeKind::Position);
        }
        let starts: Vec<usize> = found.spikes.iter().map(|s| s.frames.start).collect();
        beside += usize::from(starts.windows(2).any(|w| (1..6).contains(&(w[1] - w[0]))));
        let moving = [
            (JointIdx::ROOT, SpikeKind::Position),
            (JointIdx(8), SpikeKind::Position),
        ];
        let turns = clip.skeleton().joints().map(|j| (j, SpikeKind::Rotation));
        for (joint, motion) in turns.chain(moving) {
            let told = |f: &usize| {
                let mut own = found
                    .spikes
                    .iter()
                    .filter(|s| (s.joint, s.kind) == (joint, motion));
                own.any(|s| s.frames.contains(f))
            };
            for f in (0..last).filter(|f| !told(f)) {
                let kept = same_value(&clip, now, joint, motion, f);
                assert!(kept, "{seed}: {motion:?} of {joint:?} at {f}");
            }
        }
    }
    // Enough of each kind came by.
    assert!(mended > 200 && left > 200, "{mended} mended, {left} left");
    assert!(
        ends > 100 && places > 100 && beside > 10,
        "{ends} {places} {beside}"
    );
}

#[test]
fn hips_that_drop_for_a_frame_come_back() {
    let clip = walking_clip(&Walker {
        rate_hz: 120.0,
        ..Walker::default()
    });
    let mut parts = clip.clone().into_parts();
    parts.root[200].y -= 0.014;
    let mended = repair(&parts.build().expect("finite")).expect("a spike");
    let spike = &mended.spikes[0];
    assert_eq!(mended.spikes.len(), 1, "{:?}", mended.spikes);
    assert_eq!(
        (spike.kind, spike.frames.clone()),
        (SpikeKind::Position, 200..201)
    );
    let (cm, unit) = spike.measure();
    assert!((cm - 1.4).abs() < 0.05 && unit == "cm", "{cm} {unit}");
    assert!(mended.clip.root()[200].distance(clip.root()[200]) < 5e-4);
    assert_eq!(mended.clip.rotations(), clip.rotations());
}

#[test]
fn what_others_make_up_for_goes_along() {
    let clip = swinging_clip("swing", 240, 120.0);
    let skeleton = clip.skeleton();
    let (hips, thigh) = (0, skeleton.find("LeftUpLeg").expect("a thigh").index());
    let by = Quat::from_rotation_y(0.5);
    let spiked = turned(&clip, hips, 90..91, by);
    let spiked = turned(&spiked, thigh, 90..91, Quat::from_rotation_y(-0.04));
    let mended = repair(&spiked).expect("spikes");
    let joints: Vec<usize> = mended.spikes.iter().map(|s| s.joint.index()).collect();
    assert_eq!(joints, [hips, thigh]);
    // By itself, the lesser one is nobody's business.
    let lesser = turned(&clip, thigh, 90..91, Quat::from_rotation_y(-0.04));
    assert!(repair(&lesser).is_none());
}

#[test]
fn first_and_last_frames_at_rest_follow_the_others() {
    let clip = swinging_clip("swing", 240, 120.0);
    let arm = clip.skeleton().find("LeftArm").expect("an arm").index();
    // Not about X, along which the arm lies: that would move nothing.
    let by = Quat::from_rotation_z(1.6);
    let spiked = turned(&clip, arm, 0..2, by);
    let spiked = turned(&spiked, arm, 239..240, by);
    let mended = repair(&spiked).expect("spikes");
    let frames: Vec<_> = mended.spikes.iter().map(|s| s.frames.clone()).collect();
    assert_eq!(frames, [0..2, 239..240]);
    for f in [0, 1, 239] {
        let joint = mended.spikes[0].joint;
        let off = angle_between(mended.clip.rotation(f, joint), clip.rotation(f, joint));
        assert!(off < 0.05, "{off} rad at {f}");
    }
}

#[test]
fn steps_kinks_and_noisy_joints_are_left() {
    let clip = swinging_clip("swing", 600, 120.0);
    let arm = clip.skeleton().find("LeftArm").expect("an arm").index();
    let by = Quat::from_rotation_z(0.8);
    // A leap that does not come back, as where two takes are put together.
    assert!(repair(&turned(&clip, arm, 300..600, by)).is_none());
    // Three frames are longer than a spike.
    assert!(repair(&turned(&clip, arm, 300..303, by)).is_none());
    // A clap: at full speed into a stop.
    let mut parts = clip.clone().into_parts();
    let joints = clip.joint_count();
    for f in 0..600 {
        let angle = 0.1 * (300.0 - f as f32).max(0.0);
        parts.rotations[f * joints + arm] = Quat::from_rotation_x(angle);
        // A heel strike: falling at 1 m/s into a stop.
        parts.root[f].y = 1.0 + (150.0 - f as f64).max(0.0) / 120.0;
    }
    assert!(repair(&parts.build().expect("finite")).is_none());
    // Flips all the time.
    let noisy = (0..20).fold(clip.clone(), |c, k| {
        let f = 20 + 28 * k;
        turned(&c, arm, f..f + 1, by)
    });
    assert!(repair(&noisy).is_none());
}
