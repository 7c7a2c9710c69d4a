/** What is on the screen but cannot be read or reached whole. */
import type { Page } from "playwright-core";

/** Names that people choose may be longer than any room: these show their end and carry the whole name in their title. */
const SHORTENED = ".long-name, .result-name, .project-name";
/** Drawings with labels of their own, and what scrolls by nature. */
const APART = ".tl-scroll, .stage-overlay, svg, canvas, .sr-only, .visually-hidden, [aria-hidden=true]";

/** Controls and their words that are cut off; empty where all is well. */
export async function cuts(page: Page): Promise<string[]> {
  return page.evaluate(
    ({ shortened, apart }) => {
      const found = new Set<string>();
      const name = (e: Element) =>
        `${e.tagName.toLowerCase()}.${[...e.classList].join(".")} "${(e.getAttribute("aria-label") ?? e.textContent ?? "").trim().slice(0, 40)}"`;
      const ruler = document.createElement("canvas").getContext("2d")!;
      const widthOf = (text: string, e: Element) => {
        ruler.font = getComputedStyle(e).font;
        return ruler.measureText(text).width;
      };
      const room = (e: Element) => {
        const style = getComputedStyle(e);
        return e.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      };
      for (const e of document.querySelectorAll("body *")) {
        if (e.closest(apart) || !e.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true })) continue;
        const box = e.getBoundingClientRect();
        if (box.width < 2 || box.height < 2) continue;
        if (e instanceof HTMLSelectElement) {
          // The arrow takes about its height's half.
          const text = e.selectedOptions[0]?.textContent ?? "";
          const over = widthOf(text, e) + 20 - e.clientWidth + parseFloat(getComputedStyle(e).paddingLeft);
          if (over > 0) found.add(`${name(e)} shows “${text}” with ${over.toFixed(0)} px cut`);
        } else if (e instanceof HTMLInputElement && ["number", "text", "search"].includes(e.type)) {
          const text = e.value || e.placeholder;
          const over = widthOf(text, e) - room(e);
          if (over > 1) found.add(`${name(e)} shows “${text}” with ${over.toFixed(0)} px cut`);
        } else if (!e.matches(shortened) && !e.closest(shortened)) {
          const style = getComputedStyle(e);
          const own = [...e.childNodes].some(
            (n) => n.nodeType === Node.TEXT_NODE && (n.textContent ?? "").trim() !== "",
          );
          if (
            own &&
            style.overflowX !== "visible" &&
            e.scrollWidth > e.clientWidth + 1 &&
            !["auto", "scroll"].includes(style.overflowX)
          )
            found.add(`${name(e)} is cut by ${e.scrollWidth - e.clientWidth} px`);
        }
        if (!e.matches("button, a[href], input, select, summary, label, [role=tab]")) continue;
        // Beyond a box that hides and does not scroll.
        for (let up = e.parentElement; up && up !== document.body; up = up.parentElement) {
          const style = getComputedStyle(up);
          const edge = up.getBoundingClientRect();
          if (style.position === "fixed") break;
          if (
            style.overflowX !== "visible" &&
            !["auto", "scroll"].includes(style.overflowX) &&
            (box.right > edge.right + 1 || box.left < edge.left - 1)
          )
            found.add(`${name(e)} reaches over ${name(up).slice(0, 60)} sideways`);
          if (["auto", "scroll"].includes(style.overflowY)) break;
          if (style.overflowY !== "visible" && (box.bottom > edge.bottom + 1 || box.top < edge.top - 1))
            found.add(`${name(e)} reaches over ${name(up).slice(0, 60)} in height`);
        }
        if (box.right > innerWidth + 1) found.add(`${name(e)} reaches beyond the screen`);
        // Under something else. What is scrolled out of its box is not on the screen.
        const seen = (x: number, y: number) => {
          for (let up = e.parentElement; up; up = up.parentElement) {
            if (getComputedStyle(up).overflowY === "visible") continue;
            const edge = up.getBoundingClientRect();
            if (x < edge.left || x > edge.right || y < edge.top || y > edge.bottom) return false;
          }
          return true;
        };
        const middle = box.left + box.width / 2;
        for (const y of [box.top + 4, box.bottom - 4]) {
          if (y < 0 || y > innerHeight || !seen(middle, y)) continue;
          const top = document.elementFromPoint(middle, y);
          const group = e.closest("label, .segment, .search-box, .clip-cards li, .results-list li") ?? e;
          if (
            top &&
            !e.contains(top) &&
            !top.contains(e) &&
            !group.contains(top) &&
            !document.querySelector("dialog[open]")
          )
            found.add(`${name(e)} is covered by ${name(top)}`);
        }
      }
      return [...found];
    },
    { shortened: SHORTENED, apart: APART },
  );
}
