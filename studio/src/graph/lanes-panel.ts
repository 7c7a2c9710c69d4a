/** The graph, or a part of it, drawn as lanes and arcs, with its filters. */
import type { App } from "../app";
import type { Clip, GraphSummary, Topology } from "../api/types";
import { palette } from "../plot/palette";
import { iconButton, slider, type Slider } from "../ui/controls";
import { h, replaceChildren } from "../ui/h";
import { Disposer } from "../ui/signal";
import type { TransitionPlace } from "./account-model";
import { componentColour } from "./arcs-painter";
import { ArcsView } from "./arcs-view";
import { kindText, lengthText } from "./transition-words";

const CUT_WORDS = "A cut leaves a clip at once and plays another on; the wedge is as long as its jump takes to fade.";

const THROUGH_WORDS =
  "Motion between captured clips that was never captured has no lane of its own: an arc leads from where a captured clip is left to where the next is entered.";

export type OnTransition = (place: TransitionPlace, edge: number) => void;

export class LanesPanel {
  readonly element: HTMLElement;
  readonly arcs: ArcsView;
  private readonly stops = new Disposer();
  private readonly label = h("select", { "aria-label": "Show clips with the label", onchange: () => this.filter() });
  private readonly component = h("select", { "aria-label": "Show the component", onchange: () => this.filter() });
  private readonly distanceHost = h("div.distance-filter");
  private readonly readout = h("output.readout.numbers");
  private readonly drawn = h("span.muted.numbers");
  private readonly keys = h("div.component-keys");
  private distance: Slider | null = null;
  private maxCm = Infinity;
  private topology: Topology | null = null;
  private clips: readonly Clip[] = [];

  constructor(
    private readonly app: App,
    private readonly onTransition: OnTransition,
  ) {
    this.arcs = new ArcsView({
      colours: () => palette(app.theme.value),
      onHover: (k) => (this.readout.textContent = k < 0 ? "" : this.describe(k)),
      onSelect: (k) => this.select(k),
      onDrawn: (shown, hidden) => {
        const more = hidden > 0 ? `, ${hidden.toLocaleString("en")} more on zooming in` : "";
        this.drawn.textContent = `${shown.toLocaleString("en")} arcs${more}`;
      },
    });
    this.element = h(
      "div.lanes",
      null,
      h(
        "div.map-bar",
        null,
        h("label.inline-field", null, h("span.muted", null, "label"), this.label),
        h("label.inline-field", null, h("span.muted", null, "part"), this.component),
        this.distanceHost,
        h("span.spacer"),
        iconButton("minus", "Zoom out (-)", () => this.arcs.zoom(1 / 1.4)),
        iconButton("plus", "Zoom in (+)", () => this.arcs.zoom(1.4)),
        iconButton("frame", "Show all (0)", () => this.arcs.fitAll()),
      ),
      h("div.map-box", null, this.arcs.surface.element),
      h("div.map-foot", null, this.keys, this.drawn, h("span.spacer"), this.readout),
    );
    this.stops.add(
      app.theme.listen(() => {
        this.arcs.repaint();
        this.showKeys();
      }),
      () => this.arcs.surface.dispose(),
    );
  }

  dispose(): void {
    this.stops.dispose();
  }

  load(topology: Topology, clips: readonly Clip[], summary: GraphSummary): void {
    this.topology = topology;
    this.clips = clips;
    const all = [topology.transitions.distance_cm, topology.interpolated.distance_cm];
    const most = all.flat().reduce((t, d) => Math.max(t, d), 0);
    const top = Math.max(0.5, Math.ceil(most * 2) / 2);
    this.maxCm = top;
    this.distance = slider({
      label: "up to",
      min: 0,
      max: top,
      step: 0.1,
      value: top,
      format: (v) => `${v.toFixed(1)} cm`,
      onInput: (v) => {
        this.maxCm = v;
        this.filter();
      },
    });
    replaceChildren(this.distanceHost, this.distance.element);
    const labels = this.app.project.value?.labels ?? [];
    const option = (value: string, text: string) => h("option", { value }, text);
    replaceChildren(
      this.label,
      option("", "all"),
      labels.map((l) => option(l, l)),
    );
    const parts = Math.min(12, Math.max(1, summary.components));
    replaceChildren(
      this.component,
      option("", "all"),
      Array.from({ length: parts }, (_, k) => option(String(k), k === 0 ? "largest" : `part ${k + 1}`)),
      option("-1", "bridges between parts"),
    );
    this.showKeys();
    this.arcs.setTopology(topology);
    this.filter();
  }

  private showKeys(): void {
    const { dark } = palette(this.app.theme.value);
    const used = new Set(this.topology?.nodes.component ?? []);
    const shown = [...used].sort((a, b) => a - b).filter((c) => c >= -1 && c < 5);
    replaceChildren(
      this.keys,
      shown.map((c) =>
        h(
          "span.tally-item",
          null,
          h("span.dot", { style: { background: componentColour(c, dark) } }),
          c < 0 ? "bridges" : c === 0 ? "largest part" : `part ${c + 1}`,
        ),
      ),
      this.topology?.transitions.kind.includes("cut") &&
        h("span.tally-item", { title: CUT_WORDS }, h("span.wedge", { "aria-hidden": "true" }), "cut, fading"),
      (this.topology?.interpolated.from_clip.length ?? 0) > 0 &&
        h(
          "span.tally-item",
          { title: THROUGH_WORDS },
          h("span.dashes", { "aria-hidden": "true" }),
          "through interpolated motion",
        ),
    );
  }

  private filter(): void {
    const label = this.label.value;
    const { topology } = this;
    if (!topology) return;
    const carries = (id: string) => this.clips.find((c) => c.id === id)?.labels.some((l) => l.label === label) ?? false;
    const lanes = label === "" ? null : new Set(topology.clips.flatMap((c, lane) => (carries(c.id) ? [lane] : [])));
    const component = this.component.value === "" ? null : Number(this.component.value);
    this.arcs.setFilter({ maxCm: this.maxCm, clips: lanes, component });
  }

  private describe(k: number): string {
    const { layout } = this.arcs;
    if (!layout) return "";
    const { clips, transitions } = layout.topology;
    const from = clips[layout.fromLane[k] ?? 0]?.name ?? "";
    const to = clips[layout.toLane[k] ?? 0]?.name ?? "";
    const cm = lengthText(transitions.distance_cm[k] ?? 0);
    const [leaves, lands] = [(layout.fromS[k] ?? 0).toFixed(2), (layout.toS[k] ?? 0).toFixed(2)];
    const how = kindText(transitions.kind[k] ?? "blend", transitions.seconds[k] ?? 0);
    const goesOn = layout.isCut(k) ? `plays ${to} from ${lands} s on` : `comes out in ${to} at ${lands} s`;
    return `${how}: leaves ${from} at ${leaves} s, ${goesOn}, ${cm}`;
  }

  private select(k: number): void {
    const { layout } = this.arcs;
    if (k < 0 || !layout) return;
    this.readout.textContent = this.describe(k);
    const { clips, transitions } = layout.topology;
    const place = {
      a: clips[layout.fromLane[k] ?? 0]?.id ?? "",
      i: transitions.from_frame[k] ?? -1,
      b: clips[layout.toLane[k] ?? 0]?.id ?? "",
      j: transitions.to_frame[k] ?? -1,
    };
    this.onTransition(place, transitions.edge[k] ?? 0);
  }
}
