/** Reading a member's report, which is as `gaitway path --report` writes it: what is not there reads as nothing. */

import type { Result, ResultMember } from "../api/types";
import { spanOf } from "../graph/transition-words";

/** A transition on the result's time: where both clips meet, and from when to when it lasts. */
export interface ShownTransition {
  readonly kind: "blend" | "cut";
  readonly t: number;
  readonly start: number;
  readonly end: number;
  readonly from: string;
  readonly to: string;
  readonly distance_cm: number;
}

type Report = Readonly<Record<string, unknown>>;

function record(v: unknown): Report | null {
  return typeof v === "object" && v !== null && !Array.isArray(v) ? (v as Report) : null;
}

export function numberAt(report: Report, ...path: readonly string[]): number | null {
  let now: unknown = report;
  for (const key of path) now = record(now)?.[key];
  return typeof now === "number" && Number.isFinite(now) ? now : null;
}

/** The transitions of a motion, later by `start` seconds; results kept before there were cuts have blends only. */
export function transitionsOf(member: Pick<ResultMember, "transitions">, start = 0): ShownTransition[] {
  return member.transitions.map((mark) => {
    const span = spanOf(mark);
    const { kind, t, from, to, distance_cm } = mark;
    return { kind, t: t + start, start: span.start + start, end: span.end + start, from, to, distance_cm };
  });
}

/** A stretch of the result's time that plays interpolated motion, and between which clips that lies. */
export interface ShownInterpolation {
  readonly start: number;
  readonly end: number;
  readonly words: string;
}

/** When a motion plays interpolated clips, later by `start` seconds. */
export function interpolationsOf(member: Pick<ResultMember, "interpolated">, start = 0): ShownInterpolation[] {
  return member.interpolated.map(({ start_s, end_s, between: [a, b] }) => ({
    start: start_s + start,
    end: end_s + start,
    words: a === b ? `between two moments of ${a}` : `between ${a} and ${b}`,
  }));
}

/** An action asked for, and what came of it in the finished motion. */
export interface ShownAction {
  /** Whether it happens within 30 cm of its place. */
  readonly good: boolean;
  /** What was asked for, and where. */
  readonly asked: string;
  /** When and where it happens and how far off, or why it does not. */
  readonly came: string;
}

/** The actions of a report in words, later by `start` seconds; none in reports that ask for none. */
export function actionsOf(report: Report, start = 0): ShownAction[] {
  const rows = report["actions"];
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((one) => {
    const row = record(one);
    if (!row || typeof row["label"] !== "string") return [];
    const asked = numberAt(row, "asked_m");
    const where = asked === null ? "" : ` at ${asked.toFixed(1)} m`;
    const reason = typeof row["reason"] === "string" ? row["reason"] : "does not happen";
    return [{ good: row["as_asked"] === true, asked: `${row["label"]}${where}`, came: happens(row, start) ?? reason }];
  });
}

function happens(row: Report, start: number): string | null {
  const [time, off, turned] = [numberAt(row, "time_s"), numberAt(row, "off_m"), numberAt(row, "off_deg")];
  const place = row["place_m"];
  if (time === null || off === null || !Array.isArray(place)) return null;
  const [x, , z] = place as readonly unknown[];
  if (typeof x !== "number" || typeof z !== "number") return null;
  const facing = turned === null ? "" : `, facing ${turned.toFixed(0)}° off the path`;
  return `at ${(time + start).toFixed(1)} s, (${x.toFixed(2)}, ${z.toFixed(2)}): ${(100 * off).toFixed(0)} cm from there${facing}`;
}

const STATUS_WORDS: Readonly<Record<string, string>> = {
  Solved: "solved",
  BudgetSpent: "stopped by the time limit",
  NoWalk: "did not arrive",
  OffPath: "arrived, but left the path on the way",
  ActionMissed: "arrived, but an action did not happen where it was asked for",
  ConstraintMissed: "arrived, but something asked for is not kept",
};

/** The facts of a search in one line; nothing of a motion that was not searched for. */
export function searchText(report: Report): string {
  const seconds = numberAt(report, "search_seconds");
  const expansions = numberAt(report, "expansions");
  const status = typeof report["status"] === "string" ? report["status"] : "";
  const parts = [
    STATUS_WORDS[status] ?? null,
    seconds === null ? null : `in ${seconds < 10 ? seconds.toFixed(2) : seconds.toFixed(0)} s`,
    expansions === null ? null : `${expansions.toLocaleString("en")} steps tried`,
    report["deterministic"] === false ? "not repeatable (a clock had a say)" : null,
  ];
  return parts.filter((p) => p !== null).join(", ");
}

/** Why no part of a result can be searched again; null where it can. */
export function cannotResolve({ kind, members }: Pick<Result, "kind" | "members">): string | null {
  if (kind === "walk")
    return "A walk without a path has nothing to keep to, so no part of it is solved again: wander once more with another seed.";
  if (kind === "place" || kind === "connect")
    return "No part of a motion without a path is solved again: ask for it anew with another seed.";
  if (members.some((m) => !m.walk))
    return "No part of this can be solved again, since not everybody's walk was kept. Synthesize it again, then it can.";
  return null;
}
