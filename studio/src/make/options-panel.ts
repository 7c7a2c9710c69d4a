/** What can be asked for beside the sketch, each with a line of help. */
import type { App } from "../app";
import { button, checkbox, numberField, segmented } from "../ui/controls";
import { sentences } from "../ui/format";
import { h, replaceChildren, type Child } from "../ui/h";
import type { Desk } from "./desk";
import { DEFAULTS, NUMBERS, bounded, type NumberParam, type Params } from "./params";

export function optionsPanel(app: App, desk: Desk): HTMLElement {
  const host = h("div.side-panel");
  // What is changed by its own fields shows there already: made anew, the field that one goes on to would be lost.
  let own = false;
  const set = (next: Partial<Params>) => {
    own = true;
    desk.params.value = { ...desk.params.value, ...next };
    own = false;
  };
  const build = () => {
    const { value } = desk.params;
    const search = segmented(
      "Search",
      [
        { value: "beam", label: "Beam", title: "Fast, keeps many walks at once: right for most paths" },
        { value: "bnb", label: "Branch and bound", title: "The paper's search: exact within its horizon, slower" },
      ],
      value.search,
      (v) => set({ search: v }),
    );
    const clean = checkbox("Clean feet", value.clean, (on) => set({ clean: on }));
    const cuts = checkbox("Short cuts", value.shortCuts, (on) => set({ shortCuts: on }));
    replaceChildren(
      host,
      NUMBERS.slice(0, 4).map((p) => number(desk, p, set)),
      h("section", null, clean.element, help("Planted feet stay where they stand; nothing slides.")),
      h(
        "section",
        null,
        cuts.element,
        help(
          "Counts the body's sway as progress, as the paper does: corners are cut and long paths drift. For comparison.",
        ),
      ),
      h(
        "section",
        null,
        h("span.field-label", null, "Search"),
        search.element,
        help("Beam is fast and good. Branch and bound is the paper's search."),
      ),
      NUMBERS.slice(4).map((p) => number(desk, p, set)),
      forbidden(app, desk, set),
      h(
        "div.row",
        null,
        button({
          label: "Back to the defaults",
          kind: "quiet",
          icon: "reset",
          // Times are wished for beside the sketch, and are part of it.
          onClick: () => {
            const { duration, speed } = desk.params.value;
            desk.params.value = { ...DEFAULTS, duration, speed };
            build();
          },
        }),
      ),
    );
  };
  build();
  app.clips.listen(build);
  // Set from elsewhere: a remedy, a sketch that was taken up, another project.
  desk.params.listen(() => !own && build());
  desk.problems.listen(() => showComplaints(host, desk));
  return host;
}

function help(text: string): HTMLElement {
  return h("p.help", null, text);
}

const FIELDS: Readonly<Record<string, NumberParam["key"]>> = {
  corridor_m: "corridor",
  bend_m: "bend",
  max_s: "maxSeconds",
  expansions: "expansions",
  seed: "seed",
  count: "count",
  alternatives: "alternatives",
};

function number(desk: Desk, param: NumberParam, set: (next: Partial<Params>) => void): HTMLElement {
  const field = numberField({
    label: param.title,
    value: desk.params.value[param.key],
    min: param.min,
    max: param.max,
    step: param.step,
    ...(param.unit ? { unit: param.unit } : {}),
    onChange: (v) => set({ [param.key]: bounded(param, v ?? DEFAULTS[param.key]) }),
  });
  return h(
    "section.option",
    { dataset: { param: param.key } },
    field.element,
    help(param.help),
    h("div.option-complaint"),
  );
}

function showComplaints(host: HTMLElement, desk: Desk): void {
  for (const section of host.querySelectorAll<HTMLElement>("[data-param]")) {
    const found = desk.problems.value.find(
      (p) => p.place.kind === "param" && FIELDS[p.place.name] === section.dataset["param"],
    );
    const box = section.querySelector(".option-complaint");
    if (box)
      replaceChildren(box, found && h("p.complaint.bad", { role: "alert" }, sentences(found.message, found.hint)));
  }
}

function forbidden(app: App, desk: Desk, set: (next: Partial<Params>) => void): Child {
  const clips = (app.clips.value ?? []).filter((c) => c.in_graph);
  if (clips.length < 2) return null;
  const now = new Set(desk.params.value.forbid);
  const rows = clips.map(
    (c) =>
      checkbox(c.name, now.has(c.name), (on) => {
        const next = new Set(desk.params.value.forbid);
        if (on) next.add(c.name);
        else next.delete(c.name);
        set({ forbid: [...next] });
      }).element,
  );
  return h(
    "details.forbid",
    null,
    h("summary", null, "Clips not to use", now.size > 0 ? ` (${now.size})` : ""),
    h("div.forbid-list", null, rows),
  );
}
