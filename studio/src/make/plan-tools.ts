/** What the pointer does on the floor plan, by the tool in hand. Places come in metres, snapped or not as each tool needs. */
import type { Desk, Selection } from "./desk";
import { NOTHING } from "./desk";
import { distance, nearestOn, type Point } from "./geometry";
import { boxBetween, circleThrough, moved, withHandle, type Obstacle } from "./obstacles";
import { headingTo, hitAt, type Hit } from "./pick";
import { addPoint, curveOf, fromFreehand, insertAt, movePoint, replaceShape, setClosed, type Sketch } from "./sketch";
import { likelyTime, paintSpeed, withArrival } from "./sketch-times";
import { snapToGrid } from "./snap";
import { actionAmong, paint, paintAround, type ActionMark } from "./styles";

/** Where the pointer is, raw and snapped, and how far counts as on something, in metres. */
export interface Stroke {
  readonly raw: Point;
  readonly snapped: Point;
  readonly reach: number;
  readonly double: boolean;
}

/** A gesture from press to release. */
export interface Gesture {
  move(at: Stroke): void;
  end(at: Stroke): void;
  /** Drawn while it lasts: the hand's line, a box in the making. */
  preview?(): { readonly line?: readonly Point[]; readonly obstacle?: Obstacle };
}

const SNAP_ANGLE = Math.PI / 12;

export function begin(desk: Desk, at: Stroke): Gesture | null {
  switch (desk.tool.value) {
    case "select":
      return select(desk, at);
    case "draw":
      return freehand(desk, at);
    case "points":
      return clickPoint(desk, at);
    case "paint":
      return brush(desk, at);
    case "action":
      return action(desk, at);
    case "speed":
      return along(desk, at, (before, from, to) => paintSpeed(before, desk.pace.value, from, to));
    case "arrival":
      return arrival(desk, at);
    case "circle":
    case "box":
      return obstacle(desk, at);
    case "polygon":
      return null;
    case "start":
      return placeStart(desk, at);
    case "end":
      return placeEnd(desk, at);
  }
}

function selectionOf(hit: Hit): Selection {
  if (hit.kind === "point" || hit.kind === "action" || hit.kind === "arrival" || hit.kind === "obstacle")
    return { kind: hit.kind, index: hit.index };
  if (hit.kind === "obstacle-handle") return { kind: "obstacle", index: hit.index };
  if (hit.kind === "end" || hit.kind === "end-heading") return { kind: "end" };
  return hit.kind === "start" || hit.kind === "heading" ? { kind: "start" } : NOTHING;
}

function select(desk: Desk, at: Stroke): Gesture | null {
  const held = desk.selection.value;
  const hit = hitAt(desk.sketch.value, at.raw, at.reach, held.kind === "obstacle" ? held.index : null);
  if (!hit) {
    desk.select(NOTHING);
    return null;
  }
  if (hit.kind === "curve") {
    if (!at.double) return null;
    const made = insertAt(desk.sketch.value, hit.s, at.raw);
    desk.seal();
    desk.edit(made.sketch, "drag");
    desk.select({ kind: "point", index: made.index });
    return drag(desk, { kind: "point", index: made.index }, at);
  }
  desk.select(selectionOf(hit));
  return drag(desk, hit, at);
}

function drag(desk: Desk, hit: Hit, start: Stroke): Gesture {
  const before = desk.sketch.value;
  let moving = false;
  return {
    move: (at) => {
      // A click with a trembling hand is no drag.
      moving ||= distance(at.raw, start.raw) > start.reach * 0.4;
      if (moving) desk.edit(dragged(before, hit, start, at, desk.snap.value.on), "drag");
    },
    end: () => desk.seal(),
  };
}

