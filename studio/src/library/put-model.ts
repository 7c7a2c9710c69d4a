/** Clips on another body: which bodies there are, and what would come of one. No DOM. */
import type { Body, Character, Clip, Onto } from "../api/types";
import { count } from "../ui/format";

/** A body that clips can be put on. */
export interface BodyChoice {
  value: string;
  label: string;
  onto: Onto;
  /** The body's clips are of it already. */
  body: string | null;
}

/** Characters first: who brings one wants it used. Of a body its longest clip speaks for it. */
export function bodyChoices(
  characters: readonly Character[],
  bodies: readonly Body[],
  clips: readonly Clip[],
): BodyChoice[] {
  const figures = characters.map((one): BodyChoice => {
    return { value: `character ${one.id}`, label: one.name, onto: { character: one.id }, body: null };
  });
  const people = bodies.flatMap((body): BodyChoice[] => {
    const [longest] = clips
      .filter((clip) => clip.body === body.id)
      .sort((a, b) => b.seconds - a.seconds || a.name.localeCompare(b.name));
    if (!longest) return [];
    const label = `the body of ${longest.name} (${count(body.clips.length, "clip")})`;
    return [{ value: `body ${body.id}`, label, onto: { clip: longest.id }, body: body.id }];
  });
  return [...figures, ...people];
}

/** What would be done, in a sentence; `null` where there is nothing to do. */
export function putWords(choice: BodyChoice, clips: readonly Clip[]): string | null {
  const own = clips.filter((clip) => clip.body === choice.body).length;
  const others = clips.length - own;
  if (others === 0) return null;
  const made = `${count(others, "clip")} ${others === 1 ? "is" : "are"} put on ${choice.label.replace(/ \(\d+ clips?\)$/, "")}`;
  const stay =
    own > 0 ? `; ${count(own, "clip")} of it stay${own === 1 ? "s" : ""} as ${own === 1 ? "it is" : "they are"}` : "";
  return `${made}${stay}.`;
}
