import { describe, expect, it } from "vitest";
import type { LabelRow, Minima, Topology } from "../src/api/types";
import {
  UNLABELLED,
  all,
  clipMap,
  labelMap,
  partOf,
  tellingMinimum,
  tellingPair,
  waysBetween,
  waysOfClips,
} from "../src/graph/map-model";
import { linkText, ring, strongest } from "../src/graph/map-view";

/** Clips of ten seconds and a hundred frames; `ways` are [clip, frame, clip, frame, cm]. */
function graph(
  clips: readonly string[],
  ways: readonly (readonly [number, number, number, number, number])[],
): Topology {
  const nodes = { clip: [] as number[], frame: [] as number[], component: [] as number[] };
  const node = (clip: number, frame: number) => {
    nodes.component.push(0);
    nodes.frame.push(frame);
    return nodes.clip.push(clip) - 1;
  };
  const whole = clips.map((_, clip) => [node(clip, 0), node(clip, 100)] as const);
  const ends = ways.map(([a, i, b, j]) => [node(a, i), node(b, j)] as const);
  return {
    clips: clips.map((name) => ({ id: name, name: name.toUpperCase(), frames: 100, seconds: 10 })),
    interpolated: { from_clip: [], from_s: [], to_clip: [], to_s: [], distance_cm: [] },
    nodes,
    transitions: {
      edge: ways.map((_, k) => 100 + k),
      from: ends.map(([a]) => a),
      to: ends.map(([, b]) => b),
      distance_cm: ways.map(([, , , , cm]) => cm),
      kind: ways.map(() => "blend"),
      frames: ways.map(() => 5),
      seconds: ways.map(() => 0.5),
      from_frame: ways.map(([, i]) => i),
      to_frame: ways.map(([, , , j]) => j),
    },
    pieces: { edge: clips.map((_, k) => k), from: whole.map(([a]) => a), to: whole.map(([, b]) => b) },
  };
}

const LABELS: Readonly<Record<string, LabelRow[]>> = {
  a: [{ label: "walk", start_s: 0, end_s: 10 }],
  b: [
    { label: "walk", start_s: 0, end_s: 5 },
    { label: "run", start_s: 5, end_s: 8 },
    { label: "turn", start_s: 4, end_s: 6 },
  ],
};
const rowsOf = (clip: string) => LABELS[clip] ?? [];
const G = graph(
  ["a", "b", "c"],
  [
    [0, 10, 1, 20, 3], // walk → walk
    [0, 10, 1, 55, 4], // walk → run and turn
    [1, 90, 2, 50, 5], // no label → no label
    [1, 70, 0, 30, 0.02], // run → walk
    [0, 20, 0, 80, 6], // walk → walk, in one clip
  ],
);

describe("the map of labels", () => {
  const map = labelMap(G, rowsOf);
  it("has every label with its seconds, and what nobody labelled", () => {
    const seconds = Object.fromEntries(map.nodes.map((n) => [n.name, Number(n.seconds.toFixed(2))]));
    expect(seconds).toEqual({ walk: 15, run: 3, turn: 2, "no label": 12 });
  });
  it("counts the ways from style to style, each pair of labels on its own", () => {
    const ways = Object.fromEntries(map.links.map((l) => [`${l.from} ${l.to}`, l.ways]));
    expect(ways).toEqual({ "walk run": 1, "walk turn": 1, "run walk": 1 });
    expect(map.nodes.find((n) => n.key === "walk")?.inside).toBe(2);
    expect(map.nodes.find((n) => n.key === UNLABELLED)?.inside).toBe(1);
    expect(map.more).toBe(0);
  });
  it("says a tiny distance in words", () => {
    const link = map.links.find((l) => l.from === "run")!;
    expect(linkText(link, "run", "walk")).toBe("run to walk: 1 way, the nearest under 0.1 cm apart");
  });
});

