/** The make view: sketch, paint, obstacle, synthesize, play, take home. */
import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { Locator, Page } from "playwright-core";
import type { Result, ResultSummary } from "../src/api/types";
import { BEND, changes, downloadFrom, jobs, stroke, until } from "./harness/acts";
import { PICTURES } from "./harness/browser";
import { useStudio } from "./harness/fixture";
import { colours, difference, pixelsOf } from "./harness/png";
import { binary, gaitway } from "./harness/server";

const studio = useStudio();

const plan = (page: Page): Locator => page.getByRole("application", { name: /^Floor plan/ });
const tool = (page: Page, name: RegExp) =>
  page.getByRole("toolbar", { name: "Floor plan tools" }).getByRole("button", { name }).click();
const results = () => studio.server.get<ResultSummary[]>("/api/results");

/** A sketch of a walk across the plan. */
async function sketched(): Promise<Page> {
  const { page } = await studio.open({ hash: "make" });
  await plan(page).waitFor();
  await tool(page, /^Draw freehand/);
  await stroke(page, plan(page), BEND);
  await page.getByText(/ m, \d+ points/).waitFor();
  return page;
}

/** Synthesizes and waits until the result is on stage. */
async function synthesize(page: Page): Promise<Result> {
  const before = new Set((await results()).map((r) => r.id));
  await page.getByRole("button", { name: "Synthesize" }).click();
  const all = await until(results, (list) => list.some((r) => !before.has(r.id)), "a result", 300_000);
  const made = all.find((r) => !before.has(r.id))!;
  await page.locator(".result-panel").getByRole("heading", { name: "Take home" }).waitFor();
  return studio.server.get<Result>(`/api/results/${made.id}`);
}

test("a drawn path in two styles round a pillar becomes a motion that plays", async () => {
  const page = await sketched();
  const bare = await pixelsOf(plan(page));
  await tool(page, /^Paint a style/);
  const brushes = page.getByRole("radiogroup", { name: "Label to paint with" });
  await brushes.getByText("sneak", { exact: true }).click();
  await stroke(page, plan(page), BEND.slice(13));
  expect(difference(bare, await pixelsOf(plan(page))), "paint on the plan").toBeGreaterThan(0.0005);
  await tool(page, /^Round obstacle/);
  await stroke(page, plan(page), [
    [0.5, 0.8],
    [0.53, 0.8],
  ]);
  const result = await synthesize(page);
  expect(result.members[0]!.seconds).toBeGreaterThan(2);
  expect(result.members[0]!.labels.map((l) => l.label)).toContain("sneak");
  const request = result.request as { styles: unknown[]; obstacles: unknown[] };
  expect(request.obstacles.length).toBe(1);
  expect(request.styles.length).toBeGreaterThan(0);
  // It is there to be looked at: not blank, and it moves.
  const stage = page.locator(".make-result .stage");
  const still = await pixelsOf(stage);
  expect(colours(still), "colours on the stage").toBeGreaterThan(40);
  await page.locator(".make-result").getByRole("button", { name: "Play (Space)" }).click();
  await changes(() => pixelsOf(stage), still, 0.001, "share of pixels that moved");
  await page.locator(".make-result").getByRole("button", { name: "Pause (Space)" }).click();
  // Numbers against bars, and transitions on the timeline.
  expect(await page.locator(".quality-bar").count()).toBeGreaterThan(1);
  expect(colours(await pixelsOf(page.locator("canvas.timeline"))), "the timeline").toBeGreaterThan(5);
});

