/** Two curves against one number, with the place where one is now: kept seconds (left axis) and transitions (right axis). */
import { font, type Palette } from "../plot/palette";
import { Surface } from "../plot/surface";
import { ticks, valueAt } from "./curve-model";

export interface ChartData {
  readonly cm: readonly number[];
  readonly keptSeconds: readonly number[];
  readonly transitions: readonly number[];
  readonly totalSeconds: number;
  readonly ceiling: number;
}

export interface ChartMark {
  /** The master number. */
  readonly cm: number;
  readonly keptSeconds: number;
  readonly transitions: number;
}

const MARGIN = { left: 44, right: 52, top: 14, bottom: 34 };

export class CurveChart {
  readonly surface: Surface;
  private data: ChartData | null = null;
  private now: ChartMark | null = null;
  private applied: number | null = null;
  private dragging = false;

  constructor(
    private readonly colours: () => Palette,
    private readonly onPick: (cm: number) => void,
  ) {
    const text = "Seconds kept and transitions against one threshold for every pair";
    this.surface = new Surface({ role: "img", "aria-label": text }, (c, w, h) => this.draw(c, w, h));
    const canvas = this.surface.element;
    canvas.addEventListener("pointerdown", (e) => {
      this.dragging = true;
      canvas.setPointerCapture(e.pointerId);
      this.pick(e);
    });
    canvas.addEventListener("pointermove", (e) => this.dragging && this.pick(e));
    for (const type of ["pointerup", "pointercancel"] as const) canvas.addEventListener(type, () => (this.dragging = false));
  }

  setData(data: ChartData): void {
    this.data = data;
    this.surface.invalidate();
  }

  setNow(now: ChartMark | null, applied: number | null): void {
    this.now = now;
    this.applied = applied;
    this.surface.invalidate();
  }

  private pick(event: PointerEvent): void {
    if (!this.data) return;
    const [x] = this.surface.place(event);
    const width = this.surface.width - MARGIN.left - MARGIN.right;
    const cm = ((x - MARGIN.left) / width) * this.data.ceiling;
    this.onPick(Math.max(0, Math.min(this.data.ceiling, cm)));
  }

  private draw(c: CanvasRenderingContext2D, width: number, height: number): void {
    const { data } = this;
    if (!data) return;
    const colours = this.colours();
    const box = { x0: MARGIN.left, x1: width - MARGIN.right, y0: MARGIN.top, y1: height - MARGIN.bottom };
    const most = Math.max(1, ...data.transitions);
    const x = (cm: number) => box.x0 + (cm / data.ceiling) * (box.x1 - box.x0);
    const left = (s: number) => box.y1 - (s / Math.max(data.totalSeconds, 1e-9)) * (box.y1 - box.y0);
    const right = (t: number) => box.y1 - (t / most) * (box.y1 - box.y0);
    c.font = font(11);
    c.lineWidth = 1;
    this.axes(c, colours, box, x, left, right, most);
    line(c, data.cm, data.transitions, x, right, colours.warn, [5, 4]);
    line(c, data.cm, data.keptSeconds, x, left, colours.accent, []);
    if (this.applied !== null) this.rule(c, x(this.applied), box, colours["line-strong"], [2, 3]);
    const { now } = this;
    if (!now) return;
    this.rule(c, x(now.cm), box, colours.text, []);
    dot(c, x(now.cm), left(now.keptSeconds), colours.accent, colours.panel);
    dot(c, x(now.cm), right(now.transitions), colours.warn, colours.panel);
  }

  private axes(
    c: CanvasRenderingContext2D,
    colours: Palette,
    box: { x0: number; x1: number; y0: number; y1: number },
    x: (v: number) => number,
    left: (v: number) => number,
    right: (v: number) => number,
    most: number,
  ): void {
    const { data } = this;
    if (!data) return;
    c.strokeStyle = colours.line;
    c.fillStyle = colours.muted;
    c.textAlign = "center";
    c.textBaseline = "top";
    for (const t of ticks(data.ceiling, 6)) c.fillText(String(t), x(t), box.y1 + 5);
    c.fillText("one threshold for every pair, cm", (box.x0 + box.x1) / 2, box.y1 + 19);
    c.textBaseline = "middle";
    for (const t of ticks(data.totalSeconds, 4)) {
      const y = Math.round(left(t)) + 0.5;
      c.beginPath();
      c.moveTo(box.x0, y);
      c.lineTo(box.x1, y);
      c.stroke();
      c.textAlign = "right";
      c.fillStyle = colours.accent;
      c.fillText(`${t} s`, box.x0 - 6, y);
    }
    c.textAlign = "left";
    c.fillStyle = colours.warn;
    for (const t of ticks(most, 4)) c.fillText(short(t), box.x1 + 6, right(t));
  }

  private rule(
    c: CanvasRenderingContext2D,
    x: number,
    box: { y0: number; y1: number },
    colour: string,
    dash: number[],
  ): void {
    c.save();
    c.setLineDash(dash);
    c.strokeStyle = colour;
    c.beginPath();
    c.moveTo(Math.round(x) + 0.5, box.y0);
    c.lineTo(Math.round(x) + 0.5, box.y1);
    c.stroke();
    c.restore();
  }
}

function short(n: number): string {
  return n >= 10000 ? `${Math.round(n / 1000)}k` : n >= 1000 ? `${(n / 1000).toFixed(1)}k` : String(n);
}

function line(
  c: CanvasRenderingContext2D,
  xs: readonly number[],
  ys: readonly number[],
  x: (v: number) => number,
  y: (v: number) => number,
  colour: string,
  dash: number[],
): void {
  c.save();
  c.setLineDash(dash);
  c.strokeStyle = colour;
  c.lineWidth = 2;
  c.lineJoin = "round";
  c.beginPath();
  const last = xs.at(-1) ?? 0;
  for (let k = 0; k <= 120; k++) {
    const v = (last * k) / 120;
    c.lineTo(x(v), y(valueAt(xs, ys, v)));
  }
  c.stroke();
  c.restore();
}

function dot(c: CanvasRenderingContext2D, x: number, y: number, colour: string, ring: string): void {
  c.beginPath();
  c.arc(x, y, 5, 0, 2 * Math.PI);
  c.fillStyle = colour;
  c.fill();
  c.strokeStyle = ring;
  c.lineWidth = 2;
  c.stroke();
}
