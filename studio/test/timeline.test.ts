import { describe, expect, it } from "vitest";
import {
  addInterval,
  edgesOf,
  fromSeconds,
  moveBy,
  removeLane,
  renameLane,
  sameSheet,
  setEnd,
  setLane,
  setStart,
  settle,
  snap,
  toSeconds,
  type Sheet,
} from "../src/library/timeline/model";
import { commit, redo, startHistory, undo } from "../src/library/timeline/history";
import { dragTo, type Drag } from "../src/library/timeline/drag";
import { keyEdit } from "../src/library/timeline/edit-keys";
import { chooseTicks, tickText } from "../src/library/timeline/ruler";
import { plantedBits } from "../src/library/planted";
import { TimeScale } from "../src/library/timeline/scale";

const sheet = (...items: [lane: string, start: number, end: number][]): Sheet => ({
  frames: 100,
  items: items.map(([lane, start, end], id) => ({ id, lane, start, end })),
});
const spans = (s: Sheet) => s.items.map((item) => [item.lane, item.start, item.end]);

describe("rows in seconds and intervals in frames", () => {
  it("snap to frames and come back", () => {
    const rows = [{ lane: "walk", start_s: 0.49, end_s: 1.52 }];
    const made = fromSeconds(rows, 100, 10);
    expect(spans(made)).toEqual([["walk", 5, 15]]);
    expect(toSeconds(made, 10)).toEqual([{ lane: "walk", start_s: 0.5, end_s: 1.5 }]);
  });
  it("leave out what lies outside and cut what reaches over", () => {
    expect(
      spans(
        fromSeconds(
          [
            { lane: "a", start_s: 20, end_s: 30 },
            { lane: "b", start_s: 9, end_s: 30 },
            { lane: "c", start_s: 1, end_s: 1.01 },
          ],
          100,
          10,
        ),
      ),
    ).toEqual([["b", 90, 100]]);
  });
  it("keep the detector's confidence until somebody edits", () => {
    const made = fromSeconds([{ lane: "foot", start_s: 0, end_s: 1, confidence: 0.7 }], 100, 10);
    expect(toSeconds(made, 10)[0]!.confidence).toBe(0.7);
    expect(moveBy(made, 0, 1).items[0]!.confidence).toBeUndefined();
  });
});

describe("edits", () => {
  it("add in either direction, at least a frame long, inside the clip", () => {
    expect(spans(addInterval(sheet(), "a", 30, 10).sheet)).toEqual([["a", 10, 30]]);
    expect(spans(addInterval(sheet(), "a", 10, 10).sheet)).toEqual([["a", 10, 11]]);
    expect(spans(addInterval(sheet(), "a", 120, 150).sheet)).toEqual([["a", 99, 100]]);
    expect(addInterval(sheet(["a", 0, 1], ["b", 0, 1]), "c", 0, 1).id).toBe(2);
  });
  it("move without changing the length, up to the ends", () => {
    const one = sheet(["a", 10, 20]);
    expect(spans(moveBy(one, 0, 5))).toEqual([["a", 15, 25]]);
    expect(spans(moveBy(one, 0, -50))).toEqual([["a", 0, 10]]);
    expect(spans(moveBy(one, 0, 500))).toEqual([["a", 90, 100]]);
  });
  it("resize and never turn inside out", () => {
    const one = sheet(["a", 10, 20]);
    expect(spans(setStart(one, 0, 50))).toEqual([["a", 19, 20]]);
    expect(spans(setEnd(one, 0, 3))).toEqual([["a", 10, 11]]);
    expect(spans(setEnd(one, 0, 300))).toEqual([["a", 10, 100]]);
  });
  it("merge what overlaps on the same lane, touching is no overlap", () => {
    const three = sheet(["a", 0, 10], ["a", 8, 20], ["a", 20, 30], ["b", 5, 15]);
    expect(spans(settle(three, 1))).toEqual([
      ["a", 0, 20],
      ["a", 20, 30],
      ["b", 5, 15],
    ]);
    expect(settle(three, 3)).toBe(three);
  });
  it("merge in a chain", () => {
    expect(spans(settle(sheet(["a", 0, 12], ["a", 10, 22], ["a", 20, 40]), 1))).toEqual([["a", 0, 40]]);
  });
  it("rename a lane onto another and put both together", () => {
    expect(spans(renameLane(sheet(["a", 0, 10], ["b", 5, 20], ["c", 0, 5]), "a", "b"))).toEqual([
      ["b", 0, 20],
      ["c", 0, 5],
    ]);
  });
  it("remove a lane; nothing is changed in place", () => {
    const two = sheet(["a", 0, 10], ["b", 5, 20]);
    const copy = structuredClone(two);
    expect(spans(removeLane(two, "b"))).toEqual([["a", 0, 10]]);
    setLane(two, 0, "z");
    moveBy(two, 0, 3);
    expect(two).toEqual(copy);
    expect(sameSheet(two, copy)).toBe(true);
    expect(sameSheet(two, moveBy(two, 0, 1))).toBe(false);
  });
});

describe("snapping", () => {
  it("takes the nearest edge within reach, else the frame", () => {
    expect(snap(10.4, [12, 9], 2)).toBe(9);
    expect(snap(10.4, [20], 2)).toBe(10);
    expect(snap(10.4, [10.3], 0)).toBe(10);
    expect(edgesOf(sheet(["a", 3, 7], ["b", 1, 2]), 0)).toEqual([0, 100, 1, 2]);
  });
});

