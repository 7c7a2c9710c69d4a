/** Colours of the stage in both themes, and the dark room of the point-light style. */
import { Color } from "three";
import type { Theme } from "../ui/theme";
import type { SharedUniforms } from "./uniforms";
import type { Rgb } from "./tube-list";

export interface Palette {
  back: string;
  floor: string;
  line: string;
  shadow: string;
  key: string;
  sky: string;
  ground: string;
  rim: string;
  /** The main character. */
  body: string;
  left: string;
  right: string;
  contact: string;
  text: string;
}

const LIGHT: Palette = {
  back: "#dfe4ea", floor: "#f1f3f5", line: "#8d98a6", shadow: "#8b95a4",
  key: "#a8a094", sky: "#a9b4c2", ground: "#6f6a66", rim: "#39424f",
  body: "#e6ded3", left: "#2f6fd0", right: "#d2691e", contact: "#12925a", text: "#39424e",
};

const DARK: Palette = {
  back: "#14171c", floor: "#262b33", line: "#6d7887", shadow: "#0b0d10",
  key: "#9a958c", sky: "#77839a", ground: "#39383c", rim: "#5b6c86",
  body: "#d8d2c8", left: "#78aaff", right: "#ffa763", contact: "#45d38c", text: "#b9c2ce",
};

/** Point lights are seen as in Johansson's films: white dots, nothing else. */
const DARKROOM: Palette = { ...DARK, back: "#050608", floor: "#0b0d10", line: "#2c323a", shadow: "#050608", contact: "#2f9e6a" };

export function paletteOf(theme: Theme, pointLights: boolean): Palette {
  return pointLights ? DARKROOM : theme === "dark" ? DARK : LIGHT;
}

export function applyPalette(palette: Palette, uniforms: SharedUniforms): void {
  uniforms.keyColour.value.set(palette.key);
  uniforms.skyColour.value.set(palette.sky);
  uniforms.groundColour.value.set(palette.ground);
  uniforms.rimColour.value.set(palette.rim);
  uniforms.floorColour.value.set(palette.floor);
  uniforms.backColour.value.set(palette.back);
  uniforms.shadowColour.value.set(palette.shadow);
  uniforms.lineColour.value.set(palette.line);
}

/** A CSS colour as linear numbers. */
export function rgb(colour: string): Rgb {
  const made = new Color(colour);
  return [made.r, made.g, made.b];
}

/** Colours for ghosts and people of a crowd, told apart in both themes. */
export const ACTOR_COLOURS = ["#4f86e0", "#e0793a", "#3aa876", "#b366cf", "#d9a521", "#d9576f", "#3fa7b8", "#8a9a3c"] as const;
