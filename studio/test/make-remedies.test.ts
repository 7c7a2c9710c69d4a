import { describe, expect, it } from "vitest";
import { DEFAULTS } from "../src/make/params";
import { alongSketch, freed, offStretches, placeRemedies, raised, reasonsOf, remediesFor } from "../src/make/remedies";
import { EMPTY, curveOf, type Sketch } from "../src/make/sketch";
import { following, nextMark, pannedTime, wholeOf, zoomedTime } from "../src/make/time-view";

const line: Sketch = {
  ...EMPTY,
  curved: false,
  points: [
    [0, 0],
    [0, 10],
  ],
};

/** As `path --report` writes it. */
const offPath = {
  status: "OffPath",
  expansions: 1_000_000,
  left_path: {
    words: "off the path from 4.0 to 5.0 m, by up to 0.80 m: nothing nearer was found",
    label: "walk",
    ranges: [{ from_m: 4, to_m: 5, from_s: 3.1, to_s: 3.9, worst_m: 0.8, from_at: [0, 4], to_at: [0, 5] }],
  },
};

describe("what is not as asked", () => {
  it("is told in the report's words, with its stretches", () => {
    const [reason] = reasonsOf(offPath);
    expect(reason).toMatchObject({ words: offPath.left_path.words, label: "walk", at_s: 3.1, what: "path" });
    expect(offStretches(offPath)).toEqual([
      { from_m: 4, to_m: 5, from_s: 3.1, to_s: 3.9, worst_m: 0.8, from: [0, 4], to: [0, 5] },
    ]);
    const broken = {
      status: "ConstraintMissed",
      constraints: [
        { what: "start", kept: true, asked: "a", found: "b", time_s: 0 },
        { what: "corridor", kept: false, asked: "0.5 m", found: "0.9 m away", time_s: 2 },
      ],
      actions: [{ label: "sit", as_asked: false, reason: "it is not played" }],
    };
    expect(reasonsOf(broken).map((r) => r.what)).toEqual(["corridor", "action"]);
    expect(reasonsOf(broken)[0]?.words).toContain("0.9 m away");
    expect(reasonsOf({ status: "Solved" })).toEqual([]);
    // A report of an older studio has no places and no seconds.
    const older = { status: "OffPath", left_path: { words: "off", ranges: [{ from_m: 1, to_m: 2 }, "odd"] } };
    expect(offStretches(older)).toEqual([
      { from_m: 1, to_m: 2, from_s: null, to_s: null, worst_m: 0, from: null, to: null },
    ]);
  });

  it("lies where its places are, whatever led the path round", () => {
    const [stretch] = offStretches(offPath);
    expect(alongSketch(line, stretch!)).toEqual([4, 5]);
    // Obstacles made the path 2 m longer before the stretch: the metres are others, the places are not.
    expect(alongSketch(line, { ...stretch!, from_m: 6, to_m: 7 })).toEqual([4, 5]);
    expect(alongSketch(line, { ...stretch!, from: null, to: null, to_m: 40 })).toEqual([4, 10]);
  });
});

describe("remedies", () => {
  const of = (sketch: Sketch, params = DEFAULTS) => remediesFor(reasonsOf(offPath), sketch, params, 1_000_000);

  it("offer what there is to change", () => {
    expect(of(line).map((r) => r.id)).toEqual(["style", "threshold", "time"]);
    expect(of(line, { ...DEFAULTS, corridor: 0.4 }).map((r) => r.id)).toEqual(["widen", "style", "threshold", "time"]);
    expect(remediesFor([], line, DEFAULTS, null)).toEqual([]);
  });

  it("widen the corridor past where the motion went, and search longer than it did", () => {
    const narrow = { ...DEFAULTS, corridor: 0.4, maxSeconds: 5 };
    const [widen] = of(line, narrow);
    expect(widen!.apply!(line, narrow).params.corridor).toBe(1);
    const time = of(line, narrow).at(-1)!.apply!(line, narrow).params;
    expect([time.expansions, time.maxSeconds]).toEqual([4_000_000, 20]);
  });

  it("drop a style at its stretch alone", () => {
    const styled: Sketch = { ...line, styles: [{ label: "sneak", from: 0, to: 10 }] };
    const here = freed(styled, offStretches(offPath), "sneak");
    expect(here.styles).toEqual([
      { label: "sneak", from: 0, to: 3.5 },
      { label: "any", from: 3.5, to: 5.5 },
      { label: "sneak", from: 5.5, to: 10 },
    ]);
    // Where nothing was painted, the rest is still walked in the manner it was.
    const bare = freed(line, offStretches(offPath), "walk");
    expect(bare.styles.map((s) => s.label)).toEqual(["walk", "any", "walk"]);
    expect(curveOf(bare).length).toBe(10);
  });

  it("raise thresholds, none above the ceiling", () => {
    const now = {
      default_cm: 4,
      ceiling_cm: 6,
      cells: [
        [null, 2],
        [5.5, null],
      ],
    };
    expect(raised(now)).toEqual({
      default_cm: 5,
      cells: [
        [null, 2.5],
        [6, null],
      ],
    });
  });
});

describe("the timeline's view", () => {
  it("zooms about a second, stays within the motion, and follows", () => {
    const near = zoomedTime(wholeOf(20), 0.25, 10, 20);
    expect(near).toEqual({ from: 7.5, to: 12.5 });
    expect(zoomedTime(near, 100, 10, 20)).toEqual({ from: 0, to: 20 });
    expect(zoomedTime(wholeOf(20), 1e-6, 3, 20).to - zoomedTime(wholeOf(20), 1e-6, 3, 20).from).toBeCloseTo(0.5);
    expect(pannedTime(near, -100, 20)).toEqual({ from: 0, to: 5 });
    expect(following(near, 9, 20)).toBe(near);
    const page = following(near, 13, 20);
    expect(page.from).toBeLessThan(13);
    expect(page.to - page.from).toBeCloseTo(5);
    expect(zoomedTime(wholeOf(0.2), 0.5, 0.1, 0.2)).toEqual({ from: 0, to: 0.2 });
  });

  it("finds the next and the previous transition", () => {
    const marks = [5, 1, 3];
    expect(nextMark(marks, 1, 1)).toBe(3);
    expect(nextMark(marks, 3, -1)).toBe(1);
    expect(nextMark(marks, 5, 1)).toBeNull();
    expect(nextMark([], 0, 1)).toBeNull();
  });
});

describe("a place that nothing leads to", () => {
  const end = { what: "sit", at: [2, 1] as const, heading: 0, playOut: false, any: false };

  it("may be gone to in any manner, which is offered first and once", () => {
    const [first, ...rest] = placeRemedies("no walk: nothing leads there", { ...EMPTY, end }, DEFAULTS);
    expect(first?.label).toBe("Let anything be played on the way");
    const mended = first!.apply!({ ...EMPTY, end }, DEFAULTS).sketch;
    expect(mended.end?.any).toBe(true);
    expect(rest.length).toBeGreaterThan(0);
    expect(placeRemedies("no walk", mended, DEFAULTS).map((r) => r.id)).not.toContain("style");
  });

  it("has no remedy where what is wished for never happens at one place", () => {
    expect(placeRemedies("action `run`: no event is found in it", { ...EMPTY, end }, DEFAULTS)).toEqual([]);
  });
});
