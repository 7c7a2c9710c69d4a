/** Draws the floor plan: grid, obstacles, the curve with its styles, handles, and ways found. */
import { font, type Palette } from "../plot/palette";
import { endOf } from "../ui/format";
import { labelColour } from "../ui/label-colours";
import type { Selection } from "./desk";
import { headingAt, pointAt, slice, type Point } from "./geometry";
import { handles, outline, type Obstacle } from "./obstacles";
import { arrowTip } from "./pick";
import type { Problem } from "./request";
import { curveOf, type Sketch, type StartPlace } from "./sketch";
import { ANY } from "./styles";
import { gridStep, toGround, toScreen, type Viewport } from "./viewport";

type Context = CanvasRenderingContext2D;

export interface PlanScene {
  readonly view: Viewport;
  readonly colours: Palette;
  readonly sketch: Sketch;
  readonly selection: Selection;
  readonly problems: readonly Problem[];
  readonly editable: boolean;
}

export function trace(c: Context, view: Viewport, line: readonly Point[], close = false): void {
  c.beginPath();
  for (const p of line) c.lineTo(...toScreen(view, p));
  if (close) c.closePath();
}

export function drawGrid(c: Context, view: Viewport, colours: Palette): void {
  const step = gridStep(view.scale);
  const bold = step * (step === 0.5 || step === 5 || step === 50 ? 2 : 10) >= 1 ? boldStep(step) : step * 5;
  const [x0, z0] = toGround(view, [0, 0]);
  const [x1, z1] = toGround(view, [view.width, view.height]);
  c.lineWidth = 1;
  const rule = (v: number, vertical: boolean) => {
    const k = Math.round(v / step);
    const strong = Math.abs(v / bold - Math.round(v / bold)) < 1e-6;
    c.strokeStyle = k === 0 ? colours["line-strong"] : colours.line;
    c.globalAlpha = k === 0 ? 0.9 : strong ? 1 : 0.45;
    const at = Math.round(toScreen(view, [v, v])[vertical ? 0 : 1]) + 0.5;
    c.beginPath();
    c.moveTo(vertical ? at : 0, vertical ? 0 : at);
    c.lineTo(vertical ? at : view.width, vertical ? view.height : at);
    c.stroke();
  };
  for (let x = Math.ceil(x0 / step) * step; x <= x1; x += step) rule(x, true);
  for (let z = Math.ceil(z0 / step) * step; z <= z1; z += step) rule(z, false);
  c.globalAlpha = 1;
  drawScale(c, view, colours);
}

function boldStep(step: number): number {
  return step < 1 ? 1 : step * (step === 1 || step === 10 || step === 100 ? 5 : 2);
}

/** A ruler in the corner: how long a metre is here. */
function drawScale(c: Context, view: Viewport, colours: Palette): void {
  const metres = [0.1, 0.5, 1, 2, 5, 10, 20, 50, 100].find((m) => m * view.scale >= 56) ?? 200;
  const x1 = view.width - 14;
  const x0 = x1 - metres * view.scale;
  const y = view.height - 14;
  c.strokeStyle = colours.muted;
  c.fillStyle = colours.muted;
  c.lineWidth = 1.5;
  c.beginPath();
  c.moveTo(x0, y - 4);
  c.lineTo(x0, y);
  c.lineTo(x1, y);
  c.lineTo(x1, y - 4);
  c.stroke();
  c.font = font(11);
  c.textAlign = "center";
  c.textBaseline = "bottom";
  c.fillText(`${metres} m`, (x0 + x1) / 2, y - 3);
}

export function drawObstacles(c: Context, scene: PlanScene): void {
  const { view, colours, sketch, selection } = scene;
  sketch.obstacles.forEach((o, k) => {
    const selected = selection.kind === "obstacle" && selection.index === k;
    const wrong = scene.problems.some((p) => p.place.kind === "obstacle" && p.place.index === k);
    drawObstacle(c, view, o, colours, selected, wrong);
    if (!selected || !scene.editable) return;
    for (const h of handles(o)) square(c, toScreen(view, h), colours.panel, colours.accent);
  });
}

