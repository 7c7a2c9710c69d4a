/** What a narrow screen would have to be scrolled sideways for. */
import type { Page } from "playwright-core";

/** Things that are wider than a screen by nature, and scroll in a box of their own: time, and tables of numbers. */
const OWN_SCROLL = ".tl-scroll, .matrix-scroll, .alternatives, .stage-overlay";

/** Boxes that scroll sideways, and controls beyond the edge; empty where all is well. */
export async function spills(page: Page): Promise<string[]> {
  return page.evaluate((own) => {
    const found: string[] = [];
    const name = (e: Element) =>
      `${e.tagName.toLowerCase()}.${[...e.classList].join(".")} "${(e.getAttribute("aria-label") ?? e.textContent).trim().slice(0, 40)}"`;
    const wide = document.documentElement.scrollWidth - innerWidth;
    if (wide > 0) found.push(`the page is ${wide} px too wide`);
    for (const element of document.querySelectorAll("body *")) {
      if (element.closest(own) || !element.checkVisibility()) continue;
      const { overflowX } = getComputedStyle(element);
      const over = element.scrollWidth - element.clientWidth;
      if ((overflowX === "auto" || overflowX === "scroll") && over > 1)
        found.push(`${name(element)} scrolls sideways by ${over} px`);
      if (!element.matches("button, a[href], input, select, summary, [role=button]")) continue;
      const { left, right, width } = element.getBoundingClientRect();
      if (width > 0 && (right > innerWidth + 1 || left < -1) && !element.matches(".skip"))
        found.push(`${name(element)} reaches from ${left.toFixed(0)} to ${right.toFixed(0)} px`);
    }
    return found;
  }, OWN_SCROLL);
}
