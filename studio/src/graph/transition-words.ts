/** A transition in words: is it in the graph, how near is it to the threshold, what meets what. */
import type { MinimumState, TransitionInfo, TransitionKind, TransitionMark } from "../api/types";

export const STATE_WORDS: Readonly<Record<MinimumState, { title: string; text: string }>> = {
  in: { title: "In the graph", text: "The motion may switch here." },
  out: { title: "Left out", text: "Too far apart for the threshold of these labels." },
  pruned: {
    title: "Pruned",
    text: "Near enough, but it leads into or out of motion that was left out, or nearly repeats another.",
  },
};

/** What rounds to nothing in tenths of a centimetre, yet is something. */
const TINY_CM = 0.05;

/** A distance in words: a length that rounds to nothing is not called nothing. */
export function lengthText(cm: number): string {
  if (cm === 0) return "0 cm";
  return cm < TINY_CM ? "under 0.1 cm" : `${cm.toFixed(1)} cm`;
}

/** The distance against its threshold in one sentence; differences that no number of ours can show get words. */
export function marginText(info: Pick<TransitionInfo, "distance_cm" | "threshold_cm">): string {
  const gap = info.threshold_cm - info.distance_cm;
  const base = `${lengthText(info.distance_cm)} apart, the threshold is ${lengthText(info.threshold_cm)}`;
  if (gap === 0) return `${base}: it just meets it.`;
  if (Math.abs(gap) < TINY_CM) return gap > 0 ? `${base}: within it by a hair.` : `${base}: too far by a hair.`;
  return `${base}: ${lengthText(Math.abs(gap))} ${gap > 0 ? "to spare" : "too far"}.`;
}

/** Why the threshold of a cut near an end is lower than that of its labels; nothing where it is not. */
export function stricterText(
  info: Pick<TransitionInfo, "threshold_cm" | "label_threshold_cm" | "compared_frames" | "window_frames">,
): string {
  const { compared_frames: seen, window_frames: whole } = info;
  if (seen >= whole) return "";
  return (
    `So near an end, ${seen} of ${whole} frames could be compared, and fewer frames prove less: ` +
    `the ${lengthText(info.label_threshold_cm)} of these labels count as ${lengthText(info.threshold_cm)} (× √(${seen}/${whole})).`
  );
}

/** What plays, from when to when. */
export function courseText(
  info: Pick<TransitionInfo, "kind" | "seconds" | "leaves_s" | "to_s" | "arrives_s">,
  [from, to]: readonly [string, string],
): string {
  const s = (v: number) => `${v.toFixed(2)} s`;
  if (info.kind === "blend")
    return `A blend of ${s(info.seconds)}: it begins in ${from} at ${s(info.leaves_s)} and is over in ${to} at ${s(info.arrives_s)}; the times above are its middle.`;
  return `A cut: ${from} is left at ${s(info.leaves_s)} and ${to} plays from ${s(info.to_s)} on. The jump fades over ${s(info.seconds)}, until ${s(info.arrives_s)}.`;
}

/** A kind with its length in a few words. */
export function kindText(kind: TransitionKind, seconds: number): string {
  return kind === "cut" ? `cut, fades over ${seconds.toFixed(2)} s` : `blend of ${seconds.toFixed(2)} s`;
}

/** From when to when a transition lasts. */
export function spanOf(mark: Pick<TransitionMark, "kind" | "t" | "seconds" | "start_s" | "end_s">): {
  start: number;
  end: number;
} {
  const start = mark.start_s ?? (mark.kind === "cut" ? mark.t : Math.max(0, mark.t - mark.seconds / 2));
  return { start, end: mark.end_s ?? start + mark.seconds };
}

/** Labels on both sides. */
export function labelsText(from: readonly string[], to: readonly string[]): string {
  const words = (list: readonly string[]) => (list.length > 0 ? list.join(" and ") : "no label");
  return from.join() === to.join() ? `Both ${words(from)}.` : `From ${words(from)} to ${words(to)}.`;
}

/** Feet on the ground on both sides. */
export function contactsText(contacts: { from: readonly string[]; to: readonly string[] }): string {
  const words = (list: readonly string[]) =>
    list.length > 0 ? list.map((c) => c.replaceAll("_", " ")).join(", ") : "no foot";
  const same = [...contacts.from].sort().join() === [...contacts.to].sort().join();
  if (same) return `On the ground on both sides: ${words(contacts.from)}.`;
  return `On the ground: ${words(contacts.from)} before, ${words(contacts.to)} after.`;
}
