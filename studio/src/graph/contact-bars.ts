/** When the feet of the two motions of a transition stand, one bar per foot, under a play head. */
import type { MotionChunk } from "../api/motion";
import { feetOf, stands, type PlaybackClock, type Span } from "../stage";
import { clockTime } from "../ui/format";
import { h, replaceChildren } from "../ui/h";

export interface BarMotion {
  readonly name: string;
  readonly colour: string;
  readonly motion: MotionChunk;
}

export class ContactBars {
  readonly element = h("div.contact-bars", { hidden: true });
  private readonly head = h("span.contact-head", { "aria-hidden": "true" });

  constructor(private readonly clock: PlaybackClock) {
    clock.listen(() => this.moveHead());
    // For the mouse alone: the bar above is the same clock, and takes keys.
    this.element.addEventListener("pointerdown", (event) => this.seek(event));
    this.element.addEventListener("pointermove", (event) => event.buttons > 0 && this.seek(event));
  }

  /** `window` is when the transition lasts. */
  show(motions: readonly BarMotion[], window: Span | null): void {
    const feet = motions.flatMap(({ name, colour, motion }) =>
      feetOf(motion.header).map((foot) => ({ name, colour, side: foot.side, spans: stands(motion, foot) })),
    );
    this.element.hidden = feet.length === 0;
    const length = Math.max(1e-9, ...motions.map(({ motion: { header } }) => (header.count - 1) / header.rate_hz));
    const place = ({ start_s, end_s }: Span) => ({
      left: `${(100 * start_s) / length}%`,
      width: `${(100 * Math.max(0, Math.min(end_s, length) - start_s)) / length}%`,
    });
    replaceChildren(
      this.element,
      window && h("span.contact-window", { style: place(window), "aria-hidden": "true" }),
      feet.map(({ name, colour, side, spans }) =>
        h(
          "div.contact-bar",
          { role: "img", "aria-label": `${footText(name, side)}: ${spansText(spans)}` },
          spans.map((span) => h("span.contact-span", { style: { ...place(span), background: colour } })),
          h("span.contact-name", null, footText(name, side)),
        ),
      ),
      this.head,
    );
    this.moveHead();
  }

  private seek(event: PointerEvent): void {
    const box = this.element.getBoundingClientRect();
    this.clock.seek(((event.clientX - box.left) / Math.max(1, box.width)) * this.clock.duration);
  }

  private moveHead(): void {
    this.head.style.left = `${(100 * this.clock.time) / (this.clock.duration || 1)}%`;
  }
}

function footText(name: string, side: "left" | "right" | "other"): string {
  return `${name}: ${side === "other" ? "feet" : `${side} foot`}`;
}

/** When something stands, in words. */
export function spansText(spans: readonly Span[]): string {
  if (spans.length === 0) return "never on the ground";
  const parts = spans.map(({ start_s, end_s }) => `${clockTime(start_s)} to ${clockTime(end_s)}`);
  return `on the ground ${parts.join(", ")}`;
}
