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
use gaitway_core::{Clip, WarningCode};

use super::Import;

pub use air::{Flight, flights};

/// Warns on each clip whose rate does not fit gravity, on the evidence of all clips of its skeleton and header rate. A clip whose own
/// flights fit its header is not warned, whatever the others do. Clips whose rate the user gave are left out.
pub fn pool_rates(imports: &mut [Import]) {
    let evidence: Vec<Vec<Flight>> = imports.iter().map(|i| flights(&i.clip)).collect();
    for group in alike(imports) {
        let rate_hz = imports[group[0]].clip.rate_hz();
        let all = group.iter().flat_map(|&i| evidence[i].iter().copied());
        let all: Vec<Flight> = all.collect();
        let Some(verdict) = judge::judge(&all, rate_hz) else {
            continue;
        };
        for i in group {
            if judge::contradicts(&evidence[i], rate_hz, verdict.suggested_hz) {
                continue;
            }
            let (flights, suggested) = (all.len(), verdict.suggested_hz);
            imports[i].warnings.add_value(
                WarningCode::RateImplausible,
                format!(
                    "in {flights} flights of this skeleton the body falls at {:.1} m/s² when played at {rate_hz:.0} Hz; \
                     9.8 fits {:.0} ± {:.0} Hz (--source-fps {suggested:.0})",
                    verdict.fall, verdict.fitting_hz, verdict.error_hz,
                ),
                "suggested_rate_hz",
                suggested,
            );
        }
    }
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
