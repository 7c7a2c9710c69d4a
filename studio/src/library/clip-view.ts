/** One clip: player, facts, warnings, label and contact editor. */
import type { App } from "../app";
import type { Clip, ClipWarning } from "../api/types";
import { ApiError, messageOf } from "../api/error";
import { button, iconButton } from "../ui/controls";
import { confirmDialog } from "../ui/dialog";
import { count, duration } from "../ui/format";
import { h, replaceChildren, type Child } from "../ui/h";
import { icon } from "../ui/icons";
import { longName } from "../ui/long-name";
import { pageWords } from "../ui/page-words";
import { tabs, type Tabs } from "../ui/tabs";
import { toast, toastError } from "../ui/toast";
import {
  playerKey,
  rootWay,
  speedCurve,
  streamMotion,
  transport,
  type Actor,
  type MotionSource,
  type Stage,
} from "../stage";
import { Costume, castMenu } from "../costume";
import { contactEditor } from "./contact-editor";
import type { Editor } from "./editor";
import { labelEditor } from "./label-editor";
import { mends, needsPerson, notes, type Mend } from "./mend";
import { plantedBits } from "./planted";
import { readAnew, readingDialog } from "./reading-dialog";
import type { Sheet } from "./timeline/model";

/** Frames per request: clips of half a minute come whole, an hour in pieces of about 700 KB. */
const CHUNK = 4096;

/** Readable on the light and on the dark floor. */
const WAY_COLOUR = "#1f9c93";

export class ClipView {
  readonly element: HTMLElement;
  private readonly title = h("div.clip-title");
  private readonly editors = h("div.editors");
  private readonly trouble = h("div.stage-trouble", { hidden: true, role: "alert" });
  private readonly costume: Costume;
  private readonly cast: ReturnType<typeof castMenu>;
  private clip: Clip | null = null;
  private actor: Actor | null = null;
  private labels: (Editor & { addAtCursor(): Promise<void> }) | null = null;
  private contacts: Editor | null = null;
  private tabs: Tabs | null = null;
  private loading = new AbortController();
  private opened = false;
  private wantedTab = "labels";
  private following = false;

  constructor(
    private readonly app: App,
    private readonly stage: Stage,
  ) {
    this.costume = new Costume(app, stage);
    this.cast = castMenu(app);
    const waiting = h("div.stage-wait", { hidden: true }, "Loading frames…");
    stage.waiting.listen((on) => (waiting.hidden = !on));
    this.element = h(
      "div.clip-view",
      null,
      this.title,
      h("div.stage-box", null, stage.element, waiting, this.trouble),
      transport(stage, { fileName: () => this.clip?.name ?? "clip", cast: this.cast.element }),
      this.editors,
    );
  }

  get shown(): string | null {
    return this.clip?.id ?? null;
  }

  async open(clip: Clip): Promise<void> {
    if (this.clip?.id === clip.id) return this.showTitle(clip);
    this.close();
    this.clip = clip;
    this.showTitle(clip);
    const loading = (this.loading = new AbortController());
    try {
      const source = await streamMotion(
        (from, n, signal) =>
          this.app.api.clipMotion(clip.id, from, n, { signal: AbortSignal.any([signal, loading.signal]) }),
        { chunkFrames: CHUNK },
      );
      if (loading.signal.aborted) return;
      this.play(clip, source);
    } catch (error) {
      if (error instanceof ApiError && error.code === "aborted") return;
      this.showTrouble(`${clip.name} cannot be shown: ${messageOf(error)}`);
    }
  }

  close(): void {
    this.loading.abort();
    this.labels?.dispose();
    this.contacts?.dispose();
    this.labels = this.contacts = this.tabs = null;
    this.editors.replaceChildren();
    this.costume.clear();
    this.stage.clear();
    this.stage.clock.setRange(null);
    this.stage.clock.seek(0);
    this.actor = null;
    this.clip = null;
    this.showTrouble(null);
  }

  /** Which editor is seen, also of clips that are opened later. */
  choose(tab: string): void {
    this.wantedTab = tab === "contacts" ? tab : "labels";
    if (!this.tabs || this.tabs.selected === this.wantedTab) return;
    // The address asked for it: it need not be told, least of all with the clip that is about to leave.
    this.following = true;
    this.tabs.select(this.wantedTab);
    this.following = false;
  }

  /** Fresh facts of the clip that is shown. */
  update(clip: Clip): void {
    const shape = (c: Clip) => [c.frames, c.rate_hz, JSON.stringify(c.reading)].join();
    if (this.clip && shape(clip) !== shape(this.clip)) {
      // Read anew: other frames, at another rate.
      this.close();
      return void this.open(clip);
    }
    const facts = ({ labels: _, ...rest }: Clip) => JSON.stringify(rest);
    // Labels are in the editor; a title drawn anew at every save would close the warnings under the reader's eyes.
    if (!this.clip || facts(clip) !== facts(this.clip)) this.showTitle(clip);
  }

  dispose(): void {
    this.close();
    this.costume.dispose();
    this.cast.dispose();
  }

  flush(): void {
    this.labels?.flush();
    this.contacts?.flush();
  }

  key(event: KeyboardEvent): boolean {
    const editor = this.tabs?.selected === "contacts" ? this.contacts : this.labels;
    if (editor?.key(event)) return true;
    if (event.ctrlKey || event.metaKey) return false;
    if (event.key === "n" && this.tabs?.selected === "labels") return (void this.labels?.addAtCursor(), true);
    if (event.key === "Escape" && this.stage.clock.range) return (this.stage.clock.setRange(null), true);
    return playerKey(this.stage, event);
  }

