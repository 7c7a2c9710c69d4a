/**
 * The timeline on screen: ruler, playhead, lanes with intervals. Knows nothing of labels or contacts; edits are
 * handed to the owner, who answers with `setSheet`.
 */
import { h } from "../../ui/h";
import { Disposer, type Signal } from "../../ui/signal";
import type { Theme } from "../../ui/theme";
import type { PlaybackClock } from "../../stage";
import { dragTo, type Drag } from "./drag";
import { keyEdit } from "./edit-keys";
import { followPointer, gripAt } from "./pointer";
import { drawRuler } from "./ruler-canvas";
import { Lanes, type LaneOptions } from "./lanes";
import { Playhead } from "./playhead";
import { TimeScale } from "./scale";
import { SpeedRow } from "./speed-row";
import { find, inOrder, settle, type Interval, type Sheet } from "./model";
import "./timeline.css";

export interface TimelineOptions extends LaneOptions {
  clock: PlaybackClock;
  /** The ruler is painted: it has to be painted anew in another theme. */
  theme: Signal<Theme>;
  /** Speed per frame, drawn under the ruler; null where the motion is too long to have it all. */
  speed: Float32Array | null;
  /** Dragging up or down changes the lane: labels may, joints may not. */
  mayChangeLane: boolean;
  onEdit: (sheet: Sheet, tag: string | null) => void;
  onSelect: (id: number | null) => void;
  /** Enter on an interval. */
  onOpen: (item: Interval) => void;
  onRemove: (item: Interval) => void;
}

const HEAD_WIDTH = 148;
const SNAP_PIXELS = 6;

export class Timeline {
  readonly element = h("div.timeline");
  selected: number | null = null;
  private sheet: Sheet = { frames: 1, items: [] };
  private drag: Drag | null = null;
  private redraw = 0;
  private readonly ruler = h("canvas.tl-ruler");
  private readonly rulerRow = h("div.tl-ruler-row", null, h("div.tl-corner"), this.ruler);
  private readonly speedRow: SpeedRow;
  private readonly playhead: Playhead;
  private readonly body = h("div.tl-body");
  private readonly scroller = h("div.tl-scroll", { onscroll: () => this.later() }, this.body);
  private readonly scale = new TimeScale(() => this.scroller.clientWidth - HEAD_WIDTH);
  private readonly lanes: Lanes;
  private readonly stops = new Disposer();

