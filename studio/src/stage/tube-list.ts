/**
 * Everything a character is made of is a tube: a curve through four points with an elliptic cross-section that
 * varies along it, closed by round caps. Thighs, heads, shoes, bones of a stick figure and single dots are all
 * tubes, so that a whole crowd is one list of numbers and one draw call.
 */
import { along, type Vec } from "./vec";

/** Floats per tube: p0 p1 p2 p3 (12), wide (4), deep (4), sideA + lit (4), sideB + spare (4), tint (4). */
export const STRIDE = 32;

export type Four = readonly [number, number, number, number];
export type Rgb = readonly [number, number, number];

export class TubeList {
  data: Float32Array;
  count = 0;

  constructor(capacity = 64) {
    this.data = new Float32Array(capacity * STRIDE);
  }

  clear(): void {
    this.count = 0;
  }

  /**
   * Radii at the four points: `wide` along the side vector, `deep` across it. `sideA` and `sideB` are the wide
   * directions at both ends. `lit` 0 gives a flat colour.
   */
  push(
    p0: Vec,
    p1: Vec,
    p2: Vec,
    p3: Vec,
    wide: Four,
    deep: Four,
    sideA: Vec,
    sideB: Vec,
    tint: Rgb,
    opacity = 1,
    lit = 1,
  ): void {
    if ((this.count + 1) * STRIDE > this.data.length) this.grow();
    const { data } = this;
    let at = this.count * STRIDE;
    for (const p of [p0, p1, p2, p3]) {
      data[at++] = p[0];
      data[at++] = p[1];
      data[at++] = p[2];
    }
    for (let k = 0; k < 4; k++) data[at++] = wide[k]!;
    for (let k = 0; k < 4; k++) data[at++] = deep[k]!;
    data[at++] = sideA[0];
    data[at++] = sideA[1];
    data[at++] = sideA[2];
    data[at++] = lit;
    data[at++] = sideB[0];
    data[at++] = sideB[1];
    data[at++] = sideB[2];
    data[at++] = 0;
    data[at++] = tint[0];
    data[at++] = tint[1];
    data[at++] = tint[2];
    data[at] = opacity;
    this.count += 1;
  }

  /** A straight tube; `radii` round, `flat` is deep over wide. */
  limb(a: Vec, b: Vec, radii: Four, side: Vec, tint: Rgb, opacity = 1, flat = 1, lit = 1): void {
    const d: Vec = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    const deep: Four = flat === 1 ? radii : [radii[0] * flat, radii[1] * flat, radii[2] * flat, radii[3] * flat];
    this.push(a, along(a, d, 1 / 3), along(a, d, 2 / 3), b, radii, deep, side, side, tint, opacity, lit);
  }

  ball(at: Vec, radius: number, tint: Rgb, opacity = 1, lit = 1): void {
    // A curve needs a direction: a tube a tenth of a millimetre long is a ball to the eye.
    const top: Vec = [at[0], at[1] + 1e-4, at[2]];
    this.limb(at, top, [radius, radius, radius, radius], [1, 0, 0], tint, opacity, 1, lit);
  }

  private grow(): void {
    const data = new Float32Array(this.data.length * 2);
    data.set(this.data);
    this.data = data;
  }
}
