/** Files dropped anywhere on the page go to the library. */
import type { App } from "./app";
import { h } from "./ui/h";
import { icon } from "./ui/icons";
import { toast } from "./ui/toast";
import { droppedFiles } from "./dropped-files";

export function acceptDrops(app: App): void {
  const veil = h(
    "div.drop-veil",
    { hidden: true },
    h(
      "div",
      null,
      icon("upload"),
      "Drop to add to the library",
      h("span.muted", null, "BVH, AMC + ASF, GLB, glTF + BIN, FBX; a rigged GLB is a character"),
    ),
  );
  document.body.append(veil);
  // dragenter and dragleave also fire between children: only a count tells when the drag has left the page.
  let depth = 0;
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  const set = (next: number) => {
    depth = Math.max(0, next);
    veil.hidden = depth === 0;
  };
  addEventListener("dragenter", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    set(depth + 1);
  });
  addEventListener("dragleave", (event) => hasFiles(event) && set(depth - 1));
  addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
  });
  addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    set(0);
    if (!event.dataTransfer) return;
    void droppedFiles(event.dataTransfer).then((files) => {
      if (files.length === 0)
        return toast(
          "There is no motion file in what was dropped: BVH, AMC with ASF, GLB, glTF with BIN and FBX can be read.",
        );
      if (app.route.value.view !== "library") app.go("library");
      return app.addFiles(files);
    });
  });
}
