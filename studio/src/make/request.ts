/** From the sketch to what is asked of the server, and what can be said against it before asking. */
import type { PathRequest, PlaceRequest, Result } from "../api/types";
import { pointAt } from "./geometry";
import { clearance, toJson } from "./obstacles";
import type { Params } from "./params";
import { curveOf, type Sketch, type StartPlace } from "./sketch";
import { speedsAsked } from "./sketch-times";
import { SHORTEST_M } from "./spans";
import { ANY, withoutGaps } from "./styles";
import { tooShort } from "./times";

/** Half the body's width and the search's margin: nearer than this to an obstacle nobody can pass. */
const BODY_M = 0.35;
/** Points of the curve as asked for: one every 5 cm at most, fewer on long paths. */
const MOST_POINTS = 20000;

/** Where on the sketch something is wrong. */
export type Place =
  | { readonly kind: "point"; readonly index: number }
  | { readonly kind: "style"; readonly index: number }
  | { readonly kind: "action"; readonly index: number }
  | { readonly kind: "speed"; readonly index: number }
  | { readonly kind: "arrival"; readonly index: number }
  | { readonly kind: "obstacle"; readonly index: number }
  | { readonly kind: "metre"; readonly at: number }
  | { readonly kind: "start" }
  | { readonly kind: "end" }
  | { readonly kind: "param"; readonly name: string }
  | { readonly kind: "whole" };

export interface Problem {
  readonly place: Place;
  readonly message: string;
  readonly hint: string | null;
  /** Nothing can be made before this is put right. */
  readonly blocks: boolean;
  /** It came from the server, in answer to the last request. */
  readonly said?: boolean;
}

const round = (v: number) => Math.round(v * 1e4) / 1e4;

/**
 * The curve goes out as it is drawn, sampled, and not to be smoothed again: metres along it then mean the same here and
 * there.
 */
export function pathRequest(sketch: Sketch, params: Params, name: string | null): PathRequest {
  const curve = curveOf(sketch);
  const stride = Math.max(1, Math.ceil(curve.line.length / MOST_POINTS));
  const last = curve.line.length - 1;
  const line = curve.line.filter((_, k) => k % stride === 0 || k === last);
  // A closed path ends where it starts by itself.
  const points = sketch.closed ? line.slice(0, -1) : line;
  return {
    points: points.map((p) => [round(p[0]), round(p[1])]),
    closed: sketch.closed,
    smooth: false,
    styles: withoutGaps(sketch.styles, curve.length).map((s, k, all) => ({
      label: s.label,
      from_m: round(s.from),
      to_m: k + 1 === all.length ? null : round(s.to),
    })),
    actions: sketch.actions.map((a) => ({ label: a.label, at_m: round(Math.min(a.at, curve.length)) })),
    duration_s: params.duration > 0 ? params.duration : null,
    arrivals: sketch.arrivals.map((a) => ({ time_s: round(a.time_s), at_m: round(Math.min(a.at, curve.length)) })),
    speeds: speedsAsked(sketch, params).map((s) => ({
      m_s: s.m_s,
      from_m: round(s.from),
      to_m: curve.length - s.to < SHORTEST_M ? null : round(s.to),
    })),
    obstacles: sketch.obstacles.map((o) => toJson(o)),
    start: sketch.start ? standing(sketch.start) : null,
    corridor_m: params.corridor > 0 ? params.corridor : null,
    search: params.search,
    bend_m: params.bend > 0 ? params.bend : null,
    clean: params.clean,
    short_cuts: params.shortCuts,
    forbid: [...params.forbid],
    seed: params.seed,
    count: params.count,
    alternatives: params.count > 1 ? 1 : params.alternatives,
    max_s: params.maxSeconds > 0 ? params.maxSeconds : null,
    expansions: params.expansions > 0 ? params.expansions : null,
    name,
  };
}

const standing = ({ at, heading }: StartPlace) => ({ x: round(at[0]), z: round(at[1]), heading_rad: round(heading) });

