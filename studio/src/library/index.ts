import type { Mount } from "../app";
import { h } from "../ui/h";

export const mount: Mount = (root) => {
  root.append(h("div.empty", null, h("h2", null, "The library is being written")));
  return { show: () => {}, hide: () => {}, dispose: () => root.replaceChildren() };
};
