/** Names of the lanes and seconds along the top of the drawn graph. */
import type { Topology } from "../api/types";
import { font, type Palette } from "../plot/palette";
import { xOf, yOf, type LaneView } from "./arcs-model";
import { ticks } from "./curve-model";

export interface FramePlace {
  readonly view: LaneView;
  /** Pixels of the frame on the left and at the top. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly clips: Topology["clips"];
  /** Lanes that pass the filter; nothing: all. */
  readonly lit: ReadonlySet<number> | null;
}

export function drawFrame(c: CanvasRenderingContext2D, colours: Palette, place: FramePlace): void {
  drawNames(c, colours, place);
  drawClock(c, colours, place);
}

/** A line per clip, as long as the clip. */
export function drawLanes(
  c: CanvasRenderingContext2D,
  colours: Palette,
  view: LaneView,
  clips: Topology["clips"],
): void {
  c.fillStyle = colours["line-strong"];
  clips.forEach((clip, lane) => {
    const y = yOf(view, lane);
    if (y < -view.lane || y > view.height + view.lane) return;
    c.fillRect(xOf(view, 0), Math.round(y) - 1, clip.seconds * view.perSecond, 2);
  });
}

function drawNames(c: CanvasRenderingContext2D, colours: Palette, place: FramePlace): void {
  const { view, left, top, height, clips, lit } = place;
  c.save();
  c.beginPath();
  c.rect(0, top, left, height - top);
  c.clip();
  c.font = font(12);
  c.textAlign = "right";
  c.textBaseline = "middle";
  clips.forEach((clip, lane) => {
    const y = top + yOf(view, lane);
    if (y < 0 || y > height + 10) return;
    c.fillStyle = lit !== null && !lit.has(lane) ? colours.muted : colours.text;
    c.fillText(shortened(c, clip.name, left - 18), left - 10, y);
  });
  c.restore();
}

function drawClock(c: CanvasRenderingContext2D, colours: Palette, { view, left, top, width }: FramePlace): void {
  const step = ticks((width - left) / view.perSecond, 10)[1] ?? 1;
  c.font = font(11);
  c.fillStyle = colours.muted;
  c.textAlign = "center";
  c.textBaseline = "middle";
  for (let t = Math.max(0, Math.ceil(view.left / step) * step); ; t += step) {
    const x = left + xOf(view, t);
    if (x > width - 12) break;
    c.fillText(`${Number(t.toFixed(2))} s`, x, top / 2);
  }
}

/** The end of a clip's name tells it apart from its neighbours, so the start is what goes. */
function shortened(c: CanvasRenderingContext2D, text: string, room: number): string {
  if (c.measureText(text).width <= room) return text;
  let cut = text;
  while (cut.length > 3 && c.measureText(`…${cut}`).width > room) cut = cut.slice(1);
  return `…${cut}`;
}
