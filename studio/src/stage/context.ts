/** The browser may take the GPU away (sleep, driver restart) and give it back later. */
import { h } from "../ui/h";

export function watchContext(
  host: HTMLElement,
  canvas: HTMLCanvasElement,
  on: { lost: () => void; restored: () => void },
): void {
  const notice = h("div.stage-notice", { role: "status", hidden: true }, "The graphics card is away for a moment…");
  host.append(notice);
  canvas.addEventListener("webglcontextlost", (event) => {
    event.preventDefault(); // or it is not given back
    notice.hidden = false;
    on.lost();
  });
  canvas.addEventListener("webglcontextrestored", () => {
    notice.hidden = true;
    on.restored();
  });
}
