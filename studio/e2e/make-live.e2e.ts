/** The make view while one draws: solved by itself, explained where it fails, looked at closely, taken home as a scene. */
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Locator, Page } from "playwright-core";
import type { PathRequest, Result, ResultSummary } from "../src/api/types";
import { pageWords } from "../src/ui/page-words";
import { BEND, changes, downloadFrom, jobs, quiet, stroke, until } from "./harness/acts";
import { PICTURES } from "./harness/browser";
import { useStudio } from "./harness/fixture";
import { difference, pixelsOf } from "./harness/png";
import { gaitway } from "./harness/server";

const studio = useStudio();

const plan = (page: Page): Locator => page.getByRole("application", { name: /^Floor plan/ });
const tool = (page: Page, name: RegExp) =>
  page.getByRole("toolbar", { name: "Floor plan tools" }).getByRole("button", { name }).click();
const results = () => studio.server.get<ResultSummary[]>("/api/results");
const facts = (page: Page) => page.getByText(/ m, \d+ points/);
const takeHome = (page: Page) => page.getByRole("region", { name: "Take home" });

async function sketched(live: boolean): Promise<Page> {
  const { page } = await studio.open({ hash: "make", live });
  await plan(page).waitFor();
  await tool(page, /^Draw freehand/);
  await stroke(page, plan(page), BEND);
  await facts(page).waitFor();
  return page;
}

/** A result made by the server alone, as a script would ask for it. */
async function made(request: Partial<PathRequest>, more: object = {}): Promise<Result> {
  const before = new Set((await results()).map((r) => r.id));
  await studio.server.post("/api/jobs", { kind: "path", request, ...more });
  const all = await until(results, (list) => list.some((r) => !before.has(r.id)), "a result", 300_000);
  return studio.server.get<Result>(`/api/results/${all.find((r) => !before.has(r.id))!.id}`);
}

const ZIGZAG: PathRequest["points"] = Array.from({ length: 7 }, (_, k) => [k % 2 === 0 ? 0 : 2, 2 * k]);

test("a path is solved when a drag ends, and again when it is changed; drafts do not pile up", async () => {
  const page = await sketched(true);
  const first = await until(results, (list) => list.some((r) => r.draft !== null), "a draft", 300_000);
  await takeHome(page).waitFor();
  const seen = new Set(first.map((r) => r.id));
  for (let k = 0; k < 4; k++) {
    await page.getByRole("button", { name: k % 2 === 0 ? "Larger" : "Smaller" }).click();
    const now = await until(results, (list) => list.some((r) => !seen.has(r.id)), "solved again", 300_000);
    now.forEach((r) => seen.add(r.id));
    await until(
      async () => page.locator(".stage-older").isVisible(),
      (older) => !older,
      "the motion is that of the sketch",
    );
  }
  expect((await results()).filter((r) => r.draft !== null).length).toBeLessThanOrEqual(2);
  // Kept, it stays; with the switch off, nothing is made that was not asked for.
  await page.getByRole("tab", { name: "Results" }).click();
  await page
    .getByRole("button", { name: /^Keep / })
    .first()
    .click();
  const kept = await until(results, (list) => list.some((r) => r.draft === null), "kept");
  const id = kept.find((r) => r.draft === null)!.id;
  await page.getByRole("tab", { name: "Sketch" }).click();
  await page.getByLabel("Live").uncheck();
  await quiet(studio.server);
  const count = (await jobs(studio.server, "path")).length;
  await page.getByRole("button", { name: "Larger" }).click();
  await page.locator(".stage-older").waitFor();
  await page.getByText("This motion is of an older sketch than the one on the plan.").waitFor();
  expect((await jobs(studio.server, "path")).length).toBe(count);
  expect((await results()).some((r) => r.id === id)).toBe(true);
});

