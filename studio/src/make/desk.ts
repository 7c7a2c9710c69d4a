/** What the Make view works on: the sketch with its history, the tool in hand, what is selected, what came out. */
import type { Job, Result } from "../api/types";
import { Signal } from "../ui/signal";
import type { Point } from "./geometry";
import { History } from "./history";
import type { Params } from "./params";
import type { Problem } from "./request";
import type { Sketch } from "./sketch";
import { WALK_M_S } from "./times";

export type Tool =
  | "select"
  | "draw"
  | "points"
  | "paint"
  | "action"
  | "speed"
  | "arrival"
  | "circle"
  | "box"
  | "polygon"
  | "start"
  | "end";

export type Selection =
  | { readonly kind: "none" }
  | { readonly kind: "point"; readonly index: number }
  | { readonly kind: "obstacle"; readonly index: number }
  | { readonly kind: "action"; readonly index: number }
  | { readonly kind: "arrival"; readonly index: number }
  | { readonly kind: "start" }
  | { readonly kind: "end" };

export const NOTHING: Selection = { kind: "none" };

/** Snapping as the person set it. */
export interface SnapSetting {
  readonly on: boolean;
  readonly step: number;
}

/** The best way found so far by the running job. */
export interface BestSoFar {
  readonly way: readonly Point[];
  readonly cost: number;
  /** How many betters there have been. */
  readonly count: number;
}

/** A search that brought nothing, and what was asked of it: it stands until the next one ends well. */
export interface Failure {
  readonly message: string;
  readonly kind: Job["kind"];
  readonly sketch: Sketch;
  readonly params: Params;
}

export class Desk {
  readonly sketch: Signal<Sketch>;
  readonly params: Signal<Params>;
  readonly tool = new Signal<Tool>("select");
  readonly brush = new Signal<string>("");
  /** Metres a second to paint with; 0 rubs out. */
  readonly pace = new Signal<number>(WALK_M_S);
  readonly selection = new Signal<Selection>(NOTHING);
  readonly snap = new Signal<SnapSetting>({ on: true, step: 0.5 });
  readonly problems = new Signal<readonly Problem[]>([]);
  readonly job = new Signal<Job | null>(null);
  readonly best = new Signal<BestSoFar | null>(null);
  readonly result = new Signal<Result | null>(null);
  readonly member = new Signal<number>(0);
  /** Seconds of the result that are selected for solving again. */
  readonly range = new Signal<{ readonly from: number; readonly to: number } | null>(null);
  /** Why the last search brought nothing. */
  readonly failure = new Signal<Failure | null>(null);
  /** Why a part could not be solved again: said at its button. */
  readonly resolveError = new Signal<string | null>(null);
  /** A number that was typed and is not taken, until something else is. */
  readonly refused = new Signal<{ field: string; words: string } | null>(null);
  /** The result is not what the sketch asks for any more. */
  readonly stale = new Signal(false);
  /** Labels of the graph. */
  labels: readonly string[] = [];
  /** Something is being dragged: what is on the plan is not meant yet. */
  readonly held = new Signal(false);
  /** The path is solved again whenever something changed. */
  readonly live = new Signal(true);
  /** The sketch that was taken up from a result: it is there to be looked at, and not solved before it is changed. */
  taken: Sketch | null = null;
  /** The key of the project whose sketch this is; nothing before it is known. */
  readonly project = new Signal<string | null>(null);
  private history: History<Sketch>;

  constructor(sketch: Sketch, params: Params) {
    this.history = new History(sketch);
    this.sketch = new Signal(sketch);
    this.params = new Signal(params);
    const taken = () => (this.refused.value = null);
    this.sketch.listen(taken);
    this.params.listen(taken);
  }

  /** Another project's desk: nothing of the one before stays on it. */
  moveTo(project: string, sketch: Sketch, params: Params): void {
    this.job.value = null;
    this.best.value = null;
    this.failure.value = null;
    this.resolveError.value = null;
    this.range.value = null;
    this.member.preset(0);
    this.result.value = null;
    this.select(NOTHING);
    this.history = new History(sketch);
    this.params.value = params;
    this.sketch.value = sketch;
    this.project.value = project;
  }

  /** Puts a result on the desk, with one of its members chosen; whoever follows the member follows the result too. */
  open(result: Result, member: number): void {
    this.resolveError.value = null;
    this.member.preset(member);
    this.result.value = result;
  }

  /** An edit; edits with one key that follow one another are undone as one. */
  edit(next: Sketch, key: string | null = null): void {
    this.history.push(next, key);
    this.sketch.value = this.history.state;
  }

  /** Nothing was drawn yet. */
  get isEmpty(): boolean {
    const { points, obstacles, start, end } = this.sketch.value;
    return points.length === 0 && obstacles.length === 0 && start === null && end === null;
  }

  /** A gesture ended: the next edit is one of its own. */
  seal(): void {
    this.history.seal();
  }

  get canUndo(): boolean {
    return this.history.canUndo;
  }

  get canRedo(): boolean {
    return this.history.canRedo;
  }

  undo(): void {
    if (this.history.undo()) this.restored();
  }

  redo(): void {
    if (this.history.redo()) this.restored();
  }

  select(selection: Selection): void {
    const now = this.selection.value;
    const same = now.kind === selection.kind && JSON.stringify(now) === JSON.stringify(selection);
    if (!same) this.selection.value = selection;
  }

  /** What is selected may be gone. */
  private restored(): void {
    this.sketch.value = this.history.state;
    const { points, obstacles, actions, arrivals, start, end } = this.sketch.value;
    const s = this.selection.value;
    const gone =
      (s.kind === "point" && s.index >= points.length) ||
      (s.kind === "obstacle" && s.index >= obstacles.length) ||
      (s.kind === "action" && s.index >= actions.length) ||
      (s.kind === "arrival" && s.index >= arrivals.length) ||
      (s.kind === "start" && start === null) ||
      (s.kind === "end" && end === null);
    if (gone) this.select(NOTHING);
  }
}
