/** One transition looked at: the two motions as ghosts, the blend or cut, and why it is in the graph or not. */
import type { App } from "../app";
import { messageOf } from "../api/error";
import type { MotionChunk } from "../api/motion";
import type { TransitionInfo } from "../api/types";
import { ACTOR_COLOURS, Stage, playerKey, scrubBar, transport, wholeMotion } from "../stage";
import { button, checkbox } from "../ui/controls";
import { h, replaceChildren, type Child } from "../ui/h";
import { icon } from "../ui/icons";
import type { TransitionPlace } from "./account-model";
import {
  STATE_WORDS,
  contactsText,
  courseText,
  kindText,
  labelsText,
  marginText,
  spanOf,
  stricterText,
} from "./transition-words";

/** Apart from each other and from the character that takes the transition, for colour-blind eyes too. */
const FROM = ACTOR_COLOURS[3];
const TO = ACTOR_COLOURS[1];

export interface InspectorEvents {
  /** Show the two clips' distance map at this place. */
  onHeatmap(place: TransitionPlace): void;
  /** Go to the threshold of this pair of labels. */
  onThreshold(from: string, to: string): void;
}

export class Inspector {
  readonly element = h("aside.inspector", { "aria-label": "Transition" });
  private readonly facts = h("div.inspector-facts", { "aria-live": "polite" });
  private readonly stageHost = h("div.inspector-stage");
  private readonly player = h("div.inspector-player", { hidden: true });
  private stage: Stage | null = null;
  private scrub: ReturnType<typeof scrubBar> | null = null;
  private wanted: AbortController | null = null;
  private ghosts = true;
  private parts: { from: MotionChunk; to: MotionChunk; blend: MotionChunk } | null = null;

  constructor(
    private readonly app: App,
    private readonly events: InspectorEvents,
  ) {
    this.player.append(this.stageHost);
    this.element.append(this.player, this.facts);
    this.empty();
  }

  empty(): void {
    this.wanted?.abort();
    this.player.hidden = true;
    replaceChildren(
      this.facts,
      h(
        "div.empty",
        null,
        h("h2", null, "No transition chosen"),
        h(
          "p",
          null,
          "Click a dot or an arc, or go to one with the keyboard, to see both motions, the blend or cut between them, and why it is in the graph or not.",
        ),
      ),
    );
  }

  key(event: KeyboardEvent): boolean {
    return this.stage !== null && !this.player.hidden && playerKey(this.stage, event);
  }

  hide(): void {
    this.stage?.clock.pause();
  }

  dispose(): void {
    this.wanted?.abort();
    this.stage?.dispose();
  }

  /** Loads and plays a transition between two clips, by working frames. */
  async show(place: TransitionPlace, names: readonly [string, string]): Promise<void> {
    const signal = this.begin();
    const { a, i, b, j } = place;
    try {
      const api = this.app.api;
      const [info, from, to, blend] = await Promise.all([
        api.transition(a, i, b, j, { signal }),
        api.transitionMotion(a, i, b, j, "from", { signal }),
        api.transitionMotion(a, i, b, j, "to", { signal }),
        api.transitionMotion(a, i, b, j, "blend", { signal }),
      ]);
      this.parts = { from, to, blend };
      this.play();
      this.markSpan(blend);
      replaceChildren(this.facts, this.words(place, names, info));
    } catch (error) {
      if (!signal.aborted) this.failed(error);
    }
  }

  /** Plays an edge of the drawn graph by its number, for pieces and where the minimum is not known. */
  async showEdge(edge: number, title: string, facts: readonly string[]): Promise<void> {
    const signal = this.begin();
    try {
      const motion = await this.app.api.edgeMotion(edge, { signal });
      this.parts = { from: motion, to: motion, blend: motion };
      this.play(true);
      this.markSpan(motion);
      replaceChildren(
        this.facts,
        h("h2", null, title),
        facts.map((f) => h("p", null, f)),
      );
    } catch (error) {
      if (!signal.aborted) this.failed(error);
    }
  }

