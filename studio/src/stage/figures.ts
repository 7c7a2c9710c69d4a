/** Stick figure, point lights, and bodies of skeletons that are no person's. */
import type { HumanRoles } from "./roles";
import type { Pose } from "./pose";
import type { Rgb, TubeList } from "./tube-list";
import { length, pointAt, sub, type Vec } from "./vec";
import { splitName } from "./roles";

export interface StickPaint {
  middle: Rgb;
  left: Rgb;
  right: Rgb;
  opacity: number;
}

/** Bones to draw: those with a length, without fingers (not captured in most files: their joints flip about). */
function drawnBones(joints: readonly string[], parents: readonly number[]): number[] {
  return parents.flatMap((parent, joint) =>
    parent >= 0 && !/thumb|finger|index|middle|ring|pinky/i.test(joints[joint] ?? "") ? [joint] : [],
  );
}

function sideOf(joint: string): "left" | "right" | "middle" {
  const { side } = splitName(joint);
  return side === "mid" ? "middle" : side;
}

export interface Bones {
  drawn: readonly number[];
  parents: readonly number[];
  sides: readonly ("left" | "right" | "middle")[];
}

export function bonesOf(joints: readonly string[], parents: readonly number[]): Bones {
  return { drawn: drawnBones(joints, parents), parents, sides: joints.map(sideOf) };
}

export function pushStick(
  list: TubeList,
  bones: Bones,
  roles: HumanRoles | null,
  k: number,
  pose: Pose,
  paint: StickPaint,
  tints: readonly Rgb[] | null = null,
): void {
  const bone = 0.014 * k;
  for (const joint of bones.drawn) {
    const a = pointAt(pose.points, bones.parents[joint]!);
    const b = pointAt(pose.points, joint);
    if (length(sub(b, a)) < 0.004 * k) continue;
    const plain = paint[bones.sides[joint]!];
    // A bone turns with the joint above it.
    const tint = tints?.[bones.parents[joint]!] ?? plain;
    list.limb(a, b, [bone, bone, bone, bone], [0.3, 0.2, 0.93], tint, paint.opacity);
    list.ball(b, 0.022 * k, tints?.[joint] ?? plain, paint.opacity);
  }
  if (!roles) return;
  const head = pointAt(pose.points, roles.head);
  const above = roles.headEnd >= 0 ? pointAt(pose.points, roles.headEnd) : head;
  list.ball(
    [(head[0] + above[0]) / 2, (head[1] + above[1]) / 2 + 0.03 * k, (head[2] + above[2]) / 2],
    0.085 * k,
    tints?.[roles.head] ?? paint.middle,
    paint.opacity,
  );
}

/** Johansson's set: head, shoulders, elbows, wrists, hips, knees, ankles, and the balls of the feet. */
export function lightJoints(roles: HumanRoles | null, joints: number): number[] {
  if (!roles) return Array.from({ length: joints }, (_, joint) => joint);
  const pair = (side: HumanRoles["left"]) =>
    [side.shoulder, side.elbow, side.wrist, side.hip, side.knee, side.ankle, side.ball].filter((joint) => joint >= 0);
  return [roles.headEnd >= 0 ? roles.headEnd : roles.head, ...pair(roles.left), ...pair(roles.right)];
}

export function pushLights(
  list: TubeList,
  lights: readonly number[],
  k: number,
  pose: Pose,
  tint: Rgb,
  opacity: number,
): void {
  for (const joint of lights) list.ball(pointAt(pose.points, joint), 0.024 * k, tint, opacity, 0);
}

/** A marker's radius, metres: as large as real ones look from across the room. */
const DOT_M = 0.013;

/** Markers or sensors, each in its own colour; those that were not seen are not there. */
export function pushDots(list: TubeList, pose: Pose, tints: readonly Rgb[], opacity: number): void {
  tints.forEach((tint, k) => {
    const at = pointAt(pose.points, k);
    if (!Number.isNaN(at[0])) list.ball(at, DOT_M, tint, opacity);
  });
}

/** Where points that were seen are on average; NaN where none was. */
export function middleOf(pose: Pose): Vec {
  const sum: Vec = [0, 0, 0];
  let seen = 0;
  for (let k = 0; k < pose.points.length; k += 3) {
    if (Number.isNaN(pose.points[k]!)) continue;
    for (let axis = 0; axis < 3; axis++) sum[axis]! += pose.points[k + axis]!;
    seen += 1;
  }
  return [sum[0] / seen, sum[1] / seen, sum[2] / seen];
}

/** Capsules as thick as the bone is long allows: any animal or machine reads as a solid thing. */
export function pushAnySolid(list: TubeList, bones: Bones, k: number, pose: Pose, tint: Rgb, opacity: number): void {
  for (const joint of bones.drawn) {
    const a = pointAt(pose.points, bones.parents[joint]!);
    const b = pointAt(pose.points, joint);
    const long = length(sub(b, a));
    if (long < 0.004 * k) continue;
    const r = Math.min(0.055 * k, Math.max(0.012 * k, long * 0.2));
    list.limb(a, b, [r, r * 1.08, r * 0.92, r * 0.8], [0.3, 0.2, 0.93], tint, opacity);
  }
}
