import { describe, expect, it } from "vitest";
import type { Point } from "../src/make/geometry";
import { History } from "../src/make/history";
import {
  EMPTY,
  addPoint,
  curveOf,
  deletePoint,
  fromFreehand,
  insertAt,
  movePoint,
  naturalStart,
  replaceShape,
  reverse,
  scale,
  setClosed,
  smooth,
  type Sketch,
} from "../src/make/sketch";
import { SHAPES, scaled } from "../src/make/shapes";
import { paint, paintAround, withoutGaps } from "../src/make/styles";

const straight: Sketch = {
  ...EMPTY,
  curved: false,
  points: [
    [0, 0],
    [0, 4],
    [0, 8],
    [0, 10],
  ],
  styles: [{ label: "sneak", from: 5, to: 7 }],
  actions: [{ label: "jump", at: 9 }],
};

describe("painting", () => {
  it("cuts, replaces and merges", () => {
    let spans = paint([], "walk", 0, 10);
    spans = paint(spans, "sneak", 6, 4);
    expect(spans).toEqual([
      { label: "walk", from: 0, to: 4 },
      { label: "sneak", from: 4, to: 6 },
      { label: "walk", from: 6, to: 10 },
    ]);
    expect(paint(spans, "walk", 4, 6)).toEqual([{ label: "walk", from: 0, to: 10 }]);
    expect(paint(spans, "", 0, 5)).toEqual([
      { label: "sneak", from: 5, to: 6 },
      { label: "walk", from: 6, to: 10 },
    ]);
  });

  it("ignores slips of the hand", () => {
    expect(paint([], "walk", 3, 3.01)).toEqual([]);
  });

  it("goes the short way round a loop", () => {
    expect(paintAround([], "run", 9, 1, 10)).toEqual([
      { label: "run", from: 0, to: 1 },
      { label: "run", from: 9, to: 10 },
    ]);
  });

  it("fills gaps with any, and leaves an unpainted path alone", () => {
    expect(withoutGaps([], 10)).toEqual([]);
    expect(withoutGaps([{ label: "run", from: 2, to: 4 }], 10)).toEqual([
      { label: "any", from: 0, to: 2 },
      { label: "run", from: 2, to: 4 },
      { label: "any", from: 4, to: 10 },
    ]);
    expect(withoutGaps([{ label: "run", from: 0.02, to: 9.99 }], 10)).toEqual([{ label: "run", from: 0, to: 10 }]);
  });
});

