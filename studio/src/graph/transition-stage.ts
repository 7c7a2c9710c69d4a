/**
 * A transition on the stage: who takes it as a body, the two motions as onion skins over it or as bodies beside it, the feet's
 * ways on the floor. The camera goes with the body.
 */
import type { App } from "../app";
import type { MotionChunk } from "../api/motion";
import type { Point } from "../api/types";
import { ACTOR_COLOURS, Stage, feetOf, playerKey, scrubBar, traceOf, transport, wholeMotion } from "../stage";
import { segmented } from "../ui/controls";
import { h } from "../ui/h";
import { ContactBars } from "./contact-bars";
import { facing, laneOffset } from "./transition-camera";
import { kindText, spanOf } from "./transition-words";

/** Apart from each other and from the character that takes the transition, for colour-blind eyes too. */
export const FROM = ACTOR_COLOURS[3];
export const TO = ACTOR_COLOURS[1];
const TAKEN = ACTOR_COLOURS[2];

/** At its outline; within it a skin is fainter (`shaders.ts`). */
const SKIN_OPACITY = 0.85;

/** Over each other, side by side, or who takes the transition alone. */
export type Layout = "over" | "apart" | "alone";

export interface Parts {
  readonly from: MotionChunk;
  readonly to: MotionChunk;
  readonly blend: MotionChunk;
}

const LAYOUTS = [
  { value: "over", label: "Overlaid", title: "Both motions as onion skins over the one that takes the transition" },
  { value: "apart", label: "Side by side", title: "The motion left, the transition, the motion entered" },
  { value: "alone", label: "Alone", title: "Only the one that takes the transition" },
] as const satisfies readonly { value: Layout; label: string; title: string }[];

export class TransitionStage {
  readonly element = h("div.inspector-player", { hidden: true });
  private readonly host = h("div.inspector-stage");
  private readonly choice = segmented<Layout>("How the motions are shown", LAYOUTS, "over", (layout) => {
    this.layout = layout;
    const at = this.made?.stage.clock.time ?? 0;
    this.draw();
    this.made?.stage.clock.seek(at);
  });
  private made: { stage: Stage; scrub: ReturnType<typeof scrubBar>; bars: ContactBars } | null = null;
  private layout: Layout = "over";
  private parts: Parts | null = null;
  private single = false;

  constructor(private readonly app: App) {
    this.element.append(this.host);
  }

  get hidden(): boolean {
    return this.element.hidden !== false;
  }
  set hidden(hidden: boolean) {
    this.element.hidden = hidden;
  }

  key(event: KeyboardEvent): boolean {
    return this.made !== null && !this.hidden && playerKey(this.made.stage, event);
  }

  pause(): void {
    this.made?.stage.clock.pause();
  }

  dispose(): void {
    this.made?.stage.dispose();
  }

  /** Plays a transition; of one whose motions are not known, itself alone. */
  play(parts: Parts | MotionChunk): void {
    this.single = "header" in parts;
    this.parts = "header" in parts ? { from: parts, to: parts, blend: parts } : parts;
    this.hidden = false;
    const { stage, scrub, bars } = this.make();
    this.choice.element.hidden = this.single;
    stage.following.value = true;
    this.draw();
    stage.clock.seek(0);
    const { blend } = this.parts;
    scrub.setMarks(
      blend.header.transitions.map((mark) => {
        const { start, end } = spanOf(mark);
        return { start_s: start, end_s: end, title: kindText(mark.kind, end - start), fades: mark.kind === "cut" };
      }),
    );
    const [mark] = blend.header.transitions;
    const window = mark ? { start_s: spanOf(mark).start, end_s: spanOf(mark).end } : null;
    bars.show(
      this.single
        ? [{ name: "this motion", colour: TAKEN, motion: blend }]
        : [
            { name: "from", colour: FROM, motion: this.parts.from },
            { name: "to", colour: TO, motion: this.parts.to },
          ],
      window,
    );
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) stage.clock.play();
  }

  private draw(): void {
    const { parts } = this;
    if (!parts) return;
    const { stage } = this.make();
    const layout: Layout = this.single ? "alone" : this.layout;
    stage.clear();
    const beside = layout === "apart";
    const lane = laneOffset(parts.blend);
    const sides: readonly [chunk: MotionChunk, colour: string, label: string, aside: Point][] = [
      [parts.from, FROM, "from", beside ? [-lane[0], -lane[1]] : [0, 0]],
      [parts.to, TO, "to", beside ? lane : [0, 0]],
    ];
    if (layout !== "alone")
      for (const [chunk, colour, label, aside] of sides) {
        const look = beside
          ? { label, place: { x: aside[0], z: aside[1], heading_rad: 0 } }
          : { opacity: SKIN_OPACITY };
        stage.add(wholeMotion(chunk), { colour, ...look });
        this.trace(label, chunk, colour, aside);
      }
    stage.lead = stage.add(wholeMotion(parts.blend), beside ? { label: "transition" } : {});
    this.trace("taken", parts.blend, TAKEN, [0, 0]);
    // The stage may have been hidden until now: it is framed when it has its size.
    requestAnimationFrame(() => this.frame());
  }

  /** Lines where the feet go, discs where they stand. */
  private trace(key: string, chunk: MotionChunk, colour: string, aside: Point): void {
    const { scenery } = this.make().stage;
    const main = key === "taken";
    for (const foot of feetOf(chunk.header)) {
      const { way, steps } = traceOf(chunk, foot, aside);
      scenery.setPath(`${key}-${foot.side}`, way, {
        colour,
        width: main ? 0.016 : 0.01,
        opacity: main ? 0.95 : 0.6,
        lift: main ? 0.0012 : 0,
      });
      steps.forEach((at, k) =>
        scenery.setMarker(`${key}-${foot.side}-${k}`, at, { colour, radius: main ? 0.05 : 0.035 }),
      );
    }
  }

  /** As near as all who are on the stage allow at the moment of the transition, from where their steps are seen. */
  private frame(): void {
    const { parts } = this;
    if (!parts || !this.made) return;
    const { stage } = this.made;
    const at = stage.clock.time;
    const [mark] = parts.blend.header.transitions;
    stage.frameAt(mark?.t ?? stage.clock.duration / 2, facing(parts.blend));
    stage.clock.seek(at);
  }

  /** The stage is made when it is first needed: a WebGL context is dear. */
  private make(): NonNullable<TransitionStage["made"]> {
    if (this.made) return this.made;
    const stage = new Stage(this.host, this.app.theme);
    const bars = new ContactBars(stage.clock);
    this.made = { stage, scrub: scrubBar(stage), bars };
    this.element.append(
      this.made.scrub.element,
      bars.element,
      transport(stage, { plain: true }),
      h("div.inspector-layout", null, this.choice.element),
    );
    return this.made;
  }
}