describe("a label opened", () => {
  it("shows the clips that its ways join", () => {
    const ways = waysBetween(G, rowsOf, "walk", "walk");
    expect(ways).toEqual([0, 4]);
    const map = clipMap(G, ways, 30);
    expect(map.nodes.map((n) => n.name)).toEqual(["A", "B"]);
    expect(map.links).toEqual([{ from: "a", to: "b", ways: 1, cm: 3, through: 0 }]);
  });
  it("leaves out the clips with the fewest ways where there are too many", () => {
    const map = clipMap(G, all(G), 2);
    expect([map.nodes.length, map.more]).toEqual([2, 1]);
    expect(map.links.every((l) => l.to !== "c")).toBe(true);
  });
  it("opens into the frames of two clips, and nothing else", () => {
    const part = partOf(G, waysOfClips(G, all(G), "b", "a"));
    expect(part.clips.map((c) => c.id)).toEqual(["a", "b"]);
    expect(part.transitions.edge).toEqual([103]);
    const [from, to] = [part.transitions.from[0]!, part.transitions.to[0]!];
    expect([part.clips[part.nodes.clip[from]!]!.id, part.nodes.frame[from]]).toEqual(["b", 70]);
    expect([part.clips[part.nodes.clip[to]!]!.id, part.nodes.frame[to]]).toEqual(["a", 30]);
    expect(part.pieces.edge).toEqual([0, 1]);
  });
});

describe("the pair that tells most", () => {
  it("is two different clips with the most ways, the nearer on a tie", () => {
    expect(tellingPair(G)).toEqual(["a", "b"]);
    expect(
      tellingPair(
        graph(
          ["a", "b", "c"],
          [
            [0, 1, 1, 1, 5],
            [2, 1, 1, 1, 2],
          ],
        ),
      ),
    ).toEqual(["c", "b"]);
  });
  it("is a clip with itself where there is no other, and none without ways", () => {
    expect(tellingPair(graph(["a", "b"], [[1, 1, 1, 50, 5]]))).toEqual(["b", "b"]);
    expect(tellingPair(graph(["a", "b"], []))).toBeNull();
  });
});

describe("the moment that tells most", () => {
  const at = (i: number, j: number, distance_cm: number, state: "in" | "out" = "in") =>
    ({ i, j, distance_cm, state }) as Minima["minima"][number];
  it("is the nearest in the graph, away from the ends where everybody stands", () => {
    const minima = [at(5, 900, 0.1), at(300, 400, 3), at(500, 300, 2), at(450, 450, 1, "out"), at(990, 10, 0.2)];
    expect(tellingMinimum({ rate_hz: 30, minima })).toBe(2);
    expect(tellingMinimum({ rate_hz: 30, minima: [minima[0]!, minima[3]!, minima[4]!] })).toBe(0);
    expect(tellingMinimum({ rate_hz: 30, minima: [minima[3]!] })).toBe(0);
    expect(tellingMinimum({ rate_hz: 30, minima: [] })).toBe(-1);
  });
});

describe("the ring", () => {
  it("holds every disc within the picture, a thin one too", () => {
    for (const [width, height] of [
      [900, 600],
      [366, 300],
    ] as const)
      for (const n of [1, 2, 7, 30])
        for (const { x, y, r } of ring(
          Array.from({ length: n }, (_, k) => ({ key: `${k}`, name: "x", seconds: k, inside: 0 })),
          width,
          height,
        )) {
          expect(x - r).toBeGreaterThanOrEqual(0);
          expect(x + r).toBeLessThanOrEqual(width);
          expect(y - r).toBeGreaterThanOrEqual(0);
          expect(y + r).toBeLessThanOrEqual(height);
        }
  });
});

describe("bands that stand out", () => {
  it("are the widest out of each disc, and one into every disc that anything leads to", () => {
    const link = (from: string, to: string, ways: number) => ({ from, to, ways, cm: 5, through: 0 });
    const links = [link("a", "b", 9), link("a", "c", 8), link("a", "d", 7), link("a", "b2", 6), link("d", "b", 5)];
    const strong = [...strongest(links)].map((l) => `${l.from}${l.to}`);
    expect(strong).toEqual(["ab", "ac", "ad", "ab2", "db"]);
    const more = [...links, link("c", "a", 4), link("a", "e", 3), link("b", "e", 2), link("a", "c", 1)];
    expect([...strongest(more)].filter((l) => l.from === "a" && l.ways === 1)).toEqual([]);
    for (const disc of ["a", "b", "c", "d", "e"]) expect([...strongest(more)].some((l) => l.to === disc)).toBe(true);
  });
});
