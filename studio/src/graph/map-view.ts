/** A map of what leads where: discs as large as their seconds, bands as wide as their ways, and the same as a list. */
import { count, duration } from "../ui/format";
import { h, replaceChildren, svg } from "../ui/h";
import type { MapLink, MapNode, WayMap } from "./map-model";
import { lengthText } from "./transition-words";

export interface MapEvents {
  /** The same twice: what stays within it. */
  onOpen(from: string, to: string): void;
  /** The colour of a node; nothing where it has none of its own. */
  colour(key: string): string | null;
  /** What is behind a node, as in "Opens its clips". */
  readonly opens: string;
}

/** Pixels above and below the ring, for names. */
const MARGIN_Y = 40;
/** Of the width, at most, to both sides of the ring for names. */
const MOST_MARGIN = 0.26;
/** Pixels of a letter of a name, about. */
const LETTER = 7.2;
const SMALLEST = 9;
const LARGEST = 34;
/** More numbers on bands than this hide the bands. */
const MOST_NUMBERS = 24;
/** Where there are more bands than numbers, so many that leave a disc are always drawn; the others show when one points at a disc of theirs. */
const BANDS_EACH = 2;
/** Rows of the list. */
const MOST_ROWS = 200;

interface Placed extends MapNode {
  readonly x: number;
  readonly y: number;
  readonly r: number;
}

export class MapView {
  readonly element = h("div.way-map");
  private readonly picture = h("div.way-picture");
  private readonly list = h("div.way-list", { tabIndex: 0, role: "region", "aria-label": "Ways, most first" });
  private readonly watcher: ResizeObserver;
  private map: WayMap | null = null;
  private events: MapEvents | null = null;

  constructor() {
    this.element.append(this.picture, this.list);
    this.watcher = new ResizeObserver(() => this.draw());
    this.watcher.observe(this.picture);
  }

  dispose(): void {
    this.watcher.disconnect();
  }

  show(map: WayMap, events: MapEvents): void {
    this.map = map;
    this.events = events;
    this.draw();
    this.drawList();
  }

  /** Draws anew, for another theme. */
  repaint(): void {
    this.draw();
  }

  private draw(): void {
    const { map, events } = this;
    const { clientWidth: width, clientHeight: height } = this.picture;
    if (!map || !events || width === 0 || height === 0) return;
    const placed = ring(map.nodes, width, height);
    const at = new Map(placed.map((node) => [node.key, node]));
    const most = Math.max(1, ...map.links.map((l) => l.ways));
    // The widest bands lie below: a thin one over a wide one is still seen.
    const strong = strongest(map.links);
    const bands = map.links.flatMap((link) => {
      const [a, b] = [at.get(link.from), at.get(link.to)];
      if (!a || !b) return [];
      const band = this.band(link, a, b, most, map.links.length <= MOST_NUMBERS, events);
      if (map.links.length > MOST_NUMBERS && !strong.has(link)) band.classList.add("rare");
      return [{ link, band }];
    });
    const light = (key: string | null) =>
      bands.forEach(({ link, band }) => band.classList.toggle("lit", link.from === key || link.to === key));
    const picture = svg(
      "svg",
      { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "Map of the graph" },
      arrowHead(),
      ...bands.map(({ band }) => band),
      ...placed.map((node) => {
        const disc = this.disc(node, width, placed.length, map, events);
        for (const event of ["pointerenter", "focus"] as const)
          disc.addEventListener(event, () => light(node.key), true);
        for (const event of ["pointerleave", "blur"] as const) disc.addEventListener(event, () => light(null), true);
        return disc;
      }),
    );
    replaceChildren(this.picture, picture);
  }

