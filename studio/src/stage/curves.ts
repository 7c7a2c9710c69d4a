/** Curves of a whole motion: where it goes, and how fast. */
import type { MotionChunk } from "../api/motion";
import type { Point } from "../api/types";

/**
 * The root's way on the floor, averaged over `smooth_s` before and after (hips sway at every step), a point every
 * `step` metres at least: a standing person is one point.
 */
export function rootWay(chunk: MotionChunk, step = 0.03, smooth_s = 0.2): Point[] {
  const way: Point[] = [];
  const { count, rate_hz } = chunk.header;
  const half = Math.round(smooth_s * rate_hz);
  for (let k = 0; k < count; k++) {
    // Windows get shorter at the ends on both sides, so that the way begins and ends where the motion does.
    const reach = Math.min(half, k, count - 1 - k);
    let x = 0;
    let z = 0;
    for (let j = k - reach; j <= k + reach; j++) {
      x += chunk.roots[j * 3]!;
      z += chunk.roots[j * 3 + 2]!;
    }
    const at: Point = [x / (2 * reach + 1), z / (2 * reach + 1)];
    const last = way.at(-1);
    if (!last || Math.hypot(at[0] - last[0], at[1] - last[1]) >= step) way.push(at);
  }
  return way;
}

/**
 * Speed of the root over the floor in m/s, one value per frame: distance over a window of `window_s` around the frame,
 * divided by the window's length. Short enough to follow a start, long enough to even out the steps.
 */
export function speedCurve(chunk: MotionChunk, window_s = 0.25): Float32Array {
  const { count, rate_hz } = chunk.header;
  const half = Math.max(1, Math.round((window_s * rate_hz) / 2));
  const speed = new Float32Array(count);
  for (let k = 0; k < count; k++) {
    const a = Math.max(0, k - half);
    const b = Math.min(count - 1, k + half);
    if (b === a) continue;
    const dx = chunk.roots[b * 3]! - chunk.roots[a * 3]!;
    const dz = chunk.roots[b * 3 + 2]! - chunk.roots[a * 3 + 2]!;
    speed[k] = (Math.hypot(dx, dz) * rate_hz) / (b - a);
  }
  return speed;
}
