/** Waits for what is to happen, never for a time. */
import type { Page } from "playwright-core";

/** Until what moves by itself has come to rest and has been drawn: transitions of styles over, and two frames on the screen. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    await frame();
    const ends = document.getAnimations().filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime));
    await Promise.allSettled(ends.map((one) => one.finished));
    await frame();
    await frame();
  });
}
