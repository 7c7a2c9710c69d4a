/** Everything that was made, newest first: open, rename, delete, take its sketch up again. */
import type { App } from "../app";
import type { ResultSummary } from "../api/types";
import { iconButton } from "../ui/controls";
import { confirmDialog, promptDialog } from "../ui/dialog";
import { h, replaceChildren, type Child } from "../ui/h";
import { icon } from "../ui/icons";
import { Disposer } from "../ui/signal";
import { toast, toastError } from "../ui/toast";
import type { Desk } from "./desk";
import { newestDrafts } from "./drafts";
import { lastOpened } from "./store";
import type { Synthesizer } from "./synthesizer";

export class ResultsList {
  readonly element = h("div.side-panel.results-list");
  private readonly stops = new Disposer();
  private rows: readonly ResultSummary[] = [];

  constructor(
    private readonly app: App,
    private readonly desk: Desk,
    private readonly synth: Synthesizer,
  ) {
    this.stops.add(
      app.events.on("project", ({ what }) => what.includes("results") && void this.refresh()),
      app.events.onState((_, again) => again && void this.refresh()),
      desk.result.listen(() => this.show()),
      desk.job.listen((job) => job?.result != null && void this.refresh()),
    );
    this.stops.add(desk.project.follow((project) => project !== null && void this.begin(project)));
  }

  private async begin(project: string): Promise<void> {
    await this.refresh();
    if (this.desk.project.value === project) this.reopen(project);
  }

  dispose(): void {
    this.stops.dispose();
  }

  /** A page that was loaded again shows what it showed before, unless something else was opened meanwhile. */
  private reopen(project: string): void {
    const last = lastOpened(localStorage, project);
    const asked = this.app.route.value.view === "make" && this.app.route.value.params["result"];
    if (this.desk.result.value === null && !asked && this.rows.some((r) => r.id === last) && last)
      void this.synth.open(last);
  }

  async refresh(): Promise<void> {
    try {
      const rows = await this.app.api.results();
      this.rows = newestDrafts(rows.sort((a, b) => b.created_ms - a.created_ms));
      this.show();
    } catch (error) {
      replaceChildren(
        this.element,
        h("p.notice.bad", { role: "alert" }, icon("warning"), error instanceof Error ? error.message : String(error)),
      );
    }
  }

  private show(): void {
    if (this.rows.length === 0) {
      replaceChildren(
        this.element,
        h(
          "div.empty",
          null,
          h("h2", null, "Nothing made yet"),
          h("p", null, "Draw a path on the floor plan. What Synthesize makes stays here, also after a restart."),
        ),
      );
      return;
    }
    replaceChildren(
      this.element,
      h(
        "ul",
        null,
        this.rows.map((r) => this.row(r)),
      ),
    );
  }

  private row(r: ResultSummary): Child {
    const open = this.desk.result.value?.id === r.id;
    const facts = [
      `${r.seconds.toFixed(1)} s`,
      r.people > 1 ? `${r.people} people` : r.alternatives > 1 ? `${r.alternatives} answers` : null,
      r.rms_m === null ? null : `${(r.rms_m * 100).toFixed(0)} cm off`,
      r.status === "Solved"
        ? null
        : r.status === "BudgetSpent"
          ? "stopped early"
          : r.status === "NoWalk"
            ? "no walk"
            : r.status === "ActionMissed"
              ? "an action missed"
              : r.status === "ConstraintMissed"
                ? "a constraint not kept"
                : "left the path",
    ].filter((f) => f !== null);
    const name = nameOf(r);
    return h(
      "li",
      { class: open ? "open" : "" },
      h(
        "button.result-open",
        { type: "button", "aria-current": open ? "true" : "false", onclick: () => void this.open(r) },
        h("span.result-name", null, name, r.draft !== null && h("span.chip.draft", null, "draft")),
        h("span.muted.numbers", null, facts.join(", ")),
        h("span.muted.result-when", null, when(r.created_ms)),
      ),
      h(
        "div.result-actions",
        null,
        r.draft !== null && iconButton("check", `Keep ${name}`, () => void this.keep(r)),
        iconButton("tag", `Rename ${name}`, () => void this.rename(r)),
        iconButton("trash", `Delete ${name}`, () => void this.remove(r)),
      ),
    );
  }

  /** Shows it, and what it was drawn as, wherever that was drawn. */
  private async open(r: ResultSummary): Promise<void> {
    const before = this.desk.sketch.value;
    const mine = !this.desk.isEmpty;
    if (!(await this.synth.open(r.id, 0, { takeUp: true }))) return;
    if (mine && this.desk.sketch.value !== before && this.desk.result.value?.id === r.id)
      toast("The sketch of this result is on the plan. Undo brings yours back.", { kind: "done" });
  }

  /** The next search while one draws would take its place. */
  private async keep(r: ResultSummary): Promise<void> {
    try {
      this.renamed(await this.app.api.keepResult(r.id));
    } catch (error) {
      toastError(error, "The draft was not kept");
    }
  }

  private async rename(r: ResultSummary): Promise<void> {
    const name = await promptDialog("Rename", "Name", nameOf(r));
    if (!name || name === r.name) return;
    try {
      this.renamed(await this.app.api.renameResult(r.id, name));
    } catch (error) {
      toastError(error, "The result was not renamed");
    }
  }

  private renamed(now: ResultSummary): void {
    this.rows = this.rows.map((r) => (r.id === now.id ? now : r));
    this.show();
  }

  private async remove(r: ResultSummary): Promise<void> {
    const yes = await confirmDialog(
      "Delete this result?",
      `“${nameOf(r)}” and its files are deleted for good.`,
      "Delete",
      "danger",
    );
    if (!yes) return;
    try {
      await this.app.api.deleteResult(r.id);
      if (this.desk.result.value?.id === r.id) this.desk.result.value = null;
      await this.refresh();
    } catch (error) {
      toastError(error, "The result was not deleted");
    }
  }
}

function nameOf(r: ResultSummary): string {
  return r.name || r.id;
}

function when(ms: number): string {
  const date = new Date(ms);
  const today = new Date().toDateString() === date.toDateString();
  return today ? date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }) : date.toLocaleDateString();
}
