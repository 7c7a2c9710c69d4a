/** The graph view: numbers that move with the thresholds, the distance map, ghosts, and the drawn graph. */
import { expect, test } from "vitest";
import type { Minima, Project, Thresholds, Topology } from "../src/api/types";
import { tellingPair } from "../src/graph/map-model";
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

test("a distance map opens on a pair that tells something; its best moment is on the stage, and why", async () => {
  const { page } = await studio.open({ hash: "graph?tab=distances" });
  const pair = tellingPair(await studio.server.get<Topology>("/api/graph/topology"));
  const map = page.getByRole("application", { name: /^Distance map/ });
  await map.waitFor();
  await page.locator(".tally-item").first().waitFor();
  expect(colours(await pixelsOf(map)), "colours of the map").toBeGreaterThan(60);
  const first = await page.getByLabel("First clip, downwards").inputValue();
  const second = await page.getByLabel("Second clip, to the right").inputValue();
  const { minima } = await studio.server.get<Minima>(`/api/graph/minima?a=${first}&b=${second}`);
  expect([first, second], "two clips with the most ways between them").toEqual(pair);
  expect(minima.some((m) => m.state === "in")).toBe(true);
  const facts = page.locator(".inspector-facts");
  await facts.getByText("Why:").waitFor();
  expect(await facts.textContent()).toContain("In the graph");
  await map.focus();
  await page.keyboard.press("ArrowRight");
  await facts.getByText("Why:").waitFor();
  const words = (await facts.textContent()) ?? "";
  expect(words).toMatch(/\d+\.\d+ cm|\d+(\.\d+)? cm/);
  expect(words).not.toMatch(/\b0\.0 cm/);
  const stage = page.locator(".inspector .stage");
  await page.locator(".inspector .transport .time", { hasNotText: "/ 0:00.00" }).waitFor();
  await until(
    async () => colours(await pixelsOf(stage)),
    (n) => n > 40,
    "colours with ghosts",
  );
  const layout = page.getByRole("radiogroup", { name: "How the motions are shown" });
  const overlaid = await pixelsOf(stage);
  await layout.getByRole("radio", { name: "Alone" }).check();
  await changes(() => pixelsOf(stage), overlaid, 0.001, "ghost pixels");
  const alone = await pixelsOf(stage);
  await layout.getByRole("radio", { name: "Side by side" }).check();
  await changes(() => pixelsOf(stage), alone, 0.01, "two more bodies");
  for (const name of ["from", "to", "transition"])
    await stage.locator(".stage-label", { hasText: new RegExp(`^${name}$`) }).waitFor();
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

test("the camera goes with the blend, and both motions' feet stand under a play head", async () => {
  const { page } = await studio.open({ hash: "graph?tab=distances" });
  const bars = page.locator(".inspector .contact-bar");
  await bars.first().waitFor();
  expect(await bars.count(), "two feet of two motions").toBe(4);
  for (const bar of await bars.all())
    expect(await bar.getAttribute("aria-label")).toMatch(/^(from|to): (left|right) foot: /);
  expect(await page.locator(".inspector .contact-window").count()).toBe(1);
  const head = page.locator(".inspector .contact-head");
  const at = async () => (await head.boundingBox())!.x;
  const follow = page.locator(".inspector").getByRole("button", { name: "Follow the character (F)" });
  expect(await follow.getAttribute("aria-pressed")).toBe("true");
  await page.locator(".inspector .stage").focus();
  const before = await at();
  for (let k = 0; k < 6; k++) await page.keyboard.press("Shift+ArrowRight");
  await until(at, (now) => now > before + 20, "the head moves on");
  const box = (await page.locator(".inspector .contact-bars").boundingBox())!;
  await page.mouse.click(box.x + box.width * 0.25, box.y + 10);
  await until(at, (now) => Math.abs(now - (box.x + box.width * 0.25)) < 4, "the head goes where one clicks");
});

test("onion skins give way to the body: it is seen whole among them", async () => {
  const tab = await studio.open({ hash: "graph?tab=distances" });
  const { page } = tab;
  await page.locator(".inspector .contact-bar").first().waitFor();
  const stage = page.locator(".inspector .stage");
  const layout = page.getByRole("radiogroup", { name: "How the motions are shown" });
  await layout.getByRole("radio", { name: "Alone" }).check();
  await until(
    async () => colours(await pixelsOf(stage)),
    (n) => n > 40,
    "a body",
  );
  await page.waitForTimeout(300);
  const alone = await pixelsOf(stage);
  await layout.getByRole("radio", { name: "Overlaid" }).check();
  await changes(() => pixelsOf(stage), alone, 0.001, "skins");
  await page.waitForTimeout(300);
  const over = await pixelsOf(stage);
  await tab.picture("inspector-overlaid");
  // Skin and trousers of the body are colours that neither floor nor ghosts have: what was body alone is body still.
  const isBody = (p: { rgba: Uint8Array }, k: number) => {
    const [r, g, b] = [p.rgba[4 * k]!, p.rgba[4 * k + 1]!, p.rgba[4 * k + 2]!];
    return b > 120 && b > r + 45 && b > g + 25;
  };
  const places = Array.from({ length: alone.rgba.length / 4 }, (_, k) => k).filter((k) => isBody(alone, k));
  expect(places.length, "pixels of the body").toBeGreaterThan(200);
  const still = places.filter((k) => isBody(over, k)).length;
  expect(still / places.length, "seen through its ghosts").toBeGreaterThan(0.97);
});

test("the graph drawn: a map of labels opens into clips, then into frames, and a way plays", async () => {
  const tab = await studio.open({ hash: "graph?tab=drawing" });
  const { page } = tab;
  const map = page.getByRole("group", { name: "Map of the graph" });
  await map.waitFor();
  const { labels } = await studio.server.get<Project>("/api/project");
  for (const label of labels) await map.getByRole("button", { name: new RegExp(`^${label}: `) }).waitFor();
  const node = map.getByRole("button", { name: /^walk: / });
  expect(await node.getAttribute("aria-label")).toMatch(
    /^walk: [\d.]+ (s|min).*, [\d,]+ ways within it, [\d,]+ to others/,
  );
  await node.focus();
  await page.keyboard.press("Enter");
  await until(
    () => page.evaluate(() => location.hash),
    (hash) => hash === "#/graph/drawing?from=walk&to=walk",
    "an address of its own",
  );
  await page
    .getByRole("group", { name: "Map of the graph" })
    .getByRole("button", { name: /Opens its frames/ })
    .first()
    .waitFor();
  await tab.picture("map-clips");
  await page.locator(".way-row").first().click();
  const lanes = page.locator("#panel-drawing canvas").first();
  await lanes.waitFor();
  await until(
    async () => colours(await pixelsOf(lanes)),
    (n) => n > 8,
    "something is drawn",
  );
  await lanes.focus();
  await page.keyboard.press("n");
  const stage = page.locator(".inspector .stage");
  await stage.waitFor();
  await page.reload();
  await lanes.waitFor();
  await page.getByRole("navigation", { name: "Where on the map" }).getByRole("button", { name: "within walk" }).click();
  await page.getByRole("group", { name: "Map of the graph" }).waitFor();
  await page.goBack();
  await lanes.waitFor();
});

test("every clip as a lane: arcs, and an edge plays", async () => {
  const { page } = await studio.open({ hash: "graph?tab=drawing" });
  await page.getByRole("button", { name: "All clips as lanes" }).click();
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
