/**
 * Starting shapes: the curves that `gaitway path` knows by name, as few points.
 *
 * They begin at the origin and set out along +Z as on the command line, except that `hello` is written to be read from
 * above (+Z towards the reader).
 */
import type { Point } from "./geometry";

export interface Shape {
  readonly name: string;
  readonly title: string;
  readonly points: Point[];
  readonly closed: boolean;
  readonly curved: boolean;
}

const TAU = 2 * Math.PI;

function around(count: number, at: (t: number) => Point): Point[] {
  return Array.from({ length: count }, (_, k) => at(k / count));
}

function along(count: number, at: (t: number) => Point): Point[] {
  return Array.from({ length: count + 1 }, (_, k) => at(k / count));
}

function circle(r: number): Point[] {
  return around(12, (t) => [r * (1 - Math.cos(TAU * t)), r * Math.sin(TAU * t)]);
}

function figure8(a: number): Point[] {
  return around(20, (t) => [0.5 * a * Math.sin(2 * TAU * t), a * Math.sin(TAU * t)]);
}

function zigzag(leg: number, legs: number): Point[] {
  const half = leg / Math.SQRT2;
  return Array.from({ length: legs + 1 }, (_, k): Point => [k % 2 === 1 ? half : 0, half * k]);
}

function spiral(outer: number, inner: number, turns: number): Point[] {
  return along(24, (t) => {
    const r = outer + (inner - outer) * t;
    return [outer - r * Math.cos(TAU * turns * t), r * Math.sin(TAU * turns * t)];
  });
}

function sCurve(r: number): Point[] {
  const left = along(6, (t): Point => [r - r * Math.cos(Math.PI * t), r * Math.sin(Math.PI * t)]);
  const right = along(6, (t): Point => [3 * r - r * Math.cos(Math.PI * t), -r * Math.sin(Math.PI * t)]);
  return [...left, ...right.slice(1)];
}

/** Handwriting in one stroke, about 14 m wide. */
function hello(): Point[] {
  const strokes: [number, number][] = [];
  strokes.push([0, 0], [1.2, 1.8], [1.9, 4], [1.2, 5], [0.7, 3.8], [0.6, 1.6], [0.7, 0]);
  strokes.push([1.2, 1.6], [2.1, 2.4], [2.8, 1.4], [3.1, 0.2], [4, 0.2]);
  strokes.push([5.2, 1.3], [5.4, 2.3], [4.5, 2.5], [4, 1.3], [4.6, 0.1], [5.8, 0.2]);
  for (const x of [5.8, 8]) {
    strokes.push([x + 1, 1.8], [x + 1.6, 4], [x + 1, 5], [x + 0.4, 3.8], [x + 0.5, 1.4], [x + 1.2, 0.1]);
    strokes.push([x + 2.2, 0.3]);
  }
  strokes.push([11, 1.4], [12.1, 2.4], [11.2, 2.3], [10.7, 1.2], [11.5, 0.1], [12.7, 0.7], [12.7, 1.9]);
  strokes.push([12.3, 2.5], [13.2, 2.2], [14.2, 2.4]);
  return strokes.map(([x, z]): Point => [x, z === 0 ? 0 : -z]);
}

export const SHAPES: readonly Shape[] = [
  {
    name: "line",
    title: "Line",
    points: [
      [0, 0],
      [0, 8],
    ],
    closed: false,
    curved: true,
  },
  { name: "circle", title: "Circle", points: circle(4), closed: true, curved: true },
  { name: "figure8", title: "Figure eight", points: figure8(4), closed: true, curved: true },
  { name: "zigzag", title: "Zigzag", points: zigzag(3, 4), closed: false, curved: false },
  { name: "spiral", title: "Spiral", points: spiral(4, 1.2, 2), closed: false, curved: true },
  { name: "s", title: "S", points: sCurve(2), closed: false, curved: true },
  { name: "hello", title: "Hello", points: hello(), closed: false, curved: true },
];

export function scaled(shape: Shape, by: number): Shape {
  return { ...shape, points: shape.points.map((p): Point => [p[0] * by + 0, p[1] * by + 0]) };
}
