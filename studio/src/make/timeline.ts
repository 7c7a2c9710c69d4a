/**
 * The result's time: a strip on which a part is selected, labels as coloured bands, transitions with their distance, stretches off the
 * path, the cursor. Dragging on the strip selects, dragging anywhere else moves through time.
 */
import type { App } from "../app";
import type { ResultMember } from "../api/types";
import { kindText, lengthText } from "../graph/transition-words";
import { pageWords } from "../ui/page-words";
import { palette } from "../plot/palette";
import { Surface } from "../plot/surface";
import type { Stage } from "../stage";
import { Disposer } from "../ui/signal";
import { toast } from "../ui/toast";
import type { Desk } from "./desk";
import { nearestOf, placeInGraph, worstOf } from "./inspect";
import { labelsAt } from "./label-rows";
import { offStretches, reasonsOf } from "./remedies";
import { interpolationsOf, transitionsOf, type ShownInterpolation, type ShownTransition } from "./report";
import { PAD, STRIP_H, drawTimeline, onMadeStrip } from "./timeline-draw";
import { following, nextMark, pannedTime, wholeOf, zoomedTime, type TimeView } from "./time-view";

/** Pixels about an end of the selected part that count as on it. */
const GRIP_PX = 8;

type Drag = { readonly kind: "scrub" } | { readonly kind: "range"; readonly anchor: number; moved: boolean };

export class Timeline {
  readonly surface: Surface;
  private readonly stops = new Disposer();
  private drag: Drag | null = null;
  private view: TimeView = wholeOf(0.001);

  constructor(
    private readonly app: App,
    private readonly desk: Desk,
    private readonly stage: Stage,
    private readonly onHover: (text: string) => void,
  ) {
    this.surface = new Surface(
      {
        tabIndex: 0,
        role: "slider",
        class: "timeline",
        "aria-label":
          "Time of the result. Arrow keys move, Shift with arrow keys selects a part, N and P go to the next and previous transition, W to the worst, I opens the one at this time in the graph, plus and minus zoom.",
        "aria-valuemin": "0",
      },
      (c, w, h) => this.draw(c, w, h),
    );
    const redraw = () => this.surface.invalidate();
    this.stops.add(
      desk.result.listen(() => this.showAll()),
      desk.member.listen(redraw),
      desk.range.listen(redraw),
      app.theme.listen(redraw),
      stage.clock.listen(() => this.follow()),
      () => this.surface.dispose(),
    );
    this.listen(this.surface.element);
  }

  dispose(): void {
    this.stops.dispose();
  }

  private get member(): ResultMember | null {
    return this.desk.result.value?.members[this.desk.member.value] ?? null;
  }

  /** When the chosen one sets out: people of a crowd do not all start at once. */
  private get start(): number {
    return this.member?.start_s ?? 0;
  }

  private get seconds(): number {
    return Math.max(0.001, this.stage.clock.duration, (this.member?.seconds ?? 0) + this.start);
  }

  /** All of it. */
  showAll(): void {
    this.view = wholeOf(this.seconds);
    this.shownSeconds = this.seconds;
    this.surface.invalidate();
  }

  zoom(factor: number, about = this.stage.clock.time): void {
    this.view = zoomedTime(this.shown, factor, about, this.seconds);
    this.surface.invalidate();
  }

  /** To the next transition, or the one before. */
  jump(step: 1 | -1): void {
    const to = nextMark(
      this.marks().map((m) => m.t),
      this.stage.clock.time,
      step,
    );
    if (to !== null) this.stopAt(to);
  }

  /** To the transition whose two motions are furthest apart. */
  toWorst(): void {
    const worst = worstOf(this.marks());
    if (worst) this.stopAt(worst.t);
  }