function dragged(before: Sketch, hit: Hit, start: Stroke, at: Stroke, snapping: boolean): Sketch {
  if (hit.kind === "point") return movePoint(before, hit.index, at.snapped);
  if (hit.kind === "obstacle") {
    const shift: Point = [at.raw[0] - start.raw[0], at.raw[1] - start.raw[1]];
    const [dx, dz] = snapping ? snapToGrid(shift, 0.1) : shift;
    return withObstacle(before, hit.index, (o) => moved(o, dx, dz));
  }
  if (hit.kind === "obstacle-handle")
    return withObstacle(before, hit.index, (o) => withHandle(o, hit.handle, at.snapped));
  if (hit.kind === "action" || hit.kind === "arrival") {
    const curve = curveOf(before);
    const near = nearestOn(curve.line, curve.arcs, at.raw);
    if (!near) return before;
    const moved = <M extends { readonly at: number }>(marks: readonly M[]): M[] =>
      marks.map((m, k) => (k === hit.index ? { ...m, at: near.s } : m));
    return hit.kind === "action"
      ? { ...before, actions: moved(before.actions) }
      : { ...before, arrivals: moved(before.arrivals) };
  }
  if (before.end && hit.kind === "end") return { ...before, end: { ...before.end, at: at.snapped } };
  if (before.end && hit.kind === "end-heading")
    return { ...before, end: { ...before.end, heading: turned(before.end.at, at.raw, snapping) } };
  if (!before.start) return before;
  if (hit.kind === "start") return { ...before, start: { ...before.start, at: at.snapped } };
  return { ...before, start: { ...before.start, heading: turned(before.start.at, at.raw, snapping) } };
}

function turned(from: Point, to: Point, snapping: boolean): number {
  const heading = headingTo(from, to);
  return snapping ? Math.round(heading / SNAP_ANGLE) * SNAP_ANGLE : heading;
}

export function withObstacle(sketch: Sketch, index: number, change: (o: Obstacle) => Obstacle): Sketch {
  return { ...sketch, obstacles: sketch.obstacles.map((o, k) => (k === index ? change(o) : o)) };
}

function freehand(desk: Desk, start: Stroke): Gesture {
  const line: Point[] = [start.raw];
  return {
    preview: () => ({ line }),
    move: (at) => {
      const last = line.at(-1);
      if (!last || distance(last, at.raw) > 0.01) line.push(at.raw);
    },
    end: (at) => {
      const drawn = fromFreehand(line, Math.max(0.03, at.reach * 0.35));
      if (!drawn) return;
      desk.edit(replaceShape(desk.sketch.value, drawn.points, drawn.closed, true));
      desk.select(NOTHING);
    },
  };
}

function clickPoint(desk: Desk, at: Stroke): Gesture {
  const sketch = desk.sketch.value;
  const first = sketch.points[0];
  if (first && sketch.points.length > 2 && !sketch.closed && distance(first, at.raw) < at.reach * 1.2) {
    desk.edit(setClosed(sketch, true));
    desk.tool.value = "select";
    return { move: () => {}, end: () => {} };
  }
  // A finished loop is not to be torn open by a click: a new path begins.
  const base = sketch.closed ? replaceShape(sketch, [], false, true) : sketch;
  const next = addPoint(base, at.snapped);
  const index = next.points.length - 1;
  desk.seal();
  desk.edit(next, "drag");
  desk.select({ kind: "point", index });
  return {
    move: (to) => desk.edit(movePoint(next, index, to.snapped), "drag"),
    end: () => desk.seal(),
  };
}

function brush(desk: Desk, start: Stroke): Gesture | null {
  return along(desk, start, (before, from, to) => {
    const label = desk.brush.value;
    const { length } = curveOf(before);
    const styles = before.closed
      ? paintAround(before.styles, label, from, to, length)
      : paint(before.styles, label, from, to);
    return { ...before, styles };
  });
}

/** A stroke along the curve that paints something from where it began to where the hand is. */
function along(
  desk: Desk,
  start: Stroke,
  painted: (before: Sketch, from: number, to: number) => Sketch,
): Gesture | null {
  const before = desk.sketch.value;
  const curve = curveOf(before);
  const from = nearestOn(curve.line, curve.arcs, start.raw);
  // A generous reach: one paints along a curve, not on it.
  if (!from || from.distance > start.reach * 4) return null;
  return {
    move: (at) => {
      const to = nearestOn(curve.line, curve.arcs, at.raw);
      if (to) desk.edit(painted(before, from.s, to.s), "paint");
    },
    end: () => desk.seal(),
  };
}

