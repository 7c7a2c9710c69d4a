/**
 * Where the stage gets its frames. A short motion is held whole; a long one is fetched in chunks around the cursor
 * and only a bounded number of chunks is kept, so that an hour of motion costs no more memory than a minute.
 */
import type { MotionChunk } from "../api/motion";
import type { MotionHeader } from "../api/types";
import { ApiError } from "../api/error";
import { sampleChunk, type Pose } from "./pose";

export interface MotionSource {
  /** Of the whole motion: `count` is not to be used here. */
  readonly header: MotionHeader;
  /** Time of the last frame. */
  readonly seconds: number;
  /** Writes the pose at a time, between frames too; false when its frames are not here yet. */
  sample(seconds: number, pose: Pose): boolean;
  /** Says where the cursor is, so that frames ahead of it can be fetched. */
  want(seconds: number): void;
  /** Frames arrived, or could not be fetched. */
  onData(listener: (error: unknown) => void): () => void;
  dispose(): void;
  /** The whole motion where it is here in one piece: curves can be drawn from it. */
  readonly whole?: MotionChunk;
}

function lastTime(header: MotionHeader): number {
  return Math.max(0, header.frames - 1) / header.rate_hz;
}

/** A motion that came in one piece. */
export function wholeMotion(chunk: MotionChunk): MotionSource {
  const { header } = chunk;
  return {
    header,
    whole: chunk,
    seconds: Math.max(0, header.count - 1) / header.rate_hz,
    sample: (seconds, pose) => {
      const frame = Math.min(Math.max(0, seconds * header.rate_hz), header.count - 1);
      return header.count > 0 && sampleChunk(chunk, chunk, frame, pose);
    },
    want: () => {},
    onData: () => () => {},
    dispose: () => {},
  };
}

export type ChunkLoader = (from: number, count: number, signal: AbortSignal) => Promise<MotionChunk>;

export interface ChunkOptions {
  /** Frames per request. */
  chunkFrames?: number;
  /** Chunks kept; the least recently used goes first. */
  keep?: number;
  /** Chunks fetched ahead of the cursor. */
  ahead?: number;
}

/** Loads the first chunk, which tells how long the motion is, then the rest as it is wanted. */
export async function streamMotion(load: ChunkLoader, options: ChunkOptions = {}): Promise<MotionSource> {
  const size = options.chunkFrames ?? 1024;
  const first = await load(0, size, new AbortController().signal);
  if (first.header.count >= first.header.frames) return wholeMotion(first);
  return new ChunkedMotion(load, first, { chunkFrames: size, keep: options.keep ?? 24, ahead: options.ahead ?? 2 });
}

export class ChunkedMotion implements MotionSource {
  readonly header: MotionHeader;
  readonly seconds: number;
  /** In order of use: a Map keeps insertion order, and use re-inserts. */
  private readonly chunks = new Map<number, MotionChunk>();
  private readonly loading = new Map<number, AbortController>();
  private readonly failed = new Map<number, number>();
  private readonly listeners = new Set<(error: unknown) => void>();
  private readonly size: number;

  constructor(
    private readonly load: ChunkLoader,
    first: MotionChunk,
    private readonly options: Required<ChunkOptions>,
  ) {
    this.header = first.header;
    this.seconds = lastTime(first.header);
    // The server may give fewer frames than asked for; its number then sets the pace.
    this.size = Math.min(options.chunkFrames, first.header.count);
    this.chunks.set(0, first);
  }

  get cachedChunks(): readonly number[] {
    return [...this.chunks.keys()];
  }

  sample(seconds: number, pose: Pose): boolean {
    const frame = Math.min(Math.max(0, seconds * this.header.rate_hz), this.header.frames - 1);
    const index = Math.floor(Math.floor(frame) / this.size);
    const chunk = this.use(index);
    if (!chunk) return false;
    // Between the last frame of a chunk and the first of the next both are needed.
    const next = frame > (index + 1) * this.size - 1 ? this.use(index + 1) : chunk;
    if (!next) return false;
    return sampleChunk(chunk, next, frame, pose);
  }

  want(seconds: number): void {
    const frame = Math.min(Math.max(0, Math.floor(seconds * this.header.rate_hz)), this.header.frames - 1);
    const here = Math.floor(frame / this.size);
    const last = Math.floor((this.header.frames - 1) / this.size);
    const wanted = new Set<number>();
    for (let index = here; index <= Math.min(last, here + this.options.ahead); index++) wanted.add(index);
    for (const [index, controller] of this.loading) if (!wanted.has(index)) controller.abort();
    for (const index of wanted) if (!this.chunks.has(index) && !this.loading.has(index)) void this.fetch(index);
  }

  onData(listener: (error: unknown) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  dispose(): void {
    for (const controller of this.loading.values()) controller.abort();
    this.listeners.clear();
    this.chunks.clear();
  }

  private use(index: number): MotionChunk | undefined {
    const chunk = this.chunks.get(index);
    if (chunk) {
      this.chunks.delete(index);
      this.chunks.set(index, chunk);
    }
    return chunk;
  }

  private async fetch(index: number): Promise<void> {
    // After a failure a pause: the render loop asks sixty times a second.
    if ((this.failed.get(index) ?? 0) > Date.now()) return;
    const controller = new AbortController();
    this.loading.set(index, controller);
    let error: unknown = null;
    try {
      const chunk = await this.load(index * this.size, this.size, controller.signal);
      this.chunks.set(index, chunk);
      this.failed.delete(index);
      while (this.chunks.size > this.options.keep) this.chunks.delete(this.chunks.keys().next().value as number);
    } catch (cause) {
      if (!(cause instanceof ApiError && cause.code === "aborted")) {
        error = cause;
        this.failed.set(index, Date.now() + 2000);
      }
    } finally {
      this.loading.delete(index);
    }
    this.listeners.forEach((listener) => listener(error));
  }
}
