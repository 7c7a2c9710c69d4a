/** Any two clips against each other: choose them, see the map, go to a minimum. */
import type { App } from "../app";
import { messageOf } from "../api/error";
import type { Clip, Minima } from "../api/types";
import { palette } from "../plot/palette";
import { Surface } from "../plot/surface";
import { iconButton } from "../ui/controls";
import { h, replaceChildren } from "../ui/h";
import { icon } from "../ui/icons";
import { Disposer } from "../ui/signal";
import type { TransitionPlace } from "./account-model";
import { drawLegend, drawMinimum, drawTail } from "./heatmap-marks";
import { thinned } from "./heatmap-model";
import { HeatmapView } from "./heatmap-view";
import { tellingMinimum } from "./map-model";
import { STATE_WORDS, kindText, lengthText } from "./transition-words";

const CUT_WORDS =
  "Cuts near the ends of clips lead from the clip down to the clip across; swap the clips for the others. The tail is as long as the jump takes to fade.";

export class DistancePanel {
  readonly element: HTMLElement;
  readonly map: HeatmapView;
  private readonly stops = new Disposer();
  private readonly first = h("select", { "aria-label": "First clip, downwards", onchange: () => this.chosen() });
  private readonly second = h("select", { "aria-label": "Second clip, to the right", onchange: () => this.chosen() });
  private readonly readout = h("output.readout.numbers");
  private readonly notice = h("div.map-notice");
  private readonly tally = h("div.tally");
  private readonly legend: Surface;
  private readonly samples = (["in", "out", "pruned"] as const).map((state) => ({
    state,
    surface: new Surface({ class: "dot-sample", "aria-hidden": "true" }, (c) => drawMinimum(c, state, 9, 9, 4)),
  }));
  private readonly cutSample = new Surface({ class: "dot-sample", "aria-hidden": "true" }, (c) =>
    drawTail(c, 3, 9, 13, 4),
  );
  private wanted: AbortController | null = null;
  private minima: Minima | null = null;
  private shown = "";

  constructor(
    private readonly app: App,
    private readonly told: {
      readonly onTransition: (place: TransitionPlace) => void;
      /** A pair is on the map, and perhaps a moment of it is chosen. */
      readonly onShown: (a: string, b: string, at: { readonly i: number; readonly j: number } | null) => void;
    },
  ) {
    this.map = new HeatmapView({
      colours: () => palette(app.theme.value),
      onSelect: (k) => this.selected(k),
      onHover: (text) => (this.readout.textContent = text),
    });
    this.legend = new Surface(
      { role: "img", class: "legend", "aria-label": "Colours: light is near, dark is far" },
      (c, w) => drawLegend(c, w, this.map.farCm, palette(app.theme.value)),
    );
    this.element = h(
      "div.distances",
      null,
      h(
        "div.map-bar",
        null,
        h("label.inline-field", null, h("span.muted", null, "down"), this.first),
        h("label.inline-field", null, h("span.muted", null, "across"), this.second),
        iconButton("reset", "Swap the clips", () => this.swap()),
        h("span.spacer"),
        iconButton("minus", "Zoom out (-)", () => this.map.zoom(1 / 1.4)),
        iconButton("plus", "Zoom in (+)", () => this.map.zoom(1.4)),
        iconButton("frame", "Show all (0)", () => this.map.fitAll()),
      ),
      h("div.map-box", null, this.map.surface.element, this.notice),
      h(
        "div.map-foot",
        null,
        h("div.legend-box", null, this.legend.element),
        this.tally,
        h("span.spacer"),
        this.readout,
      ),
    );
    this.stops.add(
      app.theme.listen(() => {
        this.map.surface.invalidate();
        this.legend.invalidate();
      }),
      () => this.map.surface.dispose(),
      () => this.legend.dispose(),
      () => this.samples.forEach((s) => s.surface.dispose()),
      () => this.cutSample.dispose(),
    );
  }

  dispose(): void {
    this.wanted?.abort();
    this.stops.dispose();
  }

  /** Whether somebody chose the pair that is shown. */
  chosenByHand = false;

  /** Shows a pair with its best moment chosen. */
  async open(a: string, b: string): Promise<void> {
    this.first.value = a;
    this.second.value = b;
    await this.show(null);
    const best = this.minima && this.shown === `${a} ${b}` ? tellingMinimum(this.minima) : -1;
    if (best < 0) return;
    this.map.select(best);
    this.selected(best);
  }

