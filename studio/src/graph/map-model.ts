/**
 * The graph from far away: how many seconds each label has, and how many ways lead from one to the other; then the same for clips.
 * Ways are transitions, and ways through interpolated clips, which are no place of their own; one whose ends carry several labels is
 * a way between each two of them.
 */
import type { LabelRow, Minima, Topology } from "../api/types";

/** Motion that nobody labelled. */
export const UNLABELLED = "";

export interface MapNode {
  readonly key: string;
  readonly name: string;
  /** Of motion that the graph can use. */
  readonly seconds: number;
  /** Ways that stay in it. */
  readonly inside: number;
}

export interface MapLink {
  readonly from: string;
  readonly to: string;
  readonly ways: number;
  /** Of the nearest of them. */
  readonly cm: number;
  /** Those of the ways that lead through interpolated clips. */
  readonly through: number;
}

export interface WayMap {
  readonly nodes: readonly MapNode[];
  /** Between two different nodes, most ways first. */
  readonly links: readonly MapLink[];
  /** Nodes that were left out, the ones with the fewest ways. */
  readonly more: number;
}

interface Section {
  readonly key: string;
  readonly start_s: number;
  readonly end_s: number;
}

/** Labels of a clip, by its id. */
export type RowsOf = (clip: string) => readonly LabelRow[];

/** From style to style. */
export function labelMap(topology: Topology, rowsOf: RowsOf): WayMap {
  const sections = topology.clips.map(({ id, seconds }) => withGaps(rowsOf(id), seconds));
  const name = (key: string) => (key === UNLABELLED ? "no label" : key);
  return mapOf(topology, sections, name, all(topology), allThrough(topology), Infinity);
}

/** From clip to clip, over some of the transitions and of the ways through interpolated clips; at most `most` clips. */
export function clipMap(
  topology: Topology,
  chosen: readonly number[],
  most: number,
  through: readonly number[] = [],
): WayMap {
  const sections = topology.clips.map(({ id, seconds }): Section[] => [{ key: id, start_s: 0, end_s: seconds }]);
  const names = new Map(topology.clips.map(({ id, name }) => [id, name]));
  return mapOf(topology, sections, (key) => names.get(key) ?? key, chosen, through, most);
}

/** Transitions that leave one label and enter another. */
export function waysBetween(topology: Topology, rowsOf: RowsOf, from: string, to: string): number[] {
  const sections = topology.clips.map(({ id, seconds }) => withGaps(rowsOf(id), seconds));
  return all(topology).filter((k) => {
    const [left, entered] = endsOf(topology, sections, k);
    return left.includes(from) && entered.includes(to);
  });
}

/** Ways through interpolated clips that leave one label and enter another. */
export function throughBetween(topology: Topology, rowsOf: RowsOf, from: string, to: string): number[] {
  const sections = topology.clips.map(({ id, seconds }) => withGaps(rowsOf(id), seconds));
  return allThrough(topology).filter((k) => {
    const [left, entered] = throughEnds(topology, sections, k);
    return left.includes(from) && entered.includes(to);
  });
}

/** Ways through interpolated clips that leave one clip and enter another, of some. */
export function throughOfClips(topology: Topology, chosen: readonly number[], a: string, b: string): number[] {
  const { from_clip, to_clip } = topology.interpolated;
  const id = (clip: number | undefined) => topology.clips[clip ?? -1]?.id;
  return chosen.filter((k) => id(from_clip[k]) === a && id(to_clip[k]) === b);
}

/** Transitions that leave one clip and enter another, of some. */
export function waysOfClips(topology: Topology, chosen: readonly number[], a: string, b: string): number[] {
  const clipOf = (node: number | undefined) => topology.clips[topology.nodes.clip[node ?? -1] ?? -1]?.id;
  const { from, to } = topology.transitions;
  return chosen.filter((k) => clipOf(from[k]) === a && clipOf(to[k]) === b);
}

