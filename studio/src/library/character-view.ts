/** A character: motion of a clip or of a result on it, beside the body it comes from, in one time; who follows whom; what is kept. */
import type { App } from "../app";
import type { Character, OnCharacter, Reshape, ResultSummary, Worn } from "../api/types";
import { ApiError, messageOf } from "../api/error";
import { button, iconButton, select } from "../ui/controls";
import { count, sentences } from "../ui/format";
import { h, replaceChildren } from "../ui/h";
import { icon } from "../ui/icons";
import { longName } from "../ui/long-name";
import { pageWords } from "../ui/page-words";
import { tabs, type Tabs } from "../ui/tabs";
import { toast, toastError } from "../ui/toast";
import {
  MeshFigure,
  Stage,
  heightOf,
  playerKey,
  rootWay,
  scrubBar,
  streamMotion,
  transport,
  type Actor,
} from "../stage";
import { pointAt } from "../stage/vec";
import { characterFacts } from "./file-list";
import { removeFile } from "./remove-file";
import { OWN, drawnSize, editWords, jointColours, keptLanes, onWords, sideBySide, withRole } from "./character-model";
import { firstClip } from "./clip-filter";
import { HandDrag } from "./hand-drag";
import { KeptLanes } from "./kept-lanes";
import { MappingTable } from "./mapping-table";
import { putOnBody } from "./put-on-body";
import {
  AS_IT_IS,
  HANDLES,
  asked as askedShape,
  changedLanes,
  isChanged,
  withDrag,
  type Drag,
  type Shape,
} from "./shape-model";
import { ShapePanel } from "./shape-panel";
import { takeOn } from "./take-on";

/** Frames per request, as clips have it. */
const CHUNK = 4096;

/** What the address says is put on the character. */
export interface Asked {
  clip?: string | undefined;
  result?: string | undefined;
  member?: string | undefined;
}

export class CharacterView {
  readonly element: HTMLElement;
  private readonly stage: Stage;
  private readonly lanes: KeptLanes;
  private readonly title = h("div.clip-title");
  private readonly trouble = h("div.stage-trouble", { hidden: true, role: "alert" });
  private readonly state = h("p.found-state", { role: "status" });
  private readonly tools = h("div.found-tools");
  private readonly home = h("div.found-tools.on-home");
  private readonly notes = h("div.on-notes");
  private readonly table: MappingTable;
  private readonly shapes: ShapePanel;
  private readonly hands: HandDrag;
  private readonly tabs: Tabs;
  private shape: Shape = AS_IT_IS;
  private character: Character | null = null;
  private worn: Worn | null = null;
  private on: OnCharacter | null = null;
  private source: Actor | null = null;
  private target: Actor | null = null;
  private coloured = false;
  private results: readonly ResultSummary[] = [];
  private loading = new AbortController();
  private seen = false;

  constructor(private readonly app: App) {
    this.stage = new Stage(h("div"), app.theme);
    this.stage.together = true;
    this.lanes = new KeptLanes(this.stage);
    const waiting = h("div.stage-wait", { hidden: true }, "Loading frames…");
    this.stage.waiting.listen((on) => (waiting.hidden = !on));
    this.table = new MappingTable({
      onRole: (of, role, joint) => void this.setRole(of, role, joint),
      onPoint: (role) => this.paint(role),
    });
    this.shapes = new ShapePanel({
      onChange: (shape) => void this.reshape(shape),
      now: (role) => this.handleNow(role),
    });
    this.hands = new HandDrag(
      this.stage,
      (joint, at_s, place) => void this.reshape(withDrag(this.shape, { joint, at_s, place })),
    );
    this.tabs = tabs(
      "On the character",
      [
        { id: "on-roles", label: "Roles", panel: h("div", null, this.notes, this.table.element) },
        { id: "on-shape", label: "Body and hands", panel: this.shapes.element },
      ],
      () => this.showHandles(),
    );
    const panel = h(
      "section.found-panel.on-panel",
      { "aria-label": "On the character" },
      this.tools,
      this.state,
      h("div.on-scroll", null, this.tabs.element, this.home),
    );
    this.element = h(
      "div.clip-view.character-view",
      null,
      this.title,
      h("div.stage-box", null, this.stage.element, waiting, this.trouble),
      h(
        "div.on-time",
        null,
        scrubBar(this.stage).element,
        this.lanes.element,
        transport(this.stage, { fileName: () => this.character?.name ?? "character" }),
      ),
      panel,
    );
  }

  get shown(): string | null {
    return this.character?.id ?? null;
  }

  /** Shows a character with what is asked for on it; the same once more changes nothing. */
  async open(character: Character, asked: Asked): Promise<void> {
    const worn = this.wornOf(asked);
    const same = this.character?.id === character.id && JSON.stringify(worn) === JSON.stringify(this.worn);
    const roles = JSON.stringify(this.character?.roles) === JSON.stringify(character.roles);
    this.character = character;
    if (same && roles) return;
    const keep = same;
    if (!same) this.shape = AS_IT_IS;
    this.element.classList.toggle("own-body", character.id === OWN.id);
    if (!same) this.tabs.select(character.id === OWN.id ? "on-shape" : "on-roles");
    this.worn = worn;
    this.showTitle(character);
    if (!keep) void this.listResults();
    this.showTools();
    if (!worn) {
      this.stage.clear();
      this.table.clear();
      return this.say("There is no motion to put on it yet: drop some clips.");
    }
    await this.load(character, worn, keep);
  }

