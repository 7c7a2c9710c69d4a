/** Time on the plan: speeds painted, arrivals put down, what came of them, and what to do where they are missed. */
import { expect, test } from "vitest";
import type { Locator, Page } from "playwright-core";
import type { PathRequest, Result, ResultSummary } from "../src/api/types";
import { BEND, stroke, until } from "./harness/acts";
import { accessibility } from "./harness/axe";
import { useStudio } from "./harness/fixture";
import { difference, pixelsOf } from "./harness/png";
import { settled } from "./harness/settle";
import { spills } from "./harness/spill";

const studio = useStudio();

const plan = (page: Page): Locator => page.getByRole("application", { name: /^Floor plan/ });
const tool = (page: Page, name: RegExp) =>
  page.getByRole("toolbar", { name: "Floor plan tools" }).getByRole("button", { name }).click();
const results = () => studio.server.get<ResultSummary[]>("/api/results");
const times = (page: Page) => page.locator(".time-section");

async function fill(field: Locator, value: string): Promise<void> {
  await field.fill(value);
  await field.press("Tab");
}

/** Does something that makes a result, and waits until it is on stage. */
async function made(page: Page, press: () => Promise<void>): Promise<Result> {
  const before = new Set((await results()).map((r) => r.id));
  await press();
  const all = await until(results, (list) => list.some((r) => !before.has(r.id)), "a result", 300_000);
  const { id } = all.find((r) => !before.has(r.id))!;
  await until(
    () => Promise.resolve(page.url()),
    (url) => url.includes(id),
    "it is on stage",
  );
  return studio.server.get<Result>(`/api/results/${id}`);
}

const synthesize = (page: Page) => made(page, () => page.getByRole("button", { name: "Synthesize" }).click());

test("speeds are painted, a place gets a time, and bars say what came of them", async () => {
  const tab = await studio.open({ hash: "make" });
  const { page } = tab;
  await plan(page).waitFor();
  await tool(page, /^Draw freehand/);
  await stroke(page, plan(page), BEND);
  await page.getByText("it goes in the manner of its start").waitFor();
  const bare = await pixelsOf(plan(page));

  await tool(page, /^Paint a speed/);
  await page.getByRole("radiogroup", { name: "Speed to paint with" }).getByText("1 m/s", { exact: true }).click();
  await stroke(page, plan(page), BEND.slice(0, 13));
  await fill(page.locator(".time-tools input[type=number]"), "1.25");
  await stroke(page, plan(page), BEND.slice(13));
  const rows = page.locator(".speed-row");
  expect(await rows.count()).toBe(2);
  expect(await rows.nth(1).getByRole("spinbutton", { name: "m/s" }).inputValue()).toBe("1.25");
  await page.getByRole("button", { name: "Undo (Ctrl Z)" }).click();
  expect(await rows.count()).toBe(1);
  await page.getByRole("button", { name: "Redo (Ctrl Shift Z)" }).click();
  expect(await rows.count()).toBe(2);
  expect(difference(bare, await pixelsOf(plan(page))), "speeds on the plan").toBeGreaterThan(0.0005);

  await tool(page, /^Say when to be/);
  await stroke(page, plan(page), [BEND[12]!, BEND[12]!]);
  const there = page.getByLabel("Be there after");
  const likely = Number(await there.inputValue());
  expect(likely).toBeGreaterThan(2);
  await fill(there, String(likely + 0.1));
  expect(Number(await page.locator(".arrival-row").getByLabel("arrive after").inputValue())).toBeCloseTo(likely + 0.1);

  const result = await synthesize(page);
  const request = result.request as unknown as PathRequest;
  expect(request.speeds.map((s) => s.m_s)).toEqual([1, 1.25]);
  expect(request.arrivals.map((a) => a.time_s)).toEqual([Number((likely + 0.1).toFixed(4))]);
  expect(result.command).toContain("--arrive");
  // One bar for each wish, green or red as the report has it.
  const asked = result.members[0]!.report["constraints"] as { what: string; kept: boolean }[];
  const wished = asked.filter((r) => ["arrival", "speed", "duration"].includes(r.what));
  const bars = page.locator(".time-bar");
  expect(await bars.count()).toBe(3);
  for (const [k, row] of wished.entries()) {
    expect(await bars.nth(k).getAttribute("class")).toContain(row.kept ? "good" : "bad");
    expect(await bars.nth(k).textContent()).toMatch(row.what === "speed" ? /^Speed/ : /^Arrival/);
  }
  expect((await accessibility(page)).serious).toEqual([]);
  await tab.picture("time-light");
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await settled(page);
  await tab.picture("time-dark");
  // It is there after a reload, and in a narrow window.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await until(
    () => rows.count(),
    (n) => n === 2,
    "the speeds are kept",
  );
  expect(await page.locator(".arrival-row").count()).toBe(1);
  expect(await spills(page)).toEqual([]);
  await tab.picture("time-narrow");
});

