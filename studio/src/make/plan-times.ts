/** Draws what is wished in time beside the path, where it does not fight with styles: speeds as bands, arrivals as clocks. */
import type { Palette } from "../plot/palette";
import { headingAt, pointAt, type Point } from "./geometry";
import { tag, type PlanScene } from "./plan-draw";
import { CLOCK_REACHES } from "./pick";
import { curveOf, type Curve } from "./sketch";
import { toScreen, type Viewport } from "./viewport";

type Context = CanvasRenderingContext2D;

/** Pixels around a thing that count as on it. */
export const REACH_PX = 10;
/** Pixels between the path and the band of a speed: styles are painted on the path itself. */
const BAND_PX = 9;
/** Pixels between points of a band. */
const STEP_PX = 5;
const MOST_STEPS = 2000;
const CLOCK_PX = 8;

/** A place beside the path on screen, `px` to the left of the one who walks it. */
function beside(view: Viewport, { line, arcs }: Curve, s: number, px: number, down = px): Point {
  const [x, y] = toScreen(view, pointAt(line, arcs, s));
  const heading = headingAt(line, arcs, s);
  return [x + px * Math.cos(heading), y - down * Math.sin(heading)];
}

function held([x, y]: Point, view: Viewport): Point {
  return [Math.max(36, Math.min(view.width - 36, x)), Math.max(14, Math.min(view.height - 14, y))];
}

export function drawTimes(c: Context, scene: PlanScene): void {
  const curve = curveOf(scene.sketch);
  if (curve.line.length < 2) return;
  speeds(c, scene, curve);
  arrivals(c, scene, curve);
}

function speeds(c: Context, { view, colours, sketch, problems }: PlanScene, curve: Curve): void {
  sketch.speeds.forEach(({ m_s, from, to }, k) => {
    const wrong = problems.some((p) => p.place.kind === "speed" && p.place.index === k);
    const colour = wrong ? colours.bad : colours.text;
    const steps = Math.max(2, Math.min(MOST_STEPS, Math.ceil(((to - from) * view.scale) / STEP_PX)));
    const band = Array.from({ length: steps + 1 }, (_, n) =>
      beside(view, curve, from + ((to - from) * n) / steps, BAND_PX),
    );
    c.save();
    c.beginPath();
    for (const p of band) c.lineTo(...p);
    c.strokeStyle = colour;
    c.lineWidth = 4;
    // The faster, the longer the strides.
    c.setLineDash([3 + 6 * Math.min(m_s, 5), 3]);
    c.stroke();
    c.restore();
    if ((to - from) * view.scale < 30) return;
    tag(c, `${m_s} m/s`, held(beside(view, curve, (from + to) / 2, 44, 30), view), colour, colours);
  });
}

function arrivals(c: Context, { view, colours, sketch, selection, problems }: PlanScene, curve: Curve): void {
  sketch.arrivals.forEach(({ time_s, at }, k) => {
    const wrong = problems.some((p) => p.place.kind === "arrival" && p.place.index === k);
    const selected = selection.kind === "arrival" && selection.index === k;
    const colour = wrong ? colours.bad : colours.accent;
    const foot = toScreen(view, pointAt(curve.line, curve.arcs, at));
    const middle = beside(view, curve, at, CLOCK_REACHES * REACH_PX);
    c.save();
    c.beginPath();
    c.moveTo(...foot);
    c.lineTo(...middle);
    c.strokeStyle = colour;
    c.lineWidth = 2;
    c.stroke();
    c.restore();
    clock(c, middle, selected ? CLOCK_PX + 2 : CLOCK_PX, colour, colours);
    tag(c, `${Number(time_s.toFixed(2))} s`, held(beside(view, curve, at, 50, 40), view), colour, colours);
  });
}

/** A round face with two hands. */
function clock(c: Context, [x, y]: Point, r: number, colour: string, colours: Palette): void {
  c.beginPath();
  c.arc(x, y, r, 0, 2 * Math.PI);
  c.fillStyle = colours.panel;
  c.fill();
  c.strokeStyle = colour;
  c.lineWidth = 2;
  c.stroke();
  c.beginPath();
  c.moveTo(x, y - 0.65 * r);
  c.lineTo(x, y);
  c.lineTo(x + 0.5 * r, y);
  c.stroke();
}
