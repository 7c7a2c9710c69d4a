/** Pictures as numbers: enough of PNG to read what the browser's screenshots are. */
import { inflateSync } from "node:zlib";
import type { Locator } from "playwright-core";

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Four bytes a pixel. */
  readonly rgba: Uint8Array;
}

/** 8 bits a channel, RGB or RGBA, not interlaced: as screenshots are. */
export function decodePng(file: Uint8Array): Pixels {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let at = 8;
  let width = 0;
  let height = 0;
  let channels = 0;
  const data: Uint8Array[] = [];
  while (at < file.length) {
    const length = view.getUint32(at);
    const kind = String.fromCharCode(...file.subarray(at + 4, at + 8));
    const body = at + 8;
    if (kind === "IHDR") {
      width = view.getUint32(body);
      height = view.getUint32(body + 4);
      const colour = file[body + 9];
      if (file[body + 8] !== 8 || (colour !== 2 && colour !== 6) || file[body + 12] !== 0)
        throw new Error("a kind of PNG that is not read here");
      channels = colour === 6 ? 4 : 3;
    } else if (kind === "IDAT") data.push(file.subarray(body, body + length));
    at = body + length + 4;
  }
  const raw = inflateSync(Buffer.concat(data));
  return { width, height, rgba: unfilter(raw, width, height, channels) };
}

function unfilter(raw: Uint8Array, width: number, height: number, channels: number): Uint8Array {
  const stride = width * channels;
  const rgba = new Uint8Array(width * height * 4);
  let above = new Uint8Array(stride);
  for (let y = 0; y < height; y++) {
    const start = y * (stride + 1);
    const filter = raw[start];
    const row = raw.slice(start + 1, start + 1 + stride);
    for (let x = 0; x < stride; x++) {
      const left = x >= channels ? row[x - channels]! : 0;
      const up = above[x]!;
      const corner = x >= channels ? above[x - channels]! : 0;
      const guess =
        filter === 0
          ? 0
          : filter === 1
            ? left
            : filter === 2
              ? up
              : filter === 3
                ? (left + up) >> 1
                : paeth(left, up, corner);
      row[x] = (row[x]! + guess) & 255;
    }
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < 3; c++) rgba[(y * width + x) * 4 + c] = row[x * channels + c]!;
      rgba[(y * width + x) * 4 + 3] = channels === 4 ? row[x * channels + 3]! : 255;
    }
    above = row;
  }
  return rgba;
}

function paeth(a: number, b: number, c: number): number {
  const p = a + b - c;
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/** What an element looks like now. */
export async function pixelsOf(element: Locator): Promise<Pixels> {
  return decodePng(await element.screenshot({ animations: "disabled" }));
}

/** Different colours, a little rounded: a blank canvas has one, a shaded floor with a person hundreds. */
export function colours({ rgba }: Pixels): number {
  const seen = new Set<number>();
  for (let k = 0; k < rgba.length; k += 4)
    seen.add(((rgba[k]! >> 3) << 10) | ((rgba[k + 1]! >> 3) << 5) | (rgba[k + 2]! >> 3));
  return seen.size;
}

/** The share of pixels that differ by more than `by` in a channel. */
export function difference(a: Pixels, b: Pixels, by = 24): number {
  if (a.width !== b.width || a.height !== b.height) return 1;
  let changed = 0;
  for (let k = 0; k < a.rgba.length; k += 4) {
    if ([0, 1, 2].some((c) => Math.abs(a.rgba[k + c]! - b.rgba[k + c]!) > by)) changed++;
  }
  return changed / (a.width * a.height);
}

/** The share of pixels within `by` of a colour. */
export function near({ rgba, width, height }: Pixels, colour: readonly [number, number, number], by = 24): number {
  let count = 0;
  for (let k = 0; k < rgba.length; k += 4)
    if (colour.every((value, c) => Math.abs(rgba[k + c]! - value) <= by)) count++;
  return count / (width * height);
}
