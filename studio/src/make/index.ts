/** The Make view: sketch on the floor plan, search, and watch the motion in 3D over it. */
import type { App, Mount } from "../app";
import { font, palette } from "../plot/palette";
import "../plot/plot.css";
import { canRecord, playerKey } from "../stage";
import { segmented } from "../ui/controls";
import { h, replaceChildren } from "../ui/h";
import { Disposer } from "../ui/signal";
import type { Params } from "../route";
import { tabs, type Tabs } from "../ui/tabs";
import { Desk } from "./desk";
import { noGraph, planHelp } from "./empty";
import { filmed } from "./film";
import "./make.css";
import { optionsPanel } from "./options-panel";
import { Live, rememberLive } from "./live";
import { DEFAULTS } from "./params";
import { undoKey } from "./plan-keys";
import type { OffSpan, Way } from "./plan-overlay";
import { PlanView } from "./plan-view";
import { alongSketch, offStretches } from "./remedies";
import { resultPanel } from "./result-panel";
import { ResultStage } from "./result-stage";
import { ResultsList } from "./results-list";
import { sketchPanel } from "./sketch-panel";
import { EMPTY } from "./sketch";
import { draftKey, save, takeUp } from "./store";
import { synthBar } from "./synth-bar";
import type { Filming } from "./take-home";
import { Synthesizer } from "./synthesizer";
import { Timeline } from "./timeline";
import { timelineBar } from "./timeline-bar";
import { toolBar, zoomButtons } from "./tool-bar";

const SAVE_AFTER_MS = 400;

const SIDES = [
  { id: "make-sketch", label: "Sketch" },
  { id: "make-options", label: "Options" },
  { id: "make-results", label: "Results" },
] as const;

class MakeView {
  private readonly stops = new Disposer();
  private readonly desk: Desk;
  private readonly plan: PlanView;
  private readonly stage: ResultStage;
  private readonly synth: Synthesizer;
  private readonly results: ResultsList;
  private readonly live: Live;
  private readonly empty = h("div.make-empty");
  private readonly main: HTMLElement;
  private side!: Tabs;
  /** The address is being followed: what is selected on the way does not change it. */
  private following = false;

  constructor(
    private readonly root: HTMLElement,
    private readonly app: App,
  ) {
    this.desk = new Desk(EMPTY, DEFAULTS);
    this.settle(app.project.value?.key);
    rememberLive(this.desk.live);
    this.synth = new Synthesizer(app, this.desk);
    this.plan = new PlanView(app, this.desk);
    this.stage = new ResultStage(
      app,
      this.desk,
      (people) => this.plan.setPeople(people),
      () => this.synth.wasDrawn,
    );
    this.results = new ResultsList(app, this.desk, this.synth);
    this.main = this.layout();
    root.append(this.empty, this.main);
    this.live = new Live(app, this.desk, this.synth);
    this.stops.add(
      this.autosave(),
      app.project.listen((p) => this.settle(p?.key)),
      app.project.follow((p) => this.showEmpty(p !== null && p.graph === null)),
      this.desk.result.listen(() => (this.showWays(), this.tellAddress())),
      this.desk.member.listen(() => (this.showWays(), this.tellAddress())),
      this.desk.stale.listen(() => this.showWays()),
      app.theme.listen(() => this.showWays()),
      () => [this.live, this.plan, this.stage, this.synth, this.results].forEach((part) => part.dispose()),
    );
  }

  /** The desk is one project's: with another, what was drawn in that one is on it. */
  private settle(project: string | undefined): void {
    if (project === undefined || project === this.desk.project.value) return;
    this.write();
    const saved = takeUp(localStorage, project);
    this.desk.moveTo(project, saved?.sketch ?? EMPTY, saved?.params ?? DEFAULTS);
  }

  show(params: Params): void {
    const { result, tab } = params;
    const member = Number(params["member"] ?? 0);
    const side = `make-${tab ?? "sketch"}`;
    this.following = true;
    if (side !== this.side.selected && SIDES.some(({ id }) => id === side)) this.side.select(side);
    this.following = false;
    const shown = this.desk.result.value;
    if (result && result !== shown?.id) void this.open(result, member);
    else if (result && member !== this.desk.member.value && shown?.members[member]) this.desk.member.value = member;
    else if (!result && shown) this.tellAddress();
    this.plan.surface.invalidate();
    this.stage.show();
  }

  private async open(id: string, member: number): Promise<void> {
    // Before it is known whose desk this is, nothing is put on it.
    if (this.desk.project.value === null)
      await new Promise<void>((done) => {
        const stop = this.desk.project.listen(() => (stop(), done()));
      });
    if (await this.synth.open(id, member)) return;
    // What is there instead of what the address names.
    this.side.select("make-results");
  }

  /** The address follows what is open: a new result is a step that can be taken back. */
  private tellAddress(): void {
    if (this.following) return;
    const { result, member } = this.desk;
    const now = this.app.route.value;
    const side = this.side.selected.replace("make-", "");
    const params: Record<string, string> = {
      ...(result.value ? { result: result.value.id } : {}),
      ...(result.value && member.value > 0 ? { member: String(member.value) } : {}),
      ...(side === "sketch" ? {} : { tab: side }),
    };
    const another = now.params["result"] !== undefined && result.value && now.params["result"] !== result.value.id;
    // What comes of every drag is no step that one would go back to.
    if (now.view === "make" && another && !this.synth.wasDrawn) this.app.go("make", params);
    else this.app.settle("make", params);
  }