  close(): void {
    this.loading.abort();
    this.hands.set(null, []);
    this.stage.clear();
    this.stage.clock.pause();
    this.source = this.target = null;
    this.character = this.worn = this.on = null;
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

  private wornOf(asked: Asked): Worn | null {
    if (asked.result) return { result: asked.result, member: Number(asked.member ?? 0) || 0 };
    const clips = this.app.clips.value ?? [];
    const clip = clips.find((one) => one.id === asked.clip) ?? (clips.length > 0 ? firstClip(clips) : null);
    return clip ? { clip: clip.id } : null;
  }

  private async reshape(shape: Shape): Promise<void> {
    const { character, worn } = this;
    this.shape = shape;
    if (character) this.shapes.show(shape, character, this.on);
    if (character && worn) await this.load(character, worn, true);
  }

  private async load(character: Character, what: Worn, keep: boolean): Promise<void> {
    this.loading.abort();
    const { signal } = (this.loading = new AbortController());
    this.say(character.id === OWN.id ? "Changing the motion…" : `Putting the motion on ${character.name}…`);
    const { api } = this.app;
    const worn: Worn & Reshape = { ...what, ...askedShape(this.shape) };
    const both = (own: AbortSignal) => ({ signal: AbortSignal.any([own, signal]) });
    try {
      const on = await api.onCharacter(character.id, worn, { signal });
      const [source, target, mesh] = await Promise.all([
        streamMotion(
          (from, n, own) =>
            "clip" in worn
              ? api.clipMotion(worn.clip, from, n, both(own))
              : api.resultMotion(worn.result, worn.member, from, n, both(own)),
          { chunkFrames: CHUNK },
        ),
        streamMotion((from, n, own) => api.onMotion(character.id, worn, from, n, both(own)), { chunkFrames: CHUNK }),
        character.mesh ? api.onMesh(character.id, worn, { signal }).then((bytes) => MeshFigure.read(bytes)) : null,
      ]);
      if (signal.aborted) {
        [source, target].forEach((one) => one.dispose());
        return mesh?.dispose();
      }
      const { time, willPlay } = this.stage.clock;
      this.hands.set(null, []);
      this.stage.clear();
      this.on = on;
      const way = source.whole ? rootWay(source.whole) : [];
      const heights: [number, number] = [heightOf(source), Math.max(heightOf(target), mesh?.height ?? 0)];
      const larger = drawnSize(on.scale, heights);
      const place = sideBySide(way, [larger * heights[0], heights[1]]);
      const at = ([x, z]: [number, number]) => ({ x, z, heading_rad: 0 });
      this.source = this.stage.add(source, {
        place: { ...at(place.source), scale: larger },
        label: larger === 1 ? "source" : `source, drawn ${larger.toPrecision(2)} times as large`,
      });
      this.target = this.stage.add(target, {
        place: at(place.target),
        label: character.name,
        ...(mesh ? { mesh } : {}),
      });
      for (const one of [source, target])
        one.onData((error) => this.showTrouble(error ? `Frames could not be loaded: ${messageOf(error)}` : null));
      this.stage.lead = this.target;
      this.showTrouble(null);
      this.paint(null);
      this.lanes.show(keptLanes(on.kept), changedLanes(on, this.shape));
      this.shapes.show(this.shape, character, on);
      this.showHandles();
      this.table.show(on, character);
      this.showNotes(on);
      this.say(character.id === OWN.id ? editWords(on, isChanged(this.shape)) : onWords(on));
      replaceChildren(this.home, takeOn(this.app, character, worn, on));
      if (keep) {
        this.stage.clock.seek(time);
        if (willPlay) this.stage.clock.play();
      } else this.begin();
    } catch (error) {
      if (signal.aborted || (error instanceof ApiError && error.code === "aborted")) return;
      if (!keep) this.stage.clear();
      const hint = error instanceof ApiError ? error.hint : null;
      this.say(sentences(messageOf(error), hint), true);
    }
  }

  private begin(): void {
    this.stage.clock.seek(0);
    this.stage.following.value = true;
    this.stage.frameAll(this.seen ? undefined : "three-quarter");
    this.seen = true;
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) this.stage.clock.play();
  }

  /** Roles in colours on both bodies, or both as they are; one role alone while it is pointed at. */
  private paint(only: string | null): void {
    const { on } = this;
    if (!on) return;
    const paint = (actor: Actor | null, of: "source" | "target") => {
      if (!actor) return;
      const { joints, parents } = actor.source.header;
      const colours = this.coloured ? jointColours(joints, parents, on.roles, of, only) : undefined;
      const { joints: _, ...rest } = actor.options;
      actor.options = colours ? { ...rest, joints: colours } : rest;
    };
    paint(this.source, "source");
    paint(this.target, "target");
    this.stage.invalidate();
  }

