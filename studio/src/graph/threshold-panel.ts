/** Thresholds with live connectivity: the table, one slider for all, the curves, and Apply. */
import type { App } from "../app";
import { messageOf } from "../api/error";
import type { Connectivity, ServerEvent, Thresholds } from "../api/types";
import { palette } from "../plot/palette";
import { button, checkbox, slider, type Slider } from "../ui/controls";
import { h, replaceChildren } from "../ui/h";
import { icon } from "../ui/icons";
import { Disposer } from "../ui/signal";
import { CellEditor } from "./cell-editor";
import { CurveChart } from "./chart";
import { ConnectivityPanel } from "./connectivity-panel";
import { putInForce } from "./apply-thresholds";
import { LiveQuery } from "./live";
import { MatrixTable } from "./matrix-table";
import { draftOf, keepDraft } from "./threshold-draft";
import {
  STEP_CM,
  cmText,
  equal,
  matrixOf,
  ownCount,
  setCell,
  setDefault,
  shiftAll,
  toJson,
  uniform,
  type Matrix,
} from "./matrix-model";

type Answer = Extract<ServerEvent, { type: "rethreshold" }>;

export class ThresholdPanel {
  readonly element = h("div.thresholds");
  private readonly stops = new Disposer();
  private readonly table: MatrixTable;
  private readonly chart: CurveChart;
  private readonly numbers: ConnectivityPanel;
  private readonly live: LiveQuery<Matrix, Answer>;
  private readonly editor = new CellEditor((r, c, cm) => this.matrix && this.change(setCell(this.matrix, r, c, cm)));
  private readonly notice = h("div");
  private readonly apply: HTMLButtonElement;
  private readonly revert: HTMLButtonElement;
  private master: Slider | null = null;
  private along = true;
  /** The matrix when a drag of the master began. */
  private heldFrom: Matrix | null = null;
  private saved: Matrix | null = null;
  private matrix: Matrix | null = null;
  private answer: Connectivity | null = null;
  private applied: Connectivity | null = null;

  constructor(private readonly app: App) {
    this.table = new MatrixTable({
      onChange: (m) => this.change(m),
      onSelect: () => this.matrix && this.editor.show(this.matrix, this.table.selected, this.table.words),
    });
    this.chart = new CurveChart(
      () => palette(app.theme.value),
      (cm) => this.moveMaster(cm),
    );
    this.numbers = new ConnectivityPanel(app);
    this.live = new LiveQuery<Matrix, Answer>(
      (seq, m) => app.events.send({ type: "rethreshold", seq, ...toJson(m) }),
      (answer, ms) => this.show(answer, ms),
    );
    this.apply = button({ label: "Apply", kind: "primary", icon: "check", onClick: () => void this.save(false) });
    this.revert = button({ label: "Revert", icon: "undo", onClick: () => this.saved && this.change(this.saved) });
    const keep = () => {
      const changed = this.matrix && this.saved && !equal(this.matrix, this.saved) ? this.matrix : null;
      keepDraft(sessionStorage, app.project.value?.name ?? "", changed);
    };
    addEventListener("pagehide", keep);
    this.stops.add(
      () => removeEventListener("pagehide", keep),
      app.events.on("rethreshold", (e) => this.live.answered(e)),
      app.events.onState((state) => state === "open" && this.live.reconnected(this.matrix)),
      app.theme.listen(() => this.chart.surface.invalidate()),
      () => this.chart.surface.dispose(),
    );
  }

  /** The numbers of the saved graph; unsaved changes are kept when the labels are the same. */
  load(t: Thresholds): void {
    const saved = matrixOf(t.labels, t.default_cm, t.ceiling_cm, t.cells);
    const dirty = this.saved !== null && this.matrix !== null && !equal(this.saved, this.matrix);
    const sameLabels = this.matrix?.labels.join("\n") === t.labels.join("\n");
    const draft = this.saved === null ? draftOf(sessionStorage, this.app.project.value?.name ?? "", saved) : null;
    this.saved = saved;
    this.matrix = draft ?? (dirty && sameLabels && this.matrix ? this.matrix : saved);
    this.layout(t);
    this.table.setLabels(this.matrix, t.candidates);
    const total = this.app.project.value?.graph?.seconds ?? Math.max(...t.curves.kept_seconds, 1);
    this.chart.setData({
      cm: t.curves.cm,
      keptSeconds: t.curves.kept_seconds,
      transitions: t.curves.transitions,
      totalSeconds: total,
      ceiling: t.ceiling_cm,
    });
    this.applied = null;
    void this.first(saved);
    this.refresh();
    this.goToPair();
  }

  dispose(): void {
    this.stops.dispose();
  }

  selectPair(from: string, to: string): void {
    this.wantedPair = [from, to];
    this.goToPair();
  }

  private wantedPair: readonly [string, string] | null = null;

