/** What a key does to the focused interval. */
import { moveBy, setEnd, setStart, settle, type Interval, type Sheet } from "./model";

export interface KeyLike {
  key: string;
  altKey: boolean;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
}

/** The edited sheet, or null when the key is no edit. Arrows move by a frame, with Ctrl by ten; Alt: start; Shift: end. */
export function keyEdit(sheet: Sheet, item: Interval, event: KeyLike): { sheet: Sheet; tag: string } | null {
  const direction = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
  if (direction === 0) return null;
  const frames = direction * (event.ctrlKey || event.metaKey ? 10 : 1);
  if (event.altKey)
    return { sheet: settle(setStart(sheet, item.id, item.start + frames), item.id), tag: `start-${item.id}` };
  if (event.shiftKey)
    return { sheet: settle(setEnd(sheet, item.id, item.end + frames), item.id), tag: `end-${item.id}` };
  return { sheet: settle(moveBy(sheet, item.id, frames), item.id), tag: `move-${item.id}` };
}
