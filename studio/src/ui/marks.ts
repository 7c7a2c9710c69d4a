/** Whether a label says of whom a frame is (`person=16`) rather than what is done in it: it names no action, and thresholds do not go by it. */
export function isMark(label: string): boolean {
  return label.includes("=");
}

/** Labels that name what is done. */
export function actionsOf(labels: readonly string[] | null | undefined): string[] {
  return (labels ?? []).filter((label) => !isMark(label));
}
