/** Thresholds per ordered pair of labels, as the user is changing them. Values: every edit returns a new matrix. */
import type { ThresholdTable } from "../api/types";

export interface Matrix {
  readonly labels: readonly string[];
  readonly ceiling: number;
  readonly default: number;
  /** Row: from; column: to; nothing: the default. */
  readonly cells: readonly (readonly (number | null)[])[];
}

/** Finer than anybody can tell apart, and a divisor of the quarter centimetres that `auto` chooses. */
export const STEP_CM = 0.05;

function clampCm(cm: number, ceiling: number): number {
  const bounded = Math.max(0, Math.min(ceiling, Number.isFinite(cm) ? cm : 0));
  // Twentieths as a division: multiplying would leave 6.050000000000001.
  return Math.round(bounded / STEP_CM) / 20;
}

export function matrixOf(
  labels: readonly string[],
  defaultCm: number,
  ceiling: number,
  cells: readonly (readonly (number | null)[])[],
): Matrix {
  const square = labels.map((_, r) => labels.map((_, c) => cells[r]?.[c] ?? null));
  return { labels, ceiling, default: defaultCm, cells: square };
}

export function effective(m: Matrix, row: number, column: number): number {
  return m.cells[row]?.[column] ?? m.default;
}

export function isOwn(m: Matrix, row: number, column: number): boolean {
  return m.cells[row]?.[column] != null;
}

export function setCell(m: Matrix, row: number, column: number, cm: number | null): Matrix {
  const value = cm === null ? null : clampCm(cm, m.ceiling);
  const cells = m.cells.map((cs, r) => (r === row ? cs.map((c, k) => (k === column ? value : c)) : cs));
  return { ...m, cells };
}

/** The number where no pair has its own. */
export function setDefault(m: Matrix, cm: number): Matrix {
  return { ...m, default: clampCm(cm, m.ceiling) };
}

/**
 * The master slider: the default goes to `cm`, and pairs with their own number move along by the same step.
 * `from` is the matrix when the drag began, so that going there and back changes nothing.
 */
export function shiftAll(from: Matrix, cm: number): Matrix {
  const step = clampCm(cm, from.ceiling) - from.default;
  if (step === 0) return from;
  const cells = from.cells.map((row) => row.map((c) => (c === null ? null : clampCm(c + step, from.ceiling))));
  return { ...from, default: clampCm(cm, from.ceiling), cells };
}

/** One number for every pair. */
export function uniform(m: Matrix, cm: number): Matrix {
  return { ...m, default: clampCm(cm, m.ceiling), cells: m.labels.map(() => m.labels.map(() => null)) };
}

/** No threshold below `cm`; higher ones stay. */
export function raiseTo(m: Matrix, cm: number): Matrix {
  // Up to the next step: a hair below what was tried would not do.
  const least = clampCm(Math.ceil(cm / STEP_CM - 1e-6) * STEP_CM, m.ceiling);
  const cells = m.cells.map((row) => row.map((c) => (c === null ? null : Math.max(c, least))));
  return { ...m, default: Math.max(m.default, least), cells };
}

/** 6.75, 6.8, 7.0: two decimals where the second says something. */
export function cmText(cm: number): string {
  return Math.abs(cm * 10 - Math.round(cm * 10)) > 0.01 ? cm.toFixed(2) : cm.toFixed(1);
}

export function ownCount(m: Matrix): number {
  return m.cells.reduce((t, row) => t + row.filter((c) => c !== null).length, 0);
}

export function equal(a: Matrix, b: Matrix): boolean {
  return a.default === b.default && a.cells.every((row, r) => row.every((c, k) => c === b.cells[r]?.[k]));
}

export function toJson(m: Matrix): ThresholdTable {
  return { default_cm: m.default, cells: m.cells.map((row) => [...row]) };
}

/** Where an arrow key leads in the table; the ends hold. */
export function step(size: number, at: readonly [number, number], key: string): readonly [number, number] | null {
  const [r, c] = at;
  const hold = (v: number) => Math.max(0, Math.min(size - 1, v));
  switch (key) {
    case "ArrowUp":
      return [hold(r - 1), c];
    case "ArrowDown":
      return [hold(r + 1), c];
    case "ArrowLeft":
      return [r, hold(c - 1)];
    case "ArrowRight":
      return [r, hold(c + 1)];
    case "Home":
      return [r, 0];
    case "End":
      return [r, size - 1];
    default:
      return null;
  }
}
