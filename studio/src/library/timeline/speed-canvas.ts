/** The speed lane: a filled curve, so that one sees where standing, walking and running begin. */

/** Lines of the scale, m/s. */
const MARKS = [1, 2, 4, 8] as const;

export interface SpeedView {
  /** Of the whole motion, one value per frame. */
  speed: Float32Array;
  /** First frame seen and pixels per frame. */
  from: number;
  pixelsPerFrame: number;
  width: number;
  height: number;
}

export function speedCeiling(speed: Float32Array): number {
  let top = 0;
  for (const value of speed) top = Math.max(top, value);
  return Math.max(1.5, top * 1.15);
}

export function drawSpeed(canvas: HTMLCanvasElement, view: SpeedView): void {
  const scale = Math.min(devicePixelRatio, 2);
  canvas.width = Math.round(view.width * scale);
  canvas.height = Math.round(view.height * scale);
  canvas.style.width = `${view.width}px`;
  canvas.style.height = `${view.height}px`;
  const pen = canvas.getContext("2d");
  if (!pen) return;
  const style = getComputedStyle(canvas);
  const top = speedCeiling(view.speed);
  const y = (value: number) => view.height - 1 - (value / top) * (view.height - 4);
  pen.scale(scale, scale);
  pen.strokeStyle = style.borderTopColor;
  pen.beginPath();
  for (const mark of MARKS) {
    if (mark > top) break;
    pen.moveTo(0, Math.round(y(mark)) + 0.5);
    pen.lineTo(view.width, Math.round(y(mark)) + 0.5);
  }
  pen.stroke();
  pen.beginPath();
  pen.moveTo(0, view.height);
  for (let x = 0; x <= view.width; x++) pen.lineTo(x, y(highest(view, x)));
  pen.lineTo(view.width, view.height);
  pen.fillStyle = style.color;
  pen.globalAlpha = 0.28;
  pen.fill();
  pen.globalAlpha = 1;
  pen.strokeStyle = style.color;
  pen.stroke();
}

/** Zoomed out, a pixel stands for many frames; the fastest of them is shown. */
function highest(view: SpeedView, x: number): number {
  const first = view.from + x / view.pixelsPerFrame;
  const last = view.from + (x + 1) / view.pixelsPerFrame;
  const end = view.speed.length - 1;
  if (last - first < 1) {
    const k = Math.min(end, Math.max(0, Math.floor(first)));
    const part = Math.min(1, Math.max(0, first - k));
    return view.speed[k]! * (1 - part) + view.speed[Math.min(end, k + 1)]! * part;
  }
  let top = 0;
  for (let k = Math.max(0, Math.floor(first)); k < Math.min(end + 1, last); k++) top = Math.max(top, view.speed[k]!);
  return top;
}
