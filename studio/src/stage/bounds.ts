/** The box of everything worth seeing. */
import type { Actor } from "./actor";
import type { Ribbon } from "./ribbon";
import type { Vec } from "./vec";

export interface Box {
  low: Vec;
  high: Vec;
}

/** From the floor up; null when there is nothing. */
export function boundsOf(actors: Iterable<Actor>, paths: Iterable<Ribbon>): Box | null {
  const low: Vec = [Infinity, 0, Infinity];
  const high: Vec = [-Infinity, 0.2, -Infinity];
  const cover = (x: number, y: number, z: number) => {
    low[0] = Math.min(low[0], x);
    low[2] = Math.min(low[2], z);
    high[0] = Math.max(high[0], x);
    high[1] = Math.max(high[1], y);
    high[2] = Math.max(high[2], z);
  };
  for (const actor of actors) {
    const { points } = actor.pose;
    if (!actor.ready || actor.options.hidden) continue;
    for (let k = 0; k < points.length; k += 3)
      if (!Number.isNaN(points[k]!)) cover(points[k]!, points[k + 1]!, points[k + 2]!);
  }
  for (const { mesh } of paths) {
    const at = mesh.geometry.getAttribute("position");
    for (let k = 0; k < at.count; k++) cover(at.getX(k), 0, at.getZ(k));
  }
  return low[0] < Infinity ? { low, high } : null;
}
