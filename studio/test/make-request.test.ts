import { describe, expect, it } from "vitest";
import {
  boxBetween,
  circleThrough,
  clearance,
  contains,
  fromJson,
  handles,
  moved,
  resized,
  toJson,
  withHandle,
  type Obstacle,
} from "../src/make/obstacles";
import { labelRows, labelsAt } from "../src/make/label-rows";
import { DEFAULTS } from "../src/make/params";
import { barWords, figure, verdict } from "../src/make/quality";
import { pathRequest, placeOf, problemsOf, saidProblems } from "../src/make/request";
import { EMPTY, type Sketch } from "../src/make/sketch";
import { cannotResolve } from "../src/make/report";
import { decode, draftKey, encode, load, save } from "../src/make/store";
import type { ResultMember } from "../src/api/types";

const sketch: Sketch = {
  ...EMPTY,
  points: [
    [0, 0],
    [0, 5],
    [5, 5],
  ],
  styles: [{ label: "sneak", from: 2, to: 4 }],
  actions: [{ label: "jump", at: 6 }],
  obstacles: [circleThrough([0, 3], [0, 3.5]), boxBetween([9, 9], [8, 8])],
};

describe("obstacles", () => {
  const triangle: Obstacle = {
    kind: "polygon",
    points: [
      [0, 0],
      [4, 0],
      [0, 4],
    ],
  };

  it("know what is inside and how far the rest is", () => {
    expect(contains(triangle, [1, 1])).toBe(true);
    expect(contains(triangle, [3, 3])).toBe(false);
    expect(clearance(triangle, [-2, 1])).toBeCloseTo(2);
    expect(clearance(boxBetween([2, 2], [0, 0]), [3, 1])).toBeCloseTo(1);
    expect(clearance(circleThrough([0, 0], [1, 0]), [3, 0])).toBeCloseTo(2);
  });

  it("move, grow and never vanish", () => {
    expect(moved(triangle, 1, 2)).toEqual({
      kind: "polygon",
      points: [
        [1, 2],
        [5, 2],
        [1, 6],
      ],
    });
    const box = boxBetween([0, 0], [2, 1]);
    expect(handles(box)).toHaveLength(4);
    expect(withHandle(box, 2, [4, 4])).toEqual(boxBetween([0, 0], [4, 4]));
    expect(withHandle(circleThrough([1, 1], [2, 1]), 0, [1, 4])).toMatchObject({ radius: 3 });
    expect(resized(circleThrough([0, 0], [1, 0]), -5)).toMatchObject({ radius: 0.1 });
    for (const o of [triangle, box]) expect(fromJson(toJson(o))).toEqual(o);
  });
});

describe("request", () => {
  it("sends the curve as drawn, gaps filled, the last style to the end", () => {
    const r = pathRequest(sketch, { ...DEFAULTS, corridor: 0, bend: 0, alternatives: 3, count: 4 }, "A");
    expect(r.smooth).toBe(false);
    expect(r.points.length).toBeGreaterThan(50);
    expect(r.styles.map((s) => s.label)).toEqual(["any", "sneak", "any"]);
    expect(r.styles.at(-1)?.to_m).toBeNull();
    expect(r.corridor_m).toBeNull();
    expect(r.bend_m).toBeNull();
    // A crowd has no alternatives.
    expect(r.alternatives).toBe(1);
    expect(r.obstacles[0]).toEqual({ circle: [0, 3, 0.5] });
  });

  it("leaves the closing point of a loop to the server", () => {
    const r = pathRequest({ ...sketch, closed: true, curved: false }, DEFAULTS, null);
    expect(r.points).toHaveLength(3);
  });

  it("names what is wrong before asking", () => {
    expect(problemsOf(EMPTY, [])[0]).toMatchObject({ blocks: true, place: { kind: "whole" } });
    const problems = problemsOf(sketch, ["walk", "jump"]);
    expect(problems.map((p) => p.place)).toEqual([
      { kind: "style", index: 0 },
      { kind: "obstacle", index: 0 },
    ]);
  });

  it("finds the place of the server's errors", () => {
    expect(placeOf("styles[1].label", "", sketch, DEFAULTS)).toEqual({ kind: "style", index: 0 });
    expect(placeOf("styles[0]", "", sketch, DEFAULTS)).toMatchObject({ kind: "metre", at: 0 });
    expect(placeOf("obstacles[1]", "", sketch, DEFAULTS)).toEqual({ kind: "obstacle", index: 1 });
    expect(placeOf("points[3]", "", sketch, DEFAULTS)).toMatchObject({ kind: "metre" });
    expect(placeOf("corridor_m", "", sketch, DEFAULTS)).toEqual({ kind: "param", name: "corridor_m" });
    expect(placeOf(null, "no clip carries the label `jump`", sketch, DEFAULTS)).toEqual({ kind: "action", index: 0 });
    expect(placeOf("request.styles[1].label", "", sketch, DEFAULTS)).toEqual({ kind: "style", index: 0 });
    const blocked = "no walk: blocked by obstacle 1, at (8.50, 8.50); furthest at (1.00, 2.00), 3.25 m along the path";
    expect(saidProblems(null, blocked, null, sketch, DEFAULTS).map((p) => p.place)).toEqual([
      { kind: "obstacle", index: 1 },
      { kind: "metre", at: 3.25 },
    ]);
    expect(placeOf(null, "broken", sketch, DEFAULTS)).toEqual({ kind: "whole" });
  });
});

