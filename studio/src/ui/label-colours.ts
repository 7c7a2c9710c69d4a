/**
 * A colour per label, one and the same wherever the label is seen: chips, timelines, the plan, the map, bars.
 *
 * The project has a place for each label on the ring of hues, which stays while others come and go: so every browser shows the same
 * colour, today and tomorrow. Lightness is fixed per theme, so that text on a chip stays readable.
 */
const HUES = [212, 28, 152, 330, 48, 265, 178, 8, 96, 300, 232, 128] as const;
/** Past the ring hues go on by the golden angle: as far from one another as so many can be. */
const GOLDEN_DEG = 137.508;

/** Labels by their places, as the project has them. */
let places: readonly string[] = [];
/** Labels that the project does not have yet, in the order they were seen: a name that is being typed, say. */
let fresh: string[] = [];

/** Tells which place each label of the project has. */
export function knowLabels(by_place: readonly string[]): void {
  places = by_place;
  fresh = [];
}

/** The hue of a label in degrees. */
export function labelHue(label: string): number {
  let place = places.indexOf(label);
  if (place < 0) {
    if (!fresh.includes(label)) fresh.push(label);
    place = places.length + fresh.indexOf(label);
  }
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
