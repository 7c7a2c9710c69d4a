/** Why clip frames are not in the graph, in plain words, and what helps. */

export interface ReasonText {
  readonly title: string;
  readonly explanation: string;
  readonly remedy: string;
}

const REASONS: Readonly<Record<string, ReasonText>> = {
  short: {
    title: "Too short",
    explanation: "The clip is shorter than the window a transition needs, so nothing can leave or enter it.",
    remedy: "Build with a shorter window, or use a longer take.",
  },
  "no-candidate": {
    title: "Nothing like it",
    explanation: "No moment of this clip looks enough like any moment of another to switch between them.",
    remedy: "Raise the threshold for its label, or add clips that lead into and out of it.",
  },
  border: {
    title: "Clip ends",
    explanation: "The first and last moments of a take: a transition needs half a window of motion on both sides.",
    remedy: "Normal. Record a second more before and after the action to keep all of it.",
  },
  "no-entry": {
    title: "No way in",
    explanation: "These frames lead to the rest, but no transition leads to them.",
    remedy: "A higher threshold, or one of the candidates below, gives a way in.",
  },
  "dead-end": {
    title: "Dead end",
    explanation: "The motion can get here but has nowhere to go on: it would have to stop.",
    remedy: "A higher threshold, or one of the candidates below, gives a way out.",
  },
  sink: {
    title: "No way back",
    explanation: "It can be entered and goes round in a loop, but never leads back to the rest.",
    remedy: "One of the candidates below leads back.",
  },
  island: {
    title: "Cut off",
    explanation: "It loops by itself, but has no way to or from the motion that was kept.",
    remedy: "One of the candidates below builds a bridge, or raise the threshold for this pair of labels.",
  },
  far: {
    title: "Bridge too long",
    explanation: "It lies only on ways between kept parts that are longer than the limit.",
    remedy: "Build with a longer bridge, or raise the threshold for a shorter way.",
  },
};

/** The words for a reason; one the page does not know is shown as it came. */
export function reasonText(reason: string): ReasonText {
  return REASONS[reason] ?? { title: reason, explanation: "Left out of the graph.", remedy: "" };
}
