/** How well a graph holds together, in rows of words: as it is, and beside it with captured clips alone. */
import type { Connected, Job } from "../api/types";
import { duration } from "../ui/format";

type Figures = Connected["now"];

export interface ConnectRow {
  readonly name: string;
  /** What is counted, for whoever does not know the word. */
  readonly title: string;
  /** With captured clips alone; nothing where the graph has no others. */
  readonly before: string | null;
  readonly now: string;
  /** Better or worse than before; nothing where both are the same, or there is no before. */
  readonly change: "better" | "worse" | null;
}

export interface LabelWay {
  readonly from: string;
  readonly to: string;
}

export function connectRows(connected: Connected): ConnectRow[] {
  const { labels } = connected;
  const rows = [
    row(
      connected,
      "In one piece",
      "Share of the captured frames from each of which one can get to each other and back",
      (f) => f.largest_share,
      (v) => `${(100 * v).toFixed(1)} %`,
      1,
    ),
    row(
      connected,
      "Can be used",
      "Seconds of captured motion in the graph",
      (f) => f.kept_seconds,
      (v) => duration(v),
      1,
    ),
  ];
  if (labels.length < 2) return rows;
  const pairs = labels.length * (labels.length - 1);
  rows.push(
    row(
      connected,
      "Lasting ways between labels",
      "Pairs of labels with a way from the largest part of the one to that of the other, in both of which one can go on for as long as one likes",
      (f) => waysOf(labels, f).length,
      (v) => `${v} of ${pairs}`,
      1,
    ),
  );
  if (connected.now.to_other_label_s !== null)
    rows.push(
      row(
        connected,
        "Time to another label",
        "Seconds until another label is reached, in the mean (local maneuverability), over the frames that hold together without interpolated clips",
        (f) => f.to_other_label_s ?? NaN,
        (v) => (Number.isFinite(v) ? `${v.toFixed(2)} s` : "not known"),
        -1,
      ),
    );
  return rows;
}

function row(
  { now, captured_alone: before }: Connected,
  name: string,
  title: string,
  value: (f: Figures) => number,
  words: (v: number) => string,
  better: 1 | -1,
): ConnectRow {
  const texts = [before && words(value(before)), words(value(now))] as const;
  // What reads the same is no change to whoever reads it.
  const by = before && texts[0] !== texts[1] ? better * (value(now) - value(before)) : 0;
  return { name, title, before: texts[0], now: texts[1], change: by > 0 ? "better" : by < 0 ? "worse" : null };
}

/** From which label one can get to which other. */
export function waysOf(labels: readonly string[], figures: Pick<Figures, "reach">): LabelWay[] {
  return labels.flatMap((from, i) =>
    labels.flatMap((to, j) => (i !== j && figures.reach[i]?.[j] ? [{ from, to }] : [])),
  );
}

/** Ways that interpolated clips opened. */
export function newWays({ labels, now, captured_alone: before }: Connected): LabelWay[] {
  if (!before) return [];
  const known = new Set(waysOf(labels, before).map((way) => JSON.stringify(way)));
  return waysOf(labels, now).filter((way) => !known.has(JSON.stringify(way)));
}

/** The newest job that connects the graph better, where it still says something: a failed one until a graph is built after it. */
export function connectJob(jobs: Iterable<Job>): Job | null {
  let newest: Job | null = null;
  for (const job of jobs) {
    const ours = job.kind === "enrich" || (job.kind === "build" && job.state === "done");
    if (ours && (!newest || job.created_ms >= newest.created_ms)) newest = job;
  }
  return newest?.kind === "enrich" ? newest : null;
}
