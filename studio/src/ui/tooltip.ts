/** One tooltip for the whole page: shown on hover after a moment and at once on keyboard focus, gone on Escape. */
import { h } from "./h";

const DELAY_MS = 450;
let box: HTMLElement | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const texts = new WeakMap<Element, string>();

export function tooltip(target: HTMLElement, text: string): void {
  const known = texts.has(target);
  texts.set(target, text);
  if (known) return;
  target.addEventListener("pointerenter", (event) => {
    if (event.pointerType !== "touch") timer = setTimeout(() => show(target), DELAY_MS);
  });
  target.addEventListener("focus", () => target.matches(":focus-visible") && show(target));
  for (const type of ["pointerleave", "pointerdown", "blur"] as const) target.addEventListener(type, hide);
  target.addEventListener("keydown", (event) => event.key === "Escape" && hide());
}

function show(target: HTMLElement): void {
  if (!target.isConnected) return;
  if (!box) {
    // The name is already on the control, so the tooltip is kept from being read twice.
    box = h("div.tooltip", { "aria-hidden": "true" });
  }
  // Inside the open dialog when there is one: the top layer hides everything else.
  (target.closest("dialog") ?? document.body).append(box);
  box.textContent = texts.get(target) ?? "";
  box.hidden = false;
  const around = target.getBoundingClientRect();
  const own = box.getBoundingClientRect();
  const left = Math.min(Math.max(6, around.left + around.width / 2 - own.width / 2), innerWidth - own.width - 6);
  const below = around.bottom + 7;
  const top = below + own.height > innerHeight - 4 ? around.top - own.height - 7 : below;
  box.style.left = `${left}px`;
  box.style.top = `${top}px`;
}

function hide(): void {
  clearTimeout(timer);
  if (box) box.hidden = true;
}
