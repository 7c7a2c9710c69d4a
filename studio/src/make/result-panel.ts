/** What came out: alternatives to choose from, quality against bars, a part to solve again, and the way home. */
import type { App } from "../app";
import type { Result, ResultMember } from "../api/types";
import { palette } from "../plot/palette";
import { Surface } from "../plot/surface";
import { button, numberField } from "../ui/controls";
import { h, replaceChildren, type Child } from "../ui/h";
import { sentences } from "../ui/format";
import { icon } from "../ui/icons";
import { pageWords } from "../ui/page-words";
import type { Desk } from "./desk";
import { boundsOf, type Point } from "./geometry";
import { verdict } from "./quality";
import { qualityBar, timeBar } from "./quality-bars";
import { reasonsOf } from "./remedies";
import { actionsOf, cannotResolve, numberAt, searchText } from "./report";
import { colourOf } from "./result-stage";
import type { Synthesizer } from "./synthesizer";
import { takeHome, type HomeTools } from "./take-home";
import { timeWishes } from "./time-wishes";
import { whyCard } from "./why-card";
import { fitted, toScreen } from "./viewport";

export interface PanelTools extends HomeTools {
  /** Shows a second of the result. */
  readonly seek: (t: number) => void;
}

export function resultPanel(app: App, desk: Desk, synth: Synthesizer, tools: PanelTools): HTMLElement {
  const host = h("div.result-panel", { tabIndex: -1 });
  const range = h("div.range-box");
  const why = h("div.why-box");
  const age = h("div.age-box");
  let surfaces: Surface[] = [];
  const show = () => {
    for (const s of surfaces) s.dispose();
    surfaces = [];
    const result = desk.result.value;
    host.hidden = result === null;
    if (!result) return;
    const member = result.members[desk.member.value];
    replaceChildren(
      host,
      age,
      why,
      result.members.length > 1 && alternatives(app, desk, result, surfaces),
      member && quality(member),
      member && actions(member),
      result.notes.map((note) => h("p.notice.warn", null, icon("warning"), h("span", null, pageWords(note)))),
      range,
      takeHome(app, desk, result, tools),
    );
    showRange();
    showAge();
  };
  const showAge = () => {
    const result = desk.result.value;
    host.classList.toggle("stale", desk.stale.value);
    replaceChildren(age, result && desk.stale.value && olderNotice(desk, synth, result));
    replaceChildren(why, whyCard(desk, synth, tools.seek));
  };
  const showRange = () => {
    const result = desk.result.value;
    if (range.contains(document.activeElement) && document.activeElement instanceof HTMLInputElement) return;
    if (result) replaceChildren(range, resolveRow(desk, synth, result));
  };
  desk.result.follow(show);
  desk.member.listen(show);
  app.theme.listen(() => surfaces.forEach((s) => s.invalidate()));
  desk.range.listen(showRange);
  desk.resolveError.listen(showRange);
  desk.stale.listen(showAge);
  desk.failure.listen(showAge);
  desk.job.listen(() => (showRange(), showAge()));
  return host;
}

/** The motion on stage is not that of the sketch on the plan: a failed search must not stand beside an old good one. */
function olderNotice(desk: Desk, synth: Synthesizer, result: Result): HTMLElement {
  const words = desk.failure.value
    ? "This motion is of an older sketch: the search for the one on the plan brought nothing."
    : "This motion is of an older sketch than the one on the plan.";
  return h(
    "div.notice.warn.older",
    { role: "status" },
    icon("warning"),
    h("span", null, words),
    button({ label: "Take up its sketch", kind: "quiet", onClick: () => void synth.takeUp(result) }),
  );
}

/** Small pictures side by side; a radio group underneath. */
function alternatives(app: App, desk: Desk, result: Result, surfaces: Surface[]): HTMLElement {
  const crowd = new Set(result.members.map((m) => m.person)).size > 1;
  const cards = result.members.map((m, k) => {
    const surface = new Surface({ "aria-hidden": "true", class: "alternative-map" }, (c, w, hgt) =>
      drawMini(c, w, hgt, result, m, app, crowd ? colourOf(k) : null),
    );
    surfaces.push(surface);
    const rms = numberAt(m.report, "path_error_m", "rms");
    const good = judged(m);
    const name = crowd ? `Person ${m.person + 1}` : `Answer ${k + 1}`;
    return h(
      "label.alternative",
      { class: k === desk.member.value ? "chosen" : "" },
      h("input.sr-only", {
        type: "radio",
        name: "alternative",
        checked: k === desk.member.value,
        "aria-label": `${name}: ${good.text}`,
        onchange: () => (desk.member.value = k),
      }),
      surface.element,
      h(
        "span.alternative-name",
        null,
        icon(good.pass ? "check" : "warning"),
        crowd && h("span.alternative-colour", { style: { background: colourOf(k) } }),
        name,
      ),
      h(
        "span.muted.numbers",
        null,
        `${m.seconds.toFixed(1)} s`,
        rms === null ? "" : `, ${(rms * 100).toFixed(0)} cm off`,
      ),
    );
  });
  return h("div.alternatives", { role: "radiogroup", "aria-label": crowd ? "People" : "Alternatives" }, cards);
}

