/** Waits for what is to happen, never for a time. */
import type { Page } from "playwright-core";

/** Until what moves by itself has come to rest and has been drawn: transitions of styles over, and two frames on the screen. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    await frame();
    const ends = (one: Animation) => {
      const { effect } = one;
      if (!(effect instanceof KeyframeEffect) || !Number.isFinite(effect.getComputedTiming().endTime)) return false;
      // What is off the screen and not laid out stands still: its transitions wait until somebody scrolls there.
      return effect.target?.checkVisibility({ contentVisibilityAuto: true }) ?? false;
    };
    const moving = document.getAnimations().filter(ends);
    // Something may leave the screen in the middle of it.
    const late = new Promise((done) => setTimeout(done, 1000));
    await Promise.race([Promise.allSettled(moving.map((one) => one.finished)), late]);
    await frame();
    await frame();
  });
}
