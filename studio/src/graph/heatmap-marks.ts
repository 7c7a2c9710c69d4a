/** Marks on the distance map: the minima's shapes, and the colour scale. */
import type { MinimumState } from "../api/types";
import { font, type Palette } from "../plot/palette";
import { heatColour } from "./colormap";
import { ticks } from "./curve-model";

/** In: a green disc; out: an orange ring; pruned: a grey cross. Dark and light rims keep all three visible on any colour. */
export function drawMinimum(
  c: CanvasRenderingContext2D,
  state: MinimumState,
  x: number,
  y: number,
  size: number,
): void {
  const rim = (width: number, colour: string) => {
    c.lineWidth = width;
    c.strokeStyle = colour;
    c.stroke();
  };
  c.beginPath();
  if (state === "pruned") {
    c.moveTo(x - size, y - size);
    c.lineTo(x + size, y + size);
    c.moveTo(x + size, y - size);
    c.lineTo(x - size, y + size);
    rim(4, "#10151c");
    rim(2, "#d7dbe2");
    return;
  }
  if (state === "out") {
    c.rect(x - size, y - size, 2 * size, 2 * size);
    rim(4, "#10151c");
    rim(2, "#ff9d3c");
    return;
  }
  c.arc(x, y, size, 0, 2 * Math.PI);
  c.fillStyle = "#17b26a";
  c.fill();
  rim(3, "#10151c");
  rim(1.5, "#fff");
}

/** A cut's fade beside its mark: only the second clip plays, so its time runs on while the first clip's stands. */
export function drawTail(c: CanvasRenderingContext2D, x: number, y: number, length: number, size: number): void {
  c.beginPath();
  c.moveTo(x, y - size);
  c.lineTo(x + length, y);
  c.lineTo(x, y + size);
  c.closePath();
  c.lineWidth = 2;
  c.strokeStyle = "#10151c";
  c.stroke();
  c.fillStyle = "rgb(255 255 255 / 75%)";
  c.fill();
}

/** The colour scale with its centimetres. */
export function drawLegend(c: CanvasRenderingContext2D, width: number, farCm: number, colours: Palette): void {
  const x0 = 8;
  const x1 = width - 12;
  for (let x = x0; x < x1; x++) {
    const [r, g, b] = heatColour(((x - x0) / (x1 - x0)) * farCm, farCm);
    c.fillStyle = `rgb(${r} ${g} ${b})`;
    c.fillRect(x, 4, 1.5, 10);
  }
  c.font = font(11);
  c.fillStyle = colours.muted;
  c.textBaseline = "top";
  c.textAlign = "center";
  for (const t of ticks(farCm, 4))
    c.fillText(t === 0 ? "0 cm" : String(t), Math.max(x0 + 10, Math.min(x1 - 8, x0 + (t / farCm) * (x1 - x0))), 17);
}
