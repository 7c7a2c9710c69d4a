/** Motion on a character to take home: with its mesh, as a skeleton, as arrays, and the command line that does the same. */
import type { App } from "../app";
import type { Character, OnCharacter, OnFormat, Worn } from "../api/types";
import { h, type Child } from "../ui/h";
import { icon } from "../ui/icons";
import { tooltip } from "../ui/tooltip";

export function takeOn(app: App, character: Character, worn: Worn, on: OnCharacter): Child {
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
    h("p.found-command.muted", null, "The same on the command line: ", h("code", null, on.command)),
  ];
}