/** Good feet on the wrong way are not good: both count. */
function judged(member: ResultMember): { pass: boolean; text: string } {
  const bars = verdict(member.bars, timeWishes(member.report));
  if (reasonsOf(member.report).length === 0) return bars;
  return { pass: false, text: `Not as asked. ${bars.text}` };
}

function drawMini(
  c: CanvasRenderingContext2D,
  width: number,
  height: number,
  result: Result,
  member: ResultMember,
  app: App,
  own: string | null,
): void {
  const colours = palette(app.theme.value);
  const box = boundsOf([...result.target, ...member.way] as Point[]);
  if (!box) return;
  const view = fitted({ centre: [0, 0], scale: 1, width, height }, box, 8);
  const line = (points: readonly Point[], colour: string, wide: number) => {
    c.beginPath();
    for (const p of points) c.lineTo(...toScreen(view, p));
    c.strokeStyle = colour;
    c.lineWidth = wide;
    c.lineJoin = "round";
    c.stroke();
  };
  line(result.target, colours.accent, 1.5);
  line(member.way, own ?? colours.warn, 2.5);
}

function quality(member: ResultMember): Child {
  const all = judged(member);
  const facts = searchText(member.report);
  return h(
    "section.quality",
    { "aria-label": "Quality" },
    h(
      "p.verdict",
      { class: all.pass ? "good" : "bad" },
      icon(all.pass ? "check" : "warning"),
      h("strong", null, all.text),
      facts !== "" && h("span.muted", null, `${facts}.`),
    ),
    h("div.quality-bars", null, timeWishes(member.report).map(timeBar), member.bars.map(qualityBar)),
  );
}

/** Each action asked for: when it happens, where, and how far off. */
function actions(member: ResultMember): Child {
  const rows = actionsOf(member.report, member.start_s ?? 0);
  if (rows.length === 0) return null;
  const row = ({ good, asked, came }: (typeof rows)[number]) =>
    h(
      "li",
      { class: good ? "good" : "bad" },
      icon(good ? "check" : "warning"),
      h("strong", null, asked),
      h("span.numbers", null, came),
    );
  return h("section.action-rows", { "aria-label": "Actions" }, h("h3", null, "Actions"), h("ul", null, rows.map(row)));
}

function resolveRow(desk: Desk, synth: Synthesizer, result: Result): Child {
  const member = result.members[desk.member.value];
  if (!member) return null;
  const reason = cannotResolve(result);
  if (reason !== null) return h("p.muted.resolve-reason", null, reason);
  const range = desk.range.value;
  // The timeline's clock is that of all people; a person's own begins when they set out.
  const start = member.start_s ?? 0;
  const end = start + member.seconds;
  const crowd = member.start_s !== null;
  const help = crowd
    ? `Drag along the top of the timeline to choose a part of person ${member.person + 1}'s way to solve again; the others stay as they are.`
    : "Drag along the top of the timeline to choose a part to solve again; the rest stays as it is.";
  if (!range) return h("p.muted", null, help);
  const change = (next: { from?: number; to?: number }) => {
    const { from, to } = { ...range, ...next };
    desk.range.value = from < to ? { from, to } : { from: to, to: from };
  };
  const field = (label: string, value: number, set: (v: number) => void) =>
    numberField({
      label,
      value: Number(value.toFixed(2)),
      min: Number(start.toFixed(2)),
      max: Number(end.toFixed(2)),
      step: 0.1,
      unit: "s",
      onChange: (v) => set(v ?? 0),
    }).element;
  return h(
    "div.row.resolve-row",
    null,
    field("from", range.from, (from) => change({ from })),
    field("to", range.to, (to) => change({ to })),
    button({
      label: "Solve this part again",
      kind: "primary",
      disabled: synth.pressed || range.to <= start || range.from >= end,
      onClick: () => void synth.resolve(result.id, Math.max(0, range.from - start), range.to - start),
    }),
    button({ label: "Clear", kind: "quiet", onClick: () => (desk.range.value = null) }),
    desk.resolveError.value !== null &&
      h(
        "p.complaint.bad.resolve-error",
        { role: "alert" },
        icon("warning"),
        h("span", null, sentences(desk.resolveError.value, "Choose more seconds, or press again for another seed.")),
      ),
  );
}
