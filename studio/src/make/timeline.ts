/** The result's time: labels as coloured bands, transitions with their distance, the cursor, a range to solve again. */
import type { App } from "../app";
import type { LabelRow, ResultMember } from "../api/types";
import { heatColour } from "../graph/colormap";
import { ticks } from "../graph/curve-model";
import { kindText } from "../graph/transition-words";
import { font, palette } from "../plot/palette";
import { Surface } from "../plot/surface";
import type { Stage } from "../stage";
import { labelColour } from "../ui/label-colours";
import { Disposer } from "../ui/signal";
import type { Desk } from "./desk";
import { labelRows, labelsAt } from "./label-rows";
import { transitionsOf, type ShownTransition } from "./report";

const PAD = 10;
const BAND_Y = 4;
const BAND_H = 36;
/** More labels at once than this are told on hover only. */
const MOST_ROWS = 3;
const MARK_Y = 44;
const MARK_H = 24;

export class Timeline {
  readonly surface: Surface;
  private readonly stops = new Disposer();
  private drag: { from: number; moved: boolean } | null = null;

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
        "aria-label": "Time of the result. Arrow keys move, Shift with arrow keys selects a range.",
        "aria-valuemin": "0",
      },
      (c, w, h) => this.draw(c, w, h),
    );
    const redraw = () => this.surface.invalidate();
    this.stops.add(
      desk.result.listen(redraw),
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

  private follow(): void {
    const { element } = this.surface;
    element.setAttribute("aria-valuemax", this.seconds.toFixed(2));
    element.setAttribute("aria-valuenow", this.stage.clock.time.toFixed(2));
    element.setAttribute("aria-valuetext", `${this.stage.clock.time.toFixed(2)} seconds`);
    this.surface.invalidate();
  }

  private x(t: number): number {
    return PAD + (t / this.seconds) * (this.surface.width - 2 * PAD);
  }

  private time(x: number): number {
    return Math.max(0, Math.min(this.seconds, ((x - PAD) / (this.surface.width - 2 * PAD)) * this.seconds));
  }

  private listen(canvas: HTMLCanvasElement): void {
    canvas.addEventListener("pointerdown", (e) => {
      canvas.setPointerCapture(e.pointerId);
      this.drag = { from: this.time(this.surface.place(e)[0]), moved: false };
      this.stage.clock.seek(this.drag.from);
    });
    canvas.addEventListener("pointermove", (e) => {
      const [x] = this.surface.place(e);
      const t = this.time(x);
      if (!this.drag) return this.onHover(this.tell(x, t));
      this.drag.moved ||= Math.abs(this.x(this.drag.from) - x) > 5;
      if (!this.drag.moved) return;
      this.select(this.drag.from, t);
      this.stage.clock.seek(t);
    });
    canvas.addEventListener("pointerup", () => {
      if (this.drag && !this.drag.moved) this.desk.range.value = null;
      this.drag = null;
    });
    canvas.addEventListener("pointerleave", () => this.onHover(""));
    canvas.addEventListener("keydown", (e) => this.key(e));
  }

  private select(a: number, b: number): void {
    this.desk.range.value = Math.abs(a - b) > 0.05 ? { from: Math.min(a, b), to: Math.max(a, b) } : null;
  }

  private key(event: KeyboardEvent): void {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const { clock } = this.stage;
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

  private marks(): ShownTransition[] {
    const { member, start } = this;
    return member ? transitionsOf(member, start) : [];
  }

  private tell(x: number, t: number): string {
    const off = (m: ShownTransition) => Math.abs(this.x(m.t) - x);
    const [near] = this.marks().sort((p, q) => off(p) - off(q));
    if (near && off(near) < 6) {
      const how = kindText(near.kind, near.end - near.start);
      return `${near.t.toFixed(2)} s: ${how}, ${near.distance_cm.toFixed(1)} cm, ${near.from} → ${near.to}`;
    }
    const labels = labelsAt(this.member?.labels ?? [], t - this.start);
    return labels.length > 0 ? `${t.toFixed(2)} s: ${labels.join(", ")}` : `${t.toFixed(2)} s`;
  }

  private draw(c: CanvasRenderingContext2D, width: number, height: number): void {
    const { member, start } = this;
    const colours = palette(this.app.theme.value);
    c.textBaseline = "middle";
    c.fillStyle = colours.line;
    c.fillRect(PAD, BAND_Y, width - 2 * PAD, BAND_H);
    this.drawLabels(c, member?.labels ?? [], start);
    this.drawMarks(c, colours.line);
    this.drawRange(c, colours.accent, height);
    c.font = font(10.5);
    c.fillStyle = colours.muted;
    c.textAlign = "center";
    for (const t of ticks(this.seconds, Math.max(2, width / 90)))
      c.fillText(`${t} s`, Math.max(16, Math.min(width - 16, this.x(t))), height - 8);
    const at = Math.round(this.x(this.stage.clock.time)) + 0.5;
    c.strokeStyle = colours.text;
    c.lineWidth = 2;
    c.beginPath();
    c.moveTo(at, 0);
    c.lineTo(at, height - 16);
    c.stroke();
  }

  private drawLabels(c: CanvasRenderingContext2D, spans: readonly LabelRow[], start: number): void {
    const colours = palette(this.app.theme.value);
    const { placed, rows } = labelRows(spans, MOST_ROWS);
    const tall = BAND_H / Math.max(1, rows);
    c.font = font(Math.min(11, tall - 2.5), 600);
    c.textAlign = "left";
    for (const l of placed) {
      const x0 = this.x(start + l.start_s);
      const x1 = this.x(start + l.end_s);
      const y = BAND_Y + l.row * tall;
      c.fillStyle = labelColour(l.label, colours.dark);
      c.fillRect(x0, y, Math.max(1, x1 - x0 - 1), tall - (rows > 1 ? 1 : 0));
      if (tall < 9 || x1 - x0 < c.measureText(l.label).width + 8) continue;
      c.fillStyle = colours.dark ? "#10151c" : "#fff";
      c.fillText(l.label, x0 + 4, y + tall / 2);
    }
  }

  /**
   * Transitions as pins where both clips meet: the taller, the further apart the two motions were. A blend's foot reaches as far
   * to both sides as it lasts; a cut has a square head and a tail that runs out as its jump fades.
   */
  private drawMarks(c: CanvasRenderingContext2D, line: string): void {
    const marks = this.marks();
    const most = Math.max(8, ...marks.map((m) => m.distance_cm));
    c.fillStyle = line;
    c.fillRect(PAD, MARK_Y + MARK_H, this.surface.width - 2 * PAD, 1);
    const colours = palette(this.app.theme.value);
    for (const m of marks) {
      const x = this.x(m.t);
      const tall = 5 + (MARK_H - 7) * Math.min(1, m.distance_cm / most);
      const [r, g, b] = heatColour(m.distance_cm, most * 1.3);
      const foot = MARK_Y + MARK_H;
      c.fillStyle = colours["line-strong"];
      c.beginPath();
      if (m.kind === "cut") {
        c.moveTo(x, foot - tall);
        c.lineTo(this.x(m.end), foot);
        c.lineTo(x, foot);
      } else c.rect(this.x(m.start), foot - 2.5, this.x(m.end) - this.x(m.start), 2.5);
      c.globalAlpha = 0.45;
      c.fill();
      c.globalAlpha = 1;
      c.fillRect(x - 0.75, foot - tall, 1.5, tall);
      c.beginPath();
      if (m.kind === "cut") c.rect(x - 3.5, foot - tall - 3.5, 7, 7);
      else c.arc(x, foot - tall, 3.5, 0, 2 * Math.PI);
      c.fillStyle = `rgb(${r} ${g} ${b})`;
      c.fill();
      c.strokeStyle = colours["line-strong"];
      c.lineWidth = 1;
      c.stroke();
    }
  }

  private drawRange(c: CanvasRenderingContext2D, accent: string, height: number): void {
    const range = this.desk.range.value;
    if (!range) return;
    const x0 = this.x(range.from);
    const x1 = this.x(range.to);
    c.globalAlpha = 0.22;
    c.fillStyle = accent;
    c.fillRect(x0, 0, x1 - x0, height - 16);
    c.globalAlpha = 1;
    c.fillRect(x0 - 1, 0, 2, height - 16);
    c.fillRect(x1 - 1, 0, 2, height - 16);
  }
}
