/** The library: clips come in, play, and say what is wrong with them where it is wrong. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Clip } from "../src/api/types";
import { changes, downloadFrom, dropFiles, until } from "./harness/acts";
import { AMC_FRAMES, makeFiles, type Files } from "./harness/clips";
import { useStudio } from "./harness/fixture";
import { colours, difference, pixelsOf } from "./harness/png";
import { remove } from "./harness/server";

const studio = useStudio();
let files: Files;

beforeAll(async () => {
  files = await makeFiles();
});
afterAll(() => files && remove(files.folder));

test("the first minute is not empty: the demo's clips, one of them on stage", async () => {
  const { page } = await studio.open();
  await page.locator(".clip-card").first().waitFor();
  const clips = await studio.server.get<Clip[]>("/api/clips");
  expect(clips.length).toBeGreaterThan(5);
  expect(await page.locator(".clip-card").count()).toBe(clips.length);
  await page.locator(".editors [role=tablist]").waitFor();
  const picture = await pixelsOf(page.locator(".library canvas").first());
  expect(colours(picture), "colours on the stage").toBeGreaterThan(40);
});

test("a clip plays: the picture changes, the time runs, frames step", async () => {
  const { page } = await studio.open();
  await page.locator(".editors [role=tablist]").waitFor();
  const stage = page.locator(".clip-view .stage");
  const before = await pixelsOf(stage);
  await page.getByRole("button", { name: "Play (Space)" }).click();
  await until(
    () => page.locator(".transport .time").textContent(),
    (text) => /0:0[1-9]/.test(text ?? ""),
    "the time runs",
  );
  await page.getByRole("button", { name: "Pause (Space)" }).click();
  const after = await pixelsOf(stage);
  expect(difference(before, after), "share of pixels that moved").toBeGreaterThan(0.002);
  const frame = async () => Number(/· (\d+)/.exec((await page.locator(".transport .time").textContent()) ?? "")?.[1]);
  const at = await frame();
  await page.getByRole("button", { name: "One frame on (→)" }).click();
  expect(await frame()).toBe(at + 1);
  for (const [key, name] of [
    ["2", "stick"],
    ["3", "points"],
  ] as const) {
    await stage.focus();
    const last = await pixelsOf(stage);
    await page.keyboard.press(key);
    await changes(() => pixelsOf(stage), last, 0.0005, `drawn as ${name}`);
  }
});

test("files dropped on the page become clips: BVH, GLB, AMC with its ASF", async () => {
  // The demo keeps to itself: a copy of it takes clips.
  await studio.server.post("/api/projects/save-as", { name: "Grown" });
  const { page } = await studio.open();
  await page.locator(".clip-card").first().waitFor();
  const before = new Set((await studio.server.get<Clip[]>("/api/clips")).map((clip) => clip.id));
  await dropFiles(page, [files.bvh, files.glb, ...files.amc]);
  const clips = await until(
    () => studio.server.get<Clip[]>("/api/clips"),
    (list) => list.length === before.size + 3,
    "three more clips",
  );
  const added = clips.filter((clip) => !before.has(clip.id));
  expect(added.map((clip) => clip.format.toLowerCase()).sort()).toEqual(["amc", "bvh", "glb"]);
  const [amc, bvh, glb] = ["amc", "bvh", "glb"].map((format) =>
    added.find((clip) => clip.format.toLowerCase() === format)!,
  );
  expect(glb!.frames).toBe(bvh!.frames);
  expect(amc!.frames).toBe(AMC_FRAMES);
  await page.locator(".clip-card", { hasText: "dropped" }).waitFor();
  await page.locator(".clip-card", { hasText: "dropped" }).click();
  await page.getByRole("heading", { name: "dropped" }).waitFor();
  await page.locator(".bar.warn", { hasText: "changed since the graph was built" }).waitFor();
  // And out again.
  await page.getByRole("button", { name: "Remove dropped from the library" }).click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await until(
    () => studio.server.get<Clip[]>("/api/clips"),
    (list) => list.every((clip) => clip.name !== "dropped"),
    "the clip is removed",
  );
});

test("a broken file is told where it happened: file, line, and what was expected", async () => {
  const tab = await studio.open();
  const { page } = tab;
  tab.expectProblems(/answer 422: POST \/api\/clips/);
  await page.locator(".clip-card").first().waitFor();
  const before = (await studio.server.get<Clip[]>("/api/clips")).length;
  await dropFiles(page, [files.broken]);
  const complaint = page.locator(".upload[role=alert]");
  await complaint.waitFor();
  const text = (await complaint.textContent()) ?? "";
  expect(text).toContain("broken.bvh was not added");
  expect(text).toContain(`broken.bvh:${files.brokenLine}`);
  expect((await studio.server.get<Clip[]>("/api/clips")).length).toBe(before);
  await complaint.getByRole("button", { name: "Dismiss" }).click();
  expect(await complaint.count()).toBe(0);
});

test("search and label filters narrow the list, and an empty list says so", async () => {
  const { page } = await studio.open();
  await page.locator(".clip-card").first().waitFor();
  const all = await page.locator(".clip-card").count();
  const search = page.getByRole("searchbox", { name: "Search clips" });
  await search.fill("walk");
  const some = await page.locator(".clip-card").count();
  expect(some).toBeGreaterThan(0);
  expect(some).toBeLessThan(all);
  await search.fill("no such clip");
  await page.getByText("No clip fits the search.").waitFor();
  await search.fill("");
  const chip = page.locator(".filter-chips button").first();
  await chip.click();
  expect(await page.locator(".clip-card").count()).toBeLessThan(all);
});

test("labels leave as CSV", async () => {
  const { page } = await studio.open();
  await page.locator(".editors [role=tablist]").waitFor();
  const file = await downloadFrom(page, () => page.getByRole("link", { name: "Download all labels as CSV" }).click());
  const lines = readFileSync(await file.path(), "utf8")
    .trim()
    .split("\n");
  expect(lines[0]).toContain("label");
  expect(lines.length).toBeGreaterThan(5);
});
