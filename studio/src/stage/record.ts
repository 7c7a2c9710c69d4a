/** A picture or a film of the canvas, made by the browser itself. */
import type { Stage } from "./stage";

export function pictureOf(stage: Stage): Promise<Blob> {
  // Without preserveDrawingBuffer the picture is gone after the frame: draw and read in one go.
  stage.drawNow();
  return new Promise((resolve, reject) => {
    stage.canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("the browser gave no picture"))),
      "image/png",
    );
  });
}

export interface Recording {
  readonly done: Promise<Blob>;
  stop(): void;
}

const TYPES = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"] as const;

export function canRecord(): boolean {
  return typeof MediaRecorder !== "undefined" && "captureStream" in HTMLCanvasElement.prototype;
}

/** Films what is drawn until `stop`. */
export function record(stage: Stage, framesPerSecond = 60): Recording {
  const type = TYPES.find((name) => MediaRecorder.isTypeSupported(name)) ?? "";
  const stream = stage.canvas.captureStream(framesPerSecond);
  const recorder = new MediaRecorder(stream, { ...(type ? { mimeType: type } : {}), videoBitsPerSecond: 12_000_000 });
  const parts: Blob[] = [];
  const done = new Promise<Blob>((resolve, reject) => {
    recorder.ondataavailable = (event) => event.data.size > 0 && parts.push(event.data);
    recorder.onerror = () => reject(new Error("the browser stopped recording"));
    recorder.onstop = () => {
      stream.getTracks().forEach((track) => track.stop());
      if (parts.length > 0) resolve(new Blob(parts, { type: "video/webm" }));
      else reject(new Error("nothing was recorded"));
    };
  });
  recorder.start(500);
  stage.invalidate();
  return { done, stop: () => recorder.state !== "inactive" && recorder.stop() };
}

/** Hands a file to the browser's downloads. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name.replace(/[^\w.-]+/g, "_");
  link.click();
  // The download starts after this task; the address must live that long.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
