/** A rigged figure that moves may be a character to put motion on, or motion: whoever dropped it knows. */
import { openDialog } from "../ui/dialog";
import { h } from "../ui/h";

/** True for characters; dismissed, they are motion, as before there were characters. */
export async function askKind(files: readonly File[]): Promise<boolean> {
  const names = files.map((file) => file.name);
  const shown = names.length > 4 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", ");
  const chosen = await openDialog<boolean>({
    title: files.length === 1 ? "A character, or motion?" : "Characters, or motion?",
    body: [
      h("p", null, h("strong", null, shown), files.length === 1 ? " has a mesh and moves." : " have a mesh and move."),
      h(
        "p",
        null,
        "A character is somebody to put motion on: its mesh comes along, its own animation does not count. Motion joins the clips: its animation counts, its mesh does not.",
      ),
    ],
    actions: [
      { label: "Motion", value: false },
      { label: files.length === 1 ? "A character" : "Characters", kind: "primary", value: true },
    ],
  });
  return chosen ?? false;
}
