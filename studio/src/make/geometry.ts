/** Points and polylines on the ground plane: (x, z) in metres, seen from above with +X right and +Z down. */

export type Point = readonly [number, number];

export function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

function mix(a: Point, b: Point, t: number): Point {
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
}

/** Arc length from the first point to each point. */
export function arcLengths(line: readonly Point[]): number[] {
  const out: number[] = [];
  let sum = 0;
  line.forEach((p, k) => {
    const before = line[k - 1];
    if (before) sum += distance(before, p);
    out.push(sum);
  });
  return out;
}

export function lengthOf(line: readonly Point[]): number {
  return arcLengths(line).at(-1) ?? 0;
}

/** Index k so that values[k] <= v < values[k + 1], clamped to a segment. */
function segmentOf(values: readonly number[], v: number): number {
  let low = 0;
  let high = values.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((values[middle] ?? 0) <= v) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

/** The point at arc length s; beyond the ends, the ends. `arcs` are the line's own arc lengths. */
export function pointAt(line: readonly Point[], arcs: readonly number[], s: number): Point {
  const first = line[0];
  const last = line.at(-1);
  if (!first || !last) return [0, 0];
  if (s <= 0 || line.length === 1) return first;
  if (s >= (arcs.at(-1) ?? 0)) return last;
  const k = segmentOf(arcs, s);
  const a = line[k] ?? first;
  const b = line[k + 1] ?? last;
  const span = (arcs[k + 1] ?? 0) - (arcs[k] ?? 0);
  return mix(a, b, span > 0 ? (s - (arcs[k] ?? 0)) / span : 0);
}

/** Direction of travel at arc length s as a heading: 0 along +Z, positive to the left (+X). */
export function headingAt(line: readonly Point[], arcs: readonly number[], s: number): number {
  const reach = 0.05;
  const total = arcs.at(-1) ?? 0;
  const a = pointAt(line, arcs, Math.max(0, Math.min(s, total) - reach));
  const b = pointAt(line, arcs, Math.min(total, Math.max(0, s) + reach));
  return Math.atan2(b[0] - a[0], b[1] - a[1]);
}

export interface Nearest {
  readonly s: number;
  readonly distance: number;
  readonly segment: number;
  readonly point: Point;
}

export function nearestOnSegment(p: Point, a: Point, b: Point): { t: number; distance: number } {
  const dx = b[0] - a[0];
  const dz = b[1] - a[1];
  const square = dx * dx + dz * dz;
  const raw = square > 0 ? ((p[0] - a[0]) * dx + (p[1] - a[1]) * dz) / square : 0;
  const t = Math.max(0, Math.min(1, raw));
  return { t, distance: distance(p, mix(a, b, t)) };
}

/** The polyline's point nearest to p, or nothing for a line without segments. */
export function nearestOn(line: readonly Point[], arcs: readonly number[], p: Point): Nearest | null {
  let best: Nearest | null = null;
  for (let k = 0; k + 1 < line.length; k++) {
    const a = line[k];
    const b = line[k + 1];
    if (!a || !b) continue;
    const near = nearestOnSegment(p, a, b);
    if (!best || near.distance < best.distance) {
      const s0 = arcs[k] ?? 0;
      const s1 = arcs[k + 1] ?? s0;
      best = { s: s0 + (s1 - s0) * near.t, distance: near.distance, segment: k, point: mix(a, b, near.t) };
    }
  }
  return best;
}

/** The part of a polyline between two arc lengths, for painting it. */
export function slice(line: readonly Point[], arcs: readonly number[], from: number, to: number): Point[] {
  if (to <= from) return [];
  const out: Point[] = [pointAt(line, arcs, from)];
  line.forEach((p, k) => {
    const s = arcs[k] ?? 0;
    if (s > from && s < to) out.push(p);
  });
  out.push(pointAt(line, arcs, to));
  return out;
}

/** Ramer, Douglas and Peucker's simplification: what stays lies within `tolerance` of what was. Without recursion. */
export function simplify(line: readonly Point[], tolerance: number): Point[] {
  if (line.length < 3) return [...line];
  const keep = new Uint8Array(line.length);
  keep[0] = 1;
  keep[line.length - 1] = 1;
  const open: [number, number][] = [[0, line.length - 1]];
  for (let range = open.pop(); range; range = open.pop()) {
    const [from, to] = range;
    const a = line[from];
    const b = line[to];
    if (!a || !b) continue;
    let far = tolerance;
    let at = -1;
    for (let k = from + 1; k < to; k++) {
      const p = line[k];
      const d = p ? nearestOnSegment(p, a, b).distance : 0;
      if (d > far) {
        far = d;
        at = k;
      }
    }
    if (at > 0) {
      keep[at] = 1;
      open.push([from, at], [at, to]);
    }
  }
  return line.filter((_, k) => keep[k] === 1);
}

/** One step of smoothing: each inner point goes half-way to the middle of its neighbours. Ends of open lines stay. */
export function relax(points: readonly Point[], closed: boolean): Point[] {
  const n = points.length;
  if (n < 3) return [...points];
  return points.map((p, k) => {
    if (!closed && (k === 0 || k === n - 1)) return p;
    const before = points[(k + n - 1) % n] ?? p;
    const after = points[(k + 1) % n] ?? p;
    return mix(p, mix(before, after, 0.5), 0.5);
  });
}

export interface Box {
  readonly min: Point;
  readonly max: Point;
}

export function boundsOf(points: readonly Point[]): Box | null {
  if (points.length === 0) return null;
  let [x0, z0, x1, z1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, z] of points) {
    x0 = Math.min(x0, x);
    x1 = Math.max(x1, x);
    z0 = Math.min(z0, z);
    z1 = Math.max(z1, z);
  }
  return { min: [x0, z0], max: [x1, z1] };
}
