/** The sketch between visits, in the browser's storage. What does not read as a sketch is dropped, never half used. */
import type { Point } from "./geometry";
import type { Obstacle as ObstacleJson } from "../api/types";
import { fromJson, toJson, type Obstacle } from "./obstacles";
import { DEFAULTS, NUMBERS, bounded, type Params } from "./params";
import { EMPTY, type Sketch } from "./sketch";
import { tidy, type ActionMark, type StyleSpan } from "./styles";

const KEY = "gaitway.sketch.v1";

export interface Saved {
  readonly sketch: Sketch;
  readonly params: Params;
}

/** The part of `Storage` that is needed; private windows may refuse it. */
export interface Shelf {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

/** Where pages before 0.2 kept what a result was called; now the server does. */
export const nameKey = (id: string) => `gaitway.result.name.${id}`;

/** Names kept so, of results that are there; those of results that are gone are forgotten. */
export function oldNames(shelf: Storage, known: ReadonlySet<string>): { id: string; name: string }[] {
  const found: { id: string; name: string }[] = [];
  try {
    const prefix = nameKey("");
    const keys = Array.from({ length: shelf.length }, (_, k) => shelf.key(k)).filter((key) => key?.startsWith(prefix));
    for (const key of keys as string[]) {
      const id = key.slice(prefix.length);
      const name = shelf.getItem(key)?.trim();
      if (known.has(id) && name) found.push({ id, name });
      else shelf.removeItem(key);
    }
  } catch {
    // A browser that keeps nothing has nothing to hand over.
  }
  return found;
}

export function encode(saved: Saved): string {
  const obstacles = saved.sketch.obstacles.map(toJson);
  return JSON.stringify({ sketch: { ...saved.sketch, obstacles }, params: saved.params });
}

export function save(shelf: Shelf, saved: Saved, key = KEY): boolean {
  try {
    shelf.setItem(key, encode(saved));
    return true;
  } catch {
    // Storage may be full or forbidden; the sketch is still on the page.
    return false;
  }
}

export function load(shelf: Shelf, key = KEY): Saved | null {
  try {
    const text = shelf.getItem(key);
    return text === null ? null : decode(text);
  } catch {
    return null;
  }
}

export function decode(text: string): Saved | null {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(raw) || !isRecord(raw["sketch"])) return null;
  const s = raw["sketch"];
  const points = list(s["points"], asPoint);
  const styles = list(s["styles"], asSpan);
  const actions = list(s["actions"], asMark);
  const obstacles = list(s["obstacles"], asObstacle);
  if (!points || !styles || !actions || !obstacles) return null;
  const sketch: Sketch = {
    ...EMPTY,
    points,
    styles: tidy(styles),
    actions,
    obstacles,
    closed: s["closed"] === true && points.length > 2,
    curved: s["curved"] !== false,
    start: asStart(s["start"]),
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
    search: v["search"] === "bnb" ? "bnb" : "beam",
    clean: v["clean"] !== false,
    shortCuts: v["shortCuts"] === true,
    forbid: list(v["forbid"], (f) => (typeof f === "string" ? f : null)) ?? [],
  };
}
