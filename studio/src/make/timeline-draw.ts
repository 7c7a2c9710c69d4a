/** Draws the result's timeline: the strip, labels, stretches off the path, transitions, the selected part, the cursor. */
import type { LabelRow } from "../api/types";
import { heatColour } from "../graph/colormap";
import { ticks } from "../graph/curve-model";
import { font, type Palette } from "../plot/palette";
import { labelColour } from "../ui/label-colours";
import { labelRows } from "./label-rows";
import type { ShownInterpolation, ShownTransition } from "./report";
import type { TimeView } from "./time-view";

type Context = CanvasRenderingContext2D;

export const PAD = 10;
/** The strip on which a part is selected. */
export const STRIP_H = 16;
const BAND_Y = STRIP_H + 4;
const BAND_H = 36;
/** More labels at once than this are told on hover only. */
const MOST_ROWS = 3;
/** Interpolated motion: a strip along the foot of the band. */
const MADE_H = 15;
/** Between two stripes of it. */
const STRIPE = 6;
const MARK_Y = BAND_Y + BAND_H + 4;
const MARK_H = 24;

/** Whether a place is on the strip that tells of interpolated motion, above the pins of transitions. */
export function onMadeStrip(y: number): boolean {
  return y >= BAND_Y + BAND_H - MADE_H && y < BAND_Y + BAND_H;
}

/** What is drawn. Times are those of the result; spans and stretches begin with the chosen person, at `start`. */
export interface Look {
  readonly width: number;
  readonly height: number;
  readonly x: (t: number) => number;
  readonly view: TimeView;
  readonly colours: Palette;
  readonly spans: readonly LabelRow[];
  readonly start: number;
  readonly off: readonly { readonly from: number; readonly to: number }[];
  readonly marks: readonly ShownTransition[];
  readonly made: readonly ShownInterpolation[];
  readonly range: { readonly from: number; readonly to: number } | null;
  readonly now: number;
}

export function drawTimeline(c: Context, look: Look): void {
  const { width, height, colours } = look;
  c.textBaseline = "middle";
  c.save();
  c.beginPath();
  c.rect(PAD - 5, 0, width - 2 * PAD + 10, height);
  c.clip();
  c.fillStyle = colours["panel-2"];
  c.fillRect(PAD, 0, width - 2 * PAD, STRIP_H - 2);
  c.fillStyle = colours.line;
  c.fillRect(PAD, BAND_Y, width - 2 * PAD, BAND_H);
  drawLabels(c, look);
  drawMade(c, look);
  drawOff(c, look);
  drawMarks(c, look);
  drawRange(c, look);
  c.restore();
  c.font = font(10.5);
  c.fillStyle = colours.muted;
  c.textAlign = "center";
  const { from, to } = look.view;
  const count = Math.max(2, width / 90) * (to / (to - from));
  for (const t of ticks(to, count).filter((t) => t >= from))
    c.fillText(`${t} s`, Math.max(16, Math.min(width - 16, look.x(t))), height - 8);
  const at = Math.round(look.x(look.now)) + 0.5;
  if (at < PAD - 2 || at > width - PAD + 2) return;
  c.strokeStyle = colours.text;
  c.lineWidth = 2;
  c.beginPath();
  c.moveTo(at, STRIP_H);
  c.lineTo(at, height - 16);
  c.stroke();
}

function drawLabels(c: Context, look: Look): void {
  const { colours, spans, start } = look;
  const { placed, rows } = labelRows(spans, MOST_ROWS);
  const tall = BAND_H / Math.max(1, rows);
  c.font = font(Math.min(11, tall - 2.5), 600);
  c.textAlign = "left";
  for (const l of placed) {
    const x0 = look.x(start + l.start_s);
    const x1 = look.x(start + l.end_s);
    const y = BAND_Y + l.row * tall;
    c.fillStyle = labelColour(l.label, colours.dark);
    c.fillRect(x0, y, Math.max(1, x1 - x0 - 1), tall - (rows > 1 ? 1 : 0));
    if (tall < 9 || x1 - x0 < c.measureText(l.label).width + 8) continue;
    c.fillStyle = colours.dark ? "#10151c" : "#fff";
    c.fillText(l.label, x0 + 4, y + tall / 2);
  }
}

/**
 * Transitions as pins where both clips meet: the taller, the further apart the two motions were. A blend's foot reaches as far
 * to both sides as it lasts; a cut has a square head and a tail that runs out as its jump fades.
 */
