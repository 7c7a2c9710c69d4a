/** The graph view: numbers that move with the thresholds, the distance map, ghosts, and the drawn graph. */
import { expect, test } from "vitest";
import type { Minima, Project, Thresholds } from "../src/api/types";
import { changes, numberIn, until } from "./harness/acts";
import { useStudio } from "./harness/fixture";
import { colours, pixelsOf } from "./harness/png";

const studio = useStudio();

const figure = (name: string) => `.figure:has(.figure-title:text-is("${name}")) .figure-value`;

test("the account tells in words and bars what was kept and why the rest was not", async () => {
  const { page } = await studio.open({ hash: "graph" });
  const panel = page.locator("#panel-account");
  await panel.locator(".share").first().waitFor();
  const { graph } = await studio.server.get<Project>("/api/project");
  const text = (await panel.textContent()) ?? "";
  expect(text).toContain(graph!.transitions.toLocaleString("en"));
  expect(await panel.locator(".share").count(), "bars").toBeGreaterThan(2);
});

test("moving the threshold moves the connectivity, live, and nothing is saved before Apply", async () => {
  const { page } = await studio.open({ hash: "graph?tab=thresholds" });
  const slider = page.getByRole("slider", { name: "All pairs" });
  await slider.waitFor();
  const kept = page.locator(figure("kept"));
  const transitions = page.locator(figure("transitions"));
  await until(
    () => transitions.textContent(),
    (text) => /\d/.test(text ?? ""),
    "the first numbers",
  );
  const [keptBefore, before] = [await numberIn(kept), await numberIn(transitions)];
  const saved = await studio.server.get<Thresholds>("/api/graph/thresholds");
  await slider.focus();
  await page.keyboard.press("Home");
  await until(
    () => numberIn(transitions),
    (now) => now < before,
    "fewer transitions at 0 cm",
  );
  expect(await numberIn(kept)).toBeLessThan(keptBefore);
  await page.keyboard.press("End");
  const most = await until(
    () => numberIn(transitions),
    (now) => now > before,
    "more transitions at the ceiling",
  );
  expect(await page.locator(".figure-change.better").count()).toBeGreaterThan(0);
  expect(await studio.server.get<Thresholds>("/api/graph/thresholds")).toEqual(saved);
  await page.getByRole("button", { name: "Revert" }).click();
  await until(
    () => numberIn(transitions),
    (now) => now === before,
    "as saved",
  );
  expect(most).toBeGreaterThan(before);
});

test("one pair's threshold is dragged in the table, applied, and is there after a reload", async () => {
  const { page } = await studio.open({ hash: "graph?tab=thresholds" });
  const cell = page.locator(".matrix-cell .matrix-number").first();
  await cell.waitFor();
  const transitions = page.locator(figure("transitions"));
  await until(
    () => transitions.textContent(),
    (text) => /\d/.test(text ?? ""),
    "the first numbers",
  );
  const before = (await studio.server.get<Thresholds>("/api/graph/thresholds")).cells[0]![0];
  const box = (await cell.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 30, box.y + box.height / 2, { steps: 8 });
  await page.mouse.up();
  const wanted = await numberIn(cell);
  await page.getByRole("button", { name: "Apply" }).click();
  const now = await until(
    async () => (await studio.server.get<Thresholds>("/api/graph/thresholds")).cells[0]![0] ?? null,
    (cm) => cm !== null && cm !== before,
    "saved cell",
  );
  expect(now).toBeCloseTo(wanted, 0);
  await page.reload();
  await page.goto(`${studio.server.url}#graph?tab=thresholds`);
  await until(
    () => numberIn(page.locator(".matrix-cell .matrix-number").first()),
    (value) => Math.abs(value - wanted) < 0.11,
    "the same after a reload",
  );
});

test("a distance map opens; a minimum shows both motions as ghosts, the blend, and why", async () => {
  const { page } = await studio.open({ hash: "graph?tab=distances" });
  const map = page.getByRole("application", { name: /^Distance map/ });
  await map.waitFor();
  await page.locator(".tally-item").first().waitFor();
  expect(colours(await pixelsOf(map)), "colours of the map").toBeGreaterThan(60);
  const first = await page.getByLabel("First clip, downwards").inputValue();
  const second = await page.getByLabel("Second clip, to the right").inputValue();
  const { minima } = await studio.server.get<Minima>(`/api/graph/minima?a=${first}&b=${second}`);
  expect(minima.length).toBeGreaterThan(0);
  await map.focus();
  await page.keyboard.press("ArrowRight");
  const facts = page.locator(".inspector-facts");
  await facts.getByText("Why:").waitFor();
  const words = (await facts.textContent()) ?? "";
  expect(words).toMatch(/\d+\.\d+ cm|\d+(\.\d+)? cm/);
  const stage = page.locator(".inspector .stage");
  await page.locator(".inspector .transport .time", { hasNotText: "/ 0:00.00" }).waitFor();
  await until(
    async () => colours(await pixelsOf(stage)),
    (n) => n > 40,
    "colours with ghosts",
  );
  const withGhosts = await pixelsOf(stage);
  await page.getByLabel("show both motions as ghosts").uncheck();
  await changes(() => pixelsOf(stage), withGhosts, 0.001, "ghost pixels");
  await page.getByRole("button", { name: "Its threshold" }).click();
  await page.getByRole("tab", { name: "Thresholds", selected: true }).waitFor();
});

test("a dot of the map is clicked with the mouse", async () => {
  const { page } = await studio.open({ hash: "graph?tab=distances" });
  const map = page.getByRole("application", { name: /^Distance map/ });
  await page.locator(".tally-item").first().waitFor();
  // Squares in orange are what was left out; no colour of the map is near it.
  const { rgba, width } = await pixelsOf(map);
  const found = Array.from({ length: rgba.length / 4 }, (_, k) => k).find(
    (k) => rgba[4 * k]! > 215 && Math.abs(rgba[4 * k + 1]! - 150) < 25 && rgba[4 * k + 2]! < 90,
  );
  expect(found, "an orange dot on the map").toBeDefined();
  await map.click({ position: { x: (found! % width) + 3, y: Math.floor(found! / width) + 3 } });
  await page.locator(".inspector-facts").getByText("Why:").waitFor();
});

test("the drawn graph: lanes and arcs, and an edge plays", async () => {
  const { page } = await studio.open({ hash: "graph?tab=drawing" });
  const drawing = page.locator("#panel-drawing canvas").first();
  await drawing.waitFor();
  await until(
    async () => colours(await pixelsOf(drawing)),
    (n) => n > 8,
    "something is drawn",
  );
  await drawing.focus();
  await page.keyboard.press("n");
  const stage = page.locator(".inspector .stage");
  await stage.waitFor();
  const before = await pixelsOf(stage);
  await page.locator(".inspector").getByRole("button", { name: "Play (Space)" }).click();
  await changes(() => pixelsOf(stage), before, 0.001, "the edge plays");
});
