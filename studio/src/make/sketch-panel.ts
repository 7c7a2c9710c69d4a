/** The sketch by lists and numbers: everything the floor plan does, without a mouse. */
import type { App } from "../app";
import { button, checkbox, iconButton, numberField, select } from "../ui/controls";
import { h, replaceChildren, type Child } from "../ui/h";
import type { Desk } from "./desk";
import { connectSection, placeSection } from "./elsewhere";
import { pointAt, type Point } from "./geometry";
import { objectLists } from "./object-lists";
import { SHAPES, scaled } from "./shapes";
import {
  EMPTY,
  addPoint,
  curveOf,
  deletePoint,
  insertAt,
  movePoint,
  replaceShape,
  reverse,
  scale,
  setClosed,
  setCurved,
  smooth,
} from "./sketch";
import type { Sketch } from "./sketch";
import type { Synthesizer } from "./synthesizer";
import { WALK_M_S } from "./times";
import { wanderSection } from "./wander";

export function sketchPanel(app: App, desk: Desk, synth: Synthesizer, onFit: () => void): HTMLElement {
  const facts = h("p.muted.numbers");
  const closed = checkbox("Closed", false, (on) => desk.edit(setClosed(desk.sketch.value, on)));
  const curvedBox = checkbox("Curved", true, (on) => desk.edit(setCurved(desk.sketch.value, on)));
  const points = pointsTable(desk);
  const lists = objectLists(app, desk);
  const show = (sketch: Sketch) => {
    const { length } = curveOf(sketch);
    facts.textContent =
      sketch.points.length < 2
        ? "No path yet."
        : `${length.toFixed(1)} m, ${sketch.points.length} points, about ${Math.round(length / WALK_M_S)} s at a walk.`;
    closed.input.checked = sketch.closed;
    closed.input.disabled = sketch.points.length < 3;
    curvedBox.input.checked = sketch.curved;
    for (const b of acts) b.disabled = sketch.points.length < 2;
  };
  const act = (label: string, title: string, change: (s: Sketch) => Sketch) =>
    button({ label, title, onClick: () => desk.edit(change(desk.sketch.value)) });
  const acts = [
    act("Smooth", "Round the path a little; press again for more", smooth),
    act("Reverse", "Walk it the other way", reverse),
    act("Larger", "A quarter larger", (s) => scale(s, 1.25)),
    act("Smaller", "A fifth smaller", (s) => scale(s, 0.8)),
  ];
  desk.sketch.follow(show);
  return h(
    "div.side-panel",
    null,
    h("section", null, h("h3", null, "Start from a shape"), shapePicker(desk, onFit)),
    h(
      "section",
      null,
      h("h3", null, "Path"),
      facts,
      h("div.button-grid", null, acts),
      h(
        "div.row",
        null,
        closed.element,
        curvedBox.element,
        h("span.spacer"),
        button({
          label: "Clear",
          kind: "quiet",
          onClick: () => desk.edit({ ...EMPTY, obstacles: desk.sketch.value.obstacles }),
        }),
      ),
    ),
    lists,
    points,
    placeSection(app, desk, synth),
    connectSection(app, desk, synth),
    wanderSection(app, desk, synth),
  );
}

function shapePicker(desk: Desk, onFit: () => void): HTMLElement {
  let size = 1;
  const field = numberField({
    label: "Scale",
    value: 1,
    min: 0.25,
    max: 10,
    step: 0.25,
    unit: "×",
    onChange: (v) => (size = v ?? 1),
  });
  const choose = select(
    "Shape",
    [{ value: "", label: "Choose…" }, ...SHAPES.map((s) => ({ value: s.name, label: s.title }))],
    "",
    (name) => use(name),
  );
  const use = (name: string) => {
    const shape = SHAPES.find((s) => s.name === name);
    if (!shape) return;
    const { points, closed, curved } = scaled(shape, size);
    desk.edit(replaceShape(desk.sketch.value, points, closed, curved));
    choose.input.value = "";
    onFit();
  };
  return h("div.field-row", null, choose.element, field.element);
}