function drawObstacle(
  c: Context,
  view: Viewport,
  o: Obstacle,
  colours: Palette,
  selected: boolean,
  wrong: boolean,
): void {
  trace(c, view, outline(o), true);
  c.fillStyle = colours["line-strong"];
  c.globalAlpha = 0.35;
  c.fill();
  c.globalAlpha = 1;
  c.save();
  c.clip();
  // Hatching tells a thing in the way from a shape that is drawn.
  c.strokeStyle = colours["line-strong"];
  c.lineWidth = 1;
  c.beginPath();
  for (let k = -view.height; k < view.width; k += 9) {
    c.moveTo(k, 0);
    c.lineTo(k + view.height, view.height);
  }
  c.stroke();
  c.restore();
  trace(c, view, outline(o), true);
  c.strokeStyle = wrong ? colours.warn : selected ? colours.accent : colours["line-strong"];
  c.lineWidth = selected || wrong ? 2.5 : 1.5;
  c.stroke();
}

export function drawCurve(c: Context, scene: PlanScene): void {
  const { view, colours, sketch } = scene;
  const curve = curveOf(sketch);
  if (curve.line.length < 2) return;
  c.lineJoin = "round";
  c.lineCap = "round";
  trace(c, view, curve.line);
  c.strokeStyle = colours.panel;
  c.lineWidth = 9;
  c.stroke();
  trace(c, view, curve.line);
  c.strokeStyle = colours.accent;
  c.lineWidth = 3;
  c.stroke();
  c.lineCap = "butt";
  sketch.styles.forEach((span, k) => {
    const wrong = scene.problems.some((p) => p.place.kind === "style" && p.place.index === k);
    trace(c, view, slice(curve.line, curve.arcs, span.from, span.to));
    c.strokeStyle = wrong ? colours.bad : span.label === ANY ? colours.muted : labelColour(span.label, colours.dark);
    c.lineWidth = 7;
    c.stroke();
    const middle = (span.from + span.to) / 2;
    const [x, y] = toScreen(view, pointAt(curve.line, curve.arcs, middle));
    // Beside the curve, to the right of the one who walks it.
    const heading = headingAt(curve.line, curve.arcs, middle);
    const beside: Point = [
      Math.max(36, Math.min(view.width - 36, x - 30 * Math.cos(heading))),
      Math.max(14, Math.min(view.height - 14, y + 20 * Math.sin(heading))),
    ];
    if ((span.to - span.from) * view.scale > 30) tag(c, span.label, beside, c.strokeStyle, colours);
  });
  arrows(c, scene);
  actions(c, scene);
}

/** Small arrows along the curve say which way it runs. */
function arrows(c: Context, { view, colours, sketch }: PlanScene): void {
  const curve = curveOf(sketch);
  const every = Math.max(110 / view.scale, curve.length / 40);
  c.fillStyle = colours.panel;
  c.strokeStyle = colours.accent;
  c.lineWidth = 1.5;
  for (let s = every / 2; s < curve.length; s += every) {
    const [x, y] = toScreen(view, pointAt(curve.line, curve.arcs, s));
    const heading = headingAt(curve.line, curve.arcs, s);
    c.save();
    c.translate(x, y);
    // On screen +Z is down: heading 0 points down and turns against the clock.
    c.rotate(-heading);
    c.beginPath();
    c.moveTo(0, 8);
    c.lineTo(-5.5, -4);
    c.lineTo(0, -1.5);
    c.lineTo(5.5, -4);
    c.closePath();
    c.fill();
    c.stroke();
    c.restore();
  }
}

function actions(c: Context, scene: PlanScene): void {
  const { view, colours, sketch, selection } = scene;
  const curve = curveOf(sketch);
  sketch.actions.forEach((a, k) => {
    const [x, y] = toScreen(view, pointAt(curve.line, curve.arcs, a.at));
    const wrong = scene.problems.some((p) => p.place.kind === "action" && p.place.index === k);
    const colour = wrong ? colours.bad : labelColour(a.label, colours.dark);
    const big = selection.kind === "action" && selection.index === k ? 10 : 8;
    c.beginPath();
    c.moveTo(x, y - big);
    c.lineTo(x + big, y);
    c.lineTo(x, y + big);
    c.lineTo(x - big, y);
    c.closePath();
    c.fillStyle = colour;
    c.fill();
    c.strokeStyle = colours.panel;
    c.lineWidth = 2;
    c.stroke();
    tag(c, a.label, [x, y - 20], colour, colours);
  });
}

