/** The playhead over all lanes, and the part that is played in a loop. */
import type { PlaybackClock } from "../../stage";
import { h } from "../../ui/h";

export class Playhead {
  readonly line = h("div.tl-cursor");
  readonly range = h("div.tl-range", { hidden: true });

  constructor(
    private readonly clock: PlaybackClock,
    private readonly rate_hz: number,
  ) {}

  get frame(): number {
    return this.clock.time * this.rate_hz;
  }

  /** `left`: where the tracks begin; `scrolled`: pixels of them that are out of sight. */
  place(left: number, scrolled: number, pixelsPerFrame: number): void {
    const at = this.frame * pixelsPerFrame;
    this.line.style.transform = `translateX(${left + at}px)`;
    this.line.hidden = at < scrolled - 1; // would lie over the lane heads
    const { range } = this.clock;
    this.range.hidden = range === null;
    if (!range) return;
    this.range.style.left = `${left + range.from * this.rate_hz * pixelsPerFrame}px`;
    this.range.style.width = `${(range.to - range.from) * this.rate_hz * pixelsPerFrame}px`;
  }
}
