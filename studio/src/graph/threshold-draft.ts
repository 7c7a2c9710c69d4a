/** Thresholds that were changed and not applied, kept over a reload of this tab. */
import { matrixOf, type Matrix } from "./matrix-model";

/** The part of `Storage` that is needed. */
export interface Shelf {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const KEY = "gaitway.thresholds.draft";

/** Nothing is kept where nothing was changed. */
export function keepDraft(shelf: Shelf, project: string, draft: Matrix | null): void {
  try {
    if (draft) shelf.setItem(KEY, JSON.stringify({ project, ...draft }));
    else shelf.removeItem(KEY);
  } catch {
    // Full or forbidden: then the draft goes with the page.
  }
}

/** What was kept, where it is of this project and of these labels; else nothing. */
export function draftOf(shelf: Shelf, project: string, saved: Matrix): Matrix | null {
  try {
    const kept = JSON.parse(shelf.getItem(KEY) ?? "null") as (Partial<Matrix> & { project?: string }) | null;
    if (kept?.project !== project || kept.labels?.join("\n") !== saved.labels.join("\n")) return null;
    const number = (v: unknown) => typeof v === "number" && v >= 0 && v <= saved.ceiling;
    const sound = number(kept.default) && kept.cells?.every((row) => row.every((cm) => cm === null || number(cm)));
    return sound ? matrixOf(saved.labels, kept.default ?? 0, saved.ceiling, kept.cells ?? []) : null;
  } catch {
    return null;
  }
}
