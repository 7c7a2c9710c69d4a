import { describe, expect, it } from "vitest";
import type { TransitionMark } from "../src/api/types";
import { reasonText } from "../src/graph/reasons";
import { courseText, kindText, marginText, spanOf, stricterText } from "../src/graph/transition-words";
import { transitionsOf } from "../src/make/report";

const cut = {
  kind: "cut",
  distance_cm: 2.4,
  threshold_cm: 3.1,
  label_threshold_cm: 6,
  compared_frames: 4,
  window_frames: 15,
  seconds: 0.4,
  leaves_s: 3.9,
  from_s: 3.9,
  to_s: 1.2,
  arrives_s: 1.6,
} as const;
const blend = {
  ...cut,
  kind: "blend",
  threshold_cm: 6,
  compared_frames: 15,
  to_s: 1.2,
  leaves_s: 3.65,
  arrives_s: 1.45,
  seconds: 0.5,
} as const;

describe("a transition in words", () => {
  it("says what a cut does, and never calls it a blend", () => {
    const text = courseText(cut, ["run", "walk"]);
    expect(text).toBe(
      "A cut: run is left at 3.90 s and walk plays from 1.20 s on. The jump fades over 0.40 s, until 1.60 s.",
    );
    expect(kindText("cut", 0.4)).toBe("cut, fades over 0.40 s");
  });

  it("tells a blend by where it begins and ends", () => {
    const text = courseText(blend, ["run", "walk"]);
    expect(text).toMatch(/^A blend of 0\.50 s: it begins in run at 3\.65 s and is over in walk at 1\.45 s/);
    expect(kindText("blend", 0.5)).toBe("blend of 0.50 s");
  });

  it("explains the stricter threshold near an end, and only there", () => {
    expect(stricterText(cut)).toMatch(/4 of 15 frames.*6\.0 cm of these labels count as 3\.1 cm \(× √\(4\/15\)\)/);
    expect(stricterText(blend)).toBe("");
    expect(marginText(cut)).toBe("2.4 cm apart, the threshold is 3.1 cm: 0.7 cm to spare.");
  });

  it("promises cuts to whoever lost the ends of clips", () => {
    expect(reasonText("border").explanation).toContain("only blends");
    expect(reasonText("border").remedy).toContain("cuts at the ends of clips");
  });
});

describe("a transition on a result's time", () => {
  const mark: TransitionMark = {
    kind: "cut",
    t: 2,
    start_s: 2,
    end_s: 2.4,
    seconds: 0.4,
    distance_cm: 3,
    from: "a@1.000",
    to: "b@0.200",
  };

  it("lasts from where it says to where it says", () => {
    expect(spanOf(mark)).toEqual({ start: 2, end: 2.4 });
    expect(transitionsOf({ transitions: [mark] }, 10)[0]).toMatchObject({ kind: "cut", t: 12, start: 12, end: 12.4 });
  });

  it("is about its middle in results that do not say", () => {
    const { start_s: _, end_s: __, ...old } = mark;
    expect(spanOf({ ...old, kind: "blend" })).toEqual({ start: 1.8, end: 2.2 });
    expect(spanOf({ ...old, kind: "blend", t: 0.1 }).start).toBe(0);
    expect(spanOf(old).start).toBe(2);
  });
});