/** A clock at a place of the curve, at a point of it where one is near; one that is there is taken up. */
function arrival(desk: Desk, at: Stroke): Gesture | null {
  const before = desk.sketch.value;
  const hit = hitAt(before, at.raw, at.reach, null);
  if (hit?.kind === "arrival") {
    desk.select({ kind: "arrival", index: hit.index });
    return drag(desk, hit, at);
  }
  const curve = curveOf(before);
  const near = nearestOn(curve.line, curve.arcs, at.raw);
  if (!near || near.distance > at.reach * 4) return null;
  const s = hit?.kind === "point" ? (curve.knots[hit.index] ?? near.s) : near.s;
  const made = withArrival(before, { time_s: likelyTime(before, desk.params.value, s), at: s });
  desk.seal();
  desk.edit(made.sketch, "drag");
  desk.select({ kind: "arrival", index: made.index });
  return drag(desk, { kind: "arrival", index: made.index }, at);
}

function action(desk: Desk, at: Stroke): Gesture | null {
  const before = desk.sketch.value;
  const curve = curveOf(before);
  const near = nearestOn(curve.line, curve.arcs, at.raw);
  if (!near || near.distance > at.reach * 4 || desk.brush.value === "") return null;
  const mark: ActionMark = { label: desk.brush.value, at: near.s };
  const actions = [...before.actions, mark].sort((p, q) => p.at - q.at);
  const index = actions.indexOf(mark);
  desk.seal();
  desk.edit({ ...before, actions }, "drag");
  desk.select({ kind: "action", index });
  return drag(desk, { kind: "action", index }, at);
}

function obstacle(desk: Desk, start: Stroke): Gesture {
  const make = (at: Stroke): Obstacle =>
    desk.tool.value === "circle" ? circleThrough(start.snapped, at.snapped) : boxBetween(start.snapped, at.snapped);
  let last: Obstacle | null = null;
  return {
    preview: () => (last ? { obstacle: last } : {}),
    move: (at) => (last = make(at)),
    end: (at) => {
      const dragged = distance(start.raw, at.raw) > start.reach;
      // A click makes a thing of the size of a chair.
      const made = dragged ? make(at) : standard(desk, start.snapped);
      const obstacles = [...desk.sketch.value.obstacles, made];
      desk.edit({ ...desk.sketch.value, obstacles });
      desk.select({ kind: "obstacle", index: obstacles.length - 1 });
      desk.tool.value = "select";
    },
  };
}

function standard(desk: Desk, at: Point): Obstacle {
  if (desk.tool.value === "circle") return { kind: "circle", centre: at, radius: 0.5 };
  return boxBetween([at[0] - 0.5, at[1] - 0.5], [at[0] + 0.5, at[1] + 0.5]);
}

function placeStart(desk: Desk, start: Stroke): Gesture {
  const before = desk.sketch.value;
  const curve = curveOf(before);
  const near = nearestOn(curve.line, curve.arcs, start.snapped);
  // Facing the path's start is a good guess until the hand says otherwise.
  const heading = near ? headingTo(start.snapped, curve.line[Math.min(8, curve.line.length - 1)] ?? start.snapped) : 0;
  desk.seal();
  desk.edit({ ...before, start: { at: start.snapped, heading } }, "drag");
  desk.select({ kind: "start" });
  return {
    move: (at) => {
      if (distance(at.raw, start.raw) < start.reach) return;
      const now = turned(start.snapped, at.raw, desk.snap.value.on);
      desk.edit({ ...before, start: { at: start.snapped, heading: now } }, "drag");
    },
    end: () => {
      desk.seal();
      desk.tool.value = "select";
    },
  };
}

/** What happens there is the label in hand, where it is an action; else the first that is, until the list says otherwise. */
function placeEnd(desk: Desk, start: Stroke): Gesture {
  const before = desk.sketch.value;
  const what = before.end?.what ?? actionAmong(desk.labels, desk.brush.value);
  const put = (heading: number) =>
    desk.edit(
      { ...before, end: { playOut: false, any: false, ...before.end, what, at: start.snapped, heading } },
      "drag",
    );
  desk.seal();
  put(before.end?.heading ?? 0);
  desk.select({ kind: "end" });
  return {
    move: (at) => {
      if (distance(at.raw, start.raw) >= start.reach) put(turned(start.snapped, at.raw, desk.snap.value.on));
    },
    end: () => {
      desk.seal();
      desk.tool.value = "select";
    },
  };
}
