/** Longer or shorter limbs by sliders, and joints that were dragged as a list in which every number can be typed. */
import type { Character, OnCharacter } from "../api/types";
import { button, iconButton, numberField, select, slider } from "../ui/controls";
import { h, replaceChildren, type Child } from "../ui/h";
import { roleWords } from "./character-model";
import { AS_IT_IS, HANDLES, isChanged, timesWords, withDrag, withoutDrag, type Drag, type Shape } from "./shape-model";

export interface ShapeEvents {
  onChange(shape: Shape): void;
  /** Where a joint is now, and when, for a row that is typed. */
  now(role: string): Drag | null;
}

const SLIDERS = [
  ["taller", "Height", "taller", "shorter"],
  ["legs", "Legs", "longer", "shorter"],
  ["arms", "Arms", "longer", "shorter"],
] as const;

export class ShapePanel {
  readonly element = h("div.shape-panel");
  private shape: Shape = AS_IT_IS;
  private joint: string = HANDLES[0];

  constructor(private readonly events: ShapeEvents) {}

  show(shape: Shape, character: Character, on: OnCharacter | null): void {
    this.shape = shape;
    // A slider that is being moved keeps the hand that moves it.
    if (this.element.contains(document.activeElement) && document.activeElement?.matches("input[type=range]")) {
      const name = document.activeElement.getAttribute("aria-label");
      this.draw(character, on);
      const again = [...this.element.querySelectorAll<HTMLInputElement>("input[type=range]")];
      return again.find((input) => input.getAttribute("aria-label") === name)?.focus();
    }
    this.draw(character, on);
  }

  private draw(character: Character, on: OnCharacter | null): void {
    const { shape } = this;
    replaceChildren(
      this.element,
      character.mesh
        ? h("p.muted", null, `${character.name} has a mesh, which keeps its lengths. Hands and feet can be dragged.`)
        : h(
            "div.shape-sliders",
            null,
            SLIDERS.map(
              ([name, label, more, less]) =>
                slider({
                  label,
                  min: 0.7,
                  max: 1.3,
                  step: 0.01,
                  value: shape[name],
                  format: (value) => timesWords(value, more, less),
                  onInput: () => {},
                  onCommit: (value) => this.events.onChange({ ...this.shape, [name]: value }),
                }).element,
            ),
          ),
      h(
        "p.muted",
        null,
        "Take a green ball in the picture and drag it: the body follows when you let go, and the line of time shows from when to when.",
      ),
      shape.drags.map((drag, k) => this.row(drag, k, on)),
      h(
        "div.row",
        null,
        select(
          "Drag",
          HANDLES.map((role) => ({ value: role, label: roleWords(role) })),
          this.joint,
          (role) => (this.joint = role),
        ).element,
        button({
          label: "At this time…",
          icon: "plus",
          title: "A row for it, to be filled with numbers",
          onClick: () => {
            const now = this.events.now(this.joint);
            if (now) this.events.onChange(withDrag(this.shape, now));
          },
        }),
        h("span.spacer"),
        isChanged(shape) &&
          button({ label: "As it was", icon: "reset", onClick: () => this.events.onChange(AS_IT_IS) }),
      ),
      (on?.edited?.notes.length ?? 0) > 0 &&
        h(
          "ul.shape-notes",
          null,
          on?.edited?.notes.map((note) => h("li", null, note)),
        ),
    );
  }

  private row(drag: Drag, index: number, on: OnCharacter | null): Child {
    const put = (next: Drag) => this.events.onChange(withDrag(withoutDrag(this.shape, index), next));
    const axis = (label: string, k: 0 | 1 | 2) =>
      numberField({
        label,
        value: Number(drag.place[k].toFixed(3)),
        step: 0.01,
        unit: "m",
        onChange: (value) => {
          const place: [number, number, number] = [...drag.place];
          place[k] = value ?? place[k];
          put({ ...drag, place });
        },
      }).element;
    // What lengths left comes before, where there is any.
    const left = on?.edited?.left_mm.at(index - this.shape.drags.length);
    return h(
      "div.shape-drag",
      { role: "group", "aria-label": `${roleWords(drag.joint)} at ${drag.at_s.toFixed(2)} s` },
      h("strong", null, roleWords(drag.joint)),
      numberField({
        label: "At",
        value: Number(drag.at_s.toFixed(3)),
        min: 0,
        step: 0.05,
        unit: "s",
        onChange: (value) => put({ ...drag, at_s: value ?? drag.at_s }),
      }).element,
      axis("x", 0),
      axis("y", 1),
      axis("z", 2),
      left !== undefined && h("span.muted.numbers", null, `${left.toFixed(1)} mm left`),
      iconButton("trash", `Forget the drag of ${roleWords(drag.joint).toLowerCase()}`, () =>
        this.events.onChange(withoutDrag(this.shape, index)),
      ),
    );
  }
}
