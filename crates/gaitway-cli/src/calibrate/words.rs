//! What was found, in words.

use std::fmt::Write as _;

use gaitway::calibrate::Calibration;
use gaitway::calibrate::virtual_data::TruthReport;

use crate::term::table;

/// Joint by joint, then the whole.
pub fn words(found: &Calibration, truth: Option<&TruthReport>) -> String {
    let mut rows = Vec::new();
    for joint in &found.joints {
        let length = found.bodies.iter().find(|b| b.name == joint.name);
        let length = length.and_then(|b| b.length_m);
        let mut row = vec![
            joint.name.clone(),
            joint.parent.clone(),
            joint.kind.to_owned(),
            length.map_or("-".to_owned(), |l| format!("{:.1}", 100.0 * l)),
            format!("{:.1}", joint.residual_mm),
            format!("{:.1}", joint.deviation_mm[0]),
            format!("{:.0}", joint.turn_deg),
            joint.confidence.to_owned(),
        ];
        if let Some(truth) = truth {
            let error = truth.joints.iter().find(|j| j.name == joint.name);
            row.push(error.map_or("-".to_owned(), |e| format!("{:.3}", e.error_mm)));
            row.push(error.map_or("-".to_owned(), |e| format!("{:.3}", e.across_mm)));
        }
        rows.push(row);
    }
    let mut head = vec![
        "joint",
        "of",
        "kind",
        "bone cm",
        "residual mm",
        "known to mm",
        "turned °",
        "trust",
    ];
    if truth.is_some() {
        head.extend(["error mm", "across mm"]);
    }
    let mut out = table(&head, &rows);
    let fit = &found.fit;
    let _ = writeln!(
        out,
        "{} bodies, {} frames at {} Hz; points are {:.1} mm (RMS) from where the motion puts them; {} of {} samples filled",
        found.bodies.len(),
        found.clip.frame_count(),
        found.clip.rate_hz(),
        fit.residual_mm,
        fit.filled,
        fit.samples
    );
    if let (Some(margin), Some(away), Some(instead)) =
        (found.tree.margin, &found.tree.out, &found.tree.instead)
    {
        let _ = writeln!(
            out,
            "the next best tree joins {} – {} instead of {} – {}, at {margin:.1} times the cost",
            instead[0], instead[1], away[0], away[1]
        );
    }
    if !found.tree.differs.is_empty() {
        let _ = writeln!(
            out,
            "by motion alone these would not be joined: {}",
            found.tree.differs.join(", ")
        );
    }
    for joint in &found.joints {
        if let Some(advice) = &joint.advice {
            let _ = writeln!(out, "{}: {advice}", joint.name);
        }
    }
    if let Some(truth) = truth {
        let _ = writeln!(
            out,
            "joints are {:.3} mm (RMS) from the truth; {} joints are where the clip has none",
            truth.motion_mm,
            truth.wrong.len()
        );
    }
    out
}
