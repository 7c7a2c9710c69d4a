/** From where a transition is looked at, and where its motions stand beside each other. */
import type { MotionChunk } from "../api/motion";
import type { Point } from "../api/types";
import type { Vec } from "../stage/vec";

/** Somebody who goes less far than this in the whole motion goes nowhere, metres. */
const STANDS_M = 0.3;
/** Angle between where somebody goes and where the camera is, seen from them: their steps are seen, and their front. */
const ASIDE_RAD = (55 * Math.PI) / 180;
/** Height of the camera over the floor, of its distance. */
const RISE = 0.3;
/** From one to the next side by side, of the height of the hips. */
const LANE = 1.15;

/** Where the root goes around the transition, on the floor; nothing where it goes nowhere. */
export function travel({ header, roots }: MotionChunk): Point | null {
  const middle = (header.transitions[0]?.t ?? header.count / header.rate_hz / 2) * header.rate_hz;
  const frame = (k: number) => Math.max(0, Math.min(header.count - 1, Math.round(k))) * 3;
  // A second to both sides: hips sway at every step.
  const [a, b] = [frame(middle - header.rate_hz), frame(middle + header.rate_hz)];
  const way: Point = [(roots[b] ?? 0) - (roots[a] ?? 0), (roots[b + 2] ?? 0) - (roots[a + 2] ?? 0)];
  const far = Math.hypot(...way);
  return far > STANDS_M ? [way[0] / far, way[1] / far] : null;
}

/** Direction from the motion to the camera. */
export function facing(motion: MotionChunk): Vec {
  const way = travel(motion) ?? [0, 1];
  const [c, s] = [Math.cos(ASIDE_RAD), Math.sin(ASIDE_RAD)];
  return [c * way[0] + s * way[1], RISE, -s * way[0] + c * way[1]];
}

/** From who takes the transition to the motion entered, side by side: across the way, to the right as the camera sees it. */
export function laneOffset(motion: MotionChunk): Point {
  const { header, roots } = motion;
  let hips = 0;
  for (let k = 0; k < header.count; k++) hips = Math.max(hips, (roots[k * 3 + 1] ?? 0) - header.floor_m);
  const way = travel(motion) ?? [0, 1];
  const wide = LANE * Math.max(hips, 0.2);
  // Of the two directions across the way, the one that points to the right of the picture.
  const across: Point = [way[1], -way[0]];
  const [x, , z] = facing(motion);
  const right: Point = [z, -x];
  const sign = across[0] * right[0] + across[1] * right[1] >= 0 ? 1 : -1;
  return [sign * wide * across[0], sign * wide * across[1]];
}
