/** The floor plan: a canvas on which one draws, with pan, zoom and pinch, and the same by keyboard. */
import type { App } from "../app";
import { palette } from "../plot/palette";
import { Surface } from "../plot/surface";
import { Disposer } from "../ui/signal";
import type { Desk } from "./desk";
import { boundsOf, type Box, type Point } from "./geometry";
import { outline, type Obstacle } from "./obstacles";
import { disc, drawCurve, drawGrid, drawHandles, drawObstacles, drawProblems, type PlanScene } from "./plan-draw";
import { drawCursor, drawMaking, drawOff, drawReadout, drawWay, tagOff, type OffSpan, type Way } from "./plan-overlay";
import { PlanCursor } from "./plan-cursor";
import { planKey } from "./plan-keys";
import { REACH_PX, drawTimes } from "./plan-times";
import { begin, type Gesture, type Stroke } from "./plan-tools";
import { curveOf } from "./sketch";
import { snap } from "./snap";
import { fitted, held, lostSight, panned, pinched, sized, toGround, toScreen, zoomed, type Viewport } from "./viewport";

const DOUBLE_MS = 350;

/** Mark of the browser's own timeline: the best way so far is on the plan. */
const BEST_DRAWN = "gaitway:best-on-plan";

export class PlanView {
  readonly surface: Surface;
  private view: Viewport = { centre: [0, 2], scale: 44, width: 1, height: 1 };
  private readonly stops = new Disposer();
  private gesture: Gesture | null = null;
  private pan: Point | null = null;
  private readonly fingers = new Map<number, Point>();
  private lastPress = { time: 0, at: [0, 0] as Point };
  private space = false;
  private polygon: Point[] = [];
  private pointer: Point | null = null;
  private readonly cursor: PlanCursor;
  /** Left and top of the canvas in the view, pixels. */
  private corner: Point = [0, 0];
  private ways: readonly Way[] = [];
  private off: readonly OffSpan[] = [];
  private people: readonly { at: Point; colour: string }[] = [];
  private fresh = true;

  constructor(
    private readonly app: App,
    private readonly desk: Desk,
  ) {
    this.cursor = new PlanCursor(desk);
    this.surface = new Surface(
      {
        tabIndex: 0,
        role: "application",
        class: "plan-canvas",
        "aria-label":
          "Floor plan. P, then arrow keys and Enter, places points. Arrow keys move the selected point, brackets select another, Delete removes it. The points are also in a table.",
      },
      (c, w, h) => this.draw(c, w, h),
      (w, h) => this.resize(w, h),
    );
    this.listen(this.surface.element);
    const redraw = () => this.surface.invalidate();
    const { sketch, selection, problems, tool, best, snap: snapping } = desk;
    this.stops.add(
      sketch.listen(redraw),
      selection.listen(redraw),
      problems.listen(redraw),
      best.listen(() => this.surface.drawNow()),
      snapping.listen(redraw),
      tool.listen(() => {
        this.polygon = [];
        this.cursor.hide();
        this.surface.element.dataset["tool"] = tool.value;
        redraw();
      }),
      app.theme.listen(redraw),
      app.project.listen(redraw),
      () => this.surface.dispose(),
    );
    this.surface.element.dataset["tool"] = tool.value;
  }

  /** What keys do on the plan, in words; belongs beside it. */
  get voice(): HTMLElement {
    return this.cursor.voice;
  }

  dispose(): void {
    this.stops.dispose();
  }

  /** Stretches of the sketch that the motion leaves, by arc length. */
  setOff(stretches: readonly OffSpan[]): void {
    this.off = stretches;
    this.surface.invalidate();
  }

  setWays(ways: readonly Way[]): void {
    this.ways = ways;
    this.surface.invalidate();
  }

  /** Where the people of the playing result are now. */
  setPeople(people: readonly { at: Point; colour: string }[]): void {
    // Every frame of the stage tells; the plan is drawn anew only when somebody moved.
    const same = people.length === this.people.length && people.every((p, k) => samePlace(p, this.people[k]));
    if (same) return;
    this.people = people;
    this.surface.invalidate();
  }

  fitAll(): void {
    this.view = fitted(this.view, this.content ?? { min: [-4, -3], max: [4, 5] });
    this.surface.invalidate();
  }

  /** All that is on the plan; nothing when it is empty. */
  private get content(): Box | null {
    const { sketch, result } = this.desk;
    return boundsOf([
      ...curveOf(sketch.value).line,
      ...sketch.value.obstacles.flatMap(outline),
      ...[sketch.value.start, sketch.value.end].flatMap((s) => (s ? [s.at] : [])),
      ...(result.value?.members.flatMap((m) => m.way) ?? []),
    ]);
  }

