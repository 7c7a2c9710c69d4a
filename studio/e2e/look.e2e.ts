/** Every view in both themes: pictures to look at, and what the accessibility checker says. */
import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import type { Theme } from "./harness/browser";
import { accessibility } from "./harness/axe";
import { BEND, stroke, until } from "./harness/acts";
import { useStudio } from "./harness/fixture";
import { colours, decodePng } from "./harness/png";

const studio = useStudio();

interface Scene {
  readonly name: string;
  readonly hash: string;
  /** Brings the view into a state worth looking at. */
  readonly settle: (page: Page) => Promise<void>;
}

const first = (page: Page, selector: string) => page.locator(selector).first().waitFor();

const SCENES: readonly Scene[] = [
  { name: "library", hash: "library", settle: (page) => first(page, ".tl-item") },
  {
    name: "contacts",
    hash: "library",
    settle: async (page) => {
      await page.getByRole("tab", { name: "Contacts" }).click();
      await first(page, "#panel-contacts .tl-item");
    },
  },
  { name: "account", hash: "graph?tab=account", settle: (page) => first(page, "#panel-account .share") },
  { name: "thresholds", hash: "graph?tab=thresholds", settle: (page) => first(page, ".live-row") },
  {
    name: "distances",
    hash: "graph?tab=distances",
    settle: async (page) => {
      await first(page, ".tally-item");
      await page.getByRole("application", { name: /^Distance map/ }).focus();
      await page.keyboard.press("ArrowRight");
      await page.getByText("Why:").waitFor();
    },
  },
  { name: "drawing", hash: "graph?tab=drawing", settle: (page) => first(page, "#panel-drawing canvas") },
  {
    name: "make",
    hash: "make",
    settle: async (page) => {
      const plan = page.getByRole("application", { name: /^Floor plan/ });
      await plan.waitFor();
      await page.getByRole("button", { name: /^Draw freehand \(/ }).click();
      await stroke(page, plan, BEND);
      await page.getByRole("button", { name: "Synthesize" }).click();
      await page.getByRole("heading", { name: "Take home" }).waitFor();
    },
  },
  {
    name: "options",
    hash: "make",
    settle: async (page) => {
      await page.getByRole("tab", { name: "Options" }).click();
    },
  },
  {
    name: "keys",
    hash: "library",
    settle: async (page) => {
      await first(page, ".clip-card");
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keys" }).waitFor();
    },
  },
];

for (const theme of ["light", "dark"] as const satisfies readonly Theme[]) {
  for (const scene of SCENES) {
    test(`${scene.name} in ${theme}: nothing that locks people out`, async () => {
      const tab = await studio.open({ hash: scene.hash, theme });
      await scene.settle(tab.page);
      await tab.page.waitForTimeout(400);
      await tab.picture(`${scene.name}-${theme}`);
      expect(await tab.page.evaluate(() => document.documentElement.dataset["theme"])).toBe(theme);
      const { serious, minor } = await accessibility(tab.page);
      for (const finding of minor)
        console.info(`${scene.name}, ${theme}, ${finding.impact}: ${finding.help}: ${finding.places.join("; ")}`);
      expect(serious, "serious findings").toEqual([]);
    });
  }
}

test("nothing spills over the edge on a small screen", async () => {
  for (const hash of ["library", "graph?tab=account", "graph?tab=thresholds", "make"]) {
    const tab = await studio.open({ hash, width: 1024, height: 700 });
    await tab.page.waitForTimeout(600);
    const over = await tab.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(over, `pixels too wide: ${hash}`).toBeLessThanOrEqual(0);
    await tab.picture(`small-${hash.replace(/\W+/g, "-")}`);
  }
});

test("the theme is switched by hand and kept over a reload", async () => {
  const { page } = await studio.open({ theme: "light" });
  await first(page, ".clip-card");
  const light = decodePng(await page.screenshot());
  await page.getByRole("button", { name: "Light or dark" }).click();
  const now = () => page.evaluate(() => document.documentElement.dataset["theme"]);
  expect(await now()).toBe("dark");
  const brightness = (p: { rgba: Uint8Array }) => p.rgba.reduce((sum, v) => sum + v, 0) / p.rgba.length;
  expect(brightness(decodePng(await page.screenshot()))).toBeLessThan(brightness(light) - 40);
  await page.reload();
  await until(now, (value) => value === "dark", "dark after a reload");
  expect(colours(light)).toBeGreaterThan(50);
});
