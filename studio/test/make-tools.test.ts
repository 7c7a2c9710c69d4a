import { describe, expect, it } from "vitest";
import { Desk } from "../src/make/desk";
import type { Point } from "../src/make/geometry";
import { boxBetween } from "../src/make/obstacles";
import { DEFAULTS } from "../src/make/params";
import { arrowTip, headingTo, hitAt } from "../src/make/pick";
import { planKey, type PlanActions } from "../src/make/plan-keys";
import { begin, type Stroke } from "../src/make/plan-tools";
import { EMPTY, curveOf, type Sketch } from "../src/make/sketch";
import { snapToGrid } from "../src/make/snap";

const line: Sketch = {
  ...EMPTY,
  curved: false,
  points: [
    [0, 0],
    [0, 4],
    [0, 8],
  ],
};

function at(x: number, z: number, double = false): Stroke {
  const raw: Point = [x, z];
  return { raw, snapped: snapToGrid(raw, 0.5), reach: 0.2, double };
}

function drag(desk: Desk, ...places: Point[]): void {
  const first = places[0] ?? [0, 0];
  const last = places.at(-1) ?? first;
  const gesture = begin(desk, at(...first));
  for (const p of places.slice(1)) gesture?.move(at(...p));
  gesture?.end(at(...last));
}

describe("picking", () => {
  const sketch: Sketch = {
    ...line,
    obstacles: [boxBetween([2, 2], [4, 4])],
    actions: [{ label: "jump", at: 6 }],
    start: { at: [-2, 0], heading: 0 },
  };

  it("finds points, the curve, actions, obstacles, handles and the start", () => {
    expect(hitAt(sketch, [0.1, 4], 0.2, null)).toEqual({ kind: "point", index: 1 });
    expect(hitAt(sketch, [0.1, 2], 0.2, null)).toMatchObject({ kind: "curve", s: 2 });
    expect(hitAt(sketch, [0, 6.1], 0.2, null)).toEqual({ kind: "action", index: 0 });
    expect(hitAt(sketch, [3, 3], 0.2, null)).toEqual({ kind: "obstacle", index: 0 });
    expect(hitAt(sketch, [4, 4], 0.2, 0)).toEqual({ kind: "obstacle-handle", index: 0, handle: 2 });
    expect(hitAt(sketch, [-2, 0], 0.2, null)).toEqual({ kind: "start" });
    expect(hitAt(sketch, [-2, 0.9], 0.2, null)).toEqual({ kind: "heading" });
    expect(hitAt(sketch, [9, 9], 0.2, null)).toBeNull();
  });

  it("has its arrow where the heading says: 0 is +Z, left is +X", () => {
    expect(arrowTip({ at: [0, 0], heading: Math.PI / 2 })[0]).toBeCloseTo(0.9);
    expect(headingTo([0, 0], [1, 0])).toBeCloseTo(Math.PI / 2);
  });
});

describe("tools", () => {
  it("drags a point as one change", () => {
    const desk = new Desk(line, DEFAULTS);
    drag(desk, [0, 4], [0.6, 4.1], [1.1, 4.1]);
    expect(desk.sketch.value.points[1]).toEqual([1, 4]);
    expect(desk.selection.value).toEqual({ kind: "point", index: 1 });
    desk.undo();
    expect(desk.sketch.value).toBe(line);
  });

  it("does not move on a click", () => {
    const desk = new Desk(
      {
        ...line,
        points: [
          [0.1, 0.1],
          [0, 4],
        ],
      },
      DEFAULTS,
    );
    drag(desk, [0.12, 0.1], [0.13, 0.1]);
    expect(desk.sketch.value.points[0]).toEqual([0.1, 0.1]);
  });

  it("inserts a point on a double click", () => {
    const desk = new Desk(line, DEFAULTS);
    begin(desk, at(0.05, 2, true))?.end(at(0.05, 2));
    expect(desk.sketch.value.points).toHaveLength(4);
  });

  it("draws freehand, and by points with closing", () => {
    const desk = new Desk(EMPTY, DEFAULTS);
    desk.tool.value = "draw";
    drag(desk, ...Array.from({ length: 40 }, (_, k): Point => [k / 10, Math.sin(k / 8)]));
    expect(desk.sketch.value.points.length).toBeGreaterThan(3);
    const other = new Desk(EMPTY, DEFAULTS);
    other.tool.value = "points";
    for (const p of [
      [0, 0],
      [4, 0],
      [4, 4],
      [0.1, 0],
    ] as Point[])
      drag(other, p);
    expect(other.sketch.value).toMatchObject({
      closed: true,
      points: [
        [0, 0],
        [4, 0],
        [4, 4],
      ],
    });
    expect(other.tool.value).toBe("select");
  });

  it("paints along the curve and puts actions on it", () => {
    const desk = new Desk(line, DEFAULTS);
    desk.tool.value = "paint";
    desk.brush.value = "sneak";
    drag(desk, [0.2, 2], [0.3, 4], [0.1, 6]);
    expect(desk.sketch.value.styles).toEqual([{ label: "sneak", from: 2, to: 6 }]);
    desk.tool.value = "action";
    desk.brush.value = "jump";
    drag(desk, [0.1, 7]);
    expect(desk.sketch.value.actions).toEqual([{ label: "jump", at: 7 }]);
  });

  it("makes obstacles by dragging or by a click, and a start with its heading", () => {
    const desk = new Desk(line, DEFAULTS);
    desk.tool.value = "circle";
    drag(desk, [3, 3], [3, 4], [3, 5]);
    desk.tool.value = "box";
    drag(desk, [6, 6]);
    expect(desk.sketch.value.obstacles).toEqual([
      { kind: "circle", centre: [3, 3], radius: 2 },
      boxBetween([5.5, 5.5], [6.5, 6.5]),
    ]);
    desk.tool.value = "start";
    drag(desk, [-2, 0], [-2, 1], [-1, 0.01]);
    expect(desk.sketch.value.start?.heading).toBeCloseTo(Math.PI / 2);
    expect(desk.tool.value).toBe("select");
  });
});