test("files taken home are what they say they are, and the command line does the same", async () => {
  const page = await sketched();
  const result = await synthesize(page);
  const home = join(studio.folder, "home");
  mkdirSync(home, { recursive: true });
  const section = page.getByRole("region", { name: "Take home" });
  const take = async (name: RegExp) => {
    const file = await downloadFrom(page, () => section.getByRole("link", { name }).click());
    const path = join(home, file.suggestedFilename());
    copyFileSync(await file.path(), path);
    return path;
  };
  const bvh = await take(/^Download BVH/);
  const glb = await take(/^Download GLB/);
  const frames = result.members[0]!.frames;
  for (const path of [bvh, glb]) {
    const info = await gaitway(["info", path]);
    expect(info, path).toMatch(new RegExp(`\\b${frames}\\b`));
  }
  const report = JSON.parse(readFileSync(await take(/^Download Report/), "utf8")) as Record<string, unknown>;
  expect(JSON.stringify(report)).toContain("path_error_m");
  expect(
    readFileSync(await take(/^Download PNG/))
      .subarray(1, 4)
      .toString(),
  ).toBe("PNG");
  expect(readFileSync(await take(/^Download SVG/), "utf8")).toContain("<svg");
  expect(
    readFileSync(await take(/^Download NPZ/))
      .subarray(0, 2)
      .toString(),
  ).toBe("PK");
  if (result.files.includes("path.json")) await take(/^Download Path/);
  if (result.files.includes("obstacles.json")) await take(/^Download Obstacles/);

  const shown = (await section.locator("code").textContent()) ?? "";
  expect(shown).toMatch(/^gaitway path /);
  const made = await runShown(shown, home);
  expect(await gaitway(["info", made])).toMatch(new RegExp(`\\b${frames}\\b`));
});

/** Runs the command line as shown, in a folder with the downloaded files and the project's graph. */
async function runShown(command: string, home: string): Promise<string> {
  const words = splitWords(command);
  const graph = words.find((word) => word.endsWith(".gway"));
  if (graph && !existsSync(join(home, graph)))
    copyFileSync(join(studio.server.project, "graph.gway"), join(home, graph.split("/").at(-1)!));
  const out = words[words.indexOf("-o") + 1];
  if (!out) throw new Error(`no -o in ${command}`);
  await new Promise<void>((done, fail) => {
    execFile(
      "bash",
      ["-c", command],
      { cwd: home, env: { ...process.env, PATH: `${dirname(binary())}:${process.env["PATH"]}` } },
      (error, _, stderr) => (error && error.code !== 1 ? fail(new Error(`${command}\n${stderr}`)) : done()),
    );
  });
  const path = out.startsWith("/") ? out : join(home, out);
  expect(statSync(path).size).toBeGreaterThan(1000);
  return path;
}

function splitWords(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map((m) => m[1] ?? m[2] ?? m[3] ?? "");
}

/** Along the strip at the top of the timeline. */
const selectPart = (page: Page) =>
  stroke(page, page.locator("canvas.timeline"), [
    [0.2, 0.05],
    [0.8, 0.05],
  ]);

/** Presses "Solve this part again" until there is another way: not every seed has one. */
async function solvedAgain(page: Page): Promise<Result> {
  const again = page.getByRole("button", { name: "Solve this part again" });
  for (;;) {
    const before = (await jobs(studio.server, "resolve")).length;
    await again.click();
    const [job] = await until(
      () => jobs(studio.server, "resolve"),
      (list) => list.length > before && ["done", "failed"].includes(list[0]!.state),
      "an answer",
      300_000,
    );
    const made = job!.result ? await studio.server.get<Result>(`/api/results/${job!.result}`) : null;
    if (made && made.notes[0]?.includes("are new")) return made;
    if (made) await page.getByText("these seconds are as before").waitFor();
    else expect(JSON.stringify(job!.error)).toContain("no other way");
  }
}

/** The files that a command line names, beside it in a folder of their own. */
async function takeFilesHome(result: Result, name: string): Promise<string> {
  const home = join(studio.folder, name);
  mkdirSync(home, { recursive: true });
  for (const file of result.files.filter((f) => f !== "graph.gway")) {
    const answer = await fetch(
      new URL(`/api/results/${result.id}/export?format=${file.replace(".json", "")}`, studio.server.url),
    );
    expect(answer.status, file).toBe(200);
    writeFileSync(join(home, file), new Uint8Array(await answer.arrayBuffer()));
  }
  return home;
}

const bvhOf = async (result: Result, member: number) =>
  Buffer.from(
    await (
      await fetch(new URL(`/api/results/${result.id}/export?format=bvh&member=${member}`, studio.server.url))
    ).arrayBuffer(),
  );

