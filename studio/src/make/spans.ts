/** Intervals of arc length along a curve: painted, rubbed out, carried through edits. What they carry is the caller's. */

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Shorter spans than this cannot be walked and only come from slips of the hand. */
export const SHORTEST_M = 0.05;

/** Whether two neighbours say the same and are one. */
type Alike<S> = (a: S, b: S) => boolean;

/** Lays a span over others; without one rubs out. The spans stay sorted, apart and merged. */
export function laid<S extends Span>(
  spans: readonly S[],
  make: ((from: number, to: number) => S) | null,
  from: number,
  to: number,
  alike: Alike<S>,
): S[] {
  const [a, b] = from <= to ? [from, to] : [to, from];
  if (b - a < SHORTEST_M) return [...spans];
  const cut: S[] = [];
  for (const span of spans) {
    if (span.to <= a || span.from >= b) {
      cut.push(span);
      continue;
    }
    if (span.from < a) cut.push({ ...span, to: a });
    if (span.to > b) cut.push({ ...span, from: b });
  }
  if (make) cut.push(make(a, b));
  return tidied(cut, alike);
}

/** The same on a closed curve, the shorter way round between two places. */
export function laidAround<S extends Span>(
  spans: readonly S[],
  make: ((from: number, to: number) => S) | null,
  from: number,
  to: number,
  length: number,
  alike: Alike<S>,
): S[] {
  const [a, b] = from <= to ? [from, to] : [to, from];
  if (b - a <= length / 2) return laid(spans, make, a, b, alike);
  return laid(laid(spans, make, b, length, alike), make, 0, a, alike);
}

/** Sorted, neighbours that say the same merged, crumbs given to nobody. */
export function tidied<S extends Span>(spans: readonly S[], alike: Alike<S>): S[] {
  const sorted = spans.filter((s) => s.to - s.from >= SHORTEST_M).sort((p, q) => p.from - q.from);
  const out: S[] = [];
  for (const span of sorted) {
    const last = out.at(-1);
    if (last && alike(last, span) && span.from - last.to < SHORTEST_M) {
      out[out.length - 1] = { ...last, to: Math.max(last.to, span.to) };
    } else {
      out.push(span);
    }
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

export function carrySpans<S extends Span>(spans: readonly S[], anchors: Anchors, alike: Alike<S>): S[] {
  const moved = spans.map((span) => {
    const a = carried(anchors, span.from);
    const b = carried(anchors, span.to);
    return { ...span, from: Math.min(a, b), to: Math.max(a, b) };
  });
  return tidied(moved, alike);
}

export function carryMarks<M extends { readonly at: number }>(marks: readonly M[], anchors: Anchors): M[] {
  return marks.map((m) => ({ ...m, at: carried(anchors, m.at) })).sort((p, q) => p.at - q.at);
}
