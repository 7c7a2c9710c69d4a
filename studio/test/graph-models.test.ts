import { describe, expect, it } from "vitest";
import type { Account } from "../src/api/types";
import { lossByClip, lossParts, percent, reconnectPlace, remedyText, summary } from "../src/graph/account-model";
import { HEAT, categoryColour, heatColour } from "../src/graph/colormap";
import { ticks, valueAt } from "../src/graph/curve-model";
import { cellAt, colourGrid, farEnd, walkTo, thinned } from "../src/graph/heatmap-model";
import { LiveQuery, type Numbered } from "../src/graph/live";
import {
  cmText,
  effective,
  equal,
  isOwn,
  matrixOf,
  ownCount,
  raiseTo,
  setCell,
  shiftAll,
  step,
  toJson,
  uniform,
} from "../src/graph/matrix-model";
import { reasonText } from "../src/graph/reasons";
import type { Minimum } from "../src/api/types";

const account: Account = {
  clips: 3,
  seconds: 100,
  kept_seconds: 80,
  nodes: 1,
  edges: 1,
  transitions: 1234,
  candidates: 2000,
  candidates_used: 700,
  end_cuts: 34,
  labels: [],
  lost: [
    { clip: "a", seconds: 5, reason: "border", reconnect: [], remedy: { try: "ceiling", cm: 15 } },
    {
      clip: "b",
      seconds: 12,
      reason: "island",
      reconnect: [{ clip: "a", from_s: 1, to_s: 2, distance_cm: 9, direction: "in" }],
      remedy: { try: "at-least", cm: 8.3, seconds: 6, costs: [] },
    },
    { clip: "a", seconds: 3, reason: "dead-end", reconnect: [], remedy: null },
  ],
  timings_s: { read: 0, candidates: 0, graph: 0, save: 0 },
  default_threshold_cm: 5,
  thresholds: [],
  warnings: [],
};

describe("account", () => {
  it("says what brings a row back, and how much of it", () => {
    const said = account.lost.map(remedyText);
    expect(said[0]).toContain("ceiling of 15 cm");
    expect(said[1]).toBe("Tried: raising every threshold below 8.3 cm to it brings back 6.0 of its 12.0 s.");
    expect(said[2]).toBeNull();
  });

  it("adds up, largest loss first", () => {
    expect(lossParts(account).map((p) => p.name)).toEqual(["kept", "island", "border", "dead-end"]);
    expect(lossParts(account).reduce((t, p) => t + p.share, 0)).toBeCloseTo(1);
    expect(lossByClip(account).map((c) => [c.clip, c.seconds])).toEqual([
      ["b", 12],
      ["a", 8],
    ]);
  });

  it("speaks", () => {
    expect(summary(account)).toContain("80 % of the motion in 3 clips");
    expect(summary(account)).toContain("20.0 s in 2 clips cannot be used");
    expect(percent(0.996)).toBe("99 %");
    expect(percent(0.001)).toBe("under 1 %");
    expect(reasonText("island").title).toBe("Cut off");
    expect(reasonText("something-new").title).toBe("something-new");
  });

  it("turns a reconnect candidate into a transition in its direction", () => {
    const row = account.lost[1]?.reconnect[0];
    expect(row && reconnectPlace("b", row, 30)).toEqual({ a: "a", i: 30, b: "b", j: 60 });
    expect(row && reconnectPlace("b", { ...row, direction: "out" }, 30)).toEqual({ a: "b", i: 30, b: "a", j: 60 });
  });
});

describe("threshold matrix", () => {
  const m = matrixOf(["walk", "run"], 5, 15, [[null, 9.04]]);

  it("falls back to the default, holds numbers within the ceiling, in half millimetres", () => {
    expect(effective(m, 0, 0)).toBe(5);
    expect(isOwn(m, 0, 1)).toBe(true);
    expect(effective(setCell(m, 1, 1, 99), 1, 1)).toBe(15);
    expect(effective(setCell(m, 1, 1, 3.14159), 1, 1)).toBe(3.15);
    expect(ownCount(setCell(m, 0, 1, null))).toBe(0);
    expect(toJson(m).cells).toEqual([
      [null, 9.04],
      [null, null],
    ]);
  });

  it("moves all along, and there and back is nothing", () => {
    const raised = raiseTo(m, 6.02);
    const cells = raised.labels.flatMap((_, r) => raised.labels.map((__, c) => effective(raised, r, c)));
    expect(Math.min(...cells)).toBeGreaterThanOrEqual(6.02);
    expect(cells.every((cm, k) => cm >= effective(m, Math.floor(k / m.labels.length), k % m.labels.length))).toBe(true);
    expect(equal(raiseTo(m, 0), m)).toBe(true);
    const up = shiftAll(m, 12);
    expect(up.default).toBe(12);
    expect(effective(up, 0, 1)).toBe(15);
    expect(shiftAll(m, 5)).toBe(m);
    expect(cmText(6.75)).toBe("6.75");
    expect(cmText(7)).toBe("7.0");
    expect(ownCount(uniform(m, 7))).toBe(0);
    expect(equal(m, { ...m })).toBe(true);
    expect(equal(m, up)).toBe(false);
  });

  it("walks by arrow keys", () => {
    expect(step(3, [0, 0], "ArrowDown")).toEqual([1, 0]);
    expect(step(3, [0, 2], "ArrowRight")).toEqual([0, 2]);
    expect(step(3, [1, 1], "End")).toEqual([1, 2]);
    expect(step(3, [1, 1], "a")).toBeNull();
  });
});