test("a part of the result is solved again, the rest is kept, and the shown command does the same to the byte", async () => {
  const page = await sketched();
  const first = await synthesize(page);
  const seconds = first.members[0]!.seconds;
  await selectPart(page);
  const second = await solvedAgain(page);
  const a = first.members[0]!.way[3]!;
  const b = second.members[0]!.way[3]!;
  expect(Math.hypot(a[0] - b[0], a[1] - b[1]), "the start is kept, metres").toBeLessThan(0.01);
  expect(second.members[0]!.seconds).toBeGreaterThan(seconds * 0.5);
  const code = page.getByRole("region", { name: "Take home" }).locator("code");
  await until(
    () => code.textContent(),
    (text) => text === second.command,
    "the new result's command is shown",
  );
  expect(second.command).toMatch(/--again [\d.]+\.\.[\d.]+ --from before\.json/);
  await page.getByRole("link", { name: /^Download Before/ }).waitFor();
  const made = await runShown(second.command, await takeFilesHome(second, "again"));
  expect(readFileSync(made).equals(await bvhOf(second, 0)), "the same frames").toBe(true);
});

test("one of a crowd is solved again, and the others stay", async () => {
  const page = await sketched();
  await page.getByRole("tab", { name: "Options" }).click();
  await page.locator("[data-param=count] input").fill("3");
  await page.locator("[data-param=count] input").blur();
  const crowd = await synthesize(page);
  await page.getByRole("radiogroup", { name: "People" }).getByRole("radio").nth(1).check({ force: true });
  await page.getByText("person 2's way").waitFor();
  const start = crowd.members[1]!.start_s!;
  await selectPart(page);
  const changed = await solvedAgain(page);
  expect(changed.members.length).toBe(3);
  expect(changed.members[1]!.start_s).toBe(start);
  for (const k of [0, 2])
    expect((await bvhOf(changed, k)).equals(await bvhOf(crowd, k)), `person ${k + 1} is as before`).toBe(true);
  expect((await bvhOf(changed, 1)).equals(await bvhOf(crowd, 1))).toBe(false);
  await until(
    () => page.evaluate(() => location.hash),
    (hash) => hash.startsWith(`#/make/${changed.id}?member=1`),
    "the one that was changed stays chosen",
  );
  await page.locator(".result-panel").scrollIntoViewIfNeeded();
  await page.screenshot({ path: join(PICTURES, "crowd.png") });
});

test("a walk without a path says why no part of it is solved again", async () => {
  const { page } = await studio.open({ hash: "make" });
  await plan(page).waitFor();
  const before = (await results()).length;
  await page.getByRole("button", { name: "Wander" }).click();
  const told = page.getByText(/^Seed \d+; the command line/);
  const first = await told.textContent();
  await until(results, (list) => list.length > before, "a walk", 300_000);
  const [walk] = (await results()).sort((a, b) => b.created_ms - a.created_ms);
  const { command } = await studio.server.get<Result>(`/api/results/${walk!.id}`);
  expect(command).toContain(`--seed ${/\d+/.exec(first ?? "")![0]} `);
  await page.getByText("A walk without a path has nothing to keep to").waitFor();
});

test("alternatives stand side by side, and a crowd walks together", async () => {
  const page = await sketched();
  await page.getByRole("tab", { name: "Options" }).click();
  await page.locator("[data-param=alternatives] input").fill("3");
  await page.locator("[data-param=alternatives] input").blur();
  const result = await synthesize(page);
  expect(result.members.length).toBeGreaterThan(1);
  const choices = page.getByRole("radiogroup", { name: "Alternatives" }).getByRole("radio");
  expect(await choices.count()).toBe(result.members.length);
  await choices.nth(1).check({ force: true });
  await page.locator("[data-param=alternatives] input").fill("1");
  await page.locator("[data-param=count] input").fill("3");
  await page.locator("[data-param=count] input").blur();
  const crowd = await synthesize(page);
  expect(new Set(crowd.members.map((m) => m.person)).size).toBe(3);
  expect(colours(await pixelsOf(page.locator(".make-result .stage")))).toBeGreaterThan(40);
});

