/** Runs the search: starts the job, follows it, keeps the best so far, brings the result, puts errors where they belong. */
import type { App } from "../app";
import { ApiError, messageOf } from "../api/error";
import type { Job, JobRequest, Point, Result } from "../api/types";
import { Disposer } from "../ui/signal";
import type { Desk } from "./desk";
import { raised, type Remedy } from "./remedies";
import { isOf, pathRequest, placeRequest, problemsOf, saidProblems, type Problem } from "./request";
import { openKey, sketchOf, toWire } from "./store";
import { missedTimes } from "./time-wishes";

const MAKES: ReadonlySet<Job["kind"]> = new Set(["path", "resolve", "walk", "place", "connect"]);
const ENDED: ReadonlySet<Job["state"]> = new Set(["done", "failed", "cancelled", "interrupted"]);

/** A moment of a clip. */
export interface Moment {
  readonly clip: string;
  readonly seconds: number;
}

export class Synthesizer {
  private readonly stops = new Disposer();
  /** What the server said against the last request; goes away with the next edit. */
  private said: readonly Problem[] = [];
  private loading = "";
  /** The job whose end was seen to. */
  private settled = "";
  /** Counts what was asked for: an answer to an older request changes nothing. */
  private starting = 0;
  /** A job was asked for and has no id yet: the socket may bring its first way before the answer to the request comes. */
  private waiting = false;
  private early: { job: string; way: readonly Point[]; cost: number } | null = null;
  /** The search that runs was begun by an edit, not by a press. */
  private drawn = false;

  constructor(
    private readonly app: App,
    private readonly desk: Desk,
  ) {
    this.stops.add(
      app.events.on("best", (e) => {
        if (e.job === desk.job.value?.id) this.better(e);
        else if (this.waiting) this.early = e;
      }),
      app.jobs.follow(() => this.follow()),
      desk.sketch.listen(() => this.check(true)),
      desk.params.listen(() => this.check(true)),
      desk.result.listen(() => (this.age(), this.check(false))),
      desk.member.listen(() => this.check(false)),
      desk.project.listen(() => this.follow()),
      app.project.listen(() => this.check(false)),
    );
    this.check(false);
  }

  dispose(): void {
    this.stops.dispose();
  }

  get busy(): boolean {
    const job = this.desk.job.value;
    return job !== null && !ENDED.has(job.state);
  }

  /** Busy with something that was asked for by a press: what is drawn meanwhile does not stop it. */
  get pressed(): boolean {
    return this.busy && !this.drawn;
  }

  /** The last search was begun by an edit. */
  get wasDrawn(): boolean {
    return this.drawn;
  }

  get blocked(): Problem | null {
    return this.desk.problems.value.find((p) => p.blocks) ?? null;
  }

  /** Whether what is on the plan is what the result shows, or what is being searched for. */
  get fresh(): boolean {
    const { result, sketch, params } = this.desk;
    return result.value !== null && isOf(result.value, sketch.value, params.value);
  }

  /** Searches along the path; `live` says who draws, for a draft that the next one takes the place of. */
  async start(name: string | null, live: string | null = null): Promise<void> {
    this.said = [];
    this.check(false);
    if (this.blocked) return;
    const { sketch, params } = this.desk;
    const request = pathRequest(sketch.value, params.value, name);
    await this.run({ kind: "path", request, sketch: this.drawing(), live }, live !== null);
  }

  /** To the place of the sketch. */
  async goTo(name: string | null): Promise<void> {
    const request = placeRequest(this.desk.sketch.value, this.desk.params.value, name);
    if (request) await this.run({ kind: "place", request, sketch: this.drawing() });
  }

  async connect(from: Moment, to: Moment, by: "time" | "cost"): Promise<void> {
    await this.run({ kind: "connect", from, to, by });
  }

