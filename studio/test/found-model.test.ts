import { expect, test } from "vitest";
import type { FoundBody } from "../src/api/types";
import { LOOSE, dotColours, fitWords, partColour, partRows, treeDoubt } from "../src/library/found-model";

const found: FoundBody = {
  bodies: [
    { name: "Hips", parent: null, seen_by: ["LASI", "RASI"], length_m: null },
    { name: "LeftUpLeg", parent: "Hips", seen_by: ["LTHI"], length_m: 0.1 },
  ],
  joints: [
    {
      name: "LeftUpLeg",
      parent: "Hips",
      kind: "ball",
      residual_mm: 4.25,
      turn_deg: 20,
      confidence: "fair",
      advice: "move this joint more",
    },
  ],
  margin: 1.1,
  doubt: "Hips – LeftUpLeg or Hips – Spine",
  residual_mm: 5.04,
  filled: 30,
  samples: 12345,
  warnings: [],
  command: "gaitway calibrate a.c3d -o a.bvh",
};

test("markers wear the colour of the part they sit on, others none", () => {
  expect(dotColours(["RASI", "CHAIR", "LTHI", "LASI"], found)).toEqual([
    partColour(0),
    LOOSE,
    partColour(1),
    partColour(0),
  ]);
  expect(dotColours(["A"], null)).toEqual([LOOSE]);
});

test("colours of many parts all differ", () => {
  const colours = Array.from({ length: 40 }, (_, k) => partColour(k));
  expect(new Set(colours).size).toBe(40);
});

test("every part has a row, and all but the first a joint", () => {
  const rows = partRows(found);
  expect(rows.map((row) => row.joint?.residual_mm ?? null)).toEqual([null, 4.25]);
});

test("how it fits, and whether the tree is a guess", () => {
  expect(fitWords(found, "markers")).toBe(
    "2 parts · 3 markers, 5.0 mm (RMS) from the motion · 30 of 12,345 samples were not seen and are filled",
  );
  expect(treeDoubt(found)).toContain("Hips – Spine");
  expect(treeDoubt({ ...found, margin: 3 })).toBeNull();
  expect(treeDoubt({ ...found, margin: null })).toBeNull();
});
