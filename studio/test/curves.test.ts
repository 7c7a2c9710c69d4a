import { describe, expect, it } from "vitest";
import { speedCeiling } from "../src/library/timeline/speed-canvas";
import { rootWay, speedCurve } from "../src/stage/curves";
import { tinyMotion } from "./tiny";

describe("curves of a motion", () => {
  it("speed is metres over seconds, to the very ends", () => {
    // 0.1 m a frame at 10 Hz.
    for (const value of speedCurve(tinyMotion({ frames: 20 }))) expect(value).toBeCloseTo(1, 4);
    expect([...speedCurve(tinyMotion({ frames: 1 }))]).toEqual([0]);
  });
  it("a way has points apart from each other, and one for somebody who stands", () => {
    expect(rootWay(tinyMotion({ frames: 5 }), 0.15).map(([x]) => Number(x.toFixed(2)))).toEqual([0, 0.2, 0.4]);
    const still = tinyMotion({ frames: 5 });
    still.roots.fill(0.5);
    expect(rootWay(still)).toHaveLength(1);
  });
  it("the scale shows slow clips as slow", () => {
    expect(speedCeiling(new Float32Array([0.2]))).toBe(1.5);
    expect(speedCeiling(new Float32Array([4]))).toBeCloseTo(4.6);
  });
});
