//! GWHM: a grid of distances for the page, reduced by minimum to what a screen can show.

use gaitway_metric::DistanceGrid;

/// The first four bytes.
pub const MAGIC: &[u8; 4] = b"GWHM";
/// The version after them.
pub const VERSION: u32 = 2;

/// Every how manyth frame is compared, so that there are no more pairs than `most`.
pub fn every(pairs: u64, most: u64) -> usize {
    (pairs as f64 / most.max(1) as f64).sqrt().ceil().max(1.0) as usize
}

/// A grid with at most `most` cells a side; each cell is the least of the frames it stands for. The grid's own frames are
/// every `every`-th of `rate_hz`.
pub fn encode(grid: &DistanceGrid, rate_hz: f64, every: usize, most: usize) -> Vec<u8> {
    let most = most.max(1);
    let step = |frames: usize| frames.div_ceil(most).max(1);
    let (row_step, col_step) = (step(grid.rows), step(grid.cols));
    let (rows, cols) = (grid.rows.div_ceil(row_step), grid.cols.div_ceil(col_step));
    let mut cells = vec![f32::NAN; rows * cols];
    for (i, row) in grid.cm.chunks_exact(grid.cols.max(1)).enumerate() {
        let out = &mut cells[i / row_step * cols..][..cols];
        for (j, &cm) in row.iter().enumerate() {
            // `min` passes over NaN: a cell is NaN only where no frame has a window.
            let cell = &mut out[j / col_step];
            *cell = cell.min(cm);
        }
    }
    let mut out = Vec::with_capacity(28 + 4 * cells.len());
    out.extend(MAGIC);
    for word in [VERSION, rows as u32, cols as u32] {
        out.extend(word.to_le_bytes());
    }
    for frames in [row_step, col_step] {
        out.extend(((frames as f64 * every as f64 / rate_hz) as f32).to_le_bytes());
    }
    out.extend((every as u32).to_le_bytes());
    cells.iter().for_each(|v| out.extend(v.to_le_bytes()));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_the_least_of_their_frames() {
        let nan = f32::NAN;
        let cm = vec![nan, 5.0, 3.0, 9.0, 1.0, nan, nan, nan, nan];
        let grid = DistanceGrid {
            rows: 3,
            cols: 3,
            cm,
        };
        let bytes = encode(&grid, 30.0, 1, 2);
        let floats: Vec<f32> = bytes[16..]
            .chunks_exact(4)
            .map(|c| f32::from_le_bytes([c[0], c[1], c[2], c[3]]))
            .collect();
        assert_eq!(
            &bytes[..16],
            [b"GWHM".as_slice(), &[2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0]].concat()
        );
        assert!((floats[0] - 2.0 / 30.0).abs() < 1e-6);
        assert_eq!(&bytes[24..28], &[1, 0, 0, 0]);
        assert_eq!(&floats[3..5], &[1.0, 3.0]);
        assert!(floats[5].is_nan() && floats[6].is_nan());
    }

    #[test]
    fn long_clips_are_thinned_to_what_can_be_held() {
        assert_eq!(every(100, 100), 1);
        assert_eq!(every(101, 100), 2);
        assert_eq!(every(0, 0), 1);
        for (rows, cols) in [
            (108_000_u64, 108_000_u64),
            (30, 100_000_000),
            (11_586, 11_586),
        ] {
            let n = every(rows * cols, 1 << 27) as u64;
            assert!(
                (rows / n).max(1) * (cols / n) <= 1 << 27,
                "{rows} × {cols}: {n}"
            );
        }
        // Seconds per cell count the frames left out.
        let grid = DistanceGrid {
            rows: 2,
            cols: 2,
            cm: vec![1.0; 4],
        };
        let bytes = encode(&grid, 30.0, 3, 768);
        let seconds = f32::from_le_bytes([bytes[16], bytes[17], bytes[18], bytes[19]]);
        assert!((seconds - 0.1).abs() < 1e-6);
        assert_eq!(&bytes[24..28], &[3, 0, 0, 0]);
    }
}
