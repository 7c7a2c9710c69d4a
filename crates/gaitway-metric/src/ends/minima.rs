//! D on one strip, and its minima.

use super::EndMinima;
use super::clip::Side;

/// Columns in front of the first, so that rows begin at a cache line; the last of them is the missing neighbour.
const FRONT: usize = 16;

/// D of one end's centres (rows) against some frames of another clip (columns), framed by +∞.
#[derive(Default)]
pub(super) struct Strip {
    d: Vec<f32>,
    stride: usize,
    rows: usize,
    columns: usize,
    /// Below what D must lie, `[row][column]`.
    ceiling: Vec<f32>,
    flags: Vec<u8>,
}

impl Strip {
    /// Makes room for a strip. What it holds is not defined before every row has been filled.
    pub(super) fn reset(&mut self, rows: usize, columns: usize) {
        self.stride = columns.next_multiple_of(FRONT) + 2 * FRONT;
        (self.rows, self.columns) = (rows, columns);
        self.d.clear();
        self.d.resize((rows + 2) * self.stride, f32::INFINITY);
        self.ceiling.resize(rows * columns, 0.0);
    }

    pub(super) fn set_ceiling(&mut self, row: usize, ceiling: &[f32]) {
        self.ceiling[row * self.columns..][..self.columns].copy_from_slice(ceiling);
    }

    /// Row `row`, with room for whole vectors after its last column.
    pub(super) fn row_mut(&mut self, row: usize) -> &mut [f32] {
        let from = (row + 1) * self.stride + FRONT;
        &mut self.d[from..from + self.columns.next_multiple_of(FRONT)]
    }

    /// Puts +∞ behind the last column, where whole vectors may have been written.
    pub(super) fn close_row(&mut self, row: usize) {
        let from = (row + 1) * self.stride + FRONT;
        self.d[from + self.columns..(row + 2) * self.stride].fill(f32::INFINITY);
    }

    /// Leaves in `hits` the columns of `row` within `own` that lie below their ceiling and are minima. A tie goes to the pair that is first
    /// by (i, j): neighbours before it must lie above it, those after it may be as low.
    pub(super) fn minima(
        &mut self,
        row: usize,
        own: std::ops::Range<usize>,
        side: Side,
        rule: EndMinima,
        hits: &mut Vec<u32>,
    ) {
        hits.clear();
        if own.is_empty() {
            return;
        }
        let count = own.len();
        let base = (row + 1) * self.stride + FRONT + own.start;
        let at = |down: isize, right: isize| {
            let from = base as isize + down * self.stride as isize + right;
            &self.d[from as usize..from as usize + count]
        };
        let ceiling = &self.ceiling[row * self.columns..][own.clone()];
        let here = at(0, 0);
        self.flags.clear();
        self.flags.resize(count, 0);
        let flags = &mut self.flags[..];
        match rule {
            EndMinima::Both => {
                let (before, after) = match side {
                    Side::Last => (
                        [at(-1, -1), at(-1, 0), at(-1, 1), at(0, -1)],
                        [at(0, 1), at(1, -1), at(1, 0), at(1, 1)],
                    ),
                    // Here rows are j: (i − 1, ·) is the column to the left.
                    Side::First => (
                        [at(-1, -1), at(0, -1), at(1, -1), at(-1, 0)],
                        [at(1, 0), at(-1, 1), at(0, 1), at(1, 1)],
                    ),
                };
                pulp::Arch::new().dispatch(Lowest {
                    here,
                    ceiling,
                    before,
                    after,
                    flags,
                });
            }
            EndMinima::Along => pulp::Arch::new().dispatch(Lowest {
                here,
                ceiling,
                before: [at(0, -1)],
                after: [at(0, 1)],
                flags,
            }),
        }
        for (k, eight) in self.flags.chunks(8).enumerate() {
            if eight.iter().any(|&f| f != 0) {
                let found = (0..eight.len()).filter(|&c| eight[c] != 0);
                hits.extend(found.map(|c| (own.start + 8 * k + c) as u32));
            }
        }
    }

    /// Whether the pair is a minimum among its neighbours of the same column, too.
    pub(super) fn lowest_of_column(&self, row: usize, column: usize) -> bool {
        let at = (row + 1) * self.stride + FRONT + column;
        self.d[at] < self.d[at - self.stride] && self.d[at] <= self.d[at + self.stride]
    }
}

/// Marks where D is below its ceiling and all of `before`, and not above any of `after`.
struct Lowest<'a, const N: usize> {
    here: &'a [f32],
    ceiling: &'a [f32],
    before: [&'a [f32]; N],
    after: [&'a [f32]; N],
    flags: &'a mut [u8],
}

impl<const N: usize> pulp::WithSimd for Lowest<'_, N> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let count = self.flags.len();
        let (here, ceiling) = (&self.here[..count], &self.ceiling[..count]);
        let (mut before, mut after) = (self.before, self.after);
        for k in 0..N {
            before[k] = &before[k][..count];
            after[k] = &after[k][..count];
        }
        for c in 0..count {
            // No early end: eight comparisons of whole vectors are cheaper than one branch that goes wrong.
            let mut low = here[c] < ceiling[c];
            for k in 0..N {
                low &= here[c] < before[k][c];
                low &= here[c] <= after[k][c];
            }
            self.flags[c] = u8::from(low);
        }
    }
}
