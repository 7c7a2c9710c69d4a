//! Whether a header's rate can be true. In flight nothing holds the body, so its centre of mass must fall at
//! 9.81 m/s² and neither speed up nor slow down along the ground. Played at the wrong rate it does not fall so: at twice
//! the true rate it seems to fall four times as fast. Few clips have a flight, so the evidence of all clips of one
//! skeleton (one capture day, one system) is pooled.
//!
//! ```text
//!  clip ──► centre: the body's centre of mass ──► air: flights, each with its fall and how sure that is
//!                                                   └──► judge: which rate all of them together speak for
//! ```

mod air;
mod centre;
mod judge;

use gaitway_core::clip_set::same_body;
use gaitway_core::{Clip, Warning, WarningCode};

use super::Import;

pub use air::{Flight, flights};

/// Warns on each clip whose rate does not fit gravity, on the evidence of all clips of its skeleton and header rate. A clip whose own
/// flights fit its header is not warned, whatever the others do. Clips whose rate the user gave are left out.
pub fn pool_rates(imports: &mut [Import]) {
    let evidence: Vec<Vec<Flight>> = imports.iter().map(|i| flights(&i.clip)).collect();
    for group in alike(imports) {
        let rate_hz = imports[group[0]].clip.rate_hz();
        let own: Vec<&[Flight]> = group.iter().map(|&i| evidence[i].as_slice()).collect();
        for (i, finding) in group.iter().zip(judge_rates(&own, rate_hz)) {
            if let Some(Warning {
                code,
                message,
                value: Some((field, value)),
            }) = finding
            {
                imports[*i].warnings.add_value(code, message, field, value);
            }
        }
    }
}

/// What the flights of clips of one body and one header rate say of that rate together, clip by clip. For whoever keeps clips and gets
/// more of them one after another: evidence is pooled anew without reading any of them again.
pub fn judge_rates(evidence: &[&[Flight]], rate_hz: f64) -> Vec<Option<Warning>> {
    let all: Vec<Flight> = evidence.iter().flat_map(|e| e.iter().copied()).collect();
    let Some(verdict) = judge::judge(&all, rate_hz) else {
        return vec![None; evidence.len()];
    };
    let (flights, suggested) = (all.len(), verdict.suggested_hz);
    let warning = Warning {
        code: WarningCode::RateImplausible,
        message: format!(
            "the rate of {rate_hz:.0} Hz is probably wrong, {suggested:.0} Hz is likely: in {flights} flights of this skeleton the body falls \
             at {:.1} m/s², and 9.8 fits {:.0} ± {:.0} Hz (--source-fps {suggested:.0})",
            verdict.fall, verdict.fitting_hz, verdict.error_hz,
        ),
        value: Some(("suggested_rate_hz", suggested)),
    };
    let fits = |own: &&[Flight]| judge::contradicts(own, rate_hz, suggested);
    let told = |own: &&[Flight]| (!fits(own)).then(|| warning.clone());
    evidence.iter().map(told).collect()
}

/// Clips of one skeleton and one header rate, by index.
fn alike(imports: &[Import]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let same = |a: &Clip, b: &Clip| a.rate_hz() == b.rate_hz() && same_body(a, b);
    for (i, import) in imports.iter().enumerate() {
        if import.warnings.has(WarningCode::RateOverridden) {
            continue;
        }
        let home = groups
            .iter_mut()
            .find(|g| same(&imports[g[0]].clip, &import.clip));
        match home {
            Some(group) => group.push(i),
            None => groups.push(vec![i]),
        }
    }
    groups
}
