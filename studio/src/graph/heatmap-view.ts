/** The distance of every moment of one clip to every moment of another, with its minima as dots. */
import type { Heatmap } from "../api/heatmap";
import type { Minima } from "../api/types";
import type { Palette } from "../plot/palette";
import { Surface } from "../plot/surface";
import { drawAxes } from "./heatmap-axes";
import { drawMinimum, drawTail } from "./heatmap-marks";
import { cellAt, colourGrid, farEnd, walkTo } from "./heatmap-model";
import { lengthText } from "./transition-words";

export interface HeatmapEvents {
  colours(): Palette;
  onSelect(index: number): void;
  /** Seconds in both clips and the distance there, or nothing. */
  onHover(text: string): void;
}

const MARGIN = { left: 68, top: 44, right: 12, bottom: 12 };
const REACH_PX = 14;
const OVER_PX = 10;

export class HeatmapView {
  readonly surface: Surface;
  farCm = 30;
  private grid: Heatmap | null = null;
  private minima: Minima | null = null;
  private picture: HTMLCanvasElement | null = null;
  private names: readonly [string, string] = ["", ""];
  private selected = -1;
  private hover: readonly [number, number] | null = null;
  /** Seconds shown: start in both clips and pixels per second. */
  private view = { a: 0, b: 0, scale: 40 };
  private fit = true;
  private pan: { x: number; y: number; moved: boolean } | null = null;

  constructor(private readonly events: HeatmapEvents) {
    this.surface = new Surface(
      {
        tabIndex: 0,
        role: "application",
        "aria-label": "Distance map. Arrow keys go from minimum to minimum, plus and minus zoom, 0 shows all.",
      },
      (c, w, h) => this.draw(c, w, h),
      () => this.fit && this.fitAll(),
    );
    this.listen(this.surface.element);
  }

  setData(grid: Heatmap, minima: Minima, names: readonly [string, string]): void {
    this.grid = grid;
    this.minima = minima;
    this.names = names;
    this.selected = -1;
    this.farCm = farEnd(grid);
    const picture = document.createElement("canvas");
    picture.width = grid.cols;
    picture.height = grid.rows;
    const image = new ImageData(grid.cols, grid.rows);
    colourGrid(grid, this.farCm, image.data);
    picture.getContext("2d")?.putImageData(image, 0, 0);
    this.picture = picture;
    this.fit = true;
    this.fitAll();
    this.surface.invalidate();
  }

  select(index: number): void {
    this.selected = index;
    this.surface.invalidate();
  }

  fitAll(): void {
    const { grid } = this;
    if (!grid || this.surface.width === 0) return;
    this.fit = true;
    const wide = this.surface.width - MARGIN.left - MARGIN.right;
    const tall = this.surface.height - MARGIN.top - MARGIN.bottom;
    const scale = Math.min(wide / (grid.cols * grid.col_s), tall / (grid.rows * grid.row_s));
    // The smaller side lies in the middle; both clips keep one scale, so that a diagonal is the same pace in both.
    const spare = (room: number, seconds: number) => -Math.max(0, room / scale - seconds) / 2;
    this.view = { a: spare(tall, grid.rows * grid.row_s), b: spare(wide, grid.cols * grid.col_s), scale };
    this.surface.invalidate();
  }

  zoom(factor: number, at?: readonly [number, number]): void {
    const x = at?.[0] ?? this.surface.width / 2;
    const y = at?.[1] ?? this.surface.height / 2;
    const { a, b, scale } = this.view;
    const next = Math.max(2, Math.min(2000, scale * factor));
    const heldB = b + (x - MARGIN.left) / scale;
    const heldA = a + (y - MARGIN.top) / scale;
    this.fit = false;
    this.view = { scale: next, b: heldB - (x - MARGIN.left) / next, a: heldA - (y - MARGIN.top) / next };
    this.surface.invalidate();
  }

  private x(seconds: number): number {
    return MARGIN.left + (seconds - this.view.b) * this.view.scale;
  }

  private y(seconds: number): number {
    return MARGIN.top + (seconds - this.view.a) * this.view.scale;
  }

  private listen(canvas: HTMLCanvasElement): void {
    canvas.addEventListener("pointerdown", (e) => {
      canvas.setPointerCapture(e.pointerId);
      this.pan = { x: e.clientX, y: e.clientY, moved: false };
    });
    canvas.addEventListener("pointermove", (e) => this.move(e));
    canvas.addEventListener("pointerup", (e) => {
      if (this.pan && !this.pan.moved) this.click(this.surface.place(e));
      this.pan = null;
    });
    canvas.addEventListener("pointerleave", () => {
      this.hover = null;
      this.events.onHover("");
      this.surface.invalidate();
    });
    canvas.addEventListener(
      "wheel",
      (e) => {
        e.preventDefault();
        this.zoom(Math.exp(-e.deltaY * 0.0015), this.surface.place(e));
      },
      { passive: false },
    );
    canvas.addEventListener("keydown", (e) => this.key(e));
  }

  private move(event: PointerEvent): void {
    const { pan } = this;
    this.hover = this.surface.place(event);
    if (pan && (pan.moved || Math.hypot(event.clientX - pan.x, event.clientY - pan.y) > 4)) {
      this.fit = false;
      this.view = {
        ...this.view,
        b: this.view.b - (event.clientX - pan.x) / this.view.scale,
        a: this.view.a - (event.clientY - pan.y) / this.view.scale,
      };
      this.pan = { x: event.clientX, y: event.clientY, moved: true };
    }
    this.tell();
    this.surface.invalidate();
  }

