/** Labels for many clips: by name, from a table, from the motion. Shown first, put on when somebody agrees. */
import type { App } from "../app";
import type { Clip, ClipLabel, LabelSheet, Proposals, Propose } from "../api/types";
import { messageOf } from "../api/error";
import { button, checkbox } from "../ui/controls";
import { openDialog, promptDialog } from "../ui/dialog";
import { count, duration } from "../ui/format";
import { h, replaceChildren, type Child } from "../ui/h";
import { toast, toastError } from "../ui/toast";

export interface LabelLine {
  label: string;
  rows: ClipLabel[];
  clips: number;
  seconds: number;
}

/** Proposals label by label, most motion first. */
export function linesOf(rows: readonly ClipLabel[]): LabelLine[] {
  const by = new Map<string, ClipLabel[]>();
  for (const row of rows) by.set(row.label, [...(by.get(row.label) ?? []), row]);
  return [...by]
    .map(([label, own]) => ({
      label,
      rows: own,
      clips: new Set(own.map((row) => row.clip)).size,
      seconds: own.reduce((sum, row) => sum + row.end_s - row.start_s, 0),
    }))
    .sort((a, b) => b.seconds - a.seconds || a.label.localeCompare(b.label));
}

/** Whole clips under one label. */
export function wholeClips(clips: readonly Clip[], label: string): ClipLabel[] {
  return clips.map((clip) => ({ clip: clip.id, label, start_s: 0, end_s: clip.seconds }));
}

/** How long one may take it back. */
const UNDO_MS = 20_000;

/** Labels as they were: a clip that had none has none again. */
async function putBack(
  app: App,
  before: readonly { clip: string; rows: LabelSheet["rows"] }[],
  project: string | undefined,
): Promise<void> {
  if (app.project.value?.name !== project) return void toast(`Open ${project ?? "its project"} again to take it back.`);
  try {
    for (const { clip, rows } of before) {
      const { revision } = await app.api.labels(clip);
      await app.api.putLabels(clip, { revision, rows });
    }
    toast(`Labels of ${count(before.length, "clip")} are as they were.`, { kind: "done" });
  } catch (error) {
    toastError(error, "Not all labels could be put back");
  }
  await Promise.all([app.refreshClips(), app.refreshProject()]);
}

async function putOn(app: App, rows: readonly ClipLabel[], replace: boolean): Promise<boolean> {
  if (rows.length === 0) return false;
  try {
    const project = app.project.value?.name;
    const clips = [...new Set(rows.map((row) => row.clip))];
    const before = await Promise.all(clips.map(async (clip) => ({ clip, rows: (await app.api.labels(clip)).rows })));
    await app.api.addLabels(rows, replace);
    await Promise.all([app.refreshClips(), app.refreshProject()]);
    toast(`${count(rows.length, "label")} put on ${count(clips.length, "clip")}.`, {
      kind: "done",
      stay_ms: UNDO_MS,
      action: { label: "Undo", run: () => void putBack(app, before, project) },
    });
    return true;
  } catch (error) {
    toastError(error, "Nothing was labelled");
    return false;
  }
}

/** One label for whole clips that are selected. */
export async function labelSelection(app: App, clips: readonly Clip[]): Promise<void> {
  const label = await promptDialog(
    `Label ${count(clips.length, "whole clip")}`,
    "Label",
    "",
    app.project.value?.labels ?? [],
  );
  if (label) await putOn(app, wholeClips(clips, label), false);
}

/** `only`: the clips that are meant; null means all. */
export async function labelMany(app: App, only: readonly Clip[] | null, motion = false): Promise<void> {
  const ids = only ? only.map((clip) => clip.id) : null;
  const meant = only ? count(only.length, only.length === 1 ? "clip" : "selected clip") : "all clips";
  const found = h("div.label-found", { role: "status" });
  const chosen = new Set<string>();
  let rows: readonly ClipLabel[] = [];
  let replace = false;

  const show = (proposals: Proposals) => {
    const keep = ids && new Set(ids);
    rows = keep ? proposals.rows.filter((row) => keep.has(row.clip)) : proposals.rows;
    const lines = linesOf(rows);
    chosen.clear();
    lines.forEach((line) => chosen.add(line.label));
    const names = new Map((app.clips.value ?? []).map((clip) => [clip.id, clip.name]));
    replaceChildren(
      found,
      lines.length === 0 && h("p", null, `Nothing fits among ${meant}.`),
      lines.map((line): Child => {
        const box = checkbox(
          `${line.label}: ${count(line.clips, "clip")}, ${duration(line.seconds)}`,
          true,
          (on) => void (on ? chosen.add(line.label) : chosen.delete(line.label)),
        );
        const list = [...new Set(line.rows.map((row) => names.get(row.clip) ?? row.clip))];
        return h(
          "div",
          null,
          box.element,
          h("details", null, h("summary.muted", null, "which"), h("p.muted", null, list.join(", "))),
        );
      }),
      proposals.notes.map((note) => h("p.muted", null, note)),
    );
  };
  const ask = async (from: Propose) => {
    replaceChildren(found, h("p.muted", null, "Looking…"));
    try {
      show(await app.api.proposeLabels(from));
    } catch (error) {
      rows = [];
      replaceChildren(found, h("p.notice.bad", { role: "alert" }, messageOf(error)));
    }
  };

  const pattern = h("input", { type: "text", placeholder: "walk_*", "aria-label": "Pattern of file names" });
  const label = h("input", { type: "text", placeholder: "walk", "aria-label": "Label for clips that fit" });
  const byName = () => {
    // `walk_*` alone says what it is about.
    const word = label.value.trim() || (/[a-z]+/i.exec(pattern.value)?.[0] ?? "");
    label.value = word;
    if (pattern.value.trim() && word)
      void ask({ kind: "names", pattern: pattern.value.trim(), label: word, clips: ids });
  };
  const file = h("input", {
    type: "file",
    accept: ".csv,text/csv",
    hidden: true,
    onchange: () => {
      const table = file.files?.[0];
      if (table) void table.text().then((text) => ask({ kind: "table", name: table.name, text }));
      file.value = "";
    },
  });
  const suggest = () => void ask({ kind: "motion", clips: ids });
  const find = button({ label: "Find", onClick: byName });
  for (const input of [pattern, label])
    input.addEventListener("keydown", (event) => {
      // Enter in these fields looks; the dialog's own Enter would put labels on that nobody has seen.
      if (event.key !== "Enter") return;
      event.preventDefault();
      event.stopPropagation();
      byName();
    });
  const dialog = openDialog({
    title: `Labels for ${meant}`,
    wide: true,
    body: [
      h(
        "fieldset.label-source",
        null,
        h("legend", null, "By file name"),
        h("div.row", null, pattern, h("span", null, "→"), label, find),
      ),
      h(
        "fieldset.label-source",
        null,
        h("legend", null, "From a table, or from the motion"),
        h(
          "div.row",
          null,
          file,
          button({
            label: "Table (CSV)…",
            icon: "upload",
            title: "A table with the columns file, label, start_s, end_s; the arrow beside a clip's labels writes one",
            onClick: () => file.click(),
          }),
          button({ label: "Suggest from speed and turning", icon: "path", onClick: suggest }),
        ),
      ),
      found,
      checkbox("Take off the labels these clips have", false, (on) => (replace = on)).element,
    ],
    actions: [
      { label: "Cancel", value: false },
      { label: "Put them on", kind: "primary", value: true },
    ],
  });
  if (motion) suggest();
  if (await dialog)
    await putOn(
      app,
      rows.filter((row) => chosen.has(row.label)),
      replace,
    );
}