test("a time that cannot be is refused at its place; one that is missed is told there, with buttons", async () => {
  const tab = await studio.open({ hash: "make" });
  tab.expectProblems(/answer 400: POST \/api\/jobs/);
  const { page } = tab;
  await plan(page).waitFor();
  await page.getByLabel("Shape").selectOption({ index: 1 });
  // By keyboard alone: two arrivals, the later place before the earlier one.
  const add = times(page).getByRole("button", { name: "Arrival", exact: true });
  for (const seconds of ["5", "4"]) {
    await add.focus();
    await page.keyboard.press("Enter");
    await fill(page.locator(".arrival-row").last().getByLabel("arrive after"), seconds);
  }
  await page.getByRole("button", { name: "Synthesize" }).click();
  await times(page)
    .getByText(/cannot follow/)
    .waitFor();
  expect(await page.locator(".arrival-row + .complaint").count()).toBe(1);
  await tab.picture("time-refused");

  // All of it in a minute: nobody walks so slowly, and what it came to can be asked for instead.
  await page
    .getByRole("button", { name: /^Remove the arrival/ })
    .last()
    .click();
  await page
    .getByRole("button", { name: /^Remove the arrival/ })
    .last()
    .click();
  await fill(times(page).getByLabel("Duration"), "60");
  const late = await synthesize(page);
  expect(late.members[0]!.report["status"]).toBe("ConstraintMissed");
  const why = page.getByRole("region", { name: "What is not as asked" });
  await why.getByText(/^duration not kept: .* early, asked for was 60.00 s$/).waitFor();
  await why.getByText(/^What may be played here takes/).waitFor();
  await times(page)
    .getByText(/^The motion ends after .* s early\.$/)
    .waitFor();
  expect(await page.locator(".time-bar.bad").count()).toBe(1);
  await tab.picture("time-missed");
  const kept = await made(page, () => why.getByRole("button", { name: /^Ask for .* s instead$/ }).click());
  expect(kept.members[0]!.report["status"]).toBe("Solved");
  await page.locator(".time-bar.good").waitFor();
  await why.waitFor({ state: "hidden" });

  // Anything may be asked for by name.
  await page.getByRole("button", { name: "Anything goes" }).click();
  await page.getByText("What is not painted may be anything.").waitFor();
  const free = await synthesize(page);
  expect((free.request as unknown as PathRequest).styles).toEqual([{ label: "any", from_m: 0, to_m: null }]);
});

test("a number out of bounds is refused with words, and what was there stays", async () => {
  const { page } = await studio.open({ hash: "make" });
  await plan(page).waitFor();
  const duration = times(page).getByLabel("Duration");
  await fill(duration, "12");
  await fill(duration, "-4");
  await times(page).getByText("-4 s is too little: 0.1 s is the least.").waitFor();
  await until(
    () => duration.inputValue(),
    (value) => value === "12",
    "what was there before",
  );
  await fill(duration, "14");
  await until(
    () => times(page).getByText("is too little").count(),
    (n) => n === 0,
    "the words are gone",
  );
  expect(await duration.inputValue()).toBe("14");
});
