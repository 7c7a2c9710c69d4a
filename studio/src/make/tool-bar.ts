/** Tools of the floor plan, the brush, snapping, undo and the view. */
import type { App } from "../app";
import { iconButton } from "../ui/controls";
import { h, replaceChildren, svg } from "../ui/h";
import { icon } from "../ui/icons";
import { labelStyle } from "../ui/label-colours";
import { tooltip } from "../ui/tooltip";
import { actionsOf } from "../ui/marks";
import type { Desk, Tool } from "./desk";
import { ANY } from "./styles";
import { timeTools } from "./time-tools";

const STROKES: Readonly<Record<Tool, string>> = {
  select: "M5 3l9 7-4.500.800L12 16l-2 1-2.500-5L5 15z",
  draw: "M3 15c3-8 5 2 8-5s3-4 6-6",
  points: "M4 15l5-8 7 6M4 15h.100M9 7h.100M16 13h.100",
  paint: "M12 3l5 5-6 5-4-4zM7 9c-3 1-1 5-4 7 4 1 7-1 8-3",
  action: "M10 2.500l7 7.500-7 7.500L3 10z",
  speed: "M3 15a7 7 0 1 1 14 0M10 15l4-6M5.500 9.500l.100.100M10 7v.100",
  arrival: "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM10 6v4h3",
  circle: "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14z",
  box: "M3 5h14v10H3z",
  polygon: "M10 3l7 6-3 8H6L3 8z",
  start: "M6 12a4 4 0 1 0 0 .100M9 9l7-6M11.500 3H16v4.500",
  end: "M5 18V3M5 3.500h10l-2.500 3.500 2.500 3.500H5",
};

const TOOLS: readonly { readonly tool: Tool; readonly label: string }[] = [
  { tool: "select", label: "Select and move (V). Double-click the curve to add a point" },
  { tool: "draw", label: "Draw freehand (D)" },
  { tool: "points", label: "Draw by points (P). Click the first point to close" },
  { tool: "paint", label: "Paint a style along the curve (S)" },
  { tool: "action", label: "Put an action on the curve (A)" },
  { tool: "speed", label: "Paint a speed along the curve (M)" },
  { tool: "arrival", label: "Say when to be at a place of the curve (T)" },
  { tool: "circle", label: "Round obstacle (C)" },
  { tool: "box", label: "Box obstacle (B)" },
  { tool: "polygon", label: "Obstacle with corners (G). Enter ends it" },
  { tool: "start", label: "Where to begin, and facing where (H)" },
  { tool: "end", label: "A place to go to, and what happens there (E)" },
];

const HINTS: Readonly<Record<Tool, string>> = {
  select: "Drag things or the floor. Double-click the curve for a new point.",
  draw: "Press and draw. Come back to the start to close.",
  points: "Click, or arrow keys and Enter, to add points; the first one closes. Enter when done. Shift: 15°.",
  paint: "Choose a style, then drag along the curve.",
  action: "Choose an action, then click the curve where it should happen.",
  speed: "Choose a speed, then drag along the curve.",
  arrival: "Click a point or a place of the curve, then say after how many seconds to be there.",
  circle: "Drag from the middle outwards, or click.",
  box: "Drag from corner to corner, or click.",
  polygon: "Click the corners. Click the first one or press Enter to close.",
  start: "Click where to begin and drag to where it should face.",
  end: "Click where it should happen and drag to where to face; then Go there, on the left.",
};

function toolIcon(tool: Tool): SVGSVGElement {
  const stroke = {
    fill: "none",
    stroke: "currentColor",
    "stroke-width": 1.6,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  };
  return svg(
    "svg",
    { viewBox: "0 0 20 20", class: "icon", "aria-hidden": "true" },
    svg("path", { d: STROKES[tool], ...stroke }),
  );
}

export interface PlanControls {
  zoom(factor: number): void;
  fitAll(): void;
}

/** Zoom in the plan's corner, as on a map. */
export function zoomButtons(plan: PlanControls): HTMLElement {
  return h(
    "div.plan-zoom",
    null,
    iconButton("plus", "Zoom in (+)", () => plan.zoom(1.25)),
    iconButton("minus", "Zoom out (-)", () => plan.zoom(0.8)),
    iconButton("frame", "Show all (0)", () => plan.fitAll()),
  );
}