  private tell(): void {
    const { grid, hover } = this;
    if (!grid || !hover) return;
    const b = this.view.b + (hover[0] - MARGIN.left) / this.view.scale;
    const a = this.view.a + (hover[1] - MARGIN.top) / this.view.scale;
    const cm = cellAt(grid, a, b);
    const place = `${this.names[0]} ${a.toFixed(2)} s, ${this.names[1]} ${b.toFixed(2)} s`;
    this.events.onHover(Number.isNaN(cm) ? "" : `${place}: ${lengthText(cm)}`);
  }

  private click(at: readonly [number, number]): void {
    const { minima } = this;
    if (!minima) return;
    let best = -1;
    let least = REACH_PX;
    minima.minima.forEach((m, k) => {
      const d = Math.hypot(this.x(m.j / minima.rate_hz) - at[0], this.y(m.i / minima.rate_hz) - at[1]);
      if (d < least) {
        least = d;
        best = k;
      }
    });
    if (best >= 0) this.choose(best);
  }

  private choose(index: number): void {
    this.selected = index;
    this.keepInSight();
    this.events.onSelect(index);
    this.surface.invalidate();
  }

  private key(event: KeyboardEvent): void {
    const { minima } = this;
    if (!minima || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key.startsWith("Arrow")) {
      const next = this.selected < 0 ? 0 : walkTo(minima.minima, this.selected, event.key);
      if (minima.minima.length > 0) this.choose(next);
    } else if (event.key === "+" || event.key === "=") this.zoom(1.4);
    else if (event.key === "-") this.zoom(1 / 1.4);
    else if (event.key === "0") this.fitAll();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private keepInSight(): void {
    const m = this.minima?.minima[this.selected];
    if (!m || !this.minima) return;
    const x = this.x(m.j / this.minima.rate_hz);
    const y = this.y(m.i / this.minima.rate_hz);
    const inside = x > MARGIN.left && y > MARGIN.top && x < this.surface.width - 8 && y < this.surface.height - 8;
    if (inside) return;
    this.view = {
      ...this.view,
      b: this.view.b + (x - this.surface.width / 2) / this.view.scale,
      a: this.view.a + (y - this.surface.height / 2) / this.view.scale,
    };
  }

  private draw(c: CanvasRenderingContext2D, width: number, height: number): void {
    const { grid, picture } = this;
    if (!grid || !picture) return;
    const colours = this.events.colours();
    c.save();
    c.beginPath();
    c.rect(MARGIN.left, MARGIN.top, width - MARGIN.left - MARGIN.right, height - MARGIN.top - MARGIN.bottom);
    c.clip();
    const wide = grid.cols * grid.col_s * this.view.scale;
    const tall = grid.rows * grid.row_s * this.view.scale;
    // Cells become squares when they are large: a smoothed picture would invent values between frames.
    c.imageSmoothingEnabled = grid.col_s * this.view.scale < 3;
    c.drawImage(picture, this.x(0), this.y(0), wide, tall);
    c.restore();
    c.save();
    // Marks at the very ends of clips lie on the map's border, and are seen whole.
    c.beginPath();
    c.rect(
      MARGIN.left - OVER_PX,
      MARGIN.top - OVER_PX,
      width - MARGIN.left - MARGIN.right + 2 * OVER_PX,
      height - MARGIN.top - MARGIN.bottom + 2 * OVER_PX,
    );
    c.clip();
    this.dots(c, colours);
    if (this.hover) this.crosshair(c, this.hover, width, height);
    c.restore();
    drawAxes(c, colours, { width, height, margin: MARGIN, view: this.view, grid, names: this.names });
  }

  private dots(c: CanvasRenderingContext2D, colours: Palette): void {
    const { minima } = this;
    if (!minima) return;
    const size = Math.max(3, Math.min(6, this.view.scale / 8));
    minima.minima.forEach((m, k) => {
      const x = this.x(m.j / minima.rate_hz);
      const y = this.y(m.i / minima.rate_hz);
      if (x < MARGIN.left - 8 || y < MARGIN.top - 8 || x > this.surface.width || y > this.surface.height) return;
      if (m.kind === "cut") drawTail(c, x, y, m.seconds * this.view.scale, 0.6 * size);
      drawMinimum(c, m.state, x, y, k === this.selected ? size + 2 : size);
      if (k !== this.selected) return;
      c.strokeStyle = colours.dark ? "#fff" : "#000";
      c.lineWidth = 2;
      c.beginPath();
      c.arc(x, y, size + 8, 0, 2 * Math.PI);
      c.stroke();
      c.strokeStyle = "#fff";
      c.lineWidth = 1;
      c.beginPath();
      c.arc(x, y, size + 9.5, 0, 2 * Math.PI);
      c.stroke();
    });
  }

  private crosshair(
    c: CanvasRenderingContext2D,
    [x, y]: readonly [number, number],
    width: number,
    height: number,
  ): void {
    c.strokeStyle = "rgb(255 255 255 / 70%)";
    c.lineWidth = 1;
    c.beginPath();
    c.moveTo(Math.round(x) + 0.5, 0);
    c.lineTo(Math.round(x) + 0.5, height);
    c.moveTo(0, Math.round(y) + 0.5);
    c.lineTo(width, Math.round(y) + 0.5);
    c.stroke();
  }
}
