/**
 * The address after `#`: `#/library/walk-01`, `#/graph/thresholds`, `#/make/job-7?member=2`. Links and the back button work, and a
 * reload lands where one was.
 */

export const VIEW_NAMES = ["library", "graph", "make"] as const;
export type ViewName = (typeof VIEW_NAMES)[number];

export type Params = Readonly<Record<string, string>>;

export interface Route {
  /** null: the address leads nowhere. */
  readonly view: ViewName | null;
  readonly params: Params;
}

/** What the parts of an address after the view stand for; all else comes after a question mark. */
const PLACES: Readonly<Record<ViewName, readonly string[]>> = {
  library: ["clip", "tab"],
  graph: ["tab"],
  make: ["result"],
};

export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = split(hash.replace(/^#\/?/, ""), "?");
  const parts = path
    .split("/")
    .filter((part) => part !== "")
    .map(decoded);
  const asked = Object.fromEntries(new URLSearchParams(query));
  if (parts.length === 0) return { view: "library", params: asked };
  const view = VIEW_NAMES.find((known) => known === parts[0]);
  const places = view ? PLACES[view] : [];
  if (!view || parts.length - 1 > places.length) return { view: null, params: {} };
  const named = parts.slice(1).map((part, k): [string, string] => [places[k] ?? "", part]);
  return { view, params: { ...asked, ...Object.fromEntries(named) } };
}

export function routeHash(view: ViewName, params: Params = {}): string {
  const rest = { ...params };
  let path = `#/${view}`;
  for (const place of PLACES[view]) {
    const value = rest[place];
    // A later part cannot stand without the one before it: then it is asked for by name.
    if (value === undefined || value === "") break;
    path += `/${encodeURIComponent(value)}`;
    delete rest[place];
  }
  const query = new URLSearchParams(rest).toString();
  return query ? `${path}?${query}` : path;
}

function split(text: string, at: string): [string, string] {
  const k = text.indexOf(at);
  return k < 0 ? [text, ""] : [text.slice(0, k), text.slice(k + 1)];
}

/** An address typed by hand may hold a lone `%`. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