  constructor(private readonly options: TimelineOptions) {
    this.element.append(this.scroller);
    this.speedRow = new SpeedRow(options.speed);
    this.playhead = new Playhead(options.clock, options.rate_hz);
    this.lanes = new Lanes(options, this.scale, {
      focus: (id) => this.select(id),
      key: (event, id) => this.itemKey(event, id),
    });
    this.body.append(this.rulerRow, this.speedRow.element, this.lanes.element, this.playhead.range, this.playhead.line);
    this.speedRow.element.addEventListener("pointerdown", (event) => this.scrub(event));
    const resize = new ResizeObserver(() => this.later());
    resize.observe(this.element);
    this.stops.add(
      () => resize.disconnect(),
      options.clock.listen(() => this.placeCursor()),
      options.theme.listen(() => this.later()),
    );
    this.rulerRow.addEventListener("pointerdown", (event) => this.scrub(event));
    this.lanes.element.addEventListener("pointerdown", (event) => this.pointerDown(event));
    this.lanes.element.addEventListener("dblclick", (event) => this.doubleClick(event));
    this.scroller.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  dispose(): void {
    cancelAnimationFrame(this.redraw);
    this.stops.dispose();
    this.element.remove();
  }

  setSheet(sheet: Sheet, lanes: readonly string[]): void {
    this.show(sheet);
    this.lanes.keep(lanes);
    if (this.selected !== null && !find(sheet, this.selected)) this.select(null);
    this.draw();
  }

  /** Lane heads anew, after a change of colours or names of buttons. */
  setLanes(lanes: readonly string[]): void {
    this.lanes.set(lanes);
  }

  select(id: number | null, focus = false): void {
    this.selected = id;
    this.lanes.mark(id);
    if (focus && id !== null) {
      this.draw();
      this.lanes.focus(id);
    }
    this.options.onSelect(id);
  }

  /** Around the playhead where it is seen, else around the middle. */
  zoomBy(factor: number, aroundPixel = this.zoomCentre()): void {
    const before = this.scale.frameAt(aroundPixel + this.scroller.scrollLeft);
    this.scale.zoomBy(factor);
    this.layout();
    this.scroller.scrollLeft = this.scale.pixelOf(before) - aroundPixel;
    this.draw();
  }

  private show(sheet: Sheet): void {
    this.sheet = sheet;
    this.scale.frames = sheet.frames;
  }

  private zoomCentre(): number {
    const cursor = this.scale.pixelOf(this.playhead.frame) - this.scroller.scrollLeft;
    return cursor >= 0 && cursor <= this.scale.seen ? cursor : this.scale.seen / 2;
  }

  private frameAt(event: { clientX: number }): number {
    const left = this.scroller.getBoundingClientRect().left + HEAD_WIDTH - this.scroller.scrollLeft;
    return Math.min(this.sheet.frames, Math.max(0, this.scale.frameAt(event.clientX - left)));
  }

  private later(): void {
    if (this.redraw === 0) this.redraw = requestAnimationFrame(() => ((this.redraw = 0), this.draw()));
  }

  private layout(): void {
    this.body.style.width = `${HEAD_WIDTH + this.scale.seen * this.scale.zoom}px`;
  }

  private draw(): void {
    if (!this.element.isConnected || this.scroller.clientWidth === 0) return;
    this.layout();
    const { scrollLeft } = this.scroller;
    const { pixelsPerFrame, seen } = this.scale;
    const perSecond = pixelsPerFrame * this.options.rate_hz;
    drawRuler(this.ruler, seen, scrollLeft / perSecond, perSecond);
    this.speedRow.draw(this.scale.frameAt(scrollLeft), pixelsPerFrame, seen);
    this.lanes.draw(this.sheet, this.selected, scrollLeft);
    this.placeCursor();
  }

  private placeCursor(): void {
    const { frame } = this.playhead;
    this.playhead.place(HEAD_WIDTH, this.scroller.scrollLeft, this.scale.pixelsPerFrame);
    this.speedRow.showAt(frame);
    // While playing zoomed in, the view turns the page when the playhead leaves it.
    if (!this.options.clock.playing || this.scale.zoom === 1) return;
    const at = this.scale.pixelOf(frame) - this.scroller.scrollLeft;
    if (at < 0 || at > this.scale.seen) this.scroller.scrollLeft = this.scale.pixelOf(frame) - 40;
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
      this.lanes.element,
      (e) => {
        moved ||= Math.abs(e.clientX - event.clientX) > 3 || Math.abs(e.clientY - event.clientY) > 10;
        if (moved) this.dragMove(e);
      },
      (cancelled) => this.dragEnd(event, moved, cancelled),
    );
  }

  private dragMove(event: PointerEvent): void {
    if (!this.drag) return;
    const result = dragTo(
      this.drag,
      {
        frame: this.frameAt(event),
        lane: this.lanes.at(event.clientY),
        reach: event.altKey ? 0 : SNAP_PIXELS / this.scale.pixelsPerFrame,
        cursor: Math.round(this.playhead.frame),
      },
      this.options.mayChangeLane,
    );
    this.show(result.sheet);
    this.selected = result.id;
    this.draw();
  }

  private dragEnd(event: PointerEvent, moved: boolean, cancelled: boolean): void {
    const drag = this.drag;
    this.drag = null;
    if (!drag) return;
    if (!moved || cancelled) {
      this.show(drag.before);
      // A click on an empty place sets the playhead, as on the ruler.
      if (!moved && drag.grip === "new")
        this.options.clock.seek(Math.round(this.frameAt(event)) / this.options.rate_hz);
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
