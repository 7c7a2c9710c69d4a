/** Words over the picture, as elements: sharp, selectable by the theme, read by screen readers. */
import { Vector3, type Camera } from "three";
import { h } from "../ui/h";
import type { Vec } from "./vec";

interface LabelStyle {
  colour?: string;
  /** The point is at the lower edge of the words instead of their middle. */
  above?: boolean;
}

interface Label {
  element: HTMLElement;
  at: Vec;
  above: boolean;
  /** Pixels; measured once per text, because measuring makes the browser lay out the page. */
  width: number;
}

const LINE = 22;

export class Overlay {
  readonly element = h("div.stage-overlay");
  private readonly labels = new Map<string, Label>();
  private readonly scratch = new Vector3();

  set(key: string, text: string, at: Vec, style: LabelStyle = {}): void {
    let label = this.labels.get(key);
    if (!label) {
      label = { element: h("span.stage-label"), at, above: false, width: 0 };
      this.labels.set(key, label);
      this.element.append(label.element);
    }
    label.at = at;
    label.above = style.above ?? false;
    if (label.element.textContent !== text) {
      label.element.textContent = text;
      label.width = 0;
    }
    if (style.colour) label.element.style.setProperty("--dot", style.colour);
    label.element.classList.toggle("dotted", style.colour !== undefined);
  }

  remove(key: string): void {
    this.labels.get(key)?.element.remove();
    this.labels.delete(key);
  }

  place(camera: Camera, width: number, height: number): void {
    const taken: { x: number; y: number; half: number }[] = [];
    for (const label of this.labels.values()) {
      const { element, at, above } = label;
      this.scratch.set(at[0], at[1], at[2]).project(camera);
      const seen = this.scratch.z < 1 && Math.abs(this.scratch.x) < 1.1 && Math.abs(this.scratch.y) < 1.1;
      element.hidden = !seen;
      if (!seen) continue;
      const x = ((this.scratch.x + 1) / 2) * width;
      label.width ||= element.offsetWidth;
      const half = label.width / 2;
      let y = ((1 - this.scratch.y) / 2) * height;
      // Words that would lie on others move up, a line at a time.
      while (taken.some((other) => Math.abs(other.y - y) < LINE - 2 && Math.abs(other.x - x) < other.half + half))
        y -= LINE;
      taken.push({ x, y, half });
      element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, ${above ? "-100%" : "-50%"})`;
    }
  }
}
