/** Screenshots for the docs: 256 colours chosen by median cut, as an indexed PNG of a fifth of the size. */
import { crc32, deflateSync } from "node:zlib";
import type { Pixels } from "./png";

interface Bin {
  readonly count: number;
  /** Mean colour of the pixels in it. */
  readonly rgb: readonly [number, number, number];
}

const CELLS = 1 << 15;
const cellOf = (r: number, g: number, b: number) => ((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3);

export function indexedPng({ width, height, rgba }: Pixels, most = 256): Uint8Array {
  const bins = histogram(rgba);
  const palette = medianCut(
    bins.filter((bin) => bin !== undefined),
    most,
  );
  const index = new Uint8Array(CELLS);
  bins.forEach((bin, cell) => bin && (index[cell] = nearest(palette, bin.rgb)));
  const rows = new Uint8Array(height * (width + 1));
  for (let y = 0, k = 0; y < height; y++) {
    for (let x = 0; x < width; x++, k += 4)
      rows[y * (width + 1) + 1 + x] = index[cellOf(rgba[k]!, rgba[k + 1]!, rgba[k + 2]!)]!;
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((c) => c.map(Math.round)));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function histogram(rgba: Uint8Array): (Bin | undefined)[] {
  const sums = new Float64Array(CELLS * 4);
  for (let k = 0; k < rgba.length; k += 4) {
    const at = 4 * cellOf(rgba[k]!, rgba[k + 1]!, rgba[k + 2]!);
    for (let c = 0; c < 3; c++) sums[at + c]! += rgba[k + c]!;
    sums[at + 3]! += 1;
  }
  return Array.from({ length: CELLS }, (_, cell) => {
    const n = sums[4 * cell + 3]!;
    return n === 0
      ? undefined
      : { count: n, rgb: [sums[4 * cell]! / n, sums[4 * cell + 1]! / n, sums[4 * cell + 2]! / n] as const };
  });
}

/** Splits the box with the widest spread, weighed by the root of its pixels: a small figure must not lose to a large floor. */
function medianCut(bins: readonly Bin[], most: number): [number, number, number][] {
  const boxes = [[...bins]];
  while (boxes.length < most) {
    const scored = boxes.map((box) => ({ box, ...widest(box) })).filter(({ box }) => box.length > 1);
    const worst = scored.sort((a, b) => b.score - a.score)[0];
    if (!worst) break;
    worst.box.sort((a, b) => a.rgb[worst.axis]! - b.rgb[worst.axis]!);
    const half = worst.box.reduce((sum, bin) => sum + Math.sqrt(bin.count), 0) / 2;
    let seen = 0;
    const cut = worst.box.findIndex((bin) => (seen += Math.sqrt(bin.count)) >= half);
    const at = Math.min(worst.box.length - 1, Math.max(1, cut));
    boxes.splice(boxes.indexOf(worst.box), 1, worst.box.slice(0, at), worst.box.slice(at));
  }
  return boxes.map((box) => {
    const n = box.reduce((sum, bin) => sum + bin.count, 0);
    return [0, 1, 2].map((c) => box.reduce((sum, bin) => sum + bin.count * bin.rgb[c]!, 0) / n) as [
      number,
      number,
      number,
    ];
  });
}

function widest(box: readonly Bin[]): { axis: number; score: number } {
  const spread = [0, 1, 2].map(
    (c) => Math.max(...box.map((bin) => bin.rgb[c]!)) - Math.min(...box.map((bin) => bin.rgb[c]!)),
  );
  const axis = spread.indexOf(Math.max(...spread));
  return { axis, score: spread[axis]! * Math.sqrt(box.reduce((sum, bin) => sum + Math.sqrt(bin.count), 0)) };
}

function nearest(palette: readonly (readonly number[])[], [r, g, b]: readonly [number, number, number]): number {
  let best = 0;
  let least = Infinity;
  palette.forEach((colour, k) => {
    const d = (colour[0]! - r) ** 2 + (colour[1]! - g) ** 2 + (colour[2]! - b) ** 2;
    if (d < least) [least, best] = [d, k];
  });
  return best;
}

function chunk(kind: string, body: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(kind, "latin1"), body]);
  const out = Buffer.alloc(named.length + 8);
  out.writeUInt32BE(body.length, 0);
  out.set(named, 4);
  out.writeUInt32BE(crc32(named), named.length + 4);
  return out;
}
