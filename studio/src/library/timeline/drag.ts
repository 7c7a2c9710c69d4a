/** What a pointer does on the lanes: draw a new interval, move one, or pull at one of its ends. */
import { addInterval, edgesOf, find, moveBy, nearestEdge, setEnd, setLane, setStart, snap, type Sheet } from "./model";

export type Grip = "new" | "move" | "start" | "end";

export interface Drag {
  grip: Grip;
  /** The sheet as it was before. */
  before: Sheet;
  id: number;
  /** Frame under the pointer at the beginning. */
  from: number;
  lane: string;
}

export interface DragPoint {
  frame: number;
  /** Lane under the pointer, or null outside. */
  lane: string | null;
  /** Frames within which edges attract; 0 turns that off. */
  reach: number;
  /** Also attracts: the playhead. */
  cursor: number;
}

export interface DragResult {
  sheet: Sheet;
  id: number;
}

/** The sheet while the pointer is at `point`; nothing is final until it is let go. */
export function dragTo(drag: Drag, point: DragPoint, mayChangeLane: boolean): DragResult {
  const edges = [...edgesOf(drag.before, drag.id), point.cursor];
  const at = snap(point.frame, edges, point.reach);
  if (drag.grip === "new") {
    const first = snap(drag.from, edges, point.reach);
    return addInterval(drag.before, drag.lane, first, at);
  }
  if (drag.grip === "start") return { sheet: setStart(drag.before, drag.id, at), id: drag.id };
  if (drag.grip === "end") return { sheet: setEnd(drag.before, drag.id, at), id: drag.id };
  const item = find(drag.before, drag.id);
  if (!item) return { sheet: drag.before, id: drag.id };
  const shift = point.frame - drag.from;
  // Either end may find an edge; the one that has to go less far wins.
  const offers = [item.start, item.end]
    .map((end) => ({ end, edge: nearestEdge(end + shift, edges, point.reach) }))
    .flatMap(({ end, edge }) => (edge === null ? [] : [edge - end]))
    .sort((a, b) => Math.abs(a - shift) - Math.abs(b - shift));
  const best = offers[0] ?? shift;
  const moved = moveBy(drag.before, drag.id, best);
  const lane = mayChangeLane && point.lane !== null && point.lane !== item.lane ? point.lane : null;
  return { sheet: lane === null ? moved : setLane(moved, drag.id, lane), id: drag.id };
}
