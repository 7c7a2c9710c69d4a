/** Many clips at once: selected, labelled, read anew; findings mended where they stand. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, inject, test } from "vitest";
import type { Page } from "playwright-core";
import type { Clip } from "../src/api/types";
import { downloadFrom, dropFiles, stroke, until } from "./harness/acts";
import { useStudio } from "./harness/fixture";

const studio = useStudio();
const data = process.env["GAITWAY_DATA"];
const clips = () => studio.server.get<Clip[]>("/api/clips");

async function fresh(name: string, files: readonly string[]): Promise<Page> {
  await studio.server.post("/api/projects", { name });
  const { page } = await studio.open();
  await page.getByRole("heading", { name: "Start with some motion" }).waitFor();
  await dropFiles(page, files);
  await until(
    () => page.locator(".clip-card").count(),
    (n) => n === files.length,
    "the clips",
  );
  return page;
}

let takes: string[];
beforeAll(() => {
  const folder = inject("clips");
  takes = readdirSync(folder)
    .filter((name) => /^(walk|run)_/.test(name) && name.endsWith(".bvh"))
    .map((name) => join(folder, name));
});

test("several selected by mouse and by keys: labelled, taken home, removed", async () => {
  const page = await fresh("Several", takes);
  const bar = page.getByRole("group", { name: "Selected clips" });
  await page
    .locator(".clip-card")
    .nth(1)
    .click({ modifiers: ["Control"] });
  await page
    .locator(".clip-card")
    .nth(3)
    .click({ modifiers: ["Shift"] });
  await bar.getByText("3 selected").waitFor();
  await page.locator(".clip-card").nth(3).focus();
  await page.keyboard.press("Shift+ArrowDown");
  await bar.getByText("4 selected").waitFor();
  await bar.getByRole("button", { name: "Label…" }).click();
  await page.getByRole("dialog").locator("input").fill("chosen");
  await page.keyboard.press("Enter");
  const labelled = await until(
    clips,
    (list) => list.filter((clip) => clip.labels.some((row) => row.label === "chosen")).length === 4,
    "four are labelled",
  );
  const row = labelled.flatMap((clip) => clip.labels.map((label) => ({ ...label, seconds: clip.seconds })))[0]!;
  expect([row.start_s, row.end_s]).toEqual([0, row.seconds]);
  const file = await downloadFrom(page, async () => {
    await bar.getByRole("button", { name: "Export…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "BVH" }).click();
  });
  expect(file.suggestedFilename()).toBe("clips.zip");
  await page.locator(".clip-card").first().focus();
  await page.keyboard.press("Control+a");
  await bar.getByText(`${takes.length} selected`).waitFor();
  await page.keyboard.press("Escape");
  await bar.waitFor({ state: "hidden" });
});

test("labels by file name and by table are shown before they are put on; the motion's are only offered", async () => {
  const page = await fresh("Labels", takes);
  await page.getByRole("button", { name: "Labels…" }).click();
  const dialog = page.getByRole("dialog", { name: "Labels for all clips" });
  await dialog.getByRole("textbox", { name: "Pattern of file names" }).fill("walk_*");
  await page.keyboard.press("Enter");
  const walks = takes.filter((path) => path.includes("/walk_")).length;
  await dialog.getByText(`walk: ${walks} clips`).waitFor();
  expect((await clips()).every((clip) => clip.labels.length === 0)).toBe(true);
  await dialog.getByRole("button", { name: "Put them on" }).click();
  await until(
    clips,
    (list) => list.filter((clip) => clip.labels.some((row) => row.label === "walk")).length === walks,
    "walks are labelled",
  );
  // Taken back and put on again: what was there before is there.
  await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
  await until(clips, (list) => list.every((clip) => clip.labels.length === 0), "labels are taken back");
  await page.getByRole("button", { name: "Labels…" }).click();
  await dialog.getByRole("textbox", { name: "Pattern of file names" }).fill("walk_*");
  await page.keyboard.press("Enter");
  await dialog.getByText(`walk: ${walks} clips`).waitFor();
  await dialog.getByRole("button", { name: "Put them on" }).click();
  await until(clips, (list) => list.some((clip) => clip.labels.length > 0), "walks are labelled again");
  const table = join(studio.folder, "labels.csv");
  writeFileSync(table, "file,label,start_s,end_s\ntakes/run_01.bvh,run,,\ntakes/run_01.bvh,start,0,0.5\n");
  await page.getByRole("button", { name: "Labels…" }).click();
  const chooser = page.waitForEvent("filechooser");
  await dialog.getByRole("button", { name: "Table (CSV)…" }).click();
  await (await chooser).setFiles(table);
  await dialog.getByText("start: 1 clip").waitFor();
  await dialog.getByRole("button", { name: "Put them on" }).click();
  await until(clips, (list) => list.find((clip) => clip.name === "run_01")!.labels.length === 2, "the table's labels");
  await page.locator(".clip-card", { hasText: "run_01" }).first().click();
  await page.getByRole("button", { name: "Suggest…" }).click();
  const offered = page.getByRole("dialog", { name: "Labels for 1 clip" });
  await offered.getByRole("checkbox", { name: /^run:/ }).waitFor();
  await offered.getByRole("button", { name: "Cancel" }).click();
  expect((await clips()).find((clip) => clip.name === "run_01")!.labels.length).toBe(2);
  // A label that another clip has is drawn here on its own lane, and a new one on the last.
  const lane = page.locator(".tl-lane[aria-label=walk] .tl-track");
  await stroke(page, lane, [
    [0.2, 0.5],
    [0.5, 0.5],
  ]);
  await until(
    clips,
    (list) => list.find((clip) => clip.name === "run_01")!.labels.some((row) => row.label === "walk"),
    "drawn on any lane",
  );
});

test("the whole clip is labelled, playing or not", async () => {
  await studio.server.post("/api/projects", { name: "Whole" });
  const tab = await studio.open({ moving: true });
  const { page } = tab;
  await page.getByRole("heading", { name: "Start with some motion" }).waitFor();
  await dropFiles(page, takes.slice(0, 1));
  await page.getByRole("button", { name: "Label the whole clip…" }).waitFor();
  // It plays by itself, and is past its first frame.
  await until(
    () => page.locator(".transport .time").textContent(),
    (text) => /0:0[1-9]|0:00\.[5-9]/.test(text ?? ""),
    "the time runs",
  );
  await page.getByRole("button", { name: "Label the whole clip…" }).click();
  await page.keyboard.type("stroll");
  await page.keyboard.press("Enter");
  const [clip] = await until(clips, (list) => list[0]!.labels.length === 1, "one label");
  expect([clip!.labels[0]!.start_s, clip!.labels[0]!.end_s]).toEqual([0, clip!.seconds]);
});

test.runIf(data)("a wrong rate is mended for all clips of its evidence with one click", async () => {
  const folder = join(data!, "cmu-bvh", "143");
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".bvh"))
    .map((name) => join(folder, name));
  const page = await fresh("Wrong rate", files);
  await page.locator(".clip-card").first().click();
  await page.locator(".clip-title summary", { hasText: "warning" }).click();
  await page.getByRole("button", { name: `Play at 60 Hz, all ${files.length}` }).click();
  const list = await until(clips, (now) => now.every((clip) => clip.rate_hz === 60), "all play at 60 Hz");
  expect(list.flatMap((clip) => clip.warnings).filter((w) => w.code === "rate-implausible")).toEqual([]);
  // Routine facts are notes.
  await page.locator(".clip-title summary", { hasText: "note" }).first().waitFor();
});

test("a clip is read otherwise: cut, and the page shows what is left", async () => {
  const page = await fresh("Cut", takes.slice(0, 2));
  const [before] = await clips();
  await page.locator(".clip-card", { hasText: before!.name }).click();
  await page.getByRole("button", { name: "Read as…" }).click();
  const dialog = page.getByRole("dialog", { name: `How ${before!.name} is read` });
  await dialog.getByLabel("Keep from").fill("1");
  await dialog.getByLabel("Keep to").fill("2");
  await dialog.getByRole("button", { name: "Read anew" }).click();
  await until(
    clips,
    (list) => Math.abs(list.find((clip) => clip.id === before!.id)!.seconds - 1) < 0.05,
    "a second is left",
  );
  await page.locator(".clip-title", { hasText: "1.0 s" }).waitFor();
});
