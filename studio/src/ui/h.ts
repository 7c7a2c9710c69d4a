/**
 * Elements in one expression: `h("button.primary", { onclick, "aria-label": "Play" }, "Play")`.
 * Properties of the element are set as properties, everything with a dash or unknown to it as attributes.
 * Styles go through the CSSOM (`style: { left: "3px" }`): the content policy refuses style attributes.
 */
export type Child = Node | string | number | null | undefined | false | readonly Child[];

type Handlers = {
  [K in keyof GlobalEventHandlersEventMap as `on${K}`]?: (event: GlobalEventHandlersEventMap[K]) => void;
};

export type Props = Handlers & {
  style?: Record<string, string>;
  class?: string;
  dataset?: Record<string, string>;
  ref?: (element: HTMLElement) => void;
  [name: string]: unknown;
};

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K | `${K}.${string}`,
  props?: Props | null,
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name as K);
  if (classes.length > 0) element.className = classes.join(" ");
  if (props) setProps(element, props);
  append(element, children);
  return element;
}

function setProps(element: HTMLElement, props: Props): void {
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null) continue;
    if (key === "style") setStyle(element, value as Record<string, string>);
    else if (key === "class") element.classList.add(...(value as string).split(" ").filter(Boolean));
    else if (key === "dataset") Object.assign(element.dataset, value);
    else if (key === "ref") (value as (element: HTMLElement) => void)(element);
    else if (key.includes("-") || !(key in element) || key === "role" || key === "list") {
      // What is given as an attribute is a text or a number.
      if (value !== false) element.setAttribute(key, value === true ? "" : `${value as string | number}`);
    } else (element as unknown as Record<string, unknown>)[key] = value;
  }
}

/** Custom properties (`--x`) and camelCase names both work. */
export function setStyle(element: HTMLElement | SVGElement, style: Record<string, string>): void {
  for (const [name, value] of Object.entries(style)) {
    if (name.startsWith("--")) element.style.setProperty(name, value);
    else (element.style as unknown as Record<string, string>)[name] = value;
  }
}

function append(parent: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (child instanceof Node) parent.appendChild(child);
    else if (typeof child === "object") append(parent, child);
    else parent.appendChild(document.createTextNode(String(child)));
  }
}

export function replaceChildren(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  append(parent, children);
}

/** SVG elements; attributes only. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number> = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}
