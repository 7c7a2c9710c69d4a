/** Files to drop, written by the program itself: what it writes, others write too. */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gaitway, scratch } from "./server";

export interface Files {
  readonly folder: string;
  readonly bvh: string;
  readonly amc: readonly [asf: string, amc: string];
  readonly glb: string;
  /** A BVH whose 60th frame has a word among its numbers. */
  readonly broken: string;
  readonly brokenLine: number;
}

/** One short clip in every format that is dropped. */
export async function makeFiles(): Promise<Files> {
  const folder = scratch("clips");
  const demo = join(folder, "demo");
  await gaitway(["--quiet", "demo", "--out", demo]);
  const source = readdirSync(join(demo, "clips")).filter((name) => name.endsWith(".bvh")).sort()[0];
  if (!source) throw new Error("the demo wrote no BVH");
  const bvh = join(folder, "dropped.bvh");
  writeFileSync(bvh, readFileSync(join(demo, "clips", source)));
  const glb = join(folder, "as-glb.glb");
  await gaitway(["convert", bvh, glb]);
  mkdirSync(join(folder, "amc"));
  await gaitway(["convert", bvh, join(folder, "amc", "as-amc.amc")]);
  const asf = readdirSync(join(folder, "amc")).find((name) => name.endsWith(".asf"));
  if (!asf) throw new Error("no ASF was written beside the AMC");
  const lines = readFileSync(bvh, "utf8").split("\n");
  const brokenLine = lines.findIndex((line) => line.startsWith("Frame Time")) + 60;
  lines[brokenLine] = (lines[brokenLine] ?? "").replace(/^\S+/, "sideways");
  const broken = join(folder, "broken.bvh");
  writeFileSync(broken, lines.join("\n"));
  return { folder, bvh, glb, amc: [join(folder, "amc", asf), join(folder, "amc", "as-amc.amc")], broken, brokenLine: brokenLine + 1 };
}