test("a result brings its sketch to any browser, and a sketch of one's own waits for undo", async () => {
  const page = await sketched(false);
  await tool(page, /^Round obstacle/);
  await stroke(page, plan(page), [
    [0.8, 0.9],
    [0.83, 0.9],
  ]);
  const before = await facts(page).textContent();
  await page.getByLabel("Name of the result").fill("for the other browser");
  await page.getByRole("button", { name: "Synthesize" }).click();
  const list = await until(results, (all) => all.some((r) => r.name === "for the other browser"), "a result", 300_000);
  const { id } = list.find((r) => r.name === "for the other browser")!;
  // Another browser profile, which never saw it drawn.
  const other = await studio.open({ hash: `make/${id}` });
  await until(
    () => facts(other.page).textContent(),
    (text) => text === before,
    "the same sketch",
  );
  expect(await other.page.locator(".obstacle-row").count()).toBe(1);
  expect(await other.page.locator(".stage-older").isVisible()).toBe(false);
  // One that draws something else gets it by a click, and its own back by undo.
  const third = await studio.open({ hash: "make" });
  await plan(third.page).waitFor();
  await third.page.getByLabel("Shape").selectOption({ index: 1 });
  const own = await facts(third.page).textContent();
  await third.page.getByRole("tab", { name: "Results" }).click();
  await third.page.getByRole("button", { name: /^for the other browser/ }).click();
  await third.page.getByText("Undo brings yours back").waitFor();
  await third.page.getByRole("tab", { name: "Sketch" }).click();
  expect(await facts(third.page).textContent()).toBe(before);
  await third.page.getByRole("button", { name: "Undo (Ctrl Z)" }).click();
  expect(await facts(third.page).textContent()).toBe(own);
});

test("what is drawn while the server is away is there after a reload, and is solved when it is back", async () => {
  const tab = await studio.open({ hash: "make", live: true });
  const { page } = tab;
  await plan(page).waitFor();
  tab.expectProblems(/WebSocket connection|ERR_CONNECTION|ERR_EMPTY_RESPONSE|Failed to fetch/);
  const known = new Set((await results()).map((r) => r.id));
  let drawn: string | null = null;
  await studio.restart(async () => {
    await page.getByText("does not answer").waitFor();
    await page.getByLabel("Shape").selectOption({ index: 1 });
    drawn = await facts(page).textContent();
  });
  await until(results, (list) => list.some((r) => !known.has(r.id)), "solved when it is back", 300_000);
  await page.reload();
  await until(
    () => facts(page).textContent(),
    (text) => text === drawn,
    "still there",
  );
});

test("stretches off the path are shown and explained, and a button solves it otherwise", async () => {
  const off = await made({ points: ZIGZAG, bend_m: 0.3, seed: 1, styles: [{ label: "walk", from_m: 0, to_m: null }] });
  expect(off.members[0]!.report["status"]).toBe("OffPath");
  const { page } = await studio.open({ hash: `make/${off.id}` });
  const why = page.getByRole("region", { name: "What is not as asked" });
  const { words } = off.members[0]!.report["left_path"] as { words: string };
  expect(words, "the terminal's words").toContain("`");
  await why.getByText(pageWords(words)).waitFor();
  // Red on the timeline where it says so, and under the pointer in words.
  const { from_s, to_s } = (off.members[0]!.report["left_path"] as { ranges: { from_s: number; to_s: number }[] })
    .ranges[0]!;
  const timeline = page.locator("canvas.timeline");
  const box = (await timeline.boundingBox())!;
  const x = box.x + 10 + ((from_s + to_s) / 2 / off.members[0]!.seconds) * (box.width - 20);
  await page.mouse.move(x, box.y + 40);
  await page.locator(".timeline-hover", { hasText: words.slice(0, 20) }).waitFor();
  await why
    .getByRole("button", { name: /^Show \d/ })
    .first()
    .click();
  await page.screenshot({ path: join(PICTURES, "off-the-path.png") });
  const before = new Set((await results()).map((r) => r.id));
  await page.getByRole("button", { name: "Drop walk here" }).click();
  const all = await until(results, (list) => list.some((r) => !before.has(r.id)), "solved otherwise", 300_000);
  const next = await studio.server.get<Result>(`/api/results/${all.find((r) => !before.has(r.id))!.id}`);
  const styles = (next.request as { styles: { label: string }[] }).styles.map((s) => s.label);
  expect(styles).toContain("any");
  expect(styles).toContain("walk");
});

