/** Uploads by XMLHttpRequest: `fetch` cannot say how much has been sent. */
import { ApiError, errorFromAnswer } from "./error";
import type { Clip } from "./types";

export interface Upload {
  readonly done: Promise<Clip[]>;
  cancel(): void;
}

/** Sends the files as one request: the server keeps all of them or none (an AMC needs its ASF beside it). */
export function uploadClips(files: readonly File[], onProgress: (part: number) => void, url = "/api/clips"): Upload {
  const request = new XMLHttpRequest();
  const form = new FormData();
  for (const file of files) form.append("file", file, file.name);
  const done = new Promise<Clip[]>((resolve, reject) => {
    request.upload.onprogress = (event) => {
      if (event.lengthComputable && event.total > 0) onProgress(event.loaded / event.total);
    };
    request.onload = () => {
      if (request.status < 200 || request.status >= 300) {
        reject(errorFromAnswer(request.status, request.responseText));
        return;
      }
      try {
        resolve(JSON.parse(request.responseText) as Clip[]);
      } catch {
        reject(new ApiError(request.status, "internal", "the server's answer to the upload is not JSON"));
      }
    };
    request.onerror = () => reject(new ApiError(0, "unreachable", "the connection broke during the upload"));
    request.onabort = () => reject(new ApiError(0, "aborted", "the upload was cancelled"));
  });
  request.open("POST", url);
  request.send(form);
  return { done, cancel: () => request.abort() };
}

const MOTION_FILE = /\.(bvh|amc|asf|glb|gltf|fbx|c3d|trc|zip)$/i;

/**
 * One request per clip, so that one bad file does not hold back the others; AMC files travel together with
 * every ASF of the drop, because they cannot be read without.
 */
export function uploadGroups(files: readonly File[]): File[][] {
  const skeletons = files.filter((file) => /\.asf$/i.test(file.name));
  const captures = files.filter((file) => /\.amc$/i.test(file.name));
  const others = files.filter((file) => !/\.(asf|amc)$/i.test(file.name));
  const groups = others.map((file) => [file]);
  if (captures.length > 0 || skeletons.length > 0) groups.push([...skeletons, ...captures]);
  return groups;
}

export function looksLikeMotion(file: File): boolean {
  return MOTION_FILE.test(file.name);
}
