/** A laptop's screen of 1280 × 720: every control whole, and room for what is looked at. */
import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import type { Page } from "playwright-core";
import { BEND, quiet, stroke } from "./harness/acts";
import { PICTURING, type Tab } from "./harness/browser";
import { cuts } from "./harness/cut";
import { useStudio } from "./harness/fixture";
import { first, SCENES } from "./harness/scenes";
import { scratch } from "./harness/server";
import { settled } from "./harness/settle";
import { spills } from "./harness/spill";

const studio = useStudio();
const LAPTOP = { width: 1280, height: 720 };

async function whole(tab: Tab, name: string): Promise<void> {
  const { page } = tab;
  await page.mouse.move(2, 2);
  await settled(page);
  await tab.picture(`laptop-${name}-light`);
  expect(await cuts(page), `cut in ${name}`).toEqual([]);
  expect(await spills(page), `sideways in ${name}`).toEqual([]);
  if (!PICTURING) return;
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await page.locator("html[data-theme=dark]").waitFor();
  await settled(page);
  await tab.picture(`laptop-${name}-dark`);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
}

for (const scene of SCENES)
  test(`${scene.name}: nothing is cut at ${LAPTOP.width} × ${LAPTOP.height}`, async () => {
    const tab = await studio.open({ hash: scene.hash, theme: "light", ...LAPTOP });
    await scene.settle(tab.page);
    await whole(tab, scene.name);
  });

/** Everything a sketch can hold, so that every row of the left column is seen. */
async function fullSketch(page: Page): Promise<void> {
  const plan = page.getByRole("application", { name: /^Floor plan/ });
  await plan.waitFor();
  await page.getByRole("button", { name: /^Draw freehand \(/ }).click();
  await stroke(page, plan, BEND);
  const panel = page.locator("#panel-make-sketch");
  for (const add of ["Style", "Action", "Speed of a part", "Arrival", "Circle", "Box"]) {
    const press = panel.getByRole("button", { name: add, exact: true });
    if ((await press.count()) > 0 && (await press.first().isEnabled())) await press.first().click();
  }
  const set = panel.getByRole("button", { name: "Set", exact: true });
  // Each is gone once it is pressed: the start, and the place to go to.
  for (let k = 0; k < 2; k++) await set.first().click();
  await panel.locator("summary", { hasText: "Points" }).click();
}

test(`a sketch with everything in it: nothing is cut, and the 3D view has the height`, async () => {
  const tab = await studio.open({ hash: "make", theme: "light", ...LAPTOP });
  const { page } = tab;
  await fullSketch(page);
  const side = page.locator("#panel-make-sketch");
  const height = await side.evaluate((e) => e.scrollHeight);
  for (let top = 0, k = 0; top < height; top += 420, k++) {
    await side.evaluate((e, y) => (e.scrollTop = y), top);
    await whole(tab, `sketch-${k}`);
  }
  const tools = page.getByRole("toolbar", { name: "Floor plan tools" });
  const tall = (await tools.boundingBox())!.height;
  expect(tall, "tools on one line").toBeLessThan(50);
  await page.getByRole("button", { name: "Synthesize" }).click();
  await page.getByRole("heading", { name: "Take home" }).waitFor();
  await quiet(studio.server);
  const stage = page.locator(".make-result .stage");
  await whole(tab, "made-both");
  expect((await stage.boundingBox())!.height, "beside the plan").toBeGreaterThan(220);
  await page.getByRole("radio", { name: "3D" }).check();
  await whole(tab, "made-3d");
  expect((await stage.boundingBox())!.height, "in 3D alone").toBeGreaterThan(400);
  await page.getByRole("radio", { name: "Plan" }).check();
  await whole(tab, "made-plan");
});

const LONG = "a-set-with-a-long-name";
const own = useStudio({
  inputs: () => {
    const folder = join(scratch("long"), LONG);
    const clips = inject("clips");
    const names = readdirSync(clips).filter((name) => /^walk_(normal|left|right)/.test(name));
    for (const [k, name] of names.entries()) {
      const at = join(folder, `subject-number-${k % 2}`);
      mkdirSync(at, { recursive: true });
      copyFileSync(join(clips, name), join(at, name));
    }
    return [folder];
  },
});

test("long names of clips show their ends, and carry all of themselves", async () => {
  const tab = await own.open({ hash: "library", theme: "light", ...LAPTOP });
  const { page } = tab;
  await first(page, ".clip-card");
  await quiet(own.server);
  const names = await page.locator(".clip-card .clip-name").evaluateAll((list) =>
    list.map((e) => {
      const box = e.getBoundingClientRect();
      const text = document.createRange();
      text.selectNodeContents(e.firstChild!);
      return {
        title: e.getAttribute("title"),
        text: e.textContent,
        cut: e.scrollWidth > e.clientWidth + 1,
        endShown: text.getBoundingClientRect().right <= box.right + 1,
      };
    }),
  );
  expect(names.length).toBeGreaterThan(2);
  for (const name of names) {
    expect(name.title).toBe(name.text);
    expect(name.title).toContain("subject-number");
    expect(name.endShown, `${name.title}: its end`).toBe(true);
  }
  expect(
    names.some((name) => name.cut),
    "long enough to tell",
  ).toBe(true);
  await whole(tab, "long-names");
  await tab.goTo("make");
  await fullSketch(page);
  const side = page.locator("#panel-make-sketch");
  await side.evaluate((e) => (e.scrollTop = e.scrollHeight));
  await whole(tab, "long-names-make");
  await page.getByRole("tab", { name: "Options" }).click();
  await page.getByText("Clips not to use").click();
  await whole(tab, "long-names-options");
});
