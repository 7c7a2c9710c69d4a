/**
 * The sketch: a curve by points, what is done along it, what is in its way, and where to begin.
 *
 * Sketches are values: every edit returns a new one, which makes undo a list. Styles, actions, speeds and arrivals are places by arc
 * length; an edit carries them along by the points it keeps (`spans.ts`).
 */
import { arcLengths, headingAt, lengthOf, relax, simplify, type Point } from "./geometry";
import type { Obstacle } from "./obstacles";
import { curved, straight } from "./spline";
import { carryMarks, carrySpans, type Anchors } from "./spans";
import { sameLabel, type ActionMark, type StyleSpan } from "./styles";
import { sameSpeed, type ArrivalMark, type SpeedSpan } from "./times";

export interface StartPlace {
  readonly at: Point;
  /** 0 along +Z, positive to the left. */
  readonly heading: number;
}

/** What shall happen at a place, and facing where: a label by its event, or a clip by its first frame. */
export interface EndPlace extends StartPlace {
  readonly what: string;
  /** Play what follows a label that lasts: getting up again. */
  readonly playOut: boolean;
  /** Anything may be played on the way there. */
  readonly any: boolean;
}

export interface Sketch {
  readonly points: readonly Point[];
  readonly closed: boolean;
  /** A smooth curve through the points, or straight pieces with corners. */
  readonly curved: boolean;
  readonly styles: readonly StyleSpan[];
  readonly actions: readonly ActionMark[];
  readonly speeds: readonly SpeedSpan[];
  readonly arrivals: readonly ArrivalMark[];
  readonly obstacles: readonly Obstacle[];
  /** Nothing: begin where and how it suits the path best. */
  readonly start: StartPlace | null;
  /** A place to go to, instead of a path to follow. */
  readonly end: EndPlace | null;
}

export const EMPTY: Sketch = {
  points: [],
  closed: false,
  curved: true,
  styles: [],
  actions: [],
  speeds: [],
  arrivals: [],
  obstacles: [],
  start: null,
  end: null,
};

/** The curve as drawn and as asked for, by arc length. */
export interface Curve {
  readonly line: readonly Point[];
  readonly arcs: readonly number[];
  readonly length: number;
  /** Arc length of each point of the sketch; one more, the whole length, when closed. */
  readonly knots: readonly number[];
}

const curves = new WeakMap<Sketch, Curve>();

/** The curve of a sketch; worked out once per sketch. */
export function curveOf(sketch: Sketch): Curve {
  const known = curves.get(sketch);
  if (known) return known;
  const shape = sketch.curved ? curved(sketch.points, sketch.closed) : straight(sketch.points, sketch.closed);
  const arcs = arcLengths(shape.line);
  const curve = {
    line: shape.line,
    arcs,
    length: arcs.at(-1) ?? 0,
    knots: shape.knots.map((k) => arcs[k] ?? 0),
  };
  curves.set(sketch, curve);
  return curve;
}

/** Takes another shape and carries what lies along it. `kept[k]` is the new index of old point k, or -1. */
function reshaped(sketch: Sketch, next: Sketch, kept: (k: number) => number): Sketch {
  const { styles, actions, speeds, arrivals } = sketch;
  if (styles.length + actions.length + speeds.length + arrivals.length === 0) return next;
  const before = curveOf(sketch);
  const after = curveOf(next);
  const anchors: [number, number][] = [];
  sketch.points.forEach((_, k) => {
    const to = kept(k);
    if (to >= 0) anchors.push([before.knots[k] ?? 0, after.knots[to] ?? 0]);
  });
  anchors.unshift([0, anchors[0]?.[0] === 0 ? anchors[0][1] : 0]);
  anchors.push([before.length, after.length]);
  return withCarried(next, anchors);
}

function withCarried(sketch: Sketch, anchors: Anchors): Sketch {
  return {
    ...sketch,
    styles: carrySpans(sketch.styles, anchors, sameLabel),
    actions: carryMarks(sketch.actions, anchors),
    speeds: carrySpans(sketch.speeds, anchors, sameSpeed),
    arrivals: carryMarks(sketch.arrivals, anchors),
  };
}

const same = (k: number) => k;

export function movePoint(sketch: Sketch, index: number, to: Point): Sketch {
  const points = sketch.points.map((p, k) => (k === index ? to : p));
  return reshaped(sketch, { ...sketch, points }, same);
}

export function addPoint(sketch: Sketch, p: Point): Sketch {
  return reshaped(sketch, { ...sketch, points: [...sketch.points, p] }, same);
}

