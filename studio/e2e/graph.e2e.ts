import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project, Thresholds, Topology } from "../src/api/types";
import { coloursOf, startStudio, type Studio } from "./studio";

let studio: Studio;
beforeAll(async () => void (studio = await startStudio()));
afterAll(() => studio.stop());

const changesOf = async (take: () => Promise<Buffer>, wait: () => Promise<void>) => {
  const before = await take();
  await wait();
  return !before.equals(await take());
};

describe("the graph", () => {
  it("tells what was kept and what was lost", async () => {
    const page = await studio.open("/#graph");
    await page.locator(".account-headline").waitFor();
    const { graph, labels } = await studio.api<Project>("/api/project");
    expect(graph).not.toBeNull();
    const share = Math.round((100 * graph!.kept_seconds) / graph!.seconds);
    expect(Number.parseInt((await page.locator(".account-headline strong").textContent()) ?? "", 10)).toBeCloseTo(share, -0.5);
    expect(await page.locator(".bars-table tbody tr").count()).toBeGreaterThanOrEqual(Math.min(1, labels.length));
    await page.context().close();
  });

  it("shows connectivity live while a threshold moves, and applies it", async () => {
    const page = await studio.open("/#graph?tab=thresholds");
    await page.locator(".figure-value").first().getByText(/s \(\d+ %\)/).waitFor();
    const transitions = () => page.locator(".figure-value").nth(1).textContent();
    const before = await transitions();
    const master = page.getByRole("slider", { name: "All pairs" });
    await master.focus();
    for (let k = 0; k < 10; k++) await page.keyboard.press("ArrowLeft");
    await expect.poll(transitions).not.toBe(before);
    await page.getByText(/here in \d/).waitFor();
    await page.getByRole("button", { name: "Apply" }).click();
    await page.locator(".toast.done").waitFor();
    const project = await studio.api<Project>("/api/project");
    expect(Number((await transitions())?.replaceAll(",", ""))).toBe(project.graph?.transitions);
    await page.getByRole("button", { name: "Auto" }).click();
    await page.getByText(/Thresholds chosen from the data/).waitFor();
    await page.context().close();
  });

  it("takes numbers by keyboard in the table", async () => {
    const page = await studio.open("/#graph?tab=thresholds");
    const cell = page.locator(".matrix-cell").first();
    await cell.focus();
    await page.keyboard.type("4.5");
    expect(await cell.textContent()).toContain("4.5");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("+");
    await page.getByRole("button", { name: "Revert" }).click();
    const { cells, default_cm } = await studio.api<Thresholds>("/api/graph/thresholds");
    await expect.poll(() => cell.textContent()).toContain((cells[0]?.[0] ?? default_cm).toFixed(1));
    await page.context().close();
  });

  it("draws a distance map and opens a minimum", async () => {
    const page = await studio.open("/#graph?tab=distances");
    await page.locator(".tally-item").first().waitFor();
    await expect.poll(() => coloursOf(page, ".distances canvas")).toBeGreaterThan(50);
    await page.locator(".distances canvas.surface").first().focus();
    await page.keyboard.press("ArrowDown");
    await page.locator(".state-chip").waitFor();
    expect(await page.locator(".inspector-facts").textContent()).toMatch(/threshold is [\d.]+ cm/);
    const canvas = page.locator(".inspector .stage canvas");
    await expect.poll(() => coloursOf(page, ".inspector .stage canvas"), { timeout: 20_000 }).toBeGreaterThan(200);
    expect(await changesOf(() => canvas.screenshot(), () => page.waitForTimeout(1200))).toBe(true);
    await page.context().close();
  });

  it("draws the graph and plays an edge", async () => {
    const page = await studio.open("/#graph?tab=drawing");
    const topology = await studio.api<Topology>("/api/graph/topology");
    expect(topology.transitions.edge.length).toBeGreaterThan(0);
    await page.getByText(/\d arcs/).waitFor();
    await expect.poll(() => coloursOf(page, ".drawing canvas")).toBeGreaterThan(20);
    await page.locator(".drawing canvas").focus();
    await page.keyboard.press("n");
    await page.locator(".state-chip").waitFor();
    expect(await page.locator(".drawing .readout").textContent()).toMatch(/→ .* cm$/);
    await page.context().close();
  });
});
