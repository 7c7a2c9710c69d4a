/** Clips put on another body, so that one graph can hold everybody: asked for here, done by a job, and taken back. */
import type { App } from "../app";
import type { Clip, Job } from "../api/types";
import { select } from "../ui/controls";
import { openDialog } from "../ui/dialog";
import { count, duration, sentences } from "../ui/format";
import { h } from "../ui/h";
import { toast, toastError } from "../ui/toast";
import { bodyChoices, notThere, putWords, type BodyChoice } from "./put-model";

/** How long one may take it back by a press. */
const UNDO_MS = 30_000;

/** Asks whose body, and starts. `only`: the clips that are meant, null for all; `first`: the body that is offered first, as a choice's value. */
export async function putOnBody(app: App, only: readonly Clip[] | null, first?: string): Promise<void> {
  if (app.project.value?.demo)
    return void toast("The demo keeps to itself: save it under another name first (Projects, Save as).");
  const all = app.clips.value ?? [];
  const meant = (choice: BodyChoice) => only ?? notThere(choice, all);
  const choices = bodyChoices(app.characters.value, app.bodies.value, all);
  // What brings nothing is offered last.
  const useful = choices.filter((choice) => putWords(choice, meant(choice)) !== null);
  let chosen = useful.find((choice) => choice.value === first) ?? useful[0];
  if (!chosen) return void toast("These clips are all of one body. Drop a character onto the page to put them on it.");
  const words = h("p", { role: "status" });
  const show = (choice: BodyChoice) => {
    chosen = choice;
    words.textContent = putWords(choice, meant(choice));
  };
  show(chosen);
  const sure = await openDialog({
    title: `Put ${only ? count(only.length, "clip") : "all clips"} on one body`,
    body: [
      select("Body", useful, chosen.value, (value) => {
        const next = useful.find((choice) => choice.value === value);
        if (next) show(next);
      }).element,
      words,
      h(
        "p.muted",
        null,
        "Each comes into the library as a clip of its own, with its labels and one that says who it was (person=…). Feet stand where they stood, on the length of the new legs. A graph can be built of all clips of one body.",
      ),
    ],
    actions: [
      { label: "Cancel", value: false },
      { label: "Put them on it", kind: "primary", value: true },
    ],
  });
  if (!sure) return;
  await app.startJob({ kind: "retarget", onto: chosen.onto, clips: only ? only.map((clip) => clip.id) : null });
}

/** Tells how it ended. */
export function announcePut(app: App, job: Job): void {
  if (job.state === "done")
    toast(`${job.message} (${duration(job.elapsed_s)}).`, {
      kind: "done",
      stay_ms: UNDO_MS,
      ...(job.can_undo ? { action: { label: "Undo", run: () => void takeBack(app, job) } } : {}),
    });
  else if (job.state === "cancelled") toast("No clip was put on another body; the library is as it was.");
  else if (job.state === "failed")
    toast(sentences(`No clip was put on another body: ${job.error ?? job.message}`, job.hint), { kind: "error" });
}

async function takeBack(app: App, job: Job): Promise<void> {
  try {
    await app.api.undoJob(job.id);
    toast(`${count(job.clips.length, "clip")} taken back; the library is as it was.`, { kind: "done" });
  } catch (error) {
    toastError(error, "It was not taken back");
  }
  await Promise.all([app.refreshClips(), app.refreshProject()]);
}
