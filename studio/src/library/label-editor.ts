/** Labels of a clip: a lane per label. */
import type { App } from "../app";
import type { Clip } from "../api/types";
import { button, iconButton } from "../ui/controls";
import { promptDialog } from "../ui/dialog";
import { h } from "../ui/h";
import { labelStyle } from "../ui/label-colours";
import type { PlaybackClock } from "../stage";
import { Editor } from "./editor";
import { labelMany } from "./label-many";
import {
  addInterval,
  lanesOf,
  removeLane,
  renameLane,
  setLane,
  settle,
  type Interval,
  type Sheet,
} from "./timeline/model";
import { isMark } from "../ui/marks";

/** An interval drawn here gets a name of its own. */
const NEW_LANE = "new label…";
/** More lanes than this do not fit under the stage. */
const MOST_LANES = 12;

export function labelEditor(
  app: App,
  clip: Clip,
  clock: PlaybackClock,
  speed: Float32Array | null,
): Editor & { addAtCursor(): Promise<void> } {
  const known = () => app.project.value?.labels ?? [];
  let used = "";
  let inUse: ReadonlySet<string> = new Set();
  let offered = known().join("\n");
  // A label that another clip got has a lane here too.
  const unlisten = app.project.listen(() => {
    const now = known().join("\n");
    if (now !== offered) editor.refresh();
    offered = now;
  });
  /** Lanes in the project's order, so that a label keeps its place from clip to clip. */
  const lanes = (sheet: Sheet) => {
    const order = known();
    const rank = (lane: string) => (order.includes(lane) ? order.indexOf(lane) : order.length);
    const own = lanesOf(sheet);
    inUse = new Set(own);
    // The project's other labels have lanes too, so that one can be drawn wherever it belongs; a long list would push them out of sight.
    const others = order
      .filter((lane) => !own.includes(lane) && !isMark(lane))
      .slice(0, Math.max(0, MOST_LANES - own.length));
    const all = [...own, ...others].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
    return all.length > 0 ? [...all, NEW_LANE] : [];
  };

  const addWhole = async () => {
    const name = await promptDialog("Label the whole clip", "Label", "", known());
    if (!name) return;
    const { sheet, id } = addInterval(editor.sheet, name, 0, clip.frames);
    editor.edit(settle(sheet, id));
    editor.timeline.select(id, true);
  };
  const addAtCursor = async () => {
    const name = await promptDialog("Add a label", "Label", "", known());
    if (!name) return;
    const cursor = Math.round(clock.time * clip.rate_hz);
    // From the playhead to the end; at the end itself, the whole clip.
    const start = cursor >= clip.frames - 1 ? 0 : cursor;
    const { sheet, id } = addInterval(editor.sheet, name, start, clip.frames);
    editor.edit(settle(sheet, id));
    editor.timeline.select(id, true);
  };
  const rename = async (item: Interval) => {
    const name = await promptDialog("Rename the interval", "Label", item.lane, known());
    if (name && name !== item.lane) editor.edit(settle(setLane(editor.sheet, item.id, name), item.id));
    editor.timeline.select(item.id, true);
  };
  const renameAll = async (lane: string) => {
    const name = await promptDialog(`Rename “${lane}” in this clip`, "Label", lane, known());
    if (name && name !== lane) editor.edit(renameLane(editor.sheet, lane, name));
  };

  const editor: Editor = new Editor(
    app,
    {
      part: "labels",
      load: async () => {
        const { revision, rows } = await app.api.labels(clip.id);
        return {
          revision,
          detected: false,
          rows: rows.map(({ label, start_s, end_s }) => ({ lane: label, start_s, end_s })),
        };
      },
      save: (rows, _, revision) =>
        app.api.putLabels(clip.id, {
          revision,
          rows: rows.map(({ lane, start_s, end_s }) => ({ label: lane, start_s, end_s })),
        }),
      lanes,
      newLane: { name: NEW_LANE, ask: () => promptDialog("Add a label", "Label", "", known()) },
      laneStyle: (lane) => labelStyle(lane),
      laneHead: (lane) =>
        !inUse.has(lane)
          ? h(
              "div.lane-head",
              { style: lane === NEW_LANE ? {} : labelStyle(lane) },
              lane !== NEW_LANE && h("span.tl-dot"),
              h("span.tl-lane-name.muted", { title: "Drag along this lane" }, lane),
            )
          : h(
              "div.lane-head",
              { style: labelStyle(lane) },
              h("span.tl-dot"),
              h("span.tl-lane-name", { title: lane }, lane),
              iconButton("tag", `Rename ${lane}`, () => void renameAll(lane)),
              iconButton("trash", `Remove every interval of ${lane}`, () =>
                editor.edit(removeLane(editor.sheet, lane)),
              ),
            ),
      itemText: (item) => item.lane,
      mayChangeLane: true,
      onDispose: unlisten,
      // A lane that gets its first interval, or loses its last, has another head.
      onSheet: (sheet) => {
        const now = lanesOf(sheet).sort().join("\n");
        if (now !== used) queueMicrotask(() => editor.refresh());
        used = now;
      },
      onOpen: (item) => void rename(item),
      tools: [
        button({
          label: "Add label",
          icon: "plus",
          title: "A new label from the playhead on (N)",
          onClick: () => void addAtCursor(),
        }),
        button({
          label: "Whole clip",
          title: "One label from the first frame to the last",
          onClick: () => void addWhole(),
        }),
        button({
          label: "Suggest…",
          title: "Labels that speed and turning speak for: shown first, put on when you agree",
          onClick: () => void labelMany(app, [clip], true),
        }),
      ],
      csvUrl: app.api.labelsCsvUrl(),
      empty: () =>
        h(
          "div.empty",
          null,
          h(
            "p",
            null,
            "This clip has no labels. A label says what is going on (walk, run, sneak), so that the graph can be asked for it.",
          ),
          button({
            label: "Label the whole clip…",
            kind: "primary",
            onClick: () => void addWhole(),
          }),
        ),
    },
    clip.frames,
    clip.rate_hz,
    clock,
    speed,
  );
  return Object.assign(editor, { addAtCursor });
}
