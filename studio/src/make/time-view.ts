/** Which seconds of a result the timeline shows: all of them, or a part that one looks at more closely. */

export interface TimeView {
  readonly from: number;
  readonly to: number;
}

/** Less than this nobody can tell apart. */
const SHORTEST_S = 0.5;

export const wholeOf = (seconds: number): TimeView => ({ from: 0, to: seconds });

/** Within the motion, and never shorter than can be used. */
function held(view: TimeView, seconds: number): TimeView {
  const span = Math.min(seconds, Math.max(Math.min(SHORTEST_S, seconds), view.to - view.from));
  const from = Math.max(0, Math.min(seconds - span, view.from));
  return { from, to: from + span };
}

/** Nearer (below 1) or further (above 1) about a second, which stays where it is. */
export function zoomedTime(view: TimeView, factor: number, about: number, seconds: number): TimeView {
  const from = about - (about - view.from) * factor;
  return held({ from, to: from + (view.to - view.from) * factor }, seconds);
}

export function pannedTime(view: TimeView, by: number, seconds: number): TimeView {
  return held({ from: view.from + by, to: view.to + by }, seconds);
}

/** Of the same size, with a second inside: a page further where it left. */
export function following(view: TimeView, at: number, seconds: number): TimeView {
  if (at >= view.from && at <= view.to) return view;
  const span = view.to - view.from;
  return held({ from: at - 0.1 * span, to: at + 0.9 * span }, seconds);
}

/** The next mark after (1) or before (-1) a second; nothing where there is none. */
export function nextMark(marks: readonly number[], at: number, step: 1 | -1): number | null {
  const apart = 0.02;
  const sorted = [...marks].sort((a, b) => a - b);
  const found = step > 0 ? sorted.find((m) => m > at + apart) : sorted.findLast((m) => m < at - apart);
  return found ?? null;
}
