import { chooseTicks, tickText } from "./ruler";

const HEIGHT = 22;

/** Draws the part of the ruler that is seen, starting at `from` seconds. Colours come from the element's CSS. */
export function drawRuler(canvas: HTMLCanvasElement, width: number, from: number, pixelsPerSecond: number): void {
  const scale = Math.min(devicePixelRatio, 2);
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(HEIGHT * scale);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${HEIGHT}px`;
  const pen = canvas.getContext("2d");
  if (!pen) return;
  const style = getComputedStyle(canvas);
  pen.scale(scale, scale);
  pen.strokeStyle = style.borderBottomColor;
  pen.fillStyle = style.color;
  pen.font = `11px ${style.fontFamily}`;
  pen.textBaseline = "middle";
  const { major, parts } = chooseTicks(pixelsPerSecond);
  const small = major / parts;
  const last = from + width / pixelsPerSecond;
  pen.beginPath();
  for (let k = Math.max(0, Math.floor(from / small)); k * small <= last + small; k++) {
    const x = Math.round((k * small - from) * pixelsPerSecond) + 0.5;
    const numbered = k % parts === 0;
    pen.moveTo(x, numbered ? 4 : HEIGHT - 5);
    pen.lineTo(x, HEIGHT);
    if (numbered) pen.fillText(tickText(k * small, major), x + 4, 9);
  }
  pen.stroke();
}
