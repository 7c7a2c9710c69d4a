import { describe, expect, it } from "vitest";
import { nearestOf, placeInGraph, worstOf } from "../src/make/inspect";

describe("from a result's transition to the graph's", () => {
  const clips = [
    { id: "a-1", name: "16/16_01" },
    { id: "b-2", name: "me@home" },
  ];
  it("names clips by id and moments by working frames", () => {
    expect(placeInGraph({ from: "16/16_01@2.233", to: "me@home@0.400" }, clips, 30)).toEqual({
      a: "a-1",
      i: 67,
      b: "b-2",
      j: 12,
    });
  });
  it("has no place for a clip that is not listed, or for words that are no moment", () => {
    expect(placeInGraph({ from: "16/16_01~mirror@1", to: "me@home@0.4" }, clips, 30)).toBeNull();
    expect(placeInGraph({ from: "16/16_01", to: "me@home@" }, clips, 30)).toBeNull();
  });
  it("finds the worst, and the one at a time", () => {
    const marks = [3, 7, 7, 1].map((distance_cm, k) => ({ distance_cm, t: k, start: k - 0.2, end: k + 0.2 }));
    expect(worstOf(marks)).toBe(marks[1]);
    expect(nearestOf(marks, 2.15)).toBe(marks[2]);
    expect(nearestOf(marks, 9)).toBe(marks[3]);
    expect(worstOf([])).toBeNull();
    expect(nearestOf([], 1)).toBeNull();
  });
});
