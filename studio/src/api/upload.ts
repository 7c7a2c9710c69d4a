/** Uploads by XMLHttpRequest: `fetch` cannot say how much has been sent. */
import { projectHeader } from "./client";
import { ApiError, errorFromAnswer } from "./error";
import type { ReadFormat, Uploaded } from "./types";

export interface Upload {
  readonly done: Promise<Uploaded>;
  cancel(): void;
}

/** Sends the files as one request: the server keeps those that are good and names the others. */
export function uploadClips(
  files: readonly File[],
  project: string | null,
  onProgress: (part: number) => void,
  format: ReadFormat | null = null,
  characters = false,
): Upload {
  const request = new XMLHttpRequest();
  const form = new FormData();
  for (const file of files) form.append("file", file, file.name);
  const done = new Promise<Uploaded>((resolve, reject) => {
    request.upload.onprogress = (event) => {
      if (event.lengthComputable && event.total > 0) onProgress(event.loaded / event.total);
    };
    request.onload = () => {
      if (request.status < 200 || request.status >= 300) {
        reject(errorFromAnswer(request.status, request.responseText));
        return;
      }
      try {
        resolve(JSON.parse(request.responseText) as Uploaded);
      } catch {
        reject(new ApiError(request.status, "internal", "the server's answer to the upload is not JSON"));
      }
    };
    request.onerror = () => reject(new ApiError(0, "unreachable", "the connection broke during the upload"));
    request.onabort = () => reject(new ApiError(0, "aborted", "the upload was cancelled"));
  });
  request.open(
    "POST",
    `/api/clips?skip_bad=true${format ? `&format=${format}` : ""}${characters ? "&characters=true" : ""}`,
  );
  for (const [name, value] of Object.entries(projectHeader(project))) request.setRequestHeader(name, value);
  request.send(form);
  return { done, cancel: () => request.abort() };
}

const MOTION_FILE = /\.(bvh|amc|asf|glb|gltf|bin|fbx|c3d|trc|zip)$/i;
/** As the server has it. */
const MOST_FILES = 64;
/** What is no motion of its own and goes wherever its motion goes. */
const BESIDE: Readonly<Record<string, RegExp>> = { amc: /\.asf$/i, gltf: /\.bin$/i };

const extension = (file: File) => /\.([^.]+)$/.exec(file.name)?.[1]?.toLowerCase() ?? "";

/**
 * As few requests as the limits allow: clips that come together are judged together (a rate that cannot be shows over many flights).
 * `format` is what all of them are, whatever their names end in. Every skeleton (ASF) goes with each batch of AMC files, every buffer (BIN) with each batch of glTF files.
 */
export function uploadGroups(files: readonly File[], most_bytes = Infinity, format?: ReadFormat): File[][] {
  const beside = (file: File) => Object.values(BESIDE).some((pattern) => pattern.test(file.name));
  const groups: File[][] = [];
  for (const kind of ["amc", "gltf", null]) {
    const own = files.filter((file) => {
      const of = format ?? extension(file);
      return !beside(file) && (kind === null ? !(of in BESIDE) : of === kind);
    });
    const with_all = kind === null ? [] : files.filter((file) => BESIDE[kind]?.test(file.name));
    if (own.length > 0) groups.push(...batches(own, with_all, most_bytes));
  }
  // Skeletons and buffers alone: the server says what is missing.
  const lonely = files.filter(
    (file) =>
      beside(file) &&
      !Object.entries(BESIDE).some(
        ([kind, pattern]) =>
          pattern.test(file.name) && files.some((other) => !beside(other) && (format ?? extension(other)) === kind),
      ),
  );
  if (lonely.length > 0) groups.push(lonely);
  return groups;
}

function batches(files: readonly File[], beside: readonly File[], most_bytes: number): File[][] {
  const size = (list: readonly File[]) => list.reduce((sum, file) => sum + file.size, 0);
  const out: File[][] = [];
  let batch: File[] = [];
  for (const file of files) {
    const full = batch.length + beside.length >= MOST_FILES || size([...beside, ...batch, file]) > most_bytes;
    if (batch.length > 0 && full) {
      out.push([...beside, ...batch]);
      batch = [];
    }
    batch.push(file);
  }
  out.push([...beside, ...batch]);
  return out;
}

export function looksLikeMotion(file: File): boolean {
  return MOTION_FILE.test(file.name);
}
