/** The ten tasks as the page has them now. */
import { expect } from "vitest";
import type { Clip, Project } from "../../src/api/types";
import { until } from "../harness/acts";
import {
  POINTS,
  drawPath,
  facts,
  home,
  ids,
  newResult,
  plan,
  takeGlb,
  worstTransition,
  type Act,
  type Seat,
} from "./task";

/** Files dropped on the demo, to a graph of their own. */
async function ownGraph({ page, count, server }: Seat, files: readonly string[]): Promise<void> {
  await count.drop(files);
  const dialog = page.getByRole("dialog", { name: "Put these clips into a new project?" });
  await count.click(dialog.getByRole("button", { name: "New project" }), "New project");
  await count.click(page.getByRole("button", { name: "Build from this group" }).first(), "Build from this group");
  await page.getByText("The graph is built").waitFor({ timeout: 400_000 });
  const project = await server.get<Project>("/api/project");
  expect(project.demo).toBe(false);
  expect(project.graph!.clips).toBeGreaterThanOrEqual(files.length - 1);
}

export const firstGraph =
  (files: () => readonly string[]): Act =>
  async (seat) => {
    await ownGraph(seat, files());
    seat.count.done();
  };

export const pathHome =
  (files: () => readonly string[]): Act =>
  async (seat) => {
    const { page, count } = seat;
    await ownGraph(seat, files());
    await count.click(page.getByRole("link", { name: "Make" }), "Make");
    await drawPath(seat);
    // Solved by itself when the stroke ends.
    expect(await takeGlb(seat, home(page).getByRole("link", { name: /^Download GLB/ }), "GLB")).toBe(1);
    count.done();
  };

export const mendRate: Act = async ({ page, count, server }) => {
  await count.click(page.locator(".clip-title summary", { hasText: "warning" }), "the clip's warnings");
  await count.click(page.getByRole("button", { name: /^Play at 60 Hz, all/ }), "Play at 60 Hz, all 24");
  await until(
    () => server.get<Clip[]>("/api/clips"),
    (list) => list.every((clip) => clip.rate_hz === 60),
    "all play at 60 Hz",
  );
  count.done();
};

export const labelTwenty: Act = async ({ page, count, server }) => {
  await count.click(page.locator(".clip-card").first(), "the first clip");
  await count.click(page.locator(".clip-card").nth(19), "the twentieth clip", ["Shift"]);
  const bar = page.getByRole("group", { name: "Selected clips" });
  await count.click(bar.getByRole("button", { name: "Label…" }), "Label…");
  await page.getByRole("dialog").locator("input").waitFor();
  await count.type("walk");
  await count.key("Enter");
  await wholeLabels(server, 20);
  count.done();
};

/** So many clips carry the label from their first frame to their last. */
export async function wholeLabels(server: Seat["server"], many: number): Promise<void> {
  await until(
    () => server.get<Clip[]>("/api/clips"),
    (list) =>
      list.filter((clip) =>
        clip.labels.some((row) => row.label === "walk" && row.start_s === 0 && row.end_s > clip.seconds - 0.02),
      ).length === many,
    `${many} clips are labelled`,
  );
}

export const whyLost: Act = async ({ page, count, note }) => {
  await count.click(page.locator(".clip-title").getByRole("button", { name: "Why not all?" }), "Why not all?");
  await reasonOf(page, note);
  count.done();
};

/** The account of a clip is open, and says why and what would help. */
export async function reasonOf(page: Seat["page"], clip: string): Promise<void> {
  const row = page.locator(".lost-clip[open]").filter({ has: page.locator(".lost-name", { hasText: clip }) });
  await row.locator(".lost-row strong").first().waitFor();
  expect(((await row.locator(".lost-row").first().textContent()) ?? "").length).toBeGreaterThan(40);
}

export const crowdHome: Act = async (seat) => {
  const { page, count, server } = seat;
  await drawPath(seat);
  await count.click(page.getByRole("tab", { name: "Options" }), "Options");
  await count.write(page.locator("[data-param=count] input"), "5", "the number of people");
  await count.key("Tab");
  await count.click(page.getByRole("button", { name: "Synthesize" }), "Synthesize");
  expect(await takeGlb(seat, home(page).getByRole("link", { name: /^Download Scene GLB/ }), "Scene GLB")).toBe(5);
  expect((await ids(server)).size).toBeGreaterThan(0);
  count.done();
};

export const sitThere: Act = async (seat) => {
  const { page, count, server } = seat;
  const known = await ids(server);
  await count.click(page.getByRole("button", { name: /^A place to go to/ }), "the tool for a place to go to");
  await count.drag(
    plan(page),
    [
      [0.6, 0.45],
      [0.68, 0.45],
    ],
    "from the place to where to face",
  );
  const section = page.getByRole("region", { name: "To a place" });
  await count.choose(section.getByLabel("What happens there"), { value: "sit" }, "sit");
  await count.click(section.getByRole("button", { name: "Go there" }), "Go there");
  const result = await newResult(seat, known);
  sits(result.members[0]!.report);
  count.done();
};

/** The finished motion shows it, within 30 cm of where it was asked for. */
export function sits(report: Readonly<Record<string, unknown>>): void {
  const rows = report["actions"] as { label: string; as_asked: boolean; reason?: string }[] | undefined;
  const row = rows?.find(({ label }) => label === "sit");
  expect(row, JSON.stringify(report).slice(0, 400)).toBeDefined();
  expect(row!.as_asked, row!.reason).toBe(true);
}

export const inspectWorst: Act = async (seat) => {
  const { page, count } = seat;
  const worst = await worstTransition(seat);
  await count.click(page.getByRole("button", { name: "Worst transition (W)" }), "Worst transition");
  await count.click(page.getByRole("button", { name: /^Inspect this transition/ }), "Inspect this transition");
  await inspected(page, worst);
  count.done();
};

/** The inspector shows this one: both clips, their times, and how far apart they are. */
export async function inspected(page: Seat["page"], worst: { from: string; to: string; cm: number }): Promise<void> {
  const words = page.locator(".inspector-facts");
  const shown = ([from, to]: readonly [string, string]) =>
    words.locator(".inspector-names", { hasText: `${from} s` }).filter({ hasText: `${to} s` });
  const place = (text: string) => {
    const at = text.lastIndexOf("@");
    return `${text.slice(0, at)} at ${Number(text.slice(at + 1)).toFixed(2)}`;
  };
  await shown([place(worst.from), place(worst.to)]).waitFor();
  await words
    .getByText(`${worst.cm.toFixed(1)} cm apart`)
    .first()
    .waitFor();
}

export const takeUpSketch: Act = async ({ page, count, note }) => {
  await count.click(page.getByRole("tab", { name: "Results" }), "Results");
  await count.click(page.getByRole("button", { name: /^Yesterday/ }).first(), "its name");
  await until(
    () => facts(page).textContent(),
    (text) => text === note,
    "the same sketch",
  );
  count.done();
};

export const movePoint: Act = async (seat) => {
  const { page, count, server } = seat;
  const known = await ids(server);
  const [x, y] = POINTS[1]!;
  await count.drag(
    plan(page),
    [
      [x, y],
      [x, y - 0.12],
    ],
    "a point",
  );
  await newResult(seat, known);
  await page.locator(".stage-older").waitFor({ state: "hidden" });
  count.done();
};
