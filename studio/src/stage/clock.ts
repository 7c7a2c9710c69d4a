/** Playback time, free of any screen: play, pause, speed, loop, range, frame steps. Times in seconds. */

export const SPEEDS = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4] as const;
const SLOWEST = 0.1;
const FASTEST = 4;

export interface Range {
  from: number;
  to: number;
}

export class PlaybackClock {
  private now = 0;
  private rolling = false;
  /** Play was pressed while there was nothing to play yet. */
  private wished = false;
  private pace = 1;
  private looping = true;
  private length = 0;
  private part: Range | null = null;
  private rate = 30;
  private readonly listeners = new Set<() => void>();

  get time(): number {
    return this.now;
  }
  get playing(): boolean {
    return this.rolling;
  }
  /** True too while it waits for something to play. */
  get willPlay(): boolean {
    return this.rolling || this.wished;
  }
  get speed(): number {
    return this.pace;
  }
  get loop(): boolean {
    return this.looping;
  }
  get duration(): number {
    return this.length;
  }
  /** Frames per second of what is played: the unit of a step. */
  get rate_hz(): number {
    return this.rate;
  }
  get frame(): number {
    return Math.round(this.now * this.rate);
  }
  /** Played instead of the whole when set. */
  get range(): Range | null {
    return this.part;
  }

  /** Called after any change, the passing of time included. */
  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** A new motion: its length and rate; time is kept where it still fits. */
  setMotion(duration: number, rate_hz: number): void {
    this.length = Math.max(0, duration);
    this.rate = rate_hz > 0 ? rate_hz : 30;
    this.now = Math.min(this.now, this.length);
    if (this.length === 0) this.rolling = false;
    else if (this.wished) return this.play();
    this.tell();
  }

  play(): void {
    this.wished = this.length === 0;
    if (this.wished) return this.tell();
    // Play at the end means: once more.
    if (this.now >= this.end - 1e-6 || this.now < this.start) this.now = this.start;
    this.rolling = true;
    this.tell();
  }

  pause(): void {
    if (!this.willPlay) return;
    this.rolling = this.wished = false;
    this.tell();
  }

  toggle(): void {
    if (this.willPlay) this.pause();
    else this.play();
  }

  seek(seconds: number): void {
    this.now = clamp(seconds, 0, this.length);
    this.tell();
  }

  /** Pauses and moves by whole frames, from the frame that is shown. */
  step(frames: number): void {
    this.rolling = this.wished = false;
    this.seek((this.frame + frames) / this.rate);
  }

  setSpeed(speed: number): void {
    this.pace = clamp(speed, SLOWEST, FASTEST);
    this.tell();
  }

  /** To the next listed speed up (+1) or down (-1). */
  stepSpeed(direction: 1 | -1): void {
    const next =
      direction > 0
        ? SPEEDS.find((speed) => speed > this.pace + 1e-6)
        : SPEEDS.findLast((speed) => speed < this.pace - 1e-6);
    if (next !== undefined) this.setSpeed(next);
  }

  setLoop(on: boolean): void {
    this.looping = on;
    this.tell();
  }

  setRange(range: Range | null): void {
    this.part =
      range && range.to > range.from
        ? { from: clamp(range.from, 0, this.length), to: clamp(range.to, 0, this.length) }
        : null;
    this.tell();
  }

  /** Lets `dt` seconds of the wall clock pass. A tab that slept gets no leap. */
  advance(dt: number): void {
    if (!this.rolling) return;
    const next = this.now + Math.min(dt, 0.25) * this.pace;
    const span = this.end - this.start;
    if (next < this.end) this.now = next;
    else if (this.looping && span > 0) this.now = this.start + ((next - this.start) % span);
    else {
      this.now = this.end;
      this.rolling = false;
    }
    this.tell();
  }

  private get start(): number {
    return this.part?.from ?? 0;
  }
  private get end(): number {
    return this.part?.to ?? this.length;
  }

  private tell(): void {
    [...this.listeners].forEach((listener) => listener());
  }
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
