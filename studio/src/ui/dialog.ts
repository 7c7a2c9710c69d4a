/** Dialogs on the native `<dialog>`: focus stays inside, Escape closes, focus returns to where it was. */
import { h, type Child } from "./h";
import { button, iconButton } from "./controls";

interface DialogAction<T> {
  label: string;
  kind?: "plain" | "primary" | "danger";
  value: T;
}

export interface DialogOptions<T> {
  title: string;
  body: Child;
  actions: readonly DialogAction<T>[];
  /** Wider than a question needs. */
  wide?: boolean;
}

/** Resolves with the chosen action's value, or null when dismissed. */
export function openDialog<T>(options: DialogOptions<T>): Promise<T | null> {
  return new Promise((resolve) => {
    let answer: T | null = null;
    const before = document.activeElement;
    const finish = (value: T | null) => {
      answer = value;
      dialog.close();
    };
    const buttons = options.actions.map((action) =>
      button({ label: action.label, kind: action.kind ?? "plain", onClick: () => finish(action.value) }),
    );
    const dialog = h(
      "dialog.dialog",
      { "aria-label": options.title, class: options.wide ? "wide" : "" },
      h(
        "header",
        null,
        h("h2", null, options.title),
        iconButton("close", "Close", () => finish(null)),
      ),
      h("div.dialog-body", null, options.body),
      buttons.length > 0 && h("footer", null, buttons),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (before instanceof HTMLElement) before.focus();
      resolve(answer);
    });
    dialog.addEventListener("pointerdown", (event) => event.target === dialog && finish(null));
    // Enter in a field is the primary action, as in any form.
    dialog.addEventListener("keydown", (event) => {
      event.stopPropagation();
      const primary = options.actions.find((action) => action.kind === "primary");
      if (event.key === "Enter" && event.target instanceof HTMLInputElement && primary) {
        event.preventDefault();
        event.target.blur(); // commits the field first
        finish(primary.value);
      }
    });
    document.body.append(dialog);
    dialog.showModal();
    const first = dialog.querySelector<HTMLElement>(
      "[autofocus], .dialog-body input, .dialog-body select, footer .primary, footer .danger",
    );
    first?.focus();
  });
}

export async function confirmDialog(
  title: string,
  text: string,
  yes: string,
  kind: "primary" | "danger" = "primary",
): Promise<boolean> {
  const answer = await openDialog({
    title,
    body: h("p", null, text),
    actions: [
      { label: "Cancel", value: false },
      { label: yes, kind, value: true },
    ],
  });
  return answer === true;
}

/** Asks for a line of text; null when dismissed or empty. */
export async function promptDialog(
  title: string,
  label: string,
  value: string,
  suggestions: readonly string[] = [],
): Promise<string | null> {
  const list = h(
    "datalist",
    { id: `suggest-${Math.random().toString(36).slice(2)}` },
    suggestions.map((text) => h("option", { value: text })),
  );
  const input = h("input", { type: "text", value, maxLength: 120, autofocus: true, list: list.id });
  const answer = await openDialog({
    title,
    body: [h("label.field", null, h("span.field-label", null, label), input), list],
    actions: [
      { label: "Cancel", value: false },
      { label: "OK", kind: "primary", value: true },
    ],
  });
  const text = input.value.trim();
  return answer && text !== "" ? text : null;
}
