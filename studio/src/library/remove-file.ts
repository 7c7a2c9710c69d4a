/** Takes a file that is no clip out of the project, once the user is sure. */
import type { App } from "../app";
import { confirmDialog } from "../ui/dialog";
import { toast, toastError } from "../ui/toast";

export interface FileToRemove {
  readonly name: string;
  /** What stays although the file goes. */
  readonly stays: string;
  readonly remove: () => Promise<unknown>;
  /** Lets go of it in the view, before the lists are drawn anew. */
  readonly close: () => void;
}

export async function removeFile(app: App, { name, stays, remove, close }: FileToRemove): Promise<void> {
  const what = `The file leaves the project folder. ${stays}`;
  if (!(await confirmDialog(`Remove ${name}?`, what, "Remove", "danger"))) return;
  try {
    await remove();
    toast(`${name} is removed.`);
    close();
    await app.refreshClips();
    app.go("library");
  } catch (error) {
    toastError(error, `${name} was not removed`);
  }
}
