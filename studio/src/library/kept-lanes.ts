/** When each foot stands, on one line of time with the player: drag along it to move through time. */
import { h, replaceChildren } from "../ui/h";
import type { Stage } from "../stage";
import type { KeptLane } from "./character-model";
import { spanWords } from "./character-model";

/** More is left than anybody would see: the bar is marked. */
const POOR_MM = 1;

export interface ChangedLane {
  title: string;
  /** A class of its bars. */
  kind: string;
  spans: readonly { start_s: number; end_s: number; title: string }[];
  /** Moments that were asked for. */
  ticks: readonly { at_s: number; title: string }[];
}

export class KeptLanes {
  readonly element = h("div.kept-lanes", { role: "group", "aria-label": "What is kept" });
  private readonly cursor = h("div.kept-cursor", { "aria-hidden": "true" });
  private readonly rows = h("div.kept-rows");
  private duration = 1;

  constructor(private readonly stage: Stage) {
    const { clock } = stage;
    this.element.append(this.rows, this.cursor);
    clock.listen(() => this.place());
    this.rows.addEventListener("pointerdown", (event) => {
      if (!(event.target instanceof HTMLElement) || !event.target.closest(".kept-track")) return;
      this.rows.setPointerCapture(event.pointerId);
      this.seek(event);
    });
    this.rows.addEventListener("pointermove", (event) => {
      if (this.rows.hasPointerCapture(event.pointerId)) this.seek(event);
    });
  }

  show(lanes: readonly KeptLane[], changed: readonly ChangedLane[] = []): void {
    this.duration = this.stage.clock.duration || 1;
    const at = (seconds: number) => `${(100 * seconds) / this.duration}%`;
    const bar = (kind: string, start: number, end: number, title: string) =>
      h("span.kept-bar", { class: kind, title, style: { left: at(start), width: at(end - start) } });
    const row = (title: string, bars: HTMLElement[]) =>
      h("div.kept-lane", null, h("span.kept-name", null, title), h("div.kept-track", null, bars));
    replaceChildren(
      this.rows,
      lanes.map((lane) =>
        row(
          lane.title,
          lane.spans.map((span) =>
            bar(
              `${lane.name.startsWith("left") ? "left" : "right"}${span.left_mm > POOR_MM ? " poor" : ""}`,
              span.start_s,
              span.end_s,
              spanWords(lane.title, span),
            ),
          ),
        ),
      ),
      changed.map(({ title, kind, spans, ticks }) =>
        row(title, [
          ...spans.map((span) => bar(`changed ${kind}`, span.start_s, span.end_s, span.title)),
          ...ticks.map((tick) => h("span.kept-tick", { title: tick.title, style: { left: at(tick.at_s) } })),
        ]),
      ),
    );
    this.cursor.hidden = lanes.length + changed.length === 0;
    this.element.hidden = this.cursor.hidden;
    this.place();
  }

  private seek(event: PointerEvent): void {
    const track = this.rows.querySelector(".kept-track");
    if (!track) return;
    const box = track.getBoundingClientRect();
    const part = (event.clientX - box.left) / Math.max(1, box.width);
    this.stage.clock.seek(Math.min(1, Math.max(0, part)) * this.duration);
  }

  private place(): void {
    this.cursor.style.setProperty("--part", String(this.stage.clock.time / this.duration));
  }
}