  moveCursor(dx: number, dz: number): void {
    this.view = this.cursor.move(this.view, this.polygon.at(-1) ?? this.desk.sketch.value.points.at(-1), dx, dz);
    this.pointer = this.cursor.at;
    this.surface.invalidate();
  }

  place(): boolean {
    const raw = this.cursor.wants;
    if (!raw) return false;
    const at: Stroke = { raw, snapped: raw, reach: REACH_PX / this.view.scale, double: false };
    const { tool, sketch } = this.desk;
    const before = [sketch.value, this.polygon.length] as const;
    if (tool.value === "polygon") this.addCorner(at);
    else begin(this.desk, at)?.end(at);
    this.cursor.told(raw, sketch.value !== before[0] || this.polygon.length !== before[1]);
    this.surface.invalidate();
    return true;
  }

  zoom(factor: number, at: Point = [this.surface.width / 2, this.surface.height / 2]): void {
    this.view = zoomed(this.view, factor, at);
    this.surface.invalidate();
  }

  panBy(dx: number, dy: number): void {
    this.view = panned(this.view, dx, dy);
    this.surface.invalidate();
  }

  /** Ends a polygon in the making. */
  finishPolygon(): void {
    if (this.polygon.length > 2) {
      const made: Obstacle = { kind: "polygon", points: this.polygon };
      const obstacles = [...this.desk.sketch.value.obstacles, made];
      this.desk.edit({ ...this.desk.sketch.value, obstacles });
      this.desk.select({ kind: "obstacle", index: obstacles.length - 1 });
    }
    this.polygon = [];
    this.desk.tool.value = "select";
  }

  cancel(): void {
    this.polygon = [];
    this.gesture = null;
    this.desk.tool.value = "select";
    this.surface.invalidate();
  }

  private resize(width: number, height: number): void {
    const corner = cornerOf(this.surface.element);
    const before = this.view;
    const moved: Point = [corner[0] - this.corner[0], corner[1] - this.corner[1]];
    this.corner = corner;
    if (this.fresh) {
      this.view = sized(before, width, height);
      this.fitAll();
    } else {
      // A bar that grows or goes beside the canvas must not move what is drawn on it.
      this.view = held(before, width, height, moved);
      if (lostSight(before, this.view, this.content)) this.fitAll();
    }
    this.fresh = false;
  }

  private stroke(event: PointerEvent): Stroke {
    const raw = toGround(this.view, this.surface.place(event));
    const { on, step } = this.desk.snap.value;
    const points = this.desk.sketch.value.points;
    const tool = this.desk.tool.value;
    // Shift snaps directions from the point before, Alt lets go of the grid.
    const from = tool === "points" ? (points.at(-1) ?? null) : (this.polygon.at(-1) ?? null);
    const grid = on && !event.altKey ? step : 0;
    const now = performance.now();
    const double =
      now - this.lastPress.time < DOUBLE_MS &&
      Math.hypot(raw[0] - this.lastPress.at[0], raw[1] - this.lastPress.at[1]) * this.view.scale < 8;
    return {
      raw,
      snapped: snap(raw, { grid, angles: event.shiftKey }, from),
      reach: REACH_PX / this.view.scale,
      double,
    };
  }

  private listen(canvas: HTMLCanvasElement): void {
    canvas.addEventListener("pointerdown", (e) => this.press(e));
    canvas.addEventListener("pointermove", (e) => this.move(e));
    canvas.addEventListener("pointerup", (e) => this.release(e));
    canvas.addEventListener("pointercancel", (e) => this.release(e));
    canvas.addEventListener("pointerleave", () => {
      this.pointer = null;
      this.surface.invalidate();
    });
    canvas.addEventListener("contextmenu", (e) => e.preventDefault());
    canvas.addEventListener(
      "wheel",
      (e) => {
        e.preventDefault();
        this.zoom(Math.exp(-e.deltaY * 0.0015), this.surface.place(e));
      },
      { passive: false },
    );
    canvas.addEventListener("keydown", (e) => {
      if (e.key === " ") this.space = true;
      if (planKey(e, this.desk, this)) {
        e.preventDefault();
        e.stopPropagation();
      }
    });
    canvas.addEventListener("keyup", (e) => e.key === " " && (this.space = false));
    canvas.addEventListener("blur", () => (this.space = false));
  }

