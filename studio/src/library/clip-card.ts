/** A clip in the list: name, facts, picture, labels, warnings. */
import type { Clip } from "../api/types";
import { count, duration } from "../ui/format";
import { h, type Child } from "../ui/h";
import { icon } from "../ui/icons";
import { labelStyle } from "../ui/label-colours";
import { longName } from "../ui/long-name";
import { pageWords } from "../ui/page-words";
import { needsPerson } from "./mend";

export interface ClipCard {
  readonly clip: Clip;
  readonly element: HTMLElement;
  readonly button: HTMLButtonElement;
  readonly check: HTMLInputElement;
  /** Holds the picture, once somebody sees it. */
  readonly picture: HTMLElement;
}

export interface CardEvents {
  onPick(event: MouseEvent, id: string): void;
  /** The box on the card, alone or up to it. */
  onCheck(id: string, upTo: boolean): void;
}

const SHOWN_LABELS = 4;

export function clipCard(clip: Clip, events: CardEvents): ClipCard {
  const names = [...new Set(clip.labels.map((row) => row.label))];
  const chips: Child[] = names
    .slice(0, SHOWN_LABELS)
    .map((name) => h("span.chip.label-colour", { style: labelStyle(name) }, name));
  // Clips that came inside a graph have no file format worth naming.
  const facts = [
    duration(clip.seconds),
    clip.format === "graph" ? "" : clip.format.toUpperCase(),
    clip.in_graph ? "" : "not in the graph",
  ]
    .filter(Boolean)
    .join(" · ");
  const picture = h("span.thumb", { dataset: { clip: clip.id } });
  const more = names.length > SHOWN_LABELS ? `+${names.length - SHOWN_LABELS}` : "";
  const warnings = needsPerson(clip);
  const button = h(
    "button.clip-card",
    { type: "button", dataset: { clip: clip.id }, onclick: (event) => events.onPick(event, clip.id) },
    h("span.clip-head", null, longName("span", clip.name, "clip-name"), h("span.clip-facts.muted", null, facts)),
    picture,
    h(
      "span.clip-text",
      null,
      h(
        "span.clip-labels",
        null,
        chips,
        more !== "" && h("span.chip", null, more),
        warnings.length > 0 &&
          h(
            "span.chip.warn",
            { title: warnings.map((warning) => pageWords(warning.message)).join("\n") },
            icon("warning"),
            count(warnings.length, "warning"),
          ),
      ),
    ),
  );
  const check = h("input.clip-check", {
    type: "checkbox",
    tabIndex: -1,
    "aria-label": `Select ${clip.name}`,
    onclick: (event) => events.onCheck(clip.id, event.shiftKey),
  });
  return { clip, element: h("li", null, button, check), button, check, picture };
}

/** Whether a card shows the same of both: then it is kept, and its picture does not flicker. */
export function sameCard(a: Clip, b: Clip): boolean {
  return (
    a.name === b.name &&
    a.in_graph === b.in_graph &&
    a.seconds === b.seconds &&
    needsPerson(a).length === needsPerson(b).length &&
    a.frames === b.frames &&
    JSON.stringify(a.reading) === JSON.stringify(b.reading) &&
    a.labels.map((row) => row.label).join() === b.labels.map((row) => row.label).join()
  );
}
