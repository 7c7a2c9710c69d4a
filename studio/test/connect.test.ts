import { describe, expect, it } from "vitest";
import type { Connected, Job, Topology } from "../src/api/types";
import { ArcLayout } from "../src/graph/arcs-model";
import { connectJob, connectRows, newWays, waysOf } from "../src/graph/connect-model";
import { clipMap, labelMap, partOf, throughBetween, throughOfClips } from "../src/graph/map-model";
import { linkText } from "../src/graph/map-view";
import { interpolationsOf } from "../src/make/report";

const now = {
  largest_share: 0.984,
  largest_seconds: 59,
  kept_seconds: 60,
  to_other_label_s: 1.2,
  reach: [
    [true, true],
    [true, true],
  ],
};
const before = {
  largest_share: 0.612,
  largest_seconds: 37,
  kept_seconds: 60,
  to_other_label_s: 2.5,
  reach: [
    [true, false],
    [true, true],
  ],
};
const better: Connected = {
  labels: ["walk", "run"],
  captured_clips: 3,
  interpolated_clips: 40,
  interpolated_seconds: 12,
  now,
  captured_alone: before,
};
const plain: Connected = {
  ...better,
  interpolated_clips: 0,
  interpolated_seconds: 0,
  now: before,
  captured_alone: null,
};

describe("how well a graph holds together", () => {
  it("tells before and after, and which is better", () => {
    const rows = connectRows(better).map(({ before: was, now: is, change }) => [was, is, change]);
    expect(rows).toEqual([
      ["61.2 %", "98.4 %", "better"],
      ["1 min 0 s", "1 min 0 s", null],
      ["1 of 2", "2 of 2", "better"],
      ["2.50 s", "1.20 s", "better"],
    ]);
    const worse = connectRows({ ...better, now: before, captured_alone: now });
    expect(worse.map((row) => row.change)).toEqual(["worse", null, "worse", "worse"]);
  });
  it("tells a plain graph alone", () => {
    expect(connectRows(plain).every((row) => row.before === null && row.change === null)).toBe(true);
    expect(newWays(plain)).toEqual([]);
  });
  it("has nothing to say of labels where there is one", () => {
    const one = { ...plain, labels: ["walk"], now: { ...before, reach: [[true]], to_other_label_s: null } };
    expect(connectRows(one)).toHaveLength(2);
  });
  it("names the ways that are new", () => {
    expect(waysOf(better.labels, before)).toEqual([{ from: "run", to: "walk" }]);
    expect(newWays(better)).toEqual([{ from: "walk", to: "run" }]);
  });
  it("no longer tells of a failure once a graph was built after it", () => {
    const job = (kind: Job["kind"], state: Job["state"], created_ms: number) => ({ kind, state, created_ms }) as Job;
    const failed = job("enrich", "failed", 5);
    expect(connectJob([job("build", "done", 1), failed, job("path", "done", 9)])).toBe(failed);
    expect(connectJob([failed, job("build", "failed", 7)])).toBe(failed);
    expect(connectJob([failed, job("build", "done", 7)])).toBeNull();
    expect(connectJob([])).toBeNull();
  });
});

/** Two clips without a transition between them, and ways through interpolated motion: a → b at 2 cm, b → b at 4 cm. */
const topology: Topology = {
  clips: [
    { id: "a", name: "A", frames: 100, seconds: 10 },
    { id: "b", name: "B", frames: 100, seconds: 10 },
  ],
  interpolated: { from_clip: [0, 1], from_s: [1, 2], to_clip: [1, 1], to_s: [3, 8], distance_cm: [2, 4] },
  nodes: { clip: [0, 0, 1, 1], frame: [0, 100, 0, 100], component: [0, 0, 1, 1] },
  transitions: {
    edge: [4],
    from: [0],
    to: [1],
    distance_cm: [3],
    kind: ["blend"],
    frames: [5],
    seconds: [0.5],
    from_frame: [20],
    to_frame: [80],
  },
  pieces: { edge: [0, 1], from: [0, 2], to: [1, 3] },
};
const rowsOf = (id: string) => [{ label: id === "a" ? "walk" : "run", start_s: 0, end_s: 10 }];

describe("ways through interpolated motion", () => {
  it("lead from label to label and from clip to clip, and are told apart", () => {
    const labels = labelMap(topology, rowsOf);
    expect(labels.links).toEqual([{ from: "walk", to: "run", ways: 1, cm: 2, through: 1 }]);
    expect(labels.nodes.find((n) => n.key === "run")?.inside).toBe(1);
    const [link] = clipMap(topology, [], Infinity, [0, 1]).links;
    expect(link).toEqual({ from: "a", to: "b", ways: 1, cm: 2, through: 1 });
    expect(linkText(link!, "A", "B")).toBe("A to B: 1 way, all through interpolated motion, the nearest 2.0 cm apart");
    expect(linkText({ ...link!, ways: 3 }, "A", "B")).toContain("1 of them through interpolated motion");
  });
  it("are found by label and by clip", () => {
    expect(throughBetween(topology, rowsOf, "walk", "run")).toEqual([0]);
    expect(throughBetween(topology, rowsOf, "run", "run")).toEqual([1]);
    expect(throughOfClips(topology, [0, 1], "b", "b")).toEqual([1]);
  });
  it("are part of a part, with the clips they touch", () => {
    const part = partOf(topology, [], [1]);
    expect(part.clips.map((c) => c.id)).toEqual(["b"]);
    expect(part.interpolated).toEqual({ from_clip: [0], from_s: [2], to_clip: [0], to_s: [8], distance_cm: [4] });
  });
  it("are drawn from lane to lane, as far as the filter lets them", () => {
    const layout = new ArcLayout(topology);
    const all = { maxCm: Infinity, clips: null, component: null };
    expect(layout.through(all)).toEqual([0, 1]);
    expect(layout.through({ ...all, maxCm: 3 })).toEqual([0]);
    expect(layout.through({ ...all, clips: new Set([0]) })).toEqual([0]);
    const view = { left: 0, perSecond: 10, top: 0, lane: 40, width: 200, height: 100 };
    const points = new Float64Array(8);
    layout.throughArc(0, view, points);
    expect([points[0], points[1], points[6], points[7]]).toEqual([10, 30, 30, 70]);
  });
});

describe("interpolated stretches of a result", () => {
  it("are named by the clips they lie between, on the result's time", () => {
    const interpolated = [
      { start_s: 1, end_s: 2, between: ["walk", "run"] as [string, string] },
      { start_s: 3, end_s: 4, between: ["walk", "walk"] as [string, string] },
    ];
    expect(interpolationsOf({ interpolated }, 10)).toEqual([
      { start: 11, end: 12, words: "between walk and run" },
      { start: 13, end: 14, words: "between two moments of walk" },
    ]);
  });
});
