/**
 * The graph drawn: clips as lanes, nodes on them, transitions as arcs between them.
 *
 * Arcs are painted onto a sheet of their own a few milliseconds at a time, so that a graph of tens of thousands of
 * transitions never holds up the page; hover and selection are drawn over it.
 */
import type { Topology } from "../api/types";
import { font, type Palette } from "../plot/palette";
import { Surface } from "../plot/surface";
import { ArcLayout, xOf, yOf, type Filter, type LaneView, type Visible } from "./arcs-model";
import { categoryColour } from "./colormap";
import { ticks } from "./curve-model";

export interface ArcsEvents {
  colours(): Palette;
  /** Index of a transition, or -1. */
  onHover(index: number): void;
  onSelect(index: number): void;
  onDrawn(shown: number, hidden: number): void;
}

const LEFT = 132;
const TOP = 24;
const SLICE_MS = 7;
const LEAST_LANE = 22;

export class ArcsView {
  readonly surface: Surface;
  layout: ArcLayout | null = null;
  private view: LaneView = { left: 0, perSecond: 40, top: 0, lane: 48, width: 1, height: 1 };
  private filter: Filter = { maxCm: Infinity, clips: null, component: null };
  private drawn: Visible = { arcs: new Uint32Array(0), weights: new Uint16Array(0), hidden: 0 };
  private readonly sheet = document.createElement("canvas");
  /** The view that the sheet was painted with: while it is painted anew, the old one is shown moved and stretched. */
  private sheetView: LaneView | null = null;
  private painting = 0;
  private hovered = -1;
  private selected = -1;
  private pan: { x: number; y: number; moved: boolean } | null = null;

  constructor(private readonly events: ArcsEvents) {
    this.surface = new Surface(
      { tabIndex: 0, role: "application", "aria-label": "The graph. Arrow keys pan, plus and minus zoom, 0 shows all, N and P go from transition to transition." },
      (c, w, h) => this.draw(c, w, h),
      (w, h) => this.resize(w, h),
    );
    this.listen(this.surface.element);
  }

  setTopology(topology: Topology): void {
    this.layout = new ArcLayout(topology);
    this.hovered = -1;
    this.selected = -1;
    this.fitAll();
  }

  setFilter(filter: Filter): void {
    this.filter = filter;
    this.repaint();
  }

  select(index: number): void {
    this.selected = index;
    this.surface.invalidate();
  }

  repaint(): void {
    const { layout } = this;
    if (!layout || this.surface.width === 0) return;
    // A coarse cell first decides what is drawn at all; on a small graph each arc has its own.
    const cell = layout.count > 5000 ? 5 : layout.count > 1500 ? 3 : 1;
    this.drawn = layout.visible(this.view, this.filter, cell);
    this.events.onDrawn(this.drawn.arcs.length, this.drawn.hidden);
    this.startPainting();
    this.surface.invalidate();
  }

  fitAll(): void {
    const { layout } = this;
    if (!layout || this.surface.width === 0) return;
    const lanes = Math.max(1, layout.topology.clips.length);
    this.view = {
      left: 0,
      top: 0,
      perSecond: (this.surface.width - LEFT - 16) / layout.longest,
      lane: Math.max(LEAST_LANE, Math.min(90, (this.surface.height - TOP - 8) / lanes)),
      width: this.surface.width - LEFT,
      height: this.surface.height - TOP,
    };
    this.repaint();
  }

  zoom(factor: number, x = this.surface.width / 2): void {
    const { view } = this;
    const held = view.left + (x - LEFT) / view.perSecond;
    const perSecond = Math.max(1, Math.min(1500, view.perSecond * factor));
    this.move({ perSecond, left: held - (x - LEFT) / perSecond });
  }

  private resize(width: number, height: number): void {
    const first = this.view.width <= 1;
    this.view = { ...this.view, width: width - LEFT, height: height - TOP };
    if (first) this.fitAll();
    else this.repaint();
  }

