/** Take home: files in every format, a film, the report, and the command line that does the same. */
import type { App } from "../app";
import type { ExportFormat, Result } from "../api/types";
import { button } from "../ui/controls";
import { h, type Child } from "../ui/h";
import { icon } from "../ui/icons";
import { toast } from "../ui/toast";
import { tooltip } from "../ui/tooltip";
import type { Desk } from "./desk";

export interface HomeTools {
  /** Films the whole result from its start; nothing where the browser cannot. */
  readonly film: (() => Promise<void>) | null;
}

const FILES: readonly { readonly format: ExportFormat; readonly label: string; readonly help: string }[] = [
  { format: "bvh", label: "BVH", help: "Motion for Blender, MotionBuilder, Maya and most tools" },
  { format: "glb", label: "GLB", help: "Motion as glTF, for engines and browsers; carries contacts and labels" },
  { format: "npz", label: "NPZ", help: "Positions and rotations as NumPy arrays" },
  { format: "png", label: "PNG", help: "A picture: the path from above" },
  { format: "svg", label: "SVG", help: "The same as a drawing that scales" },
  { format: "gif", label: "GIF", help: "A small animation for a message or a page" },
  { format: "report", label: "Report", help: "All numbers as JSON" },
];

export function takeHome(app: App, desk: Desk, result: Result, tools: HomeTools): Child {
  const link = (format: ExportFormat, label: string, help: string) =>
    fileLink(app.api.exportUrl(result.id, format, desk.member.value), label, help);
  const film =
    tools.film &&
    button({
      label: "WebM",
      icon: "record",
      title: "Films the 3D view from start to end, as you see it",
      onClick: () => void tools.film?.(),
    });
  const extra = result.files.flatMap((f): Child[] => {
    if (f === "path.json") return [link("path", "Path", "The path as JSON, for the command line")];
    if (f === "graph.gway")
      return [fileLink("/api/graph.gway", "Graph", "The graph, for the command line and other programs")];
    if (f === "before.json")
      return [link("before", "Before", "The report of the motion this one was changed from, for the command line")];
    if (f === "obstacles.json") return [link("obstacles", "Obstacles", "The obstacles as JSON, for the command line")];
    return [];
  });
  return h(
    "section.take-home",
    { "aria-label": "Take home" },
    h("h3", null, "Take home"),
    h(
      "div.file-row",
      null,
      FILES.map((f) => link(f.format, f.label, f.help)),
      film,
      extra,
    ),
    result.command !== "" && commandLine(result.command),
  );
}

function fileLink(href: string, label: string, help: string): HTMLElement {
  const element = h(
    "a.button",
    { href, download: "", "aria-label": `Download ${label}: ${help}` },
    icon("download"),
    h("span", null, label),
  );
  tooltip(element, help);
  return element;
}

function commandLine(command: string): HTMLElement {
  return h(
    "div.command",
    null,
    h("p.muted", null, "The same from the command line:"),
    h(
      "div.command-box",
      null,
      h("code", { tabIndex: 0 }, command),
      button({ label: "Copy", icon: "list", onClick: () => void copy(command) }),
    ),
  );
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast("The command line is on the clipboard.", { kind: "done" });
  } catch {
    // Without a secure context there is no clipboard: the text can still be selected.
    toast("The browser does not allow copying; select the text instead.", { kind: "error" });
  }
}
