/** Files to drop, written by the program itself where it can: what it writes, others write too. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { amcText, asfText } from "./asf";
import { gaitway, scratch } from "./server";

export interface Files {
  readonly folder: string;
  readonly bvh: string;
  readonly glb: string;
  readonly amc: readonly [asf: string, amc: string];
  /** A BVH with a word among the numbers of its 60th frame. */
  readonly broken: string;
  readonly brokenLine: number;
}

export const AMC_FRAMES = 240;

/** A short clip in every format that is dropped. */
export async function makeFiles(): Promise<Files> {
  const folder = scratch("clips");
  const at = (name: string) => join(folder, name);
  writeFileSync(at("dropped.bvh"), readFileSync(join(inject("clips"), "walk_normal_01.bvh")));
  await gaitway(["--quiet", "convert", at("dropped.bvh"), at("as-glb.glb")]);
  writeFileSync(at("swing.asf"), asfText());
  writeFileSync(at("swing_01.amc"), amcText(AMC_FRAMES));
  const lines = readFileSync(at("dropped.bvh"), "utf8").split("\n");
  const index = lines.findIndex((line) => line.startsWith("Frame Time")) + 60;
  lines[index] = (lines[index] ?? "").replace(/^\S+/, "sideways");
  writeFileSync(at("broken.bvh"), lines.join("\n"));
  return {
    folder,
    bvh: at("dropped.bvh"),
    glb: at("as-glb.glb"),
    amc: [at("swing.asf"), at("swing_01.amc")],
    broken: at("broken.bvh"),
    brokenLine: index + 1,
  };
}
