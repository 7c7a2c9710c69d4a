/** The selected pair of the threshold table: its own slider, its number, and what is known about it. */
import { button, numberField, slider, type Slider } from "../ui/controls";
import { h, replaceChildren } from "../ui/h";
import { STEP_CM, cmText, effective, type Matrix } from "./matrix-model";

export class CellEditor {
  readonly element = h("div.cell-editor");
  private readonly facts = h("p.cell-facts.numbers");
  private shown: { key: string; slider: Slider; set(cm: number): void } | null = null;

  constructor(private readonly onChange: (row: number, column: number, cm: number | null) => void) {}

  /** Made anew only when another pair is selected, so that a drag is not cut off. */
  show(matrix: Matrix, [row, column]: readonly [number, number], words: string): void {
    const from = matrix.labels[row];
    const to = matrix.labels[column];
    if (from === undefined || to === undefined) return;
    const cm = effective(matrix, row, column);
    const key = `${from}\n${to}\n${matrix.ceiling}`;
    this.facts.textContent = words;
    if (this.shown?.key === key) {
      this.shown.set(cm);
      return;
    }
    const set = (v: number | null) => this.onChange(row, column, v);
    const bounds = { min: 0, max: matrix.ceiling, step: STEP_CM, value: cm };
    const format = (v: number) => `${cmText(v)} cm`;
    const bar = slider({ label: `${from} → ${to}`, ...bounds, format, onInput: set });
    const field = numberField({ label: "Exactly", ...bounds, unit: "cm", onChange: set });
    const back = button({ label: "Use the default", kind: "quiet", onClick: () => set(null) });
    replaceChildren(this.element, bar.element, field.element, back, this.facts);
    this.shown = {
      key,
      slider: bar,
      set: (v) => {
        if (document.activeElement !== bar.input) bar.set(v);
        field.set(Number(v.toFixed(2)));
      },
    };
  }
}
