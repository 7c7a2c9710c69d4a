/** Numbers and sentences as people read them. */
import { pageWords } from "./page-words";

/** 75.25 → "1:15.25"; under an hour no hours are shown. */
export function clockTime(seconds: number, decimals = 2): string {
  const scale = 10 ** decimals;
  const total = Math.max(0, Math.round(seconds * scale)) / scale;
  const h = Math.floor(total / 3600);
  const m = Math.floor((total % 3600) / 60);
  const s = (total % 60).toFixed(decimals).padStart(decimals > 0 ? 3 + decimals : 2, "0");
  return h > 0 ? `${h}:${String(m).padStart(2, "0")}:${s}` : `${m}:${s}`;
}

/** 3.25 → "3.3 s", 95 → "1 min 35 s". */
export function duration(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const total = Math.round(seconds);
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor((total % 3600) / 60);
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${total % 60} s`;
}

/** What is wrong, and what to try: two sentences, wherever they are shown. */
export function sentences(message: string, hint: string | null | undefined): string {
  const first = pageWords(message);
  if (!hint) return first;
  const then = pageWords(hint);
  return `${/[.!?:]$/.test(first) ? first : `${first}.`} ${then.charAt(0).toUpperCase()}${then.slice(1)}`;
}

/** The end of a long name: clips of one folder begin alike. */
export function endOf(name: string, most: number): string {
  const letters = [...name];
  return letters.length <= most ? name : `…${letters.slice(1 - most).join("")}`;
}

export function bytes(count: number): string {
  if (count < 1024) return `${count} B`;
  if (count < 1024 ** 2) return `${(count / 1024).toFixed(0)} KB`;
  return `${(count / 1024 ** 2).toFixed(1)} MB`;
}

export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}
