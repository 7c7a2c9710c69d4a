/**
 * The graph laid out: one lane per clip, time to the right, transitions as arcs between lanes.
 *
 * Twenty thousand arcs are too many to draw one by one at every move of the mouse, and more than a screen can show:
 * arcs out of sight are culled, and arcs that leave and enter at the same few pixels are drawn once (`visible`).
 */
import type { Topology } from "../api/types";

/** What is seen: seconds at the left border, pixels per second, pixels scrolled down, lane height. */
export interface LaneView {
  readonly left: number;
  readonly perSecond: number;
  readonly top: number;
  readonly lane: number;
  readonly width: number;
  readonly height: number;
}

export interface Filter {
  readonly maxCm: number;
  /** Lanes that are shown at full strength: an arc shows if one of its ends is on one. Nothing: all. */
  readonly clips: ReadonlySet<number> | null;
  readonly component: number | null;
}

/** Arcs to draw: indices of transitions, and how many each stands for. */
export interface Visible {
  readonly arcs: Uint32Array;
  readonly weights: Uint16Array;
  readonly hidden: number;
}

export class ArcLayout {
  readonly count: number;
  readonly fromLane: Uint16Array;
  readonly toLane: Uint16Array;
  readonly fromS: Float32Array;
  /** Where an arc comes down: where a blend is over, where a cut enters. */
  readonly toS: Float32Array;
  /** Where it is over; a cut fades from `toS` up to here. */
  readonly endS: Float32Array;
  readonly component: Int32Array;
  readonly longest: number;

  constructor(readonly topology: Topology) {
    const { transitions, nodes, clips } = topology;
    this.count = transitions.edge.length;
    this.fromLane = new Uint16Array(this.count);
    this.toLane = new Uint16Array(this.count);
    this.fromS = new Float32Array(this.count);
    this.toS = new Float32Array(this.count);
    this.endS = new Float32Array(this.count);
    this.component = new Int32Array(this.count);
    this.longest = clips.reduce((t, c) => Math.max(t, c.seconds), 1);
    for (let k = 0; k < this.count; k++) {
      const a = transitions.from[k] ?? 0;
      const b = transitions.to[k] ?? 0;
      this.fromLane[k] = nodes.clip[a] ?? 0;
      this.toLane[k] = nodes.clip[b] ?? 0;
      this.fromS[k] = this.nodeSeconds(a);
      this.endS[k] = this.nodeSeconds(b);
      this.toS[k] = this.isCut(k) ? this.nodeSeconds(b, -(transitions.frames[k] ?? 0)) : this.nodeSeconds(b);
      const ca = nodes.component[a] ?? -1;
      this.component[k] = ca === (nodes.component[b] ?? -1) ? ca : -1;
    }
  }

  isCut(k: number): boolean {
    return this.topology.transitions.kind[k] === "cut";
  }

  /** Seconds of a node in its clip, or of a place some working frames beside it. */
  nodeSeconds(node: number, beside = 0): number {
    const { nodes, clips } = this.topology;
    const clip = clips[nodes.clip[node] ?? 0];
    return clip && clip.frames > 0 ? (((nodes.frame[node] ?? 0) + beside) / clip.frames) * clip.seconds : 0;
  }

  passes(k: number, filter: Filter): boolean {
    if ((this.topology.transitions.distance_cm[k] ?? 0) > filter.maxCm) return false;
    if (filter.component !== null && this.component[k] !== filter.component) return false;
    const { clips } = filter;
    return clips === null || clips.has(this.fromLane[k] ?? 0) || clips.has(this.toLane[k] ?? 0);
  }

  /** Arcs in sight, one for each cell of `cell` pixels at both ends, cheapest first among equals. */
  visible(view: LaneView, filter: Filter, cell: number): Visible {
    const seen = new Map<number, number>();
    const arcs: number[] = [];
    const weights: number[] = [];
    let hidden = 0;
    const { distance_cm } = this.topology.transitions;
    for (let k = 0; k < this.count; k++) {
      if (!this.passes(k, filter) || !this.inSight(k, view)) continue;
      const xa = Math.floor(xOf(view, this.fromS[k] ?? 0) / cell) & 0x7ff;
      const xb = Math.floor(xOf(view, this.toS[k] ?? 0) / cell) & 0x7ff;
      // 11 bits of place and 12 of lane at each end fit a double's 53 bits.
      const lanes = ((this.fromLane[k] ?? 0) & 0xfff) * 4096 + ((this.toLane[k] ?? 0) & 0xfff);
      const key = lanes * 4194304 + xa * 2048 + xb;
      const known = seen.get(key);
      if (known === undefined) {
        seen.set(key, arcs.length);
        arcs.push(k);
        weights.push(1);
        continue;
      }
      hidden++;
      weights[known] = Math.min(65535, (weights[known] ?? 0) + 1);
      if ((distance_cm[k] ?? 0) < (distance_cm[arcs[known] ?? 0] ?? 0)) arcs[known] = k;
    }
    return { arcs: Uint32Array.from(arcs), weights: Uint16Array.from(weights), hidden };
  }