  private press(event: PointerEvent): void {
    const canvas = this.surface.element;
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
    this.fingers.set(event.pointerId, this.surface.place(event));
    if (this.fingers.size === 2) {
      // A second finger means pinch: what the first began is undone.
      this.gesture = null;
      this.desk.held.value = false;
      this.pan = null;
      return;
    }
    const at = this.stroke(event);
    if (event.button !== 0 || this.space) {
      this.pan = this.surface.place(event);
      return;
    }
    if (this.desk.tool.value === "polygon") {
      this.addCorner(at);
      return;
    }
    this.gesture = begin(this.desk, at);
    this.desk.held.value = this.gesture !== null;
    this.lastPress = { time: performance.now(), at: at.raw };
    if (!this.gesture) this.pan = this.surface.place(event);
  }

  private addCorner(at: Stroke): void {
    const first = this.polygon[0];
    const closes = first && Math.hypot(first[0] - at.raw[0], first[1] - at.raw[1]) < at.reach * 1.2;
    if ((closes || at.double) && this.polygon.length > 2) this.finishPolygon();
    else this.polygon = [...this.polygon, at.snapped];
    this.lastPress = { time: performance.now(), at: at.raw };
    this.surface.invalidate();
  }

  private move(event: PointerEvent): void {
    const here = this.surface.place(event);
    const before = this.fingers.get(event.pointerId);
    if (this.fingers.size === 2 && before) {
      const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1] ?? here;
      this.view = pinched(this.view, before, other, here, other);
      this.fingers.set(event.pointerId, here);
    } else if (this.pan) {
      this.view = panned(this.view, here[0] - this.pan[0], here[1] - this.pan[1]);
      this.pan = here;
    } else if (this.gesture) {
      // Every place the hand went through, not only one per frame.
      for (const e of event.getCoalescedEvents?.() ?? [event]) this.gesture.move(this.stroke(e));
      if (event.getCoalescedEvents?.().length === 0) this.gesture.move(this.stroke(event));
    }
    this.cursor.hide();
    this.pointer = this.stroke(event).snapped;
    this.surface.invalidate();
  }

  private release(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
    this.gesture?.end(this.stroke(event));
    this.gesture = null;
    this.desk.held.value = false;
    this.pan = null;
    this.surface.invalidate();
  }

  private scene(): PlanScene {
    const { sketch, selection, problems } = this.desk;
    return {
      view: this.view,
      colours: palette(this.app.theme.value),
      sketch: sketch.value,
      selection: selection.value,
      problems: problems.value,
      editable: true,
    };
  }

  private draw(c: CanvasRenderingContext2D, width: number, height: number): void {
    const scene = this.scene();
    const { colours } = scene;
    c.fillStyle = colours["panel-2"];
    c.fillRect(0, 0, width, height);
    drawGrid(c, this.view, colours);
    drawObstacles(c, scene);
    drawOff(c, scene, this.off);
    drawCurve(c, scene);
    for (const way of this.ways) drawWay(c, this.view, way);
    const best = this.desk.best.value;
    if (best) {
      drawWay(c, this.view, { line: best.way, colour: colours.warn, width: 3 });
      // What `npm run measure` looks for.
      performance.clearMarks(BEST_DRAWN);
      performance.mark(BEST_DRAWN);
    }
    drawHandles(c, scene);
    drawTimes(c, scene);
    tagOff(c, scene, this.off);
    drawProblems(c, scene);
    drawMaking(c, scene, this.gesture?.preview?.() ?? {}, this.polygon, this.pointer);
    for (const p of this.people) disc(c, toScreen(this.view, p.at), 7, p.colour, colours.panel);
    if (this.cursor.at) drawCursor(c, scene, this.cursor.at);
    if (this.pointer) drawReadout(c, scene, this.pointer, height);
  }
}

/** Left and top of the canvas in the view, which may be scrolled, pixels. */
function cornerOf(canvas: HTMLElement): Point {
  const at = canvas.getBoundingClientRect();
  const room = canvas.closest(".make");
  const around = room?.getBoundingClientRect();
  return [
    at.left - (around?.left ?? 0) + (room?.scrollLeft ?? 0),
    at.top - (around?.top ?? 0) + (room?.scrollTop ?? 0),
  ];
}

function samePlace(a: { at: Point; colour: string }, b: { at: Point; colour: string } | undefined): boolean {
  return b !== undefined && a.colour === b.colour && a.at[0] === b.at[0] && a.at[1] === b.at[1];
}
