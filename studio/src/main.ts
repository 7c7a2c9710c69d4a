/** The shell: top bar, the three views, files dropped anywhere, keys that nothing else used. */
import "./ui/tokens.css";
import "./ui/base.css";
import "./ui/controls.css";
import "./shell.css";
import type { App, Mount, View } from "./app";
import { VIEW_NAMES, routeHash, type Route, type ViewName } from "./route";
import { createApp } from "./state";
import { acceptDrops } from "./drop";
import { showShortcuts } from "./shortcuts";
import { h, replaceChildren } from "./ui/h";
import { button, iconButton } from "./ui/controls";
import { icon, type IconName } from "./ui/icons";
import { toggleTheme } from "./ui/theme";
import { messageOf } from "./api/error";
import { awayBar, keepWork, newerBar } from "./away";
import { buildBar } from "./library/build-bar";
import { leftBar, projectButton } from "./projects";

const VIEWS: Record<ViewName, { label: string; icon: IconName; load: () => Promise<{ mount: Mount }> }> = {
  library: { label: "Library", icon: "grid", load: () => import("./library") },
  graph: { label: "Graph", icon: "graph", load: () => import("./graph") },
  make: { label: "Make", icon: "path", load: () => import("./make") },
};

const PREFETCH_AFTER_MS = 1500;

function start(): void {
  const app = createApp();
  const links = VIEW_NAMES.map((name) =>
    h("a", { href: routeHash(name) }, icon(VIEWS[name].icon), h("span", null, VIEWS[name].label)),
  );
  app.places.follow((places) =>
    VIEW_NAMES.forEach((name, k) => links[k]?.setAttribute("href", routeHash(name, places[name]))),
  );
  const root = h("main.views-root", { id: "main", tabIndex: -1 });
  const page = document.getElementById("app") as HTMLElement;
  page.append(
    h(
      "a.skip.button.primary",
      { href: "#main", onclick: (event) => (event.preventDefault(), root.focus()) },
      "Skip to the view",
    ),
    topBar(app, links),
    h("div.bars", null, awayBar(app), newerBar(app), leftBar(app), buildBar(app)),
    root,
  );
  const views = new ViewSwitch(app, root);
  // Between two projects there is none: whatever was on screen belonged to the old one.
  app.project.listen((project) => project === null && views.reset());
  app.route.follow((route) => {
    links.forEach((link, index) => {
      if (VIEW_NAMES[index] === route.view) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    });
    document.title = `${route.view ? VIEWS[route.view].label : "Nothing here"} · Gaitway studio`;
    void views.show(route);
  });
  acceptDrops(app);
  keepWork(app);
  // The other views' code is fetched while nothing else is to do: a first click on one may come while the server is away.
  setTimeout(() => VIEW_NAMES.forEach((name) => void VIEWS[name].load().catch(() => {})), PREFETCH_AFTER_MS);
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || isTyping(event.target)) return;
    if (event.key === "?") showShortcuts();
    else if (!views.key(event)) return;
    event.preventDefault();
  });
}

function topBar(app: App, links: HTMLElement[]): HTMLElement {
  const theme = iconButton("sun", "Light or dark", () => toggleTheme(app.theme));
  app.theme.follow((value) => replaceChildren(theme, icon(value === "dark" ? "sun" : "moon")));
  return h(
    "header.topbar",
    null,
    h("div.brand", null, h("img", { src: "./icon.svg", alt: "" }), h("span", null, "Gaitway studio")),
    h("nav.views", { "aria-label": "Views" }, links),
    h("span.spacer"),
    projectButton(app),
    iconButton("help", "Keys (?)", showShortcuts),
    theme,
  );
}

class ViewSwitch {
  private readonly mounted = new Map<ViewName, { root: HTMLElement; view: View }>();
  private readonly lost = h("section.view", { "aria-label": "Nothing here", hidden: true });
  private current: ViewName | null = null;
  constructor(
    private readonly app: App,
    private readonly root: HTMLElement,
  ) {
    root.append(this.lost);
  }

  async show(route: Route): Promise<void> {
    this.lost.hidden = route.view !== null;
    if (this.current !== route.view) {
      const before = this.current && this.mounted.get(this.current);
      if (before) {
        before.view.hide();
        before.root.hidden = true;
      }
    }
    this.current = route.view;
    if (!route.view) return this.showLost();
    const view = this.mounted.get(route.view) ?? (await this.mount(route.view));
    // Somebody may have gone elsewhere while the code was loading.
    if (!view || this.current !== route.view) return;
    view.root.hidden = false;
    view.view.show(this.app.route.value);
  }

  /** The server may be away: the view is tried again when it is back, and all others stay as they are. */
  private showFailed(name: ViewName, root: HTMLElement, error: unknown): void {
    const given = new AbortController();
    const again = () => {
      given.abort();
      root.remove();
      if (this.current === name) void this.show(this.app.route.value);
    };
    replaceChildren(
      root,
      h(
        "div.empty",
        { role: "status" },
        h("h2", null, "This view could not be loaded"),
        h("p", null, messageOf(error)),
        button({ label: "Try again", kind: "primary", onClick: again }),
      ),
    );
    root.hidden = this.current !== name;
    this.root.append(root);
    void this.app.events.back(given.signal).then(again, () => {});
    // Whoever goes elsewhere meanwhile leaves it behind.
    const stop = this.app.route.listen(({ view }) => {
      if (view === name) return;
      stop();
      given.abort();
      root.remove();
    });
  }

  /** Every view is made anew when it is next shown. */
  reset(): void {
    for (const { root, view } of this.mounted.values()) {
      view.dispose();
      root.remove();
    }
    this.mounted.clear();
    this.current = null;
  }

  /** An address that leads nowhere says so, and leads on. */
  private showLost(): void {
    const links = VIEW_NAMES.map((name) =>
      h("a.button", { href: routeHash(name) }, icon(VIEWS[name].icon), h("span", null, VIEWS[name].label)),
    );
    replaceChildren(
      this.lost,
      h(
        "div.empty",
        { role: "status" },
        h("h2", null, "There is nothing at this address"),
        h(
          "p",
          null,
          h("code", null, location.hash),
          " is no part of the studio. Perhaps a letter was lost on the way; from here one can go to:",
        ),
        h("div.row", null, links),
      ),
    );
  }

  key(event: KeyboardEvent): boolean {
    const view = this.current && this.mounted.get(this.current)?.view;
    return view?.key?.(event) ?? false;
  }

  private async mount(name: ViewName): Promise<{ root: HTMLElement; view: View } | null> {
    const root = h("section.view", { "aria-label": VIEWS[name].label, hidden: true });
    try {
      const module = await VIEWS[name].load();
      const known = this.mounted.get(name);
      if (known) return known;
      this.root.append(root);
      const entry = { root, view: module.mount(root, this.app) };
      this.mounted.set(name, entry);
      return entry;
    } catch (error) {
      this.showFailed(name, root, error);
      return null;
    }
  }
}

/** Keys belong to a field that has the focus. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button", "range"].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable;
}

start();
