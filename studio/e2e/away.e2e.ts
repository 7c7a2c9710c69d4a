/** The server goes away under an open page and comes back, as it was or as another version: nothing is lost. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import type { Clip, LabelSheet, ResultSummary } from "../src/api/types";
import { BEND, dropFiles, stroke, until } from "./harness/acts";
import { accessibility } from "./harness/axe";
import type { Tab } from "./harness/browser";
import { useStudio } from "./harness/fixture";
import { StudioServer } from "./harness/server";

const studio = useStudio();
const NOISE =
  /preload assets|Refused to apply style|WebSocket connection|ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED|ERR_NETWORK/;
const SAYS = "The studio's server does not answer";

test("clicks while it is away keep the tab, say so, and go on when it is back", async () => {
  const tab = await studio.open({ hash: "make" });
  tab.expectProblems(NOISE);
  const { page } = tab;
  const plan = page.getByRole("application", { name: /^Floor plan/ });
  await plan.waitFor();
  await page.getByRole("button", { name: /^Draw freehand \(/ }).click();
  await stroke(page, plan, BEND);
  // The other views' code is fetched in the background a moment after the page.
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some((r) => /graph-[\w-]+\.js/.test(r.name)),
  );
  const had = (await studio.server.get<ResultSummary[]>("/api/results")).length;
  await studio.restart(async () => {
    await page.getByText(SAYS).waitFor();
    await page.getByRole("button", { name: "Synthesize" }).click();
    await page.getByRole("button", { name: "Synthesize" }).click();
    await page.getByText("goes on when it is back").waitFor();
    expect(Object.values(await accessibility(page)).flat(), "findings while it is away").toEqual([]);
    await page.getByRole("link", { name: "Graph" }).click();
    await page.getByRole("tab", { name: "Account" }).waitFor();
    expect(await page.title()).toBe("Graph · Gaitway studio");
  });
  await page.locator("#panel-account .share").first().waitFor();
  await page.getByText(SAYS).waitFor({ state: "hidden" });
  const results = await until(
    () => studio.server.get<ResultSummary[]>("/api/results"),
    (list) => list.length > had,
    "what was asked for while it was away",
    300_000,
  );
  expect(results.length, "pressed twice, made once").toBe(had + 1);
  await page.getByRole("link", { name: "Make" }).click();
  await page.getByRole("heading", { name: "Take home" }).waitFor();
});

test("an edit made while it is away is saved when it is back", async () => {
  const tab = await studio.open({ theme: "dark" });
  tab.expectProblems(NOISE);
  const { page } = tab;
  const item = page.locator(".tl-item").first();
  await item.waitFor();
  const id = (await page.evaluate(() => location.hash)).split("/")[2]!;
  const path = `/api/clips/${id}/labels`;
  const before = await studio.server.get<LabelSheet>(path);
  await studio.restart(async () => {
    await page.getByText(SAYS).waitFor();
    await item.focus();
    await page.keyboard.press("Delete");
    await page.getByText("goes on when it is back").waitFor();
    expect(Object.values(await accessibility(page)).flat(), "findings while it is away, in the dark").toEqual([]);
  });
  await until(
    () => studio.server.get<LabelSheet>(path),
    (now) => now.rows.length === before.rows.length - 1,
    "the edit is saved",
  );
  await page.locator(".save-state.saved").waitFor();
});

test("a view whose code cannot be fetched is tried again, and the others stay", async () => {
  const tab = await studio.open();
  tab.expectProblems(NOISE, /Failed to fetch dynamically imported module|answer 503|Failed to load resource/);
  const { page } = tab;
  await page.route(/make-[\w-]+\.js/, (route) => route.abort());
  await page.locator(".clip-card").first().waitFor();
  await page.getByRole("link", { name: "Make" }).click();
  await page.getByRole("heading", { name: "This view could not be loaded" }).waitFor();
  await page.getByRole("link", { name: "Library" }).click();
  await page.locator(".clip-card").first().waitFor();
  await page.unroute(/make-[\w-]+\.js/);
  await page.getByRole("link", { name: "Make" }).click();
  await page.getByRole("application", { name: /^Floor plan/ }).waitFor();
});

test("a download while it is away begins when it is back", async () => {
  const tab = await studio.open();
  tab.expectProblems(NOISE);
  const { page } = tab;
  await page.locator(".tl-item").first().waitFor();
  const file = page.waitForEvent("download");
  await studio.restart(async () => {
    await page.getByText(SAYS).waitFor();
    await page.getByRole("link", { name: "Download all labels as CSV" }).first().click();
    await page.getByText("the download begins when it is back").waitFor();
  });
  expect((await file).suggestedFilename()).toBe("labels.csv");
});

/** Other tests go on with the project that the studio was started with. */
async function backToDemo(tab: Tab): Promise<void> {
  await tab.close();
  await studio.restart();
}

