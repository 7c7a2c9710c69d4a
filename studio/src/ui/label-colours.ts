/**
 * A colour per label, the same in every view. Hues are taken from a fixed ring in the order in which the project
 * lists its labels; lightness is fixed per theme, so that text on a chip stays readable.
 */
const HUES = [212, 28, 152, 330, 48, 265, 178, 8, 96, 300, 232, 128] as const;

/** Position of a label that the project does not list yet: from its letters, so that it does not jump about. */
function hashOf(label: string): number {
  let hash = 7;
  for (const letter of label) hash = (hash * 31 + letter.codePointAt(0)!) >>> 0;
  return hash;
}

export function labelHue(label: string, labels: readonly string[]): number {
  const index = labels.indexOf(label);
  return HUES[(index >= 0 ? index : hashOf(label)) % HUES.length]!;
}

/** Custom properties for `.label-colour` elements; the lightness comes from the theme's CSS. */
export function labelStyle(label: string, labels: readonly string[]): Record<string, string> {
  return { "--hue": String(labelHue(label, labels)) };
}

/** As a CSS colour for canvases, where custom properties do not reach. */
export function labelColour(label: string, labels: readonly string[], dark: boolean): string {
  return `hsl(${labelHue(label, labels)} ${dark ? "60% 62%" : "62% 42%"})`;
}
