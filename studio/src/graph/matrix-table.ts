/**
 * The table of thresholds: a row per label left, a column per label entered. A grid as the ARIA practices describe it:
 * arrows move, plus and minus change the number, Delete goes back to the default, digits type a number.
 */
import { labelStyle } from "../ui/label-colours";
import { h, replaceChildren } from "../ui/h";
import { cmText, effective, isOwn, setCell, step, type Matrix } from "./matrix-model";
import { isMark } from "../ui/marks";

export interface MatrixEvents {
  /** While a number is changing, and once more with `done` at the end. */
  onChange(matrix: Matrix, done: boolean): void;
  onSelect(row: number, column: number): void;
}

/** Pixels of a sideways drag that make a centimetre. */
const PIXELS_PER_CM = 12;

export class MatrixTable {
  readonly element = h("div.matrix-scroll", { tabIndex: -1 });
  private matrix: Matrix | null = null;
  private cells: HTMLTableCellElement[][] = [];
  /** Labels that have a row and a column, by place. */
  private shown: readonly number[] = [];
  private candidates: readonly (readonly number[])[] = [];
  private reach: readonly (readonly boolean[])[] | null = null;
  private at: readonly [number, number] = [0, 0];
  private typed = "";

  constructor(private readonly events: MatrixEvents) {}

  get selected(): readonly [number, number] {
    return this.at;
  }

  /** A new set of labels: the table is made anew. */
  setLabels(matrix: Matrix, candidates: readonly (readonly number[])[]): void {
    this.matrix = matrix;
    this.candidates = candidates;
    this.at = [0, 0];
    const { labels } = matrix;
    // Thresholds do not go by who somebody is.
    this.shown = [...labels.keys()].filter((k) => !isMark(labels[k]!));
    const chip = (label: string) => h("span.chip.label-colour", { style: labelStyle(label) }, label);
    this.cells = labels.map((_, r) => labels.map((_, c) => this.cell(r, c)));
    const head = h(
      "tr",
      null,
      h("td.matrix-corner", null, h("span", null, "from ↓"), h("span", null, "to →")),
      this.shown.map((c) => h("th", { scope: "col" }, chip(labels[c]!))),
    );
    const rows = this.shown.map((r) =>
      h(
        "tr",
        null,
        h("th", { scope: "row" }, chip(labels[r]!)),
        this.shown.map((c) => this.cells[r]![c]!),
      ),
    );
    replaceChildren(
      this.element,
      h(
        "table.matrix",
        {
          role: "grid",
          class: this.shown.length > 7 ? "many" : "",
          "aria-label": "Thresholds in centimetres, from the row's label to the column's",
        },
        h("thead", null, head),
        h("tbody", null, rows),
      ),
    );
    this.update(matrix, this.reach);
  }

  update(matrix: Matrix, reach: readonly (readonly boolean[])[] | null): void {
    this.matrix = matrix;
    this.reach = reach;
    this.cells.forEach((row, r) => row.forEach((cell, c) => this.paint(cell, r, c)));
  }

  /** The selected pair in words. */
  get words(): string {
    return this.cells[this.at[0]]?.[this.at[1]]?.getAttribute("aria-label") ?? "";
  }

  go(row: number, column: number): void {
    this.cells[row]?.[column]?.focus();
  }

  private cell(r: number, c: number): HTMLTableCellElement {
    const cell = h("td.matrix-cell", {
      role: "gridcell",
      onfocus: () => this.select(r, c),
      onkeydown: (e) => this.key(e, r, c),
      onpointerdown: (e) => this.drag(e, r, c),
      onblur: () => (this.typed = ""),
    });
    cell.append(h("span.matrix-fill"), h("span.matrix-number"), h("span.matrix-count"));
    return cell;
  }

