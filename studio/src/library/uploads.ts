/** Files on their way into the library: progress, and what went wrong, at the place. */
import type { App } from "../app";
import { ApiError, messageOf } from "../api/error";
import { uploadClips, uploadGroups } from "../api/upload";
import type { BadFile, Clip, Uploaded } from "../api/types";
import { folderOf } from "../dropped-files";
import { nameFor, ownProject } from "../projects";
import { button, iconButton, progressBar } from "../ui/controls";
import { bytes, count, sentences } from "../ui/format";
import { h, replaceChildren, type Child } from "../ui/h";
import { icon } from "../ui/icons";
import { toast } from "../ui/toast";

/** So many requests at once; the rest wait. */
const AT_ONCE = 2;
/** Of more bad files than this the others are folded away. */
const SHOWN_BAD = 3;
/** So often a connection may break before it is told: the socket hears a moment later than the upload that the server is gone. */
const MOST_REFUSED = 1;

interface Trouble {
  name: string;
  message: string;
  hint: string | null;
}

export class Uploads {
  readonly element = h("div.uploads", { role: "region", "aria-label": "Uploads" });
  private readonly queue: (() => Promise<void>)[] = [];
  private running = 0;

  constructor(
    private readonly app: App,
    private readonly onAdded: (clips: readonly Clip[]) => void,
  ) {}

  add(files: readonly File[]): void {
    if (files.length === 0) return;
    if (this.app.project.value?.demo) return void this.intoOwn(files);
    // Of many files only the first to arrive is shown: the view must not jump from clip to clip.
    let shown = false;
    const arrived = (clips: readonly Clip[]) => {
      if (!shown) this.onAdded(clips);
      shown = true;
    };
    const limit = this.app.project.value?.limits.upload_bytes ?? Infinity;
    for (const group of uploadGroups(files, limit)) this.enqueue(group, limit, arrived);
    this.pump();
  }

  /** A button that opens the browser's file chooser. */
  chooser(label: string, kind: "plain" | "primary" = "plain"): HTMLElement {
    const input = chooseFiles(".bvh,.amc,.asf,.glb,.gltf,.bin,.fbx", (files) => this.add(files));
    return h(
      "span",
      null,
      input,
      button({
        label,
        kind,
        icon: "upload",
        onClick: () => input.click(),
        title: "BVH, AMC + ASF, GLB, glTF + BIN, FBX. Files can also be dropped anywhere on the page.",
      }),
    );
  }

  private async intoOwn(files: readonly File[]): Promise<void> {
    // The library that asks is gone once the new project is open: the one of that project takes the files.
    if (await ownProject(this.app, files, nameFor(files, folderOf(files)))) this.app.addFiles(files);
  }

  private enqueue(files: readonly File[], limit: number, arrived: (clips: readonly Clip[]) => void): void {
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

    if (size > limit)
      return this.fail(
        row,
        [{ name, message: `it has ${bytes(size)}; the limit is ${bytes(limit)}`, hint: null }],
        files,
      );
    this.queue.push(async () => {
      if (!row.isConnected) return;
      const ended = new AbortController();
      cancel = () => ended.abort();
      try {
        const { clips, bad } = await this.send(files, ended.signal, (part) => {
          bar.set(part === null || part >= 1 ? null : part);
          state.textContent =
            part === null
              ? `${bytes(size)} · goes on when the server is back`
              : part < 1
                ? `${Math.round(part * 100)} % of ${bytes(size)}`
                : "reading the motion…";
        });
        if (bad.length > 0) this.fail(row, bad.map(troubleOf), files);
        else row.remove();
        if (clips.length === 0) return;
        await this.app.refreshClips();
        const names = clips.map((clip) => clip.name);
        const shown =
          names.length > 5 ? `${names.slice(0, 4).join(", ")} and ${names.length - 4} more` : names.join(", ");
        toast(`${count(clips.length, "clip")} added: ${shown}`, { kind: "done" });
        arrived(clips);
      } catch (error) {
        if (error instanceof ApiError && error.code === "aborted") row.remove();
        else {
          const hint = error instanceof ApiError ? error.hint : null;
          this.fail(
            row,
            [{ name, message: error instanceof ApiError ? error.message : messageOf(error), hint }],
            files,
          );
        }
      }
    });
  }