test("a search that brings nothing does not stand beside an old good result, and a part that cannot be solved says so at its button", async () => {
  const tab = await studio.open({ hash: "make" });
  const { page } = tab;
  await plan(page).waitFor();
  await tool(page, /^Draw freehand/);
  await stroke(page, plan(page), BEND);
  await page.getByRole("button", { name: "Synthesize" }).click();
  await takeHome(page).waitFor();
  // Walled in at the start.
  await tool(page, /^Box obstacle/);
  await stroke(page, plan(page), [
    [0.02, 0.3],
    [0.5, 0.7],
  ]);
  await page.getByRole("button", { name: "Synthesize" }).click();
  await page.getByText("the search for the one on the plan brought nothing").waitFor();
  await page.locator(".stage-older").waitFor();
  await page
    .getByRole("group", { name: "What may help" })
    .first()
    .getByRole("button", { name: /longer/ })
    .waitFor();
  await page.getByRole("button", { name: "Take up its sketch" }).click();
  await until(
    async () => page.locator(".stage-older").isVisible(),
    (older) => !older,
    "the motion's own sketch",
  );
  await page.route("**/api/jobs", async (route) => {
    const resolve = route.request().method() === "POST" && route.request().postData()?.includes('"resolve"');
    const error = { code: "unprocessable", message: "no other way for these seconds", hint: null, field: null };
    if (resolve) await route.fulfill({ status: 422, json: { error } });
    else await route.continue();
  });
  tab.expectProblems(/answer 422/);
  await stroke(page, page.locator("canvas.timeline"), [
    [0.2, 0.05],
    [0.7, 0.05],
  ]);
  await page.getByRole("button", { name: "Solve this part again" }).click();
  await page.locator(".resolve-row").getByText("no other way for these seconds").waitFor();
  expect(await page.locator(".synth-complaints").getByText("no other way").count()).toBe(0);
});

test("dragging on the timeline moves through time, its strip selects; it zooms and goes from transition to transition", async () => {
  const result = await made({
    points: [
      [0, 0],
      [1, 6],
      [0, 12],
    ],
    smooth: true,
    seed: 1,
  });
  const { page } = await studio.open({ hash: `make/${result.id}` });
  await takeHome(page).waitFor();
  const timeline = page.locator("canvas.timeline");
  const now = async () => Number(await timeline.getAttribute("aria-valuenow"));
  await until(
    async () => Number(await timeline.getAttribute("aria-valuemax")),
    (s) => s > 2,
    "loaded",
  );
  await stroke(page, timeline, [
    [0.1, 0.6],
    [0.5, 0.6],
  ]);
  const seconds = result.members[0]!.seconds;
  expect(Math.abs((await now()) - seconds / 2), "where the hand let go").toBeLessThan(0.05 * seconds);
  expect(await page.getByRole("button", { name: "Solve this part again" }).count()).toBe(0);
  await stroke(page, timeline, [
    [0.3, 0.05],
    [0.6, 0.05],
  ]);
  await page.getByRole("button", { name: "Solve this part again" }).waitFor();
  // An end of the part is dragged by itself.
  const to = page.locator(".resolve-row").getByLabel("to");
  const before = Number(await to.inputValue());
  await stroke(page, timeline, [
    [0.6, 0.05],
    [0.9, 0.05],
  ]);
  expect(Number(await to.inputValue())).toBeGreaterThan(before + 0.1 * seconds);
  const marks = result.members[0]!.transitions.map((t) => t.t).sort((a, b) => a - b);
  expect(marks.length).toBeGreaterThan(0);
  await page.locator(".make-result").getByRole("button", { name: "To the start (Home)" }).click();
  await page.getByRole("button", { name: "Next transition (N)" }).click();
  expect(await now()).toBeCloseTo(marks[0]!, 1);
  const whole = await pixelsOf(timeline);
  await page.getByRole("button", { name: "Zoom the timeline in (+)" }).click();
  await changes(() => pixelsOf(timeline), whole, 0.01, "nearer");
  await page.getByRole("button", { name: "Show all of the timeline (0)" }).click();
  await until(
    async () => difference(whole, await pixelsOf(timeline)),
    (d) => d < 0.01,
    "all of it again",
  );
  // The player stays in sight while what is below it scrolls.
  const stage = page.locator(".make-result .stage");
  const top = (await stage.boundingBox())!;
  await takeHome(page).locator("code").scrollIntoViewIfNeeded();
  expect(await stage.boundingBox()).toEqual(top);
  expect(top.height).toBeGreaterThan(200);
});

