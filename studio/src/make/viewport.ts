/** Where the floor plan lies on the canvas: metres to CSS pixels, with pan, zoom about a place, and pinch. */
import type { Box, Point } from "./geometry";

export interface Viewport {
  /** Place of the ground at the canvas's middle. */
  readonly centre: Point;
  /** CSS pixels per metre. */
  readonly scale: number;
  readonly width: number;
  readonly height: number;
}

const SMALLEST_SCALE = 2;
const LARGEST_SCALE = 600;

function clampScale(scale: number): number {
  return Math.max(SMALLEST_SCALE, Math.min(LARGEST_SCALE, scale));
}

export function toScreen(view: Viewport, p: Point): Point {
  return [
    view.width / 2 + (p[0] - view.centre[0]) * view.scale,
    view.height / 2 + (p[1] - view.centre[1]) * view.scale,
  ];
}

export function toGround(view: Viewport, q: Point): Point {
  return [
    view.centre[0] + (q[0] - view.width / 2) / view.scale,
    view.centre[1] + (q[1] - view.height / 2) / view.scale,
  ];
}

export function panned(view: Viewport, dx: number, dy: number): Viewport {
  return { ...view, centre: [view.centre[0] - dx / view.scale, view.centre[1] - dy / view.scale] };
}

/** Zooms so that the ground under the screen place `at` stays under it. */
export function zoomed(view: Viewport, factor: number, at: Point): Viewport {
  const held = toGround(view, at);
  const next = { ...view, scale: clampScale(view.scale * factor) };
  const now = toGround(next, at);
  return { ...next, centre: [next.centre[0] + held[0] - now[0], next.centre[1] + held[1] - now[1]] };
}

/** Two fingers from a0, b0 to a1, b1: zoom by their spread, pan by their middle. */
export function pinched(view: Viewport, a0: Point, b0: Point, a1: Point, b1: Point): Viewport {
  const spread = (a: Point, b: Point) => Math.max(1, Math.hypot(a[0] - b[0], a[1] - b[1]));
  const half = (a: Point, b: Point): Point => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  const from = half(a0, b0);
  const to = half(a1, b1);
  const grown = zoomed(view, spread(a1, b1) / spread(a0, b0), from);
  return panned(grown, to[0] - from[0], to[1] - from[1]);
}

export function sized(view: Viewport, width: number, height: number): Viewport {
  return { ...view, width, height };
}

/** Shows a box with a margin; small things are not blown up to fill the plan. */
export function fitted(view: Viewport, box: Box, margin = 40): Viewport {
  const wide = Math.max(box.max[0] - box.min[0], 1);
  const deep = Math.max(box.max[1] - box.min[1], 1);
  const room = (side: number) => Math.max(40, side - 2 * margin);
  const scale = Math.min(room(view.width) / wide, room(view.height) / deep, 120);
  return {
    ...view,
    scale: clampScale(scale),
    centre: [(box.min[0] + box.max[0]) / 2, (box.min[1] + box.max[1]) / 2],
  };
}

/** Metres between grid lines, so that they are 14 pixels apart or more: 0.1, 0.5, 1, 5, 10, 50… */
export function gridStep(scale: number): number {
  for (const step of [0.1, 0.5, 1, 5, 10, 50, 100]) {
    if (step * scale >= 14) return step;
  }
  return 500;
}
