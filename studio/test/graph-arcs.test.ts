import { describe, expect, it } from "vitest";
import type { Topology } from "../src/api/types";
import { ArcLayout, xOf, yOf, type Filter, type LaneView } from "../src/graph/arcs-model";

const small: Topology = {
  clips: [
    { id: "a", name: "a", frames: 300, seconds: 10 },
    { id: "b", name: "b", frames: 150, seconds: 5 },
  ],
  nodes: { clip: [0, 0, 1, 1], frame: [30, 270, 30, 120], component: [0, 0, 0, -1] },
  transitions: {
    edge: [7, 8, 9, 10],
    from: [0, 1, 2, 0],
    to: [2, 0, 1, 2],
    distance_cm: [3, 8, 5, 2],
    kind: ["blend", "blend", "blend", "blend"],
    frames: [15, 15, 15, 15],
    seconds: [0.5, 0.5, 0.5, 0.5],
    from_frame: [37, 277, 37, 37],
    to_frame: [22, 22, 262, 22],
  },
  interpolated: { from_clip: [], from_s: [], to_clip: [], to_s: [], distance_cm: [] },
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

describe("a cut", () => {
  const { transitions } = small;
  const cut: Topology = { ...small, transitions: { ...transitions, kind: ["cut", "blend", "blend", "blend"] } };
  const layout = new ArcLayout(cut);

  it("comes down where it enters and fades until its node", () => {
    expect(layout.toS[0]).toBeCloseTo(0.5);
    expect(layout.endS[0]).toBeCloseTo(1);
    expect(layout.fromS[0]).toBeCloseTo(1);
    expect([layout.toS[3], layout.endS[3]]).toEqual([1, 1]);
  });

  it("is no longer drawn as one with a blend that ends at the same node", () => {
    expect([...layout.visible(view, all, 4).arcs].sort()).toEqual([0, 1, 2, 3]);
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
        kind: Array.from({ length: n }, () => "blend" as const),
        frames: rows(() => 15),
        seconds: rows(() => 0.5),
        from_frame: rows(() => 0),
        to_frame: rows(() => 0),
      },
      interpolated: { from_clip: [], from_s: [], to_clip: [], to_s: [], distance_cm: [] },
      pieces: { edge: [], from: [], to: [] },
    };
    const seen = new ArcLayout(topology).visible({ ...view, perSecond: 25 }, all, 12);
    const stood = seen.weights.reduce((t, w) => t + w, 0);
    expect(seen.arcs.length + seen.hidden).toBe(stood);
    expect(seen.hidden).toBeGreaterThan(0);
    const layout = new ArcLayout(topology);
    const few = layout.nearest(seen, 500);
    expect(few.arcs).toHaveLength(500);
    expect(few.hidden).toBe(seen.hidden + seen.arcs.length - 500);
    const cm = (k: number) => topology.transitions.distance_cm[k] ?? 0;
    const worst = Math.max(...[...few.arcs].map(cm));
    expect([...seen.arcs].filter((k) => cm(k) < worst).every((k) => few.arcs.includes(k))).toBe(true);
  });
});
