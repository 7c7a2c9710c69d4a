/** What stands where nothing is yet: on a plan without a path, and in a project without a graph. */
import type { App } from "../app";
import { button } from "../ui/controls";
import { h } from "../ui/h";
import type { Disposer } from "../ui/signal";
import type { Desk } from "./desk";

/** On an empty plan: what to do. */
export function planHelp(desk: Desk, begin: (tool: "draw" | "points") => void, stops: Disposer): HTMLElement {
  const draw = button({ label: "Draw freehand", kind: "primary", onClick: () => begin("draw") });
  const points = button({ label: "Set points", onClick: () => begin("points") });
  const box = h(
    "div.plan-empty",
    null,
    h("h2", null, "Where should it go?"),
    h("p", null, "Draw a path on the floor. The person will walk along it."),
    h("div.row", null, draw, points),
    h("p.muted", null, "Or start from a shape, on the left."),
  );
  const { sketch, tool, result } = desk;
  const show = () => (box.hidden = sketch.value.points.length > 0 || tool.value !== "select" || result.value !== null);
  stops.add(sketch.follow(show), tool.listen(show), result.listen(show));
  return box;
}

export function noGraph(app: App): HTMLElement {
  return h(
    "div.empty",
    null,
    h("h2", null, "There is no graph to walk on yet"),
    h("p", null, "Add clips and build the graph in the Library; then sketch a path here and watch somebody walk it."),
    button({ label: "Go to the Library", kind: "primary", onClick: () => app.go("library") }),
  );
}
