/** Sizes of a body, measured on its skeleton. */
import type { HumanRoles } from "./roles";
import type { MotionSource } from "./motion-source";
import { emptyPose, type Pose } from "./pose";

export interface Proportions {
  /** 1 for a person of 1.75 m: every thickness is multiplied by it. */
  scale: number;
  /** Half the distance of the hip joints and of the shoulder joints, metres. */
  halfHips: number;
  halfShoulders: number;
}

/** Lowest to highest joint of a person. */
const PERSON_M = 1.7;
/** Hip to ankle of a person of 1.75 m (Winter: 0.53 H for the hip, 0.039 H for the ankle). */
const LEG_M = 0.84;
/** Shoulder to wrist of the same person (0.186 H + 0.146 H). */
const ARM_M = 0.58;

function distance(points: Float32Array, a: number, b: number): number {
  return Math.hypot(
    points[a * 3]! - points[b * 3]!,
    points[a * 3 + 1]! - points[b * 3 + 1]!,
    points[a * 3 + 2]! - points[b * 3 + 2]!,
  );
}

/** Bone lengths do not change during a motion, so any pose will do. */
export function measure(roles: HumanRoles, pose: Pose): Proportions {
  const { points } = pose;
  const chain = (a: number, b: number, c: number) => distance(points, a, b) + distance(points, b, c);
  const legs =
    (chain(roles.left.hip, roles.left.knee, roles.left.ankle) +
      chain(roles.right.hip, roles.right.knee, roles.right.ankle)) /
    2;
  const arms =
    (chain(roles.left.shoulder, roles.left.elbow, roles.left.wrist) +
      chain(roles.right.shoulder, roles.right.elbow, roles.right.wrist)) /
    2;
  // Legs say more about size than arms, whose wrists are often marked at the knuckles.
  const scale = 0.7 * (legs / LEG_M) + 0.3 * (arms / ARM_M);
  return {
    scale: scale > 1e-3 && Number.isFinite(scale) ? scale : 1,
    halfHips: distance(points, roles.left.hip, roles.right.hip) / 2,
    halfShoulders: distance(points, roles.left.shoulder, roles.right.shoulder) / 2,
  };
}

/** Metres from the lowest joint to the highest as a motion begins; a person's where its frames are not here yet. */
export function heightOf(source: MotionSource): number {
  const pose = emptyPose(source.header.joints.length);
  return PERSON_M * (source.sample(0, pose) ? measureAny(pose) : 1);
}

/** Size of a skeleton that is no person's: the height of its box over that of a person. */
export function measureAny(pose: Pose): number {
  let low = Infinity;
  let high = -Infinity;
  for (let k = 1; k < pose.points.length; k += 3) {
    if (Number.isNaN(pose.points[k]!)) continue;
    low = Math.min(low, pose.points[k]!);
    high = Math.max(high, pose.points[k]!);
  }
  const height = high - low;
  return height > 1e-3 && Number.isFinite(height) ? Math.min(200, Math.max(0.02, height / PERSON_M)) : 1;
}