  private band(link: MapLink, a: Placed, b: Placed, most: number, numbered: boolean, events: MapEvents): SVGGElement {
    // To the right of the straight line, so that the way back has a band of its own.
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const far = Math.hypot(dx, dy) || 1;
    const [ux, uy] = [dx / far, dy / far];
    const bow = Math.min(60, 0.16 * far);
    const [mx, my] = [(a.x + b.x) / 2 - uy * bow, (a.y + b.y) / 2 + ux * bow];
    const start = towards(a, mx, my, a.r + 2);
    const end = towards(b, mx, my, b.r + 7);
    const d = `M${start} Q${mx.toFixed(1)} ${my.toFixed(1)} ${end}`;
    const wide = 1.2 + 7 * Math.sqrt(link.ways / most);
    const group = svg(
      "g",
      { class: "way-band" },
      svg("title", {}, linkText(link, a.name, b.name)),
      svg("path", { d, class: "way-line", "stroke-width": wide.toFixed(1), "marker-end": "url(#way-head)" }),
      // Thin lines are hard to hit.
      svg("path", { d, class: "way-hit", "stroke-width": Math.max(12, wide) }),
    );
    // Only interpolated motion leads there.
    if (link.through === link.ways) group.classList.add("through");
    if (numbered) {
      // The middle of a quadratic curve: half-way between its control point and its chord.
      const [tx, ty] = [(mx + (a.x + b.x) / 2) / 2, (my + (a.y + b.y) / 2) / 2];
      group.append(svg("text", { x: tx, y: ty, class: "way-number" }, link.ways.toLocaleString("en")));
    }
    group.addEventListener("click", () => events.onOpen(link.from, link.to));
    return group;
  }

  private disc(node: Placed, width: number, nodes: number, map: WayMap, events: MapEvents): SVGGElement {
    const out = map.links.filter((l) => l.from === node.key).reduce((sum, l) => sum + l.ways, 0);
    const group = svg(
      "g",
      {
        class: "way-node",
        role: "button",
        tabindex: 0,
        "aria-label": `${node.name}: ${duration(node.seconds)}, ${count(node.inside, "way")} within it, ${out.toLocaleString("en")} to others. ${events.opens}`,
      },
      svg("circle", { cx: node.x, cy: node.y, r: node.r }),
    );
    const colour = events.colour(node.key);
    if (colour) group.style.setProperty("--node", colour);
    // Only who is at the very top or bottom has room for words above or below.
    const left = node.x < width / 2;
    const middle = Math.abs(node.x - width / 2) < (width / 4) * Math.sin(Math.min(Math.PI / 2, Math.PI / nodes));
    const anchor = middle ? "middle" : left ? "end" : "start";
    const x = middle ? node.x : left ? node.x - node.r - 6 : node.x + node.r + 6;
    const above = middle && node.y < this.picture.clientHeight / 2;
    const y = middle ? (above ? node.y - node.r - 20 : node.y + node.r + 14) : node.y - 3;
    // Beside the button, not within it: its name says more than there is room for.
    const words = svg(
      "g",
      { class: "way-words", "aria-hidden": "true" },
      svg("title", {}, node.name),
      svg("text", { x, y, class: "way-name", "text-anchor": anchor }, shortened(node.name, width)),
      svg(
        "text",
        { x, y: y + 14, class: "way-facts", "text-anchor": anchor },
        `${duration(node.seconds)}, ${count(node.inside, "way")}`,
      ),
    );
    const open = () => events.onOpen(node.key, node.key);
    for (const part of [group, words]) part.addEventListener("click", open);
    group.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      open();
    });
    return svg("g", {}, words, group);
  }

  private drawList(): void {
    const { map, events } = this;
    if (!map || !events) return;
    const names = new Map(map.nodes.map((node) => [node.key, node.name]));
    const within = map.nodes
      .filter((node) => node.inside > 0)
      .map((node): MapLink => ({ from: node.key, to: node.key, ways: node.inside, cm: NaN, through: 0 }));
    const rows = [...map.links, ...within].sort((p, q) => q.ways - p.ways);
    const name = (key: string) => names.get(key) ?? key;
    replaceChildren(
      this.list,
      rows.length === 0 && h("p.muted", null, "Nothing leads from here to there."),
      h(
        "ul",
        null,
        rows
          .slice(0, MOST_ROWS)
          .map((link) =>
            h(
              "li",
              null,
              h(
                "button.way-row",
                { type: "button", onclick: () => events.onOpen(link.from, link.to) },
                h(
                  "span",
                  null,
                  link.from === link.to ? `within ${name(link.from)}` : `${name(link.from)} → ${name(link.to)}`,
                ),
                h(
                  "span.muted.numbers",
                  null,
                  link.through > 0 && h("span.dashes", { title: `${link.through} through interpolated motion` }),
                  count(link.ways, "way"),
                ),
              ),
            ),
          ),
      ),
      rows.length > MOST_ROWS && h("p.muted", null, `and ${(rows.length - MOST_ROWS).toLocaleString("en")} with fewer`),
      map.links.some((link) => link.through > 0) &&
        h(
          "p.muted",
          null,
          h("span.dashes", { "aria-hidden": "true" }),
          "through interpolated motion. A band is dashed and blue where nothing else leads there.",
        ),
      map.more > 0 && h("p.muted", null, `${count(map.more, "clip")} with fewer ways not drawn`),
      map.links.length > MOST_NUMBERS &&
        h(
          "p.muted",
          null,
          "The widest ways of each stand out, the others are faint: point at a disc to see all of its own.",
        ),
    );
  }
}

