/**
 * Which joint is the knee? Decided by name, in the spellings of BVH files (Hips, LeftUpLeg, LeftLeg…), of ASF
 * (lfemur, ltibia…), of game rigs (thigh_l, mixamorig:LeftArm, UpperLeg_L) and of glTF samples.
 */

export type SideRole =
  "clavicle" | "shoulder" | "elbow" | "wrist" | "handEnd" | "hip" | "knee" | "ankle" | "ball" | "toeEnd";

export interface HumanRoles {
  pelvis: number;
  /** From pelvis to neck, both left out. */
  spine: number[];
  neck: number;
  head: number;
  /** -1 where the skeleton has none. */
  headEnd: number;
  left: Record<SideRole, number>;
  right: Record<SideRole, number>;
}

interface Named {
  side: "left" | "right" | "mid";
  name: string;
}

/** Takes prefixes (`mixamorig:`, `Bip01 `) and the side off a name. */
export function splitName(raw: string): Named {
  let name = raw.replace(/^.*[:|]/, "").replace(/^(mixamorig\d*|bip0?1|skeleton|armature)[ _]*/i, "");
  const spelled = /left|right/i.exec(name);
  if (spelled) {
    return { side: spelled[0].toLowerCase() as "left" | "right", name: tidy(name.replace(/left|right/i, "")) };
  }
  const letter =
    /^([LRlr])(?=[ _.A-Z])|[ _.]([LRlr])(?=$|[ _.\d])/.exec(name) ??
    /^([lr])(?=(hip|femur|tibia|foot|toes|clavicle|humerus|radius|wrist|hand|fingers|thumb|thigh|shin|shoulder|elbow|knee|ankle)\b)/i.exec(
      name,
    );
  if (letter) {
    name = name.slice(0, letter.index) + name.slice(letter.index + letter[0].length);
    return { side: (letter[1] ?? letter[2])!.toLowerCase() === "l" ? "left" : "right", name: tidy(name) };
  }
  return { side: "mid", name: tidy(name) };
}

function tidy(name: string): string {
  return name.toLowerCase().replace(/[ _.-]/g, "");
}

/** Tried in order: the first pattern that some joint of the side matches gives the joint. */
const SIDE_PATTERNS: Record<Exclude<SideRole, "toeEnd" | "handEnd">, RegExp[]> = {
  clavicle: [/^(clavicle|collar|shoulder\d?)$/],
  shoulder: [/^(uparm|upperarm|arm|humerus|armupper|upperarm\d)$/, /^shoulder$/],
  elbow: [/^(forearm|lowerarm|elbow|radius|lowarm|armlower)$/],
  wrist: [/^(hand|wrist)$/],
  hip: [/^(upleg|upperleg|thigh|femur|hip|legupper)$/],
  knee: [/^(leg|lowerleg|lowleg|knee|shin|calf|tibia|leglower)$/],
  ankle: [/^(foot|ankle)$/],
  ball: [/^(toe|toes|toebase|toe0|ball|ball0?|football)$/],
};

/** null when the skeleton is not that of a person, or not in words we know. */
export function findRoles(joints: readonly string[], parents: readonly number[]): HumanRoles | null {
  const named = joints.map(splitName);
  const find = (side: Named["side"], patterns: readonly RegExp[]): number => {
    for (const pattern of patterns) {
      const index = named.findIndex((joint) => joint.side === side && pattern.test(joint.name));
      if (index >= 0) return index;
    }
    return -1;
  };
  const left = sideRoles("left", find, joints, parents);
  const right = sideRoles("right", find, joints, parents);
  const head = find("mid", [/^head$/, /^upperneck$/, /^neck1$/]);
  const pelvis = Math.max(0, parents.indexOf(-1));
  if (head < 0 || !left || !right) return null;
  const chain = ancestors(head, parents);
  const neck = find("mid", [/^(neck|lowerneck|neck0?1?)$/]);
  const spine = chain
    .filter((joint) => joint !== pelvis && joint !== head && !/neck/.test(named[joint]!.name))
    .reverse();
  return {
    pelvis,
    spine,
    neck: neck >= 0 ? neck : (chain[0] ?? pelvis),
    head,
    headEnd: onlyChild(head, parents),
    left,
    right,
  };
}

function sideRoles(
  side: "left" | "right",
  find: (side: "left" | "right", patterns: readonly RegExp[]) => number,
  joints: readonly string[],
  parents: readonly number[],
): Record<SideRole, number> | null {
  const at = Object.fromEntries(
    Object.entries(SIDE_PATTERNS).map(([role, patterns]) => [role, find(side, patterns)]),
  ) as Record<SideRole, number>;
  const needed: SideRole[] = ["shoulder", "elbow", "wrist", "hip", "knee", "ankle"];
  if (needed.some((role) => at[role] < 0)) return null;
  at.handEnd = deepest(at.wrist, joints, parents, /thumb/i);
  at.toeEnd = at.ball >= 0 ? onlyChild(at.ball, parents) : onlyChild(at.ankle, parents);
  return at;
}

/** From the joint's parent up to the root. */
function ancestors(joint: number, parents: readonly number[]): number[] {
  const chain: number[] = [];
  for (let at = parents[joint] ?? -1; at >= 0 && chain.length <= parents.length; at = parents[at] ?? -1) chain.push(at);
  return chain;
}

function onlyChild(joint: number, parents: readonly number[]): number {
  return parents.indexOf(joint);
}

/** End of the first chain below a joint that `skip` does not name. */
function deepest(joint: number, joints: readonly string[], parents: readonly number[], skip: RegExp): number {
  let at = joint;
  for (let guard = 0; guard < parents.length; guard++) {
    const next = parents.findIndex((parent, index) => parent === at && !skip.test(joints[index] ?? ""));
    if (next < 0) break;
    at = next;
  }
  return at === joint ? -1 : at;
}
