/** What the numbers in the table would give: the live answer of the server in figures and bars. */
import type { App } from "../app";
import type { Connectivity } from "../api/types";
import { labelStyle } from "../ui/label-colours";
import { longName } from "../ui/long-name";
import { h, replaceChildren } from "../ui/h";
import { shareBar } from "./account-panel";

interface Figures {
  readonly kept: HTMLElement;
  readonly keptChange: HTMLElement;
  readonly transitions: HTMLElement;
  readonly transitionsChange: HTMLElement;
  readonly components: HTMLElement;
  readonly speed: HTMLElement;
}

export class ConnectivityPanel {
  readonly figures: HTMLElement;
  readonly labels = h("div.live-labels");
  readonly clips = h("div.live-clips");
  private readonly parts: Figures;
  private clipBars = new Map<string, { fill: HTMLElement; text: HTMLElement; total: number }>();

  constructor(private readonly app: App) {
    const value = () => h("strong.figure-value.numbers");
    const change = () => h("span.figure-change.numbers");
    this.parts = {
      kept: value(),
      keptChange: change(),
      transitions: value(),
      transitionsChange: change(),
      components: value(),
      speed: h("span.muted.numbers"),
    };
    const { parts } = this;
    this.figures = h(
      "div.figures",
      { "aria-live": "polite", "aria-atomic": "true" },
      figure("kept", parts.kept, parts.keptChange),
      figure("transitions", parts.transitions, parts.transitionsChange),
      figure("loose parts", parts.components, null),
      h("div.figure.figure-speed", null, parts.speed),
    );
  }

  /** `applied` is what the saved graph has; changes are told against it. */
  show(live: Connectivity, applied: Connectivity | null, roundTripMs: number | null): void {
    const { parts } = this;
    const share = (100 * live.kept_seconds) / Math.max(live.seconds, 1e-9);
    parts.kept.textContent = `${live.kept_seconds.toFixed(1)} s (${share.toFixed(0)} %)`;
    parts.transitions.textContent = live.transitions.toLocaleString("en");
    parts.components.textContent = live.components.toLocaleString("en");
    signed(parts.keptChange, applied ? live.kept_seconds - applied.kept_seconds : 0, 1, " s");
    signed(parts.transitionsChange, applied ? live.transitions - applied.transitions : 0, 0, "");
    const ms = (v: number) => (v < 10 ? v.toFixed(1) : v.toFixed(0));
    parts.speed.textContent =
      roundTripMs === null
        ? `worked out in ${ms(live.compute_ms)} ms`
        : `worked out in ${ms(live.compute_ms)} ms, here in ${ms(roundTripMs)} ms`;
    this.showLabels(live);
    this.showClips(live);
  }

  private showLabels(live: Connectivity): void {
    replaceChildren(
      this.labels,
      live.labels.map((l) =>
        h(
          "div.live-row",
          null,
          h("span.chip.label-colour", { style: labelStyle(l.label) }, l.label),
          shareBar(1, l.kept_seconds / Math.max(l.seconds, 1e-9)),
          h("span.numbers", null, `${l.kept_seconds.toFixed(1)} / ${l.seconds.toFixed(1)} s`),
        ),
      ),
    );
  }

  /** Bars of clips are made once and then only change their length: there may be hundreds, at every move of a slider. */
  private showClips(live: Connectivity): void {
    const known = live.kept_by_clip.every((c) => this.clipBars.has(c.id));
    if (!known || this.clipBars.size !== live.kept_by_clip.length) this.makeClips(live);
    for (const { id, kept_seconds } of live.kept_by_clip) {
      const bar = this.clipBars.get(id);
      if (!bar) continue;
      const share = Math.max(0, Math.min(1, kept_seconds / Math.max(bar.total, 1e-9)));
      bar.fill.style.width = `${share * 100}%`;
      bar.text.textContent = `${kept_seconds.toFixed(1)} / ${bar.total.toFixed(1)} s`;
    }
  }

  private makeClips(live: Connectivity): void {
    this.clipBars = new Map();
    const rows = live.kept_by_clip.map(({ id, kept_seconds }) => {
      const clip = this.app.clips.value?.find((c) => c.id === id);
      const bar = shareBar(1, 0);
      const text = h("span.numbers");
      const fill = bar.lastElementChild as HTMLElement;
      this.clipBars.set(id, { fill, text, total: clip?.seconds ?? kept_seconds });
      return h("div.live-row", null, longName("span", clip?.name ?? id, "clip-name"), bar, text);
    });
    replaceChildren(this.clips, rows);
  }
}

function figure(title: string, value: HTMLElement, change: HTMLElement | null): HTMLElement {
  return h("div.figure", null, h("span.figure-title", null, title), value, change);
}

function signed(element: HTMLElement, change: number, digits: number, unit: string): void {
  const flat = Math.abs(change) < 0.5 * 10 ** -digits;
  element.textContent = flat ? "" : `${change > 0 ? "+" : "−"}${Math.abs(change).toFixed(digits)}${unit}`;
  element.classList.toggle("better", change > 0 && !flat);
  element.classList.toggle("worse", change < 0 && !flat);
}