/** The points as a table of numbers; rebuilt when their number changes, else only filled in. */
function pointsTable(desk: Desk): HTMLElement {
  const body = h("tbody");
  const count = h("span.muted");
  const details = h(
    "details.points-details",
    { ontoggle: () => show() },
    h("summary", null, h("h3", null, "Points"), count),
    h(
      "table.points-table",
      null,
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", null, "#"),
          h("th", null, "x, m"),
          h("th", null, "z, m"),
          h("th", null, h("span.sr-only", null, "Edit")),
        ),
      ),
      body,
    ),
    h("div.row", null, button({ label: "Add a point", icon: "plus", kind: "quiet", onClick: () => addAtEnd(desk) })),
  );
  let rows: { x: HTMLInputElement; z: HTMLInputElement; row: HTMLElement }[] = [];
  const show = () => {
    const { points } = desk.sketch.value;
    count.textContent = String(points.length);
    if (!details.open) return;
    if (rows.length !== points.length) {
      rows = points.map((_, k) => pointRow(desk, k));
      replaceChildren(
        body,
        rows.map((r) => r.row),
      );
    }
    points.forEach((p, k) => {
      const row = rows[k];
      if (!row) return;
      if (document.activeElement !== row.x) row.x.value = p[0].toFixed(2);
      if (document.activeElement !== row.z) row.z.value = p[1].toFixed(2);
      const s = desk.selection.value;
      row.row.classList.toggle("selected", s.kind === "point" && s.index === k);
    });
  };
  desk.sketch.follow(show);
  desk.selection.listen(show);
  return details;
}

function pointRow(desk: Desk, k: number): { x: HTMLInputElement; z: HTMLInputElement; row: HTMLElement } {
  const change = (axis: 0 | 1, input: HTMLInputElement) => {
    const p = desk.sketch.value.points[k];
    const v = input.valueAsNumber;
    if (!p || !Number.isFinite(v)) return;
    desk.edit(movePoint(desk.sketch.value, k, axis === 0 ? [v, p[1]] : [p[0], v]), `point ${k}`);
  };
  const field = (axis: 0 | 1, name: string): HTMLInputElement => {
    const input = h("input", {
      type: "number",
      step: "0.1",
      "aria-label": `${name} of point ${k + 1}, metres`,
      onfocus: () => desk.select({ kind: "point", index: k }),
      oninput: () => change(axis, input),
      onchange: () => desk.seal(),
    });
    return input;
  };
  const x = field(0, "x");
  const z = field(1, "z");
  const buttons: Child[] = [
    iconButton("plus", `Insert a point after ${k + 1}`, () => insertAfter(desk, k)),
    iconButton("close", `Delete point ${k + 1}`, () => desk.edit(deletePoint(desk.sketch.value, k))),
  ];
  return {
    x,
    z,
    row: h(
      "tr",
      null,
      h("td.muted.numbers", null, k + 1),
      h("td", null, x),
      h("td", null, z),
      h("td.row-buttons", null, buttons),
    ),
  };
}

function insertAfter(desk: Desk, k: number): void {
  const sketch = desk.sketch.value;
  const { knots, line, arcs } = curveOf(sketch);
  const from = knots[k];
  const to = knots[k + 1];
  if (from === undefined || to === undefined) return addAtEnd(desk);
  const at = (from + to) / 2;
  desk.edit(insertAt(sketch, at, pointAt(line, arcs, at)).sketch);
}

/** A metre on, the way the path was going. */
function addAtEnd(desk: Desk): void {
  const { points } = desk.sketch.value;
  const last = points.at(-1);
  const before = points.at(-2);
  const next: Point = !last ? [0, 0] : !before ? [last[0], last[1] + 1] : onward(before, last);
  desk.edit(addPoint(desk.sketch.value, next));
  desk.select({ kind: "point", index: points.length });
}

function onward(a: Point, b: Point): Point {
  const d = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
  return [b[0] + (b[0] - a[0]) / d, b[1] + (b[1] - a[1]) / d];
}
