/** Play, step, speed, loop, follow, style, picture and film: the bar under a stage, and its keys. */
import { h, replaceChildren } from "../ui/h";
import { iconButton, iconToggle, segmented } from "../ui/controls";
import { icon } from "../ui/icons";
import { tooltip } from "../ui/tooltip";
import { clockTime } from "../ui/format";
import { toast, toastError } from "../ui/toast";
import { SPEEDS } from "./clock";
import { canRecord, pictureOf, record, saveBlob, type Recording } from "./record";
import type { CharacterStyle } from "./actor";
import type { Stage } from "./stage";
import type { ViewPreset } from "./camera-rig";

export interface TransportOptions {
  /** Name of saved pictures and films, without ending. */
  fileName?: () => string;
  /** Leave out the picture and film buttons. */
  plain?: boolean;
  /** Beside the style: who is shown. */
  cast?: HTMLElement;
}

const STYLES = [
  { value: "solid", label: "Solid", title: "Solid body (1)" },
  { value: "stick", label: "Stick", title: "Stick figure, left and right in colours (2)" },
  { value: "points", label: "Lights", title: "Point lights: only the movement is seen (3)" },
] as const satisfies readonly { value: CharacterStyle; label: string; title: string }[];

export function transport(stage: Stage, options: TransportOptions = {}): HTMLElement {
  const { clock } = stage;
  const play = iconButton("play", "Play (Space)", () => clock.toggle(), { class: "play" });
  const time = h("span.time", { "aria-live": "off" });
  const speed = h(
    "select",
    { "aria-label": "Speed", onchange: () => clock.setSpeed(Number(speed.value)) },
    SPEEDS.map((value) => h("option", { value: String(value) }, `${value}×`)),
  );
  tooltip(speed, "Speed ([ and ])");
  const loop = iconToggle("loop", "Loop (L)", clock.loop, (on) => clock.setLoop(on));
  const follow = iconToggle(
    "follow",
    "Follow the character (F)",
    stage.following.value,
    (on) => (stage.following.value = on),
  );
  const style = segmented("Style of the character", STYLES, stage.style.value, (value) => (stage.style.value = value));
  stage.style.listen((value) => style.set(value));
  stage.following.listen((on) => follow.set(on));

  let wasPlaying: boolean | null = null;
  const show = () => {
    if (wasPlaying !== clock.willPlay) {
      wasPlaying = clock.willPlay;
      replaceChildren(play, icon(clock.willPlay ? "pause" : "play"));
      const name = clock.willPlay ? "Pause (Space)" : "Play (Space)";
      play.setAttribute("aria-label", name);
      tooltip(play, name);
    }
    replaceChildren(
      time,
      clockTime(clock.time),
      h("span.muted", null, ` / ${clockTime(clock.duration)} · ${clock.frame}`),
    );
    loop.set(clock.loop);
    if (document.activeElement !== speed)
      speed.value = String(
        SPEEDS.reduce((best, value) => (Math.abs(value - clock.speed) < Math.abs(best - clock.speed) ? value : best)),
      );
  };
  clock.listen(show);
  show();

  return h(
    "div.transport",
    { role: "group", "aria-label": "Playback" },
    iconButton("toStart", "To the start (Home)", () => clock.seek(0)),
    iconButton("stepBack", "One frame back (←)", () => clock.step(-1)),
    play,
    iconButton("stepForward", "One frame on (→)", () => clock.step(1)),
    iconButton("toEnd", "To the end (End)", () => toEnd(stage)),
    time,
    speed,
    loop.element,
    h("span.spacer"),
    options.cast,
    style.element,
    h("span.divider"),
    follow.element,
    viewMenu(stage),
    iconButton("frame", "Show everything (0)", () => showAll(stage)),
    !options.plain && iconButton("camera", "Save a picture (PNG)", () => void savePicture(stage, options)),
    !options.plain && canRecord() && filmButton(stage, options),
  );
}

const VIEWS: readonly [ViewPreset, string][] = [
  ["three-quarter", "Three-quarter"],
  ["front", "Front"],
  ["side", "Side"],
  ["top", "Top"],
];

