//! What `eval` tells machines.

use serde_json::{Value, json};

use super::super::args::EvalArgs;
use super::{CliError, Graded};

/// Every number of every graph.
pub fn all(graphs: &[Graded], visible_cm: f64, args: &EvalArgs) -> Result<Value, CliError> {
    let wrong = |e: serde_json::Error| CliError::new(e.to_string());
    let mut out = Vec::new();
    for graded in graphs {
        let graph = &graded.graph;
        let mut rows = Vec::new();
        for row in &graded.rows {
            let mut value = serde_json::to_value(&row.measures).map_err(wrong)?;
            let times = row.measures.threshold_cm.map(|cm| cm / visible_cm);
            value["threshold_visible"] = json!(times);
            if let Some(same) = &row.same {
                value["same_frames"] = json!({
                    "mean_time": same.mean_time,
                    "maneuverability": same.maneuverability,
                    "bend": same.bend,
                });
            }
            rows.push(value);
        }
        let frames: u32 = graph
            .captured_ids()
            .map(|c| graph.clip_info(c).working_frames())
            .sum();
        let mut value = json!({
            "file": graded.file,
            "clips": graph.captured_count(),
            "interpolated_clips": graph.clip_count() - graph.captured_count(),
            "frames": frames,
            "seconds": f64::from(frames) / graph.working_rate_hz(),
            "rate_hz": graph.working_rate_hz(),
            "window_frames": 2 * graph.half_window() + 1,
            "ceiling_cm": graph.options().metric.ceiling_cm,
            "candidates": graph.candidates().len(),
            "end_candidates": graph.end_candidates().len() - graph.end_candidates().joins(),
            "joins": graph.end_candidates().joins(),
            "measures": rows,
        });
        if let Some(found) = &graded.visible {
            value["visible"] = serde_json::to_value(found).map_err(wrong)?;
        }
        if let Some(found) = &graded.following {
            value["following"] = serde_json::to_value(found).map_err(wrong)?;
        }
        if let Some((ways, played)) = &graded.made {
            value["made"] = serde_json::to_value(ways).map_err(wrong)?;
            value["made"]["played"] = serde_json::to_value(played).map_err(wrong)?;
        }
        if let Some(found) = &graded.practical {
            value["practical"] = serde_json::to_value(found).map_err(wrong)?;
        }
        out.push(value);
    }
    Ok(
        json!({ "visible_cm": visible_cm, "ends": !args.no_ends, "bound": args.bound, "graphs": out }),
    )
}