/** To the place of the sketch, past its obstacles, from its start; nothing where it has no place. */
export function placeRequest(sketch: Sketch, params: Params, name: string | null): PlaceRequest | null {
  const { end, start, styles } = sketch;
  if (!end) return null;
  return {
    what: end.what,
    end: standing(end),
    start: start ? standing(start) : null,
    // Metres along a path say nothing about the way to a place; one style for all of it does.
    style: end.any ? ANY : styles.length === 1 ? (styles[0]?.label ?? null) : null,
    obstacles: sketch.obstacles.map((o) => toJson(o)),
    forbid: [...params.forbid],
    clean: params.clean,
    play_out: end.playOut,
    seed: params.seed,
    alternatives: params.alternatives,
    expansions: params.expansions > 0 ? params.expansions : null,
    name,
  };
}

/** Whether a result is what this sketch asks for, whatever it is called. */
export function isOf(result: Pick<Result, "kind" | "request">, sketch: Sketch, params: Params): boolean {
  const asked =
    result.kind === "place" ? placeRequest(sketch, params, null) : result.kind === "path" || result.kind === "resolve";
  // What was made without a sketch belongs to any.
  if (asked === false) return true;
  if (asked === null) return false;
  const now: unknown = asked === true ? pathRequest(sketch, params, null) : asked;
  return same({ ...(now as object), name: null }, { ...result.request, name: null });
}

/** Equal as JSON; what one side leaves out is nothing. */
function same(a: unknown, b: unknown): boolean {
  if (a === b || (a ?? null) === (b ?? null)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => same((a as Row)[key], (b as Row)[key]));
}

type Row = Record<string, unknown>;

/** What is known to go wrong, before the server is asked. */
export function problemsOf(sketch: Sketch, labels: readonly string[]): Problem[] {
  const out: Problem[] = [];
  const curve = curveOf(sketch);
  if (sketch.points.length < 2 || curve.length < 0.05) {
    out.push({
      place: { kind: "whole" },
      message: "There is no path yet.",
      hint: "Draw one on the floor plan, add points, or start from a shape.",
      blocks: true,
    });
    return out;
  }
  if (curve.length > 5000) {
    const message = `The path is ${(curve.length / 1000).toFixed(1)} km long; the most is 5 km.`;
    out.push({ place: { kind: "whole" }, message, hint: "Scale it down.", blocks: true });
  }
  sketch.styles.forEach((style, index) => {
    if (labels.includes(style.label) || style.label === ANY) return;
    out.push({ place: { kind: "style", index }, ...unknownLabel(style.label) });
  });
  sketch.actions.forEach((action, index) => {
    if (labels.includes(action.label)) return;
    out.push({ place: { kind: "action", index }, ...unknownLabel(action.label) });
  });
  sketch.speeds.forEach((span, index) => {
    if (!tooShort(span, curve.length)) return;
    out.push({
      place: { kind: "speed", index },
      message: "Nobody changes pace at a line: so short a stretch is not judged.",
      hint: "Make it 2 m or longer.",
      blocks: false,
    });
  });
  sketch.obstacles.forEach((o, index) => {
    const at = firstWithin(sketch, (p) => clearance(o, p) < BODY_M);
    if (at === null) return;
    out.push({
      place: { kind: "obstacle", index },
      message: `The path runs through this obstacle at ${at.toFixed(1)} m.`,
      hint: "The motion will go round it where it can.",
      blocks: false,
    });
  });
  return out;
}

function unknownLabel(label: string): Omit<Problem, "place"> {
  return {
    message: `No clip of the graph carries the label “${label}”.`,
    hint: "Paint another label there, or label clips in the Library and build again.",
    blocks: true,
  };
}

function firstWithin(sketch: Sketch, near: (p: readonly [number, number]) => boolean): number | null {
  const curve = curveOf(sketch);
  for (let s = 0; s <= curve.length; s += Math.max(0.1, curve.length / 2000)) {
    if (near(pointAt(curve.line, curve.arcs, s))) return s;
  }
  return null;
}