  private paint(cell: HTMLTableCellElement, r: number, c: number): void {
    const m = this.matrix;
    if (!m) return;
    const cm = effective(m, r, c);
    const own = isOwn(m, r, c);
    const reached = this.reach?.[r]?.[c] ?? true;
    const candidates = this.candidates[r]?.[c] ?? 0;
    const selected = this.at[0] === r && this.at[1] === c;
    const [fill, number] = cell.children as unknown as [HTMLElement, HTMLElement];
    fill.style.width = `${(100 * cm) / Math.max(m.ceiling, 1e-9)}%`;
    number.textContent = cmText(cm);
    cell.classList.toggle("own", own);
    cell.classList.toggle("unreached", !reached);
    cell.classList.toggle("empty-cell", candidates === 0);
    cell.classList.toggle("selected", selected);
    cell.tabIndex = selected ? 0 : -1;
    cell.setAttribute("aria-selected", String(selected));
    const from = m.labels[r] ?? "";
    const to = m.labels[c] ?? "";
    const words = [
      `${from} to ${to}: ${cmText(cm)} cm${own ? "" : ", the default"}`,
      `${candidates.toLocaleString("en")} candidates`,
      ...(reached ? [] : [`no way from ${from} to ${to}`]),
    ].join(", ");
    cell.setAttribute("aria-label", words);
  }

  private select(r: number, c: number): void {
    const before = this.at;
    this.at = [r, c];
    for (const [row, column] of [before, this.at]) {
      const cell = this.cells[row]?.[column];
      if (cell) this.paint(cell, row, column);
    }
    this.events.onSelect(r, c);
  }

  private change(r: number, c: number, cm: number | null, done: boolean): void {
    if (!this.matrix) return;
    this.matrix = setCell(this.matrix, r, c, cm);
    this.events.onChange(this.matrix, done);
  }

  private key(event: KeyboardEvent, r: number, c: number): void {
    const m = this.matrix;
    if (!m || event.ctrlKey || event.metaKey || event.altKey) return;
    const place = (k: number) => this.shown.indexOf(k);
    const next = step(this.shown.length, [place(r), place(c)], event.key);
    const to = next && [this.shown[next[0]]!, this.shown[next[1]]!];
    const now = effective(m, r, c);
    if (to) this.cells[to[0]!]?.[to[1]!]?.focus();
    else if (event.key === "+" || event.key === "=") this.change(r, c, now + 0.5, true);
    else if (event.key === "-") this.change(r, c, now - 0.5, true);
    else if (event.key === "PageUp") this.change(r, c, now + 2, true);
    else if (event.key === "PageDown") this.change(r, c, now - 2, true);
    else if (event.key === "Delete" || event.key === "Backspace") this.change(r, c, null, true);
    else if (/^[\d.]$/.test(event.key)) {
      this.typed += event.key;
      const value = Number(this.typed);
      if (Number.isFinite(value)) this.change(r, c, value, true);
    } else return;
    if (!/^[\d.]$/.test(event.key)) this.typed = "";
    event.preventDefault();
    event.stopPropagation();
  }

  /** A sideways drag changes the number; a click only selects. */
  private drag(event: PointerEvent, r: number, c: number): void {
    const cell = this.cells[r]?.[c];
    const m = this.matrix;
    if (!cell || !m || event.button !== 0) return;
    cell.focus();
    const start = { x: event.clientX, cm: effective(m, r, c) };
    let moved = false;
    cell.setPointerCapture(event.pointerId);
    const move = (e: PointerEvent) => {
      if (!moved && Math.abs(e.clientX - start.x) < 4) return;
      moved = true;
      this.change(r, c, start.cm + (e.clientX - start.x) / PIXELS_PER_CM, false);
    };
    const stop = (e: PointerEvent) => {
      cell.removeEventListener("pointermove", move);
      cell.removeEventListener("pointerup", stop);
      cell.removeEventListener("pointercancel", stop);
      if (moved) this.change(r, c, start.cm + (e.clientX - start.x) / PIXELS_PER_CM, true);
    };
    cell.addEventListener("pointermove", move);
    cell.addEventListener("pointerup", stop);
    cell.addEventListener("pointercancel", stop);
    event.preventDefault();
  }
}
