/** The graph drawn, from afar to near: a map of labels, which opens into a map of clips, which opens into lanes with frames. */
import type { App } from "../app";
import type { Clip, GraphSummary, Topology } from "../api/types";
import type { Params } from "../route";
import { labelColour } from "../ui/label-colours";
import { button } from "../ui/controls";
import { count } from "../ui/format";
import { h, replaceChildren, type Child } from "../ui/h";
import { Disposer } from "../ui/signal";
import { LanesPanel, type OnTransition } from "./lanes-panel";
import {
  UNLABELLED,
  all,
  allThrough,
  clipMap,
  labelMap,
  partOf,
  throughBetween,
  throughOfClips,
  waysBetween,
  waysOfClips,
  type RowsOf,
} from "./map-model";
import { MapView } from "./map-view";

/** Clips on one map; more are a thicket. */
const MOST_CLIPS = 24;

/** Where on the map: nothing is all labels; labels lead to their clips, clips to their frames; `lanes` is every clip. */
export interface DrawingPlace {
  readonly from?: string;
  readonly to?: string;
  readonly a?: string;
  readonly b?: string;
  readonly lanes?: "all";
}

export interface DrawingEvents {
  readonly onTransition: OnTransition;
  readonly onPlace: (place: Record<string, string>) => void;
}

/** The place that an address names. */
export function placeOf({ from, to, a, b, lanes }: Params): DrawingPlace {
  if (lanes === "all") return { lanes };
  return {
    ...(from !== undefined && to !== undefined ? { from, to } : {}),
    ...(a !== undefined && b !== undefined ? { a, b } : {}),
  };
}

export class DrawingPanel {
  readonly element: HTMLElement;
  private readonly stops = new Disposer();
  private readonly map = new MapView();
  private readonly lanes: LanesPanel;
  private readonly crumbs = h("nav.crumbs", { "aria-label": "Where on the map" });
  private readonly words = h("p.muted.map-words");
  private readonly head: HTMLElement;
  private where: DrawingPlace = {};
  private graph: { topology: Topology; clips: readonly Clip[]; summary: GraphSummary } | null = null;

  constructor(
    app: App,
    private readonly events: DrawingEvents,
  ) {
    this.lanes = new LanesPanel(app, events.onTransition);
    this.dark = () => app.theme.value === "dark";
    this.head = h("div.map-head", null, this.crumbs, this.words);
    this.element = h("div.drawing", null, this.head, this.map.element, this.lanes.element);
    this.stops.add(
      app.theme.listen(() => this.show()),
      () => this.lanes.dispose(),
      () => this.map.dispose(),
    );
  }

  private readonly dark: () => boolean;

  get place(): Record<string, string> {
    return { ...this.where };
  }

  /** What is on screen: a map, or lanes with their frames. */
  get shows(): "map" | "frames" {
    return this.where.lanes || this.where.a !== undefined ? "frames" : "map";
  }

  dispose(): void {
    this.stops.dispose();
  }

  load(topology: Topology, clips: readonly Clip[], summary: GraphSummary): void {
    this.graph = { topology, clips, summary };
    this.show();
  }

  go(place: DrawingPlace): void {
    const same = JSON.stringify(place) === JSON.stringify(this.where);
    this.where = place;
    if (!same) this.show();
  }

  private show(): void {
    const { graph } = this;
    if (!graph) return;
    const frames = this.shows === "frames";
    this.map.element.hidden = frames;
    this.lanes.element.hidden = !frames;
    this.showCrumbs(graph.topology);
    if (frames) this.showLanes(graph);
    else this.showMap(graph.topology);
  }

  private get rowsOf(): RowsOf {
    const rows = new Map(this.graph?.clips.map((clip) => [clip.id, clip.labels]));
    return (id) => rows.get(id) ?? [];
  }

  /** The transitions that the place is about. */
  private ways(topology: Topology): number[] {
    const { from, to, a, b } = this.where;
    const ofLabels =
      from !== undefined && to !== undefined ? waysBetween(topology, this.rowsOf, from, to) : all(topology);
    return a !== undefined && b !== undefined ? waysOfClips(topology, ofLabels, a, b) : ofLabels;
  }

  /** The ways through interpolated clips that the place is about. */
  private through(topology: Topology): number[] {
    const { from, to, a, b } = this.where;
    const ofLabels =
      from !== undefined && to !== undefined ? throughBetween(topology, this.rowsOf, from, to) : allThrough(topology);
    return a !== undefined && b !== undefined ? throughOfClips(topology, ofLabels, a, b) : ofLabels;
  }

  private showMap(topology: Topology): void {
    const labels = labelMap(topology, this.rowsOf);
    const { from, to } = this.where;
    // With one label, or none, there is nothing to tell apart: the clips come first.
    if (from === undefined && labels.nodes.length > 1) {
      this.words.textContent =
        "Discs are labels, as large as their seconds in the graph; bands are ways from one to the other. Open one to see its clips.";
      this.map.show(labels, {
        onOpen: (p, q) => this.events.onPlace({ from: p, to: q }),
        colour: (key) => (key === UNLABELLED ? null : labelColour(key, this.dark())),
        opens: "Opens its clips.",
      });
      return;
    }
    const clips = clipMap(topology, this.ways(topology), MOST_CLIPS, this.through(topology));
    this.words.textContent = "Discs are clips; bands are ways from one to the other. Open one to see its frames.";
    this.map.show(clips, {
      onOpen: (a, b) => this.events.onPlace({ ...(from === undefined ? {} : { from, to: to ?? from }), a, b }),
      colour: () => null,
      opens: "Opens its frames.",
    });
  }

  private showLanes({ topology, clips, summary }: NonNullable<DrawingPanel["graph"]>): void {
    const chosen = this.ways(topology);
    const through = this.through(topology);
    const beside = through.length > 0 ? `, and ${through.length.toLocaleString("en")} through interpolated motion` : "";
    this.words.textContent = this.where.lanes
      ? `Every ${through.length > 0 ? "captured " : ""}clip as a lane, transitions as arcs. Click one to play it.`
      : `${count(chosen.length, "way")} between these frames${beside}. Click an arc to play it.`;
    this.lanes.load(this.where.lanes ? topology : partOf(topology, chosen, through), clips, summary);
  }

  private showCrumbs(topology: Topology): void {
    const { from, to, a, b, lanes } = this.where;
    const word = (key: string) => (key === UNLABELLED ? "no label" : key);
    const name = (id: string) => topology.clips.find((clip) => clip.id === id)?.name ?? id;
    const pair = (p: string, q: string) => (p === q ? `within ${p}` : `${p} → ${q}`);
    const steps: { text: string; place: Record<string, string> }[] = [{ text: "Map", place: {} }];
    if (lanes) steps.push({ text: "All clips", place: { lanes } });
    if (from !== undefined && to !== undefined) steps.push({ text: pair(word(from), word(to)), place: { from, to } });
    if (a !== undefined && b !== undefined) steps.push({ text: pair(name(a), name(b)), place: this.place });
    const shown: Child[] = steps.map(({ text, place }, k) =>
      k === steps.length - 1
        ? h("span.crumb", { "aria-current": "location" }, text)
        : [
            button({ label: text, kind: "quiet", onClick: () => this.events.onPlace(place) }),
            h("span.muted", { "aria-hidden": "true" }, "›"),
          ],
    );
    replaceChildren(
      this.crumbs,
      shown,
      !lanes && [
        h("span.spacer"),
        button({
          label: "All clips as lanes",
          kind: "quiet",
          icon: "list",
          onClick: () => this.events.onPlace({ lanes: "all" }),
        }),
      ],
    );
  }
}