  /** Solves a part of the result again and keeps the rest. */
  async resolve(result: string, from: number, to: number): Promise<void> {
    const seed = this.desk.params.value.seed + 1 + Math.floor(Math.random() * 9999);
    // A hundredth of a second is finer than a hand; the command line that does the same can be read.
    const [from_s, to_s] = [from, to].map((t) => Math.round(t * 100) / 100) as [number, number];
    this.desk.resolveError.value = null;
    await this.run({ kind: "resolve", result, member: this.desk.member.value, from_s, to_s, seed });
  }

  /** A walk that follows nothing, to see what the graph can do. */
  async wander(seconds: number, label: string | null, seed: number): Promise<void> {
    await this.run({ kind: "walk", seconds, label, seed });
  }

  async cancel(): Promise<void> {
    const job = this.desk.job.value;
    if (job) await this.app.cancelJob(job.id);
  }

  /** Does what a remedy says, and solves again. */
  async mend(remedy: Remedy): Promise<void> {
    const { desk } = this;
    const toPlace = (desk.failure.value ?? desk.result.value)?.kind === "place";
    if (remedy.apply) {
      const next = remedy.apply(desk.sketch.value, desk.params.value);
      desk.params.value = next.params;
      desk.edit(next.sketch);
    } else {
      try {
        await this.app.api.applyThresholds(raised(await this.app.api.thresholds()));
      } catch (error) {
        return this.say(null, messageOf(error), null);
      }
    }
    if (toPlace && desk.sketch.value.end) await this.goTo(null);
    else await this.start(null);
  }

  /** Shows a result that is there already; false where it is not. */
  async open(id: string, member = 0, how: { keepRange?: boolean; takeUp?: boolean } = {}): Promise<boolean> {
    if (this.loading === id) return true;
    this.loading = id;
    try {
      const result = await this.app.api.result(id);
      // Another one may have been asked for meanwhile.
      if (this.loading !== id) return true;
      const most = Math.max(0, result.members.length - 1);
      if (!how.keepRange) this.desk.range.value = null;
      this.desk.open(result, Number.isInteger(member) ? Math.min(Math.max(0, member), most) : 0);
      if (how.takeUp || this.desk.isEmpty) this.takeUp(result);
      this.complain(result);
      this.remember(id);
      return true;
    } catch (error) {
      if (this.loading !== id) return true;
      if (error instanceof ApiError) this.say(null, error.message, error.hint);
      else this.say(null, messageOf(error), null);
      return false;
    } finally {
      if (this.loading === id) this.loading = "";
    }
  }

  /** Puts what a result was drawn as on the plan; undo brings back what was there. */
  takeUp(result: Result): boolean {
    const saved = sketchOf(result);
    if (!saved) return false;
    this.desk.taken = saved.sketch;
    this.desk.params.value = saved.params;
    this.desk.edit(saved.sketch);
    this.age();
    return true;
  }

  private drawing(): Record<string, unknown> {
    return toWire({ sketch: this.desk.sketch.value, params: this.desk.params.value });
  }

  private async run(request: JobRequest, drawn = false): Promise<void> {
    const mine = ++this.starting;
    this.waiting = true;
    // What was begun by drawing gives way to what is asked for; the server sees to it among drawings.
    if (!drawn && this.busy && this.drawn) void this.cancel();
    this.desk.best.value = null;
    this.desk.failure.value = null;
    // What was said of an earlier wish is not true of this one.
    this.said = [];
    this.check(false);
    this.early = null;
    this.drawn = drawn;
    try {
      const job = await this.app.api.startJob(request);
      // A newer one was begun while this was on its way.
      if (mine !== this.starting) return;
      this.desk.job.value = this.app.jobs.value.get(job.id) ?? job;
      const early = this.early as { job: string; way: readonly Point[]; cost: number } | null;
      if (early?.job === job.id) this.better(early);
      this.follow();
    } catch (error) {
      if (mine !== this.starting) return;
      const field = error instanceof ApiError ? error.field : null;
      const hint = error instanceof ApiError ? error.hint : null;
      const message = error instanceof Error ? error.message : messageOf(error);
      // While the server is away the bar at the top says so; what was drawn is solved when it is back.
      if (drawn && error instanceof ApiError && error.status === 0) return;
      if (request.kind === "resolve") this.desk.resolveError.value = message;
      else this.say(field, message, hint);
    } finally {
      if (mine === this.starting) this.waiting = false;
    }
  }

