/**
 * The solid body: a mannequin built on joint positions alone. Rotations are not sent, so each part takes its turn
 * about its own axis from its neighbours (chest from the shoulders, feet from the shins).
 * Thicknesses are in metres for a person of 1.75 m and scaled to the skeleton.
 */
import type { HumanRoles, SideRole } from "./roles";
import type { Proportions } from "./proportions";
import type { Pose } from "./pose";
import type { Four, Rgb, TubeList } from "./tube-list";
import { add, along, cross, length, mix, pointAt, scale, square, sub, unit, type Vec } from "./vec";

export interface BodyPaint {
  skin: Rgb;
  /** Shirt and trousers are tones of the skin: one figure, yet its parts are told apart. */
  cloth: Rgb;
  legs: Rgb;
  shoes: Rgb;
  opacity: number;
}

interface Frame {
  at: (joint: number) => Vec;
  /** Towards the person's left, of hips and of shoulders. */
  hipSide: Vec;
  chestSide: Vec;
  forward: Vec;
  up: Vec;
  k: number;
}

const times = (radii: Four, k: number): Four => [radii[0] * k, radii[1] * k, radii[2] * k, radii[3] * k];

export function pushBody(list: TubeList, roles: HumanRoles, size: Proportions, pose: Pose, paint: BodyPaint): void {
  const at = (joint: number) => pointAt(pose.points, joint);
  const hips = mix(at(roles.left.hip), at(roles.right.hip), 0.5);
  const shoulders = mix(at(roles.left.shoulder), at(roles.right.shoulder), 0.5);
  const up = unit(sub(shoulders, hips));
  const hipSide = square(sub(at(roles.left.hip), at(roles.right.hip)), up);
  const chestSide = square(sub(at(roles.left.shoulder), at(roles.right.shoulder)), up, hipSide);
  const frame: Frame = { at, hipSide, chestSide, forward: unit(cross(chestSide, up), [0, 0, 1]), up, k: size.scale };
  const neckBase = torso(list, roles, size, frame, hips, shoulders, paint);
  head(list, roles, frame, neckBase, paint);
  for (const side of [roles.left, roles.right]) {
    arm(list, side, frame, neckBase, paint);
    leg(list, side, frame, hips, paint);
  }
}

function torso(
  list: TubeList,
  roles: HumanRoles,
  size: Proportions,
  f: Frame,
  hips: Vec,
  shoulders: Vec,
  paint: BodyPaint,
): Vec {
  const { k, up } = f;
  // Between the collar bones; many skeletons have a joint there, others put it far down the back.
  const stem = sub(f.at(roles.neck), shoulders);
  const rise = stem[0] * up[0] + stem[1] * up[1] + stem[2] * up[2];
  const neckBase = along(shoulders, up, Math.min(0.12 * k, Math.max(0.05 * k, rise)));
  const low = along(hips, up, -0.035 * k);
  // The spine lies towards the back of the trunk; half of its bend is what the outside shows.
  const spine = roles.spine.map(f.at);
  const bend = (part: number): Vec => {
    const straight = mix(low, neckBase, part);
    if (spine.length < 2) return straight;
    const nearest = spine.reduce((best, point) =>
      length(sub(point, straight)) < length(sub(best, straight)) ? point : best,
    );
    const off = square(sub(nearest, straight), up, [0, 0, 0]);
    const amount = Math.min(0.05 * k, length(sub(nearest, straight)));
    return along(straight, off, 0.35 * amount);
  };
  const hip = Math.min(size.halfHips, 0.13 * k) + 0.068 * k;
  const rib = Math.min(Math.max(size.halfShoulders * 0.83, 0.12 * k), 0.19 * k);
  // Pelvis, waist, ribs: two tubes that share the waist, so that hips and chest can twist against each other.
  const waist = bend(0.42);
  const ribs = bend(0.7);
  list.push(
    low,
    mix(low, waist, 0.36),
    mix(low, waist, 0.7),
    along(waist, up, 0.05 * k),
    [hip * 0.86, hip, hip * 0.92, 0.116 * k],
    [0.098 * k, 0.118 * k, 0.108 * k, 0.084 * k],
    f.hipSide,
    f.chestSide,
    paint.legs,
    paint.opacity,
  );
  const breast = along(ribs, f.forward, 0.012 * k);
  list.push(
    along(waist, up, -0.045 * k),
    mix(waist, breast, 0.62),
    along(breast, up, 0.075 * k),
    along(neckBase, up, -0.042 * k),
    [0.143 * k, rib * 0.95, rib * 1.03, rib * 0.94],
    [0.109 * k, 0.113 * k, 0.118 * k, 0.084 * k],
    f.chestSide,
    f.chestSide,
    paint.cloth,
    paint.opacity,
  );
  return neckBase;
}

