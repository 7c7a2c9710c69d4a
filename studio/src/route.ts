/** The address after `#`: `#library?clip=walk-01`. Links and the back button work, and a reload lands where one was. */

export const VIEW_NAMES = ["library", "graph", "make"] as const;
export type ViewName = (typeof VIEW_NAMES)[number];

export interface Route {
  view: ViewName;
  params: Record<string, string>;
}

export function parseRoute(hash: string): Route {
  const [name = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const view = VIEW_NAMES.find((known) => known === name) ?? "library";
  return { view, params: Object.fromEntries(new URLSearchParams(query)) };
}

export function routeHash(view: ViewName, params: Record<string, string> = {}): string {
  const query = new URLSearchParams(params).toString();
  return query ? `#${view}?${query}` : `#${view}`;
}
