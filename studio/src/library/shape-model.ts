/** How motion is changed once it is on a body: longer or shorter limbs, joints dragged to places. No DOM. */
import type { OnCharacter, Reshape } from "../api/types";
import { roleWords } from "./character-model";
import type { ChangedLane } from "./kept-lanes";

export interface Drag {
  /** A role: LeftHand. */
  readonly joint: string;
  readonly at_s: number;
  /** Metres, of the motion. */
  readonly place: readonly [number, number, number];
}

export interface Shape {
  readonly taller: number;
  readonly legs: number;
  readonly arms: number;
  readonly drags: readonly Drag[];
}

export const AS_IT_IS: Shape = { taller: 1, legs: 1, arms: 1, drags: [] };

/** What can be dragged. */
export const HANDLES = ["LeftHand", "RightHand", "LeftFoot", "RightFoot"] as const;

export function isChanged(shape: Shape): boolean {
  return shape.taller !== 1 || shape.legs !== 1 || shape.arms !== 1 || shape.drags.length > 0;
}

/** Millimetres and milliseconds: more is nobody's hand. */
const short = (n: number) => String(Number(n.toFixed(3)));

/** As the server asks for it; what is as it was is left out. */
export function asked(shape: Shape): Reshape {
  const times = (name: "taller" | "legs" | "arms") => (shape[name] === 1 ? {} : { [name]: shape[name] });
  const drags = shape.drags.map((d) => `${d.joint}@${short(d.at_s)}=${d.place.map(short).join(",")}`);
  return {
    ...times("taller"),
    ...times("legs"),
    ...times("arms"),
    ...(drags.length > 0 ? { drags: drags.join(";") } : {}),
  };
}

/** Nearer than this in time a joint is dragged once, to the later place. */
const SAME_S = 0.05;

export function withDrag(shape: Shape, drag: Drag): Shape {
  const others = shape.drags.filter((d) => d.joint !== drag.joint || Math.abs(d.at_s - drag.at_s) > SAME_S);
  return { ...shape, drags: [...others, drag].sort((a, b) => a.at_s - b.at_s) };
}

export function withoutDrag(shape: Shape, index: number): Shape {
  return { ...shape, drags: shape.drags.filter((_, k) => k !== index) };
}

/** "10 % longer", "as it is". */
export function timesWords(times: number, more: string, less: string): string {
  const percent = Math.round(100 * (times - 1));
  if (percent === 0) return "as it is";
  return `${Math.abs(percent)} % ${percent > 0 ? more : less}`;
}

/**
 * Where motion was changed, for the line of time: by drags, with a tick at each, and by lengths, which change all of it. What a drag changes is seen
 * beside what lengths do.
 */
export function changedLanes(on: OnCharacter, shape: Shape): ChangedLane[] {
  if (!on.edited) return [];
  const { spans, dragged } = on.edited;
  const lengths = shape.taller !== 1 || shape.legs !== 1 || shape.arms !== 1;
  const ticks = shape.drags.map((drag) => ({
    at_s: drag.at_s,
    title: `${roleWords(drag.joint)} dragged at ${drag.at_s.toFixed(2)} s`,
  }));
  const lanes = [
    { title: "Dragged", kind: "dragged", spans: dragged.map(spanOf), ticks },
    { title: "Lengths", kind: "lengths", spans: lengths ? spans.map(spanOf) : [], ticks: [] },
  ];
  return lanes.filter((lane) => lane.spans.length + lane.ticks.length > 0);
}

function spanOf(span: NonNullable<OnCharacter["edited"]>["spans"][number]): ChangedLane["spans"][number] {
  return {
    start_s: span.start_s,
    end_s: span.end_s,
    title: `Changed from ${span.start_s.toFixed(2)} to ${span.end_s.toFixed(2)} s: ${span.joint} turned by up to ${span.deg.toFixed(0)}°, the root moved by ${span.root_cm.toFixed(1)} cm`,
  };
}
