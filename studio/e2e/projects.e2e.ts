/** One's own clips: from a folder dropped on a fresh studio to a graph, with the clicks counted; projects that do not mix. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import type { Page } from "playwright-core";
import type { Body, Clip, Job, Project, ProjectEntry } from "../src/api/types";
import { dropFiles, quiet, until } from "./harness/acts";
import { useStudio } from "./harness/fixture";
import { gaitway } from "./harness/server";

const studio = useStudio();
const data = process.env["GAITWAY_DATA"];

/** Counts what a person presses: every click that reaches the page. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counted = window as unknown as { clicks: number };
    counted.clicks = 0;
    addEventListener("click", (event) => event.isTrusted && (counted.clicks += 1), true);
  });
  return () => page.evaluate(() => (window as unknown as { clicks: number }).clicks);
}

function ownClips(): string[] {
  const folder = data ? join(data, "cmu-bvh", "16") : "";
  const from = folder && existsSync(folder) ? folder : inject("clips");
  return readdirSync(from)
    .filter((name) => name.endsWith(".bvh"))
    .map((name) => join(from, name));
}

test("a folder of clips dropped on a fresh studio becomes a graph in at most four clicks", async () => {
  const { page } = await studio.open();
  await page.locator(".clip-card").first().waitFor();
  const demo = await studio.server.get<Clip[]>("/api/clips");
  const clicks = await countClicks(page);
  const files = ownClips();
  const begun = performance.now();
  await dropFiles(page, files);
  const dialog = page.getByRole("dialog", { name: "Put these clips into a new project?" });
  await dialog.getByRole("textbox").fill("Subject 16");
  await dialog.getByRole("button", { name: "New project" }).click();
  await page.getByRole("button", { name: "Build from this group" }).first().click({ timeout: 60_000 });
  await page.getByText("The graph is built").waitFor({ timeout: 400_000 });
  const seconds = (performance.now() - begun) / 1000;
  const pressed = await clicks();
  console.log(`first graph of ${files.length} own clips: ${pressed} clicks, ${seconds.toFixed(1)} s`);
  expect(pressed).toBeLessThanOrEqual(4);
  const project = await studio.server.get<Project>("/api/project");
  expect(project.name).toBe("Subject 16");
  expect(project.demo).toBe(false);
  expect(project.graph!.clips).toBeGreaterThanOrEqual(files.length - 1);
  // None of the demo's clips came along, and none of these went there.
  const own = await studio.server.get<Clip[]>("/api/clips");
  const names = new Set(demo.map((clip) => clip.name));
  if (files[0]!.includes("cmu-bvh")) expect(own.some((clip) => names.has(clip.name))).toBe(false);
  await page.getByRole("button", { name: /^Project Subject 16/ }).click();
  await page.getByRole("dialog", { name: "Projects" }).getByRole("button", { name: /^Demo/ }).click();
  await page.getByRole("button", { name: /^Project Demo/ }).waitFor();
  await until(
    () => page.locator(".clip-card").count(),
    (n) => n === demo.length,
    "the demo's clips, and no others",
  );
});

test("another tab is told when a project is opened, and what it does is refused", async () => {
  const first = await studio.open();
  await first.page.locator(".clip-card").first().waitFor();
  const second = await studio.open();
  await second.page.locator(".clip-card").first().waitFor();
  first.expectProblems(/409/);
  second.expectProblems(/409/);
  await second.page.getByRole("button", { name: /^Project Demo/ }).click();
  await second.page.getByRole("button", { name: "New project…" }).click();
  await second.page.getByRole("dialog").locator("input").fill("Empty");
  await second.page.keyboard.press("Enter");
  await second.page.getByRole("heading", { name: "Start with some motion" }).waitFor();
  const told = first.page.locator(".bar.warn", { hasText: "Another tab opened" });
  await told.waitFor();
  expect(await told.textContent()).toContain("Empty");
  await told.getByRole("button", { name: "Show it" }).click();
  await first.page.getByRole("heading", { name: "Start with some motion" }).waitFor();
  const list = await studio.server.get<ProjectEntry[]>("/api/projects");
  expect(list.find((project) => project.open)!.name).toBe("Empty");
});

test("save as: the copy goes its own way", async () => {
  await studio.server.post("/api/projects", { name: "Original" });
  const { page } = await studio.open();
  await page.getByRole("heading", { name: "Start with some motion" }).waitFor();
  const [one] = readdirSync(inject("clips")).filter((name) => name.startsWith("walk_normal"));
  await dropFiles(page, [join(inject("clips"), one!)]);
  await page.locator(".clip-card").waitFor();
  await page.getByRole("button", { name: /^Project Original/ }).click();
  await page.getByRole("button", { name: "Save as…" }).click();
  await page.getByRole("dialog").locator("input").fill("Copy");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^Project Copy/ }).waitFor();
  await page.locator(".clip-card").waitFor();
  await page.locator(".clip-card").click({ modifiers: ["Control"] });
  await page.getByRole("group", { name: "Selected clips" }).getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByRole("heading", { name: "Start with some motion" }).waitFor();
  await studio.server.post("/api/projects/open", { folder: "original" });
  expect((await studio.server.get<Clip[]>("/api/clips")).length).toBe(1);
});

test("two bodies: each has its picture, a build of both says what to press, and one is built", async () => {
  await studio.server.post("/api/projects", { name: "Two bodies" });
  const { page } = await studio.open();
  await page.getByRole("heading", { name: "Start with some motion" }).waitFor();
  const clips = inject("clips");
  const walks = readdirSync(clips).filter((name) => /^walk_(normal|left)/.test(name));
  await dropFiles(
    page,
    walks.map((name) => join(clips, name)),
  );
  await until(
    () => page.locator(".clip-card").count(),
    (n) => n === walks.length,
    "the clips",
  );
  const { amcText, asfText } = await import("./harness/asf");
  const { writeFileSync } = await import("node:fs");
  const at = (name: string) => join(studio.folder, name);
  writeFileSync(at("swing.asf"), asfText());
  writeFileSync(at("swing_01.amc"), amcText(240));
  const tab = page;
  await dropFiles(tab, [at("swing_01.amc")]);
  // An AMC alone: its skeleton is asked for where it is missing.
  const card = page.locator(".upload[role=alert]");
  await card.waitFor();
  const chooser = page.waitForEvent("filechooser");
  await card.getByRole("button", { name: "Choose its skeleton (ASF)…" }).click();
  await (await chooser).setFiles(at("swing.asf"));
  await until(
    () => page.locator(".body-head").count(),
    (n) => n === 2,
    "two bodies",
  );
  const bodies = await studio.server.get<Body[]>("/api/bodies");
  expect(bodies.map((body) => body.clips.length)).toEqual([walks.length, 1]);
  for (const image of await page.locator(".body-head img").all())
    await until(
      () => image.evaluate((element: HTMLImageElement) => element.naturalWidth),
      (width) => width > 0,
      "a picture of the body",
    );
  const bar = page.locator(".bar", { hasText: "clips of 2 bodies" });
  await bar.waitFor();
  const job = await studio.server.post<Job>("/api/jobs", { kind: "build" });
  const failed = await until(
    () => studio.server.get<Job>(`/api/jobs/${job.id}`),
    (now) => now.state === "failed",
    "it fails",
  );
  expect(failed.hint).toContain("Build from this group");
  const complaint = page.locator(".bar.bad", { hasText: "one skeleton" });
  await complaint.waitFor();
  await complaint
    .getByRole("button", { name: /^Build from \d+ clips like/ })
    .first()
    .click();
  await page.getByText("The graph is built").waitFor({ timeout: 400_000 });
  await quiet(studio.server);
  expect((await studio.server.get<Project>("/api/project")).graph!.clips).toBe(walks.length);
  // A graph of the other body would take its place: that is asked first.
  await page.getByRole("button", { name: "Build from this group" }).nth(1).click();
  const asks = page.getByRole("dialog", { name: "Build in place of the graph that is there?" });
  await asks.getByRole("button", { name: "Cancel" }).click();
  expect((await studio.server.get<Project>("/api/project")).graph!.clips).toBe(walks.length);
  expect((await studio.server.get<Job[]>("/api/jobs")).filter((j) => j.state === "running").length).toBe(0);
});

test("a graph without a transition says so, and what to press", async () => {
  await studio.server.post("/api/projects", { name: "Short" });
  const { page } = await studio.open();
  await page.getByRole("heading", { name: "Start with some motion" }).waitFor();
  const [walk] = readdirSync(inject("clips")).filter((name) => name.startsWith("walk_normal"));
  const short = join(studio.folder, "short.bvh");
  await gaitway(["--quiet", "convert", join(inject("clips"), walk!), short, "--cut", "0..0.2"]);
  await dropFiles(page, [short]);
  await page.getByRole("button", { name: "Build from this group" }).click();
  const bar = page.locator(".bar", { hasText: "The graph has no transition" });
  await bar.waitFor({ timeout: 60_000 });
  await bar.getByRole("button", { name: "See what was lost" }).click();
  await page.locator("#panel-account").waitFor();
});
