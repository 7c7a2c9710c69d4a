import type { Sheet } from "./timeline/model";

/**
 * Contact bits at a time, from intervals. Looked up for every drawn frame, so the intervals are kept sorted per joint
 * and searched by halving.
 */
export function plantedBits(sheet: Sheet, joints: readonly string[], rate_hz: number): (seconds: number) => number {
  const lanes = joints.map((joint) =>
    sheet.items.filter((item) => item.lane === joint).sort((a, b) => a.start - b.start),
  );
  return (seconds) => {
    const frame = seconds * rate_hz;
    let bits = 0;
    lanes.forEach((items, bit) => {
      let low = 0;
      let high = items.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (items[middle]!.start <= frame) low = middle + 1;
        else high = middle;
      }
      const item = items[low - 1];
      if (item && frame < item.end) bits |= 1 << bit;
    });
    return bits >>> 0;
  };
}
