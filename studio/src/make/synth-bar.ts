/** The bar with Synthesize: what stands in the way, progress, the best so far, cancel; and the switch that solves by itself. */
import type { App } from "../app";
import { button, checkbox, progressBar } from "../ui/controls";
import { sentences } from "../ui/format";
import { h, replaceChildren } from "../ui/h";
import { icon } from "../ui/icons";
import { tooltip } from "../ui/tooltip";
import type { Desk } from "./desk";
import { notLive } from "./live";
import type { Synthesizer } from "./synthesizer";
import { failureCard } from "./why-card";

export function synthBar(app: App, desk: Desk, synth: Synthesizer): HTMLElement {
  const name = h("input", {
    type: "text",
    placeholder: "Name (optional)",
    "aria-label": "Name of the result",
    maxLength: 80,
    class: "synth-name",
  });
  const go = button({
    label: "Synthesize",
    kind: "primary",
    icon: "play",
    title: "Find the motion along this path (Ctrl Enter)",
    onClick: () => void start(),
  });
  go.classList.add("synth-go");
  const cancel = button({ label: "Cancel", icon: "stop", onClick: () => void synth.cancel() });
  const progress = progressBar("Search");
  const status = h("span.synth-status.numbers", { role: "status" });
  const asleep = h("span.synth-status");
  const complaints = h("div.synth-complaints");
  const start = () => synth.start(name.value.trim() || null);

  const live = checkbox("Live", desk.live.value, (on) => (desk.live.value = on));
  tooltip(live.element, "Solve again whenever a drag ends; off, only Synthesize does");
  desk.live.listen((on) => (live.input.checked = on));

  const show = () => {
    const job = desk.job.value;
    const { busy, blocked, pressed } = synth;
    go.hidden = pressed;
    name.hidden = pressed;
    cancel.hidden = !pressed;
    progress.element.hidden = !busy;
    go.disabled = blocked !== null;
    const why = desk.live.value && !blocked ? notLive(desk) : null;
    live.element.classList.toggle("muted", why !== null);
    asleep.textContent = why === null ? "" : `Live waits: press Synthesize for ${why}`;
    if (busy && job) progress.set(job.state === "queued" ? null : job.part);
    status.textContent = busy && job ? running(desk) : ended(desk, synth);
  };
  const complain = () => {
    const { length } = desk.sketch.value.points;
    // An empty plan says itself what to do, and one point of a path that is being set is no fault; what was said otherwise is told.
    const none = length === 0 || (length === 1 && desk.tool.value === "points");
    const shown = desk.problems.value.filter((p) => p.said || (!none && (p.place.kind === "whole" || p.blocks)));
    // One message may be about several places; it is said once.
    const once = shown.filter((p, k) => shown.findIndex((q) => q.message === p.message) === k);
    replaceChildren(
      complaints,
      once.map((p) => {
        const bad = p.said || p.place.kind !== "whole";
        return h(
          "p.notice",
          { class: bad ? "bad" : "", role: "alert" },
          icon(bad ? "warning" : "info"),
          h("span", null, sentences(p.message, p.hint)),
        );
      }),
      failureCard(desk, synth),
    );
    show();
  };
  desk.job.follow(show);
  desk.best.listen(show);
  desk.live.listen(show);
  desk.params.listen(show);
  desk.failure.listen(complain);
  desk.tool.listen(complain);
  desk.problems.follow(complain);
  app.project.listen(show);
  return h(
    "div.synth",
    null,
    complaints,
    h("div.synth-bar", null, go, live.element, name, cancel, progress.element, status, asleep),
  );
}

function running(desk: Desk): string {
  const job = desk.job.value;
  if (!job) return "";
  if (job.state === "queued") return "Waiting for its turn…";
  const best = desk.best.value;
  const found = best ? `, best so far improved ${best.count === 1 ? "once" : `${best.count} times`}` : "";
  return `${job.message || "Searching"} ${Math.round(job.part * 100)} %, ${job.elapsed_s.toFixed(1)} s${found}`;
}

function ended(desk: Desk, synth: Synthesizer): string {
  const job = desk.job.value;
  if (!job) return "";
  // One drawing gives way to the next: nobody cancelled anything.
  if (synth.wasDrawn && job.state === "cancelled") return "";
  if (job.state === "done") return `Done in ${job.elapsed_s.toFixed(1)} s`;
  if (job.state === "cancelled") return job.result ? "Cancelled; the best so far is kept" : "Cancelled";
  if (job.state === "interrupted") return "The server stopped in the middle; press Synthesize again";
  return "";
}