describe("live questions", () => {
  interface Answer extends Numbered {
    text: string;
  }

  function setup(online = true) {
    const sent: [number, string][] = [];
    const got: string[] = [];
    const state = { online, now: 0 };
    const live = new LiveQuery<string, Answer>(
      (seq, q) => {
        if (state.online) sent.push([seq, q]);
        return state.online;
      },
      (a) => got.push(a.text),
      () => state.now,
    );
    return { live, sent, got, state };
  }

  it("keeps one under way and sends only the newest next", () => {
    const { live, sent, got } = setup();
    for (const q of ["a", "b", "c", "d"]) live.ask(q);
    expect(sent).toEqual([[1, "a"]]);
    live.answered({ seq: 99, text: "stale" });
    live.answered({ seq: 1, text: "A" });
    expect(sent).toEqual([
      [1, "a"],
      [2, "d"],
    ]);
    live.answered({ seq: 2, text: "D" });
    expect(got).toEqual(["A", "D"]);
    expect(live.busy).toBe(false);
  });

  it("asks again after a lost connection or a lost answer", () => {
    const { live, sent, state } = setup(false);
    live.ask("a");
    state.online = true;
    live.reconnected(null);
    expect(sent).toEqual([[2, "a"]]);
    state.now = 5000;
    live.ask("b");
    expect(sent.at(-1)?.[1]).toBe("b");
  });
});

describe("curves", () => {
  it("read between their points", () => {
    expect(valueAt([0, 10], [0, 5], 4)).toBeCloseTo(2);
    expect(valueAt([0, 10], [1, 5], -4)).toBe(1);
    expect(valueAt([0, 10], [1, 5], 40)).toBe(5);
    expect(valueAt([], [], 1)).toBe(0);
  });

  it("have round ticks", () => {
    expect(ticks(15, 5)).toEqual([0, 5, 10, 15]);
    expect(ticks(0.7, 4)).toEqual([0, 0.2, 0.4, 0.6]);
    expect(ticks(0, 4)).toEqual([0]);
  });
});

describe("heat map", () => {
  const grid = { rows: 2, cols: 3, row_s: 0.5, col_s: 0.25, every: 1, cm: Float32Array.from([1, 20, NaN, 3, 4, 5]) };

  it("has colours whose lightness falls evenly", () => {
    const luma = (k: number) => {
      const linear = [0, 1, 2].map((c) => ((HEAT[3 * k + c] ?? 0) / 255) ** 2.2);
      return 0.2126 * (linear[0] ?? 0) + 0.7152 * (linear[1] ?? 0) + 0.0722 * (linear[2] ?? 0);
    };
    for (let k = 1; k < 256; k++) expect(luma(k)).toBeLessThan(luma(k - 1) + 0.004);
    // CIE lightness steps: the largest is not more than three times the mean.
    const light = Array.from({ length: 33 }, (_, k) => 116 * Math.cbrt(luma(Math.min(255, k * 8))) - 16);
    const steps = light.slice(1).map((v, k) => (light[k] ?? 0) - v);
    expect(Math.max(...steps)).toBeLessThan((3 * ((light[0] ?? 0) - (light.at(-1) ?? 0))) / 32);
    expect(heatColour(0, 20)).not.toEqual(heatColour(20, 20));
    expect(categoryColour(1, true)).toMatch(/^rgb\(/);
  });

  it("colours cells and leaves out what has no window", () => {
    const out = new Uint8ClampedArray(24);
    colourGrid(grid, 20, out);
    expect(out[3]).toBe(255);
    expect(out[11]).toBe(0);
    expect(cellAt(grid, 0.6, 0.3)).toBe(4);
    expect(cellAt(grid, 9, 0)).toBeNaN();
    expect(farEnd(grid)).toBe(20);
  });

  it("says when it does not show every frame", () => {
    expect([thinned(1), thinned(2), thinned(12)].map((text) => /every (\S+) frame/.exec(text)?.[1])).toEqual([
      undefined,
      "second",
      "12th",
    ]);
  });

  it("walks from minimum to minimum", () => {
    const at = (i: number, j: number): Minimum => ({
      i,
      j,
      kind: "blend",
      seconds: 0.5,
      distance_cm: 1,
      theta_rad: 0,
      x0_m: 0,
      z0_m: 0,
      state: "in",
      why: "",
    });
    const minima = [at(10, 10), at(20, 11), at(10, 30), at(12, 90)];
    expect(walkTo(minima, 0, "ArrowDown")).toBe(1);
    expect(walkTo(minima, 0, "ArrowRight")).toBe(2);
    expect(walkTo(minima, 2, "ArrowRight")).toBe(3);
    expect(walkTo(minima, 0, "ArrowUp")).toBe(0);
  });
});
