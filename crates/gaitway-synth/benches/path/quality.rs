//! What becomes of a motion when its feet are planted.

use gaitway_core::Clip;
use gaitway_eval::{Quality, QualityOptions, quality};
use gaitway_synth::Motion;
use gaitway_synth::cleanup::{PlantOptions, plant_feet};

type Any = Box<dyn std::error::Error>;

/// A motion with its feet planted, and numbers: mean skate in cm/s, 99.9th percentile of joint acceleration over that before.
pub struct Planted {
    pub motion: Motion,
    pub skate: f64,
    pub pop: f64,
}

pub fn planted(motion: &Motion) -> Result<Planted, Any> {
    let frame = |s: f64| (s * motion.clip.rate_hz()).round() as usize;
    let blends = motion.transitions.iter();
    let options = PlantOptions {
        transitions: blends.map(|t| frame(t.start_s)..frame(t.end_s)).collect(),
        ..PlantOptions::default()
    };
    let mut out = motion.clone();
    out.clip = plant_feet(&motion.clip, None, &options)?.clip;
    let (before, after) = (measured(&motion.clip)?, measured(&out.clip)?);
    let pop = |q: &Quality| q.accel_m_s2.p999.unwrap_or(f64::NAN);
    Ok(Planted {
        motion: out,
        skate: after.skate_cm_s.mean.unwrap_or(0.0),
        pop: pop(&after) / pop(&before),
    })
}

/// As `quality` sees the bare file: contacts found again.
fn measured(clip: &Clip) -> Result<Quality, Any> {
    let bare = clip.clone().with_contacts(None)?;
    Ok(quality(&bare, None, &QualityOptions::default()))
}
