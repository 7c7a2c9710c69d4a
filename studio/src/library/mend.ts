/** What can be done about a finding, where it stands. */
import type { Clip, ClipWarning, ReadAs, Reading } from "../api/types";

export interface Mend {
  /** On the button. */
  label: string;
  /** Clips read anew with one click; null: the dialog with all options is opened at that field. */
  change: readonly ReadAs[] | null;
  field?: keyof Reading;
}

export const needsPerson = (clip: Clip): ClipWarning[] => clip.warnings.filter((w) => w.level === "warning");
export const notes = (clip: Clip): ClipWarning[] => clip.warnings.filter((w) => w.level === "note");

/** Nothing said: the file is read as it says itself. */
export const AS_FOUND: Reading = {
  source_fps: null,
  unit: null,
  up: null,
  keep_first_frame: false,
  keep_dropouts: false,
  keep_spikes: false,
  cut: null,
  skeleton: null,
  format: null,
};

function readings(clips: readonly Clip[], part: Partial<Reading>): ReadAs[] {
  return clips.flatMap((clip) => (clip.reading ? [{ clip: clip.id, reading: { ...clip.reading, ...part } }] : []));
}

/** Clips whose evidence was pooled: of one body and one rate, with the same verdict. */
export function sameVerdict(clip: Clip, warning: ClipWarning, all: readonly Clip[]): Clip[] {
  return all.filter(
    (other) =>
      other.body === clip.body &&
      other.rate_hz === clip.rate_hz &&
      other.warnings.some((w) => w.code === warning.code && w.value === warning.value),
  );
}

/** Clips of the same body with the same finding. */
function alike(clip: Clip, warning: ClipWarning, all: readonly Clip[]): Clip[] {
  return all.filter((other) => other.body === clip.body && other.warnings.some((w) => w.code === warning.code));
}

const allOf = (n: number) => (n > 1 ? `, all ${n}` : "");

function flags(clip: Clip, warning: ClipWarning, all: readonly Clip[], label: string, part: Partial<Reading>): Mend[] {
  const others = alike(clip, warning, all);
  const one: Mend = { label: others.length > 1 ? `${label}, this one` : label, change: readings([clip], part) };
  return others.length > 1
    ? [{ label: `${label}${allOf(others.length)}`, change: readings(others, part) }, one]
    : [one];
}

/** What to offer, the best first. A clip that comes with a graph cannot be read anew. */
export function mends(clip: Clip, warning: ClipWarning, all: readonly Clip[]): Mend[] {
  if (!clip.reading) return [];
  switch (warning.code) {
    case "rate-implausible": {
      const hz = warning.value;
      if (hz === null) return [{ label: "Set the rate…", change: null, field: "source_fps" }];
      const others = sameVerdict(clip, warning, all);
      const mend: Mend[] = [
        { label: `Play at ${hz} Hz${allOf(others.length)}`, change: readings(others, { source_fps: hz }) },
      ];
      if (others.length > 1)
        mend.push({ label: `Play at ${hz} Hz, this one`, change: readings([clip], { source_fps: hz }) });
      mend.push({ label: `Keep ${round(clip.rate_hz)} Hz`, change: readings(others, { source_fps: clip.rate_hz }) });
      return mend;
    }
    case "rate-overridden":
      return flags(clip, warning, all, "Back to the file's rate", { source_fps: null });
    case "unit-guessed":
    case "unit-implausible":
    case "unit-overridden":
      return [{ label: "Set the unit…", change: null, field: "unit" }];
    case "up-axis-turned":
      return [{ label: "Set the up axis…", change: null, field: "up" }];
    case "t-pose-dropped":
      return flags(clip, warning, all, "Keep the first frame", { keep_first_frame: true });
    case "t-pose-kept":
      return flags(clip, warning, all, "Drop the first frame", { keep_first_frame: false });
    case "root-dropout":
      return clip.reading.keep_dropouts
        ? flags(clip, warning, all, "Fill them", { keep_dropouts: false })
        : [{ label: "Cut a range…", change: null, field: "cut" }];
    case "spikes":
      return clip.reading.keep_spikes
        ? flags(clip, warning, all, "Mend them", { keep_spikes: false })
        : flags(clip, warning, all, "Keep them as they are", { keep_spikes: true });
    case "joint-flip":
    case "frozen-joints":
    case "partial-frame":
    case "frame-count":
      return [{ label: "Cut a range…", change: null, field: "cut" }];
    default:
      return [];
  }
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