/** A part of the graph: some transitions, some ways through interpolated clips, and the clips they touch. */
export function partOf(topology: Topology, chosen: readonly number[], through: readonly number[] = []): Topology {
  const { clips, nodes, transitions: t, pieces, interpolated: w } = topology;
  const touched = new Set([
    ...chosen.flatMap((k) => [t.from[k] ?? 0, t.to[k] ?? 0].map((node) => nodes.clip[node] ?? 0)),
    ...through.flatMap((k) => [w.from_clip[k] ?? 0, w.to_clip[k] ?? 0]),
  ]);
  const keptClips = clips.map((_, clip) => clip).filter((clip) => touched.has(clip));
  const clipPlace = new Map(keptClips.map((clip, place) => [clip, place]));
  const keptNodes = nodes.clip.map((_, node) => node).filter((node) => touched.has(nodes.clip[node] ?? -1));
  const nodePlace = new Map(keptNodes.map((node, place) => [node, place]));
  const keptPieces = pieces.edge.map((_, k) => k).filter((k) => nodePlace.has(pieces.from[k] ?? -1));
  const pick = <T>(column: readonly T[], rows: readonly number[]) => rows.map((k) => column[k] as T);
  const placed = (column: readonly number[], rows: readonly number[]) =>
    rows.map((k) => nodePlace.get(column[k] ?? -1) ?? 0);
  const lanes = (column: readonly number[]) => through.map((k) => clipPlace.get(column[k] ?? -1) ?? 0);
  return {
    clips: pick(clips, keptClips),
    interpolated: {
      from_clip: lanes(w.from_clip),
      from_s: pick(w.from_s, through),
      to_clip: lanes(w.to_clip),
      to_s: pick(w.to_s, through),
      distance_cm: pick(w.distance_cm, through),
    },
    nodes: {
      clip: keptNodes.map((node) => clipPlace.get(nodes.clip[node] ?? -1) ?? 0),
      frame: pick(nodes.frame, keptNodes),
      component: pick(nodes.component, keptNodes),
    },
    transitions: {
      edge: pick(t.edge, chosen),
      from: placed(t.from, chosen),
      to: placed(t.to, chosen),
      distance_cm: pick(t.distance_cm, chosen),
      kind: pick(t.kind, chosen),
      frames: pick(t.frames, chosen),
      seconds: pick(t.seconds, chosen),
      from_frame: pick(t.from_frame, chosen),
      to_frame: pick(t.to_frame, chosen),
    },
    pieces: {
      edge: pick(pieces.edge, keptPieces),
      from: placed(pieces.from, keptPieces),
      to: placed(pieces.to, keptPieces),
    },
  };
}

/** The two clips that tell most: different ones with the most ways between them, the nearer on a tie; nothing without any. */
export function tellingPair(topology: Topology): readonly [string, string] | null {
  const { links, nodes } = clipMap(topology, all(topology), Infinity);
  const best = [...links].sort((p, q) => q.ways - p.ways || p.cm - q.cm)[0];
  if (best) return [best.from, best.to];
  const alone = [...nodes].sort((p, q) => q.inside - p.inside)[0];
  return alone && alone.inside > 0 ? [alone.key, alone.key] : null;
}

/** Seconds at both ends of a clip over which people mostly stand. */
const ENDS_S = 2;

/**
 * The moment that tells most about two clips: the nearest in the graph that is not at an end of one, where everybody stands and
 * looks alike; else the nearest in the graph; else the nearest. -1: there is none.
 */
export function tellingMinimum({ minima, rate_hz }: Minima): number {
  const last = (axis: "i" | "j") => Math.max(...minima.map((m) => m[axis]));
  const ends = { i: last("i"), j: last("j") };
  const within = (m: Minima["minima"][number]) =>
    (["i", "j"] as const).every((axis) => m[axis] > ENDS_S * rate_hz && m[axis] < ends[axis] - ENDS_S * rate_hz);
  const rank = (k: number) => {
    const m = minima[k];
    return m?.state !== "in" ? 2 : within(m) ? 0 : 1;
  };
  return [...minima.keys()].reduce((best, k) => {
    if (best < 0) return k;
    const nearer = (minima[k]?.distance_cm ?? 0) < (minima[best]?.distance_cm ?? 0);
    return rank(k) < rank(best) || (rank(k) === rank(best) && nearer) ? k : best;
  }, -1);
}

export function all(topology: Topology): number[] {
  return topology.transitions.edge.map((_, k) => k);
}

/** All ways through interpolated clips. */
export function allThrough(topology: Topology): number[] {
  return topology.interpolated.from_clip.map((_, k) => k);
}

/** A clip's labels, and what lies between them as a label of its own. */
function withGaps(rows: readonly LabelRow[], seconds: number): Section[] {
  const sections: Section[] = rows.map(({ label, start_s, end_s }) => ({ key: label, start_s, end_s }));
  let reached = 0;
  for (const { start_s, end_s } of [...rows].sort((p, q) => p.start_s - q.start_s)) {
    if (start_s > reached) sections.push({ key: UNLABELLED, start_s: reached, end_s: start_s });
    reached = Math.max(reached, end_s);
  }
  // Labels are kept to the millisecond: less than a frame of any capture is no gap.
  if (seconds - reached > 0.005) sections.push({ key: UNLABELLED, start_s: reached, end_s: seconds });
  return sections;
}