/** A menu that does something each time, so it goes back to its title. */
function viewMenu(stage: Stage): HTMLElement {
  const menu = h(
    "select.view-menu",
    {
      "aria-label": "View from",
      onchange: () => {
        if (menu.value) stage.frameAll(menu.value as ViewPreset);
        menu.value = "";
        menu.blur();
      },
    },
    h("option", { value: "" }, "View"),
    VIEWS.map(([value, label]) => h("option", { value }, label)),
  );
  return menu;
}

async function savePicture(stage: Stage, options: TransportOptions): Promise<void> {
  try {
    saveBlob(await pictureOf(stage), `${options.fileName?.() ?? "gaitway"}.png`);
  } catch (error) {
    toastError(error, "The picture was not saved");
  }
}

function filmButton(stage: Stage, options: TransportOptions): HTMLElement {
  let running: Recording | null = null;
  const button = iconButton("record", "Record a film (WebM)", () => {
    if (running) return running.stop();
    running = record(stage);
    button.classList.add("recording");
    replaceChildren(button, icon("stop"));
    tooltip(button, "Stop recording");
    button.setAttribute("aria-label", "Stop recording");
    stage.clock.play();
    void running.done
      .then(
        (film) => {
          saveBlob(film, `${options.fileName?.() ?? "gaitway"}.webm`);
          toast("The film is saved.", { kind: "done" });
        },
        (error: unknown) => toastError(error, "Recording"),
      )
      .finally(() => {
        running = null;
        button.classList.remove("recording");
        replaceChildren(button, icon("record"));
        tooltip(button, "Record a film (WebM)");
        button.setAttribute("aria-label", "Record a film (WebM)");
      });
  });
  return button;
}

/** Keys of a player; true when the key was one of them. */
export function playerKey(stage: Stage, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey) return false;
  const { clock } = stage;
  // Buttons and sliders with the focus have uses of their own for these.
  const focused = event.target instanceof HTMLElement ? event.target : null;
  // A button that was clicked keeps the focus without showing it; Space then means the player, not that button again.
  if (event.key === " " && focused?.matches("button:not(:focus-visible)")) focused.blur();
  else if (
    focused?.matches("button, a, summary, input[type=checkbox], input[type=radio]") &&
    (event.key === " " || event.key === "Enter")
  )
    return false;
  if (focused?.matches("input, [role=slider], [role=tab]") && event.key.startsWith("Arrow")) return false;
  if (event.altKey) return turnKey(stage, event.key);
  switch (event.key) {
    case " ":
      clock.toggle();
      return true;
    case "ArrowLeft":
      clock.step(event.shiftKey ? -10 : -1);
      return true;
    case "ArrowRight":
      clock.step(event.shiftKey ? 10 : 1);
      return true;
    case "Home":
      clock.seek(0);
      return true;
    case "End":
      toEnd(stage);
      return true;
    case "[":
      clock.stepSpeed(-1);
      return true;
    case "]":
      clock.stepSpeed(1);
      return true;
    case "l":
      clock.setLoop(!clock.loop);
      return true;
    case "f":
      stage.following.value = !stage.following.value;
      return true;
    case "1":
      stage.style.value = "solid";
      return true;
    case "2":
      stage.style.value = "stick";
      return true;
    case "3":
      stage.style.value = "points";
      return true;
    case "0":
      showAll(stage);
      return true;
    case "+":
    case "=":
      stage.rig.zoom(0.85);
      return true;
    case "-":
      stage.rig.zoom(1 / 0.85);
      return true;
    default:
      return false;
  }
}

/** Everything includes what the followed character has left behind. */
function showAll(stage: Stage): void {
  stage.following.value = false;
  stage.frameAll();
}

/** Pauses too: a loop would leave the end at once. */
function toEnd(stage: Stage): void {
  stage.clock.pause();
  stage.clock.seek(stage.clock.duration);
}

function turnKey(stage: Stage, key: string): boolean {
  const turn = 0.14;
  switch (key) {
    case "ArrowLeft":
      stage.rig.orbit(-turn, 0);
      return true;
    case "ArrowRight":
      stage.rig.orbit(turn, 0);
      return true;
    case "ArrowUp":
      stage.rig.orbit(0, -turn);
      return true;
    case "ArrowDown":
      stage.rig.orbit(0, turn);
      return true;
    default:
      return false;
  }
}
