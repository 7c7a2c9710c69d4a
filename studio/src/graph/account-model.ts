/** The account as bars and rows: seconds kept and lost, by label, by clip and by reason. */

import type { Account } from "../api/types";

export type LostRow = Account["lost"][number];
export type Reconnect = LostRow["reconnect"][number];

export interface Part {
  readonly name: string;
  readonly seconds: number;
  readonly share: number;
}

/** What was kept, then what was lost by reason, largest first: one bar that adds up to everything. */
export function lossParts(account: Account): Part[] {
  const total = Math.max(account.seconds, 1e-9);
  const byReason = new Map<string, number>();
  for (const row of account.lost) byReason.set(row.reason, (byReason.get(row.reason) ?? 0) + row.seconds);
  const lost = [...byReason].map(([name, seconds]) => ({ name, seconds, share: seconds / total }));
  lost.sort((a, b) => b.seconds - a.seconds);
  return [{ name: "kept", seconds: account.kept_seconds, share: account.kept_seconds / total }, ...lost];
}

export interface ClipLoss {
  readonly clip: string;
  readonly seconds: number;
  readonly rows: readonly LostRow[];
}

/** Lost rows by clip, the largest loss first. */
export function lossByClip(account: Account): ClipLoss[] {
  const clips = new Map<string, LostRow[]>();
  for (const row of account.lost) {
    const rows = clips.get(row.clip);
    if (rows) rows.push(row);
    else clips.set(row.clip, [row]);
  }
  const out = [...clips].map(([clip, rows]) => ({
    clip,
    rows: [...rows].sort((a, b) => b.seconds - a.seconds),
    seconds: rows.reduce((t, r) => t + r.seconds, 0),
  }));
  return out.sort((a, b) => b.seconds - a.seconds || a.clip.localeCompare(b.clip));
}

/** A place of a transition as the minima name it. */
export interface TransitionPlace {
  readonly a: string;
  readonly i: number;
  readonly b: string;
  readonly j: number;
}

/** The transition that a reconnect candidate would make: out of the lost clip, or into it. */
export function reconnectPlace(lostClip: string, row: Reconnect, workingRate: number): TransitionPlace {
  const i = Math.round(row.from_s * workingRate);
  const j = Math.round(row.to_s * workingRate);
  return row.direction === "in" ? { a: row.clip, i, b: lostClip, j } : { a: lostClip, i, b: row.clip, j };
}

/** What brings a row back, as a sentence; nothing where nothing that was tried does. */
export function remedyText(row: LostRow): string | null {
  const remedy = row.remedy;
  if (!remedy) return null;
  const back = (seconds: number): string =>
    seconds < 0.99 * row.seconds ? `back ${seconds.toFixed(1)} of its ${row.seconds.toFixed(1)} s` : "it back";
  switch (remedy.try) {
    case "at-least": {
      const costs = remedy.costs ?? [];
      const price = costs.length === 0 ? "" : `; it loses ${costs.map((c) => c.what).join(", ")}`;
      return `Tried: raising every threshold below ${remedy.cm.toFixed(1)} cm to it brings ${back(remedy.seconds)}${price}.`;
    }
    case "bridge":
      return `Tried: bridges of up to ${remedy.bridge_s.toFixed(0)} s bring ${back(remedy.seconds)}.`;
    case "ceiling":
      return `No threshold up to the ceiling of ${remedy.cm} cm brings it back; Rebuild… with a higher ceiling looks further.`;
    case "longer":
      return `A clip of more than ${remedy.than_s.toFixed(1)} s can be used.`;
    case "reach-ends":
      return "Transitions of the kind auto or cut reach the ends of clips.";
  }
}

/** The account in two sentences. */
export function summary(account: Account): string {
  const kept = account.kept_seconds / Math.max(account.seconds, 1e-9);
  const made = account.interpolated?.clips ?? 0;
  const beside = made > 0 ? ` (and ${made.toLocaleString("en")} interpolated)` : "";
  const clips = `${account.clips} ${account.clips === 1 ? "clip" : "clips"}${beside}`;
  const rows = account.transitions.toLocaleString("en");
  const lostClips = lossByClip(account).length;
  const rest =
    account.lost.length === 0
      ? "Nothing was lost."
      : `${(account.seconds - account.kept_seconds).toFixed(1)} s in ${lostClips} ${lostClips === 1 ? "clip" : "clips"} cannot be used.`;
  return `${percent(kept)} of the motion in ${clips} can be used: ${account.kept_seconds.toFixed(1)} of ${account.seconds.toFixed(1)} s, joined by ${rows} transitions. ${rest}`;
}

export function percent(share: number): string {
  if (share > 0.99 && share < 1) return "99 %";
  if (share > 0 && share < 0.01) return "under 1 %";
  return `${Math.round(share * 100)} %`;
}
