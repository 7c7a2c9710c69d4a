/** A graph connected better by a button, what that brought, how interpolated motion is shown, and the way back. */
import { join } from "node:path";
import { afterAll, expect, inject, test } from "vitest";
import type { Connected, Job, Project, Result } from "../src/api/types";
import { until } from "./harness/acts";
import { accessibility } from "./harness/axe";
import { useStudio } from "./harness/fixture";
import { near, pixelsOf } from "./harness/png";
import { gaitway, remove, scratch } from "./harness/server";

const folder = scratch("enrich");
afterAll(() => remove(folder));

/** Few clips, so that it takes seconds. */
const studio = useStudio({
  inputs: async () => {
    const clips = inject("clips");
    const files = ["walk_slow_01", "walk_fast_01", "sneak_01"].map((name) => `${name}.bvh`);
    const graph = join(folder, "g.gway");
    const build = ["--quiet", "build", ...files, "--labels", "labels.csv", "--threshold", "3", "-o", graph];
    await gaitway(build, clips);
    return [graph];
  },
});

/** Of interpolated motion, in the light theme. */
const BLUE = [0x1d, 0x4e, 0xd8] as const;

const summary = async () => (await studio.server.get<Project>("/api/project")).graph!;

/** A walk through interpolated motion. */
async function walkThrough(): Promise<Result> {
  for (let seed = 1; seed <= 20; seed++) {
    const { id } = await studio.server.post<Job>("/api/jobs", { kind: "walk", seconds: 20, seed });
    const done = await until(
      () => studio.server.get<Job>(`/api/jobs/${id}`),
      (job) => job.result !== null || job.state === "failed",
      "a walk",
    );
    const result = await studio.server.get<Result>(`/api/results/${done.result}`);
    if (result.members[0]!.interpolated.some((span) => span.end_s - span.start_s > 0.4)) return result;
  }
  throw new Error("no walk leads through interpolated motion");
}

test("Connect better tells before and after, shows what is interpolated, and leads back", async () => {
  const plain = await summary();
  const tab = await studio.open({ hash: "graph?tab=account", width: 1280, height: 800 });
  const { page } = tab;
  const card = page.locator(".connect");
  await card.locator("td.numbers").first().waitFor();
  expect(await card.locator("thead").count(), "one column before").toBe(0);
  const press = await card.getByRole("button", { name: "Connect better" }).boundingBox();
  expect(press!.y + press!.height, "in sight without scrolling").toBeLessThan(800);
  await tab.picture("enrich-before");
  await card.getByRole("button", { name: "Connect better" }).click();
  await card.getByRole("button", { name: "Use captured clips alone" }).waitFor();

  // Before and after, as the server measures them.
  const told = await studio.server.get<Connected>("/api/graph/connected");
  expect(await card.locator("thead th").allTextContents()).toEqual(["captured alone", "with interpolated"]);
  const words = (await card.textContent()) ?? "";
  expect(words).toContain(`${(100 * told.captured_alone!.largest_share).toFixed(1)} %`);
  expect(words).toContain(`${told.now.to_other_label_s!.toFixed(2)} s better`);
  expect(words).toContain(`3 captured clips and ${told.interpolated_clips} interpolated`);
  expect((await accessibility(page)).serious).toEqual([]);
  await tab.picture("enrich-after");

  // Lists are of captured clips, with the others as a number beside them.
  await page.goto(`${studio.server.url}#/library`);
  const total = page.getByText(`3 clips ·`, { exact: false }).first();
  await total.waitFor();
  expect(await total.textContent()).toContain(`and ${told.interpolated_clips} interpolated`);
  expect(await page.locator(".clip-card").count()).toBe(3);

  // The map has captured clips alone, and says what is dashed.
  await page.goto(`${studio.server.url}#/graph?tab=drawing`);
  await page.locator(".way-list").getByText("through interpolated motion").first().waitFor();
  await tab.picture("enrich-map");
  await page.goto(`${studio.server.url}#/graph?tab=drawing&lanes=all`);
  await page.locator(".component-keys").getByText("through interpolated motion").waitFor();
  await tab.picture("enrich-lanes");

  // A result: the strip of stripes says between which clips it lies.
  const result = await walkThrough();
  const span = result.members[0]!.interpolated.find((s) => s.end_s - s.start_s > 0.4)!;
  await page.goto(`${studio.server.url}#/make/${result.id}`);
  const timeline = page.locator(".timeline-box > .timeline");
  await timeline.waitFor();
  const seconds = await until(
    async () => Number(await timeline.getAttribute("aria-valuemax")),
    (v) => Math.abs(v - result.members[0]!.seconds) < 0.1,
    "the motion is on stage",
  );
  const box = (await timeline.boundingBox())!;
  const x = box.x + 10 + ((span.start_s + span.end_s) / 2 / seconds) * (box.width - 20);
  await page.mouse.move(x, box.y + 48);
  const hover = page.locator(".timeline-hover");
  const [a, b] = span.between;
  const expected = a === b ? `interpolated between two moments of ${a}` : `interpolated between ${a} and ${b}`;
  await until(
    () => hover.textContent(),
    (text) => text?.includes(expected) ?? false,
    "what plays there",
  );
  await page.mouse.click(x, box.y + 48);
  expect(await timeline.getAttribute("aria-valuetext")).toContain(expected);
  expect(near(await pixelsOf(timeline), BLUE, 10), "blue stripes").toBeGreaterThan(0.0005);
  await tab.picture("enrich-timeline");
  // Looked at closely, it says so itself.
  for (let k = 0; k < 6; k++) await page.keyboard.press("+");
  await page.mouse.move(0, 0);
  await tab.picture("enrich-timeline-near");

  // And back.
  await page.goto(`${studio.server.url}#/graph?tab=account`);
  await card.getByRole("button", { name: "Use captured clips alone" }).click();
  await card.getByRole("button", { name: "Connect better" }).waitFor();
  expect((await summary()).tag, "the graph it was").toBe(plain.tag);
  expect(await card.locator("thead").count()).toBe(0);
});

test("where nothing can be interpolated the reason is told, and the graph stays", async () => {
  const before = await summary();
  const { page } = await studio.open({ hash: "graph?tab=account" });
  const card = page.locator(".connect");
  const press = card.getByRole("button", { name: "Connect better" });
  await press.waitFor();
  // As the server says it of clips without contacts.
  const why = "no clip's contacts are known, so nothing says which stretches go together";
  await page.route("**/api/jobs", async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    const job: Job = {
      id: "enrich-999999",
      kind: "enrich",
      state: "failed",
      part: 0.02,
      message: "failed",
      error: why,
      hint: "The graph is as it was.",
      result: null,
      clips: [],
      can_undo: false,
      created_ms: Date.now(),
      elapsed_s: 0.1,
    };
    await route.fulfill({ status: 202, json: job });
  });
  await press.click();
  const notice = card.getByRole("alert");
  await notice.waitFor();
  expect(await notice.textContent()).toContain(`Not connected better: ${why}. The graph is as it was.`);
  await press.waitFor();
  expect(await summary()).toEqual(before);
});