/** The bands that stand out where there are many: the widest ways out of each disc, and the widest into it, so that none looks
 * as if nothing led there. Links come with the widest first. */
export function strongest(links: readonly MapLink[]): ReadonlySet<MapLink> {
  const out = new Map<string, number>();
  const entered = new Set<string>();
  return new Set(
    links.filter((link) => {
      const before = out.get(link.from) ?? 0;
      out.set(link.from, before + 1);
      const first = !entered.has(link.to);
      entered.add(link.to);
      return before < BANDS_EACH || first;
    }),
  );
}

export function linkText(link: MapLink, from: string, to: string): string {
  const through =
    link.through === 0
      ? ""
      : link.through === link.ways
        ? ", all through interpolated motion"
        : `, ${link.through.toLocaleString("en")} of them through interpolated motion`;
  return `${from} to ${to}: ${count(link.ways, "way")}${through}, the nearest ${lengthText(link.cm)} apart`;
}

/** Around a ring, the first at the top; the area of a disc goes with its seconds. */
export function ring(nodes: readonly MapNode[], width: number, height: number): Placed[] {
  const most = Math.max(1e-9, ...nodes.map((n) => n.seconds));
  const room = Math.min(1, Math.max(0.35, 14 / Math.max(1, nodes.length)), width / 520);
  const longest = Math.max(...nodes.map((n) => n.name.length), 14);
  const side = Math.min(MOST_MARGIN * width, longest * LETTER);
  const [rx, ry] = [
    Math.max(20, width / 2 - side - LARGEST * room),
    Math.max(20, height / 2 - MARGIN_Y - LARGEST * room),
  ];
  const alone = nodes.length === 1;
  return nodes.map((node, k) => {
    const angle = (2 * Math.PI * k) / Math.max(1, nodes.length) - Math.PI / 2;
    return {
      ...node,
      x: width / 2 + (alone ? 0 : rx * Math.cos(angle)),
      y: height / 2 + (alone ? 0 : ry * Math.sin(angle)),
      r: Math.max(SMALLEST * room, LARGEST * room * Math.sqrt(node.seconds / most)),
    };
  });
}

/** The end of a name tells it apart from its neighbours, so the start is what goes. */
function shortened(name: string, width: number): string {
  const most = Math.max(6, Math.floor((MOST_MARGIN * width - 6) / LETTER));
  return name.length <= most ? name : `…${name.slice(1 - most)}`;
}

function towards(node: Placed, x: number, y: number, by: number): string {
  const far = Math.hypot(x - node.x, y - node.y) || 1;
  return `${(node.x + ((x - node.x) / far) * by).toFixed(1)} ${(node.y + ((y - node.y) / far) * by).toFixed(1)}`;
}

function arrowHead(): SVGElement {
  const marker = svg(
    "marker",
    {
      id: "way-head",
      viewBox: "0 0 8 8",
      refX: 5,
      refY: 4,
      markerWidth: 9,
      markerHeight: 9,
      orient: "auto",
      markerUnits: "userSpaceOnUse",
    },
    svg("path", { d: "M0 0L8 4L0 8z", class: "way-arrow" }),
  );
  return svg("defs", {}, marker);
}
