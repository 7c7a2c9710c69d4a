import { describe, expect, it } from "vitest";
import type { Result } from "../src/api/types";
import { Desk } from "../src/make/desk";
import type { Point } from "../src/make/geometry";
import { DEFAULTS } from "../src/make/params";
import { clockPlace, hitAt } from "../src/make/pick";
import { planKey, type PlanActions } from "../src/make/plan-keys";
import { begin, type Stroke } from "../src/make/plan-tools";
import { verdict } from "../src/make/quality";
import { reasonsOf, remediesFor } from "../src/make/remedies";
import { isOf, pathRequest, placeOf, problemsOf } from "../src/make/request";
import { EMPTY, curveOf, deletePoint, movePoint, reverse, scale, type Sketch } from "../src/make/sketch";
import { likelyTime, paintSpeed, speedsAsked } from "../src/make/sketch-times";
import { decode, encode, sketchOf } from "../src/make/store";
import { missedTimes, paceHint, rewished, timeWishes, wishPlace, wishTitle } from "../src/make/time-wishes";

const line: Sketch = {
  ...EMPTY,
  curved: false,
  points: [
    [0, 0],
    [0, 4],
    [0, 10],
  ],
};
const loop: Sketch = {
  ...EMPTY,
  curved: false,
  closed: true,
  points: [
    [0, 0],
    [4, 0],
    [4, 4],
    [0, 4],
  ],
};
const timed: Sketch = {
  ...line,
  speeds: [
    { m_s: 1, from: 0, to: 3 },
    { m_s: 1.6, from: 5, to: 8 },
  ],
  arrivals: [
    { time_s: 3, at: 4 },
    { time_s: 7, at: 9 },
  ],
};

function at(x: number, z: number): Stroke {
  const raw: Point = [x, z];
  return { raw, snapped: raw, reach: 0.2, double: false };
}

function drag(desk: Desk, ...places: Point[]): void {
  const [first, ...rest] = places;
  const gesture = begin(desk, at(...(first ?? [0, 0])));
  for (const p of rest) gesture?.move(at(...p));
  gesture?.end(at(...(places.at(-1) ?? [0, 0])));
}

describe("speeds along the path", () => {
  it("are painted, overpainted, rubbed out, and each stroke is one undo", () => {
    const desk = new Desk(line, DEFAULTS);
    desk.tool.value = "speed";
    desk.pace.value = 1;
    drag(desk, [0.2, 1], [0.1, 3], [0.2, 8]);
    desk.pace.value = 1.6;
    drag(desk, [0, 4], [0, 6]);
    expect(desk.sketch.value.speeds).toEqual([
      { m_s: 1, from: 1, to: 4 },
      { m_s: 1.6, from: 4, to: 6 },
      { m_s: 1, from: 6, to: 8 },
    ]);
    desk.pace.value = 0;
    drag(desk, [0, 2], [0, 10]);
    expect(desk.sketch.value.speeds).toEqual([{ m_s: 1, from: 1, to: 2 }]);
    desk.undo();
    desk.undo();
    expect(desk.sketch.value.speeds).toEqual([{ m_s: 1, from: 1, to: 8 }]);
    desk.redo();
    expect(desk.sketch.value.speeds).toHaveLength(3);
  });

  it("go the shorter way round a loop", () => {
    expect(paintSpeed(loop, 2, 1, 15).speeds).toEqual([
      { m_s: 2, from: 0, to: 1 },
      { m_s: 2, from: 15, to: 16 },
    ]);
    expect(paintSpeed(loop, 2, 1, 5).speeds).toEqual([{ m_s: 2, from: 1, to: 5 }]);
  });

  it("leave the rest to the speed of all of the path, without gaps or overlaps", () => {
    expect(speedsAsked(timed, { speed: 0 }).map((s) => [s.m_s, s.from, s.to, s.painted])).toEqual([
      [1, 0, 3, 0],
      [1.6, 5, 8, 1],
    ]);
    expect(speedsAsked(timed, { speed: 1.2 }).map((s) => [s.m_s, s.from, s.to, s.painted])).toEqual([
      [1, 0, 3, 0],
      [1.2, 3, 5, null],
      [1.6, 5, 8, 1],
      [1.2, 8, 10, null],
    ]);
    expect(speedsAsked(line, { speed: 1.2 })).toEqual([{ m_s: 1.2, from: 0, to: 10, painted: null }]);
  });

  it("are too short to be judged where nobody has changed pace yet", () => {
    const short = { ...line, speeds: [{ m_s: 2, from: 4, to: 5.5 }] };
    expect(problemsOf(short, [])).toMatchObject([{ place: { kind: "speed", index: 0 }, blocks: false }]);
    expect(problemsOf(timed, [])).toEqual([]);
  });
});

