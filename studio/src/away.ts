/**
 * The server is away, or another one than the page was loaded from: bars that say so, and what keeps the page and its work
 * until it is back.
 */
import type { App } from "./app";
import { button } from "./ui/controls";
import { count } from "./ui/format";
import { h, replaceChildren } from "./ui/h";
import { icon } from "./ui/icons";
import { toast } from "./ui/toast";

export function awayBar(app: App): HTMLElement {
  const words = h("span");
  const bar = h("div.bar.bad", { role: "alert", hidden: true }, icon("warning"), words);
  const show = () => {
    const lost = app.events.state === "lost";
    const { all } = app.api.waiting.value;
    const waits = all > 0 ? ` What you asked for meanwhile (${count(all, "request")}) goes on when it is back.` : "";
    if (lost)
      words.textContent = `The studio's server does not answer. Is gaitway studio still running? Trying again…${waits}`;
    bar.hidden = !lost;
  };
  app.events.onState(show);
  app.api.waiting.listen(show);
  return bar;
}

/** Another program serves now: what is open may not fit it any more. */
export function newerBar(app: App): HTMLElement {
  const bar = h("div.bar.warn", { role: "alert", hidden: true });
  app.outdated.follow((outdated) => {
    bar.hidden = !outdated;
    if (!outdated) return;
    replaceChildren(
      bar,
      icon("info"),
      outdated === "build"
        ? "Another version of Gaitway serves this page now. Reload it to go on; your sketch and your edits are kept."
        : "The studio asks for its token again. Reload the page to give it; your sketch and your edits are kept.",
      h("span.spacer"),
      button({ label: "Reload", kind: "primary", onClick: () => location.reload() }),
    );
  });
  return bar;
}

/** Leaving while something waits to be saved asks first; a download waits instead of failing. */
export function keepWork(app: App): void {
  addEventListener("beforeunload", (event) => {
    if (app.api.waiting.value.writes > 0) event.preventDefault();
  });
  document.addEventListener(
    "click",
    (event) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
      if (!link || app.events.state !== "lost") return;
      const url = new URL(link.href);
      if (url.origin !== location.origin || !url.pathname.startsWith("/api")) return;
      event.preventDefault();
      event.stopPropagation();
      toast("The studio's server is away: the download begins when it is back.");
      void app.events.back().then(() => link.click());
    },
    { capture: true },
  );
}
