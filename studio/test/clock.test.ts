import { describe, expect, it, vi } from "vitest";
import { PlaybackClock } from "../src/stage/clock";
import { Quality } from "../src/stage/quality";

function clock(duration = 10, rate = 30): PlaybackClock {
  const made = new PlaybackClock();
  made.setMotion(duration, rate);
  return made;
}

describe("quality while playing", () => {
  const frames = (quality: Quality, n: number, dt: number) => Array.from({ length: n }, () => quality.note(dt));
  it("gives up pixels when frames take long, and takes them back with patience", () => {
    const quality = new Quality();
    frames(quality, 60, 1 / 60);
    expect(quality.scale).toBe(1);
    frames(quality, 5, 0.11);
    expect(quality.scale).toBe(0.75);
    frames(quality, 10, 0.0505);
    expect(quality.scale).toBe(0.5);
    frames(quality, 12 * 3, 1 / 60);
    expect(quality.scale).toBe(0.5);
    frames(quality, 12, 1 / 60);
    expect(quality.scale).toBe(0.75);
  });
  it("does not count a pause as a slow frame", () => {
    const quality = new Quality();
    frames(quality, 30, 5);
    expect(quality.scale).toBe(1);
  });
});

describe("the playback clock", () => {
  it("runs at its speed and only while playing", () => {
    const c = clock();
    c.advance(0.1);
    expect(c.time).toBe(0);
    c.setSpeed(2);
    c.play();
    c.advance(0.1);
    expect(c.time).toBeCloseTo(0.2);
  });

  it("remembers that play was pressed while there was nothing to play", () => {
    const c = new PlaybackClock();
    c.play();
    expect([c.playing, c.willPlay]).toEqual([false, true]);
    c.setMotion(4, 30);
    expect([c.playing, c.time]).toEqual([true, 0]);
    c.setMotion(0, 30);
    expect(c.willPlay).toBe(false);
    c.toggle();
    c.toggle();
    c.setMotion(4, 30);
    expect(c.playing).toBe(false);
  });

  it("loops without losing what is over the end", () => {
    const c = clock(1);
    c.play();
    c.seek(0.95);
    c.advance(0.1);
    expect(c.time).toBeCloseTo(0.05);
    expect(c.playing).toBe(true);
  });

  it("stops at the end without loop, and plays again from the start", () => {
    const c = clock(1);
    c.setLoop(false);
    c.seek(0.9);
    c.play();
    c.advance(0.2);
    expect([c.time, c.playing]).toEqual([1, false]);
    c.play();
    expect(c.time).toBe(0);
  });

  it("keeps to a range and leaves it when told", () => {
    const c = clock();
    c.setRange({ from: 2, to: 3 });
    c.play();
    expect(c.time).toBe(2);
    c.seek(2.95);
    c.advance(0.1);
    expect(c.time).toBeCloseTo(2.05);
    c.setRange({ from: 5, to: 4 });
    expect(c.range).toBeNull();
  });

  it("steps by whole frames and pauses", () => {
    const c = clock();
    c.play();
    c.seek(0.51);
    c.step(1);
    expect(c.playing).toBe(false);
    expect(c.frame).toBe(16);
    expect(c.time).toBeCloseTo(16 / 30);
    c.step(-100);
    expect(c.time).toBe(0);
  });

  it("bounds the speed and steps through the listed ones", () => {
    const c = clock();
    c.setSpeed(100);
    expect(c.speed).toBe(4);
    c.setSpeed(0);
    expect(c.speed).toBe(0.1);
    c.stepSpeed(-1);
    expect(c.speed).toBe(0.1);
    c.setSpeed(1);
    c.stepSpeed(1);
    expect(c.speed).toBe(1.5);
  });

  it("gives no leap after the tab slept", () => {
    const c = clock();
    c.play();
    c.advance(3600);
    expect(c.time).toBeLessThan(0.3);
  });

  it("keeps its place when the motion gets shorter, and tells listeners", () => {
    const c = clock();
    const heard = vi.fn();
    const stop = c.listen(heard);
    c.seek(8);
    c.setMotion(5, 60);
    expect(c.time).toBe(5);
    expect(heard).toHaveBeenCalledTimes(2);
    stop();
    c.seek(1);
    expect(heard).toHaveBeenCalledTimes(2);
  });

  it("does not play nothing", () => {
    const c = clock(0);
    c.play();
    expect(c.playing).toBe(false);
  });
});
