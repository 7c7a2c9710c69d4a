/** The feet of a motion: when they stand, and where they go on the floor. */
import type { MotionChunk } from "../api/motion";
import type { MotionHeader, Point } from "../api/types";
import { splitName } from "./roles";

export interface Foot {
  readonly side: "left" | "right" | "other";
  /** Contacts of the header that belong to it, as bits. */
  readonly bits: number;
  /** The joint whose way on the floor is the foot's: its foremost contact. */
  readonly joint: number;
}

/** Left before right; a skeleton without sides has one foot for all its contacts. */
export function feetOf({ contacts, joints }: Pick<MotionHeader, "contacts" | "joints">): Foot[] {
  const feet = new Map<Foot["side"], Foot>();
  contacts.forEach(({ name, joint }, bit) => {
    const side = sideOf(name) ?? sideOf(joints[joint] ?? "") ?? "other";
    const before = feet.get(side);
    const front = /toe|ball|tip/i.test(name);
    feet.set(side, {
      side,
      bits: (before?.bits ?? 0) | (1 << bit),
      joint: before && !front ? before.joint : joint,
    });
  });
  return (["left", "right", "other"] as const).flatMap((side) => feet.get(side) ?? []);
}

function sideOf(name: string): "left" | "right" | null {
  const { side } = splitName(name);
  return side === "mid" ? null : side;
}

export interface Span {
  readonly start_s: number;
  readonly end_s: number;
}

/** Stretches over which a foot stands; each frame lasts until the next. */
export function stands({ header, contacts }: MotionChunk, foot: Foot): Span[] {
  const spans: { start_s: number; end_s: number }[] = [];
  for (let k = 0; k < header.count; k++) {
    if (((contacts[k] ?? 0) & foot.bits) === 0) continue;
    const end_s = (k + 1) / header.rate_hz;
    const last = spans.at(-1);
    if (last && last.end_s === k / header.rate_hz) last.end_s = end_s;
    else spans.push({ start_s: k / header.rate_hz, end_s });
  }
  return spans;
}

export interface Trace {
  /** The foot's way on the floor, from the first frame to the last. */
  readonly way: readonly Point[];
  /** Where it stood, one place per stretch: the mean of its frames. */
  readonly steps: readonly Point[];
}

/** `aside` moves all of it. */
export function traceOf(chunk: MotionChunk, foot: Foot, aside: Point = [0, 0]): Trace {
  const { header, roots, points } = chunk;
  const width = header.joints.length * 3;
  const way: Point[] = Array.from({ length: header.count }, (_, k): Point => {
    const at = k * width + foot.joint * 3;
    return [
      roots[k * 3]! + points[at]! * header.unit_m + aside[0],
      roots[k * 3 + 2]! + points[at + 2]! * header.unit_m + aside[1],
    ];
  });
  const steps = stands(chunk, foot).map(({ start_s, end_s }): Point => {
    const frames = way.slice(Math.round(start_s * header.rate_hz), Math.round(end_s * header.rate_hz));
    const mean = (axis: 0 | 1) => frames.reduce((sum, p) => sum + p[axis], 0) / Math.max(1, frames.length);
    return [mean(0), mean(1)];
  });
  return { way, steps };
}
