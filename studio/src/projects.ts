/** Projects: which is open, the others, new ones, copies. */
import type { App } from "./app";
import type { ProjectEntry } from "./api/types";
import { button } from "./ui/controls";
import { openDialog, promptDialog } from "./ui/dialog";
import { count } from "./ui/format";
import { h, type Child } from "./ui/h";
import { icon } from "./ui/icons";
import { toast, toastError } from "./ui/toast";

/** The name of the open project, and the way to the others. */
export function projectButton(app: App): HTMLElement {
  const name = h("span.project-name");
  const element = h(
    "button.button.quiet.project-button",
    { type: "button", onclick: () => void showProjects(app) },
    name,
    icon("chevron"),
  );
  app.project.follow((project) => {
    const shown = project ? (project.demo ? "Demo" : project.name) : "…";
    name.textContent = shown;
    element.setAttribute("aria-label", `Project ${shown}: open another, new, save as`);
  });
  return element;
}

/** Another tab opened another project: what is on screen here is not open any more. */
export function leftBar(app: App): HTMLElement {
  const text = h("span");
  const show = button({ label: "Show it", kind: "primary", onClick: () => location.assign("/") });
  const bar = h("div.bar.warn", { role: "alert", hidden: true }, icon("warning"), text, h("span.spacer"), show);
  app.left.follow((name) => {
    bar.hidden = name === null;
    text.textContent = `Another tab opened ${name ?? ""} in this studio. What this tab shows is not open any more: nothing done here is kept.`;
  });
  return bar;
}

function when(changed_ms: number, now = Date.now()): string {
  if (changed_ms === 0) return "not opened yet";
  const minutes = Math.max(0, (now - changed_ms) / 60_000);
  if (minutes < 60) return minutes < 2 ? "just now" : `${Math.round(minutes)} minutes ago`;
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} hours ago`;
  return new Date(changed_ms).toLocaleDateString();
}

type Choice = { kind: "open"; project: ProjectEntry } | { kind: "new" } | { kind: "save-as" };

async function showProjects(app: App): Promise<void> {
  let list: ProjectEntry[];
  try {
    list = await app.api.projects();
  } catch (error) {
    return toastError(error, "Loading the projects");
  }
  let chosen: Choice | null = null;
  const choose = (choice: Choice) => (event: MouseEvent) => {
    chosen = choice;
    (event.currentTarget as HTMLElement).closest("dialog")?.close();
  };
  const rows: Child[] = list.map((project) =>
    h(
      "li",
      null,
      h(
        "button.project-row",
        { type: "button", disabled: project.open, onclick: choose({ kind: "open", project }) },
        h("strong", null, project.demo ? "Demo" : project.name),
        h("span.muted", null, project.open ? "open now" : when(project.changed_ms)),
      ),
    ),
  );
  await openDialog({
    title: "Projects",
    body: [
      h(
        "div.row",
        null,
        button({ label: "New project…", icon: "plus", kind: "primary", onClick: choose({ kind: "new" }) }),
        button({ label: "Save as…", icon: "download", onClick: choose({ kind: "save-as" }) }),
      ),
      h("h3", null, "Open"),
      h("ul.project-list", { "aria-label": "Projects" }, rows),
    ],
    actions: [],
  });
  if (chosen) await carryOut(app, chosen);
}

async function carryOut(app: App, choice: Choice): Promise<void> {
  if (choice.kind === "open") {
    const { folder } = choice.project;
    await app.switchProject((interrupt) => app.api.openProject(folder, interrupt));
    return;
  }
  const title = choice.kind === "new" ? "New project" : "Save this project as";
  const now = app.project.value;
  const name = await promptDialog(title, "Name", choice.kind === "new" ? "" : `${now?.name ?? "project"} copy`);
  if (!name) return;
  const done = await app.switchProject((interrupt) =>
    choice.kind === "new" ? app.api.createProject(name, interrupt) : app.api.saveProjectAs(name, interrupt),
  );
  if (done)
    toast(choice.kind === "new" ? `“${name}” is open. Drop clips onto it.` : `Saved as “${name}”, which is open now.`);
}

/** Clips dropped onto the demo go into a project of their own, when somebody agrees. */
export async function ownProject(app: App, files: readonly File[], suggested: string): Promise<boolean> {
  const input = h("input", { type: "text", value: suggested, maxLength: 120, autofocus: true });
  const answer = await openDialog({
    title: "Put these clips into a new project?",
    body: [
      h(
        "p",
        null,
        `The demo keeps to itself. ${count(files.length, "file")} can go into a project of your own; the demo stays in the list of projects.`,
      ),
      h("label.field", null, h("span.field-label", null, "Name of the project"), input),
    ],
    actions: [
      { label: "Cancel", value: false },
      { label: "New project", kind: "primary", value: true },
    ],
  });
  if (!answer) return false;
  const name = input.value.trim() || suggested;
  return app.switchProject((interrupt) => app.api.createProject(name, interrupt));
}

/** What files have in common: their folder, else the beginning of their names. */
export function nameFor(files: readonly { name: string }[], folder: string | null): string {
  if (folder) return folder;
  const names = files.map((file) => file.name.replace(/\.[^.]+$/, ""));
  let shared = names[0] ?? "";
  for (const name of names) while (!name.startsWith(shared)) shared = shared.slice(0, -1);
  shared = shared.replace(/[\s._-]+$/, "");
  return shared.length > 1 ? shared : "My clips";
}
