/** The floor plan by keyboard. */
import { NOTHING, type Desk, type Tool } from "./desk";
import type { Point } from "./geometry";
import { moved, resized } from "./obstacles";
import { withObstacle } from "./plan-tools";
import { curveOf, deletePoint, insertAt, movePoint, type Sketch } from "./sketch";
import { pointAt } from "./geometry";

export interface PlanActions {
  zoom(factor: number): void;
  fitAll(): void;
  panBy(dx: number, dy: number): void;
  finishPolygon(): void;
  cancel(): void;
  /** Moves the keyboard's place by metres; it appears with the first call. */
  moveCursor(dx: number, dz: number): void;
  /** Puts what the tool makes there; false where there is nothing to put. */
  place(): boolean;
}

/** Tools that put something somewhere. */
const PLACING: ReadonlySet<Tool> = new Set(["points", "action", "arrival", "circle", "box", "polygon", "start"]);

const TOOL_KEYS: Readonly<Record<string, Tool>> = {
  v: "select",
  d: "draw",
  p: "points",
  s: "paint",
  a: "action",
  m: "speed",
  t: "arrival",
  c: "circle",
  b: "box",
  g: "polygon",
  h: "start",
  e: "end",
};

const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** True when the key was used. */
export function planKey(event: KeyboardEvent, desk: Desk, plan: PlanActions): boolean {
  const { key } = event;
  if (undoKey(event, desk)) return true;
  if (event.ctrlKey || event.metaKey) return false;
  const arrow = ARROWS[key];
  if (arrow) {
    const step = stepOf(event, desk);
    if (PLACING.has(desk.tool.value)) plan.moveCursor(arrow[0] * step, arrow[1] * step);
    else nudge(step, desk, plan, arrow);
    return true;
  }
  if (key === "Enter" && PLACING.has(desk.tool.value) && plan.place()) return true;
  if (key === "Delete" || key === "Backspace") return removeSelected(desk);
  if (key === "[" || key === "]") return nextPoint(desk, key === "]" ? 1 : -1);
  if (key === "Insert" || key === "i") return insertAfter(desk);
  if (key === "+" || key === "=") return resizeOr(desk, 0.1, () => plan.zoom(1.25));
  if (key === "-") return resizeOr(desk, -0.1, () => plan.zoom(0.8));
  if (key === "0") return (plan.fitAll(), true);
  if (key === "Escape") return (plan.cancel(), true);
  if (key === "Enter" && desk.tool.value === "polygon") return (plan.finishPolygon(), true);
  if (key === "Enter" && desk.tool.value === "points") {
    desk.tool.value = "select";
    return true;
  }
  const tool = TOOL_KEYS[key.toLowerCase()];
  if (tool === undefined || event.altKey) return false;
  desk.tool.value = tool;
  if (PLACING.has(tool)) plan.moveCursor(0, 0);
  return true;
}

/** Metres of one press of an arrow key. */
function stepOf(event: KeyboardEvent, desk: Desk): number {
  return (desk.snap.value.on ? desk.snap.value.step : 0.1) * (event.shiftKey ? 4 : 1) * (event.altKey ? 0.1 : 1);
}

export function undoKey(event: KeyboardEvent, desk: Desk): boolean {
  if (!(event.ctrlKey || event.metaKey)) return false;
  const key = event.key.toLowerCase();
  if (key === "z" && !event.shiftKey) desk.undo();
  else if ((key === "z" && event.shiftKey) || key === "y") desk.redo();
  else return false;
  return true;
}

function nudge(step: number, desk: Desk, plan: PlanActions, [dx, dz]: Point): void {
  const selection = desk.selection.value;
  const sketch = desk.sketch.value;
  const by: Point = [dx * step, dz * step];
  const next = nudged(sketch, selection, by);
  if (next) desk.edit(next, `nudge ${JSON.stringify(selection)}`);
  else plan.panBy(-dx * 40, -dz * 40);
}

