/** What the label and the contact editor share: a timeline with history, autosave, conflicts and keys. */
import type { App } from "../app";
import { openDialog } from "../ui/dialog";
import { button, iconButton } from "../ui/controls";
import { h, replaceChildren, type Child } from "../ui/h";
import { count } from "../ui/format";
import { icon } from "../ui/icons";
import { toast, toastError } from "../ui/toast";
import type { PlaybackClock } from "../stage";
import { Autosave, type SaveState } from "./timeline/autosave";
import { commit, redo, startHistory, undo, type History } from "./timeline/history";
import {
  fromSeconds,
  sameSheet,
  setLane,
  settle,
  toSeconds,
  type Interval,
  type SecondsRow,
  type Sheet,
} from "./timeline/model";
import { Timeline } from "./timeline/timeline";

export interface Loaded {
  revision: number;
  rows: SecondsRow[];
  /** Of contacts: the rows are the detector's. */
  detected: boolean;
}

export interface EditorKind {
  /** "labels" or "contacts": the part of the project, and the word in messages. */
  part: "labels" | "contacts";
  load: () => Promise<Loaded>;
  save: (rows: SecondsRow[], detected: boolean, revision: number) => Promise<{ revision: number }>;
  /** Lanes to show for a sheet. */
  lanes: (sheet: Sheet) => readonly string[];
  laneStyle: (lane: string) => Record<string, string>;
  laneHead: (lane: string) => HTMLElement;
  itemText: (item: Interval) => string;
  mayChangeLane: boolean;
  /** A lane whose intervals have no name yet, and who asks for one. */
  newLane?: { name: string; ask: () => Promise<string | null> };
  onOpen: (item: Interval) => void;
  /** Buttons of its own. */
  tools: Child[];
  csvUrl: string;
  empty: () => HTMLElement;
  onSheet?: (sheet: Sheet, detected: boolean) => void;
  onDispose?: () => void;
}

interface Draft {
  sheet: Sheet;
  detected: boolean;
}

export class Editor {
  readonly element: HTMLElement;
  readonly timeline: Timeline;
  private history: History<Draft>;
  private autosave: Autosave<Draft> | null = null;
  private readonly status = h("span.save-state", { role: "status" });
  private readonly undoButton = iconButton("undo", "Undo (Ctrl Z)", () => this.undo());
  private readonly redoButton = iconButton("redo", "Redo (Ctrl Shift Z)", () => this.redo());
  private readonly removeButton = iconButton("trash", "Remove the selected interval (Delete)", () =>
    this.removeSelected(),
  );
  private readonly emptyBox = h("div.tl-empty");
  private readonly unlisten: () => void;
  /** Something was saved elsewhere while an edit of ours was not saved yet. */
  private missed = false;

  constructor(
    app: App,
    private readonly kind: EditorKind,
    private readonly frames: number,
    private readonly rate_hz: number,
    clock: PlaybackClock,
    speed: Float32Array | null,
  ) {
    this.history = startHistory<Draft>({ sheet: { frames, items: [] }, detected: false });
    this.timeline = new Timeline({
      clock,
      rate_hz,
      speed,
      theme: app.theme,
      laneStyle: kind.laneStyle,
      laneHead: kind.laneHead,
      itemText: kind.itemText,
      mayChangeLane: kind.mayChangeLane,
      onEdit: (sheet, tag) => void this.editOrName(sheet, tag),
      onSelect: (id) => (this.removeButton.disabled = id === null),
      onOpen: kind.onOpen,
      onRemove: (item) => this.edit({ ...this.sheet, items: this.sheet.items.filter((other) => other.id !== item.id) }),
    });
    const save = h(
      "a.icon-button",
      {
        href: kind.csvUrl,
        download: `${kind.part}.csv`,
        "aria-label": `Download all ${kind.part} as CSV`,
        title: `Download all ${kind.part} as CSV`,
      },
      icon("download"),
    );
    this.element = h(
      "div.editor",
      null,
      h(
        "div.editor-tools",
        null,
        kind.tools,
        this.undoButton,
        this.redoButton,
        this.removeButton,
        h("span.spacer"),
        this.status,
        iconButton("minus", "Zoom out the timeline (Ctrl and wheel)", () => this.timeline.zoomBy(1 / 1.6)),
        iconButton("plus", "Zoom in the timeline (Ctrl and wheel)", () => this.timeline.zoomBy(1.6)),
        save,
      ),
      h("div.editor-body", null, this.timeline.element, this.emptyBox),
    );
    this.removeButton.disabled = true;
    this.unlisten = app.events.on("project", ({ what }) => void (what.includes(kind.part) && this.reloadIfClean()));
    this.show();
    void this.load();
  }

  get sheet(): Sheet {
    return this.history.present.sheet;
  }
  get detected(): boolean {
    return this.history.present.detected;
  }

  /** Any edit by a person makes the rows theirs. */
  edit(sheet: Sheet, tag: string | null = null, detected = false): void {
    if (sheet === this.sheet && detected === this.detected) return;
    this.history = commit(this.history, { sheet, detected }, tag);
    this.changed();
  }

  private async editOrName(sheet: Sheet, tag: string | null): Promise<void> {
    const { newLane } = this.kind;
    const fresh = newLane && sheet.items.find((item) => item.lane === newLane.name);
    if (!fresh) return this.edit(sheet, tag);
    const name = await newLane.ask();
    if (!name) return this.show();
    this.edit(settle(setLane(sheet, fresh.id, name), fresh.id));
    this.timeline.select(fresh.id, true);
  }

