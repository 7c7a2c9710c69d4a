/** Buttons, toggles, sliders and fields: native elements underneath, so keyboard and screen readers work as they do everywhere. */
import { h, type Child, type Props } from "./h";
import { icon, type IconName } from "./icons";
import { tooltip } from "./tooltip";

export interface ButtonOptions {
  label: string;
  icon?: IconName;
  kind?: "plain" | "primary" | "danger" | "quiet";
  /** Shown as a tooltip; also the place for the keyboard shortcut. */
  title?: string;
  disabled?: boolean;
  onClick: (event: MouseEvent) => void;
}

export function button(options: ButtonOptions): HTMLButtonElement {
  const element = h(
    "button.button",
    { type: "button", class: options.kind ?? "plain", onclick: options.onClick, disabled: options.disabled ?? false },
    options.icon && icon(options.icon),
    h("span", null, options.label),
  );
  if (options.title) tooltip(element, options.title);
  return element;
}

/** A button of an icon alone; `label` is its accessible name and tooltip. */
export function iconButton(
  name: IconName,
  label: string,
  onClick: (event: MouseEvent) => void,
  props: Props = {},
): HTMLButtonElement {
  const element = h(
    "button.icon-button",
    { type: "button", "aria-label": label, onclick: onClick, ...props },
    icon(name),
  );
  tooltip(element, label);
  return element;
}

export interface Toggle {
  element: HTMLButtonElement;
  set(on: boolean): void;
}

export function iconToggle(name: IconName, label: string, on: boolean, onChange: (on: boolean) => void): Toggle {
  const element = iconButton(name, label, () => {
    set(!isOn());
    onChange(isOn());
  });
  const isOn = () => element.getAttribute("aria-pressed") === "true";
  const set = (value: boolean) => element.setAttribute("aria-pressed", String(value));
  set(on);
  return { element, set };
}

export interface SliderOptions {
  label: string;
  min: number;
  max: number;
  step?: number;
  value: number;
  /** How the value is spoken and shown, such as "12.5 cm". */
  format?: (value: number) => string;
  onInput: (value: number) => void;
  onCommit?: (value: number) => void;
}

export interface Slider {
  element: HTMLElement;
  input: HTMLInputElement;
  set(value: number): void;
}

export function slider(options: SliderOptions): Slider {
  const format = options.format ?? String;
  const output = h("output.slider-value");
  const input = h("input", {
    type: "range",
    min: String(options.min),
    max: String(options.max),
    step: String(options.step ?? "any"),
    "aria-label": options.label,
    oninput: () => {
      show();
      options.onInput(input.valueAsNumber);
    },
    onchange: () => options.onCommit?.(input.valueAsNumber),
  });
  const show = () => {
    output.textContent = format(input.valueAsNumber);
    input.setAttribute("aria-valuetext", format(input.valueAsNumber));
    const part = (input.valueAsNumber - options.min) / (options.max - options.min || 1);
    input.style.setProperty("--part", String(part));
  };
  const set = (value: number) => {
    input.valueAsNumber = value;
    show();
  };
  set(options.value);
  return { element: h("label.slider", null, h("span.slider-label", null, options.label), input, output), input, set };
}

export interface NumberFieldOptions {
  label: string;
  value: number | null;
  min?: number;
  max?: number;
  step?: number;
  unit?: string;
  /** Shown in the empty field; an empty field gives null. */
  placeholder?: string;
  /** Told why a number out of bounds is not taken; without it, it is taken to the nearest that may be. */
  onRefuse?: (words: string) => void;
  onChange: (value: number | null) => void;
}

export interface NumberField {
  element: HTMLElement;
  input: HTMLInputElement;
  set(value: number | null): void;
}

/** Why a number is not taken; nothing of one within its bounds. */
export function refusal(
  value: number,
  { min, max, unit }: Pick<NumberFieldOptions, "min" | "max" | "unit">,
): string | null {
  const shown = (n: number) => `${n}${unit ? ` ${unit}` : ""}`;
  if (min !== undefined && value < min) return `${shown(value)} is too little: ${shown(min)} is the least.`;
  if (max !== undefined && value > max) return `${shown(value)} is too much: ${shown(max)} is the most.`;
  return null;
}