describe("arrivals", () => {
  it("are put at a point of the path or a place along it, and moved", () => {
    const desk = new Desk(line, DEFAULTS);
    desk.tool.value = "arrival";
    drag(desk, [0.1, 3.9]);
    expect(desk.sketch.value.arrivals).toEqual([{ time_s: 3.1, at: 4 }]);
    expect(desk.selection.value).toEqual({ kind: "arrival", index: 0 });
    drag(desk, [0.1, 7], [0, 8]);
    expect(desk.sketch.value.arrivals.map((a) => a.at)).toEqual([4, 8]);
    // The clock hangs beside the path, so that the point under it can still be taken.
    const clock = clockPlace(desk.sketch.value, 4, 0.2);
    expect(hitAt(desk.sketch.value, clock, 0.2, null)).toEqual({ kind: "arrival", index: 0 });
    expect(hitAt(desk.sketch.value, [0, 4], 0.2, null)).toEqual({ kind: "point", index: 1 });
    desk.undo();
    expect(desk.sketch.value.arrivals).toHaveLength(1);
    // Far from the path there is nothing to be at.
    expect(begin(desk, at(5, 5))).toBeNull();
  });

  it("are moved and removed by keys", () => {
    const desk = new Desk(timed, DEFAULTS);
    const none = () => {};
    const plan: PlanActions = {
      zoom: none,
      fitAll: none,
      panBy: none,
      finishPolygon: none,
      cancel: none,
      moveCursor: none,
      place: () => false,
    };
    const press = (key: string) =>
      planKey(
        { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false } as unknown as KeyboardEvent,
        desk,
        plan,
      );
    desk.select({ kind: "arrival", index: 1 });
    press("ArrowDown");
    expect(desk.sketch.value.arrivals[1]?.at).toBeCloseTo(9.5);
    press("Delete");
    expect(desk.sketch.value.arrivals).toEqual([{ time_s: 3, at: 4 }]);
    press("t");
    expect(desk.tool.value).toBe("arrival");
    press("m");
    expect(desk.tool.value).toBe("speed");
  });

  it("begin with a likely time, between those before and after", () => {
    expect(likelyTime(line, DEFAULTS, 6.5)).toBe(5);
    expect(likelyTime(line, { speed: 0, duration: 20 }, 5)).toBe(10);
    expect(likelyTime(line, { speed: 2, duration: 0 }, 5)).toBe(2.5);
    const between = likelyTime(timed, DEFAULTS, 6);
    expect(between).toBeGreaterThan(3);
    expect(between).toBeLessThan(7);
    expect(likelyTime(timed, DEFAULTS, 10)).toBeGreaterThan(7);
  });
});

