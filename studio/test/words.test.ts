import { describe, expect, it } from "vitest";
import type { Clip } from "../src/api/types";
import { filterClips, firstClip, labelCounts, UNLABELLED } from "../src/library/clip-filter";
import { parseRoute, routeHash } from "../src/route";
import { refusal } from "../src/ui/controls";
import { bytes, clockTime, count, duration, endOf, sentences } from "../src/ui/format";
import { knowLabels, labelColour, labelHue, labelStyle } from "../src/ui/label-colours";
import { Disposer, Signal } from "../src/ui/signal";

const clip = (name: string, seconds: number, labels: string[], warnings = 0): Clip => ({
  id: name,
  name,
  file: `${name}.bvh`,
  format: "bvh",
  joints: 31,
  frames: 10,
  rate_hz: 30,
  seconds,
  in_graph: true,
  kept_seconds: null,
  labels: labels.map((label) => ({ label, start_s: 0, end_s: 1 })),
  warnings: Array.from({ length: warnings }, () => ({ code: "x", message: "y", level: "warning", value: null })),
  body: "one",
  reading: null,
  file_says: null,
});

describe("what is wrong and what to try", () => {
  it("are two sentences", () => {
    expect(sentences("`16_01` lasts 2.68 s", "choose a moment within it")).toBe(
      "“16_01” lasts 2.68 s. Choose a moment within it",
    );
    expect([sentences("It is gone.", "try again"), sentences("gone", null)]).toEqual(["It is gone. Try again", "gone"]);
  });
});

describe("numbers in words", () => {
  it("times", () => {
    expect([clockTime(0), clockTime(75.256), clockTime(3725.5), clockTime(59.999)]).toEqual([
      "0:00.00",
      "1:15.26",
      "1:02:05.50",
      "1:00.00",
    ]);
    expect([duration(3.25), duration(95), duration(3700)]).toEqual(["3.3 s", "1 min 35 s", "1 h 1 min"]);
  });
  it("sizes and counts", () => {
    expect([bytes(12), bytes(2048), bytes(5e6)]).toEqual(["12 B", "2 KB", "4.8 MB"]);
    expect([count(1, "clip"), count(1200, "clip")]).toEqual(["1 clip", "1,200 clips"]);
  });
});

describe("the address", () => {
  it("goes there and back", () => {
    const back = (view: "library" | "graph" | "make", params: Record<string, string>) => {
      const hash = routeHash(view, params);
      expect(parseRoute(hash), hash).toEqual({ view, params });
      return hash;
    };
    expect(back("library", { clip: "walk-01" })).toBe("#/library/walk-01");
    expect(back("library", { clip: "walk-01", tab: "contacts" })).toBe("#/library/walk-01/contacts");
    expect(back("library", { tab: "contacts" })).toBe("#/library?tab=contacts");
    expect(back("graph", { tab: "distances", a: "x y", i: "3" })).toBe("#/graph/distances?a=x+y&i=3");
    expect(back("make", { result: "r/1?", member: "2" })).toBe("#/make/r%2F1%3F?member=2");
    expect(back("make", {})).toBe("#/make");
  });
  it("of an older page still leads there", () => {
    expect(parseRoute("#graph?a=x%20y")).toEqual({ view: "graph", params: { a: "x y" } });
    expect(parseRoute("#library?clip=walk-01").params).toEqual({ clip: "walk-01" });
    expect(parseRoute("").view).toBe("library");
    expect(parseRoute("#/").view).toBe("library");
  });
  it("that leads nowhere is told apart", () => {
    for (const hash of ["#nonsense", "#/Library", "#/make/a/b", "#/graph/drawing/x"])
      expect(parseRoute(hash).view, hash).toBeNull();
    expect(parseRoute("#/library/50%").params).toEqual({ clip: "50%" });
  });
});

