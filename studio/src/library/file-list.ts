/** Files of the project that are no clips, above the clips: markers and sensors, and characters. */
import type { Character, Recording } from "../api/types";
import { count, duration } from "../ui/format";
import { h, replaceChildren } from "../ui/h";
import { longName } from "../ui/long-name";
import { Disposer, type Signal } from "../ui/signal";

/** "42 markers", "1 sensor". */
export function pointsOf(recording: Recording): string {
  return count(recording.points, recording.kind === "markers" ? "marker" : "sensor");
}

/** "42 markers · 12.0 s · C3D". */
export function recordingFacts(one: Recording): string {
  return [pointsOf(one), duration(one.seconds), one.format.toUpperCase()].join(" · ");
}

/** "mesh · 19 joints · GLB". */
export function characterFacts(one: Character): string {
  return [one.mesh ? "mesh" : "no mesh", count(one.joints.length, "joint"), one.format.toUpperCase()].join(" · ");
}

export interface FileListOptions<T> {
  readonly title: string;
  readonly files: Signal<readonly T[]>;
  /** What a card says below the name. */
  readonly facts: (one: T) => string;
  readonly onPick: (id: string) => void;
}

export class FileList<T extends { readonly id: string; readonly name: string }> {
  readonly element: HTMLElement;
  private readonly list = h("ul.file-cards");
  private readonly stops = new Disposer();
  private current: string | null = null;

  constructor(private readonly options: FileListOptions<T>) {
    const { title, files } = options;
    this.element = h("section.files", { "aria-label": title, hidden: true }, h("h3", null, title), this.list);
    this.stops.add(files.follow((all) => this.show(all)));
  }

  dispose(): void {
    this.stops.dispose();
  }

  setCurrent(id: string | null): void {
    this.current = id;
    for (const card of this.list.querySelectorAll<HTMLElement>(".clip-card")) {
      if (card.dataset["file"] === id) card.setAttribute("aria-current", "true");
      else card.removeAttribute("aria-current");
    }
  }

  private show(all: readonly T[]): void {
    const { facts, onPick } = this.options;
    this.element.hidden = all.length === 0;
    replaceChildren(
      this.list,
      all.map((one) =>
        h(
          "li",
          null,
          h(
            "button.clip-card",
            { type: "button", dataset: { file: one.id }, onclick: () => onPick(one.id) },
            h(
              "span.clip-head",
              null,
              longName("span", one.name, "clip-name"),
              h("span.clip-facts.muted", null, facts(one)),
            ),
          ),
        ),
      ),
    );
    this.setCurrent(this.current);
  }
}
