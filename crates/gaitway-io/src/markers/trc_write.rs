//! Markers as TRC, which [`super::trc::read`] reads again to the bit.

use std::io::Write;

use super::MarkerClip;

/// Writes markers in metres; what was not seen is an empty cell.
///
/// # Errors
/// What the sink says.
pub fn write(sink: &mut dyn Write, clip: &MarkerClip) -> std::io::Result<()> {
    let (rate, frames, count) = (clip.rate_hz, clip.frames, clip.marker_count());
    writeln!(sink, "PathFileType\t4\t(X/Y/Z)\tmarkers.trc")?;
    writeln!(
        sink,
        "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames"
    )?;
    writeln!(
        sink,
        "{rate}\t{rate}\t{frames}\t{count}\tm\t{rate}\t1\t{frames}"
    )?;
    write!(sink, "Frame#\tTime")?;
    for name in &clip.names {
        // A tab would be another cell, and a name of blanks none at all.
        let name = name.replace(['\t', '\n', '\r', '\0'], "_");
        let name = if name.trim().is_empty() { "_" } else { &name };
        write!(sink, "\t{name}\t\t")?;
    }
    write!(sink, "\n\t")?;
    for k in 1..=count {
        write!(sink, "\tX{k}\tY{k}\tZ{k}")?;
    }
    writeln!(sink, "\n")?;
    for frame in 0..frames {
        write!(sink, "{}\t{:.6}", frame + 1, frame as f64 / rate)?;
        for marker in 0..count {
            match clip.at(frame, marker) {
                Some(p) => write!(sink, "\t{}\t{}\t{}", p.x, p.y, p.z)?,
                None => write!(sink, "\t\t\t")?,
            }
        }
        writeln!(sink)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// What is written is read again to the bit, gaps and all.
        #[test]
        fn markers_survive(
            frames in 2_usize..6,
            names in prop::collection::btree_set("[A-Za-z][A-Za-z0-9:.]{0,6}", 1..5),
            seed in prop::collection::vec((-5.0_f64..5.0, -5.0_f64..5.0, -5.0_f64..5.0, any::<bool>()), 30),
        ) {
            let names: Vec<String> = names.into_iter().collect();
            let at = |k: usize| seed[k % seed.len()];
            let count = frames * names.len();
            let clip = MarkerClip {
                rate_hz: 119.88,
                unit: "m".to_owned(),
                unit_m: 1.0,
                up: None,
                frames,
                frames_in_file: frames,
                positions: (0..count)
                    .map(|k| match at(k) {
                        (x, y, z, true) => DVec3::new(x, y, z),
                        _ => DVec3::ZERO,
                    })
                    .collect(),
                visible: (0..count).map(|k| at(k).3).collect(),
                quantities: vec![None; names.len()],
                names,
                warnings: Default::default(),
            };
            let mut bytes = Vec::new();
            write(&mut bytes, &clip).expect("written");
            let read = super::super::trc::read("m.trc", &bytes).expect("read");
            prop_assert_eq!(&read.names, &clip.names);
            prop_assert_eq!(&read.positions, &clip.positions);
            prop_assert_eq!(&read.visible, &clip.visible);
            prop_assert_eq!(read.rate_hz, clip.rate_hz);
            prop_assert!(read.warnings.is_empty(), "{:?}", read.warnings);
        }
    }
}
