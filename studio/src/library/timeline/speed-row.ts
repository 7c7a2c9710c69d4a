/** The row under the ruler: speed as a curve, and its value at the playhead. */
import { h } from "../../ui/h";
import { drawSpeed } from "./speed-canvas";

const HEIGHT = 30;

export class SpeedRow {
  private readonly value = h("span.tl-speed-now");
  private readonly canvas = h("canvas.tl-speed", {
    role: "img",
    "aria-label": "How fast the clip moves over the floor",
  });
  readonly element = h(
    "div.tl-speed-row",
    null,
    h("div.tl-head", null, h("span.muted", null, "Speed"), h("span.spacer"), this.value),
    this.canvas,
  );

  /** `speed` is null where the motion is too long to have it all. */
  constructor(private readonly speed: Float32Array | null) {
    this.element.hidden = speed === null;
  }

  draw(from: number, pixelsPerFrame: number, width: number): void {
    if (this.speed) drawSpeed(this.canvas, { speed: this.speed, from, pixelsPerFrame, width, height: HEIGHT });
  }

  showAt(frame: number): void {
    const value = this.speed?.[Math.min(this.speed.length - 1, Math.max(0, Math.round(frame)))];
    if (value !== undefined) this.value.textContent = `${value.toFixed(1)} m/s`;
  }
}
