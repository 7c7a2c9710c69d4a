/** The distance of every frame of one clip to every frame of another (`GWHM`). */
import { ApiError } from "./error";

export interface Heatmap {
  /** Cells along clip a. */
  rows: number;
  /** Cells along clip b. */
  cols: number;
  /** Seconds per cell along a and b. */
  row_s: number;
  col_s: number;
  /** 1: every frame was compared; more, of clips too long for that: every so manyth. */
  every: number;
  /** Row-major, in cm; NaN where no window fits. */
  cm: Float32Array;
}

/** Bytes before the numbers. */
const HEAD = 28;

export function decodeHeatmap(buffer: ArrayBuffer): Heatmap {
  const bad = (why: string) => new ApiError(200, "internal", `the heat map cannot be read: ${why}`);
  if (buffer.byteLength < HEAD) throw bad("it is cut short");
  const view = new DataView(buffer);
  if (view.getUint32(0, false) !== 0x4757484d) throw bad("it does not start with GWHM");
  if (view.getUint32(4, true) !== 2) throw bad(`version ${view.getUint32(4, true)} is not known`);
  const rows = view.getUint32(8, true);
  const cols = view.getUint32(12, true);
  if (buffer.byteLength < HEAD + rows * cols * 4) throw bad("it is cut short");
  return {
    rows,
    cols,
    row_s: view.getFloat32(16, true),
    col_s: view.getFloat32(20, true),
    every: view.getUint32(24, true),
    cm: new Float32Array(buffer, HEAD, rows * cols),
  };
}
