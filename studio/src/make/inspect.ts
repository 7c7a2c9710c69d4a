/** From a transition of a result to the same one in the graph, where it is looked at closely. */
import type { TransitionPlace } from "../graph/account-model";
import type { ShownTransition } from "./report";

/** The one whose two motions are furthest apart; the first of equals. */
export function worstOf<T extends Pick<ShownTransition, "distance_cm">>(marks: readonly T[]): T | null {
  return marks.reduce<T | null>((worst, m) => (worst && worst.distance_cm >= m.distance_cm ? worst : m), null);
}

/** The one at a time, else the nearest. */
export function nearestOf<T extends Pick<ShownTransition, "t" | "start" | "end">>(
  marks: readonly T[],
  time: number,
): T | null {
  const apart = (m: T) => (time >= m.start && time <= m.end ? 0 : Math.abs(m.t - time));
  return marks.reduce<T | null>((near, m) => (near && apart(near) <= apart(m) ? near : m), null);
}

/** `CLIP@SECONDS` as the report writes it; names may hold an `@` of their own. */
function momentOf(text: string): { clip: string; seconds: number } | null {
  const at = text.lastIndexOf("@");
  const seconds = Number(text.slice(at + 1));
  return at > 0 && text.length > at + 1 && Number.isFinite(seconds) ? { clip: text.slice(0, at), seconds } : null;
}

/** Where the graph has it, by ids and working frames; nothing where a clip of it is not listed (a mirrored copy, or one that was removed). */
export function placeInGraph(
  mark: Pick<ShownTransition, "from" | "to">,
  clips: readonly { readonly id: string; readonly name: string }[],
  working_hz: number,
): TransitionPlace | null {
  const [from, to] = [momentOf(mark.from), momentOf(mark.to)];
  const id = (name: string | undefined) => clips.find((clip) => clip.name === name)?.id;
  const [a, b] = [id(from?.clip), id(to?.clip)];
  if (!from || !to || a === undefined || b === undefined) return null;
  return { a, i: Math.round(from.seconds * working_hz), b, j: Math.round(to.seconds * working_hz) };
}