  private move(change: Partial<LaneView>): void {
    const next = { ...this.view, ...change };
    const lanes = this.layout?.topology.clips.length ?? 1;
    const longest = this.layout?.longest ?? 1;
    const mostTop = Math.max(0, lanes * next.lane - next.height + 12);
    const left = Math.max(-1, Math.min(longest, next.left));
    this.view = { ...next, left, top: Math.max(0, Math.min(mostTop, next.top)) };
    this.repaint();
  }

  private listen(canvas: HTMLCanvasElement): void {
    canvas.addEventListener("pointerdown", (e) => {
      canvas.setPointerCapture(e.pointerId);
      this.pan = { x: e.clientX, y: e.clientY, moved: false };
    });
    canvas.addEventListener("pointermove", (e) => this.pointer(e));
    canvas.addEventListener("pointerup", (e) => {
      if (this.pan && !this.pan.moved) this.choose(this.at(this.surface.place(e)));
      this.pan = null;
    });
    canvas.addEventListener("pointerleave", () => this.hover(-1));
    canvas.addEventListener(
      "wheel",
      (e) => {
        e.preventDefault();
        const [x] = this.surface.place(e);
        if (e.ctrlKey) this.zoom(Math.exp(-e.deltaY * 0.004), x);
        else if (e.shiftKey) this.move({ left: this.view.left + e.deltaY / this.view.perSecond });
        else if (e.altKey) this.move({ top: this.view.top + e.deltaY });
        else this.zoom(Math.exp(-e.deltaY * 0.0015), x);
      },
      { passive: false },
    );
    canvas.addEventListener("keydown", (e) => this.key(e));
  }

  private pointer(event: PointerEvent): void {
    const { pan } = this;
    if (pan && (pan.moved || Math.hypot(event.clientX - pan.x, event.clientY - pan.y) > 4)) {
      this.move({
        left: this.view.left - (event.clientX - pan.x) / this.view.perSecond,
        top: this.view.top - (event.clientY - pan.y),
      });
      this.pan = { x: event.clientX, y: event.clientY, moved: true };
      return;
    }
    this.hover(this.at(this.surface.place(event)));
  }

  private at([x, y]: readonly [number, number]): number {
    if (!this.layout || x < LEFT || y < TOP) return -1;
    return this.layout.hit(this.drawn, this.view, x - LEFT, y - TOP, 6);
  }

  private hover(index: number): void {
    if (index === this.hovered) return;
    this.hovered = index;
    this.surface.element.classList.toggle("over-arc", index >= 0);
    this.events.onHover(index);
    this.surface.invalidate();
  }