function drawMarks(c: Context, look: Look): void {
  const { colours, marks, width } = look;
  const most = Math.max(8, ...marks.map((m) => m.distance_cm));
  c.fillStyle = colours.line;
  c.fillRect(PAD, MARK_Y + MARK_H, width - 2 * PAD, 1);
  for (const m of marks) {
    const x = look.x(m.t);
    const tall = 5 + (MARK_H - 7) * Math.min(1, m.distance_cm / most);
    const [r, g, b] = heatColour(m.distance_cm, most * 1.3);
    const foot = MARK_Y + MARK_H;
    c.fillStyle = colours["line-strong"];
    c.beginPath();
    if (m.kind === "cut") {
      c.moveTo(x, foot - tall);
      c.lineTo(look.x(m.end), foot);
      c.lineTo(x, foot);
    } else c.rect(look.x(m.start), foot - 2.5, look.x(m.end) - look.x(m.start), 2.5);
    c.globalAlpha = 0.45;
    c.fill();
    c.globalAlpha = 1;
    c.fillRect(x - 0.75, foot - tall, 1.5, tall);
    c.beginPath();
    if (m.kind === "cut") c.rect(x - 3.5, foot - tall - 3.5, 7, 7);
    else c.arc(x, foot - tall, 3.5, 0, 2 * Math.PI);
    c.fillStyle = `rgb(${r} ${g} ${b})`;
    c.fill();
    c.strokeStyle = colours["line-strong"];
    c.lineWidth = 1;
    c.stroke();
  }
}

/** Where interpolated motion plays: a blue strip with stripes, and between which clips it lies where there is room. */
function drawMade(c: Context, look: Look): void {
  const { colours } = look;
  const y = BAND_Y + BAND_H - MADE_H;
  c.font = font(10.5, 600);
  c.textAlign = "left";
  for (const { start, end, words } of look.made) {
    const x0 = look.x(start);
    const wide = Math.max(2, look.x(end) - x0);
    c.save();
    c.beginPath();
    c.rect(x0, y, wide, MADE_H);
    c.clip();
    c.fillStyle = colours.panel;
    c.fillRect(x0, y, wide, MADE_H);
    c.strokeStyle = colours.interpolated;
    c.lineWidth = 2;
    c.beginPath();
    // From a fixed place on, so that stripes do not crawl as one zooms.
    for (let x = x0 - MADE_H; x < x0 + wide + STRIPE; x += STRIPE) {
      c.moveTo(x, y + MADE_H);
      c.lineTo(x + MADE_H, y);
    }
    c.stroke();
    c.strokeRect(x0 + 1, y + 1, wide - 2, MADE_H - 2);
    const text = c.measureText(words).width + 8;
    if (wide >= text + 6) {
      c.fillStyle = colours.panel;
      c.fillRect(x0 + 3, y + 2, text, MADE_H - 4);
      c.fillStyle = colours.interpolated;
      c.fillText(words, x0 + 7, y + MADE_H / 2 + 0.5);
    }
    c.restore();
  }
}

/** Where the motion is off its path: a red bar under the labels. */
function drawOff(c: Context, look: Look): void {
  for (const { from, to } of look.off) {
    const x0 = look.x(look.start + from);
    const wide = Math.max(3, look.x(look.start + to) - x0);
    c.fillStyle = look.colours.bad;
    c.globalAlpha = 0.28;
    c.fillRect(x0, BAND_Y, wide, MARK_Y + MARK_H - BAND_Y);
    c.globalAlpha = 1;
    c.fillRect(x0, BAND_Y + BAND_H - 4, wide, 4);
  }
}

/** The part that is selected, with a grip at each end; where there is none, how to select one. */
function drawRange(c: Context, look: Look): void {
  const { range, colours, height } = look;
  if (!range) {
    c.font = font(10);
    c.fillStyle = colours.muted;
    c.textAlign = "left";
    c.fillText("Drag here to select a part", PAD + 6, (STRIP_H - 2) / 2);
    return;
  }
  const x0 = look.x(range.from);
  const x1 = look.x(range.to);
  c.globalAlpha = 0.22;
  c.fillStyle = colours.accent;
  c.fillRect(x0, 0, x1 - x0, height - 16);
  c.globalAlpha = 1;
  c.fillRect(x0, 0, x1 - x0, STRIP_H - 2);
  c.fillRect(x0 - 1, 0, 2, height - 16);
  c.fillRect(x1 - 1, 0, 2, height - 16);
  // Grips: what is dragged to make the part longer or shorter.
  for (const x of [x0, x1]) {
    c.beginPath();
    c.roundRect(x - 4, 0, 8, STRIP_H, 3);
    c.fill();
  }
}