  /** The table may still be on its way when somebody asks for a pair. */
  private goToPair(): void {
    if (!this.wantedPair || !this.matrix) return;
    const [r, c] = this.wantedPair.map((l) => this.matrix?.labels.indexOf(l) ?? -1);
    this.wantedPair = null;
    if (r !== undefined && c !== undefined && r >= 0 && c >= 0) this.table.go(r, c);
  }

  /** What the saved numbers give, asked once over HTTP: changes are told against it. */
  private async first(saved: Matrix): Promise<void> {
    try {
      const answer = await this.app.api.rethreshold(toJson(saved));
      if (this.saved !== saved) return;
      this.applied = answer;
      if (this.matrix && equal(this.matrix, saved)) this.show(answer, null);
      else if (this.matrix) this.live.ask(this.matrix);
    } catch (error) {
      replaceChildren(this.notice, h("p.notice.bad", { role: "alert" }, icon("warning"), messageOf(error)));
    }
  }

  private layout(t: Thresholds): void {
    const format = (v: number) => `${cmText(v)} cm`;
    this.master = slider({
      label: "All pairs",
      min: 0,
      max: t.ceiling_cm,
      step: STEP_CM,
      value: this.matrix?.default ?? t.default_cm,
      format,
      onInput: (cm) => this.moveMaster(cm),
      onCommit: () => (this.heldFrom = null),
    });
    const along = checkbox("pairs with their own number move along", this.along, (on) => (this.along = on));
    const one = button({
      label: "One number for all",
      kind: "quiet",
      onClick: () => this.matrix && this.change(uniform(this.matrix, this.matrix.default)),
    });
    const auto = button({
      label: "Auto",
      icon: "reset",
      title: "Choose every threshold from the data and apply it; the message has Undo",
      onClick: () => void this.save(true),
    });
    replaceChildren(
      this.element,
      h(
        "div.threshold-bar",
        null,
        this.master.element,
        along.element,
        h("span.spacer"),
        one,
        auto,
        this.revert,
        this.apply,
      ),
      this.notice,
      h(
        "div.threshold-main",
        null,
        h(
          "section.card.matrix-card",
          { "aria-label": "Threshold table" },
          h(
            "p.muted",
            null,
            "How unlike two moments may be, in cm, to switch from one to the other. Drag a cell sideways, or use the keyboard.",
          ),
          this.table.element,
          this.editor.element,
        ),
        h(
          "section.card.live-card",
          { "aria-label": "What these thresholds give", tabIndex: 0 },
          this.numbers.figures,
          h("div.chart-box", null, this.chart.surface.element),
          h(
            "p.chart-legend",
            null,
            h("span.key-kept", null, "seconds kept"),
            h("span.key-transitions", null, "transitions"),
            h("span.muted", null, "dots: with the table as it is"),
          ),
          h("h3", null, "By label"),
          h("p.muted.live-words", null, "Seconds that go on within the label, of all that carry it."),
          this.numbers.labels,
          h("h3", null, "By clip"),
          h("p.muted.live-words", null, "Seconds in the graph, of all that the clip has."),
          this.numbers.clips,
        ),
      ),
    );
  }

  private moveMaster(cm: number): void {
    if (!this.matrix) return;
    this.heldFrom ??= this.matrix;
    this.change(this.along ? shiftAll(this.heldFrom, cm) : setDefault(this.heldFrom, cm), true);
  }

  private change(next: Matrix, byMaster = false): void {
    if (!byMaster) this.heldFrom = null;
    this.matrix = next;
    this.refresh();
    this.live.ask(next);
  }

  private show(answer: Connectivity, roundTripMs: number | null): void {
    this.answer = answer;
    replaceChildren(this.notice);
    this.numbers.show(answer, this.applied, roundTripMs);
    this.refresh();
  }

  private refresh(): void {
    const { matrix, saved, answer } = this;
    if (!matrix || !saved) return;
    const changed = !equal(matrix, saved);
    this.apply.disabled = !changed;
    this.revert.disabled = !changed;
    this.master?.set(matrix.default);
    this.table.update(matrix, answer?.reach ?? null);
    this.editor.show(matrix, this.table.selected, this.table.words);
    const mark = answer && { cm: matrix.default, keptSeconds: answer.kept_seconds, transitions: answer.transitions };
    this.chart.setNow(mark, changed ? saved.default : null);
  }

  private async save(auto: boolean): Promise<void> {
    const { matrix, saved } = this;
    if (!matrix || !saved) return;
    this.apply.disabled = true;
    const own = ownCount(matrix);
    const done = await putInForce(this.app, auto ? { auto: true } : toJson(matrix), saved, (kept) =>
      auto
        ? `Thresholds chosen from the data: ${kept}.`
        : `Applied: ${kept}${own > 0 ? `, ${own} pairs of their own` : ""}.`,
    );
    if (done && auto) this.matrix = this.saved;
    if (done && !auto) this.saved = matrix;
    this.refresh();
  }
}
