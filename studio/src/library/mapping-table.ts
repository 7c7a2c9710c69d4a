/** Which joint of the character follows which of the source: role by role, with how sure it is. Every joint can be chosen otherwise. */
import type { Character, OnCharacter, RoleRow } from "../api/types";
import { iconButton } from "../ui/controls";
import { h, replaceChildren } from "../ui/h";
import { roleColour, roleWords, sureness } from "./character-model";

export interface MappingEvents {
  /** Another joint for a role; "" for none, null for what is found. */
  onRole(of: "source" | "target", role: string, joint: string | null): void;
  /** The role that is pointed at. */
  onPoint(role: string | null): void;
}

/** Several joints share a role only along spine and neck: chosen by hand it has one. */
const SEVERAL = "several";

export class MappingTable {
  readonly element = h("div.found-table", { tabIndex: 0, role: "region", "aria-label": "Who follows whom" });

  constructor(private readonly events: MappingEvents) {}

  show(on: OnCharacter, character: Character): void {
    const focus = document.activeElement instanceof HTMLSelectElement ? document.activeElement.ariaLabel : null;
    replaceChildren(
      this.element,
      h(
        "table.mapping",
        { onmouseleave: () => this.events.onPoint(null) },
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            h("th", { scope: "col" }, "Role"),
            h("th", { scope: "col" }, "Source"),
            h("th", { scope: "col" }, character.name),
            h("th", { scope: "col" }, "Sure"),
            h("th.mapping-note", { scope: "col" }, "Found by"),
          ),
        ),
        h(
          "tbody",
          null,
          on.roles.map((row) => this.row(row, on, character)),
        ),
      ),
    );
    // A choice draws the table anew: whoever chose by keyboard is still there.
    if (focus)
      [...this.element.querySelectorAll("select")]
        .find((select) => select.ariaLabel === focus)
        ?.focus({ preventScroll: true });
  }

  clear(): void {
    replaceChildren(this.element);
  }

  private row(row: RoleRow, on: OnCharacter, character: Character): HTMLElement {
    const words = roleWords(row.role);
    const sure = sureness(row.confidence);
    return h(
      "tr",
      {
        onmouseenter: () => this.events.onPoint(row.role),
        ref: (element) => element.addEventListener("focusin", () => this.events.onPoint(row.role)),
      },
      h("th", { scope: "row" }, h("span.dot", { style: { background: roleColour(row.role) } }), words),
      h("td", null, this.choice("source", row, row.source, on.source_joints, character)),
      h("td", null, this.choice("target", row, row.target, on.target_joints, character)),
      h(
        "td.numbers",
        null,
        h(
          "span.chip",
          { class: sure === "good" ? "good" : sure === "poor" ? "warn" : "" },
          `${Math.round(100 * row.confidence)} %`,
        ),
      ),
      h("td.mapping-note", null, row.note),
    );
  }

  private choice(
    of: "source" | "target",
    row: RoleRow,
    now: readonly string[],
    joints: readonly string[],
    character: Character,
  ): HTMLElement {
    const given = character.roles[of]?.[row.role] !== undefined;
    const value = now.length > 1 ? SEVERAL : (now[0] ?? "");
    const whose = of === "source" ? "the source" : character.name;
    const select = h(
      "select",
      {
        "aria-label": `${roleWords(row.role)} of ${whose}`,
        onchange: () => select.value !== SEVERAL && this.events.onRole(of, row.role, select.value),
      },
      h("option", { value: "", selected: value === "" }, "–"),
      now.length > 1 && h("option", { value: SEVERAL, selected: true, title: now.join(" ") }, `${now.length} joints`),
      joints.map((joint) => h("option", { value: joint, selected: joint === value }, joint)),
    );
    return h(
      "span.mapping-choice",
      null,
      select,
      given &&
        iconButton("undo", `Find ${roleWords(row.role).toLowerCase()} of ${whose} again`, () =>
          this.events.onRole(of, row.role, null),
        ),
    );
  }
}
