/** Before all tests: the demo's clips, and its project, made once. */
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { StudioServer, gaitway, remove, scratch } from "./server";

declare module "vitest" {
  interface ProvidedContext {
    /** A folder of BVH files. */
    clips: string;
    /** The demo's project as a studio begins it: each file of tests has a copy, and need not build the graph again. */
    demo: string;
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  const folder = scratch("demo");
  const begun = join(folder, "project");
  const start = async () => {
    const server = await StudioServer.start({ project: begun });
    await server.stop();
  };
  await Promise.all([gaitway(["--quiet", "demo", "--out", folder]), start()]);
  project.provide("clips", join(folder, "clips"));
  project.provide("demo", begun);
  return () => remove(folder);
}
