/** A scrub bar with marks, for views without a timeline of their own. */
import { h } from "../ui/h";
import { clockTime } from "../ui/format";
import type { Stage } from "./stage";

interface ScrubMark {
  start_s: number;
  end_s?: number;
  colour?: string;
  title?: string;
  /** It is strongest at its start and gone at its end. */
  fades?: boolean;
}

export interface Scrub {
  element: HTMLElement;
  setMarks(marks: readonly ScrubMark[]): void;
}

export function scrubBar(stage: Stage): Scrub {
  const { clock } = stage;
  const marksBox = h("div.scrub-marks", { "aria-hidden": "true" });
  const fill = h("div.scrub-fill");
  const input = h("input", {
    type: "range",
    min: "0",
    max: "1",
    step: "any",
    "aria-label": "Time",
    oninput: () => clock.seek(input.valueAsNumber),
  });
  let marks: readonly ScrubMark[] = [];
  let drawnFor = -1;
  const draw = () => {
    drawnFor = clock.duration;
    const span = clock.duration || 1;
    marksBox.replaceChildren(
      ...marks.map((mark) => {
        const element = h("span.scrub-mark", { class: mark.fades ? "fades" : "", title: mark.title ?? "" });
        element.style.left = `${(mark.start_s / span) * 100}%`;
        element.style.width = `${(((mark.end_s ?? mark.start_s) - mark.start_s) / span) * 100}%`;
        if (mark.colour) element.style.setProperty("--dot", mark.colour);
        return element;
      }),
    );
  };
  const show = () => {
    if (drawnFor !== clock.duration) {
      input.max = String(clock.duration);
      draw();
    }
    input.valueAsNumber = clock.time;
    input.setAttribute("aria-valuetext", `${clockTime(clock.time)}, frame ${clock.frame}`);
    fill.style.width = `${(clock.time / (clock.duration || 1)) * 100}%`;
  };
  clock.listen(show);
  show();
  return {
    element: h("div.scrub", null, marksBox, fill, input),
    setMarks: (next) => {
      marks = next;
      draw();
    },
  };
}
