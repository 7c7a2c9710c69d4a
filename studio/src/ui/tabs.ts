/** Tabs as the ARIA practices describe them: arrows move, the panel is labelled by its tab. */
import { h } from "./h";

export interface Tab {
  id: string;
  label: string;
  panel: HTMLElement;
}

export interface Tabs {
  element: HTMLElement;
  select(id: string): void;
  readonly selected: string;
}

export function tabs(label: string, list: readonly Tab[], onSelect?: (id: string) => void): Tabs {
  let selected = list[0]?.id ?? "";
  const heads = list.map((tab) =>
    h(
      "button.tab",
      {
        type: "button",
        role: "tab",
        id: `tab-${tab.id}`,
        "aria-controls": `panel-${tab.id}`,
        onclick: () => select(tab.id),
      },
      tab.label,
    ),
  );
  for (const tab of list) {
    tab.panel.id = `panel-${tab.id}`;
    tab.panel.setAttribute("role", "tabpanel");
    tab.panel.setAttribute("aria-labelledby", `tab-${tab.id}`);
  }
  const show = () =>
    list.forEach((tab, index) => {
      const on = tab.id === selected;
      tab.panel.hidden = !on;
      heads[index]?.setAttribute("aria-selected", String(on));
      if (heads[index]) heads[index].tabIndex = on ? 0 : -1;
    });
  const select = (id: string) => {
    selected = id;
    show();
    onSelect?.(id);
  };
  const row = h("div.tab-row", { role: "tablist", "aria-label": label }, heads);
  row.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.stopPropagation();
    const index = (list.findIndex((tab) => tab.id === selected) + step + list.length) % list.length;
    select(list[index]?.id ?? selected);
    heads[index]?.focus();
  });
  show();
  return {
    element: h(
      "div.tabs",
      null,
      row,
      list.map((tab) => tab.panel),
    ),
    select,
    get selected() {
      return selected;
    },
  };
}