  /** The transition at this time, or the nearest, as the graph has it: both motions, the threshold, and why. */
  inspect(): void {
    const mark = nearestOf(this.marks(), this.stage.clock.time);
    const { clips, project } = this.app;
    const own = (clips.value ?? []).filter((clip) => clip.in_graph);
    const place = mark && placeInGraph(mark, own, project.value?.graph?.working_rate_hz ?? 0);
    if (place) {
      const { a, b, i, j } = place;
      this.app.go("graph", { tab: "distances", a, b, i: String(i), j: String(j) });
    } else if (mark && this.made().some((m) => mark.end >= m.start && mark.start <= m.end))
      toast(
        "This leads through interpolated motion, which has no place of its own among the distances of captured clips.",
      );
    else if (mark)
      toast(`${mark.from} → ${mark.to} is not among the clips of the graph as it is now, so it cannot be shown there.`);
    else toast("This motion has no transition: it plays one clip.");
  }

  private stopAt(t: number): void {
    this.stage.clock.pause();
    this.stage.clock.seek(t);
  }

  private shownSeconds = 0;

  /** What is shown; all of a motion whose length has just become known. */
  private get shown(): TimeView {
    if (this.shownSeconds !== this.seconds) {
      this.shownSeconds = this.seconds;
      this.view = wholeOf(this.seconds);
    }
    return this.view;
  }

  private follow(): void {
    if (this.drag === null) this.view = following(this.shown, this.stage.clock.time, this.seconds);
    const { element } = this.surface;
    element.setAttribute("aria-valuemax", this.seconds.toFixed(2));
    element.setAttribute("aria-valuenow", this.stage.clock.time.toFixed(2));
    const made = this.made().find((m) => this.stage.clock.time >= m.start && this.stage.clock.time < m.end);
    const playing = made ? `, interpolated ${made.words}` : "";
    element.setAttribute("aria-valuetext", `${this.stage.clock.time.toFixed(2)} seconds${playing}`);
    this.surface.invalidate();
  }

  private x(t: number): number {
    const { from, to } = this.shown;
    return PAD + ((t - from) / (to - from)) * (this.surface.width - 2 * PAD);
  }

  private time(x: number): number {
    const { from, to } = this.shown;
    const t = from + ((x - PAD) / (this.surface.width - 2 * PAD)) * (to - from);
    return Math.max(0, Math.min(this.seconds, t));
  }

  private listen(canvas: HTMLCanvasElement): void {
    canvas.addEventListener("pointerdown", (e) => {
      canvas.setPointerCapture(e.pointerId);
      const [x, y] = this.surface.place(e);
      this.drag = this.begin(x, y);
      if (this.drag.kind === "scrub") {
        this.stage.clock.pause();
        this.stage.clock.seek(this.time(x));
      }
    });
    canvas.addEventListener("pointermove", (e) => {
      const [x, y] = this.surface.place(e);
      const t = this.time(x);
      if (!this.drag) {
        canvas.dataset["over"] = this.gripAt(x) !== null && y < STRIP_H + 4 ? "grip" : y < STRIP_H ? "strip" : "";
        return this.onHover(this.tell(x, y, t));
      }
      if (this.drag.kind === "scrub") return this.stage.clock.seek(t);
      this.drag.moved ||= Math.abs(this.x(this.drag.anchor) - x) > 5;
      if (this.drag.moved) this.select(this.drag.anchor, t);
    });
    const end = () => {
      // A click on the strip lets go of what is selected.
      if (this.drag?.kind === "range" && !this.drag.moved) this.desk.range.value = null;
      this.drag = null;
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
    canvas.addEventListener("pointerleave", () => this.onHover(""));
    canvas.addEventListener(
      "wheel",
      (e) => {
        e.preventDefault();
        const { from, to } = this.shown;
        const aside = e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY);
        const by = ((aside ? e.deltaX || e.deltaY : 0) / this.surface.width) * (to - from);
        if (aside) this.view = pannedTime(this.shown, by, this.seconds);
        else this.zoom(Math.exp(e.deltaY * 0.0015), this.time(this.surface.place(e)[0]));
        this.surface.invalidate();
      },
      { passive: false },
    );
    canvas.addEventListener("keydown", (e) => this.key(e));
  }

  /** An end of the selected part is taken by itself; elsewhere on the strip a new part begins. */
  private begin(x: number, y: number): Drag {
    const range = this.desk.range.value;
    const grip = y < STRIP_H + 4 ? this.gripAt(x) : null;
    if (grip && range) return { kind: "range", anchor: grip === "from" ? range.to : range.from, moved: true };
    if (y < STRIP_H) return { kind: "range", anchor: this.time(x), moved: false };
    return { kind: "scrub" };
  }

