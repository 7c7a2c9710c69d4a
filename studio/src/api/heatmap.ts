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
  /** Row-major, in cm; NaN where no window fits. */
  cm: Float32Array;
}

export function decodeHeatmap(buffer: ArrayBuffer): Heatmap {
  const bad = (why: string) => new ApiError(200, "internal", `the heat map cannot be read: ${why}`);
  if (buffer.byteLength < 24) throw bad("it is cut short");
  const view = new DataView(buffer);
  if (view.getUint32(0, false) !== 0x4757484d) throw bad("it does not start with GWHM");
  if (view.getUint32(4, true) !== 1) throw bad(`version ${view.getUint32(4, true)} is not known`);
  const rows = view.getUint32(8, true);
  const cols = view.getUint32(12, true);
  if (buffer.byteLength < 24 + rows * cols * 4) throw bad("it is cut short");
  return {
    rows,
    cols,
    row_s: view.getFloat32(16, true),
    col_s: view.getFloat32(20, true),
    cm: new Float32Array(buffer, 24, rows * cols),
  };
}
