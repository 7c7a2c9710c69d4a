/** Files on their way into the library: progress, and what went wrong, at the place. */
import type { App } from "../app";
import { ApiError } from "../api/error";
import { uploadClips, uploadGroups } from "../api/upload";
import type { Character, Clip, ReadFormat, Recording, Uploaded } from "../api/types";
import { folderOf } from "../dropped-files";
import { nameFor, ownProject } from "../projects";
import { button, iconButton, progressBar } from "../ui/controls";
import { bytes, count } from "../ui/format";
import { h } from "../ui/h";
import { longName } from "../ui/long-name";
import { toast } from "../ui/toast";
import { askKind } from "./ask-kind";
import { BadFiles, isBeside, troubleOf, troublesOf } from "./bad-files";
import { droppedKind } from "./character-kind";

/** So many requests at once; the rest wait. */
const AT_ONCE = 2;
/** So often a connection may break before it is told: the socket hears a moment later than the upload that the server is gone. */
const MOST_REFUSED = 1;

/** What all files of one drop have in common. */
interface Drop {
  readonly limit: number;
  /** What they are said to be, whatever their names end in. */
  readonly format: ReadFormat | null;
  /** They are characters, whatever moves in them. */
  readonly characters: boolean;
  readonly bad: BadFiles;
  arrived(what: Arrived): void;
}

/** What came of an upload. */
export type Arrived = Pick<Uploaded, "clips" | "recordings" | "characters">;

export class Uploads {
  readonly element = h("div.uploads", { role: "region", "aria-label": "Uploads" });
  private readonly queue: (() => Promise<void>)[] = [];
  private running = 0;

  constructor(
    private readonly app: App,
    private readonly onAdded: (what: Arrived) => void,
  ) {}

  add(files: readonly File[], format: ReadFormat | null = null): void {
    if (files.length === 0) return;
    void this.sort(files).then(({ characters, motions }) => {
      // A character may try on what the demo has; motion goes to a project of its own, and what came with it too.
      if (this.app.project.value?.demo && motions.length > 0) return void this.intoOwn(files);
      this.addAs(characters, null, true);
      this.addAs(motions, format, false);
    });
  }

  /** Tells characters from motion. Files that may be either are asked about, all at once. */
  private async sort(files: readonly File[]): Promise<{ characters: File[]; motions: File[] }> {
    const kinds = await Promise.all(files.map(droppedKind));
    const either = files.filter((_, k) => kinds[k] === "either");
    const asCharacters = either.length > 0 && (await askKind(either));
    const isCharacter = (k: number) => kinds[k] === "character" || (kinds[k] === "either" && asCharacters);
    const characters = files.filter((_, k) => isCharacter(k));
    const motions = files.filter((_, k) => !isCharacter(k));
    // Numbers of a glTF go with it; where there is motion too, with both.
    const beside = motions.filter(isBeside);
    if (characters.some((file) => /\.gltf$/i.test(file.name))) characters.push(...beside);
    return { characters, motions: motions.every(isBeside) && characters.length > 0 ? [] : motions };
  }

  private addAs(files: readonly File[], format: ReadFormat | null, characters: boolean): void {
    if (files.length === 0) return;
    // Of many files only the first to arrive is shown: the view must not jump from clip to clip.
    let shown = false;
    const drop: Drop = {
      limit: this.app.project.value?.limits.upload_bytes ?? Infinity,
      format,
      characters,
      bad: new BadFiles(this.element, {
        send: (again, as) => this.addAs(again, as ?? null, characters),
        chooseSkeleton: (take) => this.skeleton(take),
      }),
      arrived: (what) => {
        if (!shown) this.onAdded(what);
        shown = true;
      },
    };
    const groups = format ? uploadGroups(files, drop.limit, format) : uploadGroups(files, drop.limit);
    for (const group of groups) this.enqueue(group, drop);
    this.pump();
  }

  /** A button that opens the browser's file chooser. */
  chooser(label: string, kind: "plain" | "primary" = "plain"): HTMLElement {
    const input = chooseFiles(".bvh,.amc,.asf,.glb,.gltf,.bin,.fbx,.c3d,.trc,.csv,.npz", (files) => this.add(files));
    return h(
      "span",
      null,
      input,
      button({
        label,
        kind,
        icon: "upload",
        onClick: () => input.click(),
        title:
          "BVH, AMC + ASF, GLB, glTF + BIN, FBX; markers as C3D or TRC; sensors as CSV or NPZ. Files can also be dropped anywhere on the page.",
      }),
    );
  }

