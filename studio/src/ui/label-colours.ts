/**
 * A colour per label, one and the same wherever the label is seen: chips, timelines, the plan, the map, bars.
 *
 * A label keeps its colour while others come and go, and over a reload: who has which place on the ring of hues is
 * written down by project. Lightness is fixed per theme, so that text on a chip stays readable.
 */
const HUES = [212, 28, 152, 330, 48, 265, 178, 8, 96, 300, 232, 128] as const;
/** Past the ring hues go on by the golden angle: as far from one another as so many can be. */
const GOLDEN_DEG = 137.508;
/** More are not remembered. */
const MOST = 400;

/** The part of `Storage` that is needed; private windows may refuse it. */
interface Shelf {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

/** Labels by their places; a place whose label is gone is free. */
let places: string[] = [];
let keptAs = "";

/** Tells which labels the project has. Known ones stay where they are, new ones take the first free places. */
export function knowLabels(project: string, labels: readonly string[], shelf: Shelf | null = storage()): void {
  const key = `gaitway.label-colours.${project}`;
  if (key !== keptAs) places = read(shelf, key);
  keptAs = key;
  const gone = (place: number) => !labels.includes(places[place] ?? "");
  for (const label of labels) {
    if (places.includes(label)) continue;
    const free = places.findIndex((_, place) => gone(place));
    places[free < 0 ? places.length : free] = label;
  }
  try {
    shelf?.setItem(key, JSON.stringify(places.slice(0, MOST)));
  } catch {
    // Full or forbidden: colours then hold until the page is loaded again.
  }
}

/** The hue of a label in degrees. One that the project does not have yet gets a place of its own. */
export function labelHue(label: string): number {
  let place = places.indexOf(label);
  if (place < 0) place = places.push(label) - 1;
  return HUES[place] ?? Math.round(HUES[0] + place * GOLDEN_DEG) % 360;
}

/** Custom properties for `.label-colour` elements; the lightness comes from the theme's CSS. */
export function labelStyle(label: string): Record<string, string> {
  return { "--hue": String(labelHue(label)) };
}

/** As a CSS colour for canvases, where custom properties do not reach. */
export function labelColour(label: string, dark: boolean): string {
  return `hsl(${labelHue(label)} ${dark ? "60% 62%" : "62% 42%"})`;
}

function read(shelf: Shelf | null, key: string): string[] {
  try {
    const kept: unknown = JSON.parse(shelf?.getItem(key) ?? "[]");
    return Array.isArray(kept) ? kept.filter((label): label is string => typeof label === "string") : [];
  } catch {
    return [];
  }
}

function storage(): Shelf | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
