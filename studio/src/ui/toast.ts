import { messageOf, ApiError } from "../api/error";
import { h } from "./h";
import { iconButton } from "./controls";
import { icon } from "./icons";

let shelf: HTMLElement | undefined;

export interface ToastOptions {
  kind?: "info" | "done" | "error";
  /** A thing to do about it. */
  action?: { label: string; run: () => void };
  /** Milliseconds; errors stay until they are dismissed. */
  stay_ms?: number;
}

/** A short message in the corner. Returns the function that takes it away. */
export function toast(message: string, options: ToastOptions = {}): () => void {
  shelf ??= document.body.appendChild(h("div.toasts", { role: "region", "aria-label": "Messages" }));
  const kind = options.kind ?? "info";
  const remove = () => element.remove();
  const element = h(
    "div.toast",
    { class: kind, role: kind === "error" ? "alert" : "status" },
    icon(kind === "error" ? "warning" : kind === "done" ? "check" : "info"),
    h("span.toast-text", null, message),
    options.action &&
      h(
        "button.button.quiet",
        { type: "button", onclick: () => (options.action?.run(), remove()) },
        options.action.label,
      ),
    iconButton("close", "Dismiss", remove),
  );
  shelf.append(element);
  while (shelf.childElementCount > 5) shelf.firstElementChild?.remove();
  if (kind !== "error") setTimeout(remove, options.stay_ms ?? 5000);
  return remove;
}

/** Tells of a failure; a request that we gave up ourselves is none. */
export function toastError(error: unknown, doing?: string): void {
  if (error instanceof ApiError && error.code === "aborted") return;
  toast(doing ? `${doing}: ${messageOf(error)}` : messageOf(error), { kind: "error" });
}
