/** What lies over the sketch: ways that were found and where they leave the path, what the hand is making, where the pointer is. */
import { font } from "../plot/palette";
import { headingAt, pointAt, slice, type Point } from "./geometry";
import { outline, type Obstacle } from "./obstacles";
import { disc, tag, trace, type PlanScene } from "./plan-draw";
import { curveOf } from "./sketch";
import { toScreen, type Viewport } from "./viewport";

export interface Way {
  readonly line: readonly Point[];
  readonly colour: string;
  readonly width: number;
  readonly dash?: readonly number[];
}

export function drawWay(c: CanvasRenderingContext2D, view: Viewport, way: Way): void {
  c.save();
  c.setLineDash([...(way.dash ?? [])]);
  c.lineJoin = "round";
  trace(c, view, way.line);
  c.strokeStyle = way.colour;
  c.lineWidth = way.width;
  c.stroke();
  c.restore();
}

/** The hand's line, a box or circle in the making, corners of a polygon so far. */
export function drawMaking(
  c: CanvasRenderingContext2D,
  { colours, view }: PlanScene,
  made: { readonly line?: readonly Point[]; readonly obstacle?: Obstacle },
  polygon: readonly Point[],
  pointer: Point | null,
): void {
  c.strokeStyle = colours.accent;
  c.lineWidth = 2.5;
  if (made.line) {
    trace(c, view, made.line);
    c.stroke();
  }
  if (made.obstacle) {
    trace(c, view, outline(made.obstacle), true);
    c.stroke();
  }
  if (polygon.length === 0) return;
  trace(c, view, pointer ? [...polygon, pointer] : polygon);
  c.stroke();
  for (const p of polygon) disc(c, toScreen(view, p), 5, colours.panel, colours.accent);
}

/** The keyboard's place: a cross, on a light ground and on a dark one. */
export function drawCursor(c: CanvasRenderingContext2D, { colours, view }: PlanScene, at: Point): void {
  const [x, y] = toScreen(view, at);
  for (const [colour, width] of [
    [colours.panel, 5],
    [colours.accent, 2],
  ] as const) {
    c.beginPath();
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const) {
      c.moveTo(x + 4 * dx, y + 4 * dy);
      c.lineTo(x + 14 * dx, y + 14 * dy);
    }
    c.strokeStyle = colour;
    c.lineWidth = width;
    c.stroke();
  }
}

export function drawReadout(c: CanvasRenderingContext2D, { colours }: PlanScene, [x, z]: Point, height: number): void {
  c.font = font(11);
  c.textAlign = "left";
  c.textBaseline = "bottom";
  c.fillStyle = colours.muted;
  c.fillText(`x ${x.toFixed(2)} m   z ${z.toFixed(2)} m`, 10, height - 10);
}

/** A stretch of the sketch that the motion leaves, by arc length. */
export interface OffSpan {
  readonly from: number;
  readonly to: number;
  readonly worst_m: number;
}

/** Stretches of the path that the motion leaves: a red band along it. */
export function drawOff(
  c: CanvasRenderingContext2D,
  { view, colours, sketch }: PlanScene,
  stretches: readonly OffSpan[],
): void {
  const curve = curveOf(sketch);
  if (curve.line.length < 2) return;
  for (const { from, to } of stretches) {
    c.save();
    c.lineCap = "round";
    trace(c, view, slice(curve.line, curve.arcs, from, Math.max(to, from + 0.1)));
    c.strokeStyle = colours.bad;
    c.globalAlpha = 0.4;
    c.lineWidth = 18;
    c.stroke();
    c.restore();
  }
}

/** How far off each gets, beside it: to the left of the one who walks, where styles have no tags. */
export function tagOff(
  c: CanvasRenderingContext2D,
  { view, colours, sketch }: PlanScene,
  stretches: readonly OffSpan[],
): void {
  const { line, arcs } = curveOf(sketch);
  if (line.length < 2) return;
  for (const { from, to, worst_m } of stretches) {
    const middle = (from + to) / 2;
    const [x, y] = toScreen(view, pointAt(line, arcs, middle));
    const heading = headingAt(line, arcs, middle);
    const beside: Point = [
      Math.max(40, Math.min(view.width - 40, x + 48 * Math.cos(heading))),
      Math.max(14, Math.min(view.height - 14, y - 24 * Math.sin(heading))),
    ];
    tag(c, `${worst_m.toFixed(1)} m off`, beside, colours.bad, colours);
  }
}
