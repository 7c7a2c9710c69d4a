/** The library: clips on the left, the chosen one on the right. */
import type { App, Mount, View } from "../app";
import type { Character, Clip, Recording } from "../api/types";
import type { Params, Route } from "../route";
import { messageOf } from "../api/error";
import { button } from "../ui/controls";
import { h, replaceChildren } from "../ui/h";
import { icon } from "../ui/icons";
import { Disposer } from "../ui/signal";
import { Stage } from "../stage";
import { ClipList } from "./clip-list";
import { ClipView } from "./clip-view";
import { OWN } from "./character-model";
import { CharacterView } from "./character-view";
import { characterFacts, FileList, recordingFacts } from "./file-list";
import { RecordingView } from "./recording-view";
import { firstClip } from "./clip-filter";
import { Uploads } from "./uploads";
import "./library.css";

export const mount: Mount = (root, app) => new LibraryView(root, app);

class LibraryView implements View {
  private readonly stops = new Disposer();
  private readonly uploads: Uploads;
  private readonly list: ClipList;
  private readonly recordings: FileList<Recording>;
  private readonly characters: FileList<Character>;
  private readonly right = h("div.library-right");
  private readonly frame: HTMLElement;
  private view: ClipView | null = null;
  private recordingView: RecordingView | null = null;
  private characterView: CharacterView | null = null;
  private visible = false;

  constructor(
    root: HTMLElement,
    private readonly app: App,
  ) {
    this.uploads = new Uploads(app, ({ clips, recordings, characters }) => {
      if (characters[0]) app.go("library", { character: characters[0].id, ...this.played() });
      else if (clips[0]) app.go("library", { clip: clips[0].id });
      else if (recordings[0]) app.go("library", { recording: recordings[0].id });
    });
    this.recordings = new FileList({
      title: "Markers and sensors",
      files: app.recordings,
      facts: recordingFacts,
      onPick: (id) => app.go("library", { recording: id }),
    });
    this.characters = new FileList({
      title: "Characters",
      files: app.characters,
      facts: characterFacts,
      onPick: (id) => app.go("library", { character: id, ...this.played() }),
    });
    this.list = new ClipList(app, (id) => app.go("library", chosen(app.route.value.params, id)));
    this.frame = h(
      "div.library",
      null,
      h(
        "aside.library-left",
        { "aria-label": "Clips" },
        h(
          "div.library-add",
          null,
          h("h2", null, "Clips"),
          h("span.spacer"),
          this.uploads.chooser("Add clips…"),
          this.uploads.characterChooser(),
        ),
        this.uploads.element,
        this.characters.element,
        this.recordings.element,
        this.list.element,
      ),
      this.right,
    );
    root.append(this.frame);
    app.onFiles = (files) => this.uploads.add(files);
    this.stops.add(app.clips.listen(() => this.show(app.route.value)));
    const flush = () => this.view?.flush();
    addEventListener("pagehide", flush);
    this.stops.add(() => removeEventListener("pagehide", flush));
    replaceChildren(this.right, h("div.empty", { role: "status" }, h("p", null, "Loading the library…")));
  }

  show(route: Route): void {
    this.visible = true;
    if (route.view !== "library") return;
    const clips = this.app.clips.value;
    if (!clips) return;
    const recordings = this.app.recordings.value;
    const characters = this.app.characters.value.length;
    this.frame.classList.toggle("no-clips", clips.length + recordings.length + characters === 0);
    this.frame.classList.toggle("only-recordings", clips.length === 0 && recordings.length > 0);
    if (clips.length + recordings.length + (route.params["character"] ? characters : 0) === 0) return this.showEmpty();
    if (route.params["character"]) return this.showCharacter(route.params["character"], route.params);
    this.characters.setCurrent(null);
    this.characterView?.close();
    const asked = route.params["clip"];
    const recording = route.params["recording"] ?? (clips.length === 0 && !asked ? recordings[0]?.id : undefined);
    this.recordings.setCurrent(recording ?? null);
    if (recording) return this.showRecording(recording);
    this.recordingView?.close();
    if (!asked) return this.app.settle("library", { clip: this.fallback(clips).id });
    const chosen = clips.find((clip) => clip.id === asked);
    if (!chosen) return this.showMissing(asked);
    const view = this.clipView();
    if (!view) return;
    this.list.setCurrent(chosen.id, view.shown !== chosen.id);
    view.choose(route.params["tab"] ?? "labels");
    if (view.shown === chosen.id) view.update(chosen);
    else void view.open(chosen);
  }

  hide(): void {
    this.visible = false;
    this.view?.flush();
    this.stage?.clock.pause();
    this.recordingView?.pause();
    this.characterView?.pause();
  }

  dispose(): void {
    this.stops.dispose();
    this.list.dispose();
    this.recordings.dispose();
    this.characters.dispose();
    this.characterView?.dispose();
    this.recordingView?.dispose();
    this.view?.dispose();
    this.stage?.dispose();
    this.frame.remove();
    this.app.onFiles = null;
  }

