/** Numbers against their bars, and wishes in time against what came of them. */
import type { Bar } from "../api/types";
import { h, type Child } from "../ui/h";
import { icon } from "../ui/icons";
import { tooltip } from "../ui/tooltip";
import { barWords, figure } from "./quality";
import { wishTitle, wishWords, type TimeWish } from "./time-wishes";

interface Shown {
  readonly title: string;
  readonly pass: boolean;
  /** How much of what is allowed is used up. */
  readonly used: number;
  readonly value: Child;
  /** For screen readers. */
  readonly label: string;
  readonly tip: string;
}

/** The bar stands at three quarters, so that what passes has room and what fails shows. */
function shown({ title, pass, used, value, label, tip }: Shown): HTMLElement {
  const share = Math.min(1, 0.75 * used);
  const element = h(
    "div.quality-bar",
    { class: pass ? "good" : "bad", tabIndex: 0, role: "img", "aria-label": label },
    h("span.quality-name", null, icon(pass ? "check" : "warning"), title),
    h(
      "span.quality-track",
      null,
      h("span.quality-fill", { style: { width: `${share * 100}%` } }),
      h("span.quality-mark"),
    ),
    h("span.quality-value.numbers", null, value),
  );
  tooltip(element, tip);
  return element;
}

export function qualityBar(bar: Bar): HTMLElement {
  const words = barWords(bar);
  const value = bar.value ?? 0;
  return shown({
    title: words.title,
    pass: bar.pass,
    used: bar.bar > 0 ? value / bar.bar : value > 0 ? 2 : 0,
    value: [figure(bar.value), h("span.muted", null, ` / ${figure(bar.bar)} ${bar.unit}`)],
    label: `${words.sentence} ${words.means}. ${bar.pass ? "" : words.helps}`,
    tip: `${words.means || words.title}.${bar.pass ? "" : ` ${words.helps}`}`,
  });
}

/** How far from its wish a motion is: the mark is what may be missed before it counts as not kept. */
export function timeBar(wish: TimeWish): HTMLElement {
  const { asked, found, within, unit, kept } = wish;
  const title = wishTitle(wish);
  const sentence = `${title}: ${wishWords(wish)}; wished for was ${figure(asked)} ${unit}, within ${figure(within)} ${unit}: ${kept ? "kept" : "not kept"}.`;
  const element = shown({
    title,
    pass: kept,
    used: within > 0 ? Math.abs(found - asked) / within : 0,
    value: [figure(found), h("span.muted", null, ` for ${figure(asked)} ${unit}`)],
    label: sentence,
    tip: sentence,
  });
  element.classList.add("time-bar");
  return element;
}
