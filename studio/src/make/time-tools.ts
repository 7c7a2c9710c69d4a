/** Beside the tools for time: speeds to paint with, and the seconds of the clock that is selected. */
import { numberField } from "../ui/controls";
import { h, replaceChildren, type Child } from "../ui/h";
import type { Desk } from "./desk";
import { arrivalField } from "./time-lists";
import { SPEEDS, SPEED_RANGE } from "./times";

export function timeTools(desk: Desk): HTMLElement {
  const host = h("div.brushes.time-tools");
  const show = () => {
    const tool = desk.tool.value;
    const s = desk.selection.value;
    host.hidden = tool !== "speed" && !(tool === "arrival" && s.kind === "arrival");
    // A number that is being typed is left alone.
    const typing = document.activeElement;
    if (typing instanceof HTMLInputElement && typing.type === "number" && host.contains(typing)) return;
    replaceChildren(
      host,
      tool === "speed" && speeds(desk),
      tool === "arrival" && s.kind === "arrival" && arrivalField(desk, s.index, "Be there after"),
    );
  };
  desk.tool.follow(show);
  desk.pace.listen(show);
  desk.selection.listen(show);
  desk.sketch.listen(show);
  host.addEventListener("focusout", () => setTimeout(show));
  return host;
}

function speeds(desk: Desk): Child {
  const now = desk.pace.value;
  const [least, most] = SPEED_RANGE;
  const chip = (value: number, text: string) =>
    h(
      "label.chip.brush",
      null,
      h("input", {
        type: "radio",
        name: "pace",
        value: String(value),
        checked: value === now,
        onchange: () => (desk.pace.value = value),
      }),
      text,
    );
  return [
    h(
      "div.brushes",
      { role: "radiogroup", "aria-label": "Speed to paint with" },
      SPEEDS.map((v) => chip(v, `${v} m/s`)),
      chip(0, "rub out"),
    ),
    numberField({
      label: "or",
      unit: "m/s",
      value: now > 0 ? now : null,
      min: least,
      max: most,
      step: 0.1,
      placeholder: "",
      onChange: (v) => v !== null && (desk.pace.value = v),
    }).element,
  ];
}
