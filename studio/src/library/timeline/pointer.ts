/** Pointers on the timeline. */
import type { Grip } from "./drag";

/** Pixels at each end of an interval that change its length. */
const HANDLE = 7;

export function gripAt(element: HTMLElement, x: number): Grip {
  const box = element.getBoundingClientRect();
  // Short intervals keep a middle by which they can be moved.
  const handle = Math.min(HANDLE, box.width / 4);
  if (x < box.left + handle) return "start";
  return x > box.right - handle ? "end" : "move";
}

/** Follows the pointer until it is let go; Escape takes the whole thing back. */
export function followPointer(
  event: PointerEvent,
  element: HTMLElement,
  move: (event: PointerEvent) => void,
  end: (cancelled: boolean) => void,
): void {
  element.setPointerCapture(event.pointerId);
  const key = (e: KeyboardEvent) => {
    if (e.key === "Escape") finish(true);
  };
  const up = () => finish(false);
  const cancel = () => finish(true);
  const finish = (cancelled: boolean) => {
    element.removeEventListener("pointermove", move);
    element.removeEventListener("pointerup", up);
    element.removeEventListener("pointercancel", cancel);
    removeEventListener("keydown", key, true);
    end(cancelled);
  };
  element.addEventListener("pointermove", move);
  element.addEventListener("pointerup", up);
  element.addEventListener("pointercancel", cancel);
  addEventListener("keydown", key, true);
}
