/** Lanes and the intervals on them as elements: only those in sight, each made once and then moved. */
import { h, replaceChildren, setStyle } from "../../ui/h";
import { describeItem } from "./item";
import { inOrder, type Interval, type Sheet } from "./model";
import type { TimeScale } from "./scale";

export interface LaneOptions {
  rate_hz: number;
  /** Custom properties of a lane's intervals. */
  laneStyle: (lane: string) => Record<string, string>;
  /** What stands before a lane. */
  laneHead: (lane: string) => HTMLElement;
  /** Shown and spoken name of an interval. */
  itemText: (item: Interval) => string;
}

/** Intervals under this many pixels have no words on them. */
const NARROW = 56;
/** More elements than this are not drawn at once; zoomed in there are fewer. */
const MAX_DRAWN = 1200;
/** Pixels beyond the edges that are drawn too. */
const BEYOND = 200;

export class Lanes {
  readonly element = h("div.tl-rows");
  private names: readonly string[] = [];
  private readonly tracks = new Map<string, HTMLElement>();
  private readonly drawn = new Map<number, HTMLElement>();

  constructor(
    private readonly options: LaneOptions,
    private readonly scale: TimeScale,
    private readonly on: { focus: (id: number) => void; key: (event: KeyboardEvent, id: number) => void },
  ) {}

  /** The same lanes as before are left as they are. */
  keep(names: readonly string[]): void {
    if (names.join("\n") !== this.names.join("\n")) this.set(names);
  }

  /** Lane heads anew, after a change of colours or names of buttons. */
  set(names: readonly string[]): void {
    this.names = names;
    this.tracks.clear();
    this.drawn.clear();
    replaceChildren(
      this.element,
      names.map((lane) => {
        const track = h("div.tl-track", { dataset: { lane } });
        setStyle(track, this.options.laneStyle(lane));
        this.tracks.set(lane, track);
        return h(
          "div.tl-lane",
          { role: "group", "aria-label": lane },
          h("div.tl-head", null, this.options.laneHead(lane)),
          track,
        );
      }),
    );
  }

  /** The lane at a height of the window. */
  at(clientY: number): string | null {
    const lane = [...this.tracks].find(([, track]) => {
      const box = track.getBoundingClientRect();
      return clientY >= box.top && clientY < box.bottom;
    });
    return lane?.[0] ?? null;
  }

  mark(selected: number | null): void {
    for (const [key, element] of this.drawn) element.classList.toggle("selected", key === selected);
  }

  focus(id: number): void {
    this.drawn.get(id)?.focus();
  }

  draw(sheet: Sheet, selected: number | null, scrolled: number): void {
    const first = this.scale.frameAt(scrolled - BEYOND);
    const last = this.scale.frameAt(scrolled + this.scale.seen + BEYOND);
    const focused = document.activeElement;
    const wanted = new Set<number>();
    for (const item of inOrder(sheet.items)) {
      const hasFocus = this.drawn.get(item.id) === focused && focused !== null;
      if (!hasFocus && (item.end < first || item.start > last || wanted.size >= MAX_DRAWN)) continue;
      wanted.add(item.id);
      this.drawItem(item, sheet.frames, item.id === selected);
    }
    for (const [id, element] of this.drawn) {
      if (wanted.has(id)) continue;
      element.remove();
      this.drawn.delete(id);
    }
  }

  private drawItem(item: Interval, frames: number, selected: boolean): void {
    const track = this.tracks.get(item.lane);
    if (!track) return;
    const element = this.drawn.get(item.id) ?? this.make(item.id);
    if (element.parentElement !== track) {
      const hadFocus = document.activeElement === element;
      track.append(element);
      if (hadFocus) element.focus();
    }
    describeItem(element, item, this.options.itemText(item), frames, this.options.rate_hz);
    element.classList.toggle("selected", selected);
    element.style.left = `${this.scale.pixelOf(item.start)}px`;
    const width = Math.max(3, this.scale.pixelOf(item.end - item.start));
    element.style.width = `${width}px`;
    // Half a word says less than none.
    element.classList.toggle("narrow", width < NARROW);
    element.style.setProperty("--confidence", String(0.2 + 0.8 * (item.confidence ?? 1)));
  }

  private make(id: number): HTMLElement {
    const element = h(
      "div.tl-item",
      { tabIndex: 0, role: "slider", dataset: { id: String(id) } },
      h("span.tl-item-text"),
    );
    element.addEventListener("focus", () => this.on.focus(id));
    element.addEventListener("keydown", (event) => this.on.key(event, id));
    this.drawn.set(id, element);
    return element;
  }
}
