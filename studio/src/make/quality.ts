/** Quality numbers in words: what each bar means and what helps when it is missed. */
import type { Bar } from "../api/types";
import { wishTitle, type TimeWish } from "./time-wishes";

interface Words {
  readonly title: string;
  readonly means: string;
  readonly helps: string;
}

const WORDS: readonly (readonly [RegExp, Words])[] = [
  [
    /glid/,
    {
      title: "Gliding feet",
      means: "how often a low foot goes over the floor near a transition without being lifted",
      helps: "Turn on clean feet, or allow only closer transitions.",
    },
  ],
  [
    /slides/,
    {
      title: "Slides",
      means:
        "how often a foot slips or is dragged over the floor near a transition; toes that pass low in a swing do not count",
      helps: "Turn on clean feet, or allow only closer transitions.",
    },
  ],
  [
    /slid|skate/,
    {
      title: "Sliding feet",
      means: "how fast planted feet slide",
      helps: "Turn on clean feet, or allow only closer transitions.",
    },
  ],
  [
    /plant/,
    { title: "Worst plant", means: "how far a planted foot strays from its spot", helps: "Turn on clean feet." },
  ],
  [/penetration|floor/, { title: "Floor", means: "how deep feet go into the floor", helps: "Turn on clean feet." }],
  [
    /stretch/,
    {
      title: "Leg stretch",
      means: "how much legs were stretched to reach their plants",
      helps: "Bend less, or choose closer transitions in the Graph view.",
    },
  ],
  [
    /facing/,
    {
      title: "Facing away",
      means: "how much of the time the body faces over 30° away from where it goes",
      helps: "Paint a style (walk) so that sideways and backward clips are left out.",
    },
  ],
  [
    /path|error/,
    {
      title: "Off the path",
      means: "how far from the path, on the whole",
      helps: "Bend more, smooth tight corners, or try another seed.",
    },
  ],
  [
    /jolt|pop|accel|smooth/,
    {
      title: "Jolts",
      means: "how hard the hardest movements are against those that were captured",
      helps: "Lower the thresholds in the Graph view so that only closer transitions are taken.",
    },
  ],
  [
    /transition/,
    {
      title: "Transitions",
      means: "how often the motion switches clips",
      helps: "Longer takes and a wider graph need fewer switches.",
    },
  ],
];

export interface BarWords extends Words {
  /** The whole sentence, for screen readers and tooltips. */
  readonly sentence: string;
}

export function barWords(bar: Bar): BarWords {
  const found = WORDS.find(([pattern]) => pattern.test(bar.name))?.[1];
  const words = found ?? { title: bar.name.replaceAll("_", " "), means: "", helps: "" };
  const verdict = bar.pass ? "good" : "too much";
  const sentence = `${words.title}: ${figure(bar.value)} ${bar.unit}, the bar is ${figure(bar.bar)} ${bar.unit}: ${verdict}.`;
  return { ...words, sentence };
}

/** Three figures that matter, no exponent. */
export function figure(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 100) return value.toFixed(0);
  if (size >= 10) return value.toFixed(1);
  if (size >= 0.1 || size === 0) return value.toFixed(2);
  return value.toFixed(3);
}

/** One line over the numbers; wishes in time have bars too. */
export function verdict(bars: readonly Bar[], times: readonly TimeWish[] = []): { pass: boolean; text: string } {
  const all = bars.length + times.length;
  const names = [
    ...times.filter((t) => !t.kept).map((t) => wishTitle(t).toLowerCase()),
    ...bars.filter((b) => !b.pass).map((b) => barWords(b).title.toLowerCase()),
  ];
  if (all === 0) return { pass: true, text: "No quality numbers for this motion." };
  if (names.length === 0) return { pass: true, text: `All ${all} quality bars held.` };
  return { pass: false, text: `${names.length} of ${all} bars missed: ${names.join(times.length > 0 ? "; " : ", ")}.` };
}