  /** Fills the lists; pairs that were chosen stay. */
  setClips(clips: readonly Clip[]): void {
    const inGraph = clips.filter((c) => c.in_graph);
    const before = [this.first.value, this.second.value] as const;
    for (const select of [this.first, this.second]) {
      replaceChildren(
        select,
        inGraph.map((c) => h("option", { value: c.id }, c.name)),
      );
    }
    const known = (id: string) => inGraph.some((c) => c.id === id);
    this.first.value = known(before[0]) ? before[0] : (inGraph[0]?.id ?? "");
    this.second.value = known(before[1]) ? before[1] : (inGraph[1]?.id ?? inGraph[0]?.id ?? "");
    if (inGraph.length === 0) this.say("No clip is in the graph yet. Build it in the Library first.", false);
  }

  /** Shows the chosen pair, once; `place` selects a minimum there. */
  async show(place: TransitionPlace | null): Promise<void> {
    if (place) {
      const known = [...this.first.options].map((option) => option.value);
      const lost = [place.a, place.b].find((id) => !known.includes(id));
      if (lost !== undefined) return this.say(`There is no clip “${lost}” in the graph. Choose two above.`, true);
      this.first.value = place.a;
      this.second.value = place.b;
      this.chosenByHand = true;
    }
    const a = this.first.value;
    const b = this.second.value;
    if (a === "" || b === "") return;
    if (this.shown !== `${a} ${b}`) await this.load(a, b);
    // Another pair may have been chosen meanwhile.
    if (!this.minima || this.shown !== `${a} ${b}`) return;
    const at = place && Number.isInteger(place.i) && Number.isInteger(place.j) ? place : null;
    this.told.onShown(a, b, at);
    if (!at) return;
    const k = this.minima.minima.findIndex((m) => Math.abs(m.i - at.i) <= 1 && Math.abs(m.j - at.j) <= 1);
    this.map.select(k);
    this.told.onTransition(at);
  }

  /** The graph changed: what is shown is out of date. */
  stale(): void {
    this.shown = "";
  }

  private chosen(): void {
    this.chosenByHand = true;
    void this.show(null);
  }

  private swap(): void {
    [this.first.value, this.second.value] = [this.second.value, this.first.value];
    this.chosen();
  }

  private async load(a: string, b: string): Promise<void> {
    this.wanted?.abort();
    this.wanted = new AbortController();
    const { signal } = this.wanted;
    this.readout.textContent = "";
    this.say("Measuring every frame against every other…", false);
    try {
      const [grid, minima] = await Promise.all([
        this.app.api.heatmap(a, b, 768, { signal }),
        this.app.api.minima(a, b, { signal }),
      ]);
      this.minima = minima;
      this.shown = `${a} ${b}`;
      const name = (select: HTMLSelectElement) => select.selectedOptions[0]?.textContent ?? "";
      this.map.setData(grid, minima, [name(this.first), name(this.second)]);
      this.legend.invalidate();
      this.count(minima);
      this.say(
        minima.minima.length === 0 ? "These clips have no moment alike below the ceiling." : thinned(grid.every),
        false,
      );
    } catch (error) {
      if (!signal.aborted) this.say(messageOf(error), true);
    }
  }

  private say(text: string, bad: boolean): void {
    replaceChildren(
      this.notice,
      text !== "" &&
        h(
          "p.notice",
          { class: bad ? "bad" : "", role: bad ? "alert" : "status" },
          icon(bad ? "warning" : "info"),
          text,
        ),
    );
  }

  private count({ minima }: Minima): void {
    const items = this.samples.map(({ state, surface }) => {
      const n = minima.filter((m) => m.state === state).length;
      const { title, text } = STATE_WORDS[state];
      return h("span.tally-item", { title: text }, surface.element, `${n} ${title.toLowerCase()}`);
    });
    const cuts = minima.filter((m) => m.kind === "cut").length;
    replaceChildren(
      this.tally,
      items,
      cuts > 0 &&
        h(
          "span.tally-item",
          { title: CUT_WORDS },
          this.cutSample.element,
          cuts === 1 ? "1 of them a cut" : `${cuts} of them cuts`,
        ),
    );
  }

  private selected(index: number): void {
    const m = this.minima?.minima[index];
    if (!m) return;
    this.readout.textContent = `${lengthText(m.distance_cm)}, ${kindText(m.kind, m.seconds)}: ${m.why || STATE_WORDS[m.state].text}`;
    this.told.onShown(this.first.value, this.second.value, m);
    this.told.onTransition({ a: this.first.value, i: m.i, b: this.second.value, j: m.j });
  }
}