export function drawHandles(c: Context, { view, colours, sketch, selection, editable }: PlanScene): void {
  if (editable) {
    const crowded = sketch.points.length > 60 && view.scale < 30;
    sketch.points.forEach((p, k) => {
      const selected = selection.kind === "point" && selection.index === k;
      const end = k === 0 || (k === sketch.points.length - 1 && !sketch.closed);
      if (crowded && !selected && !end) return;
      disc(c, toScreen(view, p), selected ? 7 : 5, selected ? colours.accent : colours.panel, colours.accent);
    });
  }
  const first = sketch.points[0];
  if (first && !sketch.start) tag(c, "start", offset(toScreen(view, first), 0, 18), colours.accent, colours);
  if (sketch.start) drawStand(c, view, sketch.start, "start", colours.good, colours, selection.kind === "start");
  if (sketch.end)
    drawStand(c, view, sketch.end, endOf(sketch.end.what, 24), colours.warn, colours, selection.kind === "end");
}

/** A place with an arrow to where one faces there. */
function drawStand(
  c: Context,
  view: Viewport,
  start: StartPlace,
  name: string,
  colour: string,
  colours: Palette,
  selected: boolean,
): void {
  const at = toScreen(view, start.at);
  const tip = toScreen(view, arrowTip(start));
  c.strokeStyle = colour;
  c.lineWidth = selected ? 4 : 3;
  c.beginPath();
  c.moveTo(...at);
  c.lineTo(...tip);
  c.stroke();
  disc(c, at, selected ? 9 : 7, colour, colours.panel);
  disc(c, tip, selected ? 7 : 5, colours.panel, colour);
  // On the side it does not face.
  const behind: Point = [
    Math.max(28, Math.min(view.width - 28, at[0] - 34 * Math.sin(start.heading))),
    at[1] - 20 * Math.cos(start.heading),
  ];
  tag(c, name, behind, colour, colours);
}

/** Marks on the path where something is wrong. */
export function drawProblems(c: Context, { view, colours, sketch, problems }: PlanScene): void {
  const curve = curveOf(sketch);
  for (const { place } of problems) {
    if (place.kind !== "metre") continue;
    const [x, y] = toScreen(view, pointAt(curve.line, curve.arcs, place.at));
    c.beginPath();
    c.arc(x, y, 13, 0, 2 * Math.PI);
    c.strokeStyle = colours.bad;
    c.lineWidth = 3;
    c.stroke();
    tag(c, `${place.at.toFixed(1)} m`, [x, y - 24], colours.bad, colours);
  }
}

function offset(p: Point, dx: number, dy: number): Point {
  return [p[0] + dx, p[1] + dy];
}

export function disc(c: Context, [x, y]: Point, r: number, fill: string, stroke: string): void {
  c.beginPath();
  c.arc(x, y, r, 0, 2 * Math.PI);
  c.fillStyle = fill;
  c.fill();
  c.strokeStyle = stroke;
  c.lineWidth = 2;
  c.stroke();
}

function square(c: Context, [x, y]: Point, fill: string, stroke: string): void {
  c.fillStyle = fill;
  c.fillRect(x - 5, y - 5, 10, 10);
  c.strokeStyle = stroke;
  c.lineWidth = 2;
  c.strokeRect(x - 5, y - 5, 10, 10);
}

/** A word on a plate, readable on anything. */
export function tag(c: Context, text: string, [x, y]: Point, colour: string, colours: Palette): void {
  c.font = font(11, 600);
  c.textAlign = "center";
  c.textBaseline = "middle";
  const wide = c.measureText(text).width + 10;
  c.beginPath();
  c.roundRect(x - wide / 2, y - 9, wide, 18, 5);
  c.fillStyle = colours.panel;
  c.fill();
  c.strokeStyle = colour;
  c.lineWidth = 1.5;
  c.stroke();
  c.fillStyle = colours.text;
  c.fillText(text, x, y + 0.5);
}