describe("dragging", () => {
  const before = sheet(["a", 10, 20], ["b", 50, 60]);
  const drag = (grip: Drag["grip"], from: number): Drag => ({ grip, before, id: 0, from, lane: "a" });
  const at = (frame: number, lane: string | null = "a", reach = 0) => ({ frame, lane, reach, cursor: 33 });
  it("draws a new interval", () => {
    const made = dragTo(drag("new", 30), at(40), true);
    expect(made.id).toBe(2);
    expect(spans(made.sheet).at(-1)).toEqual(["a", 30, 40]);
  });
  it("moves by either end onto an edge", () => {
    expect(spans(dragTo(drag("move", 15), at(46), true).sheet)[0]).toEqual(["a", 41, 51]);
    expect(spans(dragTo(drag("move", 15), at(46, "a", 3), true).sheet)[0]).toEqual(["a", 40, 50]);
  });
  it("changes the lane only where that is allowed", () => {
    expect(spans(dragTo(drag("move", 15), at(16, "b"), true).sheet)[0]).toEqual(["b", 11, 21]);
    expect(spans(dragTo(drag("move", 15), at(16, "b"), false).sheet)[0]).toEqual(["a", 11, 21]);
    expect(spans(dragTo(drag("move", 15), at(16, null), true).sheet)[0]).toEqual(["a", 11, 21]);
  });
  it("pulls an end to the playhead", () => {
    expect(spans(dragTo(drag("end", 20), at(32, "a", 2), true).sheet)[0]).toEqual(["a", 10, 33]);
    expect(spans(dragTo(drag("start", 10), at(2), true).sheet)[0]).toEqual(["a", 2, 20]);
  });
});

describe("keys on an interval", () => {
  const one = sheet(["a", 10, 20]);
  const press = (key: string, held: Partial<Record<"altKey" | "shiftKey" | "ctrlKey", boolean>> = {}) =>
    keyEdit(one, one.items[0]!, { key, altKey: false, shiftKey: false, ctrlKey: false, metaKey: false, ...held });
  it("move it, its start or its end", () => {
    expect(spans(press("ArrowRight")!.sheet)).toEqual([["a", 11, 21]]);
    expect(spans(press("ArrowLeft", { altKey: true })!.sheet)).toEqual([["a", 9, 20]]);
    expect(spans(press("ArrowRight", { shiftKey: true })!.sheet)).toEqual([["a", 10, 21]]);
    expect(spans(press("ArrowRight", { ctrlKey: true })!.sheet)).toEqual([["a", 20, 30]]);
    expect(press("x")).toBeNull();
  });
});

describe("undo and redo", () => {
  it("go back and forth, and a new edit forgets the future", () => {
    let h = startHistory(1);
    h = commit(commit(h, 2), 3);
    h = undo(h);
    expect(h.present).toBe(2);
    h = redo(h);
    expect(h.present).toBe(3);
    h = commit(undo(undo(h)), 9);
    expect([h.present, h.future.length, redo(h).present]).toEqual([9, 0, 9]);
    expect(undo(undo(undo(h))).present).toBe(1);
  });
  it("take a held key back in one step", () => {
    let h = startHistory(0);
    for (let k = 1; k <= 5; k++) h = commit(h, k, "move", 1000 + k * 50);
    expect(undo(h).present).toBe(0);
    h = commit(h, 6, "move", 9000);
    expect(undo(h).present).toBe(5);
    h = commit(h, 7, "end", 9001);
    expect(undo(h).present).toBe(6);
  });
  it("do not grow without bound", () => {
    let h = startHistory(0);
    for (let k = 1; k < 1000; k++) h = commit(h, k);
    expect(h.past.length).toBe(200);
  });
});

describe("the ruler", () => {
  it("keeps numbers apart", () => {
    expect(chooseTicks(650).major).toBe(0.1);
    expect(chooseTicks(100).major).toBe(1);
    expect(chooseTicks(0.3).major).toBe(300);
    expect(chooseTicks(0.00001).major).toBe(1800);
    expect([tickText(0.4, 0.1), tickText(12, 5), tickText(90, 30), tickText(61.5, 0.5)]).toEqual([
      "0.4",
      "12",
      "1:30",
      "1:01.5",
    ]);
  });
});

describe("contact bits from intervals", () => {
  it("are those of the intervals around a time", () => {
    const bits = plantedBits(sheet(["l", 10, 20], ["r", 15, 30], ["l", 40, 50]), ["l", "r"], 10);
    expect([0, 1, 1.5, 1.99, 2, 2.9, 3, 4.5].map(bits)).toEqual([0, 1, 3, 3, 2, 2, 0, 1]);
  });
});

describe("frames and pixels", () => {
  it("go there and back at any zoom, within bounds", () => {
    const scale = new TimeScale(() => 600);
    scale.frames = 300;
    expect([scale.pixelOf(150), scale.frameAt(300), scale.seen]).toEqual([300, 150, 600]);
    scale.zoomBy(4);
    expect(scale.frameAt(scale.pixelOf(77))).toBeCloseTo(77, 9);
    scale.zoomBy(1000);
    expect(scale.zoom).toBe(15);
    scale.zoomBy(1e-9);
    expect(scale.zoom).toBe(1);
    expect(new TimeScale(() => 3).seen).toBe(60);
  });
});
