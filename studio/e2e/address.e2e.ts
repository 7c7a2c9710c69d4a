/** Addresses: what is open can be linked to, survives a reload, and back and forward go through it; a wrong one says so. */
import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import type { Clip, Minima, ResultSummary } from "../src/api/types";
import { BEND, stroke, until } from "./harness/acts";
import { useStudio } from "./harness/fixture";

const studio = useStudio();

const hash = (page: Page) => page.evaluate(() => location.hash);
const at = (page: Page, wanted: string | RegExp) =>
  until(
    () => hash(page),
    (now) => (typeof wanted === "string" ? now === wanted : wanted.test(now)),
    `at ${wanted}`,
  );

test("the library opens on a walk, and a clip and its editor have addresses", async () => {
  const { page } = await studio.open();
  await page.locator(".editors [role=tablist]").waitFor();
  await at(page, /^#\/library\/[a-z0-9-]*walk[a-z0-9-]*$/);
  const clips = await studio.server.get<Clip[]>("/api/clips");
  const [a, b] = [clips[2]!, clips[4]!];
  for (const clip of [a, b]) {
    await page.locator(".clip-card", { hasText: clip.name }).first().click();
    await page.getByRole("heading", { name: clip.name, exact: true }).waitFor();
    await at(page, `#/library/${clip.id}`);
  }
  await page.getByRole("tab", { name: "Contacts" }).click();
  await at(page, `#/library/${b.id}/contacts`);
  await page.goBack();
  await page.getByRole("heading", { name: a.name, exact: true }).waitFor();
  await page.goForward();
  await page.getByRole("heading", { name: b.name, exact: true }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: b.name, exact: true }).waitFor();
  await page.getByRole("tab", { name: "Contacts", selected: true }).waitFor();
  // The view's link leads back to where one was.
  await page.getByRole("link", { name: "Graph" }).click();
  await page.locator("#panel-account").waitFor();
  await page.getByRole("link", { name: "Library" }).click();
  await at(page, `#/library/${b.id}/contacts`);
});

test("parts of the graph have addresses, down to a minimum", async () => {
  const { page } = await studio.open({ hash: "/graph" });
  await page.locator("#panel-account .share").first().waitFor();
  await at(page, "#/graph/account");
  await page.getByRole("tab", { name: "Drawing" }).click();
  await at(page, "#/graph/drawing");
  await page.goBack();
  await page.getByRole("tab", { name: "Account", selected: true }).waitFor();
  const clips = (await studio.server.get<Clip[]>("/api/clips")).filter((c) => c.in_graph);
  const [a, b] = [clips[3]!.id, clips[5]!.id];
  const { minima } = await studio.server.get<Minima>(`/api/graph/minima?a=${a}&b=${b}`);
  const { i, j } = minima[0]!;
  await page.goto(`${studio.server.url}#/graph/distances?a=${a}&b=${b}&i=${i}&j=${j}`);
  await page.reload();
  await page.locator(".inspector-facts").getByText("Why:").waitFor();
  expect(await page.getByLabel("First clip, downwards").inputValue()).toBe(a);
  expect(await page.getByLabel("Second clip, to the right").inputValue()).toBe(b);
  await page.getByRole("button", { name: "Swap the clips" }).click();
  await at(page, `#/graph/distances?a=${b}&b=${a}`);
});

test("results have addresses: a link, a reload, back and forward", async () => {
  const { page } = await studio.open({ hash: "/make" });
  const plan = page.getByRole("application", { name: /^Floor plan/ });
  await plan.waitFor();
  await page.getByRole("button", { name: /^Draw freehand \(/ }).click();
  await stroke(page, plan, BEND);
  const made: string[] = [];
  for (let k = 0; k < 2; k++) {
    await page.getByRole("button", { name: "Synthesize" }).click();
    const list = await until(
      () => studio.server.get<ResultSummary[]>("/api/results"),
      (all) => all.length > k,
      "a result",
      300_000,
    );
    made.push(list[0]!.id);
    await at(page, `#/make/${list[0]!.id}`);
  }
  await page.goBack();
  await at(page, `#/make/${made[0]}`);
  const chosen = async () => {
    await page.getByRole("tab", { name: "Results" }).click();
    const rows = page.locator(".results-list li");
    return until(
      async () => (await rows.nth(1).getAttribute("class")) ?? "",
      (text) => text.includes("open"),
      "the older result is open",
    );
  };
  await chosen();
  await at(page, `#/make/${made[0]}?tab=results`);
  await page.reload();
  await page.locator(".result-panel").getByRole("heading", { name: "Take home" }).waitFor();
  await page.getByRole("tab", { name: "Results", selected: true }).waitFor();
  const other = await studio.open({ hash: `/make/${made[1]}` });
  await other.page.locator(".result-panel").getByRole("heading", { name: "Take home" }).waitFor();
  await at(other.page, `#/make/${made[1]}`);
});

test("a name given in one tab is seen in the other, and after a restart", async () => {
  const list = await studio.server.get<ResultSummary[]>("/api/results");
  const first = await studio.open({ hash: "/make?tab=results" });
  await first.page.locator(".results-list li").first().waitFor();
  const second = await studio.open({ hash: "/make?tab=results" });
  await second.page.locator(".results-list li").first().waitFor();
  await first.page
    .locator(".results-list li")
    .first()
    .getByRole("button", { name: /^Rename/ })
    .click();
  await first.page.keyboard.press("Control+a");
  await first.page.keyboard.type("over the bridge");
  await first.page.keyboard.press("Enter");
  await second.page.locator(".result-name", { hasText: "over the bridge" }).waitFor();
  first.expectProblems(/WebSocket connection|ERR_CONNECTION|ERR_EMPTY_RESPONSE/);
  second.expectProblems(/WebSocket connection|ERR_CONNECTION|ERR_EMPTY_RESPONSE/);
  await studio.restart();
  const after = await studio.server.get<ResultSummary[]>("/api/results");
  expect(after.map((r) => r.name)).toEqual(["over the bridge", list[1]!.name]);
});

test("an address that leads nowhere says so, and leads on", async () => {
  const tab = await studio.open({ hash: "/nowhere/at/all" });
  const { page } = tab;
  tab.expectProblems(/answer 404/);
  await page.getByRole("heading", { name: "There is nothing at this address" }).waitFor();
  expect(await page.title()).toBe("Nothing here · Gaitway studio");
  await tab.picture("nowhere");
  await page.getByRole("main").getByRole("link", { name: "Graph" }).click();
  await page.locator("#panel-account").waitFor();
  await tab.goTo("/graph/nonsense");
  await page.getByRole("heading", { name: "The graph view has no part “nonsense”" }).waitFor();
  await page.getByRole("main").getByRole("link", { name: "Thresholds" }).click();
  await page.locator(".matrix-cell").first().waitFor();
  await tab.goTo("/library/no-such-clip");
  await page.getByRole("heading", { name: "There is no clip “no-such-clip”" }).waitFor();
  await tab.picture("no-such-clip");
  await page.getByRole("button", { name: "Show a clip that is here" }).click();
  await page.locator(".editors [role=tablist]").waitFor();
  await tab.goTo("/make/no-such-result");
  await page.getByText("there is no result “no-such-result”").waitFor();
  await page.getByRole("tab", { name: "Results", selected: true }).waitFor();
  await tab.goTo("/graph/distances?a=nobody&b=nobody");
  await page.getByText("There is no clip “nobody” in the graph").waitFor();
});
