/** What the rows of all lists of the sketch share. */
import { numberField } from "../ui/controls";
import { sentences } from "../ui/format";
import { h, type Child } from "../ui/h";
import { icon } from "../ui/icons";
import type { Desk } from "./desk";
import type { Place, Problem } from "./request";

/** What is wrong with one thing, said right there. */
export function complaint(desk: Desk, kind: Place["kind"], index: number | null): Child {
  return complaints(desk, (p) => p.kind === kind && (index === null || ("index" in p && p.index === index)));
}

export function complaints(desk: Desk, about: (place: Place) => boolean): Child {
  const found = desk.problems.value.filter((p) => about(p.place));
  const words = (p: Problem) =>
    h(
      "p.complaint",
      { class: p.blocks ? "bad" : "warn", role: "status" },
      icon("warning"),
      h("span", null, sentences(p.message, p.hint)),
    );
  return found.map(words);
}

export function metre(label: string, value: number, max: number, onChange: (v: number) => void): HTMLElement {
  return numberField({
    label,
    value: Number(value.toFixed(2)),
    min: 0,
    max: Number(max.toFixed(2)),
    step: 0.1,
    unit: "m",
    onChange: (v) => onChange(v ?? 0),
  }).element;
}

/** The class of a row whose thing is selected. */
export function selected(desk: Desk, kind: string, index: number): string {
  const s = desk.selection.value;
  return s.kind === kind && "index" in s && s.index === index ? "selected" : "";
}
