/** A transition in words: is it in the graph, how near is it to the threshold, what meets what. */
import type { MinimumState, TransitionInfo } from "../api/types";

export const STATE_WORDS: Readonly<Record<MinimumState, { title: string; text: string }>> = {
  in: { title: "In the graph", text: "The motion may switch here." },
  out: { title: "Left out", text: "Too far apart for the threshold of these labels." },
  pruned: { title: "Pruned", text: "Near enough, but it leads into or out of motion that was left out, or nearly repeats another." },
};

/** The distance against its threshold in one sentence. */
export function marginText(info: Pick<TransitionInfo, "distance_cm" | "threshold_cm">): string {
  const gap = info.threshold_cm - info.distance_cm;
  const size = `${Math.abs(gap).toFixed(1)} cm`;
  const base = `${info.distance_cm.toFixed(1)} cm apart, the threshold is ${info.threshold_cm.toFixed(1)} cm`;
  return gap >= 0 ? `${base}: ${size} to spare.` : `${base}: ${size} too far.`;
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
