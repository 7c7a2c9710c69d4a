/** Before all tests: the demo's clips, written once. */
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { gaitway, remove, scratch } from "./server";

declare module "vitest" {
  interface ProvidedContext {
    /** A folder of BVH files. */
    clips: string;
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  const folder = scratch("demo");
  await gaitway(["--quiet", "demo", "--out", folder]);
  project.provide("clips", join(folder, "clips"));
  return () => remove(folder);
}