  private better({ way, cost }: { way: readonly Point[]; cost: number }): void {
    this.desk.best.value = { way, cost, count: (this.desk.best.value?.count ?? 0) + 1 };
  }

  /** Takes up the job that was started here, or one that was running when the page was loaded. */
  private follow(): void {
    const { job, best } = this.desk;
    const known = job.value && this.app.jobs.value.get(job.value.id);
    if (!job.value) {
      const running = [...this.app.jobs.value.values()].filter((j) => MAKES.has(j.kind) && !ENDED.has(j.state));
      const newest = running.sort((a, b) => b.created_ms - a.created_ms)[0];
      if (newest) job.value = newest;
      return;
    }
    const now = known ?? job.value;
    job.value = now;
    if (!ENDED.has(now.state)) this.settled = "";
    // Once: events of other jobs come by here too.
    if (!ENDED.has(now.state) || this.settled === now.id) return;
    this.settled = now.id;
    best.value = null;
    if (now.result !== null) {
      // Of a crowd the one that was changed stays chosen; who does not like what came can press again.
      const again = now.kind === "resolve";
      if (again && now.result === this.desk.result.value?.id) {
        this.desk.resolveError.value = now.message;
        return;
      }
      void this.open(now.result, again ? this.desk.member.value : 0, { keepRange: again });
    }
    if (now.state === "failed") this.fail(now);
  }

  /** A search that brought nothing: told where it was asked for, and what is still on stage is of an older sketch. */
  private fail(job: Job): void {
    const message = job.error ?? job.message;
    if (job.kind === "resolve") {
      this.desk.resolveError.value = message;
      return;
    }
    const { sketch, params } = this.desk;
    this.desk.failure.value = { message, kind: job.kind, sketch: sketch.value, params: params.value };
    this.say(job.kind === "place" ? "end" : null, message, null);
    this.age();
  }

  /** A walk that could not be found is told at the place it speaks of. */
  private complain(result: Result): void {
    const crowd = new Set(result.members.map((m) => m.person)).size > 1;
    for (const { report, person } of result.members) {
      const reason = report["reason"];
      if (report["status"] !== "NoWalk" || typeof reason !== "string") continue;
      this.say(null, `${crowd ? `Person ${person + 1} did not arrive` : "No walk"}: ${reason}.`, null);
      return;
    }
  }

  private say(field: string | null, message: string, hint: string | null): void {
    this.said = saidProblems(field, message, hint, this.desk.sketch.value, this.desk.params.value);
    this.check(false);
  }

  private check(edited: boolean): void {
    if (edited) {
      this.said = [];
      this.desk.failure.value = null;
      this.age();
    }
    // Without a graph there are no labels to check against yet.
    const labels = this.app.project.value?.labels;
    const own = labels ? problemsOf(this.desk.sketch.value, labels) : [];
    this.desk.problems.value = [...own, ...this.said, ...this.missed];
  }

  /** Times that the motion on stage misses, so long as it is that of the sketch. */
  private get missed(): Problem[] {
    const { result, member, stale, sketch, params } = this.desk;
    const shown = result.value?.members[member.value];
    return shown && !stale.value ? missedTimes(shown.report, sketch.value, params.value) : [];
  }

  private age(): void {
    this.desk.stale.value = this.desk.result.value !== null && !this.fresh;
  }

  private remember(id: string): void {
    const project = this.desk.project.value;
    if (project === null) return;
    try {
      localStorage.setItem(openKey(project), id);
    } catch {
      // Then the list is where to find it.
    }
  }
}
