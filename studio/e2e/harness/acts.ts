/** What a person does on the page. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect } from "vitest";
import type { Download, Locator, Page } from "playwright-core";
import type { Job } from "../../src/api/types";
import { difference, type Pixels } from "./png";
import type { StudioServer } from "./server";

/** Drops files onto the middle of the page, as a file manager does. */
export async function dropFiles(page: Page, paths: readonly string[]): Promise<void> {
  await (
    await takeInHand(page, paths)
  )();
}

/** Files taken up, to be let go over the page: reading them is no part of the drop. */
export async function takeInHand(page: Page, paths: readonly string[]): Promise<() => Promise<void>> {
  const files = paths.map((path) => ({ name: basename(path), base64: readFileSync(path).toString("base64") }));
  const transfer = await page.evaluateHandle((list) => {
    const carried = new DataTransfer();
    for (const { name, base64 } of list) {
      const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
      carried.items.add(new File([bytes], name));
    }
    return carried;
  }, files);
  return async () => {
    for (const kind of ["dragenter", "dragover", "drop"])
      await page.dispatchEvent("body", kind, { dataTransfer: transfer });
  };
}

/** Presses at the first place, goes through the others, lets go at the last. Places are shares of the element's box. */
export async function stroke(
  page: Page,
  element: Locator,
  places: readonly (readonly [number, number])[],
): Promise<void> {
  const box = await element.boundingBox();
  if (!box) throw new Error("the element is not on screen");
  const at = ([x, y]: readonly [number, number]) => [box.x + x * box.width, box.y + y * box.height] as const;
  const [first, ...rest] = places;
  if (!first) return;
  await page.mouse.move(...at(first));
  await page.mouse.down();
  for (const place of rest) await page.mouse.move(...at(place), { steps: 2 });
  await page.mouse.up();
}

/** A gentle S from the left to the right of the plan. */
export const BEND: readonly (readonly [number, number])[] = Array.from({ length: 25 }, (_, k) => {
  const t = k / 24;
  return [0.12 + 0.76 * t, 0.5 + 0.22 * Math.sin(2 * Math.PI * t)] as const;
});

export async function downloadFrom(page: Page, press: () => Promise<void>): Promise<Download> {
  const [file] = await Promise.all([page.waitForEvent("download"), press()]);
  const failure = await file.failure();
  expect(failure, `download of ${file.suggestedFilename()}`).toBeNull();
  return file;
}

/** Waits until something is true, and says what it last was when it never is. */
export async function until<T>(
  look: () => Promise<T>,
  good: (value: T) => boolean,
  what: string,
  ms = 120_000,
): Promise<T> {
  const end = performance.now() + ms;
  for (;;) {
    const value = await look();
    if (good(value)) return value;
    if (performance.now() > end)
      throw new Error(`${what}: after ${ms / 1000} s it is still ${JSON.stringify(value).slice(0, 300)}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

export async function jobs(server: StudioServer, kind: Job["kind"]): Promise<Job[]> {
  return (await server.get<Job[]>("/api/jobs"))
    .filter((job) => job.kind === kind)
    .sort((a, b) => b.created_ms - a.created_ms);
}

/** Until nothing runs or waits any more. */
export async function quiet(server: StudioServer): Promise<void> {
  await until(
    () => server.get<Job[]>("/api/jobs"),
    (list) => list.every((job) => job.state !== "running" && job.state !== "queued"),
    "jobs still running",
    400_000,
  );
}

/** Looks until a picture differs from an earlier one: how long that takes is a matter of the machine. */
export async function changes(look: () => Promise<Pixels>, before: Pixels, least: number, what: string): Promise<void> {
  await until(
    async () => difference(before, await look()),
    (share) => share > least,
    what,
  );
}

export async function numberIn(element: Locator): Promise<number> {
  const text = (await element.textContent()) ?? "";
  return Number(/-?[\d,.]+/.exec(text)?.[0].replaceAll(",", ""));
}
