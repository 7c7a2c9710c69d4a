/** Snapping: to the metre grid, and to directions in steps of 15 degrees from the point before. */
import { distance, type Point } from "./geometry";

export interface SnapOptions {
  /** Grid step in metres; 0 leaves places as they are. */
  readonly grid: number;
  /** Whether directions from `from` snap. */
  readonly angles: boolean;
}

const ANGLE_STEP = Math.PI / 12;

export function snapToGrid(p: Point, step: number): Point {
  if (step <= 0) return p;
  // Adding zero turns -0 into 0, which would otherwise be shown as "-0".
  return [Math.round(p[0] / step) * step + 0, Math.round(p[1] / step) * step + 0];
}

/** The same distance from `from`, in the nearest allowed direction; the distance in grid steps where there is a grid. */
export function snapToAngle(p: Point, from: Point, grid: number): Point {
  const d = distance(p, from);
  if (d === 0) return p;
  const angle = Math.round(Math.atan2(p[1] - from[1], p[0] - from[0]) / ANGLE_STEP) * ANGLE_STEP;
  const reach = grid > 0 ? Math.max(grid, Math.round(d / grid) * grid) : d;
  return [from[0] + reach * Math.cos(angle), from[1] + reach * Math.sin(angle)];
}

export function snap(p: Point, options: SnapOptions, from: Point | null): Point {
  if (options.angles && from) return snapToAngle(p, from, options.grid);
  return snapToGrid(p, options.grid);
}
