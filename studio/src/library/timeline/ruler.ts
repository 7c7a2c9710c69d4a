/** Where the numbers of a time ruler go. */

const STEPS_S = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800] as const;

export interface Ticks {
  /** Seconds between numbered ticks. */
  major: number;
  /** Ticks within one of those. */
  parts: number;
}

/** Numbers at least `room` pixels apart. */
export function chooseTicks(pixelsPerSecond: number, room = 64): Ticks {
  const major = STEPS_S.find((step) => step * pixelsPerSecond >= room) ?? STEPS_S[STEPS_S.length - 1]!;
  const lead = Number(major.toPrecision(1).replace(/[0.]/g, "")[0] ?? 1);
  return { major, parts: lead === 2 ? 4 : lead === 3 || lead === 6 ? 6 : 5 };
}

/** "0.4", "12", "1:30": as few digits as the step needs. */
export function tickText(seconds: number, major: number): string {
  const decimals = major < 0.1 ? 2 : major < 1 ? 1 : 0;
  if (seconds < 60) return seconds.toFixed(decimals);
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${(seconds % 60).toFixed(decimals).padStart(decimals > 0 ? decimals + 3 : 2, "0")}`;
}
