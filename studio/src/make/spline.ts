/** Curves through knots: centripetal Catmull-Rom, which makes no loops of its own between uneven knots. */
import { distance, type Point } from "./geometry";

/** Samples of a curve and, for each knot, the index of the sample that is that knot (one more at the end when closed). */
export interface Sampled {
  readonly line: Point[];
  readonly knots: number[];
}

/** Straight pieces between the points. */
export function straight(points: readonly Point[], closed: boolean): Sampled {
  const line = [...points];
  const knots = points.map((_, k) => k);
  const first = points[0];
  if (closed && first && points.length > 2) {
    knots.push(line.length);
    line.push(first);
  }
  return { line, knots };
}

/** A smooth curve through the points, sampled about every `step` metres. */
export function curved(points: readonly Point[], closed: boolean, step = 0.06): Sampled {
  const n = points.length;
  if (n < 3) return straight(points, closed);
  const at = (k: number): Point => {
    if (closed) return points[((k % n) + n) % n] ?? [0, 0];
    const first = points[0] ?? [0, 0];
    const last = points[n - 1] ?? [0, 0];
    // Beyond the ends the curve goes on as it came: the neighbour mirrored at the end.
    if (k < 0) return mirrored(first, points[1] ?? first);
    if (k >= n) return mirrored(last, points[n - 2] ?? last);
    return points[k] ?? first;
  };
  const line: Point[] = [];
  const knots: number[] = [];
  const pieces = closed ? n : n - 1;
  for (let k = 0; k < pieces; k++) {
    knots.push(line.length);
    const b = at(k);
    const c = at(k + 1);
    const count = Math.max(2, Math.min(48, Math.ceil(distance(b, c) / step)));
    for (let i = 0; i < count; i++) line.push(i === 0 ? b : between(at(k - 1), b, c, at(k + 2), i / count));
  }
  knots.push(line.length);
  line.push(at(pieces));
  return { line, knots };
}

function mirrored(centre: Point, p: Point): Point {
  return [2 * centre[0] - p[0], 2 * centre[1] - p[1]];
}

/** Between b and c, with knots spaced by the square root of distance (Barry and Goldman's pyramid). */
function between(a: Point, b: Point, c: Point, d: Point, part: number): Point {
  const gap = (p: Point, q: Point) => Math.max(Math.sqrt(distance(p, q)), 1e-6);
  const t1 = gap(a, b);
  const t2 = t1 + gap(b, c);
  const t3 = t2 + gap(c, d);
  const t = t1 + (t2 - t1) * part;
  const blend = (p: Point, q: Point, u: number, v: number): Point => {
    const w = (t - u) / (v - u);
    return [p[0] + (q[0] - p[0]) * w, p[1] + (q[1] - p[1]) * w];
  };
  const ab = blend(a, b, 0, t1);
  const bc = blend(b, c, t1, t2);
  const cd = blend(c, d, t2, t3);
  return blend(blend(ab, bc, 0, t2), blend(bc, cd, t1, t3), t1, t2);
}
