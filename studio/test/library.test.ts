import { describe, expect, it } from "vitest";
import type { Clip, ClipLabel, ClipWarning, Reading } from "../src/api/types";
import { replaces } from "../src/library/build-from";
import { byBody } from "../src/library/clip-filter";
import { linesOf, wholeClips } from "../src/library/label-many";
import { AS_FOUND, mends, needsPerson, notes } from "../src/library/mend";
import { spread } from "../src/library/reading-dialog";
import { Selection } from "../src/library/selection";
import { nameFor } from "../src/projects";

const warning = (code: string, value: number | null = null, level: "note" | "warning" = "warning"): ClipWarning => ({
  code,
  message: code,
  level,
  value,
});

const clip = (id: string, part: Partial<Clip> = {}): Clip => ({
  id,
  name: id,
  file: `${id}.bvh`,
  format: "bvh",
  joints: 31,
  frames: 120,
  rate_hz: 120,
  seconds: 1,
  in_graph: false,
  kept_seconds: null,
  labels: [],
  warnings: [],
  body: "b",
  reading: AS_FOUND,
  file_says: null,
  ...part,
});

describe("findings are mended where they stand", () => {
  const wrong = warning("rate-implausible", 60);
  const all = [
    clip("a", { warnings: [wrong, warning("unit-guessed", null, "note")] }),
    clip("b", { warnings: [wrong], reading: { ...AS_FOUND, unit: "cm" } }),
    clip("other body", { warnings: [wrong], body: "c" }),
    clip("other verdict", { warnings: [warning("rate-implausible", 30)] }),
    clip("fine"),
  ];

  it("a wrong rate, for all clips of the evidence at once", () => {
    const [first, second] = mends(all[0]!, wrong, all);
    expect(first!.label).toBe("Play at 60 Hz, all 2");
    expect(first!.change!.map(({ clip: id }) => id)).toEqual(["a", "b"]);
    // What was said of a clip before stays said.
    expect(first!.change![1]!.reading).toEqual({ ...AS_FOUND, unit: "cm", source_fps: 60 });
    expect([second!.label, second!.change!.length]).toEqual(["Play at 60 Hz, this one", 1]);
    expect(mends(all[2]!, wrong, all)[0]!.label).toBe("Play at 60 Hz");
  });

  it("notes are no warnings", () => {
    expect(needsPerson(all[0]!).map((w) => w.code)).toEqual(["rate-implausible"]);
    expect(notes(all[0]!).map((w) => w.code)).toEqual(["unit-guessed"]);
  });

  it("every finding about reading has something to press, and clips of a graph have nothing", () => {
    for (const code of [
      "unit-implausible",
      "up-axis-turned",
      "t-pose-dropped",
      "joint-flip",
      "spikes",
      "root-dropout",
    ]) {
      const found = warning(code);
      const one = clip("x", { warnings: [found] });
      expect(mends(one, found, [one]).length, code).toBeGreaterThan(0);
      expect(mends({ ...one, reading: null }, found, [one])).toEqual([]);
    }
  });
});

describe("reading options", () => {
  it("only what changed goes to the others", () => {
    const before: Reading = { ...AS_FOUND, unit: "cm" };
    const others = [
      clip("a", { reading: before }),
      clip("b", { reading: { ...AS_FOUND, cut: [1, 2] } }),
      clip("g", { reading: null }),
    ];
    const change = spread(before, { ...before, up: "z" }, others);
    expect(change).toEqual([
      { clip: "a", reading: { ...before, up: "z" } },
      { clip: "b", reading: { ...AS_FOUND, cut: [1, 2], up: "z" } },
    ]);
  });
});

describe("several clips at once", () => {
  const order = ["a", "b", "c", "d", "e"];
  it("one more, a range, all, none", () => {
    const selection = new Selection();
    const now = () => [...selection.ids.value].sort().join("");
    selection.toggle("b");
    selection.extendTo("d", order);
    expect(now()).toBe("bcd");
    selection.toggle("c");
    expect(now()).toBe("bd");
    selection.extendTo("a", order);
    expect(now()).toBe("abcd");
    selection.keep(new Set(["a", "d"]));
    expect(now()).toBe("ad");
    selection.all(order);
    expect(now()).toBe("abcde");
    selection.clear();
    expect(now()).toBe("");
    selection.extendTo("c", order);
    expect(now()).toBe("c");
  });

  it("under their bodies, in the order asked for", () => {
    const clips = [
      clip("z", { body: "2" }),
      clip("a", { body: "1" }),
      clip("b", { body: "2" }),
      clip("n", { body: "?" }),
    ];
    const bodies = ["2", "1"].map((id) => ({ id, joints: 31, clips: [], seconds: 1 }));
    expect(byBody(clips, bodies).map((g) => [g.body?.id, g.clips.map((c) => c.id).join("")])).toEqual([
      ["2", "zb"],
      ["1", "a"],
      [undefined, "n"],
    ]);
  });
});

describe("labels for many", () => {
  it("are shown label by label before they are put on", () => {
    const rows: ClipLabel[] = [
      ...wholeClips([clip("a"), clip("b", { seconds: 3 })], "walk"),
      { clip: "a", label: "run", start_s: 0, end_s: 0.5 },
      { clip: "a", label: "run", start_s: 0.6, end_s: 0.7 },
    ];
    expect(linesOf(rows).map(({ label, clips, rows: own }) => [label, clips, own.length])).toEqual([
      ["walk", 2, 2],
      ["run", 1, 2],
    ]);
    expect(linesOf(rows)[0]!.seconds).toBe(4);
  });
});

describe("a project for dropped clips", () => {
  it("is called after what they have in common", () => {
    const files = (...names: string[]) => names.map((name) => ({ name }));
    expect(nameFor(files("16_15.bvh", "16_16.bvh"), "captures")).toBe("captures");
    expect(nameFor(files("walk_01.bvh", "walk_02.bvh"), null)).toBe("walk_0");
    expect(nameFor(files("a.bvh", "b.bvh"), null)).toBe("My clips");
    expect(nameFor(files("dance-1.bvh", "dance-2.bvh"), null)).toBe("dance");
  });
});

describe("a graph of other clips", () => {
  const project = (basis: string[], built = true) =>
    ({ graph: built ? {} : null, basis }) as unknown as Parameters<typeof replaces>[0];
  it("takes the place of the one that is there, which is asked first", () => {
    expect(replaces(project(["a", "b"]), ["c"])).toBe(2);
  });
  it("of the same clips, or the first of all, is only built", () => {
    expect(replaces(project(["a", "b"]), ["b", "c"])).toBe(0);
    expect(replaces(project(["a"], false), ["c"])).toBe(0);
    expect(replaces(null, ["c"])).toBe(0);
  });
});
