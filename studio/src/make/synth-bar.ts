/** The bar with Synthesize: what stands in the way, progress, the best so far, cancel. */
import { button, progressBar } from "../ui/controls";
import { h, replaceChildren } from "../ui/h";
import { icon } from "../ui/icons";
import type { Desk } from "./desk";
import type { Synthesizer } from "./synthesizer";

export function synthBar(desk: Desk, synth: Synthesizer): HTMLElement {
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
  const complaints = h("div.synth-complaints");
  const start = () => synth.start(name.value.trim() || null);

  const show = () => {
    const job = desk.job.value;
    const { busy, blocked } = synth;
    go.hidden = busy;
    name.hidden = busy;
    cancel.hidden = !busy;
    progress.element.hidden = !busy;
    go.disabled = blocked !== null;
    if (busy && job) progress.set(job.state === "queued" ? null : job.part);
    status.textContent = busy && job ? running(desk) : ended(desk);
  };
  const complain = () => {
    const none = desk.sketch.value.points.length === 0;
    // An empty plan says itself what to do; what was said otherwise is told there too.
    const shown = desk.problems.value.filter((p) => p.said || (!none && (p.place.kind === "whole" || p.blocks)));
    // One message may be about several places; it is said once.
    const once = shown.filter((p, k) => shown.findIndex((q) => q.message === p.message) === k);
    replaceChildren(
      complaints,
      once.map((p) => {
        const bad = p.said || p.place.kind !== "whole";
        const hint = p.hint ? h("span.muted", null, ` ${p.hint}`) : null;
        return h(
          "p.notice",
          { class: bad ? "bad" : "", role: "alert" },
          icon(bad ? "warning" : "info"),
          h("span", null, p.message, hint),
        );
      }),
    );
    show();
  };
  desk.job.follow(show);
  desk.best.listen(show);
  desk.problems.follow(complain);
  return h("div.synth", null, complaints, h("div.synth-bar", null, go, name, cancel, progress.element, status));
}

function running(desk: Desk): string {
  const job = desk.job.value;
  if (!job) return "";
  if (job.state === "queued") return "Waiting for its turn…";
  const best = desk.best.value;
  const found = best ? `, best so far improved ${best.count === 1 ? "once" : `${best.count} times`}` : "";
  return `${job.message || "Searching"} ${Math.round(job.part * 100)} %, ${job.elapsed_s.toFixed(1)} s${found}`;
}

function ended(desk: Desk): string {
  const job = desk.job.value;
  if (!job) return "";
  if (job.state === "done") return `Done in ${job.elapsed_s.toFixed(1)} s`;
  if (job.state === "cancelled") return job.result ? "Cancelled; the best so far is kept" : "Cancelled";
  if (job.state === "interrupted") return "The server stopped in the middle; press Synthesize again";
  return "";
}