/** What is going on in a clip at a time. */
function keysAt(sections: readonly Section[][], clip: number, at: number): string[] {
  const found = (sections[clip] ?? []).filter(({ start_s, end_s }) => start_s <= at && at < end_s);
  return [...new Set(found.map(({ key }) => key))];
}

/** What is going on where a transition leaves, and where it enters. */
function endsOf(topology: Topology, sections: readonly Section[][], k: number): [string[], string[]] {
  const { transitions: t, nodes, clips } = topology;
  const keys = (node: number | undefined, frame: number | undefined) => {
    const clip = nodes.clip[node ?? -1] ?? -1;
    const { frames = 1, seconds = 0 } = clips[clip] ?? {};
    return keysAt(sections, clip, ((frame ?? 0) / Math.max(1, frames)) * seconds);
  };
  return [keys(t.from[k], t.from_frame[k]), keys(t.to[k], t.to_frame[k])];
}

/** The same of a way through interpolated clips. */
function throughEnds(topology: Topology, sections: readonly Section[][], k: number): [string[], string[]] {
  const { from_clip, from_s, to_clip, to_s } = topology.interpolated;
  return [keysAt(sections, from_clip[k] ?? -1, from_s[k] ?? 0), keysAt(sections, to_clip[k] ?? -1, to_s[k] ?? 0)];
}

function mapOf(
  topology: Topology,
  sections: readonly Section[][],
  nameOf: (key: string) => string,
  chosen: readonly number[],
  through: readonly number[],
  most: number,
): WayMap {
  const seconds = new Map<string, number>();
  const add = (key: string, by: number) => seconds.set(key, (seconds.get(key) ?? 0) + by);
  const { nodes, clips, pieces, transitions } = topology;
  pieces.from.forEach((from, k) => {
    const clip = nodes.clip[from] ?? 0;
    const { frames = 1, seconds: length = 0 } = clips[clip] ?? {};
    const at = (node: number) => ((nodes.frame[node] ?? 0) / Math.max(1, frames)) * length;
    const [start, end] = [at(from), at(pieces.to[k] ?? from)];
    for (const s of sections[clip] ?? []) add(s.key, Math.max(0, Math.min(end, s.end_s) - Math.max(start, s.start_s)));
  });
  const inside = new Map<string, number>();
  const links = new Map<string, MapLink>();
  const ways = new Map<string, number>();
  const count = ([left, entered]: [string[], string[]], cm: number, made: 0 | 1) => {
    for (const from of left)
      for (const to of entered) {
        for (const key of new Set([from, to])) ways.set(key, (ways.get(key) ?? 0) + 1);
        if (from === to) {
          inside.set(from, (inside.get(from) ?? 0) + 1);
          continue;
        }
        const key = JSON.stringify([from, to]);
        const link = links.get(key) ?? { from, to, ways: 0, cm: Infinity, through: 0 };
        const nearer = Math.min(link.cm, cm);
        links.set(key, { from, to, ways: link.ways + 1, cm: nearer, through: link.through + made });
      }
  };
  for (const k of chosen) count(endsOf(topology, sections, k), transitions.distance_cm[k] ?? 0, 0);
  for (const k of through) count(throughEnds(topology, sections, k), topology.interpolated.distance_cm[k] ?? 0, 1);
  const partial = chosen.length < transitions.edge.length || most < Infinity;
  const keys = [...new Set([...seconds.keys(), ...ways.keys()])]
    // Of a part, what nothing leads from or to is not in it.
    .filter((key) => (partial ? (ways.get(key) ?? 0) > 0 : (seconds.get(key) ?? 0) > 0 || (ways.get(key) ?? 0) > 0))
    .sort((p, q) => (ways.get(q) ?? 0) - (ways.get(p) ?? 0) || p.localeCompare(q));
  const kept = new Set(keys.slice(0, most));
  return {
    nodes: [...kept].map((key) => ({
      key,
      name: nameOf(key),
      seconds: seconds.get(key) ?? 0,
      inside: inside.get(key) ?? 0,
    })),
    links: [...links.values()]
      .filter(({ from, to }) => kept.has(from) && kept.has(to))
      .sort((p, q) => q.ways - p.ways || p.cm - q.cm),
    more: keys.length - kept.size,
  };
}
