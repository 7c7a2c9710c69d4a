/** Markers or sensors: played with their groups coloured, the body that is found in them over them, and one button to a clip. */
import type { App } from "../app";
import type { FindBody, FoundBody, Recording } from "../api/types";
import { ApiError, messageOf } from "../api/error";
import { iconButton } from "../ui/controls";
import { duration, sentences } from "../ui/format";
import { h, replaceChildren } from "../ui/h";
import { icon } from "../ui/icons";
import { longName } from "../ui/long-name";
import { toast, toastError } from "../ui/toast";
import { Stage, playerKey, streamMotion, transport, type Actor } from "../stage";
import { dotColours } from "./found-model";
import { FoundPanel } from "./found-panel";
import { pointsOf } from "./file-list";
import { removeFile } from "./remove-file";

/** Frames per request, as clips have it. */
const CHUNK = 4096;

export class RecordingView {
  readonly element: HTMLElement;
  private readonly stage: Stage;
  private readonly title = h("div.clip-title");
  private readonly trouble = h("div.stage-trouble", { hidden: true, role: "alert" });
  private readonly panel: FoundPanel;
  private recording: Recording | null = null;
  private how: FindBody = {};
  private dots: Actor | null = null;
  private body: Actor | null = null;
  private opening = new AbortController();
  private finding = new AbortController();

  constructor(private readonly app: App) {
    this.stage = new Stage(h("div"), app.theme);
    this.stage.style.value = "stick";
    const waiting = h("div.stage-wait", { hidden: true }, "Loading frames…");
    this.stage.waiting.listen((on) => (waiting.hidden = !on));
    this.panel = new FoundPanel(app, {
      onFind: (how) => void this.find(how),
      onMake: (how) => this.make(how),
    });
    this.element = h(
      "div.clip-view.recording-view",
      null,
      this.title,
      h("div.stage-box", null, this.stage.element, waiting, this.trouble),
      transport(this.stage, { fileName: () => this.recording?.name ?? "markers" }),
      this.panel.element,
    );
  }

  get shown(): string | null {
    return this.recording?.id ?? null;
  }

  async open(recording: Recording): Promise<void> {
    if (this.recording?.id === recording.id) return;
    this.close();
    this.recording = recording;
    this.how = {};
    this.showTitle(recording);
    this.panel.begin(recording);
    const { signal } = (this.opening = new AbortController());
    try {
      const source = await streamMotion(
        (from, n, own) =>
          this.app.api.recordingMotion(recording.id, from, n, { signal: AbortSignal.any([own, signal]) }),
        { chunkFrames: CHUNK },
      );
      if (signal.aborted) return;
      this.dots = this.stage.add(source, { dots: dotColours(source.header.joints, null) });
      source.onData((error) => this.showTrouble(error ? `Frames could not be loaded: ${messageOf(error)}` : null));
      this.stage.clock.seek(0);
      this.stage.following.value = true;
      this.stage.frameAll("three-quarter");
      if (!matchMedia("(prefers-reduced-motion: reduce)").matches) this.stage.clock.play();
    } catch (error) {
      if (error instanceof ApiError && error.code === "aborted") return;
      return this.showTrouble(`${recording.name} cannot be shown: ${messageOf(error)}`);
    }
    await this.find(this.how);
  }

  close(): void {
    this.opening.abort();
    this.finding.abort();
    this.stage.clear();
    this.stage.clock.pause();
    this.dots = this.body = null;
    this.recording = null;
    this.showTrouble(null);
  }

  pause(): void {
    this.stage.clock.pause();
  }

  dispose(): void {
    this.close();
    this.stage.dispose();
  }

  key(event: KeyboardEvent): boolean {
    return playerKey(this.stage, event);
  }

  /** Looks for the body; whatever was being looked for before is given up. */
  private async find(how: FindBody): Promise<void> {
    const { recording } = this;
    if (!recording) return;
    this.how = how;
    this.finding.abort();
    const { signal } = (this.finding = new AbortController());
    this.panel.busy();
    try {
      const found = await this.app.api.findBody(recording.id, how, { signal });
      const source = await streamMotion(
        (from, n, own) =>
          this.app.api.foundMotion(recording.id, how, from, n, { signal: AbortSignal.any([own, signal]) }),
        { chunkFrames: CHUNK },
      );
      if (signal.aborted) return;
      this.showBody(found);
      this.body = this.stage.add(source, { contacts: false });
      this.panel.show(found);
    } catch (error) {
      if (signal.aborted || (error instanceof ApiError && error.code === "aborted")) return;
      this.showBody(null);
      const hint = error instanceof ApiError ? error.hint : null;
      this.panel.fail(sentences(messageOf(error), hint));
    }
  }

  private showBody(found: FoundBody | null): void {
    if (this.body) this.stage.remove(this.body);
    this.body = null;
    if (this.dots) this.stage.change(this.dots, { dots: dotColours(this.dots.source.header.joints, found) });
  }

  private async make(how: FindBody): Promise<void> {
    const { recording } = this;
    if (!recording) return;
    try {
      const clip = await this.app.api.makeClip(recording.id, how);
      await this.app.refreshClips();
      toast(`${clip.name} is in the library: ${duration(clip.seconds)} on a body of ${clip.joints} joints.`, {
        kind: "done",
      });
      this.app.go("library", { clip: clip.id });
    } catch (error) {
      toastError(error, "No clip was made");
    }
  }

  private showTrouble(text: string | null): void {
    this.trouble.hidden = !text;
    if (text) replaceChildren(this.trouble, icon("warning"), h("span", null, text));
  }

  private showTitle(recording: Recording): void {
    const facts = [
      duration(recording.seconds),
      `${recording.frames.toLocaleString("en")} frames at ${Number(recording.rate_hz.toFixed(2))} Hz`,
      pointsOf(recording),
      recording.file,
    ];
    replaceChildren(
      this.title,
      longName("h2", recording.name),
      h("span.muted.numbers", null, facts.join(" · ")),
      h("span.spacer"),
      iconButton("trash", `Remove ${recording.name} from the library`, () => void this.remove(recording)),
    );
  }

  private remove({ id, name }: Recording): Promise<void> {
    return removeFile(this.app, {
      name,
      stays: "Clips that were made of it stay.",
      remove: () => this.app.api.deleteRecording(id),
      close: () => this.close(),
    });
  }
}
