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
  cloth: string;
  legs: string;
  shoes: string;
  left: string;
  right: string;
  contact: string;
  text: string;
}

const LIGHT: Palette = {
  back: "#dfe4ea",
  floor: "#f1f3f5",
  line: "#8d98a6",
  shadow: "#6d7889",
  key: "#d8cfc2",
  sky: "#9aa6b8",
  ground: "#5d5a60",
  rim: "#2c3542",
  body: "#e3c9b1",
  cloth: "#4a78b8",
  legs: "#4b566b",
  shoes: "#33373f",
  left: "#2f6fd0",
  right: "#d2691e",
  contact: "#12925a",
  text: "#39424e",
};

const DARK: Palette = {
  back: "#14171c",
  floor: "#262b33",
  line: "#6d7887",
  shadow: "#07080a",
  key: "#cfc6b8",
  sky: "#717f99",
  ground: "#2f3036",
  rim: "#5b6c86",
  body: "#dcc2ab",
  cloth: "#4c7cc2",
  legs: "#55617a",
  shoes: "#343840",
  left: "#78aaff",
  right: "#ffa763",
  contact: "#45d38c",
  text: "#b9c2ce",
};

/** Point lights are seen as in Johansson's films: white dots, nothing else. */
const DARKROOM: Palette = {
  ...DARK,
  back: "#050608",
  floor: "#0b0d10",
  line: "#2c323a",
  shadow: "#050608",
  contact: "#2f9e6a",
};

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
export const ACTOR_COLOURS = [
  "#4f86e0",
  "#e0793a",
  "#3aa876",
  "#b366cf",
  "#d9a521",
  "#d9576f",
  "#3fa7b8",
  "#8a9a3c",
] as const;
