/** What is shown of motion on a character: colours of roles, who stands where, what is kept when. No DOM. */
import type { Character, CharacterRoles, KeptSpan, OnCharacter, RoleRow } from "../api/types";
import { count } from "../ui/format";

/** In place of a character: the body that the motion has, to be changed. */
export const OWN: Character = {
  id: "own",
  name: "Its own body",
  file: "",
  format: "",
  joints: [],
  mesh: false,
  warnings: [],
  roles: { source: {}, target: {} },
  body: null,
};

/** Of joints that have no role. */
export const UNMAPPED = "#8b94a1";

/** A hue per part of the body; left is the lighter of a pair. */
const HUES: Readonly<Record<string, number>> = {
  Hips: 45,
  Spine: 95,
  Neck: 130,
  Head: 165,
  Shoulder: 190,
  UpperArm: 212,
  Forearm: 240,
  Hand: 275,
  Thigh: 5,
  Shank: 28,
  Foot: 325,
  Toe: 300,
};

/** The colour of a role, the same on both bodies and in the table. */
export function roleColour(role: string): string {
  const { side, part } = splitRole(role);
  const lightness = side === "left" ? 60 : side === "right" ? 42 : 50;
  return `hsl(${HUES[part] ?? 0}, 70%, ${lightness}%)`;
}

export function splitRole(role: string): { side: "left" | "right" | null; part: string } {
  const found = /^(Left|Right)(.+)$/.exec(role);
  if (!found) return { side: null, part: role };
  return { side: found[1] === "Left" ? "left" : "right", part: found[2] ?? role };
}

const WORDS: Readonly<Record<string, string>> = { UpperArm: "upper arm" };

/** "Left upper arm". */
export function roleWords(role: string): string {
  const { side, part } = splitRole(role);
  const word = WORDS[part] ?? part.toLowerCase();
  return side ? `${side === "left" ? "Left" : "Right"} ${word}` : word.charAt(0).toUpperCase() + word.slice(1);
}

/** A colour per joint of one of the bodies: that of its role, else of the nearest joint above it that has one. With `only`, all other roles are grey. */
export function jointColours(
  joints: readonly string[],
  parents: readonly number[],
  rows: readonly RoleRow[],
  of: "source" | "target",
  only: string | null = null,
): string[] {
  const role = new Map(rows.flatMap((row) => row[of].map((joint): [string, string] => [joint, row.role])));
  const colours: string[] = [];
  joints.forEach((joint, k) => {
    const own = role.get(joint);
    const parent = parents[k] ?? -1;
    const inherited = parent >= 0 && parent < k ? colours[parent] : undefined;
    colours.push(own === undefined ? (inherited ?? UNMAPPED) : !only || own === only ? roleColour(own) : UNMAPPED);
  });
  return colours;
}

/** Between the two, in heights of the taller, beside the way they go: neither walks into the other. 1.3 m between people. */
const APART = 1.3 / 1.7;

/** A body so many times as large as the other hides it: the source is drawn as large as the character. */
const UNLIKE = 2;

/** How many times as large the source is drawn, so that both are seen: 1 where bodies are about as large. */
export function drawnSize(scale: number, heights: readonly [number, number]): number {
  const unlike = (ratio: number) => Math.max(ratio, 1 / ratio) > UNLIKE;
  return scale > 0 && (unlike(scale) || unlike(heights[1] / heights[0])) ? scale : 1;
}

/** Where source and target are put so that both go side by side, whatever way the motion goes and however tall they are. */
export function sideBySide(
  way: readonly (readonly [number, number])[],
  heights: readonly [number, number] = [1.7, 1.7],
): {
  source: [number, number];
  target: [number, number];
} {
  const first = way[0] ?? [0, 0];
  const last = way.at(-1) ?? first;
  const [dx, dz] = [last[0] - first[0], last[1] - first[1]];
  const long = Math.hypot(dx, dz);
  // Who stays on the spot is seen from the front, along z.
  const [ux, uz] = long > 0.3 ? [dx / long, dz / long] : [0, 1];
  const across: [number, number] = [uz, -ux];
  const half = (APART * Math.max(...heights)) / 2;
  return {
    source: [half * across[0] + 0, half * across[1] + 0],
    target: [-half * across[0] + 0, -half * across[1] + 0],
  };
}

export interface KeptLane {
  name: string;
  title: string;
  spans: readonly KeptSpan[];
}

const LANES: readonly [RegExp, string][] = [
  [/^left_heel/, "Left heel"],
  [/^left_toe/, "Left toe"],
  [/^right_heel/, "Right heel"],
  [/^right_toe/, "Right toe"],
];

/** What is kept, lane by lane; the floor, which holds all the time, has none. */
export function keptLanes(kept: readonly KeptSpan[]): KeptLane[] {
  const lanes = LANES.map(([pattern, title]) => ({
    name: pattern.source.slice(1),
    title,
    spans: kept.filter((span) => pattern.test(span.name)),
  }));
  const others = kept.filter((span) => !LANES.some(([pattern]) => pattern.test(span.name)) && !/floor/.test(span.name));
  const names = [...new Set(others.map((span) => span.name))];
  const rest = names.map((name) => ({
    name,
    title: name.replaceAll("_", " "),
    spans: others.filter((span) => span.name === name),
  }));
  return [...lanes, ...rest].filter((lane) => lane.spans.length > 0);
}

const millimetres = (mm: number) => (mm >= 10 ? `${mm.toFixed(0)} mm` : mm >= 0.05 ? `${mm.toFixed(1)} mm` : "0 mm");

/** What is said of a span where one points at it. */
export function spanWords(lane: string, span: KeptSpan): string {
  return `${lane} stands from ${span.start_s.toFixed(2)} to ${span.end_s.toFixed(2)} s: ${millimetres(span.before_mm)} off with angles copied, ${millimetres(span.left_mm)} now`;
}

/** One line on all of it. */
export function onWords(on: OnCharacter): string {
  const spans = on.kept;
  const most = (pick: (span: KeptSpan) => number) => spans.reduce((far, span) => Math.max(far, pick(span)), 0);
  const words = [`Legs are ${on.scale.toFixed(2)} times as long, and so is the way`];
  if (spans.length > 0)
    words.push(
      `feet that stand are within ${millimetres(most((s) => s.left_mm))} (${millimetres(most((s) => s.before_mm))} with angles copied)`,
      `joints turned by ${on.change.p95_deg.toFixed(1)}° for that (95 %), ${on.change.max_deg.toFixed(0)}° at most`,
    );
  return `${words.join("; ")}.`;
}

/** How sure a row is, in a word. */
export function sureness(confidence: number): "good" | "fair" | "poor" {
  return confidence >= 0.8 ? "good" : confidence >= 0.5 ? "fair" : "poor";
}

/** A role given to another joint. An empty joint means that nobody has it; null forgets what was said. */
export function withRole(
  roles: CharacterRoles,
  of: "source" | "target",
  role: string,
  joint: string | null,
): CharacterRoles {
  const table = { ...roles[of] };
  if (joint === null) delete table[role];
  else table[role] = joint === "" ? [] : [joint];
  return { ...roles, [of]: table };
}

/** What changing a body came to. */
export function editWords(on: OnCharacter, changed: boolean): string {
  if (!changed || !on.edited) return "The motion as it is: move a slider, or drag a hand.";
  const left = on.edited.left_mm.reduce((far, mm) => Math.max(far, mm), 0);
  return `The body is ${on.edited.height_m.toFixed(2)} m tall; what was asked for is met to ${left.toFixed(1)} mm, over ${count(on.edited.spans.length, "stretch", "stretches")} of the motion.`;
}
