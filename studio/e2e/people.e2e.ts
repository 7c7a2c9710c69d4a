/** People of different sizes in one project: put on one body by a job, taken back, and built from. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, inject, test } from "vitest";
import type { Page } from "playwright-core";
import type { Clip, Project } from "../src/api/types";
import { dropFiles, jobs, quiet, until } from "./harness/acts";
import { accessibility } from "./harness/axe";
import { cuts } from "./harness/cut";
import { makeFigures, type Figures } from "./harness/figure";
import { useStudio } from "./harness/fixture";
import { gaitway } from "./harness/server";

const studio = useStudio();
const clips = () => studio.server.get<Clip[]>("/api/clips");
const names = async () => (await clips()).map((clip) => clip.name).sort();

let files: string[];
let figures: Figures;
beforeAll(async () => {
  const folder = inject("clips");
  const [one, two] = readdirSync(folder).filter((file) => /^walk_.*\.bvh$/.test(file));
  const bob = join(studio.folder, "bob.bvh");
  await gaitway(["--quiet", "edit", join(folder, one!), "-o", bob, "--taller=-10%", "--legs=-5%"]);
  files = [join(folder, one!), join(folder, two!), bob];
  figures = await makeFigures();
});

/** Presses the dialog's own button, once it says what it will do. */
async function agree(page: Page, words: RegExp): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByText(words).waitFor();
  await dialog.getByRole("button", { name: "Put them on it" }).click();
}

const told = (page: Page) => page.locator(".toast.done", { hasText: "on the body of" });

test("everybody is put on one body, taken back, put on it again, and one graph is built", async () => {
  await studio.server.post("/api/projects", { name: "People" });
  const tab = await studio.open();
  const { page } = tab;
  await page.getByRole("heading", { name: "Start with some motion" }).waitFor();
  await dropFiles(page, files);
  await until(clips, (list) => list.length === 3, "three clips");
  const before = await names();
  await page.getByText("These are clips of 2 bodies").waitFor();
  await page.getByRole("button", { name: "Put all on one body…" }).click();
  await page.getByRole("dialog").getByText("1 clip is put on the body of walk").waitFor();
  await tab.picture("people-dialog-light");
  expect((await accessibility(page)).serious).toEqual([]);
  await agree(page, /1 clip is put on the body of walk.*2 clips of it stay as they are/);
  await told(page).waitFor();
  await until(clips, (list) => list.length === 4, "a clip more");
  const made = (await clips()).find((clip) => clip.name.startsWith("bob_on_walk"))!;
  expect(made.labels.filter((row) => row.label.startsWith("person=")).length, "marked").toBe(1);
  await page.locator(".clip-card", { hasText: "bob_on_walk" }).waitFor();
  // Taken back by a press.
  await told(page).getByRole("button", { name: "Undo" }).click();
  await page.getByText("taken back").waitFor();
  expect(await names()).toEqual(before);
  expect((await clips()).flatMap((clip) => clip.labels.map((row) => row.label))).not.toContain(made.labels[0]!.label);
  // Again, from the heading of the group it shall be, and on to a graph of everybody.
  await page.locator(".body-head", { hasText: "2 clips" }).getByRole("button", { name: "Put all on it…" }).click();
  await agree(page, /1 clip is put on/);
  await until(clips, (list) => list.length === 4, "a clip more");
  await tab.picture("people-light");
  await page
    .locator(".body-head", { hasText: "3 clips" })
    .getByRole("button", { name: "Build from this group" })
    .click();
  const graph = await until(
    async () => (await studio.server.get<Project>("/api/project")).graph,
    (made) => made !== null,
    "a graph",
  );
  expect(graph?.clips, "everybody is in the graph").toBe(3);
  // What one person did can be asked for.
  const person = (await clips()).find((clip) => clip.name.startsWith("bob_on_walk"))!.labels[0]!.label;
  const job = await studio.server.post<{ id: string }>("/api/jobs", { kind: "walk", seconds: 1, label: person });
  await quiet(studio.server);
  expect((await studio.server.get<{ state: string }>(`/api/jobs/${job.id}`)).state).toBe("done");
});

test("some clips, and then all that are not there yet, on a character", async () => {
  await studio.server.post("/api/projects", { name: "On hero" });
  const tab = await studio.open();
  const { page } = tab;
  await page.getByRole("heading", { name: "Start with some motion" }).waitFor();
  await dropFiles(page, files);
  await until(clips, (list) => list.length === 3, "three clips");
  await dropFiles(page, [figures.still]);
  await page.locator(".character-view .found-state", { hasText: "times as long" }).waitFor();
  // One that is selected.
  await page.locator(".clip-card", { hasText: "bob" }).click({ modifiers: ["Control"] });
  await page.getByRole("button", { name: "On a body…" }).click();
  await agree(page, /1 clip is put on hero/);
  await until(names, (list) => list.includes("bob_on_hero"), "a clip of it");
  // All the others.
  const before = await names();
  await page.getByRole("button", { name: "Select none (Esc)" }).click();
  await tab.goTo(`/library?character=${(await studio.server.get<{ id: string }[]>("/api/characters"))[0]!.id}`);
  await page.getByRole("button", { name: "All clips on it…" }).click();
  await tab.picture("people-character-light");
  await agree(page, /clips are put on hero/);
  await quiet(studio.server);
  await until(names, (list) => list.length === before.length + 2, "those that were not there yet");
  const [job] = await jobs(studio.server, "retarget");
  expect(job).toMatchObject({ state: "done", can_undo: true });
  expect(job!.clips.length).toBe(2);
});

test("nothing is cut on a phone", async () => {
  const tab = await studio.open({ width: 390, height: 844 });
  const { page } = tab;
  await page.locator(".clip-card").first().waitFor();
  await page.getByRole("button", { name: "Select all" }).click();
  await page.getByRole("button", { name: "On a body…" }).click();
  await page.getByRole("dialog").waitFor();
  expect(await cuts(page)).toEqual([]);
  await tab.picture("people-phone-light");
});
