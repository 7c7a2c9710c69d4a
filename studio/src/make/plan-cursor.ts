/** A place on the plan that arrow keys move and Enter puts something at: what the pointer is to a mouse. */
import { h } from "../ui/h";
import type { Desk } from "./desk";
import type { Point } from "./geometry";
import { snapToGrid } from "./snap";
import { inSight, panned, toScreen, type Viewport } from "./viewport";

/** Pixels between it and the edge of the plan. */
const MARGIN_PX = 24;

export class PlanCursor {
  at: Point | null = null;
  /** What it did, for those who do not see the plan. */
  readonly voice = h("div.sr-only", { role: "status" });
  private placed = false;

  constructor(private readonly desk: Desk) {}

  /**
   * Moves it by metres; it appears at `last`, or in the middle of what is in sight. Gives the view in which it is seen.
   */
  move(view: Viewport, last: Point | undefined, dx: number, dz: number): Viewport {
    const { on, step } = this.desk.snap.value;
    const from = this.at ?? (last && inSight(view, last) ? last : view.centre);
    const to: Point = [from[0] + dx, from[1] + dz];
    // It appears on the grid; from there on steps keep to it, and finer ones are meant.
    this.at = on && !this.at ? snapToGrid(to, step) : to;
    this.placed = false;
    this.voice.textContent = placeText(this.at);
    if (inSight(view, this.at, MARGIN_PX)) return view;
    const [x, y] = toScreen(view, this.at);
    const over = (v: number, size: number) => Math.max(MARGIN_PX, Math.min(size - MARGIN_PX, v)) - v;
    return panned(view, over(x, view.width), over(y, view.height));
  }

  /** Where to put something; nothing where it is not seen, or where something was just put. */
  get wants(): Point | null {
    return this.placed ? null : this.at;
  }

  /** Something was put there, or could not be. */
  told(at: Point, done: boolean): void {
    this.placed = this.at !== null;
    this.voice.textContent = done ? `Placed at ${placeText(at)}.` : "There is no curve here.";
  }

  hide(): void {
    this.at = null;
    this.placed = false;
  }
}

function placeText([x, z]: Point): string {
  return `x ${x.toFixed(2)} m, z ${z.toFixed(2)} m`;
}