  private begin(): AbortSignal {
    this.wanted?.abort();
    this.wanted = new AbortController();
    replaceChildren(this.facts, h("p.muted", { role: "status" }, "Loading the transition…"));
    return this.wanted.signal;
  }

  private failed(error: unknown): void {
    this.player.hidden = true;
    replaceChildren(
      this.facts,
      h("p.notice.bad", { role: "alert" }, icon("warning"), h("span", null, messageOf(error))),
    );
  }

  private play(only = false): void {
    const { parts } = this;
    if (!parts) return;
    this.player.hidden = false;
    const stage = this.theStage();
    stage.clear();
    if (this.ghosts && !only) {
      stage.add(wholeMotion(parts.from), { colour: FROM, opacity: 0.35 });
      stage.add(wholeMotion(parts.to), { colour: TO, opacity: 0.35 });
    }
    stage.lead = stage.add(wholeMotion(parts.blend));
    stage.clock.seek(0);
    // The stage may have been hidden until now: it is framed when it has its size.
    requestAnimationFrame(() => stage.frameAll("three-quarter"));
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) stage.clock.play();
  }

  /** The stage is made when it is first needed: a WebGL context is dear. */
  private theStage(): Stage {
    if (this.stage) return this.stage;
    this.stage = new Stage(this.stageHost, this.app.theme);
    this.scrub = scrubBar(this.stage);
    const ghosts = checkbox("show both motions as ghosts", this.ghosts, (on) => {
      this.ghosts = on;
      const at = this.stage?.clock.time ?? 0;
      this.play();
      this.stage?.clock.seek(at);
    });
    this.player.append(this.scrub.element, transport(this.stage, { plain: true }), ghosts.element);
    return this.stage;
  }

  /** Where the transition lies on the scrub bar: a cut's jump is gone at the end of its mark. */
  private markSpan(motion: MotionChunk): void {
    const marks = motion.header.transitions.map((mark) => {
      const { start, end } = spanOf(mark);
      return { start_s: start, end_s: end, title: kindText(mark.kind, end - start), fades: mark.kind === "cut" };
    });
    this.scrub?.setMarks(marks);
  }

  private words(place: TransitionPlace, names: readonly [string, string], info: TransitionInfo): Child[] {
    const state = STATE_WORDS[info.state];
    const most = Math.max(info.distance_cm, info.threshold_cm, 1e-9) * 1.15;
    const pc = (v: number) => `${(100 * v) / most}%`;
    const from = info.labels_from[0];
    const to = info.labels_to[0];
    const stricter = stricterText(info);
    return [
      h(
        "h2",
        null,
        h("span.state-chip", { dataset: { state: info.state } }, state.title),
        h("span.kind-chip", { dataset: { kind: info.kind } }, info.kind),
      ),
      h(
        "p.inspector-names",
        null,
        h("span.dot", { style: { background: FROM } }),
        `${names[0]} at ${info.from_s.toFixed(2)} s`,
        h("span.muted", null, " → "),
        h("span.dot", { style: { background: TO } }),
        `${names[1]} at ${info.to_s.toFixed(2)} s`,
      ),
      h(
        "div.margin-bar",
        { role: "img", "aria-label": marginText(info) },
        h("span.margin-fill", { dataset: { state: info.state }, style: { width: pc(info.distance_cm) } }),
        h("span.margin-mark", { style: { left: pc(info.threshold_cm) } }),
      ),
      h("p", null, marginText(info)),
      stricter !== "" && h("p.muted", null, stricter),
      h("p", null, h("strong", null, "Why: "), info.why || state.text),
      h("p", null, courseText(info, names)),
      h("p.muted", null, labelsText(info.labels_from, info.labels_to), " ", contactsText(info.contacts)),
      h(
        "div.row",
        null,
        button({ label: "Distance map", icon: "grid", onClick: () => this.events.onHeatmap(place) }),
        from !== undefined &&
          to !== undefined &&
          button({ label: "Its threshold", kind: "quiet", onClick: () => this.events.onThreshold(from, to) }),
      ),
    ];
  }
}
