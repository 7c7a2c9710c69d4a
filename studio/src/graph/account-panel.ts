/** The account: what was kept, what was lost and why, and what would bring it back. */
import type { App } from "../app";
import type { Account } from "../api/types";
import { button } from "../ui/controls";
import { labelStyle } from "../ui/label-colours";
import { duration } from "../ui/format";
import { h, replaceChildren, type Child } from "../ui/h";
import { icon } from "../ui/icons";
import { pageWords } from "../ui/page-words";
import { lossByClip, lossParts, percent, reconnectPlace, remedyText, summary } from "./account-model";
import type { ClipLoss, LostRow, Part, TransitionPlace } from "./account-model";
import { raiseThresholds } from "./apply-thresholds";
import { ConnectPanel } from "./connect-panel";
import { reasonText } from "./reasons";
import { lengthText } from "./transition-words";

/** Rows shown before "show all": an account of hundreds of clips must not be a wall. */
const FIRST_ROWS = 12;

/** What the seconds of a label count: three things that are easily taken for one. */
const HEADS = [
  ["goes on", "Can be walked in for as long as one likes without leaving the label: its largest connected part"],
  ["in graph", "Carries the label and is in the graph, as the map counts it"],
  ["labelled", "Carries the label in the clips, as the library counts it"],
] as const;

export class AccountPanel {
  readonly element = h("div.account");
  readonly connect: ConnectPanel;
  private all = false;
  private account: Account | null = null;
  /** Name of the clip that somebody asks about. */
  private asked: string | null = null;

  constructor(
    private readonly app: App,
    private readonly onTransition: (place: TransitionPlace) => void,
  ) {
    this.connect = new ConnectPanel(app);
  }

  show(account: Account): void {
    this.account = account;
    const warnings = account.warnings.map((w) =>
      h("p.notice.warn", null, icon("warning"), h("span", null, pageWords(w.message))),
    );
    replaceChildren(
      this.element,
      h(
        "div.account-column",
        null,
        h("section.card", null, h("h2", null, "What can be used"), this.whole(account), warnings),
        h("section.card", null, h("h2", null, "By label"), this.labels(account)),
      ),
      h(
        "div.account-column",
        null,
        this.connect.element,
        h("section.card.account-lost", null, h("h2", null, "What was left out, and why"), this.lost(account)),
      ),
    );
    this.element.querySelector(".lost-clip.asked")?.scrollIntoView({ block: "nearest" });
  }

  /** Opens what was left out of a clip; null asks about none. */
  ask(clip: string | null): void {
    if (clip === this.asked) return;
    this.asked = clip;
    if (this.account) this.show(this.account);
  }

  private whole(account: Account): Child[] {
    const parts = lossParts(account);
    const share = account.kept_seconds / Math.max(account.seconds, 1e-9);
    const reasons = parts.filter((p) => p.name !== "kept" && p.seconds > 0.005);
    return [
      h(
        "p.account-headline",
        null,
        h("strong", null, percent(share)),
        h("span", null, `${duration(account.kept_seconds)} of ${duration(account.seconds)}`),
      ),
      h("p.muted", null, summary(account)),
      stackedBar(parts),
      h("ul.reason-list", null, reasons.map(reasonRow)),
    ];
  }