export function toolBar(app: App, desk: Desk): HTMLElement {
  const buttons = TOOLS.map(({ tool, label }) => {
    const element = h(
      "button.icon-button",
      { type: "button", "aria-label": label, onclick: () => (desk.tool.value = tool) },
      toolIcon(tool),
    );
    tooltip(element, label);
    return { tool, element };
  });
  const undo = iconButton("undo", "Undo (Ctrl Z)", () => desk.undo());
  const redo = iconButton("redo", "Redo (Ctrl Shift Z)", () => desk.redo());
  const hint = h("span.plan-hint");
  const brushes = h("div.brushes", { role: "radiogroup", "aria-label": "Label to paint with" });
  const times = timeTools(desk);
  const snapping = h(
    "select.snap",
    {
      "aria-label": "Snap to the grid",
      onchange: () => {
        const step = Number(snapping.value);
        desk.snap.value = { on: step > 0, step: step > 0 ? step : desk.snap.value.step };
      },
    },
    [0, 0.1, 0.25, 0.5, 1].map((m) =>
      h("option", { value: String(m), selected: m === desk.snap.value.step }, m === 0 ? "free" : `${m} m`),
    ),
  );
  tooltip(snapping, "Snap to the grid. Alt lets go of it, Shift keeps to 15°");
  const second = h("div.plan-second", null, brushes, times, hint);

  const showTool = () => {
    const tool = desk.tool.value;
    for (const b of buttons) b.element.setAttribute("aria-pressed", String(b.tool === tool));
    hint.textContent = HINTS[tool];
    brushes.hidden = tool !== "paint" && tool !== "action";
    if (!brushes.hidden) showBrushes(app, desk, brushes, tool === "paint");
  };
  const showHistory = () => {
    undo.disabled = !desk.canUndo;
    redo.disabled = !desk.canRedo;
  };
  // Something to paint with is chosen from the start, so that the first stroke does something.
  let chosen = false;
  app.project.follow((project) => {
    desk.labels = actionsOf(project?.labels);
    const [first] = desk.labels;
    if (chosen || first === undefined) return;
    chosen = true;
    desk.brush.value = first;
  });
  desk.tool.follow(showTool);
  desk.brush.listen(showTool);
  app.project.listen(showTool);
  desk.sketch.follow(showHistory);
  return h(
    "div.plan-bars",
    null,
    h(
      "div.plan-bar",
      { role: "toolbar", "aria-label": "Floor plan tools" },
      buttons.map((b, k) => [k === 3 || k === 5 || k === 7 || k === 10 ? h("span.bar-divider") : null, b.element]),
      h("span.spacer"),
      // Together, on whichever line there is room.
      h("span.bar-end", null, h("label.snap-box", null, icon("grid"), snapping), undo, redo),
    ),
    second,
  );
}

function showBrushes(app: App, desk: Desk, host: HTMLElement, eraser: boolean): void {
  const labels = actionsOf(app.project.value?.labels);
  if (labels.length === 0) {
    replaceChildren(host, h("span.muted", null, "The graph has no labels yet. Label clips in the Library."));
    return;
  }
  // A label that is gone, or rubbing out or anything at all with a tool that cannot.
  const known = eraser ? [...labels, ANY, ""] : labels;
  if (!known.includes(desk.brush.value)) {
    desk.brush.value = labels[0] ?? "";
    return;
  }
  const plain = (value: string) => value === "" || value === ANY;
  const chip = (value: string, text: string) =>
    h(
      "label.chip.brush",
      { class: plain(value) ? "" : "label-colour", style: plain(value) ? {} : labelStyle(value) },
      h("input", {
        type: "radio",
        name: "brush",
        value,
        checked: value === desk.brush.value,
        onchange: () => (desk.brush.value = value),
      }),
      text,
    );
  replaceChildren(
    host,
    labels.map((l) => chip(l, l)),
    eraser && [chip(ANY, "any"), chip("", "rub out")],
  );
}
