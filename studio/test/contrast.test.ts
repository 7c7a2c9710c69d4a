/** Readable in both themes: every pair of text and ground that is used has the contrast that WCAG AA asks for. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { knowLabels, labelHue } from "../src/ui/label-colours";

const css = readFileSync(new URL("../src/ui/tokens.css", import.meta.url), "utf8");
type Rgb = [number, number, number];

function token(name: string, theme: 0 | 1): Rgb {
  const found = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(css);
  if (!found) throw new Error(`no token --${name}`);
  const hex = found[1 + theme]!;
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255) as Rgb;
}

function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)) as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: Rgb, b: Rgb): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function hsl(hue: number, saturation: number, lightness: number): Rgb {
  const part = (n: number) => {
    const k = (n + hue / 30) % 12;
    return lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  };
  return [part(0), part(8), part(4)];
}

const TEXT: [text: string, ground: string][] = [
  ...["bg", "panel", "panel-2", "hover", "accent-soft", "good-soft", "bad-soft", "warn-soft"].map(
    (ground): [string, string] => ["text", ground],
  ),
  ...["bg", "panel", "panel-2", "hover", "accent-soft", "bad-soft"].map((ground): [string, string] => [
    "muted",
    ground,
  ]),
  ["accent", "panel"],
  ["accent", "panel-2"],
  ["accent", "accent-soft"],
  ["on-accent", "accent"],
  ["good", "panel"],
  ["good", "good-soft"],
  ["bad", "panel"],
  ["bad", "panel-2"],
  ["bad", "bad-soft"],
  ["warn", "panel"],
  ["warn", "warn-soft"],
  ["panel", "text"],
  ["interpolated", "panel"],
];
/** Edges of controls and focus rings need 3:1 against what is around them. */
const EDGES: [edge: string, ground: string][] = [
  ["line-strong", "panel"],
  ["line-strong", "panel-2"],
  ["focus", "panel"],
  ["focus", "bg"],
  ["focus", "panel-2"],
  ["focus", "accent-soft"],
];

describe.each([
  { theme: 0, name: "light" },
  { theme: 1, name: "dark" },
] as const)("the $name theme", ({ theme }) => {
  it.each(TEXT)("%s on %s reaches 4.5", (text, ground) => {
    expect(contrast(token(text, theme), token(ground, theme))).toBeGreaterThanOrEqual(4.5);
  });
  it.each(EDGES)("%s on %s reaches 3", (edge, ground) => {
    expect(contrast(token(edge, theme), token(ground, theme))).toBeGreaterThanOrEqual(3);
  });
  it("labels of every hue are readable", () => {
    const block = css.match(/--label-fill: \d+%; --label-edge: \d+%; --label-text: \d+%/g)![theme]!;
    const [fill, , text] = block.match(/\d+(?=%)/g)!.map((v) => Number(v) / 100) as [number, number, number];
    const names = Array.from({ length: 40 }, (_, k) => `label ${k}`);
    knowLabels(names);
    for (const name of names) {
      const hue = labelHue(name);
      expect(contrast(hsl(hue, 0.6, text), hsl(hue, 0.55, fill)), `hue ${hue}`).toBeGreaterThanOrEqual(4.5);
    }
  });
});
