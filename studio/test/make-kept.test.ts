import { describe, expect, it } from "vitest";
import { Desk } from "../src/make/desk";
import { newestDrafts } from "../src/make/drafts";
import { notLive } from "../src/make/live";
import { DEFAULTS } from "../src/make/params";
import { isOf, pathRequest, placeRequest } from "../src/make/request";
import { EMPTY, curveOf, type Sketch } from "../src/make/sketch";
import {
  draftKey,
  encode,
  fromWire,
  lastOpened,
  openKey,
  sketchOf,
  takeUp,
  toWire,
  type Shelf,
} from "../src/make/store";
import { exportQuery } from "../src/make/take-home";
import type { Result, ResultSummary } from "../src/api/types";

const sketch: Sketch = {
  ...EMPTY,
  points: [
    [0, 0],
    [0.4, 3],
    [0, 6],
  ],
  styles: [{ label: "walk", from: 0, to: 2 }],
  actions: [{ label: "jump", at: 4 }],
  obstacles: [{ kind: "circle", centre: [3, 3], radius: 0.5 }],
  start: { at: [0, 0], heading: 0.25 },
  end: { what: "sit", at: [2, 5], heading: 1.5, playOut: true, any: false },
};

function shelfOf(entries: readonly (readonly [string, string])[] = []): { shelf: Shelf; kept: Map<string, string> } {
  const kept = new Map(entries);
  const shelf: Shelf = {
    get length() {
      return kept.size;
    },
    key: (k) => [...kept.keys()][k] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
  return { shelf, kept };
}

/** As the server gives back what was asked for: through JSON. */
const asked = (s: Sketch, params = DEFAULTS) =>
  JSON.parse(JSON.stringify(pathRequest(s, params, "a name"))) as Result["request"];

describe("what is kept of a project", () => {
  it("is never another's, though both have results of one id", () => {
    const { shelf } = shelfOf([
      [draftKey("a"), encode({ sketch, params: DEFAULTS })],
      [openKey("a"), "path-000001"],
    ]);
    expect(takeUp(shelf, "b")).toBeNull();
    expect(lastOpened(shelf, "b")).toBeNull();
    expect(takeUp(shelf, "a")?.sketch).toEqual(sketch);
    expect(lastOpened(shelf, "a")).toBe("path-000001");
  });

  it("takes over an older page's sketch once, and forgets what does not say whose it is", () => {
    const { shelf, kept } = shelfOf([
      ["gaitway.sketch.v1", encode({ sketch, params: DEFAULTS })],
      ["gaitway.sketch.result.path-000001", "{}"],
      ["gaitway.result.name.path-000001", "stroll"],
      ["gaitway.result.open", "path-000001"],
      ["else", "x"],
    ]);
    expect(takeUp(shelf, "a")?.sketch.points.length).toBe(3);
    expect([...kept.keys()].sort()).toEqual(["else", draftKey("a")]);
    expect(takeUp(shelf, "b")).toBeNull();
  });

  it("moves the desk to another project with nothing of the one before", () => {
    const desk = new Desk(sketch, DEFAULTS);
    desk.edit({ ...sketch, closed: true });
    desk.range.value = { from: 1, to: 2 };
    desk.failure.value = { message: "no walk", kind: "path", sketch, params: DEFAULTS };
    desk.moveTo("b", EMPTY, DEFAULTS);
    expect(desk.project.value).toBe("b");
    expect(desk.sketch.value).toBe(EMPTY);
    expect([desk.canUndo, desk.range.value, desk.failure.value, desk.result.value]).toEqual([false, null, null, null]);
  });
});

describe("the sketch of a result", () => {
  it("comes back as it was drawn, wherever that was", () => {
    const saved = { sketch, params: { ...DEFAULTS, seed: 4, expansions: 900 } };
    const wire = JSON.parse(JSON.stringify(toWire(saved))) as Record<string, unknown>;
    expect(fromWire(wire)).toEqual(saved);
    expect(sketchOf({ sketch: wire, request: {} })).toEqual(saved);
  });

  it("is read back from what was asked for, where nobody drew it here", () => {
    const found = sketchOf({ sketch: null, request: asked({ ...sketch, end: null }, { ...DEFAULTS, seed: 7 }) });
    const [before, after] = [curveOf(sketch), curveOf(found!.sketch)];
    expect(Math.abs(before.length - after.length)).toBeLessThan(0.05);
    expect(found!.sketch.points.length).toBeLessThan(60);
    expect(found!.sketch.styles).toEqual([{ label: "walk", from: 0, to: 2 }]);
    expect(found!.sketch.actions).toEqual(sketch.actions);
    expect(found!.sketch.start).toEqual(sketch.start);
    expect(found!.params.seed).toBe(7);
    // A style to the end ends where the path does.
    const whole = {
      ...asked(EMPTY),
      points: [
        [0, 0],
        [0, 8],
      ],
      styles: [{ label: "walk", from_m: 0, to_m: null }],
    };
    expect(sketchOf({ sketch: null, request: whole })?.sketch.styles).toEqual([{ label: "walk", from: 0, to: 8 }]);
    expect(sketchOf({ sketch: null, request: { kind: "walk", seconds: 3 } })).toBeNull();
    expect(sketchOf({ sketch: { odd: 1 }, request: { points: "none" } })).toBeNull();
  });

  it("keeps anything where that alone was asked for, and not where it only fills gaps", () => {
    const whole = { ...sketch, styles: [{ label: "any", from: 0, to: curveOf(sketch).length }] };
    const read = (s: Sketch) => sketchOf({ sketch: null, request: asked(s) })?.sketch.styles.map((one) => one.label);
    expect(read(whole)).toEqual(["any"]);
    expect(read(sketch)).toEqual(["walk"]);
    expect(read({ ...sketch, styles: [] })).toEqual([]);
  });
});

describe("a result", () => {
  it("is of its sketch until something is changed", () => {
    const result = { kind: "path" as const, request: asked(sketch) };
    expect(isOf(result, sketch, DEFAULTS)).toBe(true);
    expect(isOf(result, { ...sketch, closed: true }, DEFAULTS)).toBe(false);
    expect(isOf(result, sketch, { ...DEFAULTS, corridor: 1 })).toBe(false);
    // What an older studio did not know of is nothing.
    const { expansions: _, ...older } = result.request as Record<string, unknown>;
    expect(isOf({ kind: "path", request: older }, sketch, DEFAULTS)).toBe(true);
    expect(isOf({ kind: "walk", request: { seconds: 3 } }, sketch, DEFAULTS)).toBe(true);
  });

  it("that ends at a place is of that place", () => {
    const request = placeRequest(sketch, DEFAULTS, null);
    expect(request).toMatchObject({
      what: "sit",
      end: { x: 2, z: 5, heading_rad: 1.5 },
      play_out: true,
      style: "walk",
    });
    const anyhow = { ...sketch, end: { ...sketch.end!, any: true } };
    expect(placeRequest(anyhow, DEFAULTS, null)?.style).toBe("any");
    const result = { kind: "place" as const, request: { ...request } };
    expect(isOf(result, sketch, DEFAULTS)).toBe(true);
    expect(isOf(result, { ...sketch, end: { ...sketch.end!, at: [2, 6] } }, DEFAULTS)).toBe(false);
    expect(isOf(result, { ...sketch, end: null }, DEFAULTS)).toBe(false);
    expect(placeRequest({ ...sketch, end: null }, DEFAULTS, null)).toBeNull();
  });
});

describe("solving while one draws", () => {
  it("is for what is found in a moment", () => {
    expect(notLive(new Desk(sketch, DEFAULTS))).toBeNull();
    expect(notLive(new Desk(sketch, { ...DEFAULTS, count: 2 }))).toMatch(/crowd/);
    expect(notLive(new Desk(sketch, { ...DEFAULTS, alternatives: 2 }))).toMatch(/alternatives/);
    const far: Sketch = {
      ...sketch,
      points: [
        [0, 0],
        [0, 500],
      ],
    };
    expect(notLive(new Desk(far, DEFAULTS))).toMatch(/60 m/);
  });
});

describe("what is taken home", () => {
  it("asks only for what differs", () => {
    expect(exportQuery("bvh", 2, {})).toEqual({ format: "bvh", member: 2 });
    expect(exportQuery("glb", null, { fps: 30, in_place: true, root_motion: false })).toEqual({
      format: "glb",
      everybody: true,
      fps: 30,
      in_place: true,
    });
  });
});

describe("drafts", () => {
  it("of each tab only the newest is listed, and what is kept stays", () => {
    const rows = (
      [
        ["5", "tab-a"],
        ["4", "tab-b"],
        ["3", "tab-a"],
        ["2", null],
        ["1", "tab-b"],
      ] as const
    ).map(([id, draft]) => ({ id, draft }) as ResultSummary);
    expect(newestDrafts(rows).map((row) => row.id)).toEqual(["5", "4", "2"]);
  });
});
