/** Wishes in time as a report measured them on the finished motion, and which of the sketch's each is. No screen, all tested. */
import type { Params } from "./params";
import { numberAt } from "./report";
import type { Place, Problem } from "./request";
import { curveOf, type Sketch } from "./sketch";
import { speedsAsked } from "./sketch-times";

type Report = Readonly<Record<string, unknown>>;

/** What was asked for beside what came of it, in one unit. */
export interface TimeWish {
  readonly what: "duration" | "arrival" | "speed";
  readonly asked: number;
  readonly found: number;
  /** How far apart the two may be. */
  readonly within: number;
  readonly unit: string;
  readonly from_m: number;
  readonly to_m: number;
  /** As the report says. */
  readonly kept: boolean;
}

const KINDS: ReadonlySet<unknown> = new Set(["duration", "arrival", "speed"]);

/** The wish of a row of a report's constraints; nothing of other rows, and of reports that have no numbers. */
export function wishOf(row: Report): TimeWish | null {
  if (!KINDS.has(row["what"])) return null;
  const at = (key: string) => numberAt(row, "number", key);
  const [asked, found, within, from_m, to_m] = ["asked", "found", "within", "from_m", "to_m"].map(at);
  const unit = (row["number"] as Report | undefined)?.["unit"];
  if (asked == null || found == null || within == null || from_m == null || to_m == null) return null;
  return {
    what: row["what"] as TimeWish["what"],
    asked,
    found,
    within,
    unit: typeof unit === "string" ? unit : "",
    from_m,
    to_m,
    kept: row["kept"] !== false,
  };
}

export function timeWishes(report: Report): TimeWish[] {
  const rows = report["constraints"];
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((r: unknown) => (typeof r === "object" && r !== null ? (wishOf(r as Report) ?? []) : []));
}

/** Its name among bars. */
export function wishTitle({ what, from_m, to_m }: TimeWish): string {
  if (what === "duration") return "Duration";
  return what === "arrival" ? `Arrival, ${to_m.toFixed(1)} m` : `Speed, ${from_m.toFixed(0)}–${to_m.toFixed(0)} m`;
}

/** How far off it is in words. */
export function wishWords({ what, asked, found, unit }: TimeWish): string {
  const off = Math.abs(found - asked).toFixed(2);
  const less = what === "speed" ? "slower" : "early";
  const more = what === "speed" ? "faster" : "late";
  return `${found.toFixed(2)} ${unit}, ${off} ${unit} ${found > asked ? more : less}`;
}

/** Numbers of a request come back as they went out, but for rounding. */
const same = (a: number, b: number) => Math.abs(a - b) < 1e-3;

/**
 * Which wish of the sketch it is: by its number, and of several of one number by the nearest place, since obstacles may have led the path
 * round. Nothing where the sketch has no such wish.
 */
export function wishPlace(wish: TimeWish, sketch: Sketch, params: Params): Place | null {
  const nearest = <T>(list: readonly T[], off: (one: T) => number): T | undefined =>
    list.reduce<T | undefined>((best, one) => (best === undefined || off(one) < off(best) ? one : best), undefined);
  if (wish.what === "speed") {
    const like = speedsAsked(sketch, params).filter((s) => same(s.m_s, wish.asked));
    const found = nearest(like, (s) => Math.abs(s.from - wish.from_m) + Math.abs(s.to - wish.to_m));
    if (!found) return null;
    return found.painted === null ? { kind: "param", name: "speeds" } : { kind: "speed", index: found.painted };
  }
  if (wish.what === "duration" && same(params.duration, wish.asked)) return { kind: "param", name: "duration_s" };
  // An arrival at the path's end is how long all of it lasts.
  const to = wish.what === "duration" ? curveOf(sketch).length : wish.to_m;
  const like = sketch.arrivals.map((a, index) => ({ ...a, index })).filter((a) => same(a.time_s, wish.asked));
  const found = nearest(like, (a) => Math.abs(a.at - to));
  return found ? { kind: "arrival", index: found.index } : null;
}

/** The sketch and options with another number for a wish; without it where there is none. */
export function rewished(
  wish: TimeWish,
  value: number | null,
  sketch: Sketch,
  params: Params,
): { sketch: Sketch; params: Params } {
  const place = wishPlace(wish, sketch, params);
  if (place?.kind === "param")
    return { sketch, params: { ...params, [place.name === "speeds" ? "speed" : "duration"]: value ?? 0 } };
  if (place?.kind === "arrival") {
    const arrivals = sketch.arrivals.flatMap((a, k) =>
      k !== place.index ? a : value === null ? [] : { ...a, time_s: value },
    );
    return { sketch: { ...sketch, arrivals }, params };
  }
  if (place?.kind === "speed") {
    const speeds = sketch.speeds.flatMap((s, k) =>
      k !== place.index ? s : value === null ? [] : { ...s, m_s: value },
    );
    return { sketch: { ...sketch, speeds }, params };
  }
  return { sketch, params };
}

/** Times that the motion misses, each at its place. */
export function missedTimes(report: Report, sketch: Sketch, params: Params): Problem[] {
  return timeWishes(report).flatMap((wish) => {
    const place = wish.kept ? null : wishPlace(wish, sketch, params);
    const name =
      wish.what === "duration" ? "The motion ends after" : wish.what === "arrival" ? "Reached after" : "Walked at";
    return place ? { place, message: `${name} ${wishWords(wish)}.`, hint: null, blocks: false } : [];
  });
}

/** What these clips can do, where a time is missed: as the command line's hint has it. */
export function paceHint(report: Report): string | null {
  const [seconds, metres] = [numberAt(report, "seconds"), numberAt(report, "path_m")];
  if (seconds === null || metres === null || seconds <= 0) return null;
  const m_s = (metres / seconds).toFixed(2);
  return `What may be played here takes ${seconds.toFixed(1)} s for these ${metres.toFixed(1)} m, ${m_s} m/s on average; ask for a time nearer to that, or paint a style that is as fast as you want.`;
}
