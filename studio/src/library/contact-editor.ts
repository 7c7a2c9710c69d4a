/** Contacts of a clip: a lane per joint that may touch the floor. */
import type { App } from "../app";
import type { Clip } from "../api/types";
import { button } from "../ui/controls";
import { h, replaceChildren } from "../ui/h";
import { splitName } from "../stage/roles";
import type { PlaybackClock } from "../stage";
import { Editor } from "./editor";
import { lanesOf, type Interval, type Sheet } from "./timeline/model";

const HUE = { left: 212, right: 28, mid: 152 } as const;

/** `joints`: names of the contact joints, as the motion's header lists them. */
export function contactEditor(
  app: App,
  clip: Clip,
  clock: PlaybackClock,
  joints: readonly string[],
  speed: Float32Array | null,
  onSheet: (sheet: Sheet) => void,
): Editor {
  const note = h("span.muted");
  const reset = button({
    label: "Back to detected",
    icon: "reset",
    title: "Forget the edits and take what the detector finds",
    onClick: () => void goBack(),
  });
  const goBack = async () => {
    editor.edit({ ...editor.sheet, items: [] }, null, true);
    await editor.settled();
    await editor.load();
  };
  const editor = new Editor(
    app,
    {
      part: "contacts",
      load: async () => {
        const { revision, detected, rows } = await app.api.contacts(clip.id);
        return { revision, detected, rows: rows.map(({ joint, ...row }) => ({ lane: joint, ...row })) };
      },
      save: (rows, detected, revision) =>
        app.api.putContacts(clip.id, {
          revision,
          detected,
          rows: detected
            ? []
            : rows.map(({ lane, start_s, end_s, confidence }) => ({
                joint: lane,
                start_s,
                end_s,
                confidence: confidence ?? 1,
              })),
        }),
      lanes: (sheet) => [...new Set([...joints, ...lanesOf(sheet)])],
      laneStyle: (lane) => ({ "--hue": String(HUE[splitName(lane).side]) }),
      laneHead: (lane) =>
        h(
          "div.lane-head",
          { style: { "--hue": String(HUE[splitName(lane).side]) } },
          h("span.tl-dot"),
          h("span.tl-lane-name", { title: lane }, lane),
        ),
      itemText: (item: Interval) =>
        item.confidence === undefined ? "planted" : `${Math.round(item.confidence * 100)} %`,
      mayChangeLane: false,
      onOpen: () => {},
      tools: [reset, note],
      csvUrl: app.api.contactsCsvUrl(),
      empty: () =>
        h(
          "div.empty",
          null,
          h("p", null, "No joint of this skeleton is known as a foot, so no contacts were looked for."),
        ),
      onSheet: (sheet, detected) => {
        reset.disabled = detected;
        replaceChildren(note, detected ? "As detected; drag to correct." : "Edited by hand.");
        onSheet(sheet);
      },
    },
    clip.frames,
    clip.rate_hz,
    clock,
    speed,
  );
  return editor;
}
