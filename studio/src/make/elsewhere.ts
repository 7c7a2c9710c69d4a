/** Without a path: to an action at a place, or from one moment of a clip to another. */
import type { App } from "../app";
import { button, checkbox, iconButton, numberField, segmented } from "../ui/controls";
import { endOf, sentences } from "../ui/format";
import { h, replaceChildren, type Child } from "../ui/h";
import { icon } from "../ui/icons";
import { actionsOf } from "../ui/marks";
import type { Desk } from "./desk";
import type { EndPlace } from "./sketch";
import { actionAmong } from "./styles";
import type { Moment, Synthesizer } from "./synthesizer";

/** A place to go to, by numbers; on the plan the tool with the flag does the same. */
export function placeSection(app: App, desk: Desk, synth: Synthesizer): HTMLElement {
  const host = h("div.object-list");
  const change = (next: Partial<EndPlace>) => {
    const { end } = desk.sketch.value;
    if (end) desk.edit({ ...desk.sketch.value, end: { ...end, ...next } });
  };
  const show = () => {
    if (host.contains(document.activeElement) && document.activeElement instanceof HTMLInputElement) return;
    const { end } = desk.sketch.value;
    replaceChildren(host, end ? fields(app, desk, synth, end, change) : begin(app, desk));
  };
  desk.sketch.follow(show);
  desk.job.listen(show);
  desk.problems.listen(show);
  app.project.listen(show);
  app.clips.listen(show);
  return h("section", { "aria-label": "To a place" }, h("h3", null, "To a place"), host);
}

/** What can be asked for there: labels first, then clips of the graph. */
function wanted(app: App): { labels: readonly string[]; clips: readonly string[] } {
  const clips = (app.clips.value ?? []).filter((c) => c.in_graph).map((c) => c.name);
  return { labels: actionsOf(app.project.value?.labels), clips };
}

function begin(app: App, desk: Desk): Child {
  const { labels, clips } = wanted(app);
  const what = actionAmong(labels, "") || clips[0];
  return h(
    "div.row",
    null,
    h("span.muted", null, "An action, or a clip, where you want it."),
    h("span.spacer"),
    button({
      label: "Set",
      kind: "quiet",
      disabled: what === undefined,
      onClick: () => {
        const end = { what: what ?? "", at: [0, 4] as const, heading: 0, playOut: false, any: false };
        desk.edit({ ...desk.sketch.value, end });
        desk.select({ kind: "end" });
      },
    }),
  );
}

function fields(
  app: App,
  desk: Desk,
  synth: Synthesizer,
  end: EndPlace,
  change: (next: Partial<EndPlace>) => void,
): Child {
  const { labels, clips } = wanted(app);
  const choice = h(
    "select",
    { "aria-label": "What happens there", onchange: () => change({ what: choice.value }) },
    h("optgroup", { label: "Labels" }, options(labels, end.what)),
    h("optgroup", { label: "Clips" }, options(clips, end.what)),
    !labels.includes(end.what) && !clips.includes(end.what) && options([end.what], end.what),
  );
  const number = (label: string, unit: string, value: number, set: (v: number) => void) =>
    numberField({
      label,
      value: Number(value.toFixed(2)),
      step: unit === "°" ? 15 : 0.1,
      unit,
      onChange: (v) => set(v ?? 0),
    }).element;
  const said = desk.problems.value.find((p) => p.said && p.place.kind === "end");
  return [
    choice,
    h(
      "div.object-row.start-row",
      null,
      number("x", "m", end.at[0], (x) => change({ at: [x, desk.sketch.value.end?.at[1] ?? 0] })),
      number("z", "m", end.at[1], (z) => change({ at: [desk.sketch.value.end?.at[0] ?? 0, z] })),
      number("heading", "°", (end.heading * 180) / Math.PI, (deg) => change({ heading: (deg * Math.PI) / 180 })),
      iconButton("close", "Remove the place to go to", () => desk.edit({ ...desk.sketch.value, end: null })),
    ),
    checkbox("Play what follows too", end.playOut, (on) => change({ playOut: on })).element,
    checkbox("Play anything on the way", end.any, (on) => change({ any: on })).element,
    said &&
      h("p.complaint.bad", { role: "alert" }, icon("warning"), h("span", null, sentences(said.message, said.hint))),
    h(
      "div.row",
      null,
      h("span.muted", null, "From the start, past the obstacles."),
      h("span.spacer"),
      button({ label: "Go there", disabled: synth.pressed, onClick: () => void synth.goTo(null) }),
    ),
  ];
}

/** What a list of the left column has room for. */
const MOST_LETTERS = 25;

function options(names: readonly string[], chosen: string): Child {
  return names.map((n) => h("option", { value: n, selected: n === chosen, title: n }, endOf(n, MOST_LETTERS)));
}

/** The shortest way from one moment to another, as `gaitway connect` goes it. */
export function connectSection(app: App, desk: Desk, synth: Synthesizer): HTMLElement {
  let by: "time" | "cost" = "time";
  const from = momentFields(app, "From");
  const to = momentFields(app, "To");
  const how = segmented(
    "What makes it short",
    [
      { value: "time", label: "Soonest", title: "The least time until it arrives" },
      { value: "cost", label: "Smoothest", title: "The transitions that are most alike" },
    ],
    by,
    (v) => (by = v),
  );
  const go = button({
    label: "Connect",
    onClick: () => {
      const [a, b] = [from.value(), to.value()];
      if (a && b) void synth.connect(a, b, by);
    },
  });
  const show = () => (go.disabled = synth.pressed || from.value() === null);
  desk.job.follow(show);
  app.clips.follow(show);
  return h(
    "section",
    { "aria-label": "From one moment to another" },
    h("h3", null, "From one moment to another"),
    from.element,
    to.element,
    how.element,
    h("div.row", null, h("span.spacer"), go),
  );
}

function momentFields(app: App, name: string): { element: HTMLElement; value: () => Moment | null } {
  let seconds = 1;
  const clip = h("select", { "aria-label": `${name}: clip` });
  const time = numberField({
    label: `${name}, at`,
    value: seconds,
    min: 0,
    step: 0.1,
    unit: "s",
    onChange: (v) => (seconds = v ?? 0),
  });
  app.clips.follow((clips) => {
    const before = clip.value;
    const names = (clips ?? []).filter((c) => c.in_graph).map((c) => c.name);
    replaceChildren(clip, options(names, before));
    if (!names.includes(before)) clip.value = names[name === "From" ? 0 : Math.min(1, names.length - 1)] ?? "";
  });
  return {
    element: h("div.moment-row", null, clip, time.element),
    value: () => (clip.value === "" ? null : { clip: clip.value, seconds }),
  };
}