  /** The `most` nearest of what is drawn; the rest counts as hidden. */
  nearest(drawn: Visible, most: number): Visible {
    if (drawn.arcs.length <= most) return drawn;
    const { distance_cm } = this.topology.transitions;
    const cm = (place: number) => distance_cm[drawn.arcs[place] ?? 0] ?? 0;
    const kept = [...drawn.arcs.keys()].sort((p, q) => cm(p) - cm(q)).slice(0, most);
    return {
      arcs: Uint32Array.from(kept, (place) => drawn.arcs[place] ?? 0),
      weights: Uint16Array.from(kept, (place) => drawn.weights[place] ?? 1),
      hidden: drawn.hidden + drawn.arcs.length - most,
    };
  }

  private inSight(k: number, view: LaneView): boolean {
    const xa = xOf(view, this.fromS[k] ?? 0);
    const xb = xOf(view, this.toS[k] ?? 0);
    if (Math.max(xa, xb) < 0 || Math.min(xa, xb) > view.width) return false;
    const ya = yOf(view, this.fromLane[k] ?? 0);
    const yb = yOf(view, this.toLane[k] ?? 0);
    return Math.max(ya, yb) > -view.lane && Math.min(ya, yb) < view.height + view.lane;
  }

  /** Control points of an arc in pixels: x0, y0, x1, y1, x2, y2, x3, y3. */
  arc(k: number, view: LaneView, out: Float64Array): void {
    place(view, this.fromLane[k] ?? 0, this.fromS[k] ?? 0, this.toLane[k] ?? 0, this.toS[k] ?? 0, out);
  }

  /** Ways through interpolated clips, which have no lane, that a filter lets through: places in the topology's columns. */
  through(filter: Filter): number[] {
    const { from_clip, to_clip, distance_cm } = this.topology.interpolated;
    const { clips, component } = filter;
    if (component !== null && component > 0) return [];
    return [...distance_cm.keys()].filter(
      (k) =>
        (distance_cm[k] ?? 0) <= filter.maxCm &&
        (clips === null || clips.has(from_clip[k] ?? -1) || clips.has(to_clip[k] ?? -1)),
    );
  }

  /** Control points of a way through interpolated clips. */
  throughArc(k: number, view: LaneView, out: Float64Array): void {
    const { from_clip, from_s, to_clip, to_s } = this.topology.interpolated;
    place(view, from_clip[k] ?? 0, from_s[k] ?? 0, to_clip[k] ?? 0, to_s[k] ?? 0, out);
  }

  /** The arc nearest to a place among those drawn, within `reach` pixels; -1 for none. */
  hit(drawn: Visible, view: LaneView, x: number, y: number, reach: number): number {
    const c = new Float64Array(8);
    let best = -1;
    let least = reach * reach;
    for (const k of drawn.arcs) {
      this.arc(k, view, c);
      const [x0, y0, x1, y1, x2, y2, x3, y3] = c as unknown as readonly [
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
      ];
      if (x < Math.min(x0, x3) - reach || x > Math.max(x0, x3) + reach) continue;
      if (y < Math.min(y0, y1, y2, y3) - reach || y > Math.max(y0, y1, y2, y3) + reach) continue;
      let px = x0;
      let py = y0;
      for (let i = 1; i <= 16; i++) {
        const t = i / 16;
        const u = 1 - t;
        const qx = u * u * u * x0 + 3 * u * u * t * x1 + 3 * u * t * t * x2 + t * t * t * x3;
        const qy = u * u * u * y0 + 3 * u * u * t * y1 + 3 * u * t * t * y2 + t * t * t * y3;
        const d = segmentSquare(x, y, px, py, qx, qy);
        if (d < least) {
          least = d;
          best = k;
        }
        px = qx;
        py = qy;
      }
    }
    return best;
  }
}

/** Control points from a second of one lane to a second of another. */
function place(view: LaneView, a: number, fromS: number, b: number, toS: number, out: Float64Array): void {
  const x0 = xOf(view, fromS);
  const x3 = xOf(view, toS);
  const y0 = yOf(view, a);
  const y3 = yOf(view, b);
  if (a === b) {
    // Within a lane: a hump whose height tells the span, within the lane's own room.
    const lift = Math.min(view.lane * 0.9, 6 + Math.abs(x3 - x0) * 0.18) * (4 / 3);
    out.set([x0, y0, x0, y0 - lift, x3, y3 - lift, x3, y3]);
    return;
  }
  const bow = (y3 - y0) * 0.5;
  out.set([x0, y0, x0, y0 + bow, x3, y3 - bow, x3, y3]);
}

export function xOf(view: LaneView, seconds: number): number {
  return (seconds - view.left) * view.perSecond;
}

/** The line of a lane: near its lower border, so that humps have room above. */
export function yOf(view: LaneView, lane: number): number {
  return (lane + 0.75) * view.lane - view.top;
}

function segmentSquare(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
  const dx = bx - ax;
  const dy = by - ay;
  const square = dx * dx + dy * dy;
  const t = square > 0 ? Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / square)) : 0;
  const ex = x - ax - t * dx;
  const ey = y - ay - t * dy;
  return ex * ex + ey * ey;
}
