import type { Mount } from "../app";
import { h } from "../ui/h";

/** Not written yet: says so. */
export const mount: Mount = (root) => {
  root.append(h("div.empty", null, h("h2", null, "The make view is not in this build"), h("p", null, "The library works: go there to look at clips.")));
  return { show: () => {}, hide: () => {}, dispose: () => root.replaceChildren() };
};
