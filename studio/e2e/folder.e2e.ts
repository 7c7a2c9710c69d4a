/** A folder that is not the demo: nothing there at first, then clips are dropped, a graph is built, and a motion is made. */
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "../src/api/types";
import { BEND, dropFiles, quiet, stroke, until } from "./harness/acts";
import { makeFiles, type Files } from "./harness/clips";
import { useStudio } from "./harness/fixture";
import { remove } from "./harness/server";

let files: Files;
beforeAll(async () => {
  files = await makeFiles();
});
afterAll(() => files && remove(files.folder));
const studio = useStudio({ inputs: () => [join(files.folder, "dropped.bvh")] });

test("from one clip to a graph of many, built by the server itself and then again", async () => {
  const { page } = await studio.open();
  await page.locator(".clip-card", { hasText: "dropped" }).waitFor();
  await quiet(studio.server);
  const clips = readdirSync(inject("clips")).filter((name) => /^walk_(left|right|fast|normal_02)/.test(name));
  await dropFiles(
    page,
    clips.map((name) => join(inject("clips"), name)),
  );
  await until(
    () => page.locator(".clip-card").count(),
    (n) => n >= clips.length,
    "the clips are there",
  );
  await page.getByRole("button", { name: /uild graph…/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Build", exact: true }).click();
  await page.getByText("The graph is built").waitFor({ timeout: 400_000 });
  const { graph } = await studio.server.get<Project>("/api/project");
  expect(graph!.clips).toBeGreaterThanOrEqual(clips.length);
  expect(graph!.transitions).toBeGreaterThan(0);
  await page.getByRole("link", { name: "Make" }).click();
  const plan = page.getByRole("application", { name: /^Floor plan/ });
  await plan.waitFor();
  await page.getByRole("button", { name: /^Draw freehand \(/ }).click();
  await stroke(page, plan, BEND);
  await page.getByRole("button", { name: "Synthesize" }).click();
  await page.getByRole("heading", { name: "Take home" }).waitFor({ timeout: 60_000 });
});