function head(list: TubeList, roles: HumanRoles, f: Frame, neckBase: Vec, paint: BodyPaint): void {
  const { k } = f;
  const joint = f.at(roles.head);
  const stalk = unit(sub(joint, neckBase), f.up);
  const end = roles.headEnd >= 0 ? sub(f.at(roles.headEnd), joint) : scale(stalk, 0.16 * k);
  const up = length(end) > 0.03 * k ? unit(end, stalk) : stalk;
  const side = square(f.chestSide, up);
  const forward = cross(side, up);
  const crown = along(joint, up, Math.min(Math.max(length(end), 0.165 * k), 0.25 * k));
  const middle = along(along(crown, up, -0.112 * k), forward, 0.028 * k);
  list.limb(
    along(neckBase, f.up, -0.03 * k),
    along(middle, up, -0.03 * k),
    times([0.06, 0.055, 0.052, 0.05], k),
    side,
    paint.skin,
    paint.opacity,
  );
  // Skull and jaw: two rounded forms, as a draughtsman would begin a head.
  const skull = along(middle, forward, -0.01 * k);
  list.push(
    along(skull, up, 0.004 * k),
    along(skull, up, 0.014 * k),
    along(skull, up, 0.024 * k),
    along(skull, up, 0.034 * k),
    times([0.069, 0.073, 0.074, 0.072], k),
    times([0.088, 0.092, 0.092, 0.088], k),
    side,
    side,
    paint.skin,
    paint.opacity,
  );
  const jaw = along(middle, forward, 0.026 * k);
  list.push(
    along(jaw, up, 0.01 * k),
    along(jaw, up, -0.014 * k),
    along(jaw, up, -0.034 * k),
    along(jaw, up, -0.052 * k),
    times([0.06, 0.059, 0.054, 0.046], k),
    times([0.064, 0.063, 0.059, 0.05], k),
    side,
    side,
    paint.skin,
    paint.opacity,
  );
  const nose = along(along(middle, up, -0.014 * k), forward, 0.087 * k);
  list.limb(
    along(nose, up, 0.028 * k),
    add(nose, add(scale(up, -0.012 * k), scale(forward, 0.01 * k))),
    times([0.005, 0.008, 0.0105, 0.011], k),
    side,
    paint.skin,
    paint.opacity,
  );
  for (const sign of [1, -1]) {
    const ear = along(along(middle, side, 0.073 * k * sign), up, -0.01 * k);
    list.limb(
      along(ear, up, -0.022 * k),
      along(ear, up, 0.022 * k),
      times([0.009, 0.012, 0.017, 0.015], k),
      forward,
      paint.skin,
      paint.opacity,
      0.5,
    );
  }
}

function arm(list: TubeList, side: Record<SideRole, number>, f: Frame, neckBase: Vec, paint: BodyPaint): void {
  const { k } = f;
  const shoulder = f.at(side.shoulder);
  const elbow = f.at(side.elbow);
  const wrist = f.at(side.wrist);
  const outward = unit(sub(shoulder, neckBase), f.chestSide);
  // Shoulder slope: from the neck to the cap of the upper arm.
  list.push(
    along(neckBase, f.up, 0.012 * k),
    along(mix(neckBase, shoulder, 0.34), f.up, 0.004 * k),
    mix(neckBase, shoulder, 0.7),
    along(shoulder, outward, -0.005 * k),
    times([0.05, 0.054, 0.056, 0.053], k),
    times([0.05, 0.064, 0.066, 0.058], k),
    f.up,
    f.up,
    paint.cloth,
    paint.opacity,
  );
  const upper = unit(sub(elbow, shoulder), scale(f.up, -1));
  list.limb(
    along(shoulder, upper, 0.004 * k),
    elbow,
    times([0.055, 0.052, 0.043, 0.037], k),
    square(f.forward, upper),
    paint.cloth,
    paint.opacity,
    0.94,
  );
  const lower = unit(sub(wrist, elbow), upper);
  const thumbward = square(f.forward, lower, f.up);
  list.limb(elbow, wrist, times([0.037, 0.043, 0.034, 0.026], k), thumbward, paint.skin, paint.opacity, 0.88);
  // Fingers were seldom captured: a mitten along the hand, thumb to the front.
  const toEnd = side.handEnd >= 0 ? sub(f.at(side.handEnd), wrist) : ([0, 0, 0] as Vec);
  const direction = length(toEnd) > 0.05 * k ? unit(toEnd, lower) : lower;
  const tip = along(wrist, unit(mix(lower, direction, 0.7), lower), 0.152 * k);
  list.push(
    along(wrist, lower, -0.005 * k),
    mix(wrist, tip, 0.36),
    mix(wrist, tip, 0.66),
    tip,
    times([0.025, 0.041, 0.04, 0.023], k),
    times([0.021, 0.02, 0.017, 0.011], k),
    thumbward,
    thumbward,
    paint.skin,
    paint.opacity,
  );
  const thumb = along(mix(wrist, tip, 0.22), thumbward, 0.025 * k);
  list.limb(
    thumb,
    add(thumb, add(scale(lower, 0.052 * k), scale(thumbward, 0.024 * k))),
    times([0.015, 0.014, 0.012, 0.009], k),
    thumbward,
    paint.skin,
    paint.opacity,
  );
}

