/** Styles, actions, times, obstacles and the start as lists with number fields. */
import type { App } from "../app";
import { button, iconButton, numberField } from "../ui/controls";
import { h, replaceChildren, type Child } from "../ui/h";
import { labelStyle } from "../ui/label-colours";
import { actionsOf } from "../ui/marks";
import type { Desk } from "./desk";
import { complaint, metre, selected } from "./object-row";
import { describe, middle, moved, type Obstacle } from "./obstacles";
import { withObstacle } from "./plan-tools";
import { curveOf, naturalStart, type Sketch } from "./sketch";
import { ANY, tidy } from "./styles";
import { timeRows } from "./time-lists";

export function objectLists(app: App, desk: Desk): HTMLElement {
  const styles = h("div.object-list");
  const times = h("div.object-list");
  const obstacles = h("div.object-list");
  const start = h("div.object-list");
  const show = () => {
    const sketch = desk.sketch.value;
    // Fields that are being typed in are left alone; they are made anew when the focus is elsewhere.
    const fill = (host: HTMLElement, rows: Child) => {
      if (!host.contains(document.activeElement) || !(document.activeElement instanceof HTMLInputElement))
        replaceChildren(host, rows);
    };
    fill(styles, [styleRows(app, desk, sketch), actionRows(app, desk, sketch), addStyle(app, desk, sketch)]);
    fill(times, timeRows(desk, sketch));
    fill(obstacles, [obstacleRows(desk, sketch), addObstacle(desk, sketch)]);
    fill(start, startRow(desk, sketch));
  };
  desk.sketch.follow(show);
  desk.params.listen(show);
  desk.selection.listen(show);
  desk.problems.listen(show);
  desk.refused.listen(show);
  app.project.listen(show);
  // What was typed may have moved rows; they are put in order once the list is left.
  for (const host of [styles, times, obstacles, start])
    host.addEventListener("focusout", (e) => {
      if (!(e.relatedTarget instanceof Node && host.contains(e.relatedTarget))) setTimeout(show);
    });
  return h(
    "div.object-lists",
    null,
    h("section", null, h("h3", null, "Styles and actions"), styles),
    h("section.time-section", null, h("h3", null, "Time"), times),
    h("section", null, h("h3", null, "Obstacles"), obstacles),
    h("section", null, h("h3", null, "Start"), start),
  );
}

/** `more`: also what is no label but may stand for one. */
function labelChooser(app: App, value: string, more: boolean, onChange: (label: string) => void): HTMLElement {
  const labels = actionsOf(app.project.value?.labels);
  const known = more ? [...labels, ANY] : labels;
  const all = known.includes(value) ? known : [value, ...known];
  const input = h(
    "select",
    {
      "aria-label": "Label",
      class: value === ANY ? "" : "label-colour",
      style: value === ANY ? {} : labelStyle(value),
      onchange: () => onChange(input.value),
    },
    all.map((l) => h("option", { value: l, selected: l === value }, l)),
  );
  return input;
}

function styleRows(app: App, desk: Desk, sketch: Sketch): Child {
  const { length } = curveOf(sketch);
  const change = (k: number, next: Partial<Sketch["styles"][number]>) =>
    desk.edit({
      ...desk.sketch.value,
      styles: tidy(desk.sketch.value.styles.map((s, i) => (i === k ? { ...s, ...next } : s))),
    });
  return sketch.styles.map((s, k) => [
    h(
      "div.object-row.style-row",
      null,
      labelChooser(app, s.label, true, (label) => change(k, { label })),
      iconButton("close", `Remove the style ${s.label}`, () =>
        desk.edit({ ...desk.sketch.value, styles: desk.sketch.value.styles.filter((_, i) => i !== k) }),
      ),
      metre("from", s.from, length, (from) => change(k, { from })),
      metre("to", s.to, length, (to) => change(k, { to })),
    ),
    complaint(desk, "style", k),
  ]);
}

function actionRows(app: App, desk: Desk, sketch: Sketch): Child {
  const { length } = curveOf(sketch);
  const change = (k: number, next: Partial<Sketch["actions"][number]>) =>
    desk.edit({
      ...desk.sketch.value,
      actions: desk.sketch.value.actions.map((a, i) => (i === k ? { ...a, ...next } : a)),
    });
  return sketch.actions.map((a, k) => [
    h(
      "div.object-row.action-row",
      { class: selected(desk, "action", k) },
      labelChooser(app, a.label, false, (label) => change(k, { label })),
      metre("at", a.at, length, (at) => change(k, { at })),
      iconButton("close", `Remove the action ${a.label}`, () =>
        desk.edit({ ...desk.sketch.value, actions: desk.sketch.value.actions.filter((_, i) => i !== k) }),
      ),
    ),
    complaint(desk, "action", k),
  ]);
}

