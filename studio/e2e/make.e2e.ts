import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Job, Result, ResultSummary } from "../src/api/types";
import { coloursOf, startStudio, type Studio } from "./studio";

let studio: Studio;
beforeAll(async () => void (studio = await startStudio()));
afterAll(() => studio.stop());

const FOUND = { timeout: 60_000 };

/** Draws with the mouse; places are parts of the plan's width and height. */
async function draw(page: Page, places: readonly (readonly [number, number])[]): Promise<void> {
  const box = (await page.locator(".plan-canvas").boundingBox())!;
  const at = ([u, v]: readonly [number, number]) => [box.x + box.width * u, box.y + box.height * v] as const;
  await page.mouse.move(...at(places[0]!));
  await page.mouse.down();
  for (const place of places.slice(1)) await page.mouse.move(...at(place), { steps: 4 });
  await page.mouse.up();
}

const wave = Array.from({ length: 24 }, (_, k): [number, number] => [0.2 + 0.025 * k, 0.5 + 0.2 * Math.sin(k / 4)]);

async function sketched(): Promise<Page> {
  const page = await studio.open("/#make");
  await page.getByRole("button", { name: "Draw freehand", exact: true }).click();
  await draw(page, wave);
  await page.getByText(/ m, \d+ points/).waitFor();
  return page;
}

async function synthesized(): Promise<Page> {
  const page = await sketched();
  await page.getByRole("button", { name: "Synthesize" }).click();
  await page.locator(".verdict").waitFor(FOUND);
  return page;
}

describe("making motion", () => {
  it("takes a sketch, paints a style, undoes, and keeps it over a reload", async () => {
    const page = await sketched();
    const points = () => page.locator(".side-panel p.numbers").first().textContent();
    const before = await points();
    await page.locator(".plan-canvas").focus();
    await page.keyboard.press("s");
    await page.locator(".brush").first().click();
    await draw(page, wave.slice(6, 14));
    await expect.poll(() => page.locator(".object-row").count()).toBe(1);
    await page.keyboard.press("Control+z");
    await expect.poll(() => page.locator(".object-row").count()).toBe(0);
    await page.keyboard.press("Control+Shift+z");
    await expect.poll(() => page.locator(".object-row").count()).toBe(1);
    await page.waitForTimeout(600);
    await page.reload();
    await page.getByText(/ m, \d+ points/).waitFor();
    expect(await points()).toBe(before);
    expect(await page.locator(".object-row").count()).toBe(1);
    await page.context().close();
  });

  it("synthesizes, plays, and lets the motion be taken home", async () => {
    const page = await synthesized();
    await expect.poll(() => coloursOf(page, ".make .stage canvas"), { timeout: 20_000 }).toBeGreaterThan(200);
    const canvas = page.locator(".make .stage canvas");
    const before = await canvas.screenshot();
    await page.waitForTimeout(1500);
    expect(before.equals(await canvas.screenshot())).toBe(false);
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: /Download BVH/ }).click()]);
    const text = readFileSync((await download.path())!, "utf8");
    expect(text.startsWith("HIERARCHY")).toBe(true);
    const frames = Number(/Frames:\s*(\d+)/.exec(text)?.[1]);
    expect(text.trim().split("\n").length).toBeGreaterThan(frames);
    expect(await page.locator(".command code").textContent()).toMatch(/^gaitway path graph\.gway path\.json/);
    expect(await page.locator(".quality-bar").count()).toBeGreaterThan(2);
    await page.context().close();
  });

  it("solves a part again and keeps the rest", async () => {
    const page = await synthesized();
    const results = await studio.api<ResultSummary[]>("/api/results");
    const box = (await page.locator("canvas.timeline").boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.4, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, box.y + 20, { steps: 5 });
    await page.mouse.up();
    await page.getByRole("button", { name: "Solve this part again" }).click();
    await expect.poll(async () => (await studio.api<ResultSummary[]>("/api/results")).length, FOUND).toBe(results.length + 1);
    await page.context().close();
  });

  it("shows alternatives side by side, and results survive a reload", async () => {
    const page = await sketched();
    await page.getByRole("tab", { name: "Options" }).click();
    await page.getByLabel("Alternatives").fill("2");
    await page.getByLabel("Alternatives").blur();
    await page.getByRole("button", { name: "Synthesize" }).click();
    await page.locator(".alternative").first().waitFor(FOUND);
    const newest = (await studio.api<ResultSummary[]>("/api/results")).sort((a, b) => b.created_ms - a.created_ms)[0]!;
    const result = await studio.api<Result>(`/api/results/${newest.id}`);
    expect(await page.locator(".alternative").count()).toBe(result.members.length);
    await page.locator(".alternative").nth(1).click();
    await expect.poll(() => page.locator(".alternative.chosen").textContent()).toContain("Answer 2");
    await page.reload();
    await page.getByRole("tab", { name: "Results" }).click();
    await page.locator(".result-open").first().click();
    await page.locator(".verdict").waitFor(FOUND);
    await page.context().close();
  });

  it("cancels a search", async () => {
    const page = await studio.open("/#make");
    await page.getByLabel("Scale").fill("8");
    await page.getByLabel("Scale").blur();
    await page.getByLabel("Shape").selectOption("hello");
    await page.getByRole("button", { name: "Synthesize" }).click();
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await expect
      .poll(async () => (await studio.api<Job[]>("/api/jobs")).every((j) => j.state !== "running" && j.state !== "queued"), FOUND)
      .toBe(true);
    await page.getByRole("button", { name: "Synthesize" }).waitFor();
    await page.context().close();
  });

  it("says at the place what cannot be", async () => {
    const page = await sketched();
    await page.getByRole("button", { name: "Box", exact: true }).click();
    await page.locator(".obstacle-row input").first().fill("0");
    await page.locator(".obstacle-row input").first().blur();
    expect(await page.locator(".obstacle-row").count()).toBe(1);
    await page.getByRole("tab", { name: "Options" }).click();
    await page.getByLabel("Corridor").fill("0.01");
    await page.getByLabel("Corridor").blur();
    await page.getByRole("button", { name: "Synthesize" }).click();
    await page.locator(".synth-complaints .notice").first().waitFor(FOUND);
    await page.context().close();
  });
});
