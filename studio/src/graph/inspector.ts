/** One transition looked at: the two motions as ghosts, the blend or cut, and why it is in the graph or not. */
import type { App } from "../app";
import { messageOf } from "../api/error";
import type { TransitionInfo } from "../api/types";
import { button } from "../ui/controls";
import { h, replaceChildren, type Child } from "../ui/h";
import { icon } from "../ui/icons";
import type { TransitionPlace } from "./account-model";
import { FROM, TO, TransitionStage } from "./transition-stage";
import { STATE_WORDS, contactsText, courseText, labelsText, marginText, stricterText } from "./transition-words";

export interface InspectorEvents {
  /** Show the two clips' distance map at this place. */
  onHeatmap(place: TransitionPlace): void;
  /** Go to the threshold of this pair of labels. */
  onThreshold(from: string, to: string): void;
}

export class Inspector {
  readonly element = h("aside.inspector", { "aria-label": "Transition" });
  private readonly facts = h("div.inspector-facts", { "aria-live": "polite" });
  private readonly player: TransitionStage;
  private wanted: AbortController | null = null;

  constructor(
    private readonly app: App,
    private readonly events: InspectorEvents,
  ) {
    this.player = new TransitionStage(app);
    this.element.append(this.player.element, this.facts);
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
    return this.player.key(event);
  }

  hide(): void {
    this.player.pause();
  }

  dispose(): void {
    this.wanted?.abort();
    this.player.dispose();
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
      this.player.play({ from, to, blend });
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
      this.player.play(motion);
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
