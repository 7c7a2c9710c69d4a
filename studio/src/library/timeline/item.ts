/** What an interval says of itself, to the eye and to a screen reader: a slider over the clip's frames. */
import { clockTime } from "../../ui/format";
import type { Interval } from "./model";

export function describeItem(
  element: HTMLElement,
  item: Interval,
  text: string,
  frames: number,
  rate_hz: number,
): void {
  element.firstElementChild!.textContent = text;
  element.setAttribute("aria-label", text === item.lane ? `${text}, interval` : `${item.lane}, ${text}, interval`);
  element.setAttribute("aria-valuemin", "0");
  element.setAttribute("aria-valuemax", String(frames));
  element.setAttribute("aria-valuenow", String(item.start));
  element.setAttribute("aria-valuetext", `from ${clockTime(item.start / rate_hz)} to ${clockTime(item.end / rate_hz)}`);
}
