/** No path at all: a walk through the graph as it comes, to see and judge what is in it. */
import type { App } from "../app";
import { button, numberField } from "../ui/controls";
import { h, replaceChildren } from "../ui/h";
import type { Desk } from "./desk";
import type { Synthesizer } from "./synthesizer";

const LONGEST_S = 600;
/** Few enough to read out. */
const SEEDS = 10_000;

export function wanderSection(app: App, desk: Desk, synth: Synthesizer): HTMLElement {
  let seconds = 20;
  const time = numberField({
    label: "For",
    value: seconds,
    min: 1,
    max: LONGEST_S,
    step: 1,
    unit: "s",
    onChange: (v) => (seconds = v ?? 20),
  });
  const label = h("select", { "aria-label": "Label to stay with" });
  const told = h("p.muted.numbers", { role: "status" });
  const go = button({
    label: "Wander",
    title: "Walk through the graph without a path, another way each time",
    onClick: () => {
      const seed = Math.floor(Math.random() * SEEDS);
      told.textContent = `Seed ${seed}; the command line of the result has it too.`;
      void synth.wander(seconds, label.value === "" ? null : label.value, seed);
    },
  });
  app.project.follow((project) => {
    const before = label.value;
    const labels = project?.labels ?? [];
    replaceChildren(
      label,
      h("option", { value: "" }, "any label"),
      labels.map((l) => h("option", { value: l }, l)),
    );
    label.value = labels.includes(before) ? before : "";
  });
  desk.job.follow(() => (go.disabled = synth.pressed));
  return h(
    "section",
    null,
    h("h3", null, "Or without a path"),
    h("div.wander-row", null, time.element, label, go),
    told,
  );
}
