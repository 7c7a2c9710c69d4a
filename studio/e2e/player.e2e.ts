/** The player: keys, pictures, films, and no work while nothing moves. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import { downloadFrom, until } from "./harness/acts";
import { useStudio } from "./harness/fixture";

const studio = useStudio();

const time = (page: Page) => page.locator(".transport .time").first().textContent();

async function player(moving = false): Promise<Page> {
  const { page } = await studio.open({ moving });
  await page.locator(".tl-item").first().waitFor();
  return page;
}

test("keys play, step, slow down and change the figure", async () => {
  const page = await player(true);
  // Where people do not ask for less motion, a clip plays when it is opened.
  await page.getByRole("button", { name: "Pause (Space)" }).waitFor();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Play (Space)" }).waitFor();
  await page.keyboard.press("Home");
  expect(await time(page)).toMatch(/^0:00\.00 .* 0$/);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  expect(await time(page)).toMatch(/ 11$/);
  await page.keyboard.press("3");
  await until(
    () => page.getByRole("radio", { name: "Lights" }).isChecked(),
    (on) => on,
    "point lights",
  );
  await page.keyboard.press("]");
  expect(await page.getByLabel("Speed").first().inputValue()).toBe("1.5");
});

test("a picture and a film are saved", async () => {
  const page = await player();
  const picture = await downloadFrom(page, () => page.getByRole("button", { name: "Save a picture (PNG)" }).click());
  expect(
    readFileSync(await picture.path())
      .subarray(1, 4)
      .toString(),
  ).toBe("PNG");
  await page.getByRole("button", { name: "Record a film (WebM)" }).click();
  await page.waitForTimeout(2000);
  const film = await downloadFrom(page, () => page.getByRole("button", { name: "Stop recording" }).click());
  expect(
    readFileSync(await film.path())
      .subarray(0, 4)
      .toString("hex"),
  ).toBe("1a45dfa3");
});

test("play pressed while the frames are still under way is remembered", async () => {
  const tab = await studio.open({ hash: "graph" });
  const { page } = tab;
  await page.locator("#panel-account").waitFor();
  let release = () => {};
  const held = new Promise<void>((done) => (release = done));
  await page.route("**/motion*", async (route) => {
    await held;
    await route.continue();
  });
  await tab.goTo("/library");
  const play = page.locator(".clip-view").getByRole("button", { name: "Play (Space)" });
  await play.click();
  await page.locator(".clip-view").getByRole("button", { name: "Pause (Space)" }).waitFor();
  release();
  await until(
    () => time(page),
    (text) => /^0:0[1-9]/.test(text ?? ""),
    "the clip plays by itself",
  );
});

test("nothing is drawn while nothing moves", async () => {
  const page = await player();
  const draws = () =>
    page.evaluate(async () => {
      let count = 0;
      // eslint-disable-next-line @typescript-eslint/unbound-method -- bound again by `apply`
      const draw = WebGL2RenderingContext.prototype.drawElementsInstanced;
      WebGL2RenderingContext.prototype.drawElementsInstanced = function (...a) {
        count += 1;
        return draw.apply(this, a);
      };
      await new Promise((resolve) => setTimeout(resolve, 1000));
      WebGL2RenderingContext.prototype.drawElementsInstanced = draw;
      return count;
    });
  // What the page draws while it settles takes as long as it takes; then there is a second without any.
  await until(draws, (count) => count === 0, "a second without drawing");
});
