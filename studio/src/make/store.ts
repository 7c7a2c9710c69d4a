/**
 * Sketches as they are kept: in the browser's storage between visits, by project, and at the server with the result that came of
 * one. What does not read as a sketch is dropped, never half used.
 */
import type { Point } from "./geometry";
import type { Obstacle as ObstacleJson, Result } from "../api/types";
import { simplify } from "./geometry";
import { fromJson, toJson, type Obstacle } from "./obstacles";
import { DEFAULTS, NUMBERS, bounded, type Params } from "./params";
import { EMPTY, curveOf, type EndPlace, type Sketch } from "./sketch";
import { tidied } from "./spans";
import { ANY, tidy, type ActionMark, type StyleSpan } from "./styles";
import { LONGEST_S, SPEED_RANGE, sameSpeed, type ArrivalMark, type SpeedSpan } from "./times";

export interface Saved {
  readonly sketch: Sketch;
  readonly params: Params;
}

/** The part of `Storage` that is needed; private windows may refuse it. */
export type Shelf = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/** Of one project: the sketch in the making. Two projects have results of the same ids, so nothing is kept without saying whose. */
export const draftKey = (project: string) => `gaitway.project.${project}.sketch`;
/** Of one project: the result that was looked at last. */
export const openKey = (project: string) => `gaitway.project.${project}.open`;

/** Where older pages kept the one sketch of all projects. */
const OLD_SKETCH = "gaitway.sketch.v1";
/** What older pages kept of results, without saying of which project's: of no use, since another's may have the same id. */
const OLD = ["gaitway.sketch.result.", "gaitway.result.name.", "gaitway.result.open"];

/** The sketch in the making of a project; one that an older page left belongs to the project that is opened first. */
export function takeUp(shelf: Shelf, project: string): Saved | null {
  try {
    const old = shelf.getItem(OLD_SKETCH);
    if (old !== null) {
      if (shelf.getItem(draftKey(project)) === null) shelf.setItem(draftKey(project), old);
      shelf.removeItem(OLD_SKETCH);
    }
    const keys = Array.from({ length: shelf.length }, (_, k) => shelf.key(k));
    for (const key of keys) if (key && OLD.some((o) => key.startsWith(o))) shelf.removeItem(key);
  } catch {
    // A browser that keeps nothing has nothing to hand over.
  }
  return load(shelf, draftKey(project));
}

/** The result that was looked at last, for a page that is loaded again. */
export function lastOpened(shelf: Pick<Shelf, "getItem">, project: string): string | null {
  try {
    return shelf.getItem(openKey(project));
  } catch {
    return null;
  }
}

/** As the server keeps it, with the result that came of it. */
export function toWire(saved: Saved): Record<string, unknown> {
  const obstacles = saved.sketch.obstacles.map(toJson);
  return { sketch: { ...saved.sketch, obstacles }, params: saved.params };
}

export function encode(saved: Saved): string {
  return JSON.stringify(toWire(saved));
}

export function save(shelf: Pick<Shelf, "setItem">, saved: Saved, key: string): boolean {
  try {
    shelf.setItem(key, encode(saved));
    return true;
  } catch {
    // Storage may be full or forbidden; the sketch is still on the page.
    return false;
  }
}

export function load(shelf: Pick<Shelf, "getItem">, key: string): Saved | null {
  try {
    const text = shelf.getItem(key);
    return text === null ? null : decode(text);
  } catch {
    return null;
  }
}

/** What a result was drawn as: kept with it, or, where nobody drew it here, read back from what was asked for. */
export function sketchOf(result: Pick<Result, "sketch" | "request">): Saved | null {
  const kept = result.sketch ? fromWire(result.sketch) : null;
  return kept ?? fromRequest(result.request);
}

/** How far a point read back may be off what was asked for: less than the eye sees on a plan. */
const READ_BACK_M = 0.01;

function fromRequest(request: unknown): Saved | null {
  if (!isRecord(request)) return null;
  const line = list(request["points"], asPoint);
  const obstacles = list(request["obstacles"] ?? [], asObstacle);
  if (!line || line.length < 2 || !obstacles) return null;
  const spans = list(request["styles"] ?? [], (v) =>
    isRecord(v) ? asSpan({ label: v["label"], from: v["from_m"], to: v["to_m"] ?? 1e9 }) : null,
  );
  const actions = list(request["actions"] ?? [], (v) =>
    isRecord(v) ? asMark({ label: v["label"], at: v["at_m"] }) : null,
  );
  const speeds = list(request["speeds"] ?? [], (v) =>
    isRecord(v) ? asSpeed({ m_s: v["m_s"], from: v["from_m"], to: v["to_m"] ?? 1e9 }) : null,
  );
  const arrivals = list(request["arrivals"] ?? [], (v) =>
    isRecord(v) ? asArrival({ time_s: v["time_s"], at: v["at_m"] }) : null,
  );
  const start = isRecord(request["start"]) ? request["start"] : null;
  const shape = {
    ...EMPTY,
    points: simplify(line, READ_BACK_M),
    closed: request["closed"] === true && line.length > 2,
    curved: false,
  };
  const { length } = curveOf(shape);
  const onPath = <S extends { readonly to: number }>(s: S): S => ({ ...s, to: Math.min(s.to, length) });
  const painted = tidy((spans ?? []).map(onPath));
  // One speed from start to end is that of all of the path.
  const [only, ...others] = speeds ?? [];
  const all = only && others.length === 0 && only.from === 0 && only.to >= length ? only.m_s : 0;
  const sketch: Sketch = {
    ...shape,
    // Anything between other styles is what was left out; anything and nothing else was asked for.
    styles: painted.every((s) => s.label === ANY) ? painted : painted.filter((s) => s.label !== ANY),
    actions: actions ?? [],
    speeds: all > 0 ? [] : tidied((speeds ?? []).map(onPath), sameSpeed),
    arrivals: arrivals ?? [],
    obstacles,
    start: start ? asStart({ at: [start["x"], start["z"]], heading: start["heading_rad"] }) : null,
  };
  const params = asParams({
    ...request,
    bend: request["bend_m"] ?? 0,
    duration: request["duration_s"] ?? 0,
    speed: all,
    corridor: request["corridor_m"] ?? 0,
    maxSeconds: request["max_s"] ?? 0,
    expansions: request["expansions"] ?? 0,
    shortCuts: request["short_cuts"],
  });
  return { sketch, params };
}

