/** Every reading option of the command line, for a clip, its body or a selection. */
import type { App } from "../app";
import type { Clip, ReadAs, Reading } from "../api/types";
import { checkbox, numberField, select } from "../ui/controls";
import { openDialog } from "../ui/dialog";
import { count, duration } from "../ui/format";
import { h, type Child } from "../ui/h";
import { toast, toastError } from "../ui/toast";
import { FORMATS } from "./formats";
import { AS_FOUND } from "./mend";

const UNITS = ["m", "cm", "mm", "dm", "inch", "foot", "cmu"] as const;
const AXES = [
  { value: "", label: "as found" },
  { value: "x", label: "X" },
  { value: "y", label: "Y" },
  { value: "z", label: "Z" },
] as const;

/** Reads clips anew; tells how it went. */
export async function readAnew(app: App, change: readonly ReadAs[]): Promise<boolean> {
  try {
    const clips = await app.api.readAs(change);
    await Promise.all([app.refreshClips(), app.refreshProject()]);
    toast(`${count(clips.length, "clip")} read anew.`, { kind: "done" });
    return true;
  } catch (error) {
    toastError(error, "Nothing was changed");
    return false;
  }
}

/** Only what somebody changed goes to the other clips: each keeps the rest of its own. */
export function spread(before: Reading, after: Reading, targets: readonly Clip[]): ReadAs[] {
  const changed = (Object.keys(after) as (keyof Reading)[]).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  );
  const part = Object.fromEntries(changed.map((key) => [key, after[key]])) as Partial<Reading>;
  return targets.flatMap((clip) => (clip.reading ? [{ clip: clip.id, reading: { ...clip.reading, ...part } }] : []));
}

type Scope = "clip" | "selection" | "body";

export async function readingDialog(
  app: App,
  clip: Clip,
  options: { field?: keyof Reading; selection?: readonly Clip[]; at_s?: number } = {},
): Promise<void> {
  const before: Reading | null = clip.reading && { ...AS_FOUND, ...clip.reading };
  if (!before)
    return void toast(`${clip.name} comes with the graph: its file is not here to be read anew.`, { kind: "info" });
  const after: Reading = { ...before };
  const says = clip.file_says;
  const all = app.clips.value ?? [];
  const body = all.filter((other) => other.body === clip.body && other.reading);
  const selection = (options.selection ?? []).filter((other) => other.reading);
  let scope = (selection.length > 1 ? "selection" : "clip") as Scope;
  const whole_s = says?.whole_s ?? clip.seconds;
  const cut = { from: after.cut?.[0] ?? null, to: after.cut?.[1] ?? null };
  const setCut = () => {
    after.cut = cut.from === null && cut.to === null ? null : [cut.from ?? 0, cut.to ?? whole_s];
  };
  const named = UNITS.some((unit) => unit === after.unit);
  const rate = numberField({
    label: "Frames a second",
    unit: "Hz",
    min: 1,
    max: 1000,
    step: 1,
    value: after.source_fps,
    placeholder: says ? `${Number(says.header_rate_hz.toFixed(2))}, as the file says` : "as the file says",
    onChange: (value) => (after.source_fps = value),
  });
  const own = numberField({
    label: "Metres in one unit",
    unit: "m",
    step: 0.001,
    value: after.unit !== null && !named ? Number(after.unit) : null,
    placeholder: "by its name",
    onChange: (value) => {
      after.unit = value === null ? null : String(value);
      if (value !== null) unit.input.value = "";
    },
  });
  const unit = select(
    "Unit of length",
    [
      { value: "", label: says ? `as found (${says.unit})` : "as found" },
      ...UNITS.map((u) => ({ value: u, label: u })),
    ],
    named ? (after.unit ?? "") : "",
    (value) => {
      after.unit = value === "" ? null : value;
      own.set(null);
    },
  );
  const up = select("Up", AXES, after.up ?? "", (value) => (after.up = value === "" ? null : value));
  const number = (label: string, key: "from" | "to", placeholder: string) =>
    numberField({
      label,
      unit: "s",
      min: 0,
      max: whole_s,
      step: 0.1,
      value: cut[key],
      placeholder,
      onChange: (value) => {
        cut[key] = value;
        setCut();
      },
    });
  const from = number("Keep from", "from", "its start");
  const to = number("Keep to", "to", `its end, ${duration(whole_s)}`);
  const skeletons = app.project.value?.skeletons ?? [];
  const skeleton = select(
    "Skeleton",
    [{ value: "", label: "the one that fits its name" }, ...skeletons.map((name) => ({ value: name, label: name }))],
    after.skeleton ?? "",
    (value) => (after.skeleton = value === "" ? null : value),
  );
  const format = select(
    "Format",
    [
      { value: "", label: after.format ? "as its name says" : `as its name says (${clip.format.toUpperCase()})` },
      ...FORMATS,
    ],
    after.format ?? "",
    (value) => {
      after.format = value === "" ? null : value;
      showSkeleton();
    },
  );
  const showSkeleton = () => (skeleton.element.hidden = (after.format ?? clip.format) !== "amc");
  showSkeleton();
  const scopes: { value: Scope; label: string }[] = [
    { value: "clip", label: `${clip.name} alone` },
    ...(selection.length > 1
      ? [{ value: "selection" as const, label: `the ${count(selection.length, "selected clip")}` }]
      : []),
    ...(body.length > 1 ? [{ value: "body" as const, label: `all ${body.length} clips of this body` }] : []),
  ];
  const fields: Record<keyof Reading, HTMLElement | null> = {
    source_fps: rate.input,
    unit: unit.input,
    up: up.input,
    cut: from.input,
    keep_first_frame: null,
    keep_dropouts: null,
    keep_spikes: null,
    skeleton: skeleton.input,
    format: format.input,
  };
  if (options.field) fields[options.field]?.setAttribute("autofocus", "");
  const flag = (key: "keep_first_frame" | "keep_dropouts" | "keep_spikes", label: string): Child =>
    checkbox(label, after[key], (on) => (after[key] = on)).element;
  const chosen = await openDialog({
    title: `How ${clip.name} is read`,
    body: [
      h(
        "div.field-grid",
        null,
        [rate, unit, own, up, from, to, format, skeleton].map((field) => field.element),
      ),
      flag("keep_first_frame", "Keep a first frame that looks like a T-pose"),
      flag("keep_dropouts", "Keep frames in which the root lies at the origin"),
      flag("keep_spikes", "Keep frames in which joints are somewhere else for a moment"),
      scopes.length > 1 && select("What is changed goes to", scopes, scope, (value) => (scope = value)).element,
    ],
    actions: [
      { label: "Cancel", value: false },
      { label: "Read anew", kind: "primary", value: true },
    ],
  });
  if (!chosen) return;
  const targets = scope === "clip" ? [clip] : scope === "body" ? body : selection;
  const change = spread(before, after, targets);
  if (change.length > 0) await readAnew(app, change);
}
