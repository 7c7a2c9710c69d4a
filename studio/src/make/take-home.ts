/** Take home: files in every format, everybody in one scene, a film, the report, and the command line that does the same. */
import type { App } from "../app";
import type { ExportFormat, ExportQuery, Result } from "../api/types";
import { button, checkbox, progressBar, select } from "../ui/controls";
import { h, replaceChildren, type Child } from "../ui/h";
import { icon } from "../ui/icons";
import { toast, toastError } from "../ui/toast";
import { tooltip } from "../ui/tooltip";
import type { Desk } from "./desk";

export interface HomeTools {
  /** Films the whole result from its start; nothing where the browser cannot. */
  readonly film: Filming | null;
}

/** A film in the making: told how much of it is done, ended by `signal`. */
export type Filming = (onPart: (part: number) => void, signal: AbortSignal) => Promise<void>;

const MOTION: readonly { readonly format: ExportFormat; readonly label: string; readonly help: string }[] = [
  { format: "bvh", label: "BVH", help: "Motion for Blender, MotionBuilder, Maya and most tools" },
  { format: "glb", label: "GLB", help: "Motion as glTF, for engines and browsers; carries contacts and labels" },
  { format: "npz", label: "NPZ", help: "Positions and rotations as NumPy arrays" },
];

const REST: typeof MOTION = [
  { format: "png", label: "PNG", help: "A picture: the path from above" },
  { format: "svg", label: "SVG", help: "The same as a drawing that scales" },
  { format: "report", label: "Report", help: "All numbers as JSON" },
];

/** How files of frames are to be; kept while the page is open, since one tool mostly wants the same. */
interface Manner {
  fps: number | undefined;
  unit: string | undefined;
  up: "x" | "y" | "z" | undefined;
  root_motion: boolean;
  in_place: boolean;
  mirror: boolean;
}

const manner: Manner = {
  fps: undefined,
  unit: undefined,
  up: undefined,
  root_motion: false,
  in_place: false,
  mirror: false,
};

/** Only what was asked for goes into the address. */
export function exportQuery(format: ExportFormat, member: number | null, how: Partial<Manner>): ExportQuery {
  return {
    format,
    ...(member === null ? { everybody: true } : { member }),
    ...(how.fps === undefined ? {} : { fps: how.fps }),
    ...(how.unit === undefined ? {} : { unit: how.unit }),
    ...(how.up === undefined ? {} : { up: how.up }),
    ...(how.root_motion ? { root_motion: true } : {}),
    ...(how.in_place ? { in_place: true } : {}),
    ...(how.mirror ? { mirror: true } : {}),
  };
}

export function takeHome(app: App, desk: Desk, result: Result, tools: HomeTools): Child {
  const plain = (format: ExportFormat, label: string, help: string) =>
    fileLink(app.api.exportUrl(result.id, exportQuery(format, desk.member.value, {})), label, help);
  const extra = result.files.flatMap((f): Child[] => {
    if (f === "path.json") return [plain("path", "Path", "The path as JSON, for the command line")];
    if (f === "graph.gway")
      return [fileLink("/api/graph.gway", "Graph", "The graph, for the command line and other programs")];
    if (f === "before.json")
      return [plain("before", "Before", "The report of the motion this one was changed from, for the command line")];
    if (f === "obstacles.json") return [plain("obstacles", "Obstacles", "The obstacles as JSON, for the command line")];
    return [];
  });
  const several = new Set(result.members.map((m) => m.person)).size > 1;
  const motion = h("div.file-row");
  const scene = h("div.file-row");
  const links = () => {
    const url = (format: ExportFormat, member: number | null) =>
      app.api.exportUrl(result.id, exportQuery(format, member, manner));
    replaceChildren(
      motion,
      MOTION.map((f) => fileLink(url(f.format, desk.member.value), f.label, f.help)),
    );
    replaceChildren(
      scene,
      h("span.muted", null, `All ${result.members.length} in one:`),
      fileLink(url("glb", null), "Scene GLB", "Everybody in one file, each from when they set out"),
      fileLink(
        url("bvh", null),
        "Scene ZIP",
        "A BVH file each, and scene.json with names and the seconds they set out",
      ),
      animation(app, result, null),
    );
  };
  links();
  return h(
    "section.take-home",
    { "aria-label": "Take home" },
    h("h3", null, "Take home"),
    motion,
    several && scene,
    mannerFields(links),
    h(
      "div.file-row",
      null,
      REST.map((f) => plain(f.format, f.label, f.help)),
      animation(app, result, desk.member.value),
      tools.film && filmButton(tools.film),
      extra,
    ),
    madeFromAnother(app, result) &&
      h(
        "p.notice.warn",
        null,
        "The graph has changed since this was made: the file Graph is the new one, and the command makes another motion with it.",
      ),
    result.command !== "" && commandLine(result.command),
  );
}

