import { describe, expect, it } from "vitest";
import { actionsOf } from "../src/make/report";

describe("actions of a report", () => {
  const happened = {
    label: "pick-up",
    asked_m: 4,
    happened: true,
    as_asked: true,
    time_s: 5.04,
    place_m: [0.034, 0.31, 4.02],
    off_m: 0.043,
    off_deg: 3.4,
  };
  it("says when, where and how far off", () => {
    expect(actionsOf({ actions: [happened] })).toEqual([
      {
        good: true,
        asked: "pick-up at 4.0 m",
        came: "at 5.0 s, (0.03, 4.02): 4 cm from there, facing 3° off the path",
      },
    ]);
    expect(actionsOf({ actions: [happened] }, 2)[0]?.came).toMatch(/^at 7.0 s/);
  });
  it("says why one does not happen", () => {
    const missed = {
      label: "kick",
      asked_m: 2.5,
      as_asked: false,
      time_s: null,
      place_m: null,
      reason: "it is not played",
    };
    expect(actionsOf({ actions: [missed] })).toEqual([
      { good: false, asked: "kick at 2.5 m", came: "it is not played" },
    ]);
  });
  it("has none where a report has none, or something else", () => {
    expect(actionsOf({})).toEqual([]);
    expect(actionsOf({ actions: "none" })).toEqual([]);
    expect(actionsOf({ actions: [7, { asked_m: 2 }] })).toEqual([]);
  });
});
