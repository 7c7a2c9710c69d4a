/**
 * The timeline on screen: ruler, playhead, lanes with intervals. Knows nothing of labels or contacts; edits are
 * handed to the owner, who answers with `setSheet`.
 */
import { h, replaceChildren, setStyle } from "../../ui/h";
import { Disposer, type Signal } from "../../ui/signal";
import type { Theme } from "../../ui/theme";
import type { PlaybackClock } from "../../stage";
import { dragTo, type Drag } from "./drag";
import { keyEdit } from "./edit-keys";
import { followPointer, gripAt } from "./pointer";
import { drawRuler } from "./ruler-canvas";
import { describeItem } from "./item";
import { Playhead } from "./playhead";
import { SpeedRow } from "./speed-row";
import { find, inOrder, settle, type Interval, type Sheet } from "./model";
import "./timeline.css";

export interface TimelineOptions {
  clock: PlaybackClock;
  rate_hz: number;
  /** The ruler is painted: it has to be painted anew in another theme. */
  theme: Signal<Theme>;
  /** Speed per frame, drawn under the ruler; null where the motion is too long to have it all. */
  speed: Float32Array | null;
  /** Custom properties of a lane's intervals. */
  laneStyle: (lane: string) => Record<string, string>;
  /** What stands before a lane. */
  laneHead: (lane: string) => HTMLElement;
  /** Shown and spoken name of an interval. */
  itemText: (item: Interval) => string;
  /** Dragging up or down changes the lane: labels may, joints may not. */
  mayChangeLane: boolean;
  onEdit: (sheet: Sheet, tag: string | null) => void;
  onSelect: (id: number | null) => void;
  /** Enter on an interval. */
  onOpen: (item: Interval) => void;
  onRemove: (item: Interval) => void;
}

export const HEAD_WIDTH = 148;
const SNAP_PIXELS = 6;
/** Intervals under this many pixels have no words on them. */
const NARROW = 56;
/** More elements than this are not drawn at once; zoomed in there are fewer. */
const MAX_DRAWN = 1200;

export class Timeline {
  readonly element = h("div.timeline");
  selected: number | null = null;
  private sheet: Sheet = { frames: 1, items: [] };
  private lanes: readonly string[] = [];
  private zoom = 1;
  private drag: Drag | null = null;
  private redraw = 0;
  private readonly ruler = h("canvas.tl-ruler");
  private readonly rulerRow = h("div.tl-ruler-row", null, h("div.tl-corner"), this.ruler);
  private readonly speedRow: SpeedRow;
  private readonly playhead: Playhead;
  private readonly rows = h("div.tl-rows");
  private readonly body = h("div.tl-body");
  private readonly scroller = h("div.tl-scroll", { onscroll: () => this.later() }, this.body);
  private readonly tracks = new Map<string, HTMLElement>();
  private readonly drawn = new Map<number, HTMLElement>();
  private readonly stops = new Disposer();

