/** The distance grid of two clips: its colours, what lies at a moment of each, and walking from minimum to minimum. */
import type { Heatmap } from "../api/heatmap";
import type { Minimum } from "../api/types";
import { HEAT, heatIndex } from "./colormap";

/** RGBA pixels, one per cell: the second clip's time runs right, the first clip's time runs down. */
export function colourGrid(grid: Heatmap, farCm: number, out: Uint8ClampedArray): void {
  for (let k = 0; k < grid.cm.length; k++) {
    const cm = grid.cm[k] ?? NaN;
    const at = 4 * k;
    if (Number.isNaN(cm)) {
      out[at + 3] = 0;
      continue;
    }
    const c = 3 * heatIndex(cm, farCm);
    out[at] = HEAT[c] ?? 0;
    out[at + 1] = HEAT[c + 1] ?? 0;
    out[at + 2] = HEAT[c + 2] ?? 0;
    out[at + 3] = 255;
  }
}

export function cellAt(grid: Heatmap, rowS: number, colS: number): number {
  const r = Math.floor(rowS / grid.row_s);
  const c = Math.floor(colS / grid.col_s);
  if (r < 0 || c < 0 || r >= grid.rows || c >= grid.cols) return NaN;
  return grid.cm[r * grid.cols + c] ?? NaN;
}

/** The colour scale's far end: the 90th percentile, rounded up, so that a few wild frames do not flatten the rest. */
export function farEnd(grid: Heatmap): number {
  const step = Math.max(1, Math.floor(grid.cm.length / 20000));
  const values: number[] = [];
  for (let k = 0; k < grid.cm.length; k += step) {
    const v = grid.cm[k] ?? NaN;
    if (!Number.isNaN(v)) values.push(v);
  }
  values.sort((a, b) => a - b);
  const v = values[Math.floor(values.length * 0.9)] ?? 30;
  return Math.max(10, Math.ceil(v / 5) * 5);
}

/** The minimum an arrow key leads to: the nearest in that direction, more along it than across it. */
export function walkTo(minima: readonly Minimum[], from: number, key: string): number {
  const here = minima[from];
  const way: Readonly<Record<string, readonly [number, number]>> = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
  };
  const d = way[key];
  if (!here || !d) return from;
  let best = from;
  let least = Infinity;
  minima.forEach((m, k) => {
    const along = (m.i - here.i) * d[0] + (m.j - here.j) * d[1];
    const across = Math.abs((m.i - here.i) * d[1]) + Math.abs((m.j - here.j) * d[0]);
    if (k === from || along <= 0 || across > 2 * along) return;
    const cost = along + 2 * across;
    if (cost < least) {
      least = cost;
      best = k;
    }
  });
  return best;
}

/** What is said of a map that does not show every frame. */
export function thinned(every: number): string {
  if (every <= 1) return "";
  const which = every === 2 ? "second" : every === 3 ? "third" : `${every}th`;
  return `These clips are long: the colours compare every ${which} frame. The dots are exact.`;
}
