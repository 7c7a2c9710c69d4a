/** Labels of a motion as rows that do not overlap: a clip may carry several at once. */
import type { LabelRow } from "../api/types";

export interface PlacedLabel extends LabelRow {
  readonly row: number;
}

/** Shorter gaps between spans of one label come from rounding to frames. */
const GAP_S = 0.05;

/** Merges spans of one label that touch, and puts each in the first row with room; what finds none in `most` is left out. */
export function labelRows(labels: readonly LabelRow[], most: number): { placed: PlacedLabel[]; rows: number } {
  const merged: LabelRow[] = [];
  for (const next of [...labels].sort((a, b) => a.start_s - b.start_s)) {
    const same = merged.findLast((m) => m.label === next.label);
    if (same && next.start_s - same.end_s < GAP_S) same.end_s = Math.max(same.end_s, next.end_s);
    else merged.push({ ...next });
  }
  // Longer spans first: what is done most of the time stands on top.
  const ends: PlacedLabel[][] = [];
  const placed: PlacedLabel[] = [];
  for (const span of merged.sort((a, b) => b.end_s - b.start_s - (a.end_s - a.start_s))) {
    const free = (row: readonly PlacedLabel[]) =>
      row.every((p) => span.end_s <= p.start_s + GAP_S || span.start_s >= p.end_s - GAP_S);
    let row = ends.findIndex(free);
    if (row < 0) {
      if (ends.length >= most) continue;
      row = ends.push([]) - 1;
    }
    const own = { ...span, row };
    ends[row]?.push(own);
    placed.push(own);
  }
  return { placed, rows: ends.length };
}

export function labelsAt(labels: readonly LabelRow[], t: number): string[] {
  return [...new Set(labels.filter((l) => t >= l.start_s && t < l.end_s).map((l) => l.label))];
}