  /** Balls to take, while hands are what one looks at. */
  private showHandles(): void {
    const { on, target } = this;
    if (!on || !target) return;
    const { joints } = target.source.header;
    const handles = HANDLES.flatMap((role) => {
      const joint = joints.indexOf(on.roles.find((row) => row.role === role)?.target.at(-1) ?? "");
      return joint >= 0 ? [{ role, joint }] : [];
    });
    this.hands.set(target, this.tabs.selected === "on-shape" ? handles : []);
  }

  /** Where a joint of the target is now, in metres of its motion. */
  private handleNow(role: string): Drag | null {
    const { on, target } = this;
    const name = on?.roles.find((row) => row.role === role)?.target.at(-1);
    const joint = name === undefined || !target ? -1 : target.source.header.joints.indexOf(name);
    if (!target || joint < 0) {
      toast(`The body has no ${role.replace(/^(Left|Right)/, "").toLowerCase()} to drag.`);
      return null;
    }
    const [x, y, z] = pointAt(target.pose.points, joint);
    const { place } = target.options;
    const { floor_m } = target.source.header;
    return {
      joint: role,
      at_s: this.stage.clock.time,
      place: [x - (place?.x ?? 0), y + floor_m, z - (place?.z ?? 0)],
    };
  }

  private async setRole(of: "source" | "target", role: string, joint: string | null): Promise<void> {
    const { character } = this;
    if (!character) return;
    try {
      await this.app.api.putRoles(character.id, withRole(character.roles, of, role, joint));
      await this.app.refreshClips();
    } catch (error) {
      toastError(error, "The role was not changed");
      if (this.on && this.character) this.table.show(this.on, this.character);
    }
  }

  private say(words: string, bad = false): void {
    this.state.classList.toggle("bad", bad);
    replaceChildren(this.state, bad && icon("warning"), words);
  }

  private showNotes(on: OnCharacter): void {
    replaceChildren(
      this.notes,
      on.notes.length > 0 &&
        h(
          "details.found-notes",
          { open: on.notes.length <= 2 },
          h("summary", null, count(on.notes.length, "note")),
          h(
            "ul",
            null,
            on.notes.map((note) => h("li", null, pageWords(note))),
          ),
        ),
    );
  }

  private showTrouble(text: string | null): void {
    this.trouble.hidden = !text;
    if (text) replaceChildren(this.trouble, icon("warning"), h("span", null, text));
  }

  private async listResults(): Promise<void> {
    try {
      this.results = await this.app.api.results();
      this.showTools();
    } catch {
      // Without the list clips can still be chosen; what is wrong with the server is said elsewhere.
    }
  }

  private showTools(): void {
    const { character, worn } = this;
    if (!character) return;
    const value = worn ? ("clip" in worn ? `clip ${worn.clip}` : `result ${worn.result}`) : "";
    const clips = (this.app.clips.value ?? []).map((clip) => ({ value: `clip ${clip.id}`, label: clip.name }));
    const made = this.results.map((result) => ({ value: `result ${result.id}`, label: `made: ${result.name}` }));
    const colours = h("input", {
      type: "checkbox",
      checked: this.coloured,
      onchange: () => {
        this.coloured = colours.checked;
        this.paint(null);
      },
    });
    replaceChildren(
      this.tools,
      select("Motion", [...clips, ...made], value, (chosen) => {
        const [kind, id] = chosen.split(" ") as ["clip" | "result", string];
        this.app.go("library", { character: character.id, [kind]: id });
      }).element,
      character.id !== OWN.id && h("label.checkbox", null, colours, h("span", null, "Roles in colours")),
      character.id !== OWN.id &&
        button({
          label: "All clips on it…",
          icon: "body",
          title: `Every clip of the library on ${character.name}, as clips of their own`,
          onClick: () => void putOnBody(this.app, null, `character ${character.id}`),
        }),
    );
  }

  private showTitle(character: Character): void {
    replaceChildren(
      this.title,
      longName("h2", character.name),
      h(
        "span.muted.numbers",
        null,
        character.id === OWN.id
          ? "longer, shorter, a hand elsewhere: the rest follows"
          : [characterFacts(character), character.file].join(" · "),
      ),
      character.warnings.length > 0 &&
        h(
          "details.warnings",
          null,
          h("summary.chip", null, icon("info"), count(character.warnings.length, "note")),
          h(
            "ul",
            null,
            character.warnings.map((warning) => h("li", null, pageWords(warning.message))),
          ),
        ),
      h("span.spacer"),
      character.id !== OWN.id &&
        iconButton("trash", `Remove ${character.name} from the project`, () => void this.remove(character)),
    );
  }

  private remove({ id, name }: Character): Promise<void> {
    return removeFile(this.app, {
      name,
      stays: "Files that were taken home with it stay.",
      remove: () => this.app.api.deleteCharacter(id),
      close: () => this.close(),
    });
  }
}