  /** The same for files that shall be characters, whatever moves in them. */
  characterChooser(): HTMLElement {
    const input = chooseFiles(".glb,.gltf,.bin,.fbx,.bvh", (files) => this.addAs(files, null, true));
    return h(
      "span",
      null,
      input,
      button({
        label: "Character…",
        onClick: () => input.click(),
        title:
          "A body of your own to put motion on: a rigged GLB or glTF with its mesh, or the skeleton of an FBX or BVH",
      }),
    );
  }

  private async intoOwn(files: readonly File[]): Promise<void> {
    // The library that asks is gone once the new project is open: the one of that project takes the files.
    if (await ownProject(this.app, files, nameFor(files, folderOf(files)))) this.app.addFiles(files);
  }

  /** Asks for an ASF. The chooser is on the page while it is open, as some browsers want it. */
  private skeleton(take: (files: readonly File[]) => void): void {
    const input = chooseFiles(".asf", (files) => {
      input.remove();
      if (files.length > 0) take(files);
    });
    this.element.append(input);
    input.click();
  }

  private enqueue(files: readonly File[], drop: Drop): void {
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
        longName("span", name, "upload-name"),
        state,
        iconButton("close", `Cancel ${name}`, () => cancel()),
      ),
      bar.element,
    );
    this.element.append(row);

    if (size > drop.limit) {
      row.remove();
      const message = `it has ${bytes(size)}; the limit is ${bytes(drop.limit)}`;
      return drop.bad.add(troublesOf(new ApiError(0, "too-large", message), files));
    }
    this.queue.push(async () => {
      if (!row.isConnected) return;
      const ended = new AbortController();
      cancel = () => ended.abort();
      try {
        const { clips, recordings, characters, bad } = await this.send(files, drop, ended.signal, (part) => {
          bar.set(part === null || part >= 1 ? null : part);
          state.textContent =
            part === null
              ? `${bytes(size)} · goes on when the server is back`
              : part < 1
                ? `${Math.round(part * 100)} % of ${bytes(size)}`
                : "reading the motion…";
        });
        row.remove();
        drop.bad.add(bad.map((one) => troubleOf(one, files)));
        if (clips.length + recordings.length + characters.length === 0) return;
        await this.app.refreshClips();
        const names = [...clips, ...recordings, ...characters].map((one) => one.name);
        const shown =
          names.length > 5 ? `${names.slice(0, 4).join(", ")} and ${names.length - 4} more` : names.join(", ");
        const kinds = [clips, recordings, characters].filter((list) => list.length > 0);
        const what =
          kinds.length > 1 ? "file" : clips.length > 0 ? "clip" : recordings.length > 0 ? "recording" : "character";
        toast(`${count(names.length, what)} added: ${shown}`, { kind: "done" });
        drop.arrived({ clips, recordings, characters });
      } catch (error) {
        row.remove();
        if (!(error instanceof ApiError && error.code === "aborted")) drop.bad.add(troublesOf(error, files));
      }
    });
  }

  /**
   * Sends files until the server has answered. One that goes away in the middle may have taken some of them: when it is back, those
   * that are in the library by then are not sent again. `onPart` is told null while nothing can be sent.
   */
  private async send(
    files: readonly File[],
    drop: Drop,
    signal: AbortSignal,
    onPart: (part: number | null) => void,
  ): Promise<Uploaded> {
    const { api, clips, recordings, characters } = this.app;
    const here = () => [...(clips.value ?? []), ...recordings.value, ...characters.value];
    const known = new Set(here().map((one) => one.id));
    let rest = files;
    let taken: Clip[] = [];
    let recorded: Recording[] = [];
    let drawn: Character[] = [];
    let refused = 0;
    for (let attempt = 0; ; attempt++) {
      onPart(0);
      const upload = uploadClips(rest, api.project_key, onPart, drop.format, drop.characters);
      const stop = () => upload.cancel();
      signal.addEventListener("abort", stop);
      try {
        const answer = await upload.done;
        return {
          ...answer,
          clips: [...taken, ...answer.clips],
          recordings: [...recorded, ...answer.recordings],
          characters: [...drawn, ...answer.characters],
        };
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
      const isNew = (one: Clip | Recording | Character) => !known.has(one.id) && files.some((f) => f.name === one.file);
      taken = (clips.value ?? []).filter(isNew);
      recorded = recordings.value.filter(isNew);
      drawn = characters.value.filter(isNew);
      rest = files.filter((file) => ![...taken, ...recorded, ...drawn].some((one) => one.file === file.name));
      if (rest.every(isBeside)) return { clips: taken, recordings: recorded, characters: drawn, bad: [] };
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
