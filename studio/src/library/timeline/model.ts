/**
 * Intervals on lanes, in whole frames, and everything that can be done to them: pure functions from a sheet to a
 * new sheet. A lane is a label or a contact joint. `end` is the first frame after the interval.
 */

export interface Interval {
  id: number;
  lane: string;
  start: number;
  end: number;
  /** Of a detected contact, 0 to 1. */
  confidence?: number;
}

export interface Sheet {
  frames: number;
  items: readonly Interval[];
}

export interface SecondsRow {
  lane: string;
  start_s: number;
  end_s: number;
  confidence?: number;
}

/** Snaps to frames; rows that fall outside the clip or vanish are left out. */
export function fromSeconds(rows: readonly SecondsRow[], frames: number, rate_hz: number): Sheet {
  const items = rows.flatMap((row, id): Interval[] => {
    const start = clamp(Math.round(row.start_s * rate_hz), 0, frames);
    const end = clamp(Math.round(row.end_s * rate_hz), 0, frames);
    if (end <= start) return [];
    return [
      { id, lane: row.lane, start, end, ...(row.confidence === undefined ? {} : { confidence: row.confidence }) },
    ];
  });
  return { frames, items };
}

export function toSeconds(sheet: Sheet, rate_hz: number): SecondsRow[] {
  return inOrder(sheet.items).map(({ lane, start, end, confidence }) => ({
    lane,
    start_s: start / rate_hz,
    end_s: end / rate_hz,
    ...(confidence === undefined ? {} : { confidence }),
  }));
}

export function inOrder(items: readonly Interval[]): Interval[] {
  return [...items].sort((a, b) => a.start - b.start || a.end - b.end || a.lane.localeCompare(b.lane) || a.id - b.id);
}

export function find(sheet: Sheet, id: number): Interval | undefined {
  return sheet.items.find((item) => item.id === id);
}

export function lanesOf(sheet: Sheet): string[] {
  return [...new Set(sheet.items.map((item) => item.lane))];
}

/** Adds an interval given by any two frames; returns its id with the sheet. An empty one is made one frame long. */
export function addInterval(sheet: Sheet, lane: string, a: number, b: number): { sheet: Sheet; id: number } {
  const id = sheet.items.reduce((top, item) => Math.max(top, item.id), -1) + 1;
  const start = clamp(Math.round(Math.min(a, b)), 0, Math.max(0, sheet.frames - 1));
  const end = clamp(Math.round(Math.max(a, b)), start + 1, Math.max(start + 1, sheet.frames));
  return { sheet: { ...sheet, items: [...sheet.items, { id, lane, start, end }] }, id };
}

/** Moves without changing the length; stops at the ends of the clip. */
export function moveBy(sheet: Sheet, id: number, frames: number): Sheet {
  return change(sheet, id, (item) => {
    const shift = clamp(Math.round(frames), -item.start, sheet.frames - item.end);
    return { ...item, start: item.start + shift, end: item.end + shift };
  });
}

export function setStart(sheet: Sheet, id: number, frame: number): Sheet {
  return change(sheet, id, (item) => ({ ...item, start: clamp(Math.round(frame), 0, item.end - 1) }));
}

export function setEnd(sheet: Sheet, id: number, frame: number): Sheet {
  return change(sheet, id, (item) => ({ ...item, end: clamp(Math.round(frame), item.start + 1, sheet.frames) }));
}

export function setLane(sheet: Sheet, id: number, lane: string): Sheet {
  return change(sheet, id, (item) => ({ ...item, lane }));
}

export function removeLane(sheet: Sheet, lane: string): Sheet {
  return { ...sheet, items: sheet.items.filter((item) => item.lane !== lane) };
}

/** Renaming onto a lane that exists puts both together. */
export function renameLane(sheet: Sheet, from: string, to: string): Sheet {
  const renamed: Sheet = {
    ...sheet,
    items: sheet.items.map((item) => (item.lane === from ? { ...item, lane: to } : item)),
  };
  return renamed.items.reduce<Sheet>((next, item) => (find(next, item.id) ? settle(next, item.id) : next), renamed);
}

/**
 * After an edit: intervals of the same lane that the edited one overlaps become part of it, because a frame either
 * has a label or has not.
 */
export function settle(sheet: Sheet, id: number): Sheet {
  let own = find(sheet, id);
  let items = sheet.items;
  while (own) {
    const edited: Interval = own;
    const other = items.find(
      (item) => item.id !== id && item.lane === edited.lane && item.start < edited.end && item.end > edited.start,
    );
    if (!other) break;
    const merged: Interval = {
      ...edited,
      start: Math.min(edited.start, other.start),
      end: Math.max(edited.end, other.end),
    };
    items = items.filter((item) => item !== other).map((item) => (item.id === id ? merged : item));
    own = merged;
  }
  return items === sheet.items ? sheet : { ...sheet, items };
}

/** The nearest of `edges` within `reach` frames, or null. */
export function nearestEdge(frame: number, edges: readonly number[], reach: number): number | null {
  let best: number | null = null;
  let distance = reach;
  for (const edge of edges) {
    if (reach > 0 && Math.abs(edge - frame) <= distance) {
      distance = Math.abs(edge - frame);
      best = edge;
    }
  }
  return best;
}

/** An edge within reach, else the frame itself. */
export function snap(frame: number, edges: readonly number[], reach: number): number {
  return nearestEdge(frame, edges, reach) ?? Math.round(frame);
}

/** Frames worth snapping to: ends of the clip and of every other interval. */
export function edgesOf(sheet: Sheet, except: number): number[] {
  return [0, sheet.frames, ...sheet.items.flatMap((item) => (item.id === except ? [] : [item.start, item.end]))];
}

export function sameSheet(a: Sheet, b: Sheet): boolean {
  const left = inOrder(a.items);
  const right = inOrder(b.items);
  return (
    left.length === right.length &&
    left.every((item, k) => {
      const other = right[k]!;
      return item.lane === other.lane && item.start === other.start && item.end === other.end;
    })
  );
}

function change(sheet: Sheet, id: number, edit: (item: Interval) => Interval): Sheet {
  // An edited contact is a person's word and no longer the detector's guess.
  const edited = (item: Interval): Interval => {
    const { confidence: _, ...rest } = edit(item);
    return rest;
  };
  return { ...sheet, items: sheet.items.map((item) => (item.id === id ? edited(item) : item)) };
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
