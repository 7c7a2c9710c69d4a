/** What can be done with the clips that are selected. */
import type { App } from "../app";
import type { Clip } from "../api/types";
import { button, iconButton } from "../ui/controls";
import { confirmDialog, openDialog } from "../ui/dialog";
import { count } from "../ui/format";
import { h, replaceChildren } from "../ui/h";
import { toast, toastError } from "../ui/toast";
import { buildFrom } from "./build-from";
import { labelMany, labelSelection } from "./label-many";
import { putOnBody } from "./put-on-body";
import { readingDialog } from "./reading-dialog";
import type { Selection } from "./selection";

export function selectionBar(app: App, selection: Selection): HTMLElement {
  const bar = h("div.selection-bar", { role: "group", "aria-label": "Selected clips", hidden: true });
  const chosen = (): Clip[] => (app.clips.value ?? []).filter((clip) => selection.has(clip.id));
  const show = () => {
    const clips = chosen();
    bar.hidden = clips.length === 0;
    if (bar.hidden) return;
    const bodies = new Set(clips.map((clip) => clip.body)).size;
    replaceChildren(
      bar,
      h("strong", { role: "status" }, `${clips.length} selected`),
      iconButton("close", "Select none (Esc)", () => selection.clear()),
      h("span.spacer"),
      button({ label: "Label…", onClick: () => void labelSelection(app, chosen()) }),
      button({ label: "Labels by…", onClick: () => void labelMany(app, chosen()) }),
      button({
        label: "Build from these",
        disabled: bodies > 1,
        title: bodies > 1 ? `They are of ${bodies} bodies, and a graph needs one` : "A graph of these clips alone",
        onClick: () => void build(app, chosen()),
      }),
      button({
        label: "On a body…",
        title: "Put them on another body: a character's, or that of another clip",
        onClick: () => void putOnBody(app, chosen()),
      }),
      button({
        label: "Read as…",
        disabled: !clips.some((clip) => clip.reading),
        onClick: () => {
          const [first] = chosen().filter((clip) => clip.reading);
          if (first) void readingDialog(app, first, { selection: chosen() });
        },
      }),
      button({ label: "Export…", onClick: () => void exportClips(app, chosen()) }),
      button({ label: "Remove", kind: "danger", onClick: () => void remove(app, chosen(), selection) }),
    );
  };
  selection.ids.listen(show);
  app.clips.listen(show);
  return bar;
}

async function build(app: App, clips: readonly Clip[]): Promise<void> {
  const ids = clips.map((clip) => clip.id);
  await buildFrom(app, ids, { kind: "build", clips: ids });
}

async function exportClips(app: App, clips: readonly Clip[]): Promise<void> {
  const format = await openDialog<"bvh" | "glb">({
    title: `Take home ${count(clips.length, "clip")}`,
    body: h("p", null, "As they are read here, in one archive. GLB files carry the labels with them."),
    actions: [
      { label: "BVH", value: "bvh" },
      { label: "GLB", kind: "primary", value: "glb" },
    ],
  });
  if (!format) return;
  const ids = clips.map((clip) => clip.id);
  const link = h("a", { href: app.api.clipsZipUrl(ids, format), download: "clips.zip", hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
}

async function remove(app: App, clips: readonly Clip[], selection: Selection): Promise<void> {
  const sure = await confirmDialog(
    `Remove ${count(clips.length, "clip")}?`,
    "Files leave the project folder, with their labels and contacts; files that lie elsewhere stay there. The graph keeps the clips until it is built again.",
    "Remove",
    "danger",
  );
  if (!sure) return;
  try {
    await app.api.removeClips(clips.map((clip) => clip.id));
    selection.clear();
    await app.refreshClips();
    toast(`${count(clips.length, "clip")} removed.`);
    app.go("library");
  } catch (error) {
    toastError(error, "Nothing was removed");
  }
}
