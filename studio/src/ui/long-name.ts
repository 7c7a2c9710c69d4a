/** A name in a place that may be too narrow for it: its beginning gives way, and the title has all of it. */
import { h } from "./h";

/** Clips of one folder begin alike, so that their ends tell them apart. */
export function longName(tag: "span" | "h2", name: string, classes = ""): HTMLElement {
  // Text that overflows is cut where its line ends; a line from right to left ends on the left. The name itself stays as it is.
  return h(tag, { class: `long-name ${classes}`.trim(), title: name }, h("bdi", { dir: "ltr" }, name));
}
