/** What lies over the sketch: ways that were found, what the hand is making, where the pointer is. */
import { font } from "../plot/palette";
import type { Point } from "./geometry";
import { outline, type Obstacle } from "./obstacles";
import { disc, trace, type PlanScene } from "./plan-draw";
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