/** Whether the project's graph is not the one that a result was made from. */
export function madeFromAnother(app: App, result: Result): boolean {
  const now = app.project.value?.graph?.tag;
  return now !== undefined && result.members.some((m) => m.walk !== null && m.walk.graph !== now);
}

/** Rate, unit and axis as the tool wants them that the file is for. */
function mannerFields(changed: () => void): HTMLElement {
  const set = (next: Partial<Manner>) => (Object.assign(manner, next), changed());
  const rate = select(
    "Rate",
    [{ value: "", label: "as made" }, ...["24", "25", "30", "60", "120"].map((v) => ({ value: v, label: `${v} Hz` }))],
    manner.fps === undefined ? "" : String(manner.fps),
    (v) => set({ fps: v === "" ? undefined : Number(v) }),
  );
  const unit = select(
    "BVH unit",
    [
      { value: "", label: "cm" },
      { value: "m", label: "m" },
      { value: "mm", label: "mm" },
      { value: "inch", label: "inch" },
    ],
    manner.unit ?? "",
    (v) => set({ unit: v === "" ? undefined : v }),
  );
  const up = select(
    "BVH up",
    [
      { value: "", label: "Y" },
      { value: "z", label: "Z" },
      { value: "x", label: "X" },
    ],
    manner.up ?? "",
    (v) => set({ up: v === "" ? undefined : v }),
  );
  const box = (label: string, key: "root_motion" | "in_place" | "mirror", help: string) => {
    const made = checkbox(label, manner[key], (on) => set({ [key]: on }));
    tooltip(made.element, help);
    return made.element;
  };
  return h(
    "details.manner",
    { open: Object.values(manner).some((v) => v !== undefined && v !== false) },
    h("summary", null, "Rate, unit, root motion"),
    h("div.field-row", null, rate.element, unit.element, up.element),
    h(
      "div.row",
      null,
      box("Root motion", "root_motion", "Moves all travel to the root, as engines want it"),
      box("In place", "in_place", "Takes travel and turning out, for engines that move the character themselves"),
      box("Mirror", "mirror", "Left and right change places"),
    ),
  );
}

/** Animations that are being drawn, by what they are of: the panel may be made anew meanwhile. */
const drawing = new Map<string, string>();

/** A GIF takes seconds: drawn by a job, with progress and an end to it, then downloaded. */
function animation(app: App, result: Result, member: number | null): HTMLElement {
  const key = `${result.id}/${member}`;
  const name = member === null ? "Scene GIF" : "GIF";
  const host = h("span.drawing-now");
  const url = app.api.exportUrl(result.id, exportQuery("gif", member, {}));
  const start = async () => {
    const job = await app.startJob({ kind: "draw", result: result.id, member });
    if (!job) return;
    drawing.set(key, job.id);
    follow();
  };
  const idle = () => {
    const help = member === null ? "Everybody in one animation" : "A small animation for a message or a page";
    const element = button({
      label: name,
      icon: "download",
      title: `${help}; drawing takes a while`,
      onClick: () => void start(),
    });
    element.setAttribute("aria-label", `Download ${name}: ${help}`);
    replaceChildren(host, element);
  };
  const follow = () => {
    const bar = progressBar(`Drawing the ${name}`);
    const id = drawing.get(key) ?? "";
    const stop = button({ label: "Stop", icon: "stop", kind: "quiet", onClick: () => void app.cancelJob(id) });
    replaceChildren(host, h("span.muted", null, `${name}…`), bar.element, stop);
    const end = app.jobs.listen((jobs) => look(jobs.get(id)));
    const look = (job: ReturnType<typeof app.jobs.value.get>) => {
      if (job?.state === "queued" || job?.state === "running") return bar.set(job.state === "queued" ? null : job.part);
      if (!job) return;
      end();
      drawing.delete(key);
      idle();
      if (job.state === "done") download(url);
      else if (job.state === "failed") toastError(new Error(job.error ?? job.message), "The animation was not drawn");
    };
    look(app.jobs.value.get(id));
  };
  if (drawing.has(key)) follow();
  else idle();
  return host;
}

function download(href: string): void {
  const link = h("a", { href, download: "", hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
}

/** The 3D view from start to end; while it is filmed one sees how far it is, and can end it. */
function filmButton(film: Filming): HTMLElement {
  const host = h("span.drawing-now");
  const idle = () =>
    replaceChildren(
      host,
      button({
        label: "WebM",
        icon: "record",
        title: "Films the 3D view from start to end, as you see it",
        onClick: () => void run(),
      }),
    );
  const run = async () => {
    const ended = new AbortController();
    const bar = progressBar("Filming");
    const stop = button({ label: "Stop", icon: "stop", kind: "quiet", onClick: () => ended.abort() });
    replaceChildren(host, h("span.muted", null, "Filming…"), bar.element, stop);
    try {
      await film((part) => bar.set(part), ended.signal);
    } finally {
      idle();
    }
  };
  idle();
  return host;
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