/** A point between `after` and the next. */
function insertPoint(sketch: Sketch, after: number, p: Point): Sketch {
  const points = [...sketch.points.slice(0, after + 1), p, ...sketch.points.slice(after + 1)];
  return reshaped(sketch, { ...sketch, points }, (k) => (k <= after ? k : k + 1));
}

/** A point on the curve at an arc length, which leaves the rest where it is. Returns its index too. */
export function insertAt(sketch: Sketch, s: number, p: Point): { sketch: Sketch; index: number } {
  const knots = curveOf(sketch).knots;
  let after = 0;
  while (after + 1 < sketch.points.length && (knots[after + 1] ?? Infinity) <= s) after++;
  return { sketch: insertPoint(sketch, after, p), index: after + 1 };
}

export function deletePoint(sketch: Sketch, index: number): Sketch {
  const points = sketch.points.filter((_, k) => k !== index);
  const closed = sketch.closed && points.length > 2;
  return reshaped(sketch, { ...sketch, points, closed }, (k) => (k === index ? -1 : k > index ? k - 1 : k));
}

export function setClosed(sketch: Sketch, closed: boolean): Sketch {
  if (closed && sketch.points.length < 3) return sketch;
  const next = { ...sketch, closed };
  const before = curveOf(sketch);
  const after = curveOf(next);
  const ends = Math.min(sketch.points.length, Math.min(before.knots.length, after.knots.length)) - 1;
  // The way back to the start is new (or gone); all that was drawn stays where it is.
  const anchors: [number, number][] = sketch.points
    .slice(0, ends + 1)
    .map((_, k) => [before.knots[k] ?? 0, after.knots[k] ?? 0]);
  if (sketch.closed) anchors.push([before.length, after.length]);
  return withCarried(next, anchors.length > 0 ? anchors : [[0, 0]]);
}

export function setCurved(sketch: Sketch, isCurved: boolean): Sketch {
  return reshaped(sketch, { ...sketch, curved: isCurved }, same);
}

/** One step smoother: the points relax, the ends of an open curve stay. */
export function smooth(sketch: Sketch): Sketch {
  const next = { ...sketch, points: relax(sketch.points, sketch.closed), curved: true };
  return reshaped(sketch, next, same);
}

export function reverse(sketch: Sketch): Sketch {
  const next = { ...sketch, points: [...sketch.points].reverse(), start: null };
  const before = curveOf(sketch).length;
  const turned = withCarried(next, [
    [0, curveOf(next).length],
    [before, 0],
  ]);
  // Places are met the other way round, but time still runs on: the first that is met has the first time.
  const times = turned.arrivals.map((a) => a.time_s).sort((p, q) => p - q);
  return { ...turned, arrivals: turned.arrivals.map((a, k) => ({ ...a, time_s: times[k] ?? a.time_s })) };
}

/** Larger or smaller about the middle of its points. */
export function scale(sketch: Sketch, by: number): Sketch {
  const n = sketch.points.length;
  if (n === 0) return sketch;
  const cx = sketch.points.reduce((t, p) => t + p[0], 0) / n;
  const cz = sketch.points.reduce((t, p) => t + p[1], 0) / n;
  const points = sketch.points.map((p): Point => [cx + (p[0] - cx) * by, cz + (p[1] - cz) * by]);
  return reshaped(sketch, { ...sketch, points }, same);
}

/** A new shape in place of the old one; what was painted is stretched over it evenly. */
export function replaceShape(sketch: Sketch, points: readonly Point[], closed: boolean, isCurved: boolean): Sketch {
  const next: Sketch = { ...sketch, points, closed, curved: isCurved, start: null };
  const before = curveOf(sketch).length;
  return withCarried(next, [
    [0, 0],
    [before, curveOf(next).length],
  ]);
}

/** The hand's line as a few points; `tolerance` in metres is what the eye does not see at the present zoom. */
export function fromFreehand(raw: readonly Point[], tolerance: number): { points: Point[]; closed: boolean } | null {
  const length = lengthOf(raw);
  const first = raw[0];
  const last = raw.at(-1);
  if (!first || !last || length < 0.2) return null;
  const points = simplify(raw, tolerance);
  const gap = Math.hypot(first[0] - last[0], first[1] - last[1]);
  // A hand that comes back to where it began means a loop.
  const closed = points.length > 3 && gap < Math.max(0.3, 0.06 * length);
  if (closed && gap < 0.6) points.pop();
  return { points, closed };
}

/** Where a start handle appears first: the curve's start, along the curve. */
export function naturalStart(sketch: Sketch): StartPlace {
  const curve = curveOf(sketch);
  return { at: curve.line[0] ?? [0, 0], heading: headingAt(curve.line, curve.arcs, 0) };
}
