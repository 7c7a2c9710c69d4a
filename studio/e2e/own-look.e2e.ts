/** A project of one's own in both themes: pictures to look at, and what the accessibility checker says. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import type { Page } from "playwright-core";
import { dropFiles, until } from "./harness/acts";
import { amcText, asfText } from "./harness/asf";
import { accessibility } from "./harness/axe";
import type { Theme } from "./harness/browser";
import { useStudio } from "./harness/fixture";

const studio = useStudio();

const SCENES: readonly { name: string; settle: (page: Page) => Promise<unknown> }[] = [
  { name: "groups", settle: async () => {} },
  {
    name: "selected",
    settle: async (page) => {
      await page
        .locator(".clip-card")
        .nth(1)
        .click({ modifiers: ["Control"] });
      await page
        .locator(".clip-card")
        .nth(2)
        .click({ modifiers: ["Shift"] });
      await page.getByText("2 selected").waitFor();
    },
  },
  {
    name: "findings",
    settle: async (page) => {
      await page.locator(".clip-card").first().click();
      await page.locator(".clip-title summary").first().click();
    },
  },
  {
    name: "reading",
    settle: async (page) => {
      await page.locator(".clip-title").getByRole("button", { name: "Read as…" }).click();
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "labels",
    settle: async (page) => {
      await page.getByRole("button", { name: "Labels…" }).click();
      await page.getByRole("button", { name: "Suggest from speed and turning" }).click();
      await page.getByRole("checkbox", { name: /^walk:/ }).waitFor();
    },
  },
  {
    name: "projects",
    settle: async (page) => {
      await page.getByRole("button", { name: /^Project / }).click();
      await page.getByRole("dialog", { name: "Projects" }).waitFor();
    },
  },
];

for (const theme of ["light", "dark"] satisfies Theme[])
  test(`own clips, ${theme}`, async () => {
    await studio.server.post("/api/projects", { name: `Own ${theme}` });
    const tab = await studio.open({ theme });
    const { page } = tab;
    await page.getByRole("heading", { name: "Start with some motion" }).waitFor();
    const at = (name: string) => join(studio.folder, name);
    writeFileSync(at("swing.asf"), asfText());
    writeFileSync(at("swing_01.amc"), amcText(240));
    writeFileSync(at("broken.bvh"), "HIERARCHY\nROOT x\n{");
    const clips = inject("clips");
    const walks = readdirSync(clips).filter((name) => /^walk_(normal|left)/.test(name));
    const files = [...walks.map((name) => join(clips, name)), at("swing.asf"), at("swing_01.amc"), at("broken.bvh")];
    await dropFiles(page, files);
    await until(
      () => page.locator(".clip-card").count(),
      (n) => n === walks.length + 1,
      "the clips",
    );
    await page.locator(".editors [role=tablist]").waitFor();
    for (const scene of SCENES) {
      await scene.settle(page);
      await tab.picture(`own-${scene.name}-${theme}`);
      const { serious, minor } = await accessibility(page);
      if (minor.length > 0) console.info(`${scene.name} ${theme}: ${JSON.stringify(minor)}`);
      expect(serious, `${scene.name} in ${theme}`).toEqual([]);
      await page.keyboard.press("Escape");
    }
  });
