import { describe, expect, it } from "vitest";
import { ApiError } from "../src/api/error";
import { decodeMotion } from "../src/api/motion";
import { emptyPose, sampleChunk } from "../src/stage/pose";
import { encodeMotion, tinyMotion } from "./tiny";

describe("GWMO", () => {
  it("comes back as it was written, whatever the length of the header", () => {
    for (const name of ["", "a", "ab", "abc", "äöü", "longer name"]) {
      const chunk = tinyMotion({ frames: 5, name });
      const back = decodeMotion(encodeMotion(chunk));
      expect(back.header).toEqual(chunk.header);
      expect([...back.roots]).toEqual([...chunk.roots]);
      expect([...back.points]).toEqual([...chunk.points]);
      expect([...back.contacts]).toEqual([...chunk.contacts]);
    }
  });

  it("reads frames without copying them", () => {
    const buffer = encodeMotion(tinyMotion({ frames: 3 }));
    expect(decodeMotion(buffer).points.buffer).toBe(buffer);
  });

  it("refuses what it cannot read, in words", () => {
    const good = encodeMotion(tinyMotion({ frames: 4 }));
    const refused = (buffer: ArrayBuffer, words: RegExp) => {
      expect(() => decodeMotion(buffer)).toThrow(ApiError);
      expect(() => decodeMotion(buffer)).toThrow(words);
    };
    refused(new ArrayBuffer(3), /cut short/);
    refused(new ArrayBuffer(64), /GWMO/);
    refused(good.slice(0, good.byteLength - 1), /frames are cut short/);
    refused(good.slice(0, 40), /header is cut short/);
    const later = good.slice(0);
    new DataView(later).setUint32(4, 2, true);
    refused(later, /version 2/);
    const garbled = good.slice(0);
    new Uint8Array(garbled)[12] = 0x21;
    refused(garbled, /not JSON/);
  });

  it("survives every truncation and every flipped byte of the head without any other error", () => {
    const good = encodeMotion(tinyMotion({ frames: 2 }));
    for (let cut = 0; cut < good.byteLength; cut++) expect(() => decodeMotion(good.slice(0, cut))).toThrow(ApiError);
    for (let at = 0; at < 200; at++) {
      const bad = good.slice(0);
      const bytes = new Uint8Array(bad);
      bytes[at] = bytes[at]! ^ 0x55;
      try {
        decodeMotion(bad);
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError);
      }
    }
  });
});

describe("a pose between frames", () => {
  it("has no place for what was not seen, and takes the nearer frame beside a gap", () => {
    const chunk = tinyMotion({ frames: 3 });
    const width = chunk.header.joints.length * 3;
    for (let axis = 0; axis < 3; axis++) chunk.points[width + 3 + axis] = -32768;
    const pose = emptyPose(chunk.header.joints.length);
    const at = (frame: number) => (sampleChunk(chunk, chunk, frame, pose), [...pose.points.slice(3, 6)]);
    expect(at(1)).toEqual([NaN, NaN, NaN]);
    expect(at(0.75)).toEqual([NaN, NaN, NaN]);
    const [before, first] = [at(0.25), at(0)];
    for (let axis = 0; axis < 3; axis++) expect(Math.abs(before[axis]! - first[axis]!)).toBeLessThan(0.2);
    expect([...pose.points.slice(0, 3)].some(Number.isNaN), "others are where they are").toBe(false);
  });
  it("lies on the line between them and takes off the floor's height", () => {
    const chunk = tinyMotion({ frames: 3, floor_m: 0.5 });
    const pose = emptyPose(chunk.header.joints.length);
    expect(sampleChunk(chunk, chunk, 0.25, pose)).toBe(true);
    // The root of the tiny motion walks 0.1 m a frame along x at a height of 1 m.
    expect(pose.points[0]).toBeCloseTo(0.025);
    expect(pose.points[1]).toBeCloseTo(0.5);
    expect(sampleChunk(chunk, chunk, 2, pose)).toBe(true);
    expect(pose.points[0]).toBeCloseTo(0.2);
    expect(sampleChunk(chunk, chunk, 3, pose)).toBe(false);
  });

  it("takes contacts from the nearer frame", () => {
    const chunk = tinyMotion({ frames: 2 });
    chunk.contacts.set([0b01, 0b10]);
    const pose = emptyPose(chunk.header.joints.length);
    sampleChunk(chunk, chunk, 0.4, pose);
    expect(pose.contacts).toBe(0b01);
    sampleChunk(chunk, chunk, 0.6, pose);
    expect(pose.contacts).toBe(0b10);
  });
});
