/** What is done where along a curve: labels on intervals of arc length, and actions at points. */
import { SHORTEST_M, laid, laidAround, tidied, type Span } from "./spans";

/** The label that lets anything be played. */
export const ANY = "any";

/** Ways of getting along: they go on and on, and nothing in them happens at a place. */
const TRAVEL = ["walk", "run", "jog", "sneak", "sideways", "backward", "veer"];

/** The label in hand where it is an action, else the first that is; of none at all the first label. */
export function actionAmong(labels: readonly string[], inHand: string): string {
  const acts = (label: string) => label !== "" && label !== ANY && !TRAVEL.includes(label);
  return acts(inHand) ? inHand : (labels.find(acts) ?? labels[0] ?? "");
}

export interface StyleSpan extends Span {
  readonly label: string;
}

export interface ActionMark {
  readonly label: string;
  readonly at: number;
}

export const sameLabel = (a: StyleSpan, b: StyleSpan) => a.label === b.label;

const made = (label: string) => (label === "" ? null : (from: number, to: number): StyleSpan => ({ label, from, to }));

/** Paints a label over an interval; an empty label rubs out. The spans stay sorted, apart and merged. */
export function paint(spans: readonly StyleSpan[], label: string, from: number, to: number): StyleSpan[] {
  return laid(spans, made(label), from, to, sameLabel);
}

/** Paints on a closed curve the shorter way round between two places. */
export function paintAround(
  spans: readonly StyleSpan[],
  label: string,
  from: number,
  to: number,
  length: number,
): StyleSpan[] {
  return laidAround(spans, made(label), from, to, length, sameLabel);
}

/** Sorted, neighbours of one label merged, crumbs given to nobody. */
export function tidy(spans: readonly StyleSpan[]): StyleSpan[] {
  return tidied(spans, sameLabel);
}

/** Without gaps, as a request wants them: `any` fills what was not painted. Nothing painted stays nothing. */
export function withoutGaps(spans: readonly StyleSpan[], length: number): StyleSpan[] {
  if (spans.length === 0) return [];
  const out: StyleSpan[] = [];
  let at = 0;
  for (const span of spans) {
    const from = Math.min(span.from, length);
    const to = Math.min(span.to, length);
    if (to - from < SHORTEST_M) continue;
    if (from - at >= SHORTEST_M) out.push({ label: ANY, from: at, to: from });
    out.push({ label: span.label, from: from - at < SHORTEST_M ? at : from, to });
    at = to;
  }
  if (length - at >= SHORTEST_M) out.push({ label: ANY, from: at, to: length });
  else {
    const last = out.at(-1);
    if (last) out[out.length - 1] = { ...last, to: length };
  }
  return out;
}