function addStyle(app: App, desk: Desk, sketch: Sketch): Child {
  const labels = actionsOf(app.project.value?.labels);
  const { length } = curveOf(sketch);
  if (length === 0) return h("p.muted", null, "Draw a path first; then say what is done where along it.");
  const painted = sketch.styles.length > 0;
  const words = painted
    ? "What is not painted may be anything."
    : "No style is painted: it goes in the manner of its start, the graph's most common way of going forward.";
  const free =
    !painted &&
    button({
      label: "Anything goes",
      kind: "quiet",
      title: "Lets every clip be played all along the path: backwards, sideways and actions too",
      onClick: () => desk.edit({ ...desk.sketch.value, styles: [{ label: ANY, from: 0, to: length }] }),
    });
  if (labels.length === 0)
    return [
      h("p.muted.style-default", null, `${words} Label clips in the Library to choose styles here.`),
      h("div.row", null, free),
    ];
  const brush = desk.brush.value || (labels[0] ?? "");
  const act = brush === ANY ? (labels[0] ?? "") : brush;
  return [
    h("p.muted.style-default", null, words),
    h(
      "div.row",
      null,
      button({
        label: "Style",
        icon: "plus",
        kind: "quiet",
        onClick: () =>
          desk.edit({
            ...desk.sketch.value,
            styles: tidy([...desk.sketch.value.styles, { label: brush, from: freeFrom(sketch), to: length }]),
          }),
        disabled: length - freeFrom(sketch) < 0.1,
      }),
      button({
        label: "Action",
        icon: "plus",
        kind: "quiet",
        onClick: () =>
          desk.edit({
            ...desk.sketch.value,
            actions: [...desk.sketch.value.actions, { label: act, at: length / 2 }].sort((p, q) => p.at - q.at),
          }),
      }),
      free,
    ),
  ];
}

/** Where the last painted piece ends. */
function freeFrom(sketch: Sketch): number {
  return sketch.styles.reduce((t, s) => Math.max(t, s.to), 0);
}

function obstacleRows(desk: Desk, sketch: Sketch): Child {
  return sketch.obstacles.map((o, k) => {
    const [cx, cz] = middle(o);
    const move = (x: number, z: number) =>
      desk.edit(withObstacle(desk.sketch.value, k, (q) => moved(q, x - middle(q)[0], z - middle(q)[1])));
    const place = (label: string, value: number, onChange: (v: number) => void) =>
      numberField({ label, value: Number(value.toFixed(2)), step: 0.1, unit: "m", onChange: (v) => onChange(v ?? 0) })
        .element;
    return [
      h(
        "div.object-row.obstacle-row",
        { class: selected(desk, "obstacle", k) },
        h(
          "button.button.quiet",
          { type: "button", onclick: () => desk.select({ kind: "obstacle", index: k }) },
          describe(o),
        ),
        place("x", cx, (x) => move(x, middle(desk.sketch.value.obstacles[k] ?? o)[1])),
        place("z", cz, (z) => move(middle(desk.sketch.value.obstacles[k] ?? o)[0], z)),
        iconButton("close", `Remove obstacle ${k + 1}`, () =>
          desk.edit({ ...desk.sketch.value, obstacles: desk.sketch.value.obstacles.filter((_, i) => i !== k) }),
        ),
      ),
      complaint(desk, "obstacle", k),
    ];
  });
}

function addObstacle(desk: Desk, sketch: Sketch): Child {
  const { line } = curveOf(sketch);
  // Beside the path, where one sees it.
  const near = line[Math.floor(line.length / 2)] ?? [0, 2];
  const add = (o: Obstacle) => {
    const list = [...desk.sketch.value.obstacles, o];
    desk.edit({ ...desk.sketch.value, obstacles: list });
    desk.select({ kind: "obstacle", index: list.length - 1 });
  };
  const [x, z] = [near[0] + 1.2, near[1]];
  return h(
    "div.row",
    null,
    button({
      label: "Circle",
      icon: "plus",
      kind: "quiet",
      onClick: () => add({ kind: "circle", centre: [x, z], radius: 0.5 }),
    }),
    button({
      label: "Box",
      icon: "plus",
      kind: "quiet",
      onClick: () => add({ kind: "box", min: [x - 0.5, z - 0.5], max: [x + 0.5, z + 0.5] }),
    }),
  );
}

function startRow(desk: Desk, sketch: Sketch): Child {
  const { start } = sketch;
  if (!start) {
    return h(
      "div.row",
      null,
      h("span.muted", null, "Where and how it suits the path best."),
      h("span.spacer"),
      button({
        label: "Set",
        kind: "quiet",
        onClick: () => (
          desk.edit({ ...desk.sketch.value, start: naturalStart(desk.sketch.value) }),
          desk.select({ kind: "start" })
        ),
      }),
    );
  }
  const change = (next: Partial<NonNullable<Sketch["start"]>>) =>
    desk.sketch.value.start && desk.edit({ ...desk.sketch.value, start: { ...desk.sketch.value.start, ...next } });
  const field = (label: string, unit: string, value: number, onChange: (v: number) => void) =>
    numberField({
      label,
      value: Number(value.toFixed(2)),
      step: unit === "°" ? 15 : 0.1,
      unit,
      onChange: (v) => onChange(v ?? 0),
    }).element;
  return [
    h(
      "div.object-row.start-row",
      null,
      field("x", "m", start.at[0], (x) => change({ at: [x, desk.sketch.value.start?.at[1] ?? 0] })),
      field("z", "m", start.at[1], (z) => change({ at: [desk.sketch.value.start?.at[0] ?? 0, z] })),
      field("heading", "°", (start.heading * 180) / Math.PI, (deg) => change({ heading: (deg * Math.PI) / 180 })),
      iconButton("close", "Let the search choose the start", () => desk.edit({ ...desk.sketch.value, start: null })),
    ),
    complaint(desk, "start", null),
  ];
}
