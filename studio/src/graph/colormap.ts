/**
 * Colours for distances: dark blue through green to pale yellow in OKLCH, with lightness that falls evenly from near to
 * far, so equal steps in centimetres look like equal steps, in grey and to colour-blind eyes too. Near is light: what
 * one looks for stands out.
 */

export type Rgb = readonly [number, number, number];

/** OKLab to sRGB bytes (Ottosson 2020). */
function oklchToRgb(lightness: number, chroma: number, hue: number): Rgb {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const gamma = (v: number) => {
    const u = v <= 0.0031308 ? 12.92 * v : 1.055 * Math.max(v, 0) ** (1 / 2.4) - 0.055;
    return Math.round(255 * Math.max(0, Math.min(1, u)));
  };
  return [
    gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

const STEPS = 256;

/** RGB triples, near to far. */
export const HEAT: Uint8Array = (() => {
  const out = new Uint8Array(STEPS * 3);
  for (let k = 0; k < STEPS; k++) {
    const t = k / (STEPS - 1);
    const lightness = 0.94 - 0.74 * t;
    const chroma = 0.09 + 0.06 * Math.sin(Math.PI * Math.min(1, t * 1.05));
    const hue = ((105 + 175 * t) * Math.PI) / 180;
    out.set(oklchToRgb(lightness, chroma, hue), k * 3);
  }
  return out;
})();

export function heatColour(cm: number, farCm: number): Rgb {
  const k = heatIndex(cm, farCm) * 3;
  return [HEAT[k] ?? 0, HEAT[k + 1] ?? 0, HEAT[k + 2] ?? 0];
}

export function heatIndex(cm: number, farCm: number): number {
  const t = farCm > 0 ? cm / farCm : 0;
  return Math.round(Math.max(0, Math.min(1, t)) * (STEPS - 1));
}

/** Colours of labels, lanes and components: hues a golden angle apart, equally light, readable on the theme's ground. */
export function categoryColour(index: number, dark: boolean): string {
  const hue = ((index * 137.508 + 250) % 360) * (Math.PI / 180);
  const [r, g, b] = oklchToRgb(dark ? 0.76 : 0.52, 0.12, hue);
  return `rgb(${r}, ${g}, ${b})`;
}
