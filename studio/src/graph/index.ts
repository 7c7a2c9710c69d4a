/** The Graph view: the account, the thresholds, distances of two clips, and the graph drawn. */
import type { App, Mount } from "../app";
import { messageOf } from "../api/error";
import "../plot/plot.css";
import { button } from "../ui/controls";
import { h, replaceChildren } from "../ui/h";
import { icon } from "../ui/icons";
import { Disposer } from "../ui/signal";
import { tabs, type Tabs } from "../ui/tabs";
import type { Account, TransitionPlace } from "./account-model";
import { AccountPanel } from "./account-panel";
import { DistancePanel } from "./distance-panel";
import { DrawingPanel } from "./drawing-panel";
import "./graph.css";
import { Inspector } from "./inspector";
import { ThresholdPanel } from "./threshold-panel";

type TabId = "account" | "thresholds" | "distances" | "drawing";

class GraphView {
  private readonly stops = new Disposer();
  private readonly account: AccountPanel;
  private readonly thresholds: ThresholdPanel;
  private readonly distances: DistancePanel;
  private readonly drawing: DrawingPanel;
  private readonly inspector: Inspector;
  private readonly tabs: Tabs;
  private readonly body = h("div.graph-body");
  private readonly notice = h("div.graph-notice");
  /** What each panel was loaded for; a newer graph is loaded when the panel is next seen. */
  private readonly loaded = new Map<TabId, number>();
  private graphAge = 0;
  private visible = false;

  constructor(
    private readonly root: HTMLElement,
    private readonly app: App,
  ) {
    this.inspector = new Inspector(app, {
      onHeatmap: (place) => this.openMap(place),
      onThreshold: (from, to) => this.openThreshold(from, to),
    });
    this.account = new AccountPanel(app, (place) => this.openMap(this.byId(place)));
    this.thresholds = new ThresholdPanel(app);
    this.distances = new DistancePanel(app, (place) => this.inspect(place));
    this.drawing = new DrawingPanel(app, { onTransition: (place, edge) => this.inspectEdge(place, edge) });
    const panel = (element: HTMLElement) => h("div.graph-panel", null, element);
    this.tabs = tabs(
      "Parts of the graph view",
      [
        { id: "account", label: "Account", panel: panel(this.account.element) },
        { id: "thresholds", label: "Thresholds", panel: panel(this.thresholds.element) },
        { id: "distances", label: "Distances", panel: panel(this.distances.element) },
        { id: "drawing", label: "Drawing", panel: panel(this.drawing.element) },
      ],
      () => void this.refresh(),
    );
    this.body.append(this.tabs.element, this.inspector.element);
    root.append(this.notice, this.body);
    this.stops.add(
      app.events.on("project", ({ what }) => {
        if (!what.some((part) => part === "graph" || part === "labels")) return;
        this.graphAge++;
        this.distances.stale();
        void this.refresh();
      }),
      app.project.listen(() => void this.refresh()),
      app.clips.listen(() => void this.refresh()),
    );
  }

  show(params: Record<string, string>): void {
    this.visible = true;
    const tab = params["tab"];
    if (tab && tab !== this.tabs.selected) this.tabs.select(tab);
    const { a, b, i, j } = params;
    if (a && b && i !== undefined && j !== undefined) this.openMap({ a, b, i: Number(i), j: Number(j) });
    else void this.refresh();
  }

  hide(): void {
    this.visible = false;
    this.inspector.hide();
  }

  key(event: KeyboardEvent): boolean {
    return this.inspector.key(event);
  }

  dispose(): void {
    this.stops.dispose();
    for (const part of [this.thresholds, this.distances, this.drawing, this.inspector]) part.dispose();
    this.root.replaceChildren();
  }

  private async refresh(): Promise<void> {
    const project = this.app.project.value;
    const clips = this.app.clips.value;
    const tab = this.tabs.selected as TabId;
    this.body.classList.toggle("with-inspector", tab === "distances" || tab === "drawing");
    if (tab !== "distances" && tab !== "drawing") this.inspector.hide();
    if (!this.visible || !project || !clips) return;
    this.body.hidden = project.graph === null;
    if (!project.graph) return this.showEmpty(clips.length);
    replaceChildren(this.notice);
    if (this.loaded.get(tab) === this.graphAge) return;
    this.loaded.set(tab, this.graphAge);
    try {
      await this.load(tab);
    } catch (error) {
      this.loaded.delete(tab);
      const again = button({ label: "Try again", onClick: () => void this.refresh() });
      replaceChildren(this.notice, h("div.notice.bad", { role: "alert" }, icon("warning"), h("span", null, messageOf(error)), again));
    }
  }

  private async load(tab: TabId): Promise<void> {
    const { api } = this.app;
    const summary = this.app.project.value?.graph;
    const clips = this.app.clips.value ?? [];
    if (!summary) return;
    if (tab === "account") this.account.show((await api.account()) as unknown as Account);
    else if (tab === "thresholds") this.thresholds.load(await api.thresholds());
    else if (tab === "drawing") this.drawing.load(await api.topology(), clips, summary);
    else {
      this.distances.setClips(clips);
      await this.distances.show(null);
    }
  }

  private showEmpty(clips: number): void {
    const go = button({ label: "Go to the Library", kind: "primary", onClick: () => this.app.go("library") });
    replaceChildren(
      this.notice,
      h(
        "div.empty",
        null,
        h("h2", null, "There is no graph yet"),
        clips === 0
          ? h("p", null, "Drop motion files (BVH, AMC with ASF, GLB, FBX) anywhere on this page, then build the graph.")
          : h("p", null, "The clips are here. Build the graph in the Library: it finds the moments where one can switch from clip to clip."),
        go,
      ),
    );
  }

  /** The account names clips by name; everything else by id. */
  private byId(place: TransitionPlace): TransitionPlace {
    const clips = this.app.clips.value ?? [];
    const id = (name: string) => clips.find((c) => c.name === name || c.id === name)?.id ?? name;
    return { ...place, a: id(place.a), b: id(place.b) };
  }

  private openMap(place: TransitionPlace): void {
    this.tabs.select("distances");
    this.loaded.set("distances", this.graphAge);
    this.distances.setClips(this.app.clips.value ?? []);
    void this.distances.show(place);
  }

  private openThreshold(from: string, to: string): void {
    this.tabs.select("thresholds");
    this.thresholds.selectPair(from, to);
  }

  private nameOf(id: string): string {
    return this.app.clips.value?.find((c) => c.id === id)?.name ?? id;
  }

  private inspect(place: TransitionPlace): void {
    void this.inspector.show(place, [this.nameOf(place.a), this.nameOf(place.b)]);
  }

  private inspectEdge(place: TransitionPlace, edge: number): void {
    if (place.i >= 0 && place.j >= 0) this.inspect(place);
    else void this.inspector.showEdge(edge, "Transition", [`${this.nameOf(place.a)} to ${this.nameOf(place.b)}`]);
  }
}

export const mount: Mount = (root, app) => {
  const view = new GraphView(root, app);
  return {
    show: (route) => view.show(route.params),
    hide: () => view.hide(),
    key: (event) => view.key(event),
    dispose: () => view.dispose(),
  };
};