test("clips dropped while it is away arrive when it is back, each once", async () => {
  await studio.server.post("/api/projects", { name: "Away" });
  const tab = await studio.open();
  tab.expectProblems(NOISE);
  const { page } = tab;
  await page.getByRole("heading", { name: "Start with some motion" }).waitFor();
  const folder = inject("clips");
  const files = readdirSync(folder)
    .filter((name) => name.startsWith("walk_") && name.endsWith(".bvh"))
    .map((name) => join(folder, name));
  const { port } = studio.server;
  await studio.server.kill();
  await page.getByText(SAYS).waitFor();
  await dropFiles(page, files);
  const row = page.locator(".upload", { hasText: "goes on when the server is back" });
  await row.waitFor();
  const name = row.locator(".upload-name");
  expect((await name.boundingBox())!.width, "what waits has its name").toBeGreaterThan(120);
  studio.server = await StudioServer.start({ project: join(studio.folder, "away"), port });
  const clips = () => studio.server.get<Clip[]>("/api/clips");
  await until(clips, (list) => list.length === files.length, "all clips, each once");
  await page
    .locator(".clip-card")
    .nth(files.length - 1)
    .waitFor({ state: "attached" });
  expect(await page.locator(".upload").count()).toBe(0);
  await backToDemo(tab);
});

test("an upload that breaks off goes on with what is missing", async () => {
  await studio.server.post("/api/projects", { name: "Broken off" });
  const tab = await studio.open();
  tab.expectProblems(NOISE, /ERR_FAILED/);
  const { page } = tab;
  await page.getByRole("heading", { name: "Start with some motion" }).waitFor();
  const folder = inject("clips");
  const names = readdirSync(folder).filter((name) => /^run_.*\.bvh$/.test(name));
  // The server takes the first file, and the connection breaks before it can say so.
  let sent = 0;
  await page.route("**/api/clips?skip_bad=true", async (route) => {
    if (sent++ > 0) return route.continue();
    const form = new FormData();
    form.append("file", new Blob([readFileSync(join(folder, names[0]!))]), names[0]);
    await fetch(new URL("/api/clips", studio.server.url), { method: "POST", body: form });
    await route.abort("connectionreset");
  });
  await dropFiles(
    page,
    names.map((name) => join(folder, name)),
  );
  await page
    .locator(".clip-card")
    .nth(names.length - 1)
    .waitFor({ state: "attached" });
  const clips = await studio.server.get<Clip[]>("/api/clips");
  expect(clips.map((clip) => clip.file.split("/").at(-1)).sort()).toEqual([...names].sort());
  await backToDemo(tab);
});

test("another version under an open page asks for a reload, and the work is kept", async () => {
  const tab = await studio.open({ hash: "about:blank" });
  tab.expectProblems(NOISE);
  const { page } = tab;
  // The same server, said to be another program from its second greeting on.
  await page.addInitScript(() => {
    const Plain = window.WebSocket;
    let greetings = 0;
    window.WebSocket = class extends Plain {
      constructor(url: string | URL) {
        super(url);
        const set = (handler: (message: MessageEvent) => void) =>
          this.addEventListener("message", ({ data }: MessageEvent<string>) => {
            const event = JSON.parse(data) as { type: string; build?: string };
            if (event.type === "hello" && greetings++ > 0) event.build = "newer";
            handler(new MessageEvent("message", { data: JSON.stringify(event) }));
          });
        Object.defineProperty(this, "onmessage", { set });
      }
    };
  });
  await page.goto(`${studio.server.url}#/graph/thresholds`);
  await page.reload();
  const cell = page.locator(".matrix-cell .matrix-number").first();
  await cell.waitFor();
  const saved = await cell.textContent();
  await page.locator(".matrix-cell").first().focus();
  for (let k = 0; k < 3; k++) await page.keyboard.press("+");
  const mine = await until(
    () => cell.textContent(),
    (text) => text !== saved,
    "another threshold, not applied",
  );
  await studio.restart();
  await page.getByText("Another version of Gaitway serves this page now").waitFor();
  await page.getByRole("button", { name: "Reload" }).click();
  await until(
    () => cell.textContent().catch(() => null),
    (text) => text === mine,
    "the threshold that was not applied is there",
  );
  expect(await page.getByRole("button", { name: "Apply" }).isEnabled()).toBe(true);
});

test("a server that asks for a token under an open page says so", async () => {
  const clips = await studio.server.get<Clip[]>("/api/clips");
  expect(clips.length).toBeGreaterThan(0);
  const tab = await studio.open();
  tab.expectProblems(NOISE, /answer 401/);
  const { page } = tab;
  await page.locator(".clip-card").first().waitFor();
  const { port, project } = studio.server;
  await studio.server.stop();
  studio.server = await StudioServer.start({ project, port, more: ["--token", "a-long-enough-token"] });
  await page.getByText("The studio asks for its token again").waitFor();
  await page.getByRole("button", { name: "Reload" }).click();
  await page.getByLabel("Token").fill("a-long-enough-token");
  await page.keyboard.press("Enter");
  await page.locator(".clip-card").first().waitFor();
});