test("a sketch can be edited, undone, and survives a reload", async () => {
  const page = await sketched();
  const facts = page.getByText(/ m, \d+ points/);
  const before = await facts.textContent();
  await page.getByRole("button", { name: "Larger" }).click();
  await until(
    () => facts.textContent(),
    (text) => text !== before,
    "a longer path",
  );
  await page.getByRole("button", { name: "Undo (Ctrl Z)" }).click();
  await until(
    () => facts.textContent(),
    (text) => text === before,
    "as before",
  );
  await page.reload();
  await until(
    () => facts.textContent(),
    (text) => text === before,
    "as before, after a reload",
  );
});

test("what cannot be done is told where it stands", async () => {
  const tab = await studio.open({ hash: "make" });
  const { page } = tab;
  await plan(page).waitFor();
  expect(await page.getByRole("button", { name: "Synthesize" }).isDisabled()).toBe(true);
  await page.getByText("Where should it go?").waitFor();
  // A box on the path: told beside the box.
  await tool(page, /^Draw freehand/);
  await stroke(page, plan(page), BEND);
  await tool(page, /^Box obstacle/);
  await stroke(page, plan(page), [
    [0.05, 0.45],
    [0.2, 0.6],
  ]);
  await page.getByText("The path runs through this obstacle").waitFor();
});

test("a path set point by point is not complained about while it is set, and the plan keeps its size", async () => {
  const { page } = await studio.open({ hash: "make" });
  await plan(page).waitFor();
  await tool(page, /^Draw by points/);
  const box = (await plan(page).boundingBox())!;
  await page.mouse.click(box.x + 0.3 * box.width, box.y + 0.4 * box.height);
  await page.locator(".points-details summary", { hasText: "1" }).waitFor();
  expect(await page.locator(".synth-complaints .notice").count()).toBe(0);
  expect(await plan(page).boundingBox()).toEqual(box);
  // Left alone, it is told that one point is no path.
  await tool(page, /^Select and move/);
  await page.locator(".synth-complaints .notice").waitFor();
});

/** A search that is not over before one has looked: a hundred people on a long path. */
async function longSearch() {
  const page = await sketched();
  for (let k = 0; k < 8; k++) await page.getByRole("button", { name: "Larger" }).click();
  await page.getByRole("tab", { name: "Options" }).click();
  await page.locator("[data-param=count] input").fill("100");
  await page.locator("[data-param=count] input").blur();
  await page.getByRole("button", { name: "Synthesize" }).click();
  const cancel = page.locator(".synth").getByRole("button", { name: "Cancel" });
  await cancel.waitFor();
  return { page, cancel };
}

test("a search is cancelled and the page says what became of it", async () => {
  const { page, cancel } = await longSearch();
  await page.getByRole("progressbar", { name: "Search" }).waitFor();
  await cancel.click();
  await page.getByText(/^Cancelled/).waitFor();
  const [job] = await jobs(studio.server, "path");
  expect(job?.state).toBe("cancelled");
});

test("a reload in the middle of a search finds it again", async () => {
  const { page, cancel } = await longSearch();
  await page.reload();
  await cancel.waitFor();
  await cancel.click();
  await page.getByText(/^Cancelled/).waitFor();
});

test("the film of a result is recorded", async () => {
  const page = await sketched();
  for (let k = 0; k < 3; k++) await page.getByRole("button", { name: "Smaller" }).click();
  await synthesize(page);
  const file = await downloadFrom(page, () =>
    page.getByRole("region", { name: "Take home" }).getByRole("button", { name: "WebM" }).click(),
  );
  const path = join(studio.folder, "film.webm");
  writeFileSync(path, readFileSync(await file.path()));
  // EBML: every WebM begins so.
  expect(readFileSync(path).subarray(0, 4).toString("hex")).toBe("1a45dfa3");
  expect(statSync(path).size).toBeGreaterThan(20_000);
});
