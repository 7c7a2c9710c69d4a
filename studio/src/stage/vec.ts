/** Small vectors for code that runs for every joint of every frame. */
export type Vec = [number, number, number];

export const add = (a: Vec, b: Vec): Vec => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a: Vec, b: Vec): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a: Vec, s: number): Vec => [a[0] * s, a[1] * s, a[2] * s];
/** a + b·s */
export const along = (a: Vec, b: Vec, s: number): Vec => [a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s];
export const mix = (a: Vec, b: Vec, t: number): Vec => [
  a[0] + (b[0] - a[0]) * t,
  a[1] + (b[1] - a[1]) * t,
  a[2] + (b[2] - a[2]) * t,
];
const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vec, b: Vec): Vec => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const length = (a: Vec): number => Math.hypot(a[0], a[1], a[2]);

/** `otherwise` where the vector has no length. */
export function unit(a: Vec, otherwise: Vec = [0, 1, 0]): Vec {
  const size = length(a);
  return size > 1e-6 ? scale(a, 1 / size) : otherwise;
}

/** The part of `a` at right angles to the unit vector `axis`, made a unit. */
export function square(a: Vec, axis: Vec, otherwise: Vec = [1, 0, 0]): Vec {
  return unit(along(a, axis, -dot(a, axis)), otherwise);
}

export function pointAt(points: Float32Array, joint: number): Vec {
  return [points[joint * 3]!, points[joint * 3 + 1]!, points[joint * 3 + 2]!];
}
