/** What is done where along a curve: labels on intervals of arc length, and actions at points. */

export interface StyleSpan {
  readonly label: string;
  readonly from: number;
  readonly to: number;
}

export interface ActionMark {
  readonly label: string;
  readonly at: number;
}

/** Shorter spans than this cannot be walked and only come from slips of the hand. */
const SHORTEST_M = 0.05;

/** Paints a label over an interval; an empty label rubs out. The spans stay sorted, apart and merged. */
export function paint(spans: readonly StyleSpan[], label: string, from: number, to: number): StyleSpan[] {
  const [a, b] = from <= to ? [from, to] : [to, from];
  if (b - a < SHORTEST_M) return [...spans];
  const cut: StyleSpan[] = [];
  for (const span of spans) {
    if (span.to <= a || span.from >= b) {
      cut.push(span);
      continue;
    }
    if (span.from < a) cut.push({ ...span, to: a });
    if (span.to > b) cut.push({ ...span, from: b });
  }
  if (label !== "") cut.push({ label, from: a, to: b });
  return tidy(cut);
}

/** Paints on a closed curve the shorter way round between two places. */
export function paintAround(
  spans: readonly StyleSpan[],
  label: string,
  from: number,
  to: number,
  length: number,
): StyleSpan[] {
  const [a, b] = from <= to ? [from, to] : [to, from];
  if (b - a <= length / 2) return paint(spans, label, a, b);
  return paint(paint(spans, label, b, length), label, 0, a);
}

/** Sorted, neighbours of one label merged, crumbs given to nobody. */
export function tidy(spans: readonly StyleSpan[]): StyleSpan[] {
  const sorted = spans.filter((s) => s.to - s.from >= SHORTEST_M).sort((p, q) => p.from - q.from);
  const out: StyleSpan[] = [];
  for (const span of sorted) {
    const last = out.at(-1);
    if (last && last.label === span.label && span.from - last.to < SHORTEST_M) {
      out[out.length - 1] = { ...last, to: Math.max(last.to, span.to) };
    } else {
      out.push(span);
    }
  }
  return out;
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
    if (from - at >= SHORTEST_M) out.push({ label: "any", from: at, to: from });
    out.push({ label: span.label, from: from - at < SHORTEST_M ? at : from, to });
    at = to;
  }
  if (length - at >= SHORTEST_M) out.push({ label: "any", from: at, to: length });
  else {
    const last = out.at(-1);
    if (last) out[out.length - 1] = { ...last, to: length };
  }
  return out;
}

/** Pairs (arc length before, arc length after) of places that an edit keeps; both ends included. */
export type Anchors = readonly (readonly [number, number])[];

/** A place carried through an edit: even stretching between the anchors on both sides. */
function carried(anchors: Anchors, s: number): number {
  const first = anchors[0];
  const last = anchors.at(-1);
  if (!first || !last) return s;
  if (s <= first[0]) return first[1];
  for (let k = 1; k < anchors.length; k++) {
    const a = anchors[k - 1] ?? first;
    const b = anchors[k] ?? last;
    if (s <= b[0]) {
      const span = b[0] - a[0];
      return span > 0 ? a[1] + ((s - a[0]) / span) * (b[1] - a[1]) : b[1];
    }
  }
  return last[1];
}

export function carrySpans(spans: readonly StyleSpan[], anchors: Anchors): StyleSpan[] {
  return tidy(
    spans.map((span) => {
      const a = carried(anchors, span.from);
      const b = carried(anchors, span.to);
      return { label: span.label, from: Math.min(a, b), to: Math.max(a, b) };
    }),
  );
}

export function carryMarks(marks: readonly ActionMark[], anchors: Anchors): ActionMark[] {
  return marks.map((m) => ({ ...m, at: carried(anchors, m.at) })).sort((p, q) => p.at - q.at);
}
