/** Buttons of the result's timeline: from transition to transition, into one of them, nearer and further. */
import { iconButton } from "../ui/controls";
import { h } from "../ui/h";
import type { Timeline } from "./timeline";

export function timelineBar(timeline: Timeline): HTMLElement {
  return h(
    "div.timeline-bar",
    { role: "toolbar", "aria-label": "Timeline of the result" },
    iconButton("stepBack", "Previous transition (P)", () => timeline.jump(-1)),
    iconButton("stepForward", "Next transition (N)", () => timeline.jump(1)),
    iconButton("warning", "Worst transition (W)", () => timeline.toWorst()),
    iconButton("search", "Inspect this transition in the graph (I)", () => timeline.inspect()),
    iconButton("plus", "Zoom the timeline in (+)", () => timeline.zoom(0.6)),
    iconButton("minus", "Zoom the timeline out (-)", () => timeline.zoom(1 / 0.6)),
    iconButton("frame", "Show all of the timeline (0)", () => timeline.showAll()),
  );
}
