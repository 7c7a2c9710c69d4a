/** The pictures of the guided tour, made anew by `scripts/tour`. */
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Locator, Page } from "playwright-core";
import type { Clip } from "../src/api/types";
import type { TabOptions } from "./harness/browser";
import { dropFiles, stroke } from "./harness/acts";
import { useStudio } from "./harness/fixture";
import { decodePng } from "./harness/png";
import { indexedPng } from "./harness/shrink";
import { REPOSITORY, gaitway, remove, scratch } from "./harness/server";

const data = process.env["GAITWAY_DATA"];
const work = scratch("tour");
afterAll(() => remove(work));

/** Subject 16 walks, runs, jumps and turns; without it the performer does. */
async function graph(): Promise<string[]> {
  if (!data) {
    console.info("GAITWAY_DATA names no folder: the pictures show the demo");
    return [];
  }
  const file = join(work, "cmu-16.gway");
  await gaitway([
    "--quiet",
    "build",
    join(data, "cmu-bvh/16"),
    "-o",
    file,
    "--labels",
    join(data, "labels-gaitway.csv"),
  ]);
  return [file];
}

const demo = useStudio();
const studio = useStudio({ inputs: graph });
let clips: Clip[] = [];
beforeAll(async () => {
  clips = await studio.server.get<Clip[]>("/api/clips");
});

const SIZE: TabOptions = { width: 1280, height: 800 };
const MOST_BYTES = 300_000;

async function shoot(page: Page, name: string): Promise<void> {
  await page.mouse.move(2, 2);
  await page.waitForTimeout(500);
  const path = join(REPOSITORY, `docs/pictures/studio-${name}.png`);
  writeFileSync(path, indexedPng(decodePng(await page.screenshot())));
  expect(statSync(path).size, `bytes of ${path}`).toBeLessThan(MOST_BYTES);
}

const plan = (page: Page): Locator => page.getByRole("application", { name: /^Floor plan/ });
const tool = (page: Page, name: RegExp) =>
  page.getByRole("toolbar", { name: "Floor plan tools" }).getByRole("button", { name }).click();
/** The scrub bar by keys: deterministic, unlike playing. */
async function seek(page: Page, tenFrames: number): Promise<void> {
  for (let k = 0; k < tenFrames; k++) await page.keyboard.press("Shift+ArrowRight");
}

test("the first minute", async () => {
  const { page } = await demo.open(SIZE);
  await page.locator(".tl-item").first().waitFor();
  await page.locator(".clip-view .stage").focus();
  await seek(page, 9);
  await shoot(page, "first");
});

test("library and labels", async () => {
  const clip = clips.find((c) => /16_15|walk_sneak/.test(c.name)) ?? clips[0]!;
  const { page } = await studio.open({ ...SIZE, hash: `library?clip=${clip.id}` });
  await page.locator(".tl-item").first().waitFor();
  await page.locator(".clip-view .stage").focus();
  await seek(page, 12);
  await page.locator(".tl-item").first().focus();
  await shoot(page, "library");
  await page.getByRole("tab", { name: "Contacts" }).click();
  await page.locator("#panel-contacts .tl-item").first().waitFor();
  await shoot(page, "contacts");
});

test("graph", async () => {
  const { page } = await studio.open({ ...SIZE, hash: "graph?tab=account" });
  await page.locator("#panel-account .share").first().waitFor();
  await shoot(page, "account");
  await page.getByRole("tab", { name: "Thresholds" }).click();
  const slider = page.getByRole("slider", { name: "All pairs" });
  await page.locator(".live-row").first().waitFor();
  await slider.focus();
  for (let k = 0; k < 15; k++) await page.keyboard.press("ArrowRight");
  await shoot(page, "thresholds");
  await page.getByRole("tab", { name: "Drawing" }).click();
  await page.getByRole("group", { name: "Map of the graph" }).waitFor();
  await shoot(page, "drawing");
});

test("distances", async () => {
  const [a, b] = [
    clips.find((c) => /16_15|walk_normal/.test(c.name)) ?? clips[0]!,
    clips.find((c) => /16_16|walk_sneak/.test(c.name)) ?? clips[1]!,
  ];
  const { page } = await studio.open({ ...SIZE, hash: "graph?tab=distances" });
  await page.getByLabel("First clip, downwards").selectOption(a.id);
  await page.getByLabel("Second clip, to the right").selectOption(b.id);
  await page.locator(".tally-item").first().waitFor();
  await page.waitForTimeout(1500);
  await page.getByRole("application", { name: /^Distance map/ }).focus();
  await page.keyboard.press("ArrowRight");
  await page.getByText("Why:").waitFor();
  await page.locator(".inspector .stage").focus();
  await seek(page, 3);
  await shoot(page, "distances");
});

/** A sketch across the plan: two styles or one, and a pillar. */
async function sketch(page: Page, wave: number, styles: readonly [string, string]): Promise<void> {
  await plan(page).waitFor();
  await tool(page, /^Draw freehand/);
  const line = Array.from(
    { length: 31 },
    (_, k) => [0.12 + (0.76 * k) / 30, 0.5 - wave * Math.sin((2 * Math.PI * k) / 30)] as const,
  );
  await stroke(page, plan(page), line);
  await tool(page, /^Paint a style/);
  const brushes = page.getByRole("radiogroup", { name: "Label to paint with" });
  await brushes.getByText(styles[0], { exact: true }).click();
  await stroke(page, plan(page), line.slice(0, 16));
  await brushes.getByText(styles[1], { exact: true }).click();
  await stroke(page, plan(page), line.slice(15));
  await tool(page, /^Round obstacle/);
  await stroke(page, plan(page), [
    [0.34, 0.6],
    [0.44, 0.6],
  ]);
  await tool(page, /^Select and move/);
}

async function synthesize(page: Page, tenFrames: number): Promise<void> {
  await page.getByRole("button", { name: "Synthesize" }).click();
  await page.getByRole("heading", { name: "Take home" }).waitFor({ timeout: 180_000 });
  await page.locator(".make-result .stage").focus();
  await seek(page, tenFrames);
}

test("make", async () => {
  const { page } = await studio.open({ ...SIZE, hash: "make" });
  await sketch(page, 0.12, data ? ["walk", "walk"] : ["walk", "sneak"]);
  await shoot(page, "sketch");
  await synthesize(page, data ? 40 : 20);
  await shoot(page, "result");
});

test("make in the dark, with the demo", async () => {
  const { page } = await demo.open({ ...SIZE, hash: "make", theme: "dark" });
  await sketch(page, 0.1, ["sneak", "walk"]);
  await synthesize(page, 30);
  await shoot(page, "dark");
});

/** Last: it leaves the demo. */
test.runIf(data)("markers and the body in them", async () => {
  await demo.server.post("/api/projects", { name: "Markers" });
  const { page } = await demo.open(SIZE);
  await page.getByRole("heading", { name: "Start with some motion" }).waitFor();
  await dropFiles(page, [join(data!, "cmu-three-formats/01_01.c3d")]);
  await page.getByText(/15 parts · 41 markers/).waitFor();
  await page.locator(".recording-view .stage").focus();
  await page.keyboard.press("Home");
  await seek(page, 34);
  await shoot(page, "markers");
});
