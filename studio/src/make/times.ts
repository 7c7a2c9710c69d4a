/** When to be where along a curve, and how fast: speeds on intervals of arc length, arrivals at places. */
import { SHORTEST_M, type Span } from "./spans";

/** How fast a part of the curve is walked. */
export interface SpeedSpan extends Span {
  readonly m_s: number;
}

/** When a place is reached. */
export interface ArrivalMark {
  /** Seconds from the motion's start. */
  readonly time_s: number;
  readonly at: number;
}

/** Slowest and fastest that may be asked for, m/s, as the library has it. */
export const SPEED_RANGE = [0.05, 15] as const;
/** Speeds to paint with, m/s: a stroll, a slow walk, a walk, a brisk one, a run. */
export const SPEEDS = [0.7, 1, 1.3, 1.6, 3] as const;
/** What people walk at who are not asked for anything, m/s. */
export const WALK_M_S = 1.3;
/** Longest that may be asked for, seconds. */
export const LONGEST_S = 10800;

export const sameSpeed = (a: SpeedSpan, b: SpeedSpan) => a.m_s === b.m_s;

/** Metres after and before a border in which a change of pace is under way, and not judged. */
const SETTLES_M = [1, 0.5] as const;

/** Whether a stretch is too short for its speed to be judged: nobody changes pace at a line. */
export function tooShort(span: SpeedSpan, length: number): boolean {
  const [after, before] = SETTLES_M;
  const judged = span.to - span.from - (span.from > 0 ? after : 0) - (span.to < length - SHORTEST_M ? before : 0);
  return judged < 0.2;
}
