/** Frames and pixels of a timeline: how wide a frame is, and which frame lies where. Free of the screen but for two widths. */

export class TimeScale {
  private factor = 1;
  frames = 1;

  /** `room` tells how many pixels there are for the whole at zoom 1. */
  constructor(private readonly room: () => number) {}

  get zoom(): number {
    return this.factor;
  }

  /** Pixels of the part that is seen. */
  get seen(): number {
    return Math.max(60, this.room());
  }

  get pixelsPerFrame(): number {
    return (this.seen * this.factor) / this.frames;
  }

  pixelOf(frame: number): number {
    return frame * this.pixelsPerFrame;
  }

  frameAt(pixel: number): number {
    return pixel / this.pixelsPerFrame;
  }

  /** No further in than twenty frames, no further out than all. */
  zoomBy(factor: number): void {
    const most = Math.max(1, this.frames / 20);
    this.factor = Math.min(most, Math.max(1, this.factor * factor));
  }
}