describe("times through edits", () => {
  it("stay with the points of the path", () => {
    const moved = movePoint(timed, 1, [3, 4]);
    expect(moved.arrivals[0]?.at).toBeCloseTo(5);
    expect(scale(timed, 2).speeds[1]).toMatchObject({ from: 10, to: 16 });
    expect(deletePoint(timed, 1).arrivals.map((a) => a.at)).toEqual([4, 9]);
  });

  it("run on when the path is walked the other way", () => {
    const back = reverse(timed);
    expect(back.arrivals).toEqual([
      { time_s: 3, at: 1 },
      { time_s: 7, at: 6 },
    ]);
    expect(back.speeds.map((s) => [s.m_s, s.from, s.to])).toEqual([
      [1.6, 2, 5],
      [1, 7, 10],
    ]);
  });

  it("are kept with the sketch, and read back from a request that nobody drew", () => {
    const params = { ...DEFAULTS, duration: 9, speed: 1.2 };
    expect(decode(encode({ sketch: timed, params }))).toEqual({ sketch: timed, params });
    const request = JSON.parse(JSON.stringify(pathRequest(timed, { ...params, speed: 0 }, null))) as Result["request"];
    const read = sketchOf({ sketch: null, request });
    expect(read?.sketch.speeds).toEqual(timed.speeds);
    expect(read?.sketch.arrivals).toEqual(timed.arrivals);
    expect(read?.params.duration).toBe(9);
    const whole = JSON.parse(JSON.stringify(pathRequest(line, params, null))) as Result["request"];
    expect(sketchOf({ sketch: null, request: whole })).toMatchObject({
      params: { speed: 1.2 },
      sketch: { speeds: [] },
    });
    // An older page's sketch has none; what does not read as a time is no sketch.
    const older = JSON.parse(encode({ sketch: line, params })) as { sketch: Record<string, unknown> };
    delete older.sketch["speeds"];
    delete older.sketch["arrivals"];
    expect(decode(JSON.stringify(older))?.sketch).toEqual(line);
    older.sketch["arrivals"] = [{ at: "x" }];
    expect(decode(JSON.stringify(older))).toBeNull();
  });

  it("are asked for as the server takes them, and make a result another's", () => {
    const r = pathRequest(timed, { ...DEFAULTS, duration: 9, speed: 1.2 }, null);
    expect(r.duration_s).toBe(9);
    expect(r.arrivals).toEqual([
      { time_s: 3, at_m: 4 },
      { time_s: 7, at_m: 9 },
    ]);
    expect(r.speeds.map((s) => [s.m_s, s.from_m, s.to_m])).toEqual([
      [1, 0, 3],
      [1.2, 3, 5],
      [1.6, 5, 8],
      [1.2, 8, null],
    ]);
    const result = { kind: "path", request: pathRequest(timed, DEFAULTS, "a") } as unknown as Result;
    expect(isOf(result, timed, DEFAULTS)).toBe(true);
    expect(isOf(result, { ...timed, arrivals: [] }, DEFAULTS)).toBe(false);
  });

  it("are shown where the server says they cannot be", () => {
    const params = { ...DEFAULTS, speed: 1.2 };
    const place = (field: string) => placeOf(`request.${field}`, "`3@9`: cannot follow", timed, params);
    expect(place("arrivals[1]")).toEqual({ kind: "arrival", index: 1 });
    expect(place("speeds[2]")).toEqual({ kind: "speed", index: 1 });
    expect(place("speeds[1]")).toEqual({ kind: "param", name: "speeds" });
    expect(place("duration_s")).toEqual({ kind: "param", name: "duration_s" });
  });
});

/** As `path --report` writes it. */
const number = (asked: number, found: number, within: number, unit: string, from_m: number, to_m: number) => ({
  asked,
  found,
  within,
  unit,
  from_m,
  to_m,
});
const report = {
  status: "ConstraintMissed",
  seconds: 8.04,
  path_m: 10,
  constraints: [
    { what: "start", asked: "a", found: "b", time_s: 0, kept: true },
    {
      what: "arrival",
      asked: "at 4.00 m after 3.00 s",
      found: "3.10 s, 0.10 s late",
      time_s: 3.1,
      kept: true,
      number: number(3, 3.1, 0.25, "s", 0, 4),
    },
    {
      what: "arrival",
      asked: "at 9.00 m after 7.00 s",
      found: "7.60 s, 0.60 s late",
      time_s: 7.6,
      kept: false,
      number: number(7, 7.6, 0.25, "s", 0, 9),
    },
    {
      what: "speed",
      asked: "1.60 m/s from 5.0 to 8.0 m",
      found: "1.30 m/s on average",
      time_s: 4,
      kept: false,
      number: number(1.6, 1.3, 0.16, "m/s", 5, 8),
    },
  ],
};

