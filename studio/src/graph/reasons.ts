/** Why clip frames are not in the graph, in plain words, and what helps. */

export interface ReasonText {
  readonly title: string;
  readonly explanation: string;
  readonly remedy: string;
}

const REASONS: Readonly<Record<string, ReasonText>> = {
  short: {
    title: "Too short",
    explanation: "The clip is too short for any transition to leave or enter it.",
    remedy: "Use a longer take. In a graph of blends only, cuts at the ends of clips or a shorter window help too.",
  },
  "no-candidate": {
    title: "Nothing like it",
    explanation: "No moment of this clip looks enough like any moment of another to switch between them.",
    remedy: "Raise the threshold for its label, or add clips that lead into and out of it.",
  },
  border: {
    title: "Clip ends",
    explanation:
      "The first and last moments of a take: a blend needs half a window of motion on both sides, and this graph has only blends.",
    remedy:
      "Build with cuts at the ends of clips (Transitions in the build options), or record a second more before and after the action.",
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
