/** What lies under the pointer on the floor plan. */
import { distance, headingAt, nearestOn, pointAt, type Point } from "./geometry";
import { contains, handles } from "./obstacles";
import { curveOf, type Sketch, type StartPlace } from "./sketch";

export type Hit =
  | { readonly kind: "point"; readonly index: number }
  | { readonly kind: "curve"; readonly s: number }
  | { readonly kind: "action"; readonly index: number }
  | { readonly kind: "arrival"; readonly index: number }
  | { readonly kind: "obstacle"; readonly index: number }
  | { readonly kind: "obstacle-handle"; readonly index: number; readonly handle: number }
  | { readonly kind: "start" }
  | { readonly kind: "heading" }
  | { readonly kind: "end" }
  | { readonly kind: "end-heading" };

/** Metres from the start to the tip of its arrow. */
const ARROW_M = 0.9;

/** Tip of the arrow of a start or an end: heading 0 is +Z, positive turns to +X. */
export function arrowTip(start: StartPlace): Point {
  return [start.at[0] + ARROW_M * Math.sin(start.heading), start.at[1] + ARROW_M * Math.cos(start.heading)];
}

/** How far beside the path clocks hang, in reaches: a point of the path under one can still be taken. */
export const CLOCK_REACHES = 1.8;

/** The clock of an arrival: beside the path, to the left of the one who walks it. */
export function clockPlace(sketch: Sketch, at: number, reach: number): Point {
  const { line, arcs } = curveOf(sketch);
  const [x, z] = pointAt(line, arcs, at);
  const heading = headingAt(line, arcs, at);
  const aside = CLOCK_REACHES * reach;
  return [x + aside * Math.cos(heading), z - aside * Math.sin(heading)];
}

/** The heading from one place to another. */
export function headingTo(from: Point, to: Point): number {
  return Math.atan2(to[0] - from[0], to[1] - from[1]);
}

/**
 * The topmost thing within `reach` metres of p. Handles come before what they belong to, points before the curve, the
 * selected obstacle's handles before others.
 */
export function hitAt(sketch: Sketch, p: Point, reach: number, selectedObstacle: number | null): Hit | null {
  const { start, end } = sketch;
  if (end) {
    if (distance(arrowTip(end), p) <= reach) return { kind: "end-heading" };
    if (distance(end.at, p) <= reach) return { kind: "end" };
  }
  if (start) {
    if (distance(arrowTip(start), p) <= reach) return { kind: "heading" };
    if (distance(start.at, p) <= reach) return { kind: "start" };
  }
  const held = selectedObstacle === null ? undefined : sketch.obstacles[selectedObstacle];
  if (held && selectedObstacle !== null) {
    const handle = handles(held).findIndex((q) => distance(q, p) <= reach);
    if (handle >= 0) return { kind: "obstacle-handle", index: selectedObstacle, handle };
  }
  const clock = nearestIndex(
    sketch.arrivals.map((a) => clockPlace(sketch, a.at, reach)),
    p,
    reach,
  );
  if (clock >= 0) return { kind: "arrival", index: clock };
  const point = nearestIndex(sketch.points, p, reach);
  if (point >= 0) return { kind: "point", index: point };
  const curve = curveOf(sketch);
  const action = nearestIndex(
    sketch.actions.map((a) => pointAt(curve.line, curve.arcs, a.at)),
    p,
    reach * 1.3,
  );
  if (action >= 0) return { kind: "action", index: action };
  const near = nearestOn(curve.line, curve.arcs, p);
  if (near && near.distance <= reach) return { kind: "curve", s: near.s };
  for (let k = sketch.obstacles.length - 1; k >= 0; k--) {
    const o = sketch.obstacles[k];
    if (o && contains(o, p)) return { kind: "obstacle", index: k };
  }
  return null;
}

function nearestIndex(points: readonly Point[], p: Point, reach: number): number {
  let best = -1;
  let least = reach;
  points.forEach((q, k) => {
    const d = distance(q, p);
    if (d <= least) {
      least = d;
      best = k;
    }
  });
  return best;
}
