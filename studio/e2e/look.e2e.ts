/** Every view in both themes: pictures to look at, and what the accessibility checker says. */
import { expect, test } from "vitest";
import { COLOURS, accessibility } from "./harness/axe";
import { BEND, stroke, until } from "./harness/acts";
import { useStudio } from "./harness/fixture";
import { colours, decodePng, pixelsOf } from "./harness/png";
import { first, SCENES } from "./harness/scenes";
import { settled } from "./harness/settle";
import { spills } from "./harness/spill";

const studio = useStudio();

/** Too narrow for anything but one thing above the other. */
const PHONE = { width: 390, height: 844 };

for (const scene of SCENES) {
  test(`${scene.name}: nothing that locks people out, light or dark, wide or ${PHONE.width} px`, async () => {
    const tab = await studio.open({ hash: scene.hash, theme: "light" });
    await scene.settle(tab.page);
    const look = async (name: string, only?: readonly string[]) => {
      await settled(tab.page);
      await tab.picture(`${scene.name}-${name}`);
      const { serious, minor } = await accessibility(tab.page, only);
      expect([...serious, ...minor], `findings, ${name}`).toEqual([]);
    };
    await look("light");
    // The system's wish, which the page follows while it is open.
    await tab.page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await tab.page.locator("html[data-theme=dark]").waitFor();
    await look("dark", COLOURS);
    // Colours are the same on a small screen: one theme shows what is laid out otherwise.
    await tab.page.setViewportSize(PHONE);
    await look(`dark-${PHONE.width}`);
    expect(await spills(tab.page), "sideways").toEqual([]);
  });
}

test("nothing spills over the edge on a small screen", async () => {
  for (const hash of ["library", "graph?tab=account", "graph?tab=thresholds", "graph?tab=drawing", "make"]) {
    const tab = await studio.open({ hash, width: 1024, height: 700 });
    await settled(tab.page);
    expect(await spills(tab.page), hash).toEqual([]);
    await tab.picture(`small-${hash.replace(/\W+/g, "-")}`);
  }
});

test("a label has one colour, wherever it is seen", async () => {
  const { page } = await studio.open();
  await first(page, ".tl-item");
  const labels = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>(".chip.filter.label-colour")].map((chip) => ({
      label: (chip.firstChild?.textContent ?? "").trim(),
      hue: chip.style.getPropertyValue("--hue"),
    })),
  );
  expect(labels.length).toBeGreaterThan(2);
  expect(new Set(labels.map(({ hue }) => hue)).size, "no two alike").toBe(labels.length);
  const hues = new Map(labels.map(({ label, hue }) => [label, hue]));
  const seen = async (what: string, selector: string) => {
    await first(page, selector);
    const found = await page.evaluate(
      (s) =>
        [...document.querySelectorAll<HTMLElement>(s)].map((e) => ({
          label: (e.textContent ?? "").trim(),
          hue: getComputedStyle(e).getPropertyValue("--hue").trim(),
        })),
      selector,
    );
    for (const { label, hue } of found) if (hues.has(label)) expect(hue, `${label} in ${what}`).toBe(hues.get(label));
    expect(
      found.some(({ label }) => hues.has(label)),
      what,
    ).toBe(true);
  };
  await seen("the timeline", ".tl-item-text");
  await page.getByRole("link", { name: "Graph" }).click();
  await seen("the account", "#panel-account .chip.label-colour");
  await page.getByRole("tab", { name: "Thresholds" }).click();
  await seen("the table", ".matrix .chip.label-colour");
  await seen("the bars", ".live-row .chip.label-colour");
  await page.getByRole("tab", { name: "Drawing" }).click();
  await first(page, ".way-node");
  const map = await page.evaluate(() =>
    [...document.querySelectorAll<SVGGElement>(".way-node")].map((node) => ({
      label: (node.getAttribute("aria-label") ?? "").split(":")[0] ?? "",
      colour: node.style.getPropertyValue("--node"),
    })),
  );
  for (const { label, colour } of map) if (hues.has(label)) expect(colour).toContain(`hsl(${hues.get(label)} `);
});

test("the plan does not jump when bars around it grow", async () => {
  const { page } = await studio.open({ hash: "make", width: 900, height: 760 });
  const plan = page.getByRole("application", { name: /^Floor plan/ });
  await plan.waitFor();
  await page.getByRole("button", { name: /^Draw freehand \(/ }).click();
  await stroke(page, plan, BEND);
  /** Where the drawn curve is on the screen: its left and its lower end, of the pixels that are neither grid nor floor. */
  const ink = async () => {
    await page.mouse.move(2, 2);
    await settled(page);
    const box = (await plan.boundingBox())!;
    const { rgba, width } = await pixelsOf(plan);
    let [x, y, n] = [Infinity, 0, 0];
    for (let k = 0; k < rgba.length / 4; k++) {
      const [r, g, b] = [rgba[4 * k]!, rgba[4 * k + 1]!, rgba[4 * k + 2]!];
      if (Math.max(r, g, b) - Math.min(r, g, b) < 70) continue;
      x = Math.min(x, k % width);
      y = Math.max(y, Math.floor(k / width));
      n++;
    }
    expect(n, "something is drawn").toBeGreaterThan(50);
    return { x: box.x + x, y: box.y + y, top: box.y };
  };
  const before = await ink();
  await page.getByRole("button", { name: /^Paint a style/ }).click();
  // More labels than the demo has: the second bar takes another row.
  await page.evaluate(() => {
    const brushes = document.querySelector(".brushes")!;
    for (let k = 0; k < 12; k++) brushes.append(brushes.firstElementChild!.cloneNode(true));
  });
  const after = await ink();
  expect(after.top, "the bar has grown").toBeGreaterThan(before.top + 20);
  expect(Math.hypot(after.x - before.x, after.y - before.y), "pixels it moved by").toBeLessThan(3);
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
