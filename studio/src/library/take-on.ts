/** Motion on a character to take home: with its mesh, as a skeleton, as arrays, and the command line that does the same. */
import type { App } from "../app";
import type { Character, OnCharacter, OnFormat, Reshape, Worn } from "../api/types";
import { button } from "../ui/controls";
import { duration } from "../ui/format";
import { h, type Child } from "../ui/h";
import { icon } from "../ui/icons";
import { toast, toastError } from "../ui/toast";
import { tooltip } from "../ui/tooltip";

export function takeOn(app: App, character: Character, worn: Worn & Reshape, on: OnCharacter): Child {
  const given = Object.keys({ ...character.roles.source, ...character.roles.target }).length > 0;
  const link = (format: OnFormat, label: string, help: string) => {
    const element = h(
      "a.button",
      { href: app.api.onExportUrl(character.id, worn, format), download: "" },
      icon("download"),
      h("span", null, label),
    );
    tooltip(element, help);
    return element;
  };
  return [
    h("span.field-label", null, "Take home"),
    link("glb", "GLB", character.mesh ? `${character.name} with its mesh, moving` : "The skeleton as glTF"),
    link("bvh", "BVH", "The skeleton for Blender, MotionBuilder, Maya and most tools"),
    link("npz", "NPZ", "Positions and rotations as NumPy arrays"),
    link("report", "Report", "What was mapped, kept and changed, as JSON"),
    given && link("map", "Roles", "The roles you chose, as --map of the command line reads them"),
    makeButton(app, character, worn),
    on.commands.length > 0 &&
      h(
        "p.found-command.muted",
        null,
        "The same on the command line: ",
        on.commands.map((command, k) => [k > 0 && ", then ", h("code", null, command)]),
      ),
  ];
}

/** Another clip of the library. */
function makeButton(app: App, character: Character, worn: Worn & Reshape): HTMLElement {
  const demo = app.project.value?.demo ?? false;
  const make = async () => {
    pressed.disabled = true;
    try {
      const clip = await app.api.makeOn(character.id, worn);
      await app.refreshClips();
      toast(`${clip.name} is in the library: ${duration(clip.seconds)}.`, { kind: "done" });
      app.go("library", { clip: clip.id });
    } catch (error) {
      toastError(error, "No clip was made");
    } finally {
      pressed.disabled = demo;
    }
  };
  const pressed = button({
    label: "Make a clip",
    kind: "primary",
    icon: "body",
    disabled: demo,
    title: demo
      ? "The demo keeps to itself: save it under another name first"
      : "The motion on this body joins the library, like any other clip",
    onClick: () => void make(),
  });
  return pressed;
}