/** Where on the sketch the server's `field` or words point: `styles[1].label`, "at 3.2 m", a label's name. */
export function placeOf(wrong: string | null, message: string, sketch: Sketch, params: Params): Place {
  const field = wrong?.replace(/^request\./, "") ?? null;
  const indexed = /^(points|styles|actions|obstacles|speeds|arrivals)\[(\d+)\]/.exec(field ?? "");
  const [, list, digits] = indexed ?? [];
  if (list && digits) {
    const index = Number(digits);
    if (list === "points") return curvePlace(sketch, index);
    if (list === "styles") return requestStyle(sketch, index);
    if (list === "speeds") return requestSpeed(sketch, params, index);
    return { kind: list === "actions" ? "action" : list === "arrivals" ? "arrival" : "obstacle", index };
  }
  if (field?.startsWith("start")) return { kind: "start" };
  if (field?.startsWith("end") || field === "what" || field === "style") return { kind: "end" };
  if (
    field &&
    [
      "corridor_m",
      "bend_m",
      "duration_s",
      "seed",
      "count",
      "alternatives",
      "max_s",
      "expansions",
      "search",
      "forbid",
    ].includes(field)
  ) {
    return { kind: "param", name: field };
  }
  const obstacle = /obstacle (\d+)/.exec(message)?.[1];
  if (obstacle !== undefined && sketch.obstacles.length > 0) return { kind: "obstacle", index: Number(obstacle) };
  const label = /`([^`]+)`/.exec(message)?.[1];
  const style = sketch.styles.findIndex((s) => s.label === label);
  if (style >= 0) return { kind: "style", index: style };
  const action = sketch.actions.findIndex((a) => a.label === label);
  if (action >= 0) return { kind: "action", index: action };
  if (/the start lies/.test(message)) return { kind: "start" };
  return metreOf(message) ?? { kind: "whole" };
}

/** The metre of the path that a message speaks of. */
function metreOf(message: string): Place | null {
  const found = /([\d.]+) ?m along the path/.exec(message) ?? /(?:at|after|past) ([\d.]+) ?m\b/.exec(message);
  return found?.[1] === undefined ? null : { kind: "metre", at: Number(found[1]) };
}

/** What the server said, at every place it speaks of: an obstacle in the way is shown, and how far one came. */
export function saidProblems(
  field: string | null,
  message: string,
  hint: string | null,
  sketch: Sketch,
  params: Params,
): Problem[] {
  const first = placeOf(field, message, sketch, params);
  // Of a place to go to no metre of a path is meant.
  const metre = first.kind === "end" ? null : metreOf(message);
  const places = metre && first.kind !== "metre" ? [first, metre] : [first];
  return places.map((place) => ({ place, message, hint, blocks: false, said: true }));
}

/** Points go out sampled: the server's index is one of the curve, shown by its metre. */
function curvePlace(sketch: Sketch, index: number): Place {
  return { kind: "metre", at: curveOf(sketch).arcs[index] ?? 0 };
}

/** Styles go out with the gaps filled: back to the painted one. */
function requestStyle(sketch: Sketch, index: number): Place {
  const sent = withoutGaps(sketch.styles, curveOf(sketch).length)[index];
  const painted = sketch.styles.findIndex((s) => sent && s.label === sent.label && Math.abs(s.to - sent.to) < 0.06);
  return painted >= 0 ? { kind: "style", index: painted } : { kind: "metre", at: sent?.from ?? 0 };
}

/** Speeds go out with those of the rest of the path between them. */
function requestSpeed(sketch: Sketch, params: Params, index: number): Place {
  const painted = speedsAsked(sketch, params)[index]?.painted ?? null;
  return painted === null ? { kind: "param", name: "speeds" } : { kind: "speed", index: painted };
}
