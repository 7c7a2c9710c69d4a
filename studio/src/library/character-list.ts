/** Bodies of the user's own, above the clips. */
import type { App } from "../app";
import type { Character } from "../api/types";
import { count } from "../ui/format";
import { h, replaceChildren } from "../ui/h";
import { longName } from "../ui/long-name";
import { Disposer } from "../ui/signal";

/** "mesh · 19 joints · GLB". */
export function characterFacts(one: Character): string {
  return [one.mesh ? "mesh" : "no mesh", count(one.joints.length, "joint"), one.format.toUpperCase()].join(" · ");
}

export class CharacterList {
  readonly element = h("section.recordings.characters", { "aria-label": "Characters", hidden: true });
  private readonly list = h("ul.recording-cards");
  private readonly stops = new Disposer();
  private current: string | null = null;

  constructor(
    app: App,
    private readonly onPick: (id: string) => void,
  ) {
    this.element.append(h("h3", null, "Characters"), this.list);
    this.stops.add(app.characters.follow((all) => this.show(all)));
  }

  dispose(): void {
    this.stops.dispose();
  }

  setCurrent(id: string | null): void {
    this.current = id;
    for (const card of this.list.querySelectorAll<HTMLElement>(".clip-card")) {
      if (card.dataset["character"] === id) card.setAttribute("aria-current", "true");
      else card.removeAttribute("aria-current");
    }
  }

  private show(all: readonly Character[]): void {
    this.element.hidden = all.length === 0;
    replaceChildren(
      this.list,
      all.map((one) =>
        h(
          "li",
          null,
          h(
            "button.clip-card",
            { type: "button", dataset: { character: one.id }, onclick: () => this.onPick(one.id) },
            h(
              "span.clip-head",
              null,
              longName("span", one.name, "clip-name"),
              h("span.clip-facts.muted", null, characterFacts(one)),
            ),
          ),
        ),
      ),
    );
    this.setCurrent(this.current);
  }
}