function leg(list: TubeList, side: Record<SideRole, number>, f: Frame, hips: Vec, paint: BodyPaint): void {
  const { k } = f;
  const hip = f.at(side.hip);
  const knee = f.at(side.knee);
  const ankle = f.at(side.ankle);
  const outward = unit(sub(hip, hips), f.hipSide);
  const thigh = unit(sub(knee, hip), [0, -1, 0]);
  const shin = unit(sub(ankle, knee), thigh);
  const ahead = legForward(side, f, ankle, shin);
  const across = square(cross(shin, ahead), thigh, f.hipSide);
  const top = along(along(hip, outward, 0.012 * k), thigh, -0.02 * k);
  list.push(
    top,
    along(mix(top, knee, 0.34), ahead, 0.012 * k),
    mix(top, knee, 0.68),
    knee,
    times([0.082, 0.085, 0.066, 0.053], k),
    times([0.094, 0.092, 0.069, 0.055], k),
    across,
    across,
    paint.legs,
    paint.opacity,
  );
  // The calf bulges backwards, the shin bone in front is straight.
  list.push(
    knee,
    along(mix(knee, ankle, 0.3), ahead, -0.014 * k),
    along(mix(knee, ankle, 0.66), ahead, -0.006 * k),
    along(ankle, shin, 0.01 * k),
    times([0.051, 0.055, 0.042, 0.033], k),
    times([0.053, 0.06, 0.045, 0.037], k),
    across,
    across,
    paint.legs,
    paint.opacity,
  );
  foot(list, side, f, ankle, shin, ahead, paint);
}

/** Where the toes point, at right angles to the shin. */
function legForward(side: Record<SideRole, number>, f: Frame, ankle: Vec, shin: Vec): Vec {
  const toe = side.ball >= 0 ? side.ball : side.toeEnd;
  const pointed = toe >= 0 ? square(sub(f.at(toe), ankle), shin, f.forward) : f.forward;
  return square(add(pointed, scale(f.forward, 0.25)), shin, f.forward);
}

function foot(
  list: TubeList,
  side: Record<SideRole, number>,
  f: Frame,
  ankle: Vec,
  shin: Vec,
  ahead: Vec,
  paint: BodyPaint,
): void {
  const { k } = f;
  const toe = side.ball >= 0 ? side.ball : side.toeEnd;
  const reach = toe >= 0 ? sub(f.at(toe), ankle) : add(scale(ahead, 0.12 * k), scale(shin, 0.04 * k));
  const run = length(reach) > 0.03 * k ? reach : add(scale(ahead, 0.12 * k), scale(shin, 0.04 * k));
  const slant = unit(run);
  const across = square(cross(shin, ahead), slant, f.hipSide);
  // The ankle is higher over the sole than the ball of the foot: turning the slanted line up by that much gives the sole.
  const rise = Math.min(0.8, Math.max(0, (0.045 * k) / Math.max(length(run), 0.06 * k)));
  const upward = cross(across, slant);
  const footUp = unit(
    upward[0] * -shin[0] + upward[1] * -shin[1] + upward[2] * -shin[2] >= 0 ? upward : scale(upward, -1),
  );
  const front = unit(along(slant, footUp, rise / Math.sqrt(1 - Math.min(0.64, rise * rise))), ahead);
  const sole = square(footUp, front);
  const ball = add(ankle, run);
  const heel = along(along(ankle, front, -0.026 * k), sole, -0.042 * k);
  const end = side.toeEnd >= 0 && side.toeEnd !== toe ? f.at(side.toeEnd) : along(ball, front, 0.065 * k);
  const tip = along(ball, length(sub(end, ball)) > 0.02 * k ? unit(sub(end, ball)) : front, 0.06 * k);
  // The middle line rises as the shoe gets thicker, which keeps the sole flat.
  list.push(
    heel,
    along(mix(heel, ball, 0.46), sole, 0.012 * k),
    ball,
    along(tip, sole, -0.004 * k),
    times([0.031, 0.035, 0.045, 0.034], k),
    times([0.033, 0.041, 0.028, 0.018], k),
    across,
    across,
    paint.shoes,
    paint.opacity,
  );
  // Shaft from the ankle into the shoe.
  list.limb(
    along(ankle, shin, -0.03 * k),
    along(along(ankle, shin, 0.03 * k), front, 0.01 * k),
    times([0.035, 0.036, 0.037, 0.034], k),
    across,
    paint.shoes,
    paint.opacity,
  );
}