test("a clip at a place and a way between two moments, from the page", async () => {
  const { page } = await studio.open({ hash: "make" });
  await plan(page).waitFor();
  await tool(page, /^A place to go to/);
  await stroke(page, plan(page), [
    [0.6, 0.5],
    [0.7, 0.6],
  ]);
  const section = page.getByRole("region", { name: "To a place" });
  const clips = await studio.server.get<{ name: string; in_graph: boolean }[]>("/api/clips");
  const walk = clips.find((c) => c.in_graph && c.name.includes("walk"))!.name;
  await section.getByLabel("What happens there").selectOption(walk);
  const before = (await results()).length;
  await section.getByRole("button", { name: "Go there" }).click();
  await until(results, (list) => list.length > before, "there", 300_000);
  await takeHome(page).locator("code", { hasText: "--end" }).waitFor();
  const ways = page.getByRole("region", { name: "From one moment to another" });
  const again = (await results()).length;
  await ways.getByRole("button", { name: "Connect" }).click();
  await until(results, (list) => list.length > again, "a way", 300_000);
  await takeHome(page).locator("code", { hasText: "gaitway connect" }).waitFor();
});

test("a crowd is taken home as one scene, at the rate and unit asked for, and an animation is drawn with progress", async () => {
  const crowd = await made({
    points: [
      [0, 0],
      [0.3, 5],
    ],
    count: 3,
    seed: 1,
  });
  const { page } = await studio.open({ hash: `make/${crowd.id}` });
  const section = takeHome(page);
  await section.waitFor();
  const home = join(studio.folder, "scene");
  mkdirSync(home, { recursive: true });
  const take = async (press: () => Promise<void>) => {
    const file = await downloadFrom(page, press);
    const path = join(home, file.suggestedFilename());
    copyFileSync(await file.path(), path);
    return path;
  };
  const glb = readFileSync(await take(() => section.getByRole("link", { name: /^Download Scene GLB/ }).click()));
  const document = JSON.parse(glb.subarray(20, 20 + glb.readUInt32LE(12)).toString()) as { skins: unknown[] };
  expect(document.skins.length).toBe(3);
  await section.getByText("Rate, unit, root motion").click();
  await section.getByLabel("Rate").selectOption("30");
  await section.getByLabel("BVH unit").selectOption("m");
  const zip = readFileSync(await take(() => section.getByRole("link", { name: /^Download Scene ZIP/ }).click()));
  expect(zip.toString("latin1")).toContain('"unit_m": 1.0');
  const bvh = await take(() => section.getByRole("link", { name: /^Download BVH/ }).click());
  expect(await gaitway(["info", bvh])).toMatch(/\b30(\.00)?\b/);
  // Stopped, nothing comes; else the file does.
  await section.getByRole("button", { name: /^Download Scene GIF/ }).click();
  await section.getByRole("progressbar", { name: "Drawing the Scene GIF" }).waitFor();
  await section.getByRole("button", { name: "Stop" }).click();
  await section.getByRole("button", { name: /^Download Scene GIF/ }).waitFor();
  const gif = await take(() => section.getByRole("button", { name: /^Download GIF/ }).click());
  expect(readFileSync(gif).subarray(0, 6).toString()).toBe("GIF89a");
});

test("the worst transition of a result is found by a key and looked at in the graph", async () => {
  const result = await made({ points: ZIGZAG, smooth: true, seed: 1 });
  const { page } = await studio.open({ hash: `make/${result.id}` });
  await takeHome(page).waitFor();
  const timeline = page.locator("canvas.timeline");
  await until(
    async () => Number(await timeline.getAttribute("aria-valuemax")),
    (s) => s > 2,
    "loaded",
  );
  const [worst] = [...result.members[0]!.transitions].sort((a, b) => b.distance_cm - a.distance_cm);
  await timeline.focus();
  await page.keyboard.press("w");
  await until(
    async () => Number(await timeline.getAttribute("aria-valuenow")),
    (now) => Math.abs(now - worst!.t) < 0.05,
    "at the worst",
  );
  await page.keyboard.press("i");
  const words = page.locator(".inspector-facts");
  await words
    .getByText(`${worst!.distance_cm.toFixed(1)} cm apart`)
    .first()
    .waitFor();
  expect(await words.locator(".inspector-names").textContent()).toContain(worst!.from.split("@")[0]);
  expect(await words.textContent()).toContain("In the graph");
  await page.goBack();
  await timeline.waitFor();
});