  hide(): void {
    this.stage.stage.clock.pause();
  }

  key(event: KeyboardEvent): boolean {
    if (undoKey(event, this.desk)) return true;
    if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
      void this.synth.start(null);
      return true;
    }
    return playerKey(this.stage.stage, event);
  }

  dispose(): void {
    this.stops.dispose();
    this.root.replaceChildren();
  }

  private layout(): HTMLElement {
    const { app, desk } = this;
    const hover = h("span.timeline-hover.numbers");
    const timeline = new Timeline(app, desk, this.stage.stage, (text) => (hover.textContent = text));
    this.stops.add(() => timeline.dispose());
    const film: Filming | null = canRecord()
      ? (onPart, signal) => filmed(this.stage.stage, desk.result.value?.id ?? "gaitway", onPart, signal)
      : null;
    const panels = {
      "make-sketch": sketchPanel(app, desk, this.synth, () => this.plan.fitAll()),
      "make-options": optionsPanel(app, desk),
      "make-results": this.results.element,
    };
    const side = tabs(
      "Sketch, options and results",
      SIDES.map(({ id, label }) => ({ id, label, panel: panels[id] })),
      () => this.tellAddress(),
    );
    this.side = side;
    side.element.classList.add("make-side");
    const help = planHelp(desk, (tool) => this.begin(tool), this.stops);
    const planSide = h(
      "div.make-plan",
      null,
      toolBar(app, desk),
      h("div.plan-box", null, this.plan.surface.element, this.plan.voice, zoomButtons(this.plan), help),
      synthBar(app, desk, this.synth),
    );
    const timelineBox = h("div.timeline-box", { hidden: true }, timeline.surface.element, hover, timelineBar(timeline));
    desk.result.follow((r) => (timelineBox.hidden = r === null));
    const older = h("span.stage-older", { hidden: true }, "Of an older sketch");
    desk.stale.follow((stale) => (older.hidden = !stale));
    this.stage.element.append(older);
    const seek = (t: number) => {
      this.stage.stage.clock.pause();
      this.stage.stage.clock.seek(t);
    };
    const outcome = h(
      "div.make-result",
      null,
      this.stage.element,
      timelineBox,
      resultPanel(app, desk, this.synth, { film, seek }),
    );
    const main = h("div.make", { dataset: { show: "both" } }, side.element, planSide, outcome);
    const choice = segmented(
      "Show",
      [
        { value: "plan", label: "Plan" },
        { value: "both", label: "Both" },
        { value: "stage", label: "3D" },
      ],
      "both",
      (v) => (main.dataset["show"] = v),
    );
    choice.element.classList.add("make-split");
    side.element.prepend(choice.element);
    return main;
  }

  private begin(tool: "draw" | "points"): void {
    this.desk.tool.value = tool;
    this.plan.surface.element.focus();
  }

  private showWays(): void {
    const result = this.desk.result.value;
    this.plan.setOff(this.off());
    if (!result) return this.plan.setWays([]);
    const colours = palette(this.app.theme.value);
    const cast = ResultStage.cast(result, this.desk.member.value);
    const ways: Way[] = cast.map((c) => ({
      line: c.member.way,
      colour: cast.length > 1 ? c.colour : colours.warn,
      width: 2.5,
    }));
    const target: Way = { line: result.target, colour: colours.muted, width: 1.5, dash: [6, 5] };
    this.plan.setWays([target, ...ways]);
    // A motion without a sketch brings its own place.
    if (this.desk.sketch.value.points.length === 0) this.plan.fitAll();
  }

  /** Where the motion leaves the path, along the sketch; nothing of a motion that is not of this sketch any more. */
  private off(): OffSpan[] {
    const { result, member, stale, sketch } = this.desk;
    const shown = result.value?.members[member.value];
    if (!shown || stale.value) return [];
    return offStretches(shown.report).map((s) => {
      const [from, to] = alongSketch(sketch.value, s);
      return { from, to, worst_m: s.worst_m };
    });
  }

  private showEmpty(none: boolean): void {
    this.empty.hidden = !none;
    this.main.hidden = none;
    if (none) replaceChildren(this.empty, noGraph(this.app));
  }

  /** What is on the desk goes into the browser's storage, under the project it is of. */
  private write(): void {
    const { project, sketch, params } = this.desk;
    if (project.value === null) return;
    save(localStorage, { sketch: sketch.value, params: params.value }, draftKey(project.value));
  }

  private autosave(): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const write = () => this.write();
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(write, SAVE_AFTER_MS);
    };
    const stops = [this.desk.sketch.listen(later), this.desk.params.listen(later)];
    addEventListener("pagehide", write);
    return () => {
      clearTimeout(timer);
      removeEventListener("pagehide", write);
      stops.forEach((stop) => stop());
    };
  }
}

export const mount: Mount = (root, app) => {
  // The canvas measures text with it: asked for once, so that the first tag is as wide as the last.
  void document.fonts?.load(font(11, 600));
  const view = new MakeView(root, app);
  return {
    show: (route) => view.show(route.params),
    hide: () => view.hide(),
    key: (event) => view.key(event),
    dispose: () => view.dispose(),
  };
};
