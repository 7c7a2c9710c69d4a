/** What can be asked for beside the sketch, with sane defaults. */

export interface Params {
  readonly search: "beam" | "bnb";
  /** Metres the finished motion may be pulled towards the path; 0 leaves it as found. */
  readonly bend: number;
  /** Metres to each side of the path that may be used; 0: no limit. */
  readonly corridor: number;
  /** Seconds that all of it lasts; 0: at the clips' own pace. */
  readonly duration: number;
  /** Metres a second wherever no other speed is painted; 0: as captured. */
  readonly speed: number;
  readonly seed: number;
  readonly count: number;
  readonly alternatives: number;
  readonly clean: boolean;
  readonly shortCuts: boolean;
  /** Seconds the search may take; 0: as long as it needs. */
  readonly maxSeconds: number;
  /** Edges the search may try; 0: as the path's length asks for. */
  readonly expansions: number;
  readonly forbid: readonly string[];
}

export const DEFAULTS: Params = {
  search: "beam",
  bend: 0.3,
  corridor: 0,
  duration: 0,
  speed: 0,
  seed: 0,
  count: 1,
  alternatives: 1,
  clean: true,
  shortCuts: false,
  maxSeconds: 0,
  expansions: 0,
  forbid: [],
};

export interface NumberParam {
  readonly key: "bend" | "corridor" | "seed" | "count" | "alternatives" | "maxSeconds" | "expansions";
  readonly title: string;
  readonly unit: string;
  readonly help: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

export const NUMBERS: readonly NumberParam[] = [
  {
    key: "alternatives",
    title: "Alternatives",
    unit: "",
    help: "Different answers to the same sketch, to choose from.",
    min: 1,
    max: 6,
    step: 1,
  },
  {
    key: "count",
    title: "People",
    unit: "",
    help: "A crowd on this path, one after the other, that keeps out of each other's way.",
    min: 1,
    max: 100,
    step: 1,
  },
  {
    key: "bend",
    title: "Bend",
    unit: "m",
    help: "How far the motion may be pulled onto the path afterwards. 0 leaves it as it was captured.",
    min: 0,
    max: 2,
    step: 0.05,
  },
  {
    key: "corridor",
    title: "Corridor",
    unit: "m",
    help: "Stay within this distance of the path. 0 sets no limit.",
    min: 0,
    max: 10,
    step: 0.1,
  },
  {
    key: "maxSeconds",
    title: "Time limit",
    unit: "s",
    help: "Stop after this time with the best so far. 0: as long as it needs, and the same answer every time.",
    min: 0,
    max: 600,
    step: 1,
  },
  {
    key: "expansions",
    title: "Steps to try",
    unit: "",
    help: "How much the search may try. 0: as the path's length asks for. More takes longer and may find a nearer way.",
    min: 0,
    max: 1_000_000_000,
    step: 1,
  },
  {
    key: "seed",
    title: "Seed",
    unit: "",
    help: "The same seed gives the same motion; another one than 0 gives another than seed 0, where there is one.",
    min: 0,
    max: 999999,
    step: 1,
  },
];

/** Within its bounds; whole numbers stay whole. */
export function bounded(param: NumberParam, value: number): number {
  if (!Number.isFinite(value)) return DEFAULTS[param.key];
  const held = Math.max(param.min, Math.min(param.max, value));
  return Number.isInteger(param.step) ? Math.round(held) : held;
}
