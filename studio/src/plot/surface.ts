/** A canvas that fits its place: sharp on any screen, drawn at most once per frame and only when something changed. */
import { h, type Props } from "../ui/h";

export class Surface {
  readonly element: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
  /** CSS pixels. */
  width = 0;
  height = 0;
  private asked = 0;
  private readonly watcher: ResizeObserver;

  constructor(
    props: Props,
    private readonly draw: (context: CanvasRenderingContext2D, width: number, height: number) => void,
    private readonly onSize?: (width: number, height: number) => void,
  ) {
    this.element = h("canvas.surface", props);
    const context = this.element.getContext("2d");
    if (!context) throw new Error("This browser cannot draw on a canvas.");
    this.context = context;
    this.watcher = new ResizeObserver(() => this.fit());
    this.watcher.observe(this.element);
  }

  invalidate(): void {
    if (this.asked === 0) this.asked = requestAnimationFrame(() => this.paint());
  }

  /** Draws at once: what is new is in the very next picture, however long that takes to be put together. */
  drawNow(): void {
    cancelAnimationFrame(this.asked);
    this.paint();
  }

  dispose(): void {
    cancelAnimationFrame(this.asked);
    this.watcher.disconnect();
  }

  /** A pointer's place in CSS pixels of the canvas. */
  place(event: MouseEvent): readonly [number, number] {
    const box = this.element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private fit(): void {
    const { clientWidth, clientHeight } = this.element;
    const ratio = devicePixelRatio || 1;
    const wide = Math.round(clientWidth * ratio);
    const tall = Math.round(clientHeight * ratio);
    if (clientWidth === 0 || (wide === this.element.width && tall === this.element.height)) return;
    this.element.width = wide;
    this.element.height = tall;
    this.width = clientWidth;
    this.height = clientHeight;
    this.onSize?.(clientWidth, clientHeight);
    // Resizing has emptied the canvas: waiting a frame would show as a flash.
    cancelAnimationFrame(this.asked);
    this.paint();
  }

  private paint(): void {
    this.asked = 0;
    if (this.width === 0) return;
    const ratio = this.element.width / this.width;
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.context.clearRect(0, 0, this.width, this.height);
    this.draw(this.context, this.width, this.height);
  }
}
