/** Files of every kind dropped at once: what is good is taken, what belongs together goes together, what is bad is told in one place. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import type { Clip } from "../src/api/types";
import { dropFiles, until } from "./harness/acts";
import { useStudio } from "./harness/fixture";

const studio = useStudio();
const data = process.env["GAITWAY_DATA"];
const clips = () => studio.server.get<Clip[]>("/api/clips");

async function fresh(name: string) {
  await studio.server.post("/api/projects", { name });
  const tab = await studio.open();
  await tab.page.getByRole("heading", { name: "Start with some motion" }).waitFor();
  return tab;
}

test("many bad files among good ones stand in one card, and the good ones are taken", async () => {
  const { page } = await fresh("Bad among good");
  const folder = inject("clips");
  const good = readdirSync(folder).filter((name) => /^walk_.*\.bvh$/.test(name));
  const bad = Array.from({ length: 7 }, (_, k) => join(studio.folder, `broken_${k}.bvh`));
  for (const path of bad) writeFileSync(path, "HIERARCHY\nROOT Hips\n{\n  OFFSET 0 zero 0\n}\n");
  await dropFiles(page, [...good.map((name) => join(folder, name)), ...bad]);
  const card = page.locator(".upload[role=alert]");
  await card.getByText("7 files were not added").waitFor();
  expect(await card.count(), "one card").toBe(1);
  expect(await card.locator("li:visible").count(), "three are shown").toBe(3);
  await card.getByText("and 4 more").click();
  expect(await card.locator("li:visible").count()).toBe(7);
  expect(await card.locator("li").first().textContent()).toMatch(/broken_\d\.bvh:4/);
  await until(clips, (list) => list.length === good.length, "the good ones");
});

test("a glTF comes with its BIN, whichever is dropped first", async () => {
  const folder = data ? join(data, "gltf", "RiggedFigure-separate") : "";
  if (!folder || !existsSync(folder)) return;
  const files = readdirSync(folder).map((name) => join(folder, name));
  const pair = files.filter((path) => /\.(gltf|bin)$/.test(path)).sort();
  expect(pair.length).toBe(2);
  const { page } = await fresh("glTF");
  await dropFiles(page, [...pair].reverse());
  await until(clips, (list) => list.length === 1, "one clip");
  await page.locator(".clip-card").waitFor();
  expect(await page.locator(".upload[role=alert]").count()).toBe(0);
});
