/** Thresholds put in force, with a way back. */
import type { App } from "../app";
import type { ThresholdsInForce } from "../api/types";
import { toast, toastError } from "../ui/toast";
import { matrixOf, raiseTo, toJson, type Matrix } from "./matrix-model";

/** How long one may take it back. */
const UNDO_MS = 20_000;

/** Applies a table, or what the data says, and tells what came of it in words of `say`; true when it is in force. */
export async function putInForce(
  app: App,
  table: ThresholdsInForce,
  before: Matrix,
  say: (kept: string) => string,
): Promise<boolean> {
  try {
    const project = app.project.value?.name;
    const summary = await app.api.applyThresholds(table);
    const kept = `${summary.kept_seconds.toFixed(1)} s kept, ${summary.transitions.toLocaleString("en")} transitions`;
    toast(say(kept), {
      kind: "done",
      stay_ms: UNDO_MS,
      action: { label: "Undo", run: () => void takeBack(app, before, project) },
    });
    return true;
  } catch (error) {
    toastError(error, "The thresholds were not applied");
    return false;
  }
}

async function takeBack(app: App, before: Matrix, project: string | undefined): Promise<void> {
  if (app.project.value?.name !== project) return void toast(`Open ${project ?? "its project"} again to take it back.`);
  try {
    await app.api.applyThresholds(toJson(before));
    toast("Thresholds are as they were.", { kind: "done" });
  } catch (error) {
    toastError(error, "The thresholds could not be put back");
  }
}

/** Raises every threshold below a number to it, as `build --rethreshold --at-least` does. */
export async function raiseThresholds(app: App, cm: number): Promise<void> {
  try {
    const now = await app.api.thresholds();
    const before = matrixOf(now.labels, now.default_cm, now.ceiling_cm, now.cells);
    await putInForce(app, toJson(raiseTo(before, cm)), before, (kept) => `Raised to ${cm.toFixed(1)} cm: ${kept}.`);
  } catch (error) {
    toastError(error, "The thresholds were not applied");
  }
}
