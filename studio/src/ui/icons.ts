import { svg } from "./h";

/** Strokes on a 20 × 20 board; those in `FILLED` are drawn as areas. */
const PATHS = {
  play: "M6 4l11 6-11 6z",
  pause: "M5 4h3.500v12H5zM11.500 4H15v12h-3.500z",
  stepBack: "M4 4v12M16 4.500L7 10l9 5.500z",
  stepForward: "M16 4v12M4 4.500L13 10l-9 5.500z",
  toStart: "M4 4v12M17 5l-6 5 6 5M11 5l-6 5 6 5",
  toEnd: "M16 4v12M3 5l6 5-6 5M9 5l6 5-6 5",
  loop: "M4 9a5 5 0 0 1 5-4h6M12 2l3 3-3 3M16 11a5 5 0 0 1-5 4H5M8 18l-3-3 3-3",
  follow: "M10 2v4M10 14v4M2 10h4M14 10h4M10 6a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",
  frame: "M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4",
  camera: "M3 6h3l1.500-2h5L14 6h3v10H3zM10 8a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  record: "M10 5a5 5 0 1 0 0 10 5 5 0 0 0 0-10z",
  stop: "M5 5h10v10H5z",
  plus: "M10 4v12M4 10h12",
  minus: "M4 10h12",
  close: "M5 5l10 10M15 5L5 15",
  trash: "M4 6h12M8 6V4h4v2M5.500 6l.800 10h7.400l.800-10M8.500 9v4.500M11.500 9v4.500",
  undo: "M7 4L3 8l4 4M3 8h8a5 5 0 0 1 0 10H8",
  redo: "M13 4l4 4-4 4M17 8H9a5 5 0 0 0 0 10h3",
  download: "M10 3v10M6 9l4 4 4-4M4 17h12",
  upload: "M10 14V4M6 8l4-4 4 4M4 17h12",
  search: "M9 3a6 6 0 1 0 0 12A6 6 0 0 0 9 3zM13.500 13.500L17 17",
  warning: "M10 3l8 14H2zM10 8v4M10 14.500v.100",
  check: "M4 10.500l4 4 8-9",
  info: "M10 2.500a7.500 7.500 0 1 0 0 15 7.500 7.500 0 0 0 0-15zM10 9v5M10 6v.100",
  help: "M7 7.500a3 3 0 1 1 4.500 2.600c-1 .600-1.500 1.200-1.500 2.400M10 15.500v.100",
  sun: "M10 6.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7zM10 2v2M10 16v2M2 10h2M16 10h2M4.300 4.300l1.400 1.400M14.300 14.300l1.400 1.400M4.300 15.700l1.400-1.400M14.300 5.700l1.400-1.400",
  moon: "M16 12.500A7 7 0 0 1 7.500 4 7 7 0 1 0 16 12.500z",
  body: "M10 2a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM6 8h8M10 8v5M10 13l-3 5M10 13l3 5",
  chevron: "M6 8l4 4 4-4",
  list: "M3 5h14M3 10h14M3 15h14",
  grid: "M3 3h6v6H3zM11 3h6v6h-6zM3 11h6v6H3zM11 11h6v6h-6z",
  graph: "M5 5a2 2 0 1 0 0 .100zM15 7a2 2 0 1 0 0 .100zM8 16a2 2 0 1 0 0 .100zM5 6l9 1M6 7l1 8M14 9l-5 6",
  path: "M3 16c5 0 3-6 7-6s3-6 7-6",
  tag: "M3 3h7l7 7-7 7-7-7zM6.500 6.500v.100",
  reset: "M4 4v5h5M4.500 9A6.500 6.500 0 1 1 4 12",
} as const;

export type IconName = keyof typeof PATHS;

const FILLED: ReadonlySet<IconName> = new Set(["play", "pause", "record", "stop"]);

/** Decoration only: the control around it carries the name. */
export function icon(name: IconName): SVGSVGElement {
  const filled = FILLED.has(name);
  return svg(
    "svg",
    { viewBox: "0 0 20 20", class: "icon", "aria-hidden": "true", focusable: "false" },
    svg("path", {
      d: PATHS[name],
      fill: filled ? "currentColor" : "none",
      stroke: "currentColor",
      "stroke-width": filled ? 1 : 1.6,
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
    }),
  );
}