describe("the list of clips", () => {
  const clips = [clip("b10", 3, ["walk"]), clip("b9", 5, ["run", "walk"], 2), clip("a", 1, [])];
  const names = (part: Partial<Parameters<typeof filterClips>[1]>) =>
    filterClips(clips, { text: "", labels: new Set(), order: "name", ...part }).map((c) => c.name);
  it("begins with a walk, else with the first", () => {
    expect(firstClip(clips).name).toBe("b10");
    expect(firstClip([clip("turn", 1, ["turn", "walk"]), clip("idle", 2, ["idle"])]).name).toBe("turn");
    expect(firstClip([clip("run_01", 9, ["run", "walk"]), clip("walk_02", 1, ["walk", "start"])]).name).toBe("walk_02");
    expect(firstClip([clip("z", 1, []), clip("a", 2, ["idle"])]).name).toBe("a");
  });
  it("is ordered and searched", () => {
    expect(names({})).toEqual(["a", "b9", "b10"]);
    expect(names({ order: "longest" })).toEqual(["b9", "b10", "a"]);
    expect(names({ order: "warnings" })[0]).toBe("b9");
    expect(names({ text: "B walk" })).toEqual(["b9", "b10"]);
    expect(names({ labels: new Set(["run"]) })).toEqual(["b9"]);
    expect(names({ labels: new Set([UNLABELLED, "run"]) })).toEqual(["a", "b9"]);
  });
  it("counts labels by clip", () => {
    expect(labelCounts(clips)).toEqual([
      { label: "walk", clips: 2 },
      { label: UNLABELLED, clips: 1 },
      { label: "run", clips: 1 },
    ]);
  });
});

describe("small things", () => {
  it("signals tell of changes only", () => {
    const seen: number[] = [];
    const signal = new Signal(1);
    const stop = signal.follow((value) => seen.push(value));
    signal.value = 1;
    signal.value = 2;
    stop();
    signal.value = 3;
    expect(seen).toEqual([1, 2]);
  });
  it("things are stopped in reverse order, once", () => {
    const order: number[] = [];
    const stops = new Disposer();
    stops.add(
      () => order.push(1),
      () => order.push(2),
    );
    stops.dispose();
    stops.dispose();
    expect(order).toEqual([2, 1]);
  });
});

describe("colours of labels", () => {
  it("are one per label, in every form", () => {
    knowLabels(["walk", "run"]);
    expect(labelStyle("run")).toEqual({ "--hue": String(labelHue("run")) });
    expect(labelColour("run", true)).toContain(`hsl(${labelHue("run")} `);
  });
  it("depend on nothing but the project's list", () => {
    knowLabels(["run", "walk", "gone", "sneak"]);
    const before = ["run", "walk", "sneak"].map(labelHue);
    knowLabels(["another project's"]);
    labelHue("a name that was typed there");
    knowLabels(["run", "walk", "new in its place", "sneak", "last"]);
    expect(["run", "walk", "sneak"].map(labelHue)).toEqual(before);
  });
  it("differ for as many labels as anybody has", () => {
    const many = Array.from({ length: 40 }, (_, k) => `label ${k}`);
    knowLabels(many);
    expect(new Set(many.map((label) => labelHue(label))).size).toBe(many.length);
  });
  it("hold for a label that is being typed", () => {
    knowLabels(["walk"]);
    const hue = labelHue("not saved yet");
    expect(hue).not.toBe(labelHue("walk"));
    expect(labelHue("another")).not.toBe(hue);
    // The server gives a new label the next place, as it was shown.
    knowLabels(["walk", "not saved yet"]);
    expect(labelHue("not saved yet")).toBe(hue);
  });
});

describe("long names and numbers out of bounds", () => {
  it("a long name keeps its end, which tells it from the others", () => {
    expect(endOf("cmu-bvh/16/16_16", 20)).toBe("cmu-bvh/16/16_16");
    expect(endOf("cmu-bvh/16/16_16", 9)).toBe("…16/16_16");
    expect([...endOf("ä".repeat(40), 10)].length).toBe(10);
  });
  it("a number out of bounds is refused in words that say what may be", () => {
    expect(refusal(-4, { min: 0.1, max: 600, unit: "s" })).toBe("-4 s is too little: 0.1 s is the least.");
    expect(refusal(9, { max: 7 })).toBe("9 is too much: 7 is the most.");
    expect(refusal(3, { min: 0.1, max: 7 })).toBeNull();
    expect(refusal(NaN, { min: 0.1, max: 7 })).toBeNull();
  });
});
