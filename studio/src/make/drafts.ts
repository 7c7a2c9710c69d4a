/** Drafts in the list of results. */
import type { ResultSummary } from "../api/types";

/** Of what one tab drew only the newest draft is listed; the one before it is kept while it may still be playing. Newest first. */
export function newestDrafts(rows: readonly ResultSummary[]): ResultSummary[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    if (row.draft === null) return true;
    const known = seen.has(row.draft);
    seen.add(row.draft);
    return !known;
  });
}
