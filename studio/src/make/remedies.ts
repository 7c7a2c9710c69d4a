/**
 * What can be done about a motion that is not as asked, or a search that brought nothing: each remedy changes the sketch or the
 * options, as a button does that then solves again. No screen, all tested.
 */
import { nearestOn, type Point } from "./geometry";
import type { Params } from "./params";
import { numberAt } from "./report";
import { curveOf, type Sketch } from "./sketch";
import { ANY, paint } from "./styles";
import { rewished, wishOf, type TimeWish } from "./time-wishes";

/** A stretch of a path that a motion leaves, on its own clock. */
export interface OffStretch {
  readonly from_m: number;
  readonly to_m: number;
  readonly from_s: number | null;
  readonly to_s: number | null;
  readonly worst_m: number;
  /** The path's own places; nothing in reports of older studios. */
  readonly from: Point | null;
  readonly to: Point | null;
}

/** Something that is not as asked, in the report's own words, and where it shows. */
export interface Reason {
  readonly words: string;
  readonly stretches: readonly OffStretch[];
  /** What was asked for where it is left; nothing where anything may be played. */
  readonly label: string | null;
  /** Seconds of the motion to look at. */
  readonly at_s: number | null;
  readonly what: "path" | "style" | "corridor" | "action" | "time" | "other";
  /** The wish in time that it is about. */
  readonly wish?: TimeWish;
}

export interface Remedy {
  readonly id: "take" | "drop" | "widen" | "style" | "threshold" | "time";
  readonly label: string;
  readonly title: string;
  /** The sketch and options it makes of these; nothing where it is the graph that changes. */
  readonly apply: ((sketch: Sketch, params: Params) => { sketch: Sketch; params: Params }) | null;
}

type Report = Readonly<Record<string, unknown>>;

function rows(v: unknown): Report[] {
  return Array.isArray(v) ? v.filter((r): r is Report => typeof r === "object" && r !== null) : [];
}

function place(v: unknown): Point | null {
  if (!Array.isArray(v)) return null;
  const [x, z] = v as readonly unknown[];
  return typeof x === "number" && typeof z === "number" ? [x, z] : null;
}

function stretch(row: Report): OffStretch | null {
  const [from_m, to_m] = [numberAt(row, "from_m"), numberAt(row, "to_m")];
  if (from_m === null || to_m === null) return null;
  return {
    from_m,
    to_m,
    from_s: numberAt(row, "from_s"),
    to_s: numberAt(row, "to_s"),
    worst_m: numberAt(row, "worst_m") ?? 0,
    from: place(row["from_at"]),
    to: place(row["to_at"]),
  };
}

/** Where a motion is off its path, along the path. */
export function offStretches(report: Report): OffStretch[] {
  const left = report["left_path"] as Report | undefined;
  return left ? rows(left["ranges"]).flatMap((r) => stretch(r) ?? []) : [];
}

/** Everything a report says is not as asked; nothing of one that is solved. */
export function reasonsOf(report: Report): Reason[] {
  const out: Reason[] = [];
  const left = report["left_path"] as Report | undefined;
  if (left && typeof left["words"] === "string") {
    const label = typeof left["label"] === "string" ? left["label"] : null;
    const stretches = offStretches(report);
    out.push({ words: left["words"], stretches, label, at_s: stretches[0]?.from_s ?? null, what: "path" });
  } else if (report["status"] === "OffPath")
    out.push({ ...other("the motion is further from the path than it may be"), what: "path" });
  for (const row of rows(report["constraints"])) {
    if (row["kept"] !== false) continue;
    const kind = String(row["what"]);
    const words = `${kind} not kept: ${String(row["found"])}, asked for was ${String(row["asked"])}`;
    const wish = wishOf(row);
    const what = kind === "style" || kind === "corridor" ? kind : wish ? "time" : "other";
    out.push({ ...other(words), at_s: numberAt(row, "time_s"), what, ...(wish ? { wish } : {}) });
  }
  for (const row of rows(report["actions"])) {
    if (row["as_asked"] !== false) continue;
    const why = typeof row["reason"] === "string" ? row["reason"] : "it does not happen there";
    const label = typeof row["label"] === "string" ? row["label"] : null;
    out.push({ ...other(`${label ?? "the action"} missed: ${why}`), label, what: "action" });
  }
  if (report["status"] === "BudgetSpent") out.push(other("the search was stopped before it arrived"));
  return out;
}

function other(words: string): Reason {
  return { words, stretches: [], label: null, at_s: null, what: "other" };
}