  private labels(account: Account): Child {
    if (account.labels.length === 0) return h("p.muted", null, "No clip carries a label. Label clips in the Library.");
    const longest = Math.max(...account.labels.map((l) => l.seconds), 1e-9);
    const rows = account.labels.map((l) =>
      h(
        "tr",
        null,
        h("th", { scope: "row" }, h("span.chip.label-colour", { style: labelStyle(l.label) }, l.label)),
        h(
          "td.bar-cell",
          null,
          shareBar(l.seconds / longest, l.kept_seconds / longest),
          l.kept_seconds < 1 && h("span.label-lost", null, icon("warning"), "hardly connects"),
        ),
        [l.kept_seconds, l.graph_seconds, l.seconds].map((s) => h("td.numbers", null, `${s.toFixed(1)} s`)),
      ),
    );
    return h(
      "table.bars-table",
      null,
      h("caption.sr-only", null, "Seconds of each label: going on within it, in the graph, in all"),
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("td"),
          h("td"),
          HEADS.map(([words, title]) => h("th.numbers", { scope: "col", title }, words)),
        ),
      ),
      h("tbody", null, rows),
    );
  }

  private lost(account: Account): Child {
    const clips = lossByClip(account);
    if (clips.length === 0) {
      return h(
        "p.notice.good",
        null,
        icon("check"),
        "Nothing was left out: every frame can be reached and left again.",
      );
    }
    // Losses at the clips' ends are normal; the first that can be helped is opened at once.
    const firstToHelp = clips.find((c) => c.rows.some((r) => r.reconnect.length > 0));
    const asked = clips.find((c) => c.clip === this.asked);
    const first = this.all ? clips : clips.slice(0, FIRST_ROWS);
    const shown = asked && !first.includes(asked) ? [...first, asked] : first;
    const more = clips.length - shown.length;
    return [
      this.asked !== null && !asked && h("p.muted", { role: "status" }, `Nothing of ${this.asked} was left out.`),
      h(
        "div.lost-list",
        null,
        shown.map((c) => this.clip(c, asked ? c === asked : c === firstToHelp)),
      ),
      more > 0 &&
        h("button.button.quiet", { type: "button", onclick: () => this.showAll() }, `Show ${more} more clips`),
    ];
  }

  private showAll(): void {
    this.all = true;
    if (this.account) this.show(this.account);
  }

  private clip(loss: ClipLoss, open: boolean): HTMLElement {
    const clip = this.app.clips.value?.find((c) => c.name === loss.clip || c.id === loss.clip);
    const total = Math.max(clip?.seconds ?? loss.seconds, loss.seconds);
    const titles = loss.rows.map((r) => reasonText(r.reason).title).join(", ");
    return h(
      "details.lost-clip",
      { open, class: loss.clip === this.asked ? "asked" : "" },
      h(
        "summary",
        null,
        icon("chevron"),
        h("span.lost-name", null, loss.clip),
        h(
          "span.lost-reasons",
          { title: titles, role: "img", "aria-label": titles },
          loss.rows.map((r) => h("span.swatch", { dataset: { reason: r.reason } })),
        ),
        shareBar(1, 1 - loss.seconds / total),
        h("span.numbers", null, `${loss.seconds.toFixed(1)} of ${total.toFixed(1)} s lost`),
      ),
      loss.rows.map((row) => this.row(row)),
    );
  }

  private raiseButton(cm: number): HTMLElement {
    const press = button({
      label: `Raise thresholds below ${cm.toFixed(1)} cm`,
      onClick: () => {
        press.disabled = true;
        void raiseThresholds(this.app, cm).finally(() => (press.disabled = false));
      },
    });
    return h("div.row", null, press);
  }

  private row(row: LostRow): HTMLElement {
    const words = reasonText(row.reason);
    const rate = this.app.project.value?.graph?.working_rate_hz ?? 30;
    const offers = row.reconnect.map((r) => {
      const place = reconnectPlace(row.clip, r, rate);
      const way = r.direction === "in" ? `from ${r.clip}` : `to ${r.clip}`;
      return h(
        "button.button.reconnect",
        { type: "button", onclick: () => this.onTransition(place) },
        h("span.numbers", null, lengthText(r.distance_cm)),
        ` ${way} at ${(r.direction === "in" ? r.from_s : r.to_s).toFixed(2)} s`,
      );
    });
    return h(
      "div.lost-row",
      null,
      h("p", null, h("strong", null, words.title), ` ${row.seconds.toFixed(1)} s. `, words.explanation),
      h("p.muted", null, remedyText(row) ?? words.remedy),
      row.remedy?.try === "at-least" && this.raiseButton(row.remedy.cm),
      offers.length > 0
        ? h("div.reconnect-row", null, h("span.muted", null, "Nearest transitions that touch it:"), offers)
        : null,
    );
  }
}

function stackedBar(parts: readonly Part[]): HTMLElement {
  const text = parts.map((p) => `${p.name === "kept" ? "kept" : reasonText(p.name).title} ${percent(p.share)}`);
  return h(
    "div.stacked",
    { role: "img", "aria-label": `Of all motion: ${text.join(", ")}` },
    parts
      .filter((p) => p.share > 0)
      .map((p) =>
        h("div.stacked-part", { dataset: { reason: p.name }, style: { flexGrow: String(Math.max(p.share, 0.004)) } }),
      ),
  );
}

function reasonRow(part: Part): HTMLElement {
  const words = reasonText(part.name);
  return h(
    "li",
    null,
    h("span.swatch", { dataset: { reason: part.name }, "aria-hidden": "true" }),
    h("div", null, h("strong", null, words.title), h("span.muted", null, ` ${words.explanation}`)),
    h("span.numbers", null, `${part.seconds.toFixed(1)} s`),
  );
}

/** A bar `whole` long (0 to 1), of which `kept` is filled; the rest is hatched. */
export function shareBar(whole: number, kept: number): HTMLElement {
  const pc = (v: number) => `${Math.max(0, Math.min(1, v)) * 100}%`;
  return h(
    "span.share",
    { "aria-hidden": "true" },
    h("span.share-whole", { style: { width: pc(whole) } }),
    h("span.share-kept", { style: { width: pc(kept) } }),
  );
}
