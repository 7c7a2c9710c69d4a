/** What is shown of a body that was found in markers: colours, order, words. */
import type { FoundBody, FoundJoint } from "../api/types";

const HUES = [212, 28, 152, 330, 48, 265, 178, 8, 96, 300, 232, 128] as const;
/** Past the ring hues go on by the golden angle. */
const GOLDEN_DEG = 137.508;

/** Of markers on no body. */
export const LOOSE = "#8b94a1";

/** The colour of a part, by its place in the list. */
export function partColour(index: number): string {
  const hue = HUES[index] ?? Math.round(HUES[0] + index * GOLDEN_DEG) % 360;
  return `hsl(${hue}, 68%, 52%)`;
}

/** A colour per point, in the order of the recording. */
export function dotColours(points: readonly string[], found: FoundBody | null): string[] {
  const of = new Map<string, string>();
  found?.bodies.forEach((part, k) => part.seen_by.forEach((name) => of.set(name, partColour(k))));
  return points.map((name) => of.get(name) ?? LOOSE);
}

export interface PartRow {
  name: string;
  parent: string | null;
  colour: string;
  length_m: number | null;
  seen_by: readonly string[];
  joint: FoundJoint | null;
}

/** A row per part, with the joint it turns about. */
export function partRows(found: FoundBody): PartRow[] {
  const joints = new Map(found.joints.map((joint) => [joint.name, joint]));
  return found.bodies.map((part, k) => ({
    name: part.name,
    parent: part.parent,
    colour: partColour(k),
    length_m: part.length_m,
    seen_by: part.seen_by,
    joint: joints.get(part.name) ?? null,
  }));
}

/** Near 1 the tree is a guess. */
const UNSURE = 1.2;

/** One line on how well all of it fits. */
export function fitWords(found: FoundBody, what: "markers" | "sensors"): string {
  const used = found.bodies.reduce((sum, part) => sum + part.seen_by.length, 0);
  const words = [
    `${found.bodies.length} parts`,
    `${used} ${what}, ${found.residual_mm.toFixed(1)} mm (RMS) from the motion`,
  ];
  if (found.filled > 0)
    words.push(
      `${found.filled.toLocaleString("en")} of ${found.samples.toLocaleString("en")} samples were not seen and are filled`,
    );
  return words.join(" · ");
}

/** What is said where another tree would do nearly as well. */
export function treeDoubt(found: FoundBody): string | null {
  if (found.margin === null || found.margin > UNSURE || !found.doubt) return null;
  return `Which part hangs on which is not sure: ${found.doubt} would do nearly as well.`;
}