/** What may help, the nearest at hand first. `tried` is how many steps the search took. */
export function remediesFor(
  reasons: readonly Reason[],
  sketch: Sketch,
  params: Params,
  tried: number | null,
): Remedy[] {
  if (reasons.length === 0) return [];
  const out = timeRemedies(reasons.flatMap((r) => (r.wish ? [r.wish] : [])));
  const worst = Math.max(0, ...reasons.flatMap((r) => r.stretches.map((s) => s.worst_m)));
  if (params.corridor > 0) {
    const wide = round(Math.max(params.corridor * 1.5, worst + 0.2), 1);
    out.push({
      id: "widen",
      label: `Widen the corridor to ${wide} m`,
      title: "Lets the motion go further from the path, and solves again",
      apply: (s, p) => ({ sketch: s, params: { ...p, corridor: Math.min(10, wide) } }),
    });
  }
  const places = reasons.flatMap((r) => r.stretches);
  const label = reasons.find((r) => r.label !== null)?.label ?? sketch.styles[0]?.label ?? null;
  const painted = sketch.styles.some((s) => s.label !== ANY);
  // Another time may ask for another manner than the path's own.
  const otherwise = reasons.some((r) => r.what === "time") && sketch.styles.length === 0;
  if (painted || otherwise || (label !== null && places.length > 0)) {
    const here = places.length > 0;
    out.push({
      id: "style",
      label: here ? `Drop ${label ?? "the style"} here` : painted ? "Drop the styles" : "Let anything be played",
      title: here
        ? "Lets anything be played along the stretches marked red, and solves again"
        : "Lets anything be played all along the path, and solves again",
      apply: (s, p) => ({ sketch: here ? freed(s, places, label) : { ...s, styles: anything(s) }, params: p }),
    });
  }
  if (reasons.some((r) => r.what === "path" || r.what === "other"))
    out.push({
      id: "threshold",
      label: "Raise the thresholds by a quarter",
      title: "Allows less alike moments to be joined, in the whole graph: more ways, less smooth. Then solves again",
      apply: null,
    });
  const more = Math.min(1_000_000_000, 4 * Math.max(tried ?? 0, params.expansions, 500_000));
  out.push({
    id: "time",
    label: "Search four times longer",
    title: `Lets the search try ${more.toLocaleString("en")} steps`,
    apply: (s, p) => ({
      sketch: s,
      params: { ...p, expansions: more, maxSeconds: p.maxSeconds > 0 ? Math.min(600, p.maxSeconds * 4) : 0 },
    }),
  });
  return out;
}

/** What may help where nothing leads to a place. Nothing but another wish helps where what is wished for never happens at one place. */
export function placeRemedies(message: string, sketch: Sketch, params: Params): Remedy[] {
  if (!sketch.end || /no event/.test(message)) return [];
  const all = remediesFor([other(message)], { ...sketch, styles: [] }, params, null);
  if (sketch.end.any) return all;
  return [
    {
      id: "style",
      label: "Let anything be played on the way",
      title: "Not only the manner it would be walked in, and solves again",
      apply: (s, p) => ({ sketch: s.end ? { ...s, end: { ...s.end, any: true } } : s, params: p }),
    },
    ...all,
  ];
}

/** A time that is missed: what it came to instead, or none. */
function timeRemedies(missed: readonly TimeWish[]): Remedy[] {
  const [only, ...others] = missed;
  if (!only) return [];
  const each = (value: (wish: TimeWish) => number | null): Remedy["apply"] => {
    // Places go by numbers, and numbers change: the last first, so that none is taken for another.
    return (sketch, params) =>
      missed.reduceRight((now, wish) => rewished(wish, value(wish), now.sketch, now.params), { sketch, params });
  };
  const came = (wish: TimeWish) => round(wish.found, wish.what === "speed" ? 2 : 1);
  const alone = others.length === 0;
  return [
    {
      id: "take",
      label: alone ? `Ask for ${came(only)} ${only.unit} instead` : "Ask for the times it came to",
      title: "What the motion has now takes the place of what was wished for, and is solved again",
      apply: each(came),
    },
    {
      id: "drop",
      label: !alone ? "Drop the times that are missed" : only.what === "speed" ? "Drop this speed" : "Drop this time",
      title: "Asks for it no more, and solves again",
      apply: each(() => null),
    },
  ];
}

function anything(sketch: Sketch): Sketch["styles"] {
  return [{ label: ANY, from: 0, to: curveOf(sketch).length }];
}

/** Half a metre before and after belong to a stretch: one does not turn on the spot. */
const AROUND_M = 0.5;

/** The sketch with anything allowed along stretches; what was not painted keeps the manner it was walked in. */
export function freed(sketch: Sketch, stretches: readonly OffStretch[], manner: string | null): Sketch {
  const { length } = curveOf(sketch);
  const whole = sketch.styles.length === 0 && manner !== null;
  let styles: Sketch["styles"] = whole ? [{ label: manner, from: 0, to: length }] : sketch.styles;
  for (const s of stretches) {
    const [from, to] = alongSketch(sketch, s);
    styles = paint(styles, ANY, Math.max(0, from - AROUND_M), Math.min(length, to + AROUND_M));
  }
  return { ...sketch, styles };
}

/** From where to where along the sketch a stretch lies: by its places, since obstacles may have led the path round. */
export function alongSketch(sketch: Sketch, stretch: OffStretch): [number, number] {
  const { line, arcs, length } = curveOf(sketch);
  const metre = (at: Point | null, asked: number) => {
    const near = at && nearestOn(line, arcs, at);
    // On a path that crosses itself the nearest may be another crossing: then the metre is the better guess.
    const m = near && Math.abs(near.s - asked) < 3 + 0.25 * length ? near.s : asked;
    return Math.max(0, Math.min(length, m));
  };
  const [a, b] = [metre(stretch.from, stretch.from_m), metre(stretch.to, stretch.to_m)];
  return a <= b ? [a, b] : [b, a];
}

/** All thresholds a quarter higher, none above the ceiling. */
export function raised(now: {
  readonly default_cm: number;
  readonly ceiling_cm: number;
  readonly cells: readonly (readonly (number | null)[])[];
}): { default_cm: number; cells: (number | null)[][] } {
  const up = (cm: number) => Math.min(now.ceiling_cm, round(cm * 1.25, 2));
  return {
    default_cm: up(now.default_cm),
    cells: now.cells.map((row) => row.map((cm) => (cm === null ? null : up(cm)))),
  };
}

function round(v: number, digits: number): number {
  return Number(v.toFixed(digits));
}
