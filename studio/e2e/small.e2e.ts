/** A laptop's screen of 1280 × 720: every control whole, and room for what is looked at. */
import { expect, test } from "vitest";
import { cuts } from "./harness/cut";
import { useStudio } from "./harness/fixture";
import { SCENES } from "./harness/scenes";
import { spills } from "./harness/spill";

const studio = useStudio();
const LAPTOP = { width: 1280, height: 720 };

for (const scene of SCENES)
  test(`${scene.name}: nothing is cut at ${LAPTOP.width} × ${LAPTOP.height}`, async () => {
    const tab = await studio.open({ hash: scene.hash, theme: "light", ...LAPTOP });
    await scene.settle(tab.page);
    await tab.page.waitForTimeout(400);
    await tab.picture(`laptop-${scene.name}-light`);
    expect(await cuts(tab.page), "cut").toEqual([]);
    expect(await spills(tab.page), "sideways").toEqual([]);
    await tab.page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await tab.page.locator("html[data-theme=dark]").waitFor();
    await tab.page.waitForTimeout(300);
    await tab.picture(`laptop-${scene.name}-dark`);
  });