export function numberField(options: NumberFieldOptions): NumberField {
  let kept = options.value;
  const input = h("input", {
    type: "number",
    inputMode: "decimal",
    step: String(options.step ?? "any"),
    ...(options.min === undefined ? {} : { min: String(options.min) }),
    ...(options.max === undefined ? {} : { max: String(options.max) }),
    placeholder: options.placeholder ?? "",
    onchange: () => {
      if (input.value === "" && options.placeholder !== undefined) {
        kept = null;
        return options.onChange(null);
      }
      const refused = options.onRefuse ? refusal(input.valueAsNumber, options) : null;
      if (refused) {
        set(kept);
        return options.onRefuse?.(refused);
      }
      const wished = Number.isFinite(input.valueAsNumber) ? input.valueAsNumber : (options.value ?? options.min ?? 0);
      const value = Math.min(options.max ?? Infinity, Math.max(options.min ?? -Infinity, wished));
      set(value);
      options.onChange(value);
    },
  });
  const set = (value: number | null) => {
    kept = value;
    input.value = value === null ? "" : String(value);
  };
  set(options.value);
  const element = h(
    "label.field",
    null,
    h("span.field-label", null, options.label),
    h("span.field-box", null, input, options.unit && h("span.unit", null, options.unit)),
  );
  return { element, input, set };
}

export function checkbox(
  label: string,
  on: boolean,
  onChange: (on: boolean) => void,
): { element: HTMLElement; input: HTMLInputElement } {
  const input = h("input", { type: "checkbox", checked: on, onchange: () => onChange(input.checked) });
  return { element: h("label.checkbox", null, input, h("span", null, label)), input };
}

export interface Choice<T extends string> {
  value: T;
  label: string;
  icon?: IconName;
  title?: string;
}

export interface Segmented<T extends string> {
  element: HTMLElement;
  set(value: T): void;
}

let groups = 0;

/** One of a few, side by side (radio buttons underneath). */
export function segmented<T extends string>(
  label: string,
  choices: readonly Choice<T>[],
  value: T,
  onChange: (value: T) => void,
): Segmented<T> {
  const name = `group-${++groups}`;
  const inputs = choices.map((choice) =>
    h("input", {
      type: "radio",
      name,
      value: choice.value,
      checked: choice.value === value,
      "aria-label": choice.label,
      onchange: () => onChange(choice.value),
    }),
  );
  const items: Child[] = choices.map((choice, index) => {
    const item = h(
      "label.segment",
      null,
      inputs[index],
      choice.icon ? icon(choice.icon) : null,
      h("span", null, choice.label),
    );
    if (choice.title) tooltip(item, choice.title);
    return item;
  });
  const element = h("div.segmented", { role: "radiogroup", "aria-label": label }, items);
  return { element, set: (next) => inputs.forEach((input) => (input.checked = input.value === next)) };
}

export function select<T extends string>(
  label: string,
  choices: readonly Choice<T>[],
  value: T,
  onChange: (value: T) => void,
): { element: HTMLElement; input: HTMLSelectElement } {
  const input = h(
    "select",
    { onchange: () => onChange(input.value as T) },
    choices.map((choice) => h("option", { value: choice.value, selected: choice.value === value }, choice.label)),
  );
  return { element: h("label.field", null, h("span.field-label", null, label), input), input };
}

/** Progress from 0 to 1, or of unknown length when null. */
export function progressBar(label: string): { element: HTMLElement; set(part: number | null): void } {
  const fill = h("div.progress-fill");
  const element = h(
    "div.progress",
    { role: "progressbar", "aria-label": label, "aria-valuemin": "0", "aria-valuemax": "100" },
    fill,
  );
  const set = (part: number | null) => {
    element.classList.toggle("unknown", part === null);
    if (part === null) element.removeAttribute("aria-valuenow");
    else {
      element.setAttribute("aria-valuenow", String(Math.round(part * 100)));
      fill.style.width = `${part * 100}%`;
    }
  };
  set(0);
  return { element, set };
}