  private choose(index: number): void {
    this.selected = index;
    this.events.onSelect(index);
    this.surface.invalidate();
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const stride = 80;
    const pans: Readonly<Record<string, Partial<LaneView>>> = {
      ArrowLeft: { left: this.view.left - stride / this.view.perSecond },
      ArrowRight: { left: this.view.left + stride / this.view.perSecond },
      ArrowUp: { top: this.view.top - stride },
      ArrowDown: { top: this.view.top + stride },
    };
    const change = pans[event.key];
    if (change) this.move(change);
    else if (event.key === "+" || event.key === "=") this.zoom(1.4);
    else if (event.key === "-") this.zoom(1 / 1.4);
    else if (event.key === "0") this.fitAll();
    else if (event.key === "n" || event.key === "p") this.walk(event.key === "n" ? 1 : -1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The next transition in sight, from left to right. */
  private walk(step: number): void {
    const { layout } = this;
    const { arcs } = this.drawn;
    if (!layout || arcs.length === 0) return;
    const order = [...arcs].sort(
      (p, q) => (layout.fromLane[p] ?? 0) - (layout.fromLane[q] ?? 0) || (layout.fromS[p] ?? 0) - (layout.fromS[q] ?? 0),
    );
    const at = order.indexOf(this.selected);
    const next = order[at < 0 ? 0 : (at + step + order.length) % order.length];
    if (next !== undefined) this.choose(next);
  }

  /** Paints the arcs in slices of a few milliseconds, cheapest (most likely wanted) last, so that they lie on top. */
  private startPainting(): void {
    cancelAnimationFrame(this.painting);
    const { layout, view, drawn } = this;
    if (!layout) return;
    const fresh = document.createElement("canvas");
    const ratio = devicePixelRatio || 1;
    fresh.width = Math.max(1, Math.round(view.width * ratio));
    fresh.height = Math.max(1, Math.round(view.height * ratio));
    const c = fresh.getContext("2d");
    if (!c) return;
    c.scale(ratio, ratio);
    const { distance_cm } = layout.topology.transitions;
    const order = [...drawn.arcs.keys()].sort(
      (p, q) => (distance_cm[drawn.arcs[q] ?? 0] ?? 0) - (distance_cm[drawn.arcs[p] ?? 0] ?? 0),
    );
    const alpha = Math.max(0.12, Math.min(0.75, 14 / Math.sqrt(Math.max(order.length, 1))));
    const points = new Float64Array(8);
    const { dark } = this.events.colours();
    let next = 0;
    const slice = () => {
      const until = performance.now() + SLICE_MS;
      while (next < order.length && performance.now() < until) {
        // Small batches: asking for the time at every arc would cost as much as the arc.
        for (const end = Math.min(next + 64, order.length); next < end; next++) {
          const k = drawn.arcs[order[next] ?? 0] ?? 0;
          layout.arc(k, view, points);
          strokeArc(c, points, componentColour(layout.component[k] ?? -1, dark), alpha, 1 + Math.min(1.5, Math.log2(drawn.weights[order[next] ?? 0] ?? 1) * 0.3));
        }
      }
      const done = next >= order.length;
      // While one drags, the old sheet moved along looks calmer than a half-painted new one.
      if (done || !this.sheetView) {
        this.sheet.width = fresh.width;
        this.sheet.height = fresh.height;
        this.sheet.getContext("2d")?.drawImage(fresh, 0, 0);
        this.sheetView = view;
        this.surface.invalidate();
      }
      if (!done) this.painting = requestAnimationFrame(slice);
    };
    slice();
  }

  private draw(c: CanvasRenderingContext2D, width: number, height: number): void {
    const { layout, view } = this;
    if (!layout) return;
    const colours = this.events.colours();
    c.save();
    c.beginPath();
    c.rect(LEFT, TOP, width - LEFT, height - TOP);
    c.clip();
    c.translate(LEFT, TOP);
    this.lanes(c, colours);
    if (this.sheetView) this.stretchSheet(c, this.sheetView);
    this.nodes(c, colours);
    const points = new Float64Array(8);
    for (const [k, wide] of [[this.hovered, 2.5], [this.selected, 3.5]] as const) {
      if (k < 0) continue;
      layout.arc(k, view, points);
      strokeArc(c, points, colours.panel, 0.9, wide + 3);
      strokeArc(c, points, k === this.selected ? colours.accent : colours.text, 1, wide);
      for (const at of [0, 6]) this.end(c, colours, points[at] ?? 0, points[at + 1] ?? 0, at === 6);
    }
    c.restore();
    this.names(c, colours, height);
    this.clock(c, colours, width);
  }

  private stretchSheet(c: CanvasRenderingContext2D, from: LaneView): void {
    const { view } = this;
    const k = view.perSecond / from.perSecond;
    const v = view.lane / from.lane;
    c.drawImage(this.sheet, (from.left - view.left) * view.perSecond, from.top * v - view.top, from.width * k, from.height * v);
  }

  private lanes(c: CanvasRenderingContext2D, colours: Palette): void {
    const clips = this.layout?.topology.clips ?? [];
    clips.forEach((clip, lane) => {
      const y = yOf(this.view, lane);
      if (y < -this.view.lane || y > this.view.height + this.view.lane) return;
      c.fillStyle = colours["line-strong"];
      const x = xOf(this.view, 0);
      c.fillRect(x, Math.round(y) - 1, clip.seconds * this.view.perSecond, 2);
    });
  }

  /** Nodes appear when there is room to tell them apart. */
  private nodes(c: CanvasRenderingContext2D, colours: Palette): void {
    const { layout, view } = this;
    if (!layout || view.perSecond < 25) return;
    const { nodes } = layout.topology;
    const r = view.perSecond > 90 ? 3 : 2;
    for (let k = 0; k < nodes.clip.length; k++) {
      const x = xOf(view, layout.nodeSeconds(k));
      const y = yOf(view, nodes.clip[k] ?? 0);
      if (x < -4 || x > view.width + 4 || y < -4 || y > view.height + 4) continue;
      c.fillStyle = componentColour(nodes.component[k] ?? -1, colours.dark);
      c.fillRect(x - r, y - r, 2 * r, 2 * r);
    }
  }

  private end(c: CanvasRenderingContext2D, colours: Palette, x: number, y: number, entered: boolean): void {
    c.beginPath();
    c.arc(x, y, 5, 0, 2 * Math.PI);
    c.fillStyle = entered ? colours.accent : colours.panel;
    c.fill();
    c.strokeStyle = colours.accent;
    c.lineWidth = 2;
    c.stroke();
  }

  private names(c: CanvasRenderingContext2D, colours: Palette, height: number): void {
    const clips = this.layout?.topology.clips ?? [];
    c.save();
    c.beginPath();
    c.rect(0, TOP, LEFT, height - TOP);
    c.clip();
    c.font = font(12);
    c.textAlign = "right";
    c.textBaseline = "middle";
    clips.forEach((clip, lane) => {
      const y = TOP + yOf(this.view, lane);
      if (y < 0 || y > height + 10) return;
      const faded = this.filter.clips !== null && !this.filter.clips.has(lane);
      c.fillStyle = faded ? colours.muted : colours.text;
      c.fillText(shortened(c, clip.name, LEFT - 18), LEFT - 10, y);
    });
    c.restore();
  }

  private clock(c: CanvasRenderingContext2D, colours: Palette, width: number): void {
    const step = ticks((width - LEFT) / this.view.perSecond, 10)[1] ?? 1;
    c.font = font(11);
    c.fillStyle = colours.muted;
    c.textAlign = "center";
    c.textBaseline = "middle";
    for (let t = Math.max(0, Math.ceil(this.view.left / step) * step); ; t += step) {
      const x = LEFT + xOf(this.view, t);
      if (x > width - 12) break;
      c.fillText(`${Number(t.toFixed(2))} s`, x, TOP / 2);
    }
  }
}

function strokeArc(c: CanvasRenderingContext2D, p: Float64Array, colour: string, alpha: number, width: number): void {
  c.globalAlpha = alpha;
  c.strokeStyle = colour;
  c.lineWidth = width;
  c.beginPath();
  c.moveTo(p[0] ?? 0, p[1] ?? 0);
  c.bezierCurveTo(p[2] ?? 0, p[3] ?? 0, p[4] ?? 0, p[5] ?? 0, p[6] ?? 0, p[7] ?? 0);
  c.stroke();
  c.globalAlpha = 1;
}

/** Bridges between components are grey. */
export function componentColour(component: number, dark: boolean): string {
  return component < 0 ? (dark ? "#8a93a0" : "#7a8390") : categoryColour(component, dark);
}

/** The end of a clip's name tells it apart from its neighbours, so the start is what goes. */
function shortened(c: CanvasRenderingContext2D, text: string, room: number): string {
  if (c.measureText(text).width <= room) return text;
  let cut = text;
  while (cut.length > 3 && c.measureText(`…${cut}`).width > room) cut = cut.slice(1);
  return `…${cut}`;
}
