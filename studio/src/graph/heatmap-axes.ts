/** Seconds along both sides of a distance map, and which clip is which. */
import type { Heatmap } from "../api/heatmap";
import { font, type Palette } from "../plot/palette";
import { ticks } from "./curve-model";

export interface AxesPlace {
  readonly width: number;
  readonly height: number;
  readonly margin: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
  /** Seconds at the corner in both clips, and pixels per second. */
  readonly view: { readonly a: number; readonly b: number; readonly scale: number };
  readonly grid: Heatmap;
  readonly names: readonly [string, string];
}

export function drawAxes(c: CanvasRenderingContext2D, colours: Palette, place: AxesPlace): void {
  const { width, height, margin, view, grid } = place;
  const x = (seconds: number) => margin.left + (seconds - view.b) * view.scale;
  const y = (seconds: number) => margin.top + (seconds - view.a) * view.scale;
  // The axes stand at the map's own corner while that is in sight.
  const left = Math.max(margin.left, Math.min(x(0), width - 60));
  const top = Math.max(margin.top, Math.min(y(0), height - 40));
  drawTitles(c, colours, left, top, place.names);
  const step = ticks((width - margin.left) / view.scale, 8)[1] ?? 1;
  const label = (v: number) => `${Number(v.toFixed(2))} s`;
  c.font = font(11);
  c.fillStyle = colours.muted;
  c.textAlign = "center";
  c.textBaseline = "bottom";
  for (let t = Math.max(0, Math.ceil(view.b / step) * step); t <= grid.cols * grid.col_s; t += step) {
    if (x(t) > width - margin.right) break;
    c.fillText(label(t), x(t), top - 6);
    c.fillRect(x(t), top - 4, 1, 4);
  }
  c.textAlign = "right";
  c.textBaseline = "middle";
  for (let t = Math.max(0, Math.ceil(view.a / step) * step); t <= grid.rows * grid.row_s; t += step) {
    if (y(t) > height - margin.bottom) break;
    c.fillText(label(t), left - 8, y(t));
    c.fillRect(left - 4, y(t), 4, 1);
  }
}

function drawTitles(
  c: CanvasRenderingContext2D,
  colours: Palette,
  left: number,
  top: number,
  names: readonly [string, string],
): void {
  c.fillStyle = colours.text;
  c.font = font(12, 600);
  c.textAlign = "left";
  c.textBaseline = "bottom";
  c.fillText(`${names[1]} →`, left, top - 22);
  c.save();
  c.translate(left - 44, top);
  c.rotate(-Math.PI / 2);
  c.textAlign = "right";
  c.fillText(`← ${names[0]}`, 0, 0);
  c.restore();
}