  key(event: KeyboardEvent): boolean {
    if (!this.visible) return false;
    if (this.characterView?.shown) return this.characterView.key(event);
    return this.recordingView?.shown ? this.recordingView.key(event) : (this.view?.key(event) ?? false);
  }

  /** Nothing chosen: what is shown stays, else a good one to begin with. */
  private fallback(clips: readonly Clip[]): Clip {
    return clips.find((clip) => clip.id === this.view?.shown) ?? firstClip(clips);
  }

  /** The clip that a character is shown with when it comes: what was on stage. */
  private played(): { clip?: string } {
    const clip = this.view?.shown ?? this.app.route.value.params["clip"];
    return clip ? { clip } : {};
  }

  /** Motion on a character. */
  private showCharacter(id: string, params: Params): void {
    const character = id === OWN.id ? OWN : this.app.characters.value.find((one) => one.id === id);
    if (!character) return this.showMissing(id);
    this.view?.close();
    this.recordingView?.close();
    this.recordings.setCurrent(null);
    this.characters.setCurrent(id);
    this.list.setCurrent(params["clip"] ?? null, false);
    try {
      this.characterView ??= new CharacterView(this.app);
    } catch (error) {
      return this.showNo3d(error);
    }
    if (!this.right.contains(this.characterView.element)) replaceChildren(this.right, this.characterView.element);
    void this.characterView.open(character, {
      clip: params["clip"],
      result: params["result"],
      member: params["member"],
    });
  }

  /** Markers or sensors, and the body in them. */
  private showRecording(id: string): void {
    const recording = this.app.recordings.value.find((one) => one.id === id);
    if (!recording) return this.showMissing(id);
    this.view?.close();
    this.characterView?.close();
    this.list.setCurrent(null, false);
    try {
      this.recordingView ??= new RecordingView(this.app);
    } catch (error) {
      return this.showNo3d(error);
    }
    if (!this.right.contains(this.recordingView.element)) replaceChildren(this.right, this.recordingView.element);
    void this.recordingView.open(recording);
  }

  private stage: Stage | null = null;

  /** Made on first use; a browser without WebGL still gets the list and a reason. */
  private clipView(): ClipView | null {
    if (this.view) {
      if (!this.right.contains(this.view.element)) replaceChildren(this.right, this.view.element);
      return this.view;
    }
    try {
      const host = h("div");
      this.stage = new Stage(host, this.app.theme);
      this.view = new ClipView(this.app, this.stage);
      replaceChildren(this.right, this.view.element);
      return this.view;
    } catch (error) {
      this.showNo3d(error);
      return null;
    }
  }

  private showNo3d(error: unknown): void {
    replaceChildren(
      this.right,
      h(
        "div.empty",
        null,
        h("h2", null, "No 3D here"),
        h("p", null, `This browser does not offer WebGL 2, which the player needs (${messageOf(error)}).`),
      ),
    );
  }

  /** The address names a clip that is not here. */
  private showMissing(id: string): void {
    this.view?.close();
    this.recordingView?.close();
    this.characterView?.close();
    this.list.setCurrent(null, false);
    replaceChildren(
      this.right,
      h(
        "div.empty",
        { role: "status" },
        h("h2", null, `There is no clip “${id}”`),
        h(
          "p",
          null,
          "It may have been removed, or it is in another project. Choose one from the list, or add it by dropping its file here.",
        ),
        button({ label: "Show a clip that is here", kind: "primary", onClick: () => this.app.go("library") }),
      ),
    );
  }

  private showEmpty(): void {
    this.view?.close();
    this.recordingView?.close();
    this.characterView?.close();
    replaceChildren(
      this.right,
      h(
        "div.empty.start",
        null,
        icon("upload"),
        h("h2", null, "Start with some motion"),
        h(
          "p",
          null,
          "Drop motion capture files anywhere on this page: BVH, AMC with its ASF, GLB, glTF with its BIN, or FBX; markers as C3D or TRC, sensors as CSV or NPZ. Clips of one body go together in a graph.",
        ),
        this.uploads.chooser("Choose files…", "primary"),
        h(
          "ol.next-steps",
          null,
          h("li", null, h("strong", null, "Look"), " at each clip here and label what is going on."),
          h("li", null, h("strong", null, "Build"), " the graph: it finds where one clip can flow into another."),
          h("li", null, h("strong", null, "Make"), " new motion by drawing a path."),
        ),
        button({
          label: "What do the keys do?",
          kind: "quiet",
          onClick: () => dispatchEvent(new KeyboardEvent("keydown", { key: "?" })),
        }),
      ),
    );
  }
}

/** Another clip: on the character where one is on stage, else by itself. */
function chosen(params: Params, clip: string): Params {
  return params["character"] ? { character: params["character"], clip } : { ...params, clip };
}
