/**
 * Fewer pixels while playing on a machine that cannot keep up, all of them again when the picture stands still.
 * A smooth movement in a softer picture shows more of a motion than sharp frames that jump.
 */
const STEPS = [1, 0.75, 0.5] as const;
/** Slower than this on average (about 24 frames a second) goes one step down. */
const SLOW_S = 1 / 24;
/** Faster than this goes up again; far from the other bound, so that it does not swing. */
const FAST_S = 1 / 52;
/** Judged after so many frames, or after so long where each takes very long. */
const FRAMES = 12;
const LONG_S = 0.5;

export class Quality {
  private step = 0;
  private sum = 0;
  private count = 0;
  private calm = 0;
  /** Up again is tried less and less often after it has failed. */
  private patience = 1;

  /** Part of the full resolution. */
  get scale(): number {
    return STEPS[this.step]!;
  }

  /** Notes the time between two drawn frames; true when the scale changed. */
  note(dt: number): boolean {
    if (dt <= 0 || dt > 2) return false;
    this.sum += dt;
    this.count += 1;
    if (this.count < FRAMES && this.sum < LONG_S) return false;
    const mean = this.sum / this.count;
    this.sum = this.count = 0;
    if (mean > SLOW_S && this.step < STEPS.length - 1) {
      this.step += 1;
      this.patience = Math.min(64, this.patience * 2);
      this.calm = 0;
      return true;
    }
    if (mean < FAST_S && this.step > 0 && ++this.calm >= this.patience) {
      this.step -= 1;
      this.calm = 0;
      return true;
    }
    return false;
  }
}
