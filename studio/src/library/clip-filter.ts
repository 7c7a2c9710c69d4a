/** Which clips are listed, and in which order. */
import type { Body, Clip } from "../api/types";
import { needsPerson } from "./mend";

export type ClipOrder = "name" | "longest" | "shortest" | "warnings";

export interface ClipFilter {
  text: string;
  /** A clip with any of them is listed; none chosen lists all. */
  labels: ReadonlySet<string>;
  order: ClipOrder;
}

/** Label that stands for clips without any. */
export const UNLABELLED = "";

export function filterClips(clips: readonly Clip[], filter: ClipFilter): Clip[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const kept = clips.filter((clip) => {
    const text =
      `${clip.name} ${clip.file} ${clip.format} ${clip.labels.map((row) => row.label).join(" ")}`.toLowerCase();
    return words.every((word) => text.includes(word)) && hasLabel(clip, filter.labels);
  });
  return kept.sort(COMPARE[filter.order]);
}

function hasLabel(clip: Clip, wanted: ReadonlySet<string>): boolean {
  if (wanted.size === 0) return true;
  if (clip.labels.length === 0) return wanted.has(UNLABELLED);
  return clip.labels.some((row) => wanted.has(row.label));
}

const byName = (a: Clip, b: Clip) => a.name.localeCompare(b.name, "en", { numeric: true });
const COMPARE: Record<ClipOrder, (a: Clip, b: Clip) => number> = {
  name: byName,
  longest: (a, b) => b.seconds - a.seconds || byName(a, b),
  shortest: (a, b) => a.seconds - b.seconds || byName(a, b),
  warnings: (a, b) => needsPerson(b).length - needsPerson(a).length || byName(a, b),
};

/** Clips under their bodies, each list in the order given; clips whose body is not known yet come last. */
export function byBody(clips: readonly Clip[], bodies: readonly Body[]): { body: Body | null; clips: Clip[] }[] {
  const known = new Set(bodies.map((body) => body.id));
  return [
    ...bodies.map((body) => ({ body, clips: clips.filter((clip) => clip.body === body.id) })),
    { body: null, clips: clips.filter((clip) => !known.has(clip.body)) },
  ].filter((group) => group.clips.length > 0);
}

/** Labels of the clips with the number of clips that have each, most used first. */
export function labelCounts(clips: readonly Clip[]): { label: string; clips: number }[] {
  const counts = new Map<string, number>();
  for (const clip of clips) {
    const own = new Set(clip.labels.length > 0 ? clip.labels.map((row) => row.label) : [UNLABELLED]);
    for (const label of own) counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return [...counts]
    .map(([label, n]) => ({ label, clips: n }))
    .sort((a, b) => b.clips - a.clips || a.label.localeCompare(b.label));
}

/**
 * The clip to begin with: a walk where there is one, since a figure that stands says little. The one that walks from its first
 * frame to its last and does little else; without walks, the first by name.
 */
export function firstClip(clips: readonly Clip[]): Clip {
  const walked = (clip: Clip) =>
    clip.labels.reduce((sum, row) => sum + (row.label === "walk" ? row.end_s - row.start_s : 0), 0) / clip.seconds;
  const others = (clip: Clip) => new Set(clip.labels.map((row) => row.label)).size;
  const first = [...clips].sort(
    (a, b) => Math.round(10 * (walked(b) - walked(a))) || (walked(a) > 0 ? others(a) - others(b) : 0) || byName(a, b),
  )[0];
  if (!first) throw new RangeError("there is no clip");
  return first;
}
