/** Clips on another body: which bodies there are, and what would come of one. No DOM. */
import type { Body, Character, Clip, Onto } from "../api/types";
import { count } from "../ui/format";

/** A body that clips can be put on. */
export interface BodyChoice {
  value: string;
  label: string;
  /** As sentences have it. */
  name: string;
  onto: Onto;
  /** Clips of this body are of it already. */
  body: string | null;
  /** What names of clips that were put on it end with. */
  ending: string;
}

/** Characters first: who brings one wants it used. Of a body its longest clip speaks for it. */
export function bodyChoices(
  characters: readonly Character[],
  bodies: readonly Body[],
  clips: readonly Clip[],
): BodyChoice[] {
  const figures = characters.map(({ id, name, body }): BodyChoice => {
    return { value: `character ${id}`, label: name, name, onto: { character: id }, body, ending: `_on_${name}` };
  });
  const people = bodies.flatMap((body): BodyChoice[] => {
    const [longest] = clips
      .filter((clip) => clip.body === body.id)
      .sort((a, b) => b.seconds - a.seconds || a.name.localeCompare(b.name));
    if (!longest) return [];
    const name = `the body of ${longest.name}`;
    const label = `${name} (${count(body.clips.length, "clip")})`;
    return [
      {
        value: `body ${body.id}`,
        label,
        name,
        onto: { clip: longest.id },
        body: body.id,
        ending: `_on_${lastPart(longest.name)}`,
      },
    ];
  });
  return [...figures, ...people];
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/** Of all clips those that are not there on this body yet, as the server takes them where nobody says which. */
export function notThere({ ending }: BodyChoice, all: readonly Clip[]): Clip[] {
  const names = new Set(all.map((clip) => clip.name));
  const made = (stem: string) => names.has(`${stem}${ending}`.replaceAll(/[/#]/g, "_"));
  return all.filter(({ name }) => !made(lastPart(name)) && !made(name));
}

/** What would be done, in a sentence; null where there is nothing to do. */
export function putWords({ name, body }: BodyChoice, clips: readonly Clip[]): string | null {
  const own = clips.filter((clip) => clip.body === body).length;
  const others = clips.length - own;
  if (others === 0) return null;
  const made = `${count(others, "clip")} ${others === 1 ? "is" : "are"} put on ${name}`;
  const stay = own === 1 ? "; 1 clip of it stays as it is" : `; ${count(own, "clip")} of it stay as they are`;
  return `${made}${own > 0 ? stay : ""}.`;
}
