/**
 * The graph drawn: clips as lanes, nodes on them, transitions as arcs between them.
 *
 * Arcs are painted onto a sheet of their own a few milliseconds at a time, so that a graph of tens of thousands of
 * transitions never holds up the page; hover and selection are drawn over it.
 */
import type { Topology } from "../api/types";
import type { Palette } from "../plot/palette";
import { Surface } from "../plot/surface";
import { ArcLayout, xOf, yOf, type Filter, type LaneView, type Visible } from "./arcs-model";
import { drawFrame, drawLanes } from "./arcs-frame";
import { ArcPainter, componentColour, fillTail, strokeArc } from "./arcs-painter";

export interface ArcsEvents {
  colours(): Palette;
  /** Index of a transition, or -1. */
  onHover(index: number): void;
  onSelect(index: number): void;
  onDrawn(shown: number, hidden: number): void;
}

const LEFT = 132;
const TOP = 24;
/** More arcs than this at once are a cloud: zoom in for the rest. */
const MOST_ARCS = 4000;
/** Ways through interpolated clips that are drawn at once. */
const MOST_THROUGH = 800;
const SETTLE_MS = 90;
/** Pixels at both ends within which arcs are drawn as one. */
const CELLS = [1, 4, 8, 14];
const LEAST_LANE = 22;

export class ArcsView {
  readonly surface: Surface;
  layout: ArcLayout | null = null;
  private view: LaneView = { left: 0, perSecond: 40, top: 0, lane: 48, width: 1, height: 1 };
  private filter: Filter = { maxCm: Infinity, clips: null, component: null };
  private drawn: Visible = { arcs: new Uint32Array(0), weights: new Uint16Array(0), hidden: 0 };
  private readonly painter = new ArcPainter(() => this.surface.invalidate());
  private settling: ReturnType<typeof setTimeout> | undefined;
  private hoverFrame = 0;
  private coarseness = 0;
  private hovered = -1;
  private selected = -1;
  private pan: { x: number; y: number; moved: boolean } | null = null;

  constructor(private readonly events: ArcsEvents) {
    this.surface = new Surface(
      {
        tabIndex: 0,
        role: "application",
        "aria-label":
          "The graph. Arrow keys pan, plus and minus zoom, 0 shows all, N and P go from transition to transition.",
      },
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
    clearTimeout(this.settling);
    // Cells grow until what is left can be drawn at once and told apart; on a small graph each arc has its own.
    // The search begins where it ended the last time, a step finer: a view mostly resembles the one before.
    this.coarseness = Math.max(0, this.coarseness - 1);
    for (; ; this.coarseness++) {
      this.drawn = layout.visible(this.view, this.filter, CELLS[this.coarseness] ?? 1);
      if (this.drawn.arcs.length <= MOST_ARCS || this.coarseness === CELLS.length - 1) break;
    }
    this.drawn = layout.nearest(this.drawn, MOST_ARCS);
    this.events.onDrawn(this.drawn.arcs.length, this.drawn.hidden);
    this.painter.paint(layout, this.view, this.drawn, this.events.colours().dark, (c) => {
      this.through(c, this.events.colours());
      this.nodes(c, this.events.colours());
    });
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
    // While one moves, the painted sheet moves along; it is painted anew when the hand rests.
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.repaint(), SETTLE_MS);
    this.surface.invalidate();
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
    const at = this.surface.place(event);
    cancelAnimationFrame(this.hoverFrame);
    this.hoverFrame = requestAnimationFrame(() => this.hover(this.at(at)));
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
      (p, q) =>
        (layout.fromLane[p] ?? 0) - (layout.fromLane[q] ?? 0) || (layout.fromS[p] ?? 0) - (layout.fromS[q] ?? 0),
    );
    const at = order.indexOf(this.selected);
    const next = order[at < 0 ? 0 : (at + step + order.length) % order.length];
    if (next !== undefined) this.choose(next);
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
    drawLanes(c, colours, view, layout.topology.clips);
    this.painter.show(c, view);
    const points = new Float64Array(8);
    for (const [k, wide] of [
      [this.hovered, 2.5],
      [this.selected, 3.5],
    ] as const) {
      if (k < 0) continue;
      layout.arc(k, view, points);
      strokeArc(c, points, colours.panel, 0.9, wide + 3);
      strokeArc(c, points, k === this.selected ? colours.accent : colours.text, 1, wide);
      if (layout.isCut(k)) fillTail(c, layout, k, view, k === this.selected ? colours.accent : colours.text, 1);
      for (const at of [0, 6]) this.end(c, colours, points[at] ?? 0, points[at + 1] ?? 0, at === 6);
    }
    c.restore();
    drawFrame(c, colours, {
      view,
      left: LEFT,
      top: TOP,
      width,
      height,
      clips: layout.topology.clips,
      lit: this.filter.clips,
    });
  }

  /** Ways through interpolated clips: dashed, and blue. The nearest come first. */
  private through(c: CanvasRenderingContext2D, colours: Palette): void {
    const { layout, view } = this;
    if (!layout) return;
    const shown = layout.through(this.filter).slice(0, MOST_THROUGH);
    const alpha = Math.max(0.3, Math.min(0.9, 10 / Math.sqrt(Math.max(1, shown.length))));
    const points = new Float64Array(8);
    c.save();
    c.setLineDash([6, 4]);
    for (const k of shown) {
      layout.throughArc(k, view, points);
      strokeArc(c, points, colours.interpolated, alpha, 1.4);
    }
    c.restore();
  }

  /** Nodes appear when there is room to tell them apart. */
  private nodes(c: CanvasRenderingContext2D, colours: Palette): void {
    const { layout, view } = this;
    if (!layout || view.perSecond < 25) return;
    const { nodes } = layout.topology;
    const r = view.perSecond > 90 ? 3 : 2;
    let now = NaN;
    for (let k = 0; k < nodes.clip.length; k++) {
      const y = yOf(view, nodes.clip[k] ?? 0);
      if (y < -4 || y > view.height + 4) continue;
      const x = xOf(view, layout.nodeSeconds(k));
      if (x < -4 || x > view.width + 4) continue;
      const component = nodes.component[k] ?? -1;
      // Neighbours are mostly of one component: the colour is set when it changes.
      if (component !== now) c.fillStyle = componentColour(component, colours.dark);
      now = component;
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
}
