/** What the server's REST and WebSocket speak: seconds, metres, radians; distances of transitions in cm. */

export interface LabelRow {
  label: string;
  start_s: number;
  end_s: number;
}

export interface ContactRow {
  joint: string;
  start_s: number;
  end_s: number;
  confidence: number;
}

export interface Warning {
  code: string;
  message: string;
}

export interface GraphSummary {
  clips: number;
  seconds: number;
  kept_seconds: number;
  nodes: number;
  edges: number;
  transitions: number;
  /** Those of them that are cuts. */
  cuts: number;
  candidates: number;
  working_rate_hz: number;
  window_frames: number;
  ceiling_cm: number;
  default_threshold_cm: number;
  components: number;
}

export interface BuildOptions {
  fps: number;
  window_s: number;
  /** null: chosen from the data. */
  threshold_cm: number | null;
  auto: boolean;
  with_mirrored: boolean;
  /** How transitions get from clip to clip. */
  transitions: "auto" | "blend" | "cut";
  /** Which foot contacts may meet in a transition: any, equal ones, or equal changes. */
  contacts: "any" | "same" | "change";
  ceiling_cm: number;
}

export interface Project {
  name: string;
  demo: boolean;
  version: string;
  revision: number;
  graph: GraphSummary | null;
  labels: string[];
  build: BuildOptions;
  /** Labels, contacts or clips changed since the graph was built. */
  stale: boolean;
  limits: { upload_bytes: number; clip_seconds: number };
}

export interface Clip {
  id: string;
  name: string;
  file: string;
  format: string;
  joints: number;
  frames: number;
  rate_hz: number;
  seconds: number;
  in_graph: boolean;
  kept_seconds: number | null;
  labels: LabelRow[];
  warnings: Warning[];
}

export interface LabelSheet {
  revision: number;
  rows: LabelRow[];
}

export interface ContactSheet {
  revision: number;
  /** True while the rows are what the detector found; false once somebody has edited them. */
  detected: boolean;
  rows: ContactRow[];
}

export interface ThresholdTable {
  default_cm: number;
  /** Row: label left, column: label entered; null means the default. */
  cells: (number | null)[][];
}

export interface Thresholds extends ThresholdTable {
  labels: string[];
  ceiling_cm: number;
  candidates: number[][];
  curves: {
    cm: number[];
    kept_seconds: number[];
    transitions: number[];
    by_label: { label: string; kept_seconds: number[] }[];
  };
  graph_revision: number;
}

export interface Connectivity {
  transitions: number;
  nodes: number;
  edges: number;
  kept_seconds: number;
  seconds: number;
  components: number;
  labels: { label: string; seconds: number; kept_seconds: number; components: number }[];
  /** reach[i][j]: from label i one can get to label j. */
  reach: boolean[][];
  kept_by_clip: { id: string; kept_seconds: number }[];
  compute_ms: number;
}

export interface Topology {
  clips: { id: string; name: string; frames: number; seconds: number }[];
  nodes: { clip: number[]; frame: number[]; component: number[] };
  transitions: {
    edge: number[];
    /** The nodes each leaves and enters. */
    from: number[];
    to: number[];
    distance_cm: number[];
    kind: TransitionKind[];
    /** How long each lasts: working frames and seconds. */
    frames: number[];
    seconds: number[];
    /** The two frames by which `/api/graph/transition` asks for it. */
    from_frame: number[];
    to_frame: number[];
  };
  pieces: { edge: number[]; from: number[]; to: number[] };
}

/** Both clips blended into one another, or one left at once and the jump fading. */
export type TransitionKind = "blend" | "cut";

export type MinimumState = "in" | "out" | "pruned";

export interface Minimum {
  i: number;
  j: number;
  /** A cut near an end leads from the first clip to the second only. */
  kind: TransitionKind;
  /** How long it lasts, or would. */
  seconds: number;
  distance_cm: number;
  theta_rad: number;
  x0_m: number;
  z0_m: number;
  state: MinimumState;
  why: string;
}

export interface Minima {
  rate_hz: number;
  minima: Minimum[];
}

