/** Files of markers and sensors, above the clips: no body yet. */
import type { App } from "../app";
import type { Recording } from "../api/types";
import { count, duration } from "../ui/format";
import { h, replaceChildren } from "../ui/h";
import { longName } from "../ui/long-name";
import { Disposer } from "../ui/signal";

/** "42 markers", "1 sensor". */
export function pointsOf(recording: Recording): string {
  return count(recording.points, recording.kind === "markers" ? "marker" : "sensor");
}

export class RecordingList {
  readonly element = h("section.recordings", { "aria-label": "Markers and sensors", hidden: true });
  private readonly list = h("ul.recording-cards");
  private readonly stops = new Disposer();
  private current: string | null = null;

  constructor(
    app: App,
    private readonly onPick: (id: string) => void,
  ) {
    this.element.append(h("h3", null, "Markers and sensors"), this.list);
    this.stops.add(app.recordings.follow((all) => this.show(all)));
  }

  dispose(): void {
    this.stops.dispose();
  }

  setCurrent(id: string | null): void {
    this.current = id;
    for (const card of this.list.querySelectorAll<HTMLElement>(".clip-card")) {
      if (card.dataset["recording"] === id) card.setAttribute("aria-current", "true");
      else card.removeAttribute("aria-current");
    }
  }

  private show(all: readonly Recording[]): void {
    this.element.hidden = all.length === 0;
    replaceChildren(
      this.list,
      all.map((one) =>
        h(
          "li",
          null,
          h(
            "button.clip-card",
            { type: "button", dataset: { recording: one.id }, onclick: () => this.onPick(one.id) },
            h(
              "span.clip-head",
              null,
              longName("span", one.name, "clip-name"),
              h(
                "span.clip-facts.muted",
                null,
                [pointsOf(one), duration(one.seconds), one.format.toUpperCase()].join(" · "),
              ),
            ),
          ),
        ),
      ),
    );
    this.setCurrent(this.current);
  }
}
