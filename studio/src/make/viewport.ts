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

/** Another size of the canvas, whose corner went by `moved` pixels: the ground stays where it was on the screen. */
export function held(view: Viewport, width: number, height: number, moved: Point): Viewport {
  const centre: Point = [
    view.centre[0] + (moved[0] + (width - view.width) / 2) / view.scale,
    view.centre[1] + (moved[1] + (height - view.height) / 2) / view.scale,
  ];
  return { ...view, centre, width, height };
}

/** Whether a place is on the canvas, `margin` pixels from its edge at least. */
export function inSight(view: Viewport, p: Point, margin = 0): boolean {
  const [x, y] = toScreen(view, p);
  return x >= margin && y >= margin && x <= view.width - margin && y <= view.height - margin;
}

/** A canvas that changes by more than this share of itself is another one. */
const OTHER_SIZE = 0.25;

/** Whether a box that was wholly in sight is not any more, in a canvas of another size. */
export function lostSight(before: Viewport, after: Viewport, box: Box | null): boolean {
  const other = (a: number, b: number) => Math.abs(a - b) > OTHER_SIZE * b;
  if (!box || !(other(after.width, before.width) || other(after.height, before.height))) return false;
  const seen = (view: Viewport) => inSight(view, box.min) && inSight(view, box.max);
  return seen(before) && !seen(after);
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
