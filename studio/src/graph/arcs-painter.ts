/**
 * Paints arcs onto a sheet of its own, a few milliseconds at a time, so that a graph of tens of thousands of transitions
 * never holds up the page. Until a new sheet is done the old one is shown, moved and stretched to the present view.
 */
import { xOf, yOf, type ArcLayout, type LaneView, type Visible } from "./arcs-model";
import { categoryColour } from "./colormap";

const SLICE_MS = 8;

export class ArcPainter {
  private sheet: HTMLCanvasElement | null = null;
  private sheetView: LaneView | null = null;
  private frame = 0;

  constructor(private readonly onPainted: () => void) {}

  /** Starts a new sheet; one under way is dropped. Cheap transitions come last and lie on top; `over` draws what lies over all. */
  paint(
    layout: ArcLayout,
    view: LaneView,
    drawn: Visible,
    dark: boolean,
    over: (c: CanvasRenderingContext2D) => void,
  ): void {
    cancelAnimationFrame(this.frame);
    const fresh = document.createElement("canvas");
    const ratio = devicePixelRatio || 1;
    fresh.width = Math.max(1, Math.round(view.width * ratio));
    fresh.height = Math.max(1, Math.round(view.height * ratio));
    // Drawn by the processor: reading back from the graphics card (below) would stall it.
    const c = fresh.getContext("2d", { willReadFrequently: true });
    if (!c) return;
    c.scale(ratio, ratio);
    const { distance_cm } = layout.topology.transitions;
    const cm = (place: number) => distance_cm[drawn.arcs[place] ?? 0] ?? 0;
    const order = [...drawn.arcs.keys()].sort((p, q) => cm(q) - cm(p));
    const alpha = Math.max(0.16, Math.min(0.75, 12 / Math.sqrt(Math.max(order.length, 1))));
    const points = new Float64Array(8);
    let next = 0;
    const slice = () => {
      const until = performance.now() + SLICE_MS;
      while (next < order.length && performance.now() < until) {
        // Small batches: asking for the time at every arc would cost as much as the arc.
        for (const end = Math.min(next + 32, order.length); next < end; next++) {
          const place = order[next] ?? 0;
          const k = drawn.arcs[place] ?? 0;
          const wide = 1 + Math.min(1.6, Math.log2(drawn.weights[place] ?? 1) * 0.35);
          layout.arc(k, view, points);
          const colour = componentColour(layout.component[k] ?? -1, dark);
          strokeArc(c, points, colour, alpha, wide);
          if (layout.isCut(k)) fillTail(c, layout, k, view, colour, Math.min(1, 1.6 * alpha));
        }
        // Browsers keep strokes in a list and draw them when the picture is needed; reading a pixel makes that now.
        c.getImageData(0, 0, 1, 1);
      }
      const done = next >= order.length;
      if (done) over(c);
      if (done || !this.sheetView) {
        this.sheet = fresh;
        this.sheetView = view;
        this.onPainted();
      }
      if (!done) this.frame = requestAnimationFrame(slice);
    };
    slice();
  }

  show(c: CanvasRenderingContext2D, view: LaneView): void {
    const from = this.sheetView;
    if (!this.sheet || !from) return;
    const wide = view.perSecond / from.perSecond;
    const tall = view.lane / from.lane;
    const x = (from.left - view.left) * view.perSecond;
    c.drawImage(this.sheet, x, from.top * tall - view.top, from.width * wide, from.height * tall);
  }
}

export function strokeArc(
  c: CanvasRenderingContext2D,
  p: Float64Array,
  colour: string,
  alpha: number,
  width: number,
): void {
  c.globalAlpha = alpha;
  c.strokeStyle = colour;
  c.lineWidth = width;
  c.beginPath();
  c.moveTo(p[0] ?? 0, p[1] ?? 0);
  c.bezierCurveTo(p[2] ?? 0, p[3] ?? 0, p[4] ?? 0, p[5] ?? 0, p[6] ?? 0, p[7] ?? 0);
  c.stroke();
  c.globalAlpha = 1;
}

/** What is left of a cut's jump, along the clip it enters: a wedge that runs out where it has faded. */
export function fillTail(
  c: CanvasRenderingContext2D,
  layout: ArcLayout,
  k: number,
  view: LaneView,
  colour: string,
  alpha: number,
): void {
  const x = xOf(view, layout.toS[k] ?? 0);
  const y = yOf(view, layout.toLane[k] ?? 0);
  c.globalAlpha = alpha;
  c.fillStyle = colour;
  c.beginPath();
  c.moveTo(x, y - 4);
  c.lineTo(xOf(view, layout.endS[k] ?? 0), y);
  c.lineTo(x, y + 4);
  c.fill();
  c.globalAlpha = 1;
}

/** Bridges between components are grey. */
export function componentColour(component: number, dark: boolean): string {
  if (component < 0) return dark ? "#8a93a0" : "#7a8390";
  const key = 2 * component + (dark ? 1 : 0);
  const known = colours.get(key);
  if (known !== undefined) return known;
  const colour = categoryColour(component, dark);
  colours.set(key, colour);
  return colour;
}

const colours = new Map<number, string>();
