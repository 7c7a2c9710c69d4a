/** How well the graph holds together, the button that connects it better, and the way back. */
import type { App } from "../app";
import type { Connected, Job } from "../api/types";
import { button } from "../ui/controls";
import { count, duration, sentences } from "../ui/format";
import { h, replaceChildren, type Child } from "../ui/h";
import { icon } from "../ui/icons";
import { labelStyle } from "../ui/label-colours";
import { toast, toastError } from "../ui/toast";
import { connectJob, connectRows, newWays, type ConnectRow } from "./connect-model";

/** New ways told by name; more are a number. */
const MOST_WAYS = 12;

const CHANGE_WORDS = { better: "better", worse: "worse" } as const;

export class ConnectPanel {
  readonly element = h("section.card.connect", null, h("h2", null, "How well it holds together"));
  private readonly body = h("div.connect-body");
  private connected: Connected | null = null;
  private goesBack = false;

  constructor(private readonly app: App) {
    this.element.append(this.body);
    replaceChildren(this.body, h("p.muted", null, "Measuring…"));
  }

  show(connected: Connected): void {
    this.connected = connected;
    this.update();
  }

  /** Draws anew what depends on jobs. */
  update(): void {
    const { connected } = this;
    if (!connected) return;
    const job = connectJob(this.app.jobs.value.values());
    replaceChildren(this.body, table(connected), this.interpolated(connected), this.actions(connected, job));
  }

  private interpolated(connected: Connected): Child {
    if (connected.interpolated_clips === 0) return null;
    const ways = newWays(connected);
    const shown = ways.slice(0, MOST_WAYS);
    return [
      h(
        "p.muted",
        null,
        `${count(connected.captured_clips, "captured clip")} and ${connected.interpolated_clips.toLocaleString("en")} interpolated between them, ${duration(connected.interpolated_seconds)} in use. Interpolated motion was never captured; it is drawn in blue stripes.`,
      ),
      ways.length > 0 &&
        h(
          "p.new-ways",
          null,
          h("span", null, "New:"),
          shown.map(({ from, to }) => h("span.new-way", null, chip(from), " → ", chip(to))),
          ways.length > shown.length && h("span.muted", null, `and ${ways.length - shown.length} more`),
        ),
    ];
  }

  private actions({ interpolated_clips }: Connected, job: Job | null): Child {
    const active = job?.state === "queued" || job?.state === "running";
    if (active) return h("p.muted", { role: "status" }, "Being connected better: see above. The graph stays in use.");
    const enriched = interpolated_clips > 0;
    const failed = job?.state === "failed" && !enriched;
    return [
      failed &&
        h(
          "p.notice.bad",
          { role: "alert" },
          icon("warning"),
          h("span", null, sentences(`Not connected better: ${job.error ?? job.message}`, job.hint)),
        ),
      !enriched &&
        h(
          "p.muted",
          null,
          "Connect better adds motion between captured clips, where it shortens the way from one to another. It takes seconds for a few clips and may take half an hour for dozens; the graph stays in use meanwhile, and captured motion stays as it is.",
        ),
      h(
        "div.row",
        null,
        enriched
          ? button({ label: "Use captured clips alone", disabled: this.goesBack, onClick: () => void this.goBack() })
          : button({
              label: "Connect better",
              kind: "primary",
              onClick: () => void this.app.startJob({ kind: "enrich" }),
            }),
      ),
    ];
  }

  private async goBack(): Promise<void> {
    this.goesBack = true;
    this.update();
    try {
      await this.app.api.capturedAlone();
      toast("The graph has captured clips alone.", {
        kind: "done",
        action: { label: "Connect better again", run: () => void this.app.startJob({ kind: "enrich" }) },
      });
    } catch (error) {
      toastError(error, "The interpolated clips are still there");
    } finally {
      this.goesBack = false;
      this.update();
    }
  }
}

function chip(label: string): HTMLElement {
  return h("span.chip.label-colour", { style: labelStyle(label) }, label);
}

function table(connected: Connected): HTMLElement {
  const two = connected.captured_alone !== null;
  const line = (row: ConnectRow) =>
    h(
      "tr",
      null,
      h("th", { scope: "row", title: row.title }, row.name),
      two && h("td.numbers", null, row.before),
      h(
        "td.numbers",
        { class: row.change ?? "" },
        row.now,
        row.change && h("span.connect-change", null, ` ${CHANGE_WORDS[row.change]}`),
      ),
    );
  return h(
    "table.connect-table",
    null,
    h("caption.sr-only", null, "How well the graph holds together"),
    two &&
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("td"),
          h("th.numbers", { scope: "col" }, "captured alone"),
          h("th.numbers", { scope: "col" }, "with interpolated"),
        ),
      ),
    h("tbody", null, connectRows(connected).map(line)),
  );
}