  private gripAt(x: number): "from" | "to" | null {
    const range = this.desk.range.value;
    if (!range) return null;
    if (Math.abs(this.x(range.from) - x) < GRIP_PX) return "from";
    return Math.abs(this.x(range.to) - x) < GRIP_PX ? "to" : null;
  }

  private select(a: number, b: number): void {
    this.desk.range.value = Math.abs(a - b) > 0.05 ? { from: Math.min(a, b), to: Math.max(a, b) } : null;
  }

  private key(event: KeyboardEvent): void {
    const { clock } = this.stage;
    if (!event.ctrlKey && !event.metaKey && !event.altKey && this.letter(event.key)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const from = clock.time;
    if (event.shiftKey) {
      const to = Math.max(0, Math.min(this.seconds, from + step * 0.25));
      const range = this.desk.range.value;
      // The end that lies at the cursor moves; the other holds.
      const anchor = range ? (Math.abs(range.from - from) < Math.abs(range.to - from) ? range.to : range.from) : from;
      this.select(anchor, to);
      clock.seek(to);
    } else clock.step(step);
    event.preventDefault();
    event.stopPropagation();
  }

  private letter(key: string): boolean {
    if (key === "n") this.jump(1);
    else if (key === "p") this.jump(-1);
    else if (key === "w") this.toWorst();
    else if (key === "i") this.inspect();
    else if (key === "+" || key === "=") this.zoom(0.7);
    else if (key === "-") this.zoom(1 / 0.7);
    else if (key === "0") this.showAll();
    else return false;
    return true;
  }

  private marks(): ShownTransition[] {
    const { member, start } = this;
    return member ? transitionsOf(member, start) : [];
  }

  private made(): ShownInterpolation[] {
    const { member, start } = this;
    return member ? interpolationsOf(member, start) : [];
  }

  private tell(x: number, y: number, t: number): string {
    if (y < STRIP_H) return "Drag here to select a part to solve again";
    const at = t - this.start;
    const off = this.off().find((o) => at >= o.from && at <= o.to);
    if (off) return `${t.toFixed(2)} s: ${pageWords(off.words)}`;
    const made = this.made().find((m) => t >= m.start && t < m.end);
    if (made && onMadeStrip(y)) return `${t.toFixed(2)} s: interpolated ${made.words}`;
    const apart = (m: ShownTransition) => Math.abs(this.x(m.t) - x);
    const [near] = this.marks().sort((p, q) => apart(p) - apart(q));
    if (near && apart(near) < 6) {
      const how = kindText(near.kind, near.end - near.start);
      return `${near.t.toFixed(2)} s: ${how}, ${lengthText(near.distance_cm)}, ${near.from} → ${near.to}`;
    }
    const labels = labelsAt(this.member?.labels ?? [], t - this.start);
    const told = [...labels, ...(made ? [`interpolated ${made.words}`] : [])];
    return told.length > 0 ? `${t.toFixed(2)} s: ${told.join(", ")}` : `${t.toFixed(2)} s`;
  }

  /** When the motion is off its path, seconds of its own, and in which words. */
  private off(): { from: number; to: number; words: string }[] {
    const { member } = this;
    if (!member) return [];
    const words = reasonsOf(member.report).find((r) => r.what === "path")?.words ?? "off the path";
    return offStretches(member.report).flatMap(({ from_s, to_s }) =>
      from_s === null || to_s === null ? [] : [{ from: from_s, to: to_s, words }],
    );
  }

  private draw(c: CanvasRenderingContext2D, width: number, height: number): void {
    drawTimeline(c, {
      width,
      height,
      x: (t) => this.x(t),
      view: this.shown,
      colours: palette(this.app.theme.value),
      spans: this.member?.labels ?? [],
      start: this.start,
      off: this.off(),
      marks: this.marks(),
      made: this.made(),
      range: this.desk.range.value,
      now: this.stage.clock.time,
    });
  }
}
