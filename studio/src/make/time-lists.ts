/** Wishes in time as a list with number fields: how long, how fast all along, speeds of parts, arrivals. */
import { button, iconButton, numberField } from "../ui/controls";
import { h, type Child } from "../ui/h";
import { icon } from "../ui/icons";
import type { Desk } from "./desk";
import { complaint, complaints, metre, selected } from "./object-row";
import type { Params } from "./params";
import { curveOf, type Sketch } from "./sketch";
import { likelyTime, withArrival, withSpeed } from "./sketch-times";
import { LONGEST_S, SPEED_RANGE, WALK_M_S, type SpeedSpan } from "./times";

export function timeRows(desk: Desk, sketch: Sketch): Child {
  const { length } = curveOf(sketch);
  return [
    wholePath(desk),
    sketch.speeds.map((s, k) => [speedRow(desk, s, length), complaint(desk, "speed", k)]),
    sketch.arrivals.map((_, k) => [
      arrivalRow(desk, k, length),
      refusedWords(desk, `arrival ${k}`),
      complaint(desk, "arrival", k),
    ]),
    length > 0 && addTimes(desk, sketch, length),
  ];
}

/** What holds for all of the path: an empty field asks for nothing. */
function wholePath(desk: Desk): Child {
  const field = (key: "duration" | "speed", label: string, unit: string, nothing: string) => {
    const value = desk.params.value[key];
    const [least, most] = key === "speed" ? SPEED_RANGE : [0.1, LONGEST_S];
    const set = (v: number | null) => {
      const next: Params = { ...desk.params.value, [key]: v ?? 0 };
      desk.params.value = next;
    };
    return numberField({
      label,
      unit,
      value: value > 0 ? value : null,
      min: least,
      max: most,
      step: 0.1,
      placeholder: nothing,
      onRefuse: (words) => (desk.refused.value = { field: key, words }),
      onChange: set,
    }).element;
  };
  return [
    h(
      "div.field-row",
      null,
      field("duration", "Duration", "s", "own"),
      field("speed", desk.sketch.value.speeds.length > 0 ? "Speed elsewhere" : "Speed", "m/s", "own"),
    ),
    refusedWords(desk, "duration"),
    refusedWords(desk, "speed"),
    complaints(desk, (p) => p.kind === "param" && (p.name === "duration_s" || p.name === "speeds")),
  ];
}

/** Why the number that was typed last is not taken. */
function refusedWords(desk: Desk, field: string): Child {
  const { value } = desk.refused;
  return (
    value?.field === field && h("p.complaint.bad", { role: "alert" }, icon("warning"), h("span", null, value.words))
  );
}

function speedRow(desk: Desk, span: SpeedSpan, length: number): Child {
  // While one types in a row, edits may move it among the others: it is known by what it is, not by its number.
  let mine = span;
  const change = (next: Partial<SpeedSpan>) => {
    const now = desk.sketch.value;
    const { m_s, from, to } = { ...mine, ...next };
    const edited = withSpeed({ ...now, speeds: now.speeds.filter((s) => s !== mine) }, m_s, from, to);
    mine = edited.speeds.find((s) => s.from <= Math.min(from, to) && s.to >= Math.max(from, to)) ?? mine;
    desk.edit(edited);
  };
  const [least, most] = SPEED_RANGE;
  return h(
    "div.object-row.speed-row",
    null,
    numberField({
      label: "m/s",
      value: span.m_s,
      min: least,
      max: most,
      step: 0.1,
      onChange: (v) => change({ m_s: v ?? mine.m_s }),
    }).element,
    metre("from", span.from, length, (from) => change({ from })),
    metre("to", span.to, length, (to) => change({ to })),
    iconButton("close", `Remove the speed ${span.m_s} m/s`, () => {
      const now = desk.sketch.value;
      desk.edit({ ...now, speeds: now.speeds.filter((s) => s !== mine) });
    }),
  );
}

/** The seconds of an arrival. */
export function arrivalField(desk: Desk, index: number, label: string): HTMLElement {
  return numberField({
    label,
    value: desk.sketch.value.arrivals[index]?.time_s ?? 0,
    min: 0.1,
    max: LONGEST_S,
    step: 0.1,
    unit: "s",
    onRefuse: (words) => (desk.refused.value = { field: `arrival ${index}`, words }),
    onChange: (v) => changeArrival(desk, index, { time_s: v ?? 0.1 }),
  }).element;
}

function changeArrival(desk: Desk, index: number, next: Partial<Sketch["arrivals"][number]>): void {
  const { arrivals } = desk.sketch.value;
  desk.edit({ ...desk.sketch.value, arrivals: arrivals.map((a, k) => (k === index ? { ...a, ...next } : a)) });
}

function arrivalRow(desk: Desk, index: number, length: number): Child {
  const { at, time_s } = desk.sketch.value.arrivals[index] ?? { at: 0, time_s: 0 };
  const row = h(
    "div.object-row.arrival-row",
    { class: selected(desk, "arrival", index) },
    arrivalField(desk, index, "arrive after, s"),
    metre("at", at, length, (m) => changeArrival(desk, index, { at: m })),
    iconButton("close", `Remove the arrival after ${Number(time_s.toFixed(2))} s`, () =>
      desk.edit({
        ...desk.sketch.value,
        arrivals: desk.sketch.value.arrivals.filter((_, k) => k !== index),
      }),
    ),
  );
  // The one whose numbers are at hand shows on the plan.
  row.addEventListener("focusin", (e) => {
    if (e.target instanceof HTMLInputElement) desk.select({ kind: "arrival", index });
  });
  return row;
}

function addTimes(desk: Desk, sketch: Sketch, length: number): Child {
  // Behind what is painted already; all of the path where there is no room.
  const end = sketch.speeds.reduce((t, s) => Math.max(t, s.to), 0);
  const from = length - end < 0.1 ? 0 : end;
  const { selection } = desk;
  const add = () => {
    const now = desk.sketch.value;
    const s = selection.value;
    const knot = s.kind === "point" ? curveOf(now).knots[s.index] : undefined;
    const at = knot !== undefined && knot > 0 ? knot : freePlace(now, length);
    const made = withArrival(now, { time_s: likelyTime(now, desk.params.value, at), at });
    desk.edit(made.sketch);
    desk.select({ kind: "arrival", index: made.index });
  };
  return h(
    "div.row",
    null,
    button({
      label: "Speed of a part",
      icon: "plus",
      kind: "quiet",
      onClick: () => desk.edit(withSpeed(desk.sketch.value, desk.pace.value || WALK_M_S, from, length)),
    }),
    button({
      label: "Arrival",
      icon: "plus",
      kind: "quiet",
      title: "A time for the selected point, or for a place along the path",
      onClick: add,
    }),
  );
}

/** Half-way between the last arrival and the end. */
function freePlace(sketch: Sketch, length: number): number {
  const last = sketch.arrivals.reduce((t, a) => Math.max(t, a.at), 0);
  return length - last < 0.2 ? length / 2 : (last + length) / 2;
}