export function decode(text: string): Saved | null {
  try {
    return fromWire(JSON.parse(text));
  } catch {
    return null;
  }
}

export function fromWire(raw: unknown): Saved | null {
  if (!isRecord(raw) || !isRecord(raw["sketch"])) return null;
  const s = raw["sketch"];
  const points = list(s["points"], asPoint);
  const styles = list(s["styles"], asSpan);
  const actions = list(s["actions"], asMark);
  const obstacles = list(s["obstacles"], asObstacle);
  // Older pages knew no times.
  const speeds = list(s["speeds"] ?? [], asSpeed);
  const arrivals = list(s["arrivals"] ?? [], asArrival);
  if (!points || !styles || !actions || !obstacles || !speeds || !arrivals) return null;
  const sketch: Sketch = {
    ...EMPTY,
    points,
    styles: tidy(styles),
    actions,
    speeds: tidied(speeds, sameSpeed),
    arrivals,
    obstacles,
    closed: s["closed"] === true && points.length > 2,
    curved: s["curved"] !== false,
    start: asStart(s["start"]),
    end: asEnd(s["end"]),
  };
  return { sketch, params: asParams(raw["params"]) };
}

type Row = Record<string, unknown>;

function isRecord(v: unknown): v is Row {
  return typeof v === "object" && v !== null && !Array.isArray(v);
}

const isNumber = (v: unknown): v is number => typeof v === "number" && Number.isFinite(v);

function list<T>(v: unknown, one: (v: unknown) => T | null): T[] | null {
  if (!Array.isArray(v)) return null;
  const out: T[] = [];
  for (const item of v) {
    const read = one(item);
    if (read === null) return null;
    out.push(read);
  }
  return out;
}

function asPoint(v: unknown): Point | null {
  return Array.isArray(v) && isNumber(v[0]) && isNumber(v[1]) ? [v[0], v[1]] : null;
}

function asSpan(v: unknown): StyleSpan | null {
  if (!isRecord(v)) return null;
  const { label, from, to } = v;
  return typeof label === "string" && isNumber(from) && isNumber(to) ? { label, from, to } : null;
}

function asMark(v: unknown): ActionMark | null {
  if (!isRecord(v)) return null;
  const { label, at } = v;
  return typeof label === "string" && isNumber(at) ? { label, at } : null;
}

const within = (v: number, least: number, most: number) => Math.max(least, Math.min(most, v));

function asSpeed(v: unknown): SpeedSpan | null {
  if (!isRecord(v)) return null;
  const { m_s, from, to } = v;
  return isNumber(m_s) && isNumber(from) && isNumber(to) ? { m_s: within(m_s, ...SPEED_RANGE), from, to } : null;
}

function asArrival(v: unknown): ArrivalMark | null {
  if (!isRecord(v)) return null;
  const { time_s, at } = v;
  return isNumber(time_s) && isNumber(at) ? { time_s: within(time_s, 0, LONGEST_S), at } : null;
}

function asObstacle(v: unknown): Obstacle | null {
  if (!isRecord(v)) return null;
  const numbers = v["circle"] ?? v["box"];
  const sound = Array.isArray(numbers) ? numbers.every(isNumber) : list(v["polygon"], asPoint) !== null;
  return sound ? fromJson(v as ObstacleJson) : null;
}

function asStart(v: unknown): Sketch["start"] {
  if (!isRecord(v)) return null;
  const at = asPoint(v["at"]);
  const heading = v["heading"];
  return at && isNumber(heading) ? { at, heading } : null;
}

function asEnd(v: unknown): EndPlace | null {
  const place = asStart(v);
  if (!place || !isRecord(v) || typeof v["what"] !== "string") return null;
  return { ...place, what: v["what"], playOut: v["playOut"] === true, any: v["any"] === true };
}

function asParams(v: unknown): Params {
  if (!isRecord(v)) return DEFAULTS;
  const numbers: Partial<Record<(typeof NUMBERS)[number]["key"], number>> = {};
  for (const param of NUMBERS) {
    const value = v[param.key];
    if (isNumber(value)) numbers[param.key] = bounded(param, value);
  }
  return {
    ...DEFAULTS,
    ...numbers,
    duration: isNumber(v["duration"]) ? within(v["duration"], 0, LONGEST_S) : 0,
    speed: isNumber(v["speed"]) ? within(v["speed"], 0, SPEED_RANGE[1]) : 0,
    search: v["search"] === "bnb" ? "bnb" : "beam",
    clean: v["clean"] !== false,
    shortCuts: v["shortCuts"] === true,
    forbid: list(v["forbid"], (f) => (typeof f === "string" ? f : null)) ?? [],
  };
}