describe("keys", () => {
  const plan: PlanActions = {
    zoom: () => {},
    fitAll: () => {},
    panBy: () => {},
    finishPolygon: () => {},
    cancel: () => {},
    moveCursor: (dx, dz) => void went.push([dx, dz]),
    place: () => wants,
  };
  const went: Point[] = [];
  let wants = true;
  const press = (desk: Desk, key: string, more: Partial<KeyboardEvent> = {}) =>
    planKey(
      { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more } as KeyboardEvent,
      desk,
      plan,
    );

  it("walk from point to point, move, insert and delete", () => {
    const desk = new Desk(line, DEFAULTS);
    expect(press(desk, "]")).toBe(true);
    press(desk, "]");
    expect(desk.selection.value).toEqual({ kind: "point", index: 1 });
    press(desk, "ArrowRight");
    press(desk, "ArrowRight");
    expect(desk.sketch.value.points[1]).toEqual([1, 4]);
    desk.undo();
    expect(desk.sketch.value).toBe(line);
    press(desk, "i");
    expect(desk.sketch.value.points).toHaveLength(4);
    press(desk, "Delete");
    expect(desk.sketch.value.points).toHaveLength(3);
    expect(curveOf(desk.sketch.value).length).toBeCloseTo(8);
  });

  it("move a place and put something there, with every tool that puts something", () => {
    for (const [key, tool] of [
      ["p", "points"],
      ["c", "circle"],
      ["g", "polygon"],
      ["h", "start"],
    ] as const) {
      const desk = new Desk(line, DEFAULTS);
      went.length = 0;
      wants = true;
      press(desk, key);
      expect(desk.tool.value).toBe(tool);
      press(desk, "ArrowRight");
      press(desk, "ArrowUp", { shiftKey: true });
      expect(went, "it appears, then moves by the grid's steps").toEqual([
        [0, 0],
        [0.5, 0],
        [0, -2],
      ]);
      expect(desk.sketch.value, "what is selected stays where it is").toBe(line);
      expect(press(desk, "Enter")).toBe(true);
      expect(desk.tool.value, "and the tool stays in hand").toBe(tool);
    }
    // Nothing left to put: Enter ends it.
    const desk = new Desk(line, DEFAULTS);
    press(desk, "p");
    wants = false;
    press(desk, "Enter");
    expect(desk.tool.value).toBe("select");
  });

  it("undo and redo, choose tools, and leave other keys alone", () => {
    const desk = new Desk(line, DEFAULTS);
    press(desk, "]");
    press(desk, "Delete");
    press(desk, "z", { ctrlKey: true });
    expect(desk.sketch.value).toBe(line);
    press(desk, "Z", { ctrlKey: true, shiftKey: true });
    expect(desk.sketch.value.points).toHaveLength(2);
    press(desk, "d");
    expect(desk.tool.value).toBe("draw");
    expect(press(desk, "q")).toBe(false);
    expect(press(desk, "c", { ctrlKey: true })).toBe(false);
  });
});