describe("autosave", () => {
  it("comes back as it was", () => {
    const shelf = new Map<string, string>();
    const storage = {
      getItem: (k: string) => shelf.get(k) ?? null,
      setItem: (k: string, v: string) => void shelf.set(k, v),
    };
    const saved = {
      sketch: { ...sketch, start: { at: [1, 2] as const, heading: 0.5 } },
      params: { ...DEFAULTS, seed: 9 },
    };
    expect(save(storage, saved, draftKey("a"))).toBe(true);
    expect(load(storage, draftKey("a"))).toEqual(saved);
    expect(load(storage, draftKey("b")), "another project's").toBeNull();
  });

  it("drops what does not read, and holds numbers within bounds", () => {
    expect(decode("{")).toBeNull();
    expect(decode('{"sketch": {"points": [["a", 1]]}}')).toBeNull();
    const text = encode({ sketch, params: { ...DEFAULTS, count: 4000 } });
    expect(decode(text)?.params.count).toBe(100);
    const refusing = {
      getItem: () => {
        throw new Error("no");
      },
      setItem: () => {
        throw new Error("full");
      },
    };
    expect(load(refusing, "any")).toBeNull();
    expect(save(refusing, { sketch, params: DEFAULTS }, "any")).toBe(false);
  });
});

describe("a part to be solved again", () => {
  it("needs everybody's walk, and a path", () => {
    const member = (walk: unknown) => ({ walk }) as ResultMember;
    expect(cannotResolve({ kind: "path", members: [member({}), member({})] })).toBeNull();
    expect(cannotResolve({ kind: "path", members: [member({}), member(null)] })).toMatch(/Synthesize it again/);
    expect(cannotResolve({ kind: "walk", members: [member(null)] })).toMatch(/another seed/);
    expect(cannotResolve({ kind: "place", members: [member(null)] })).toMatch(/another seed/);
  });
});

describe("quality in words", () => {
  it("says what a number means and what was missed", () => {
    const skate = { name: "sliding feet, mean", value: 3.456, bar: 2, unit: "cm/s", pass: false };
    expect(barWords(skate).title).toBe("Sliding feet");
    expect(barWords(skate).sentence).toBe("Sliding feet: 3.46 cm/s, the bar is 2.00 cm/s: too much.");
    expect(verdict([skate, { ...skate, pass: true }]).text).toBe("1 of 2 bars missed: sliding feet.");
    expect(figure(0.01234)).toBe("0.012");
    expect(figure(NaN)).toBe("–");
  });
});

describe("labels over time", () => {
  it("are merged where they touch and put in rows where they overlap", () => {
    const span = (label: string, start_s: number, end_s: number) => ({ label, start_s, end_s });
    const spans = [
      span("walk", 0, 4),
      span("walk", 4.01, 9),
      span("turn", 3, 5),
      span("jump", 9, 10),
      span("stop", 4, 4.5),
    ];
    const { placed, rows } = labelRows(spans, 2);
    expect(rows).toBe(2);
    expect(placed.map((p) => [p.label, p.row])).toEqual([
      ["walk", 0],
      ["turn", 1],
      ["jump", 0],
    ]);
    expect(labelsAt(spans, 3.5)).toEqual(["walk", "turn"]);
  });
});
