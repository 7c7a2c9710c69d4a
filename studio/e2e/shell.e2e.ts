/** The page as a whole: how soon there is something to see, its policy, its addresses, and a server that asks for a token. */
import { expect, test } from "vitest";
import { useStudio } from "./harness/fixture";
import { accessibility } from "./harness/axe";
import { Tab } from "./harness/browser";
import { StudioServer, remove, scratch } from "./harness/server";

const studio = useStudio();

test("the first picture is there, and how soon", async () => {
  const begun = performance.now();
  const { page } = await studio.open();
  await page.locator(".clip-card").first().waitFor();
  const seen = performance.now() - begun;
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null);
  // Reported, not asserted: how long it takes is a matter of the machine.
  console.info(`first clips after ${seen.toFixed(0)} ms from an empty browser, first paint at ${paint?.toFixed(0)} ms`);
  expect(await page.title()).toBe("Library · Gaitway studio");
});

test("a strict content policy comes with the page", async () => {
  const answer = await fetch(studio.server.url);
  const policy = answer.headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/default-src '(self|none)'/);
  expect(policy).not.toMatch(/unsafe-eval|\*/);
  expect(policy).not.toMatch(/script-src[^;]*unsafe-inline/);
  expect(policy).toMatch(/frame-ancestors 'none'/);
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
});

test("a view has an address: back, forward and reload land there", async () => {
  const { page } = await studio.open();
  await page.locator(".clip-card").first().waitFor();
  await page.getByRole("link", { name: "Graph" }).click();
  await page.locator("#panel-account").waitFor();
  await page.getByRole("link", { name: "Make" }).click();
  await page.getByRole("application", { name: /^Floor plan/ }).waitFor();
  await page.goBack();
  await page.locator("#panel-account").waitFor();
  await page.reload();
  await page.locator("#panel-account").waitFor();
  expect(await page.title()).toBe("Graph · Gaitway studio");
});

test("with a token the page opens by its address, and without it there is nothing", async () => {
  const folder = scratch("token");
  const server = await StudioServer.start({
    project: `${folder}/project`,
    more: ["--bind", "127.0.0.2", "--token", "a-long-enough-token-for-this"],
  });
  try {
    expect((await fetch(new URL("/api/project", server.url))).status).toBe(401);
    // Somebody who only has the address is asked, on a page.
    const asked = await Tab.open(studio.browser, server.url);
    asked.expectProblems(/answer 401/);
    await asked.page.getByRole("heading", { name: "Gaitway studio" }).waitFor();
    expect((await accessibility(asked.page)).serious).toEqual([]);
    const field = asked.page.getByLabel("Token");
    await field.fill("not-the-right-one");
    await asked.page.getByRole("button", { name: "Open the studio" }).click();
    await asked.page.getByText("That is not this studio's token.").waitFor();
    await field.fill("a-long-enough-token-for-this");
    await asked.page.keyboard.press("Enter");
    await asked.page.locator(".clip-card").first().waitFor();
    expect(asked.page.url()).not.toContain("token");
    expect(asked.unexpected).toEqual([]);
    await asked.close();
    const tab = await Tab.open(studio.browser, `${server.url}?token=a-long-enough-token-for-this`);
    await tab.page.locator(".clip-card").first().waitFor();
    expect(tab.page.url(), "the token does not stay in the address").not.toContain("token=");
    expect(tab.unexpected).toEqual([]);
    await tab.close();
  } finally {
    await server.stop();
    remove(folder);
  }
});

test("two tabs follow the same job", async () => {
  const [a, b] = [await studio.open(), await studio.open({ hash: "graph" })];
  await a.page.locator(".clip-card").first().waitFor();
  const project = await studio.server.get<{ build: object }>("/api/project");
  await studio.server.post("/api/jobs", { kind: "build", options: project.build });
  await Promise.all([a, b].map(({ page }) => page.getByText("The graph is built").waitFor({ timeout: 300_000 })));
});