describe("what came of times", () => {
  it("is read from the report, with its verdict", () => {
    const wishes = timeWishes(report);
    expect(wishes.map((w) => [wishTitle(w), w.kept])).toEqual([
      ["Arrival, 4.0 m", true],
      ["Arrival, 9.0 m", false],
      ["Speed, 5–8 m", false],
    ]);
    expect(verdict([], wishes)).toEqual({
      pass: false,
      text: "2 of 3 bars missed: arrival, 9.0 m; speed, 5–8 m.",
    });
    expect(verdict([], wishes.slice(0, 1)).text).toBe("All 1 quality bars held.");
    // A report of an older studio has words alone.
    expect(timeWishes({ constraints: [{ what: "duration", kept: false }, "odd"] })).toEqual([]);
    expect(timeWishes({})).toEqual([]);
    expect(paceHint(report)).toContain("takes 8.0 s for these 10.0 m, 1.24 m/s");
  });

  it("stands at the wish it is about", () => {
    expect(missedTimes(report, timed, DEFAULTS)).toMatchObject([
      { place: { kind: "arrival", index: 1 }, message: "Reached after 7.60 s, 0.60 s late.", blocks: false },
      { place: { kind: "speed", index: 1 }, message: "Walked at 1.30 m/s, 0.30 m/s slower." },
    ]);
    const lasts = { what: "duration", asked: 9, found: 10, within: 0.25, unit: "s", from_m: 0, to_m: 10, kept: false };
    expect(wishPlace({ ...lasts, what: "duration" }, timed, { ...DEFAULTS, duration: 9 })).toEqual({
      kind: "param",
      name: "duration_s",
    });
    // An arrival at the very end is how long it lasts.
    const ends = { ...line, arrivals: [{ time_s: 9, at: curveOf(line).length }] };
    expect(wishPlace({ ...lasts, what: "duration" }, ends, DEFAULTS)).toEqual({ kind: "arrival", index: 0 });
    expect(wishPlace({ ...lasts, what: "duration" }, line, DEFAULTS)).toBeNull();
    expect(rewished({ ...lasts, what: "duration" }, null, line, DEFAULTS)).toEqual({ sketch: line, params: DEFAULTS });
  });

  it("has buttons: what it came to, or none", () => {
    const reasons = reasonsOf(report);
    expect(reasons.map((r) => r.what)).toEqual(["time", "time"]);
    const all = remediesFor(reasons, timed, DEFAULTS, 1000);
    expect(all.map((r) => r.id)).toEqual(["take", "drop", "style", "time"]);
    const taken = all[0]!.apply!(timed, DEFAULTS).sketch;
    expect(taken.arrivals.map((a) => a.time_s)).toEqual([3, 7.6]);
    expect(taken.speeds.map((s) => s.m_s)).toEqual([1, 1.3]);
    const dropped = all[1]!.apply!(timed, DEFAULTS).sketch;
    expect(dropped.arrivals).toEqual([{ time_s: 3, at: 4 }]);
    expect(dropped.speeds).toEqual([{ m_s: 1, from: 0, to: 3 }]);
    expect(all[2]!.apply!(timed, DEFAULTS).sketch.styles).toEqual([{ label: "any", from: 0, to: 10 }]);
    const one = remediesFor(reasons.slice(0, 1), timed, DEFAULTS, 1000);
    expect(one.slice(0, 2).map((r) => r.label)).toEqual(["Ask for 7.6 s instead", "Drop this time"]);
  });
});
