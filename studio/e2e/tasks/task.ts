/** What a task is: where it starts, what is done, and when it is done. The same starts and ends for every program. */
import { copyFileSync, readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import type { Result, ResultSummary } from "../../src/api/types";
import { BEND, downloadFrom, quiet, until } from "../harness/acts";
import type { Count } from "../harness/count";
import { gaitway, type StudioServer } from "../harness/server";

/** A person before a studio. */
export interface Seat {
  readonly server: StudioServer;
  readonly page: Page;
  readonly count: Count;
  readonly browser: Browser;
  /** The program under test, to read what was taken home. */
  readonly program: string;
  /** What the start left to know: a clip, a sketch. */
  readonly note: string;
}

export type Act = (seat: Seat) => Promise<void>;

/** The page has no way to it: with what it said or offered instead, read from the page. */
export class Cannot extends Error {}

/** The demo, the files of a CMU subject, or a graph of one with the labels of the CMU index. */
export type Inputs = "demo" | "16" | "143" | "143 with labels";

export interface Task {
  readonly title: string;
  /** The state at the first act, in words. */
  readonly start: string;
  /** When it counts as done, in words; the acts check it. */
  readonly end: string;
  /** What the studio is started with. */
  readonly inputs: Inputs;
  /** Opens the page where the task starts; none of it is counted. Tells what is worth noting. */
  readonly open: (seat: Seat) => Promise<string>;
  readonly now: Act;
  readonly before: Act;
  /** What is to know about the way it was done before. */
  readonly remark?: string;
}

/** The BVH files of a CMU subject. */
export function subject(data: string, name: string): string[] {
  const folder = join(data, "cmu-bvh", name);
  return readdirSync(folder)
    .filter((file) => file.endsWith(".bvh"))
    .sort()
    .map((file) => join(folder, file));
}

export const plan = (page: Page): Locator => page.getByRole("application", { name: /^Floor plan/ });
export const facts = (page: Page): Locator => page.getByText(/ m, \d+ points/);
export const home = (page: Page): Locator => page.getByRole("region", { name: "Take home" });
export const results = (server: StudioServer) => server.get<ResultSummary[]>("/api/results");

/** Opens a view and waits until it can be used. */
export async function at({ page, server }: Seat, hash: string): Promise<void> {
  await quiet(server);
  await page.goto(`${server.url}#${hash}`);
  if (hash.startsWith("make")) await plan(page).waitFor();
  else await page.locator(".clip-card").first().waitFor();
}

/** Draws the path of these tasks, from an empty plan. */
export async function drawPath({ page, count }: Seat): Promise<void> {
  await count.click(page.getByRole("button", { name: "Draw freehand", exact: true }), "Draw freehand");
  await count.drag(plan(page), BEND, "a path on the plan");
}

/** A result that was not there before, once it is on the page. */
export async function newResult(seat: Seat, known: ReadonlySet<string>): Promise<Result> {
  const made = await until(
    () => results(seat.server),
    (list) => list.some((r) => !known.has(r.id)),
    "a result",
    120_000,
  );
  const { id } = made.find((r) => !known.has(r.id))!;
  await until(
    () => seat.page.evaluate(() => location.hash),
    (hash) => hash.includes(id),
    "the result is shown",
  );
  return seat.server.get<Result>(`/api/results/${id}`);
}

export const ids = async (server: StudioServer) => new Set((await results(server)).map((r) => r.id));

/** Takes a GLB home by a link; tells how many bodies are in it. */
export async function takeGlb({ page, count, program }: Seat, link: Locator, what: string): Promise<number> {
  const file = await downloadFrom(page, () => count.click(link, what));
  const path = await file.path();
  const bytes = readFileSync(path);
  if (bytes.subarray(0, 4).toString() !== "glTF") throw new Error(`${file.suggestedFilename()} is not a GLB`);
  const document = JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString()) as { skins: unknown[] };
  if (document.skins.length === 1) {
    const named = `${path}.glb`;
    copyFileSync(path, named);
    const said = await gaitway(["info", named], undefined, program);
    if (!/frames/.test(said)) throw new Error(`${basename(named)} cannot be read: ${said}`);
  }
  return document.skins.length;
}

/** A path of four points made by the mouse, and its motion: the start of tasks that go on from a result. */
export async function sketchOfPoints(seat: Seat): Promise<Result> {
  const { page, server } = seat;
  // What is drawn here is asked for once, when it is whole.
  const live = page.getByLabel("Live");
  const had = (await live.count()) > 0;
  if (had) await live.uncheck();
  // Points lie where the mouse is, so that it finds them again.
  await page.getByLabel("Snap to the grid").selectOption("0");
  await page.getByRole("button", { name: /^Draw by points/ }).click();
  const box = (await plan(page).boundingBox())!;
  for (const [x, y] of POINTS) await page.mouse.click(box.x + x * box.width, box.y + y * box.height);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^Select and move/ }).click();
  await facts(page).waitFor();
  const known = await ids(server);
  await page.getByRole("button", { name: "Synthesize" }).click();
  const made = await newResult(seat, known);
  await home(page).waitFor();
  await quiet(server);
  if (had) await live.check();
  return made;
}

/** Shares of the plan's box. */
export const POINTS: readonly (readonly [number, number])[] = [
  [0.15, 0.55],
  [0.38, 0.35],
  [0.62, 0.6],
  [0.85, 0.45],
];

/** The transition of the result on the page whose motions are furthest apart. */
export async function worstTransition({ page, server }: Seat): Promise<{ from: string; to: string; cm: number }> {
  const id = /make\/([^?]+)/.exec(await page.evaluate(() => location.hash))?.[1] ?? "";
  const { members } = await server.get<Result>(`/api/results/${id}`);
  const [worst] = [...members[0]!.transitions].sort((a, b) => b.distance_cm - a.distance_cm);
  if (!worst) throw new Error("the result has no transition");
  return { from: worst.from, to: worst.to, cm: worst.distance_cm };
}
