/** Speeds and arrivals of a sketch: painted, put down, and all that is asked for together. */
import type { Params } from "./params";
import { curveOf, type Sketch } from "./sketch";
import { SHORTEST_M, laid, laidAround } from "./spans";
import { WALK_M_S, sameSpeed, type ArrivalMark, type SpeedSpan } from "./times";

const made = (m_s: number) => (m_s > 0 ? (from: number, to: number): SpeedSpan => ({ m_s, from, to }) : null);

/** A sketch with a speed from one metre to another; 0 rubs out. */
export function withSpeed(sketch: Sketch, m_s: number, from: number, to: number): Sketch {
  return { ...sketch, speeds: laid(sketch.speeds, made(m_s), from, to, sameSpeed) };
}

/** Paints a speed between two places, on a closed curve the shorter way round. */
export function paintSpeed(sketch: Sketch, m_s: number, from: number, to: number): Sketch {
  if (!sketch.closed) return withSpeed(sketch, m_s, from, to);
  const { length } = curveOf(sketch);
  return { ...sketch, speeds: laidAround(sketch.speeds, made(m_s), from, to, length, sameSpeed) };
}

/** A speed that is asked for, and which of the painted it is; nothing of the one that holds everywhere else. */
export interface AskedSpeed extends SpeedSpan {
  readonly painted: number | null;
}

/** All speeds of a sketch in order: the painted, and between them the one of all of the path, where there is one. */
export function speedsAsked(sketch: Sketch, params: Pick<Params, "speed">): AskedSpeed[] {
  const { length } = curveOf(sketch);
  const out: AskedSpeed[] = [];
  let at = 0;
  const fill = (to: number) => {
    if (params.speed > 0 && to - at >= SHORTEST_M) out.push({ m_s: params.speed, from: at, to, painted: null });
  };
  sketch.speeds.forEach(({ m_s, ...span }, painted) => {
    const [from, to] = [Math.max(at, Math.min(span.from, length)), Math.min(span.to, length)];
    if (to - from < SHORTEST_M) return;
    fill(from);
    out.push({ m_s, from, to, painted });
    at = to;
  });
  fill(length);
  return out;
}

/** A sketch with one more arrival; and which it is. */
export function withArrival(sketch: Sketch, mark: ArrivalMark): { sketch: Sketch; index: number } {
  const arrivals = [...sketch.arrivals, mark].sort((p, q) => p.at - q.at);
  return { sketch: { ...sketch, arrivals }, index: arrivals.indexOf(mark) };
}

/** When somebody is likely at a place, by what is asked for around it: a guess to begin with, to a tenth of a second. */
export function likelyTime(sketch: Sketch, params: Pick<Params, "speed" | "duration">, at: number): number {
  const { length } = curveOf(sketch);
  const known: ArrivalMark[] = [...sketch.arrivals].sort((p, q) => p.at - q.at);
  if (params.duration > 0) known.push({ at: length, time_s: params.duration });
  const before = known.findLast((k) => k.at < at) ?? { at: 0, time_s: 0 };
  const after = known.find((k) => k.at >= at && k.time_s > before.time_s);
  const walked = (from: number, to: number) => {
    let seconds = (to - from) / WALK_M_S;
    for (const s of speedsAsked(sketch, params)) {
      const metres = Math.min(to, s.to) - Math.max(from, s.from);
      if (metres > 0) seconds += metres / s.m_s - metres / WALK_M_S;
    }
    return seconds;
  };
  const alone = walked(before.at, at);
  const part = after && after.at > before.at ? alone / walked(before.at, after.at) : null;
  const likely = before.time_s + (after && part !== null ? part * (after.time_s - before.time_s) : alone);
  return Math.max(0.1, Math.round(likely * 10) / 10);
}
