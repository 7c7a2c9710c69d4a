/** Things in the way: circles, boxes along the axes, polygons. */
import type { Obstacle as ObstacleJson } from "../api/types";
import { distance, nearestOnSegment, type Point } from "./geometry";

export type Obstacle =
  | { readonly kind: "circle"; readonly centre: Point; readonly radius: number }
  | { readonly kind: "box"; readonly min: Point; readonly max: Point }
  | { readonly kind: "polygon"; readonly points: readonly Point[] };

/** A thing smaller than this could not be seen or grabbed. */
const SMALLEST_M = 0.1;

export function boxBetween(a: Point, b: Point): Obstacle {
  const min: Point = [Math.min(a[0], b[0]), Math.min(a[1], b[1])];
  const max: Point = [Math.max(a[0], b[0], min[0] + SMALLEST_M), Math.max(a[1], b[1], min[1] + SMALLEST_M)];
  return { kind: "box", min, max };
}

export function circleThrough(centre: Point, rim: Point): Obstacle {
  return { kind: "circle", centre, radius: Math.max(SMALLEST_M, distance(centre, rim)) };
}

export function contains(o: Obstacle, p: Point): boolean {
  if (o.kind === "circle") return distance(o.centre, p) <= o.radius;
  if (o.kind === "box") return p[0] >= o.min[0] && p[0] <= o.max[0] && p[1] >= o.min[1] && p[1] <= o.max[1];
  let inside = false;
  o.points.forEach((a, k) => {
    const b = o.points[(k + 1) % o.points.length] ?? a;
    const crosses = a[1] > p[1] !== b[1] > p[1];
    if (crosses && p[0] < ((b[0] - a[0]) * (p[1] - a[1])) / (b[1] - a[1]) + a[0]) inside = !inside;
  });
  return inside;
}

/** Metres from a point to the obstacle; 0 inside. */
export function clearance(o: Obstacle, p: Point): number {
  if (contains(o, p)) return 0;
  if (o.kind === "circle") return distance(o.centre, p) - o.radius;
  const corners = outline(o);
  let best = Infinity;
  corners.forEach((a, k) => {
    const b = corners[(k + 1) % corners.length] ?? a;
    best = Math.min(best, nearestOnSegment(p, a, b).distance);
  });
  return best;
}

export function moved(o: Obstacle, dx: number, dz: number): Obstacle {
  const shift = (p: Point): Point => [p[0] + dx, p[1] + dz];
  if (o.kind === "circle") return { ...o, centre: shift(o.centre) };
  if (o.kind === "box") return { ...o, min: shift(o.min), max: shift(o.max) };
  return { ...o, points: o.points.map(shift) };
}

/** Where it can be taken hold of to change its size or shape. */
export function handles(o: Obstacle): Point[] {
  if (o.kind === "circle") return [[o.centre[0] + o.radius, o.centre[1]]];
  return outline(o);
}

/** The obstacle after one of its handles was taken to p. */
export function withHandle(o: Obstacle, handle: number, p: Point): Obstacle {
  if (o.kind === "circle") return circleThrough(o.centre, p);
  if (o.kind === "box") {
    const opposite = outline(o)[(handle + 2) % 4] ?? o.min;
    return boxBetween(opposite, p);
  }
  return { ...o, points: o.points.map((q, k) => (k === handle ? p : q)) };
}

/** Larger or smaller about its own middle, for the keyboard. */
export function resized(o: Obstacle, by: number): Obstacle {
  if (o.kind === "circle") return { ...o, radius: Math.max(SMALLEST_M, o.radius + by) };
  const c = middle(o);
  const points = outline(o).map((p): Point => {
    const d = distance(p, c);
    const k = d > 0 ? Math.max(SMALLEST_M, d + by) / d : 1;
    return [c[0] + (p[0] - c[0]) * k, c[1] + (p[1] - c[1]) * k];
  });
  if (o.kind === "polygon") return { ...o, points };
  return boxBetween(points[0] ?? o.min, points[2] ?? o.max);
}

export function middle(o: Obstacle): Point {
  if (o.kind === "circle") return o.centre;
  const corners = outline(o);
  const n = Math.max(1, corners.length);
  const sum = corners.reduce<[number, number]>((t, p) => [t[0] + p[0], t[1] + p[1]], [0, 0]);
  return [sum[0] / n, sum[1] / n];
}

/** The corners, in order; a circle as many. */
export function outline(o: Obstacle): Point[] {
  if (o.kind === "polygon") return [...o.points];
  if (o.kind === "box") return [o.min, [o.max[0], o.min[1]], o.max, [o.min[0], o.max[1]]];
  return Array.from({ length: 48 }, (_, k): Point => {
    const a = (2 * Math.PI * k) / 48;
    return [o.centre[0] + o.radius * Math.cos(a), o.centre[1] + o.radius * Math.sin(a)];
  });
}

export function toJson(o: Obstacle): ObstacleJson {
  if (o.kind === "circle") return { circle: [o.centre[0], o.centre[1], o.radius] };
  if (o.kind === "box") return { box: [o.min[0], o.min[1], o.max[0], o.max[1]] };
  return { polygon: o.points.map((p): [number, number] => [p[0], p[1]]) };
}

export function fromJson(o: ObstacleJson): Obstacle {
  if ("circle" in o) return { kind: "circle", centre: [o.circle[0], o.circle[1]], radius: o.circle[2] };
  if ("box" in o) return boxBetween([o.box[0], o.box[1]], [o.box[2], o.box[3]]);
  return { kind: "polygon", points: o.polygon };
}

/** In words, for lists and screen readers. */
export function describe(o: Obstacle): string {
  const m = (v: number) => v.toFixed(1);
  if (o.kind === "circle") return `Circle, ${m(o.radius)} m radius`;
  if (o.kind === "box") return `Box, ${m(o.max[0] - o.min[0])} by ${m(o.max[1] - o.min[1])} m`;
  return `Polygon, ${o.points.length} corners`;
}
