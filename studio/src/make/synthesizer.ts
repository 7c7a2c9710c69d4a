/** Runs the search: starts the job, follows it, keeps the best so far, brings the result, puts errors where they belong. */
import type { App } from "../app";
import { ApiError, messageOf } from "../api/error";
import type { Job, JobRequest, Point, Result } from "../api/types";
import { Disposer } from "../ui/signal";
import type { Desk } from "./desk";
import { pathRequest, problemsOf, saidProblems, type Problem } from "./request";
import { save } from "./store";

const MAKES: ReadonlySet<Job["kind"]> = new Set(["path", "resolve", "walk"]);
const ENDED: ReadonlySet<Job["state"]> = new Set(["done", "failed", "cancelled", "interrupted"]);

export class Synthesizer {
  private readonly stops = new Disposer();
  /** What the server said against the last request; goes away with the next edit. */
  private said: readonly Problem[] = [];
  private loading = "";
  /** The job whose end was seen to. */
  private settled = "";
  /** A job was asked for and has no id yet: the socket may bring its first way before the answer to the request comes. */
  private starting = false;
  private early: { job: string; way: readonly Point[]; cost: number } | null = null;

  constructor(
    private readonly app: App,
    private readonly desk: Desk,
  ) {
    this.stops.add(
      app.events.on("best", (e) => {
        if (e.job === desk.job.value?.id) this.better(e);
        else if (this.starting) this.early = e;
      }),
      app.jobs.follow(() => this.follow()),
      desk.sketch.listen(() => this.check(true)),
      desk.params.listen(() => this.check(true)),
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

  get blocked(): Problem | null {
    return this.desk.problems.value.find((p) => p.blocks) ?? null;
  }

  async start(name: string | null): Promise<void> {
    this.said = [];
    this.check(false);
    if (this.blocked) return;
    await this.run({ kind: "path", request: pathRequest(this.desk.sketch.value, this.desk.params.value, name) });
  }

  /** Solves a part of the result again and keeps the rest. */
  async resolve(result: string, from: number, to: number): Promise<void> {
    const seed = this.desk.params.value.seed + 1 + Math.floor(Math.random() * 9999);
    // A hundredth of a second is finer than a hand; the command line that does the same can be read.
    const [from_s, to_s] = [from, to].map((t) => Math.round(t * 100) / 100) as [number, number];
    await this.run({ kind: "resolve", result, member: this.desk.member.value, from_s, to_s, seed });
  }

  /** A walk that follows nothing, to see what the graph can do. */
  async wander(seconds: number, label: string | null): Promise<void> {
    await this.run({ kind: "walk", seconds, label, seed: this.desk.params.value.seed });
  }

  async cancel(): Promise<void> {
    const job = this.desk.job.value;
    if (job) await this.app.cancelJob(job.id);
  }

  /** Shows a result that is there already; false where it is not. The selected seconds are kept where they are meant again. */
  async open(id: string, member = 0, keepRange = false): Promise<boolean> {
    if (this.loading === id) return true;
    this.loading = id;
    try {
      const result = await this.app.api.result(id);
      // Another one may have been asked for meanwhile.
      if (this.loading !== id) return true;
      const most = Math.max(0, result.members.length - 1);
      if (!keepRange) this.desk.range.value = null;
      this.desk.open(result, Number.isInteger(member) ? Math.min(Math.max(0, member), most) : 0);
      this.complain(result);
      remember(id);
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

  private async run(request: JobRequest): Promise<void> {
    this.desk.best.value = null;
    this.starting = true;
    this.early = null;
    try {
      const job = await this.app.api.startJob(request);
      this.desk.job.value = this.app.jobs.value.get(job.id) ?? job;
      const early = this.early as { job: string; way: readonly Point[]; cost: number } | null;
      if (early?.job === job.id) this.better(early);
      this.follow();
    } catch (error) {
      const field = error instanceof ApiError ? error.field : null;
      const hint = error instanceof ApiError ? error.hint : null;
      const message = error instanceof Error ? error.message : messageOf(error);
      this.say(field, message, hint);
    } finally {
      this.starting = false;
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
      this.keepSketch(now.result);
      // Of a crowd the one that was changed stays chosen; who does not like what came can press again.
      const again = now.kind === "resolve";
      void this.open(now.result, again ? this.desk.member.value : 0, again);
    }
    if (now.state === "failed") this.say(null, now.error ?? now.message, null);
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

  private keepSketch(result: string): void {
    save(localStorage, { sketch: this.desk.sketch.value, params: this.desk.params.value }, sketchKey(result));
  }

  private say(field: string | null, message: string, hint: string | null): void {
    this.said = saidProblems(field, message, hint, this.desk.sketch.value);
    this.check(false);
  }

  private check(edited: boolean): void {
    if (edited) this.said = [];
    // Without a graph there are no labels to check against yet.
    const labels = this.app.project.value?.labels;
    const own = labels ? problemsOf(this.desk.sketch.value, labels) : [];
    this.desk.problems.value = [...own, ...this.said];
  }
}

const OPEN_KEY = "gaitway.result.open";

/** The result that was looked at last, for a page that is loaded again. */
export function lastOpened(): string | null {
  try {
    return localStorage.getItem(OPEN_KEY);
  } catch {
    return null;
  }
}

function remember(id: string): void {
  try {
    localStorage.setItem(OPEN_KEY, id);
  } catch {
    // Then the list is where to find it.
  }
}

/** Where the sketch that made a result is kept, so that it can be taken up again. */
export function sketchKey(result: string): string {
  return `gaitway.sketch.result.${result}`;
}
