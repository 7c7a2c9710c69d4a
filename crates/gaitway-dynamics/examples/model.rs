//! The performer's body with its masses as JSON, for `benches/dynamics/oracle.py`: `cargo run -p gaitway-dynamics --example model > model.json`.
#![allow(clippy::print_stdout, missing_docs)]

use gaitway_core::performer::{Move, Performer, Script};
use gaitway_dynamics::{MassBody, MassOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let take = Performer::new(1).perform(&Script::new("stand", [Move::Idle { seconds: 1.0 }]))?;
    let body = MassBody::of_clip(&take.clip, &MassOptions::default())?;
    let skeleton = &body.skeleton;
    let joints: Vec<serde_json::Value> = skeleton
        .joints()
        .map(|j| {
            let part = &body.parts[j.index()];
            serde_json::json!({
                "parent": skeleton.parent(j).map(|p| p.index()),
                "offset": skeleton.offset(j).as_dvec3().to_array(),
                "mass": part.mass,
                "centre": part.centre.to_array(),
                "inertia": part.inertia.to_cols_array(),
            })
        })
        .collect();
    println!("{}", serde_json::to_string(&joints)?);
    Ok(())
}