  private play(clip: Clip, source: MotionSource): void {
    const { stage } = this;
    const first = !this.opened;
    this.opened = true;
    this.actor = stage.add(source);
    this.costume.wear(this.actor, { clip: clip.id });
    source.onData((error) =>
      this.showTrouble(error ? `Frames of ${clip.name} could not be loaded: ${messageOf(error)}` : null),
    );
    stage.clock.seek(0);
    // Later clips keep the angle and the choice to follow or not.
    stage.frameAll(first ? "three-quarter" : undefined);
    if (first) stage.following.value = true;
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) stage.clock.play();
    const names = source.header.contacts.map((contact) => contact.name);
    const speed = source.whole ? speedCurve(source.whole) : null;
    if (source.whole)
      stage.scenery.setPath("way", rootWay(source.whole), { colour: WAY_COLOUR, width: 0.014, opacity: 0.9 });
    this.labels = labelEditor(this.app, clip, stage.clock, speed);
    this.contacts = contactEditor(this.app, clip, stage.clock, names, speed, (sheet) =>
      this.showContacts(sheet, names, clip.rate_hz),
    );
    this.tabs = tabs(
      "Editors",
      [
        { id: "labels", label: "Labels", panel: this.labels.element },
        { id: "contacts", label: "Contacts", panel: this.contacts.element },
      ],
      (id) => {
        this.wantedTab = id;
        if (!this.following) this.app.settle("library", { clip: clip.id, ...(id === "labels" ? {} : { tab: id }) });
      },
    );
    this.choose(this.wantedTab);
    replaceChildren(this.editors, this.tabs.element);
  }

  private showTrouble(text: string | null): void {
    this.trouble.hidden = !text;
    if (text) replaceChildren(this.trouble, icon("warning"), h("span", null, text));
  }

  /** The discs under the feet follow the editor, not the file. */
  private showContacts(sheet: Sheet, names: readonly string[], rate_hz: number): void {
    if (this.actor && sheet.items.length > 0)
      this.stage.change(this.actor, { plantedAt: plantedBits(sheet, names, rate_hz) });
  }

  private showTitle(clip: Clip): void {
    this.clip = clip;
    const facts = [
      duration(clip.seconds),
      `${clip.frames.toLocaleString("en")} frames at ${Number(clip.rate_hz.toFixed(2))} Hz`,
      count(clip.joints, "joint"),
      // A file that is called as its clip is says nothing new.
      ...(stem(clip.file) === stem(clip.name) ? [] : [clip.file]),
    ];
    const kept = clip.in_graph
      ? clip.kept_seconds === null
        ? "in the graph"
        : `${duration(clip.kept_seconds)} kept in the graph`
      : "not in the graph yet";
    replaceChildren(
      this.title,
      longName("h2", clip.name),
      h("span.muted.numbers", null, [...facts, kept].join(" · ")),
      lacks(clip) &&
        button({
          label: "Why not all?",
          kind: "quiet",
          title: "What of it the graph left out, and what would bring it back",
          onClick: () => this.app.go("graph", { tab: "account", clip: clip.id }),
        }),
      this.findings(clip, needsPerson(clip), "warning"),
      this.findings(clip, notes(clip), "note"),
      h("span.spacer"),
      button({
        label: "Body and hands…",
        kind: "quiet",
        title: "Taller, longer legs or arms, a hand dragged elsewhere: a new clip of it",
        onClick: () => this.app.go("library", { character: "own", clip: clip.id }),
      }),
      clip.reading &&
        button({
          label: "Read as…",
          kind: "quiet",
          title: "Rate, unit, up axis, cut and the other reading options",
          onClick: () => void readingDialog(this.app, clip),
        }),
      iconButton("trash", `Remove ${clip.name} from the library`, () => void this.remove(clip)),
    );
  }

  /** What was found when the clip was read, each with what can be done about it. */
  private findings(clip: Clip, found: readonly ClipWarning[], word: "warning" | "note"): Child {
    if (found.length === 0) return null;
    const all = this.app.clips.value ?? [];
    return h(
      "details.warnings",
      null,
      h(
        "summary.chip",
        { class: word === "warning" ? "warn" : "" },
        icon(word === "warning" ? "warning" : "info"),
        count(found.length, word),
      ),
      h(
        "ul",
        null,
        found.map((warning) =>
          h(
            "li",
            null,
            pageWords(warning.message),
            h(
              "div.row",
              null,
              mends(clip, warning, all).map((mend) =>
                button({ label: mend.label, kind: "plain", onClick: () => void this.mend(clip, mend) }),
              ),
              warning.code === "identical-clips" &&
                button({ label: "Remove this clip…", onClick: () => void this.remove(clip) }),
            ),
          ),
        ),
      ),
    );
  }

  private async mend(clip: Clip, mend: Mend): Promise<void> {
    if (mend.change) await readAnew(this.app, mend.change);
    else await readingDialog(this.app, clip, mend.field ? { field: mend.field } : {});
  }

  private async remove(clip: Clip): Promise<void> {
    const sure = await confirmDialog(
      `Remove ${clip.name}?`,
      "The file leaves the project folder, with its labels and contacts. The graph keeps it until it is built again.",
      "Remove",
      "danger",
    );
    if (!sure) return;
    try {
      await this.app.api.deleteClip(clip.id);
      toast(`${clip.name} is removed.`);
      this.close();
      await this.app.refreshClips();
      this.app.go("library");
    } catch (error) {
      toastError(error, `${clip.name} was not removed`);
    }
  }
}

/** A name without folders and ending. */
function stem(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
}

/** Less than a frame at any rate is no loss that somebody would ask about. */
const NO_LOSS_S = 0.02;

/** Whether the graph left something of it out. */
function lacks(clip: Clip): boolean {
  return clip.in_graph && clip.kept_seconds !== null && clip.kept_seconds < clip.seconds - NO_LOSS_S;
}
