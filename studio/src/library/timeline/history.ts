/** Undo and redo over values that are never changed in place. */

const DEPTH = 200;
/** Edits with the same tag that follow each other this quickly are undone together: a held arrow key is one edit. */
const TOGETHER_MS = 700;

export interface History<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
  readonly tag: string | null;
  readonly at_ms: number;
}

export function startHistory<T>(present: T): History<T> {
  return { past: [], present, future: [], tag: null, at_ms: 0 };
}

export function commit<T>(history: History<T>, next: T, tag: string | null = null, now_ms = Date.now()): History<T> {
  if (next === history.present) return history;
  const together =
    tag !== null && tag === history.tag && now_ms - history.at_ms < TOGETHER_MS && history.past.length > 0;
  const past = together ? history.past : [...history.past, history.present].slice(-DEPTH);
  return { past, present: next, future: [], tag, at_ms: now_ms };
}

export function undo<T>(history: History<T>): History<T> {
  const before = history.past.at(-1);
  if (before === undefined) return history;
  return {
    past: history.past.slice(0, -1),
    present: before,
    future: [history.present, ...history.future],
    tag: null,
    at_ms: 0,
  };
}

export function redo<T>(history: History<T>): History<T> {
  const [next, ...later] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.present], present: next, future: later, tag: null, at_ms: 0 };
}
