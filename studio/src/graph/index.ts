/** The Graph view: the account, the thresholds, distances of two clips, and the graph drawn. */
import type { App, Mount } from "../app";
import { messageOf } from "../api/error";
import "../plot/plot.css";
import { button } from "../ui/controls";
import { h, replaceChildren } from "../ui/h";
import { icon } from "../ui/icons";
import { Disposer } from "../ui/signal";
import { tabs, type Tabs } from "../ui/tabs";
import type { Clip, Topology } from "../api/types";
import type { TransitionPlace } from "./account-model";
import { AccountPanel } from "./account-panel";
import { DistancePanel } from "./distance-panel";
import { DrawingPanel, placeOf } from "./drawing-panel";
import "./graph.css";
import { Inspector } from "./inspector";
import { tellingPair } from "./map-model";
import { ThresholdPanel } from "./threshold-panel";
import { routeHash, type Params } from "../route";

const TABS = [
  { id: "account", label: "Account" },
  { id: "thresholds", label: "Thresholds" },
  { id: "distances", label: "Distances" },
  { id: "drawing", label: "Drawing" },
] as const;
type TabId = (typeof TABS)[number]["id"];

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
  private missing: string | null = null;
  private shape: { age: number; asked: Promise<Topology> } | null = null;
  /** The address is being followed: what is selected on the way is no step of its own. */
  private following = false;
  /** The moment the address names, until its clips are known. */
  private wanted: TransitionPlace | null = null;
  /** The clip whose account the address asks for. */
  private asked: string | null = null;

  constructor(
    private readonly root: HTMLElement,
    private readonly app: App,
  ) {
    this.inspector = new Inspector(app, {
      onHeatmap: (place) => this.goToMap(place),
      onThreshold: (from, to) => this.openThreshold(from, to),
    });
    this.account = new AccountPanel(app, (place) => this.goToMap(this.byId(place)));
    this.thresholds = new ThresholdPanel(app);
    this.distances = new DistancePanel(app, {
      onTransition: (place) => this.inspect(place),
      onShown: (a, b, at) => this.settle({ a, b, ...(at ? { i: String(at.i), j: String(at.j) } : {}) }),
    });
    this.drawing = new DrawingPanel(app, {
      onTransition: (place, edge) => this.inspectEdge(place, edge),
      onPlace: (place) => this.app.go("graph", { tab: "drawing", ...place }),
    });
    const panels = {
      account: this.account,
      thresholds: this.thresholds,
      distances: this.distances,
      drawing: this.drawing,
    };
    this.tabs = tabs(
      "Parts of the graph view",
      // An account without losses has nothing to focus, and is scrolled by keys all the same.
      TABS.map(({ id, label }) => ({
        id,
        label,
        panel: h("div.graph-panel", id === "account" ? { tabIndex: 0 } : null, panels[id].element),
      })),
      (id) => {
        if (!this.following) this.app.go("graph", { tab: id, ...(id === "drawing" ? this.drawing.place : {}) });
        void this.refresh();
      },
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
      app.jobs.listen(() => this.account.connect.update()),
    );
  }

  show(params: Params): void {
    this.visible = true;
    const { tab, a, b, i, j } = params;
    this.missing = tab !== undefined && !TABS.some(({ id }) => id === tab) ? tab : null;
    if (!tab) return this.app.settle("graph", { ...params, tab: this.tabs.selected });
    if (tab === "distances" && a && b) this.wanted = { a, b, i: Number(i ?? NaN), j: Number(j ?? NaN) };
    if (tab === "drawing") this.drawing.go(placeOf(params));
    this.asked = (tab === "account" && params["clip"]) || null;
    this.following = true;
    if (!this.missing && tab !== this.tabs.selected) this.tabs.select(tab);
    this.following = false;
    void this.refresh();
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
    const inspects = tab === "distances" || (tab === "drawing" && this.drawing.shows === "frames");
    this.body.classList.toggle("with-inspector", inspects);
    if (!inspects) this.inspector.hide();
    if (!this.visible || !project || !clips) return;
    this.body.hidden = project.graph === null || this.missing !== null;
    if (!project.graph) return this.showEmpty(clips.length);
    if (this.missing !== null) return this.showMissing(this.missing);
    replaceChildren(this.notice);
    if (tab === "distances" && this.wanted) return this.openMap();
    if (tab === "account") this.account.ask(this.asked === null ? null : this.nameOf(this.asked));
    if (this.loaded.get(tab) === this.graphAge) return;
    this.loaded.set(tab, this.graphAge);
    try {
      await this.load(tab);
    } catch (error) {
      this.loaded.delete(tab);
      const again = button({ label: "Try again", onClick: () => void this.refresh() });
      replaceChildren(
        this.notice,
        h("div.notice.bad", { role: "alert" }, icon("warning"), h("span", null, messageOf(error)), again),
      );
    }
  }

  private async load(tab: TabId): Promise<void> {
    const { api } = this.app;
    const summary = this.app.project.value?.graph;
    const clips = this.app.clips.value ?? [];
    if (!summary) return;
    if (tab === "account") {
      const connected = api.connected();
      // Told where it is waited for.
      connected.catch(() => {});
      this.account.show(await api.account());
      this.account.connect.show(await connected);
    } else if (tab === "thresholds") this.thresholds.load(await api.thresholds());
    else if (tab === "drawing") this.drawing.load(await this.topology(), clips, summary);
    else {
      this.distances.setClips(clips);
      await this.openTelling(clips);
    }
  }

  /** The graph's shape, asked for once per graph: both the drawing and the distances begin with it. */
  private topology(): Promise<Topology> {
    if (this.shape?.age !== this.graphAge) {
      const asked = this.app.api.topology();
      this.shape = { age: this.graphAge, asked };
      asked.catch(() => (this.shape = null));
    }
    return this.shape.asked;
  }

  /** Two clips that have much to do with each other, unless others were chosen, with their best moment on the stage. */
  private async openTelling(clips: readonly Clip[]): Promise<void> {
    const pair = this.distances.chosenByHand ? null : tellingPair(await this.topology());
    const known = pair?.every((id) => clips.some((clip) => clip.id === id && clip.in_graph));
    if (this.wanted) return this.openMap();
    if (pair && known) await this.distances.open(pair[0], pair[1]);
    else await this.distances.show(null);
  }

  /** The address names a part that the view does not have. */
  private showMissing(tab: string): void {
    const links = TABS.map(({ id, label }) => h("a.button", { href: routeHash("graph", { tab: id }) }, label));
    replaceChildren(
      this.notice,
      h(
        "div.empty",
        { role: "status" },
        h("h2", null, `The graph view has no part “${tab}”`),
        h("p", null, "What it has:"),
        h("div.row", null, links),
      ),
    );
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
          : h(
              "p",
              null,
              "The clips are here. Build the graph in the Library: it finds the moments where one can switch from clip to clip.",
            ),
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

  private goToMap({ a, b, i, j }: TransitionPlace): void {
    this.app.go("graph", { tab: "distances", a, b, i: String(i), j: String(j) });
  }

  private openMap(): void {
    const place = this.wanted;
    this.wanted = null;
    this.loaded.set("distances", this.graphAge);
    this.distances.setClips(this.app.clips.value ?? []);
    void this.distances.show(place);
  }

  /** What the distances show is in the address too. */
  private settle(pair: Params): void {
    if (this.visible && this.tabs.selected === "distances") this.app.settle("graph", { tab: "distances", ...pair });
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
