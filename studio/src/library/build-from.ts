/** A graph of a group or a selection: the one that is there goes, so that is asked first where it is of other clips. */
import type { App } from "../app";
import type { JobRequest, Project } from "../api/types";
import { confirmDialog } from "../ui/dialog";
import { count } from "../ui/format";

/** What is lost by a graph of these clips; nothing where the graph is of some of them, or there is none. */
export function replaces(project: Pick<Project, "graph" | "basis"> | null, clips: readonly string[]): number {
  if (!project?.graph) return 0;
  const own = new Set(clips);
  return project.basis.some((id) => own.has(id)) ? 0 : project.basis.length;
}

export async function buildFrom(
  app: App,
  clips: readonly string[],
  request: JobRequest & { kind: "build" },
): Promise<void> {
  const lost = replaces(app.project.value, clips);
  const sure =
    lost === 0 ||
    (await confirmDialog(
      "Build in place of the graph that is there?",
      `The graph is of ${count(lost, "other clip")}. A project has one graph: this one takes its place, and results of the old one can be played but not solved again. To keep both, save the project under another name first (Projects, Save as).`,
      "Build in its place",
    ));
  if (sure) await app.startJob(request);
}