  undo(): void {
    const before = this.history;
    this.history = undo(this.history);
    if (this.history !== before) this.changed();
  }

  redo(): void {
    const before = this.history;
    this.history = redo(this.history);
    if (this.history !== before) this.changed();
  }

  key(event: KeyboardEvent): boolean {
    if (!(event.ctrlKey || event.metaKey)) return false;
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey) this.undo();
    else if ((key === "z" && event.shiftKey) || key === "y") this.redo();
    else return false;
    return true;
  }

  /** Saves what is waiting: the tab may be closed next. */
  flush(): void {
    void this.autosave?.flush();
  }

  /** Resolves when everything is saved. */
  async settled(): Promise<void> {
    await this.autosave?.flush();
  }

  dispose(): void {
    this.unlisten();
    this.kind.onDispose?.();
    this.flush();
    this.timeline.dispose();
  }

  /** Draws anew after lanes changed without an edit. */
  refresh(): void {
    const { selected } = this.timeline;
    const focused = this.timeline.element.contains(document.activeElement);
    this.timeline.setLanes(this.kind.lanes(this.sheet));
    this.show();
    if (selected !== null) this.timeline.select(selected, focused);
  }

  /** Takes the server's rows, for instance after going back to detection. */
  async load(): Promise<void> {
    try {
      this.take(await this.kind.load());
    } catch (error) {
      toastError(error, `Loading the ${this.kind.part}`);
    }
  }

  private take(loaded: Loaded): void {
    const sheet = fromSeconds(loaded.rows, this.frames, this.rate_hz);
    this.history = startHistory({ sheet, detected: loaded.detected });
    this.autosave ??= new Autosave<Draft>(
      {
        save: (draft, revision) => this.kind.save(toSeconds(draft.sheet, this.rate_hz), draft.detected, revision),
        onState: (state) => this.showState(state),
      },
      loaded.revision,
    );
    this.autosave.revision = loaded.revision;
    this.show();
  }

  /** Somebody saved: another tab, or we ourselves. */
  private async reloadIfClean(): Promise<void> {
    // What somebody else saved while our own edit was on its way is looked at when that has arrived.
    this.missed = !this.autosave?.clean;
    if (!this.autosave || this.missed) return;
    try {
      const loaded = await this.kind.load();
      if (!this.autosave.clean || loaded.revision === this.autosave.revision) return;
      this.autosave.revision = loaded.revision;
      if (
        !sameSheet(fromSeconds(loaded.rows, this.frames, this.rate_hz), this.sheet) ||
        loaded.detected !== this.detected
      )
        this.take(loaded);
    } catch (error) {
      toastError(error, `Loading the ${this.kind.part}`);
    }
  }

  private changed(): void {
    this.autosave?.change(this.history.present);
    this.show();
  }

  private show(): void {
    const lanes = this.kind.lanes(this.sheet);
    this.timeline.setSheet(this.sheet, lanes);
    this.undoButton.disabled = this.history.past.length === 0;
    this.redoButton.disabled = this.history.future.length === 0;
    this.emptyBox.hidden = lanes.length > 0;
    if (lanes.length === 0) replaceChildren(this.emptyBox, this.kind.empty());
    this.kind.onSheet?.(this.sheet, this.detected);
  }

  private removeSelected(): void {
    const id = this.timeline.selected;
    if (id !== null) this.edit({ ...this.sheet, items: this.sheet.items.filter((item) => item.id !== id) });
  }

  private showState(state: SaveState): void {
    this.status.className = `save-state ${state.kind}`;
    const words = {
      saved: "Saved",
      waiting: "Saving…",
      saving: "Saving…",
      failed: "Not saved",
      conflict: "Changed elsewhere",
    }[state.kind];
    replaceChildren(
      this.status,
      words,
      state.kind === "failed" && button({ label: "Try again", kind: "quiet", onClick: () => this.flush() }),
    );
    if (state.kind === "saved" && this.missed) void this.reloadIfClean();
    if (state.kind === "failed") toast(`The ${this.kind.part} were not saved: ${state.message}`, { kind: "error" });
    if (state.kind === "conflict") void this.resolveConflict();
  }

  private async resolveConflict(): Promise<void> {
    try {
      const theirs = await this.kind.load();
      const mine = this.sheet.items.length;
      const keepMine = await openDialog({
        title: `The ${this.kind.part} were changed elsewhere`,
        body: h(
          "p",
          null,
          `Another tab or program saved the ${this.kind.part} of this clip since you loaded them: ${count(theirs.rows.length, "interval")} there, ${mine} here. Which are to be kept?`,
        ),
        actions: [
          { label: "Keep theirs", value: false },
          { label: "Keep mine", kind: "primary", value: true },
        ],
      });
      if (keepMine === true) await this.autosave?.keepMine(theirs.revision);
      else if (keepMine === false) {
        this.autosave?.takeTheirs(theirs.revision);
        this.take(theirs);
      } else
        replaceChildren(
          this.status,
          "Not saved",
          button({ label: "Decide…", kind: "quiet", onClick: () => void this.resolveConflict() }),
        );
    } catch (error) {
      toastError(error, `Loading the ${this.kind.part}`);
    }
  }
}
