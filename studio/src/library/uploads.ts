/** Files on their way into the library: progress, and what went wrong, at the place. */
import type { App } from "../app";
import { ApiError, messageOf } from "../api/error";
import { uploadClips, uploadGroups } from "../api/upload";
import type { Clip } from "../api/types";
import { button, iconButton, progressBar } from "../ui/controls";
import { bytes, count } from "../ui/format";
import { h, replaceChildren } from "../ui/h";
import { icon } from "../ui/icons";
import { toast } from "../ui/toast";

/** So many requests at once; the rest wait. */
const AT_ONCE = 2;

export class Uploads {
  readonly element = h("div.uploads", { role: "region", "aria-label": "Uploads" });
  private readonly queue: (() => Promise<void>)[] = [];
  private running = 0;

  constructor(
    private readonly app: App,
    private readonly onAdded: (clips: readonly Clip[]) => void,
  ) {}

  add(files: readonly File[]): void {
    // Of many files only the first to arrive is shown: the view must not jump from clip to clip.
    let shown = false;
    const arrived = (clips: readonly Clip[]) => {
      if (!shown) this.onAdded(clips);
      shown = true;
    };
    for (const group of uploadGroups(files)) this.enqueue(group, arrived);
    this.pump();
  }

  /** A button that opens the browser's file chooser. */
  chooser(label: string, kind: "plain" | "primary" = "plain"): HTMLElement {
    const input = h("input", {
      type: "file",
      multiple: true,
      accept: ".bvh,.amc,.asf,.glb,.gltf,.fbx",
      hidden: true,
      onchange: () => {
        this.add([...(input.files ?? [])]);
        input.value = "";
      },
    });
    return h(
      "span",
      null,
      input,
      button({
        label,
        kind,
        icon: "upload",
        onClick: () => input.click(),
        title: "BVH, AMC + ASF, GLB, FBX. Files can also be dropped anywhere on the page.",
      }),
    );
  }

  private enqueue(files: readonly File[], arrived: (clips: readonly Clip[]) => void): void {
    const size = files.reduce((sum, file) => sum + file.size, 0);
    const name = files.length === 1 ? files[0]!.name : `${files[0]!.name} and ${files.length - 1} more`;
    const bar = progressBar(`Upload of ${name}`);
    const state = h("span.upload-state.muted", null, `${bytes(size)} · waiting`);
    let cancel = () => row.remove();
    const row = h(
      "div.upload",
      null,
      h(
        "div.upload-head",
        null,
        h("span.upload-name", null, name),
        state,
        iconButton("close", `Cancel ${name}`, () => cancel()),
      ),
      bar.element,
    );
    this.element.append(row);

    const limit = this.app.project.value?.limits.upload_bytes ?? Infinity;
    if (size > limit) return this.fail(row, name, `it has ${bytes(size)}; the limit is ${bytes(limit)}`, null, files);
    this.queue.push(async () => {
      if (!row.isConnected) return;
      state.textContent = bytes(size);
      const upload = uploadClips(files, (part) => {
        bar.set(part < 1 ? part : null);
        state.textContent = part < 1 ? `${Math.round(part * 100)} % of ${bytes(size)}` : "reading the motion…";
      });
      cancel = () => upload.cancel();
      try {
        const clips = await upload.done;
        row.remove();
        await this.app.refreshClips();
        toast(`${count(clips.length, "clip")} added: ${clips.map((clip) => clip.name).join(", ")}`, { kind: "done" });
        arrived(clips);
      } catch (error) {
        if (error instanceof ApiError && error.code === "aborted") row.remove();
        else this.fail(row, name, messageOf(error), error instanceof ApiError ? error.hint : null, files);
      }
    });
  }

  private pump(): void {
    while (this.running < AT_ONCE) {
      const next = this.queue.shift();
      if (!next) return;
      this.running += 1;
      void next().finally(() => {
        this.running -= 1;
        this.pump();
      });
    }
  }

  private fail(row: HTMLElement, name: string, message: string, hint: string | null, files: readonly File[]): void {
    const text = hint && message.endsWith(hint) ? message.slice(0, -hint.length).replace(/\. $/, "") : message;
    row.className = "upload notice bad";
    row.setAttribute("role", "alert");
    replaceChildren(
      row,
      icon("warning"),
      h(
        "div.upload-error",
        null,
        h("strong", null, `${name} was not added`),
        h("span", null, text),
        hint && h("span.muted", null, hint),
        h(
          "div.row",
          null,
          button({ label: "Try again", kind: "quiet", onClick: () => (row.remove(), this.add(files)) }),
        ),
      ),
      iconButton("close", "Dismiss", () => row.remove()),
    );
  }
}