function nudged(sketch: Sketch, selection: Desk["selection"]["value"], [dx, dz]: Point): Sketch | null {
  switch (selection.kind) {
    case "point": {
      const p = sketch.points[selection.index];
      return p ? movePoint(sketch, selection.index, [p[0] + dx, p[1] + dz]) : null;
    }
    case "obstacle":
      return withObstacle(sketch, selection.index, (o) => moved(o, dx, dz));
    case "action":
    case "arrival": {
      const along = dx !== 0 ? dx : dz;
      const length = curveOf(sketch).length;
      const moved = <M extends { readonly at: number }>(marks: readonly M[]): M[] =>
        marks.map((m, k) => (k === selection.index ? { ...m, at: Math.max(0, Math.min(length, m.at + along)) } : m));
      return selection.kind === "action"
        ? { ...sketch, actions: moved(sketch.actions) }
        : { ...sketch, arrivals: moved(sketch.arrivals) };
    }
    case "start":
      return (
        sketch.start && {
          ...sketch,
          start: { ...sketch.start, at: [sketch.start.at[0] + dx, sketch.start.at[1] + dz] },
        }
      );
    case "end":
      return sketch.end && { ...sketch, end: { ...sketch.end, at: [sketch.end.at[0] + dx, sketch.end.at[1] + dz] } };
    case "none":
      return null;
  }
}

function removeSelected(desk: Desk): boolean {
  const s = desk.selection.value;
  const sketch = desk.sketch.value;
  if (s.kind === "none") return false;
  if (s.kind === "point") desk.edit(deletePoint(sketch, s.index));
  else if (s.kind === "obstacle") desk.edit({ ...sketch, obstacles: sketch.obstacles.filter((_, k) => k !== s.index) });
  else if (s.kind === "action") desk.edit({ ...sketch, actions: sketch.actions.filter((_, k) => k !== s.index) });
  else if (s.kind === "arrival") desk.edit({ ...sketch, arrivals: sketch.arrivals.filter((_, k) => k !== s.index) });
  else if (s.kind === "end") desk.edit({ ...sketch, end: null });
  else desk.edit({ ...sketch, start: null });
  const left = desk.sketch.value.points.length;
  desk.select(s.kind === "point" && left > 0 ? { kind: "point", index: Math.min(s.index, left - 1) } : NOTHING);
  return true;
}

function nextPoint(desk: Desk, step: number): boolean {
  const n = desk.sketch.value.points.length;
  if (n === 0) return false;
  const s = desk.selection.value;
  const index = s.kind === "point" ? (s.index + step + n) % n : step > 0 ? 0 : n - 1;
  desk.select({ kind: "point", index });
  return true;
}

/** A new point half-way to the next one. */
function insertAfter(desk: Desk): boolean {
  const s = desk.selection.value;
  if (s.kind !== "point") return false;
  const curve = curveOf(desk.sketch.value);
  const from = curve.knots[s.index];
  const to = curve.knots[s.index + 1];
  if (from === undefined || to === undefined) return false;
  const at = (from + to) / 2;
  const made = insertAt(desk.sketch.value, at, pointAt(curve.line, curve.arcs, at));
  desk.edit(made.sketch);
  desk.select({ kind: "point", index: made.index });
  return true;
}

function resizeOr(desk: Desk, by: number, otherwise: () => void): boolean {
  const s = desk.selection.value;
  if (s.kind === "obstacle")
    desk.edit(
      withObstacle(desk.sketch.value, s.index, (o) => resized(o, by)),
      "resize",
    );
  else if (s.kind === "start" && desk.sketch.value.start) {
    const { start } = desk.sketch.value;
    desk.edit(
      { ...desk.sketch.value, start: { ...start, heading: start.heading + Math.sign(by) * (Math.PI / 12) } },
      "turn",
    );
  } else if (s.kind === "end" && desk.sketch.value.end) {
    const { end } = desk.sketch.value;
    desk.edit({ ...desk.sketch.value, end: { ...end, heading: end.heading + Math.sign(by) * (Math.PI / 12) } }, "turn");
  } else otherwise();
  return true;
}
