/** One method per route of the server; every failure is an `ApiError`. */
import { Signal } from "../ui/signal";
import { ApiError, errorFromAnswer, unreachable } from "./error";
import { retryDelay, type SocketState } from "./events";
import { decodeMotion, type MotionChunk } from "./motion";
import { decodeHeatmap, type Heatmap } from "./heatmap";
import type * as t from "./types";

export interface RequestOptions {
  signal?: AbortSignal;
}

/** What tells whether the server is there. */
export interface Line {
  readonly state: SocketState;
  /** Resolves when it is there again. */
  back(signal?: AbortSignal | null): Promise<void>;
}

type Query = Record<string, string | number | boolean | null | undefined>;

export function withQuery(path: string, query: Query): string {
  const parts = Object.entries(query)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`);
  return parts.length > 0 ? `${path}?${parts.join("&")}` : path;
}

const id = encodeURIComponent;

/** Sent twice they do no more than once. */
const REPEATABLE: ReadonlySet<string> = new Set(["GET", "PUT", "PATCH", "DELETE"]);

export class Client {
  /** Requests that wait for a server that is away, and how many of them write something. */
  readonly waiting = new Signal<{ readonly all: number; readonly writes: number }>({ all: 0, writes: 0 });
  private readonly posts = new Map<string, Promise<unknown>>();

  /** The project this page shows. Said with every request: once another is open, the server refuses rather than mix them. */
  project_key: string | null = null;

  /**
   * `base` is empty in the page (same origin); tests hand in their own `fetch`. With a `line`, what is asked while the server
   * is away is asked again when it is back; without one it fails.
   */
  constructor(
    private readonly base = "",
    private readonly fetcher: typeof fetch = (input, init) => fetch(input, init),
    private readonly line: Line | null = null,
  ) {}

  projects = (o?: RequestOptions) => this.json<t.ProjectEntry[]>("GET", "/api/projects", undefined, o);
  createProject = (name: string, interrupt = false) =>
    this.json<t.Opened>("POST", "/api/projects", { name, interrupt });
  openProject = (folder: string, interrupt = false) =>
    this.json<t.Opened>("POST", "/api/projects/open", { folder, interrupt });
  saveProjectAs = (name: string, interrupt = false) =>
    this.json<t.Opened>("POST", "/api/projects/save-as", { name, interrupt });

  project = (o?: RequestOptions) => this.json<t.Project>("GET", "/api/project", undefined, o);
  clips = (o?: RequestOptions) => this.json<t.Clip[]>("GET", "/api/clips", undefined, o);
  bodies = (o?: RequestOptions) => this.json<t.Body[]>("GET", "/api/bodies", undefined, o);
  deleteClip = (clip: string) => this.json<null>("DELETE", `/api/clips/${id(clip)}`);
  removeClips = (clips: readonly string[]) => this.json<t.Removed>("POST", "/api/clips/remove", { clips });
  readAs = (clips: readonly t.ReadAs[]) => this.json<t.Clip[]>("PUT", "/api/reading", { clips });
  proposeLabels = (from: t.Propose) => this.json<t.Proposals>("POST", "/api/labels/propose", from);
  addLabels = (rows: readonly t.ClipLabel[], replace = false) =>
    this.json<t.Labelled>("POST", "/api/labels", { rows, replace });
  clipsZipUrl = (clips: readonly string[], format: "bvh" | "glb") =>
    this.base + withQuery("/api/clips.zip", { clips: clips.join(","), format, project: this.project_key });
  thumbnailUrl = (clip: string, theme: "light" | "dark" = "light", poses?: 1, of?: string) =>
    withQuery(`${this.base}/api/clips/${id(clip)}/thumbnail.svg`, { theme, poses, project: this.project_key, of });
  clipMotion = (clip: string, from?: number, count?: number, o?: RequestOptions) =>
    this.motion(withQuery(`/api/clips/${id(clip)}/motion`, { from, count }), o);

  recordings = (o?: RequestOptions) => this.json<t.Recording[]>("GET", "/api/recordings", undefined, o);
  deleteRecording = (recording: string) => this.json<null>("DELETE", `/api/recordings/${id(recording)}`);
  recordingMotion = (recording: string, from?: number, count?: number, o?: RequestOptions) =>
    this.motion(withQuery(`/api/recordings/${id(recording)}/motion`, { from, count }), o);
  findBody = (recording: string, how: t.FindBody, o?: RequestOptions) =>
    this.json<t.FoundBody>("GET", withQuery(`/api/recordings/${id(recording)}/body`, { ...how }), undefined, o);
  foundMotion = (recording: string, how: t.FindBody, from?: number, count?: number, o?: RequestOptions) =>
    this.motion(withQuery(`/api/recordings/${id(recording)}/body/motion`, { ...how, from, count }), o);
  makeClip = (recording: string, how: t.FindBody) =>
    this.json<t.Clip>("POST", `/api/recordings/${id(recording)}/clip`, how);

  characters = (o?: RequestOptions) => this.json<t.Character[]>("GET", "/api/characters", undefined, o);
  deleteCharacter = (character: string) => this.json<null>("DELETE", `/api/characters/${id(character)}`);
  putRoles = (character: string, roles: t.CharacterRoles) =>
    this.json<t.Character>("PUT", `/api/characters/${id(character)}/roles`, roles);
  putShown = (character: string | null) => this.json<null>("PUT", "/api/shown", { character });
  onCharacter = (character: string, worn: t.Worn & t.Reshape, o?: RequestOptions) =>
    this.json<t.OnCharacter>("GET", withQuery(`/api/characters/${id(character)}/on`, { ...worn }), undefined, o);
  onMotion = (character: string, worn: t.Worn & t.Reshape, from?: number, count?: number, o?: RequestOptions) =>
    this.motion(withQuery(`/api/characters/${id(character)}/on/motion`, { ...worn, from, count }), o);
  /** The character's own file with the motion in it. */
  onMesh = (character: string, worn: t.Worn & t.Reshape, o?: RequestOptions) =>
    this.bytes(withQuery(`/api/characters/${id(character)}/on/export`, { ...worn, format: "glb" }), o);
  makeOn = (character: string, worn: t.Worn & t.Reshape) =>
    this.json<t.Clip>("POST", withQuery(`/api/characters/${id(character)}/clip`, { ...worn }), {});
  onExportUrl = (character: string, worn: t.Worn & t.Reshape, format: t.OnFormat) =>
    this.base + withQuery(`/api/characters/${id(character)}/on/export`, { ...worn, format, project: this.project_key });

  labels = (clip: string, o?: RequestOptions) =>
    this.json<t.LabelSheet>("GET", `/api/clips/${id(clip)}/labels`, undefined, o);
  putLabels = (clip: string, sheet: t.LabelSheet) =>
    this.json<t.Revision>("PUT", `/api/clips/${id(clip)}/labels`, sheet);
  contacts = (clip: string, o?: RequestOptions) =>
    this.json<t.ContactSheet>("GET", `/api/clips/${id(clip)}/contacts`, undefined, o);
  putContacts = (clip: string, sheet: t.ContactSheet) =>
    this.json<t.Revision>("PUT", `/api/clips/${id(clip)}/contacts`, sheet);
  labelsCsvUrl = () => this.base + withQuery("/api/labels.csv", { project: this.project_key });
  contactsCsvUrl = () => this.base + withQuery("/api/contacts.csv", { project: this.project_key });

  account = (o?: RequestOptions) => this.json<t.Account>("GET", "/api/graph/account", undefined, o);
  thresholds = (o?: RequestOptions) => this.json<t.Thresholds>("GET", "/api/graph/thresholds", undefined, o);
  rethreshold = (table: t.ThresholdTable, o?: RequestOptions) =>
    this.json<t.Connectivity>("POST", "/api/graph/rethreshold", table, o);
  applyThresholds = (table: t.ThresholdsInForce) => this.json<t.Applied>("POST", "/api/graph/thresholds", table);
  connected = (o?: RequestOptions) => this.json<t.Connected>("GET", "/api/graph/connected", undefined, o);
  capturedAlone = () => this.json<t.Applied>("POST", "/api/graph/captured", {});
  topology = (o?: RequestOptions) => this.json<t.Topology>("GET", "/api/graph/topology", undefined, o);
  heatmap = async (a: string, b: string, max?: number, o?: RequestOptions): Promise<Heatmap> =>
    decodeHeatmap(await this.bytes(withQuery("/api/graph/heatmap", { a, b, max }), o));
  minima = (a: string, b: string, o?: RequestOptions) =>
    this.json<t.Minima>("GET", withQuery("/api/graph/minima", { a, b }), undefined, o);
  transition = (a: string, i: number, b: string, j: number, o?: RequestOptions) =>
    this.json<t.TransitionInfo>("GET", withQuery("/api/graph/transition", { a, i, b, j }), undefined, o);
  transitionMotion = (a: string, i: number, b: string, j: number, part: t.TransitionPart, o?: RequestOptions) =>
    this.motion(withQuery("/api/graph/transition/motion", { a, i, b, j, part }), o);
  edgeMotion = (edge: number, o?: RequestOptions) => this.motion(`/api/graph/edge/${edge}/motion`, o);

  jobs = (o?: RequestOptions) => this.json<t.Job[]>("GET", "/api/jobs", undefined, o);
  startJob = (request: t.JobRequest) => this.json<t.Job>("POST", "/api/jobs", request);
  cancelJob = (job: string) => this.json<unknown>("POST", `/api/jobs/${id(job)}/cancel`, {});
  undoJob = (job: string) => this.json<t.Job>("POST", `/api/jobs/${id(job)}/undo`, {});

  results = (o?: RequestOptions) => this.json<t.ResultSummary[]>("GET", "/api/results", undefined, o);
  result = (result: string, o?: RequestOptions) =>
    this.json<t.Result>("GET", `/api/results/${id(result)}`, undefined, o);
  renameResult = (result: string, name: string) =>
    this.json<t.ResultSummary>("PATCH", `/api/results/${id(result)}`, { name });
  keepResult = (result: string) => this.json<t.ResultSummary>("PATCH", `/api/results/${id(result)}`, { keep: true });
  deleteResult = (result: string) => this.json<null>("DELETE", `/api/results/${id(result)}`);
  resultMotion = (result: string, member: number, from?: number, count?: number, o?: RequestOptions) =>
    this.motion(withQuery(`/api/results/${id(result)}/motion`, { member, from, count }), o);
  exportUrl = (result: string, query: t.ExportQuery) =>
    this.base + withQuery(`/api/results/${id(result)}/export`, { ...query, project: this.project_key });

  async motion(path: string, options?: RequestOptions): Promise<MotionChunk> {
    return decodeMotion(await this.bytes(path, options));
  }

  async bytes(path: string, options?: RequestOptions): Promise<ArrayBuffer> {
    const answer = await this.send(path, { method: "GET", ...options });
    return answer.arrayBuffer();
  }

  async json<T>(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<T> {
    // The server takes writes only as application/json: a form on a foreign page cannot send that unasked.
    const headers: Record<string, string> = method === "GET" ? {} : { "Content-Type": "application/json" };
    const payload = body === undefined ? null : JSON.stringify(body);
    // A button that is pressed again while the server is away means the same once.
    const key = `${method} ${path} ${payload}`;
    const same = method === "POST" ? this.posts.get(key) : undefined;
    if (same) return same as Promise<T>;
    const asked = this.ask<T>(method, path, headers, payload, options);
    if (method === "POST" && this.line?.state === "lost") {
      this.posts.set(key, asked);
      void asked.catch(() => {}).finally(() => this.posts.delete(key));
    }
    return asked;
  }

  private async ask<T>(
    method: string,
    path: string,
    headers: Record<string, string>,
    payload: string | null,
    options?: RequestOptions,
  ): Promise<T> {
    const answer = await this.send(path, {
      method,
      headers,
      ...(payload === null ? {} : { body: payload }),
      // A save on its way must survive the closing of the tab; browsers allow that up to 64 KiB.
      ...(method === "PUT" && payload !== null && payload.length < 60_000 ? { keepalive: true } : {}),
      ...options,
    });
    const text = await answer.text();
    if (text === "") return null as T;
    try {
      return JSON.parse(text) as T;
    } catch {
      throw new ApiError(answer.status, "internal", `the server's answer to ${method} ${path} is not JSON`);
    }
  }

  private async send(path: string, init: RequestInit): Promise<Response> {
    for (let attempt = 0; ; attempt++) {
      const away = this.line?.state === "lost";
      let answer: Response;
      const headers = { ...(init.headers as Record<string, string> | undefined), ...projectHeader(this.project_key) };
      try {
        answer = await this.fetcher(this.base + path, { credentials: "same-origin", ...init, headers });
      } catch (cause) {
        const error = unreachable(cause);
        // A connection that breaks leaves open whether the server has heard; only what was asked while it was away is safe to
        // ask again, whatever it is.
        const again = this.line !== null && (away || REPEATABLE.has(init.method ?? "GET"));
        if (error.code === "aborted" || !again) throw error;
        await this.untilBack(this.line, init, attempt);
        continue;
      }
      if (!answer.ok) throw errorFromAnswer(answer.status, await answer.text());
      return answer;
    }
  }

  /** For what is sent by other means than `fetch`: waits until the server can be asked again, counted among what waits. */
  async serverBack(signal: AbortSignal, attempt: number): Promise<void> {
    if (this.line) await this.untilBack(this.line, { method: "POST", signal }, attempt);
  }

  /** Waits for the server, or for a while where the socket does not say that it is away. */
  private async untilBack(line: Line, init: Pick<RequestInit, "method" | "signal">, attempt: number): Promise<void> {
    const writes = init.method === "GET" ? 0 : 1;
    const count = (by: number) => {
      const { all, writes: before } = this.waiting.value;
      this.waiting.value = { all: all + by, writes: before + by * writes };
    };
    count(1);
    try {
      if (line.state === "lost") await line.back(init.signal);
      else await new Promise((done) => setTimeout(done, retryDelay(attempt)));
      if (init.signal?.aborted) throw new DOMException("given up", "AbortError");
    } catch (cause) {
      throw unreachable(cause);
    } finally {
      count(-1);
    }
  }
}

export function projectHeader(key: string | null): Record<string, string> {
  return key === null ? {} : { "X-Gaitway-Project": key };
}