export interface TransitionInfo {
  kind: TransitionKind;
  distance_cm: number;
  /** What the distance is held to: near an end stricter than `label_threshold_cm`, times √(compared_frames / window_frames). */
  threshold_cm: number;
  label_threshold_cm: number;
  compared_frames: number;
  window_frames: number;
  state: MinimumState;
  why: string;
  labels_from: string[];
  labels_to: string[];
  seconds: number;
  frames: number;
  /** Seconds of the clip left: where it begins, and where both meet (a blend's middle, a cut's start). */
  leaves_s: number;
  from_s: number;
  /** Seconds of the clip entered: where both meet, and where it is over. */
  to_s: number;
  arrives_s: number;
  contacts: { from: string[]; to: string[] };
}

/** A transition of a made motion. */
export interface TransitionMark {
  kind: TransitionKind;
  /** Where both clips meet: a blend's middle, a cut's start. */
  t: number;
  /** Where it begins and ends; not in results kept before there were cuts. */
  start_s?: number;
  end_s?: number;
  seconds: number;
  distance_cm: number;
  from: string;
  to: string;
}

export type Point = [x: number, z: number];
export type Obstacle =
  | { circle: [x: number, z: number, r: number] }
  | { box: [x0: number, z0: number, x1: number, z1: number] }
  | { polygon: Point[] };

export interface PathRequest {
  points: Point[];
  closed: boolean;
  smooth: boolean;
  styles: { label: string; from_m: number; to_m: number | null }[];
  actions: { label: string; at_m: number }[];
  obstacles: Obstacle[];
  start: { x: number; z: number; heading_rad: number } | null;
  corridor_m: number | null;
  search: "beam" | "bnb";
  bend_m: number | null;
  clean: boolean;
  no_short_cuts: boolean;
  forbid: string[];
  seed: number;
  count: number;
  alternatives: number;
  /** Seconds; null: as long as the search needs, and the same answer every time. */
  max_s: number | null;
  name: string | null;
}

export type JobRequest =
  | { kind: "build"; options: BuildOptions }
  | { kind: "path"; request: PathRequest }
  | { kind: "resolve"; result: string; member: number; from_s: number; to_s: number; seed: number }
  | { kind: "walk"; seconds: number; label: string | null; seed: number };

export type JobState = "queued" | "running" | "done" | "failed" | "cancelled" | "interrupted";

export interface Job {
  id: string;
  kind: JobRequest["kind"];
  state: JobState;
  /** 0 to 1. */
  part: number;
  message: string;
  error: ErrorBody | string | null;
  result: string | null;
  created_ms: number;
  elapsed_s: number;
}

export interface ResultSummary {
  id: string;
  name: string;
  kind: string;
  created_ms: number;
  seconds: number;
  people: number;
  alternatives: number;
  rms_m: number | null;
  status: string;
}

export interface Bar {
  name: string;
  /** null where it cannot be measured. */
  value: number | null;
  bar: number;
  unit: string;
  pass: boolean;
}

export interface ResultMember {
  person: number;
  alternative: number;
  /** When this one sets out, in a crowd. */
  start_s: number | null;
  seconds: number;
  frames: number;
  rate_hz: number;
  report: Record<string, unknown>;
  way: Point[];
  labels: LabelRow[];
  transitions: TransitionMark[];
  bars: Bar[];
  /** The walk behind it; null where no part of it can be searched again. */
  walk: unknown;
}

export interface Result {
  id: string;
  kind: string;
  request: unknown;
  members: ResultMember[];
  target: Point[];
  command: string;
  files: string[];
  /** What was told on the way. */
  notes: string[];
}

export type ExportFormat = "bvh" | "glb" | "npz" | "png" | "svg" | "gif" | "report" | "path" | "obstacles" | "before";

export interface ErrorBody {
  code: string;
  message: string;
  hint: string | null;
  field: string | null;
}

export type ProjectPart = "clips" | "labels" | "contacts" | "graph" | "results";

/** What arrives on the events socket. */
export type ServerEvent =
  | { type: "hello"; revision: number }
  | { type: "job"; job: Job }
  | { type: "best"; job: string; part: number; cost: number; way: Point[] }
  | { type: "project"; revision: number; what: ProjectPart[] }
  | ({ type: "rethreshold"; seq: number } & Connectivity);

/** What the page may send on it. */
export type ClientEvent = { type: "rethreshold"; seq: number } & ThresholdTable;
