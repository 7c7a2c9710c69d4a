import { describe, expect, it, vi } from "vitest";
import { ApiError } from "../src/api/error";
import type { MotionChunk } from "../src/api/motion";
import { ChunkedMotion, streamMotion, type ChunkLoader } from "../src/stage/motion-source";
import { emptyPose } from "../src/stage/pose";
import { tinyMotion } from "./tiny";

const TOTAL = 100;
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

function server(log: number[] = []): ChunkLoader {
  return (from, count) => {
    log.push(from);
    return Promise.resolve(tinyMotion({ frames: Math.min(count, TOTAL - from), total: TOTAL, from }));
  };
}

describe("chunks of a long motion", () => {
  it("are whole when the first holds everything", async () => {
    const source = await streamMotion(server(), { chunkFrames: 200 });
    expect(source).not.toBeInstanceOf(ChunkedMotion);
    expect(source.seconds).toBeCloseTo(9.9);
    const pose = emptyPose(2);
    expect(source.sample(99, pose)).toBe(true);
    expect(pose.points[0]).toBeCloseTo(9.9);
  });

  it("are fetched around the cursor, ahead of it", async () => {
    const log: number[] = [];
    const source = await streamMotion(server(log), { chunkFrames: 10, ahead: 2 });
    source.want(0);
    await settle();
    expect(log).toEqual([0, 10, 20]);
    source.want(5);
    await settle();
    expect(log).toEqual([0, 10, 20, 50, 60, 70]);
  });

  it("give the same poses as the whole, also across their borders", async () => {
    const source = await streamMotion(server(), { chunkFrames: 10, ahead: 1 });
    const pose = emptyPose(2);
    for (const time of [0, 0.45, 0.95, 1.0, 4.97, 9.9]) {
      source.want(time);
      await settle();
      expect(source.sample(time, pose)).toBe(true);
      expect(pose.points[0]).toBeCloseTo(time);
    }
  });

  it("say when their frames are missing", async () => {
    const source = await streamMotion(server(), { chunkFrames: 10 });
    expect(source.sample(5, emptyPose(2))).toBe(false);
  });

  it("are bounded in number, the least used going first", async () => {
    const source = (await streamMotion(server(), { chunkFrames: 10, keep: 4, ahead: 1 })) as ChunkedMotion;
    for (let second = 0; second < 10; second++) {
      source.want(second);
      await settle();
      source.sample(second, emptyPose(2));
    }
    expect(source.cachedChunks.length).toBeLessThanOrEqual(4);
    expect(source.cachedChunks).toContain(9);
  });

  it("gives up requests that are no longer wanted", async () => {
    const signals: AbortSignal[] = [];
    const load: ChunkLoader = (from, count, signal) => {
      if (from === 0) return server()(from, count, signal);
      signals.push(signal);
      return new Promise<MotionChunk>((_, reject) =>
        signal.addEventListener("abort", () => reject(new ApiError(0, "aborted", ""))),
      );
    };
    const source = await streamMotion(load, { chunkFrames: 10, ahead: 1 });
    const errors: unknown[] = [];
    source.onData((error) => error && errors.push(error));
    source.want(2);
    source.want(8);
    await settle();
    expect(signals[0]!.aborted).toBe(true);
    expect(signals[2]!.aborted).toBe(false);
    expect(errors).toEqual([]);
  });

  it("tell of a failure once and wait before they ask again", async () => {
    const load = vi.fn<ChunkLoader>((from, count, signal) =>
      from === 0 ? server()(from, count, signal) : Promise.reject(new Error("gone")),
    );
    const source = await streamMotion(load, { chunkFrames: 10, ahead: 0 });
    const errors: unknown[] = [];
    source.onData((error) => error && errors.push(error));
    for (let k = 0; k < 5; k++) {
      source.want(3);
      await settle();
    }
    expect(errors).toHaveLength(1);
    expect(load).toHaveBeenCalledTimes(2);
  });

  it("take the server's chunk size when it gives less than asked", async () => {
    const log: number[] = [];
    const load: ChunkLoader = (from, _, signal) => server(log)(from, 7, signal);
    const source = await streamMotion(load, { chunkFrames: 50, ahead: 0 });
    source.want(1.5);
    await settle();
    expect(log).toEqual([0, 14]);
  });
});