  /**
   * Sends files until the server has answered. One that goes away in the middle may have taken some of them: when it is back, those
   * that are in the library by then are not sent again. `onPart` is told null while nothing can be sent.
   */
  private async send(
    files: readonly File[],
    signal: AbortSignal,
    onPart: (part: number | null) => void,
  ): Promise<Uploaded> {
    const { api, clips } = this.app;
    const known = new Set((clips.value ?? []).map((clip) => clip.id));
    let rest = files;
    let taken: Clip[] = [];
    let refused = 0;
    for (let attempt = 0; ; attempt++) {
      onPart(0);
      const upload = uploadClips(rest, api.project_key, onPart);
      const stop = () => upload.cancel();
      signal.addEventListener("abort", stop);
      try {
        const answer = await upload.done;
        return { ...answer, clips: [...taken, ...answer.clips] };
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== "unreachable") throw error;
        // A server that is there and ends the connection does not want these files.
        if (this.app.events.state === "open" && ++refused > MOST_REFUSED) throw error;
      } finally {
        signal.removeEventListener("abort", stop);
      }
      onPart(null);
      await api.serverBack(signal, attempt);
      await this.app.refreshClips();
      taken = (clips.value ?? []).filter((clip) => !known.has(clip.id) && files.some((f) => f.name === clip.file));
      rest = files.filter((file) => !taken.some((clip) => clip.file === file.name));
      if (rest.every(isBeside)) return { clips: taken, bad: [] };
    }
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

  /** All that went wrong with one drop, in one card. */
  private fail(row: HTMLElement, troubles: readonly Trouble[], files: readonly File[]): void {
    const [first] = troubles;
    const again = (more: readonly File[] = []) => {
      row.remove();
      const bad = new Set(troubles.map((trouble) => trouble.name));
      const kept =
        troubles.length === 1 && files.length > 1 ? files : files.filter((f) => bad.has(f.name) || isBeside(f));
      this.add([...(kept.length > 0 ? kept : files), ...more]);
    };
    const asf = chooseFiles(".asf", again);
    const wantsSkeleton = troubles.some((trouble) => /no ASF/.test(trouble.message));
    const item = (trouble: Trouble): Child => h("li", null, sentences(trouble.message, trouble.hint));
    row.className = "upload notice bad";
    row.setAttribute("role", "alert");
    replaceChildren(
      row,
      icon("warning"),
      h(
        "div.upload-error",
        null,
        h(
          "strong",
          null,
          troubles.length === 1
            ? `${first?.name ?? "The file"} was not added`
            : `${troubles.length} files were not added`,
        ),
        h("ul", null, troubles.slice(0, SHOWN_BAD).map(item)),
        troubles.length > SHOWN_BAD &&
          h(
            "details",
            null,
            h("summary", null, `and ${troubles.length - SHOWN_BAD} more`),
            h("ul", null, troubles.slice(SHOWN_BAD).map(item)),
          ),
        h(
          "div.row",
          null,
          wantsSkeleton && [
            asf,
            button({ label: "Choose its skeleton (ASF)…", kind: "primary", onClick: () => asf.click() }),
          ],
          button({ label: "Try again", kind: "quiet", onClick: () => again() }),
        ),
      ),
      iconButton("close", "Dismiss", () => row.remove()),
    );
  }
}

function isBeside(file: File): boolean {
  return /\.(asf|bin)$/i.test(file.name);
}

function troubleOf({ file, error }: BadFile): Trouble {
  return { name: file, message: error.message, hint: error.hint };
}

function chooseFiles(accept: string, take: (files: readonly File[]) => void): HTMLInputElement {
  const input = h("input", {
    type: "file",
    multiple: true,
    accept,
    hidden: true,
    onchange: () => {
      take([...(input.files ?? [])]);
      input.value = "";
    },
  });
  return input;
}
