import { describe, expect, it } from "vitest";
import { spansText } from "../src/graph/contact-bars";
import { facing, laneOffset, travel } from "../src/graph/transition-camera";
import { lengthText, marginText } from "../src/graph/transition-words";
import { feetOf, stands, traceOf } from "../src/stage/feet";
import { tinyMotion } from "./tiny";

const contacts = [
  { name: "left_heel", joint: 0 },
  { name: "left_toe", joint: 1 },
  { name: "right_toe", joint: 1 },
];

function stepping() {
  const motion = tinyMotion({ frames: 10 });
  motion.header.contacts = contacts;
  // Left: heel in 1 to 3, toe in 3 to 4; right: 6 to the end.
  [0, 1, 1, 3, 2, 0, 4, 4, 4, 4].forEach((bits, k) => (motion.contacts[k] = bits));
  return motion;
}

describe("the feet of a motion", () => {
  const motion = stepping();
  const feet = feetOf(motion.header);
  it("are told apart by side, and stand on their toes", () => {
    expect(feet).toEqual([
      { side: "left", bits: 3, joint: 1 },
      { side: "right", bits: 4, joint: 1 },
    ]);
    expect(feetOf({ contacts: [{ name: "paw", joint: 0 }], joints: ["Root"] })[0]?.side).toBe("other");
  });
  it("stand while any of their contacts does", () => {
    const [left, right] = feet.map((foot) => stands(motion, foot));
    expect(left).toEqual([{ start_s: 0.1, end_s: 0.5 }]);
    expect(right).toEqual([{ start_s: 0.6, end_s: 1 }]);
    expect(spansText(left!)).toBe("on the ground 0:00.10 to 0:00.50");
    expect(spansText([])).toBe("never on the ground");
  });
  it("leave a line, and a place for every step", () => {
    const { way, steps } = traceOf(motion, feet[0]!, [10, 0]);
    expect(way).toHaveLength(10);
    const joint = 100 * motion.header.unit_m;
    expect(way[0]![0]).toBeCloseTo(10 + joint);
    // Frames 1 to 4: the root is at 0.1 to 0.4 m.
    expect(steps).toHaveLength(1);
    expect(steps[0]![0]).toBeCloseTo(10 + 0.25 + joint);
  });
});

describe("the camera of a transition", () => {
  const walk = tinyMotion({ frames: 40 });
  it("looks from the front and aside, whichever way somebody goes", () => {
    expect(travel(walk)).toEqual([1, 0]);
    const [x, y, z] = facing(walk);
    expect(x).toBeGreaterThan(0.3);
    expect(Math.abs(z)).toBeGreaterThan(0.5);
    expect(y).toBeGreaterThan(0.1);
  });
  it("sees three beside each other: across the way, the one entered to the right", () => {
    const [dx, dz] = laneOffset(walk);
    expect(dx).toBeCloseTo(0);
    expect(Math.abs(dz)).toBeGreaterThan(0.9);
    const [x, , z] = facing(walk);
    expect(dx * z - dz * x).toBeGreaterThan(0.5);
  });
  it("has a side for somebody who stands", () => {
    const still = tinyMotion({ frames: 40 });
    for (let k = 0; k < 40; k++) still.roots[k * 3] = 0;
    expect(travel(still)).toBeNull();
    expect(Math.hypot(...laneOffset(still))).toBeGreaterThan(0.9);
    expect(facing(still).every(Number.isFinite)).toBe(true);
  });
});

describe("tiny differences", () => {
  it("are never nothing", () => {
    for (const [distance_cm, threshold_cm] of [
      [6.02, 6],
      [6, 6.02],
      [6, 6],
      [0.01, 6],
      [0, 0],
      [0.001, 0],
      [5.96, 6],
    ] as const) {
      const text = marginText({ distance_cm, threshold_cm });
      expect(text).not.toMatch(/\b0\.0 cm/);
    }
    expect(marginText({ distance_cm: 6.02, threshold_cm: 6 })).toBe(
      "6.0 cm apart, the threshold is 6.0 cm: too far by a hair.",
    );
    expect(marginText({ distance_cm: 5.98, threshold_cm: 6 })).toMatch(/within it by a hair\.$/);
    expect([lengthText(0), lengthText(0.04), lengthText(0.05), lengthText(12.34)]).toEqual([
      "0 cm",
      "under 0.1 cm",
      "0.1 cm",
      "12.3 cm",
    ]);
  });
});