  constructor(private readonly options: TimelineOptions) {
    this.element.append(this.scroller);
    this.speedRow = new SpeedRow(options.speed);
    this.playhead = new Playhead(options.clock, options.rate_hz);
    this.body.append(this.rulerRow, this.speedRow.element, this.rows, this.playhead.range, this.playhead.line);
    this.speedRow.element.addEventListener("pointerdown", (event) => this.scrub(event));
    const resize = new ResizeObserver(() => this.later());
    resize.observe(this.element);
    this.stops.add(() => resize.disconnect(), options.clock.listen(() => this.placeCursor()), options.theme.listen(() => this.later()));
    this.rulerRow.addEventListener("pointerdown", (event) => this.scrub(event));
    this.rows.addEventListener("pointerdown", (event) => this.pointerDown(event));
    this.rows.addEventListener("dblclick", (event) => this.doubleClick(event));
    this.scroller.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  dispose(): void {
    cancelAnimationFrame(this.redraw);
    this.stops.dispose();
    this.element.remove();
  }

  setSheet(sheet: Sheet, lanes: readonly string[]): void {
    this.sheet = sheet;
    if (lanes.join("\n") !== this.lanes.join("\n")) this.setLanes(lanes);
    if (this.selected !== null && !find(sheet, this.selected)) this.select(null);
    this.draw();
  }

  /** Lane heads anew, after a change of colours or names of buttons. */
  setLanes(lanes: readonly string[]): void {
    this.lanes = lanes;
    this.tracks.clear();
    this.drawn.clear();
    replaceChildren(this.rows, lanes.map((lane) => {
      const track = h("div.tl-track", { dataset: { lane } });
      setStyle(track, this.options.laneStyle(lane));
      this.tracks.set(lane, track);
      return h("div.tl-lane", { role: "group", "aria-label": lane }, h("div.tl-head", null, this.options.laneHead(lane)), track);
    }));
  }

  select(id: number | null, focus = false): void {
    this.selected = id;
    for (const [key, element] of this.drawn) element.classList.toggle("selected", key === id);
    if (focus && id !== null) {
      this.draw();
      this.drawn.get(id)?.focus();
    }
    this.options.onSelect(id);
  }

  /** Around the playhead where it is seen, else around the middle. */
  zoomBy(factor: number, aroundPixel = this.zoomCentre()): void {
    const before = this.frameAtPixel(aroundPixel + this.scroller.scrollLeft);
    const most = Math.max(1, this.sheet.frames / 20);
    this.zoom = Math.min(most, Math.max(1, this.zoom * factor));
    this.layout();
    this.scroller.scrollLeft = this.pixelOf(before) - aroundPixel;
    this.draw();
  }

  private zoomCentre(): number {
    const cursor = this.pixelOf(this.playhead.frame) - this.scroller.scrollLeft;
    return cursor >= 0 && cursor <= this.trackWidth ? cursor : this.trackWidth / 2;
  }
  private get trackWidth(): number {
    return Math.max(60, this.scroller.clientWidth - HEAD_WIDTH);
  }
  private get pixelsPerFrame(): number {
    return (this.trackWidth * this.zoom) / this.sheet.frames;
  }
  private pixelOf(frame: number): number {
    return frame * this.pixelsPerFrame;
  }
  private frameAtPixel(pixel: number): number {
    return pixel / this.pixelsPerFrame;
  }
  private frameAt(event: { clientX: number }): number {
    const left = this.scroller.getBoundingClientRect().left + HEAD_WIDTH - this.scroller.scrollLeft;
    return Math.min(this.sheet.frames, Math.max(0, this.frameAtPixel(event.clientX - left)));
  }

  private later(): void {
    if (this.redraw === 0) this.redraw = requestAnimationFrame(() => ((this.redraw = 0), this.draw()));
  }

  private layout(): void {
    this.body.style.width = `${HEAD_WIDTH + this.trackWidth * this.zoom}px`;
  }

  private draw(): void {
    if (!this.element.isConnected || this.scroller.clientWidth === 0) return;
    this.layout();
    drawRuler(this.ruler, this.trackWidth, this.scroller.scrollLeft / (this.pixelsPerFrame * this.options.rate_hz), this.pixelsPerFrame * this.options.rate_hz);
    this.speedRow.draw(this.frameAtPixel(this.scroller.scrollLeft), this.pixelsPerFrame, this.trackWidth);
    this.drawItems();
    this.placeCursor();
  }

  private drawItems(): void {
    const first = this.frameAtPixel(this.scroller.scrollLeft - 200);
    const last = this.frameAtPixel(this.scroller.scrollLeft + this.trackWidth + 200);
    const focused = document.activeElement;
    const wanted = new Set<number>();
    for (const item of inOrder(this.sheet.items)) {
      const hasFocus = this.drawn.get(item.id) === focused && focused !== null;
      if (!hasFocus && (item.end < first || item.start > last || wanted.size >= MAX_DRAWN)) continue;
      wanted.add(item.id);
      this.drawItem(item);
    }
    for (const [id, element] of this.drawn) {
      if (wanted.has(id)) continue;
      element.remove();
      this.drawn.delete(id);
    }
  }

  private drawItem(item: Interval): void {
    const track = this.tracks.get(item.lane);
    if (!track) return;
    let element = this.drawn.get(item.id);
    if (!element) {
      element = h("div.tl-item", { tabIndex: 0, role: "slider", dataset: { id: String(item.id) } }, h("span.tl-item-text"));
      element.addEventListener("focus", () => this.select(item.id));
      element.addEventListener("keydown", (event) => this.itemKey(event, item.id));
      this.drawn.set(item.id, element);
    }
    if (element.parentElement !== track) {
      const hadFocus = document.activeElement === element;
      track.append(element);
      if (hadFocus) element.focus();
    }
    describeItem(element, item, this.options.itemText(item), this.sheet.frames, this.options.rate_hz);
    element.classList.toggle("selected", item.id === this.selected);
    element.style.left = `${this.pixelOf(item.start)}px`;
    const width = Math.max(3, this.pixelOf(item.end - item.start));
    element.style.width = `${width}px`;
    // Half a word says less than none.
    element.classList.toggle("narrow", width < NARROW);
    element.style.setProperty("--confidence", String(0.2 + 0.8 * (item.confidence ?? 1)));
  }

  private placeCursor(): void {
    const { frame } = this.playhead;
    this.playhead.place(HEAD_WIDTH, this.scroller.scrollLeft, this.pixelsPerFrame);
    this.speedRow.showAt(frame);
    // While playing zoomed in, the view turns the page when the playhead leaves it.
    if (!this.options.clock.playing || this.zoom === 1) return;
    const at = this.pixelOf(frame) - this.scroller.scrollLeft;
    if (at < 0 || at > this.trackWidth) this.scroller.scrollLeft = this.pixelOf(frame) - 40;
  }

  private scrub(event: PointerEvent): void {
    if (event.button !== 0) return;
    const seek = (e: PointerEvent) => this.options.clock.seek(Math.round(this.frameAt(e)) / this.options.rate_hz);
    seek(event);
    followPointer(event, this.rulerRow, seek, () => {});
  }

  private pointerDown(event: PointerEvent): void {
    const target = event.target instanceof Element ? event.target : null;
    const track = target?.closest<HTMLElement>(".tl-track");
    if (!track || event.button !== 0) return;
    const element = target?.closest<HTMLElement>(".tl-item") ?? null;
    const id = element ? Number(element.dataset["id"]) : -1;
    const grip = element ? gripAt(element, event.clientX) : "new";
    event.preventDefault();
    if (element) element.focus();
    else this.select(null);
    this.drag = { grip, before: this.sheet, id, from: this.frameAt(event), lane: track.dataset["lane"] ?? "" };
    let moved = false;
    followPointer(
      event,
      this.rows,
      (e) => {
        moved ||= Math.abs(e.clientX - event.clientX) > 3 || Math.abs(e.clientY - event.clientY) > 10;
        if (moved) this.dragMove(e);
      },
      (cancelled) => this.dragEnd(event, moved, cancelled),
    );
  }

  private dragMove(event: PointerEvent): void {
    if (!this.drag) return;
    const lane = [...this.tracks].find(([, track]) => {
      const box = track.getBoundingClientRect();
      return event.clientY >= box.top && event.clientY < box.bottom;
    });
    const result = dragTo(
      this.drag,
      {
        frame: this.frameAt(event),
        lane: lane?.[0] ?? null,
        reach: event.altKey ? 0 : SNAP_PIXELS / this.pixelsPerFrame,
        cursor: Math.round(this.playhead.frame),
      },
      this.options.mayChangeLane,
    );
    this.sheet = result.sheet;
    this.selected = result.id;
    this.draw();
  }

  private dragEnd(event: PointerEvent, moved: boolean, cancelled: boolean): void {
    const drag = this.drag;
    this.drag = null;
    if (!drag) return;
    if (!moved || cancelled) {
      this.sheet = drag.before;
      // A click on an empty place sets the playhead, as on the ruler.
      if (!moved && drag.grip === "new") this.options.clock.seek(Math.round(this.frameAt(event)) / this.options.rate_hz);
      this.draw();
      return;
    }
    const id = this.selected;
    this.options.onEdit(id === null ? this.sheet : settle(this.sheet, id), null);
    if (id !== null) this.select(id, true);
  }

  private itemKey(event: KeyboardEvent, id: number): void {
    const item = find(this.sheet, id);
    if (!item) return;
    const edit = keyEdit(this.sheet, item, event);
    if (edit) {
      this.options.onEdit(edit.sheet, edit.tag);
      const now = find(edit.sheet, id);
      if (now) this.options.clock.seek((event.shiftKey ? now.end : now.start) / this.options.rate_hz);
    } else if (event.key === "Delete" || event.key === "Backspace") this.removeAndStep(item);
    else if (event.key === "Enter") this.options.onOpen(item);
    else if (event.key === "p") this.playItem(id);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The focus goes to the neighbour: pressing Delete again removes the next one. */
  private removeAndStep(item: Interval): void {
    const order = inOrder(this.sheet.items);
    const index = order.findIndex((other) => other.id === item.id);
    const next = order[index + 1] ?? order[index - 1];
    this.options.onRemove(item);
    if (next) this.select(next.id, true);
  }

  /** The rows hold the pointer while it is down, so they and not the interval get the event. */
  private doubleClick(event: MouseEvent): void {
    const item = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>(".tl-item");
    if (item) this.playItem(Number(item.dataset["id"]));
  }

  /** Plays the interval in a loop. */
  private playItem(id: number): void {
    const item = find(this.sheet, id);
    if (!item) return;
    const { clock, rate_hz } = this.options;
    clock.setRange({ from: item.start / rate_hz, to: item.end / rate_hz });
    clock.seek(item.start / rate_hz);
    clock.play();
  }

  private wheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const pixel = event.clientX - this.scroller.getBoundingClientRect().left - HEAD_WIDTH;
    this.zoomBy(Math.exp(-event.deltaY * 0.002), Math.max(0, pixel));
  }
}
