import { describe, expect, it } from "vitest";
import type { Topology } from "../src/api/types";
import { ArcLayout, xOf, yOf, type Filter, type LaneView } from "../src/graph/arcs-model";

const small: Topology = {
  clips: [
    { id: "a", name: "a", frames: 300, seconds: 10 },
    { id: "b", name: "b", frames: 150, seconds: 5 },
  ],
  nodes: { clip: [0, 0, 1, 1], frame: [30, 270, 30, 120], component: [0, 0, 0, -1] },
  transitions: { edge: [7, 8, 9, 10], from: [0, 1, 2, 0], to: [2, 0, 1, 2], distance_cm: [3, 8, 5, 2] },
  pieces: { edge: [], from: [], to: [] },
};
const view: LaneView = { left: 0, perSecond: 60, top: 0, lane: 80, width: 800, height: 400 };
const all: Filter = { maxCm: Infinity, clips: null, component: null };

describe("arc layout", () => {
  const layout = new ArcLayout(small);

  it("places nodes in time and components on arcs", () => {
    expect(layout.fromS[0]).toBeCloseTo(1);
    expect(layout.toS[0]).toBeCloseTo(1);
    expect(layout.longest).toBe(10);
    expect([...layout.component]).toEqual([0, 0, 0, 0]);
  });

  it("draws arcs with the same ends once, the cheapest", () => {
    const seen = layout.visible(view, all, 4);
    expect([...seen.arcs]).toEqual([3, 1, 2]);
    expect([...seen.weights]).toEqual([2, 1, 1]);
    expect(seen.hidden).toBe(1);
  });

  it("filters by distance, lane and component", () => {
    expect([...layout.visible(view, { ...all, maxCm: 4 }, 4).arcs]).toEqual([3]);
    expect(layout.visible(view, { ...all, clips: new Set([1]) }, 4).arcs).toHaveLength(2);
    expect(layout.visible(view, { ...all, component: 2 }, 4).arcs).toHaveLength(0);
  });

  it("culls what is out of sight", () => {
    expect(layout.visible({ ...view, left: 20 }, all, 4).arcs).toHaveLength(0);
    expect(layout.visible({ ...view, top: 2000 }, all, 4).arcs).toHaveLength(0);
  });

  it("finds the arc under the pointer", () => {
    const seen = layout.visible(view, all, 4);
    expect(layout.hit(seen, view, xOf(view, 1) + 2, (yOf(view, 0) + yOf(view, 1)) / 2, 6)).toBe(3);
    expect(layout.hit(seen, view, 790, 390, 6)).toBe(-1);
  });
});

describe("many arcs", () => {
  it("become no more than the screen can show", () => {
    const n = 20000;
    const clips = Array.from({ length: 40 }, (_, k) => ({ id: `${k}`, name: `${k}`, frames: 900, seconds: 30 }));
    const rows = (f: (k: number) => number) => Array.from({ length: n }, (_, k) => f(k));
    const topology: Topology = {
      clips,
      nodes: { clip: rows((k) => k % 40), frame: rows((k) => (k * 7919) % 900), component: rows(() => 0) },
      transitions: {
        edge: rows((k) => k),
        from: rows((k) => k),
        to: rows((k) => (k * 31 + 7) % n),
        distance_cm: rows((k) => (k % 100) / 10),
      },
      pieces: { edge: [], from: [], to: [] },
    };
    const seen = new ArcLayout(topology).visible({ ...view, perSecond: 25 }, all, 12);
    const stood = seen.weights.reduce((t, w) => t + w, 0);
    expect(seen.arcs.length + seen.hidden).toBe(stood);
    expect(seen.hidden).toBeGreaterThan(0);
  });
});