describe("edits carry what is painted", () => {
  it("moves what lies after a change by what became longer", () => {
    const next = movePoint(straight, 1, [3, 4]);
    const length = curveOf(next).length;
    expect(length).toBeCloseTo(12);
    expect(next.actions[0]?.at).toBeCloseTo(11);
    expect(next.styles[0]?.from).toBeCloseTo(6.25);
    expect(next.styles[0]?.to).toBeCloseTo(8.75);
  });

  it("keeps places when a point is put on the curve, and when one is added at the end", () => {
    const { sketch, index } = insertAt(straight, 6, [0, 6]);
    expect(index).toBe(2);
    expect(sketch.styles).toEqual(straight.styles);
    expect(addPoint(straight, [5, 10]).styles).toEqual(straight.styles);
  });

  it("survives deleting points", () => {
    const next = deletePoint(straight, 1);
    expect(next.points).toHaveLength(3);
    expect(next.styles).toEqual(straight.styles);
    const first = deletePoint(straight, 0);
    expect(curveOf(first).length).toBeCloseTo(6);
    expect(first.actions[0]?.at).toBeCloseTo(5);
  });

  it("closes and opens without moving what was drawn", () => {
    const closed = setClosed(straight, true);
    expect(curveOf(closed).length).toBeCloseTo(20);
    expect(closed.styles).toEqual(straight.styles);
    expect(closed.actions).toEqual(straight.actions);
    expect(
      setClosed(
        {
          ...EMPTY,
          points: [
            [0, 0],
            [1, 1],
          ],
        },
        true,
      ).closed,
    ).toBe(false);
  });

  it("reverses styles with the curve", () => {
    const next = reverse(straight);
    expect(next.points[0]).toEqual([0, 10]);
    expect(next.styles).toEqual([{ label: "sneak", from: 3, to: 5 }]);
    expect(next.actions).toEqual([{ label: "jump", at: 1 }]);
  });

  it("scales, smooths and replaces", () => {
    expect(scale(straight, 2).styles).toEqual([{ label: "sneak", from: 10, to: 14 }]);
    expect(smooth(straight).curved).toBe(true);
    const other = replaceShape(
      straight,
      [
        [0, 0],
        [20, 0],
      ],
      false,
      true,
    );
    expect(other.styles).toEqual([{ label: "sneak", from: 10, to: 14 }]);
    expect(other.actions).toEqual([{ label: "jump", at: 18 }]);
  });

  it("stays within the curve through many random edits", () => {
    let state = 7;
    const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
    let sketch: Sketch = { ...straight, curved: true };
    for (let k = 0; k < 400; k++) {
      const n = sketch.points.length;
      const at: Point = [random() * 10 - 5, random() * 10];
      const which = Math.floor(random() * n);
      const dice = random();
      if (dice < 0.4) sketch = movePoint(sketch, which, at);
      else if (dice < 0.6) sketch = insertAt(sketch, random() * curveOf(sketch).length, at).sketch;
      else if (dice < 0.75 && n > 3) sketch = deletePoint(sketch, which);
      else if (dice < 0.85) sketch = setClosed(sketch, !sketch.closed);
      else sketch = reverse(sketch);
      const length = curveOf(sketch).length + 1e-6;
      for (const s of sketch.styles) {
        expect(s.from).toBeGreaterThanOrEqual(0);
        expect(s.to).toBeLessThanOrEqual(length);
        expect(s.from).toBeLessThan(s.to);
      }
      for (const a of sketch.actions) expect(a.at).toBeLessThanOrEqual(length);
    }
  });
});

describe("freehand", () => {
  it("becomes few points, and a loop when the hand comes back", () => {
    const ring = Array.from({ length: 300 }, (_, k): Point => {
      const a = (k / 300) * 2 * Math.PI;
      return [3 * Math.cos(a), 3 * Math.sin(a)];
    });
    const drawn = fromFreehand(ring, 0.05);
    expect(drawn?.closed).toBe(true);
    expect(drawn?.points.length).toBeLessThan(40);
    expect(fromFreehand(ring.slice(0, 150), 0.05)?.closed).toBe(false);
    expect(
      fromFreehand(
        [
          [0, 0],
          [0.01, 0],
        ],
        0.05,
      ),
    ).toBeNull();
  });

  it("has a natural start along the curve", () => {
    expect(naturalStart(straight)).toEqual({ at: [0, 0], heading: 0 });
  });
});

describe("shapes", () => {
  it("start at the origin and have the lengths they should", () => {
    const length = (name: string) => {
      const shape = SHAPES.find((s) => s.name === name);
      return shape ? curveOf({ ...EMPTY, ...shape }).length : 0;
    };
    expect(length("line")).toBeCloseTo(8);
    expect(length("circle")).toBeCloseTo(8 * Math.PI, 0);
    expect(length("zigzag")).toBeCloseTo(12);
    for (const s of SHAPES) expect(Math.hypot(...(s.points[0] ?? [9, 9]))).toBeCloseTo(0);
    const line = SHAPES[0];
    expect(line && scaled(line, 2).points[1]).toEqual([0, 16]);
  });
});

describe("history", () => {
  it("undoes, redoes and takes a drag as one change", () => {
    const h = new History(0);
    h.push(1);
    h.push(2, "drag");
    h.push(3, "drag");
    h.seal();
    h.push(4, "drag");
    expect(h.undo() && h.state).toBe(3);
    expect(h.undo() && h.state).toBe(1);
    expect(h.redo() && h.state).toBe(3);
    h.push(9);
    expect(h.canRedo).toBe(false);
    expect(h.undo() && h.undo() && h.undo()).toBe(true);
    expect(h.undo()).toBe(false);
    expect(h.state).toBe(0);
  });
});
